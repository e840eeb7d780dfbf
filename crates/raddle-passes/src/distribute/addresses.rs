//! Where the accesses of an exchange begin: what is known of the access, and what follows from the thread.
//!
//! A plan gives offsets as a linear map over F2 of lane and subgroup, or as the coordinates that a layout gives a slot,
//! times the distances of the dimensions. Digits of such a layout are taken from the thread's number as they are from
//! a lane's and a subgroup's, and summed with their weights; where the layout has a swizzle, bits are xored first:
//!
//! ```text
//! index = (bits of the thread xor bits of the access) + digits of the thread + digits of the access
//! ```

use raddle_ir::affine::BinOp;
use raddle_ir::{Builder, Expr, Map, Opcode, ValueId};
use raddle_layout::plan::{Access, Exchange, OfPlace, Offsets, Plan, Scope, Side, Step};
use raddle_layout::{Hardware, Layout};

use super::{Cx, place};
use crate::config::Launch;

/// Where the accesses of one side begin.
pub struct Addresses {
    /// The images of the bits of the thread's number.
    images: Vec<u64>,
    /// Bits of numbers that are not powers of two apart, with their images.
    strays: Vec<(Expr, u64)>,
    /// The bits that differ from thread to thread; those below the unit are 0 in all accesses.
    reach: u64,
    unit: u32,
    /// What is added: a sum over digits of the thread's number.
    sum: Expr,
    /// What slots xor and add, where the plan does not say it with the access.
    slots: Option<Places>,
}

impl Addresses {
    /// Those of a side of an exchange.
    pub fn of(cx: &Cx<'_>, exchange: &Exchange, side: &Side) -> Addresses {
        match &side.offsets {
            Offsets::Bits(of) => Addresses::linear(cx, exchange, of),
            Offsets::Digits { layout, strides } => {
                let places = Places::of(layout, strides).expect("the plan was looked at");
                let (bits, strays, sum) = places.of_thread(cx.launch);
                let all = Addresses { strays, sum, slots: Some(places), ..Addresses::linear(cx, exchange, &bits) };
                let reach = all.strays.iter().fold(all.reach, |reach, stray| reach | stray.1);
                Addresses { reach, unit: unit_of(reach), ..all }
            }
        }
    }

    /// Those of a linear map.
    pub fn linear(cx: &Cx<'_>, exchange: &Exchange, of: &OfPlace) -> Addresses {
        let images = place::images(cx, of);
        let reach = images.iter().fold(0, |reach, image| reach | image);
        // Subgroups have memories of their own, or share one.
        let sum = match exchange.scope {
            Scope::Subgroup => {
                let subgroup = binary(BinOp::FloorDiv, Expr::Dim(1), cx.launch.subgroup_size);
                binary(BinOp::Mul, subgroup, exchange.size)
            }
            Scope::Workgroup => Expr::Const(0),
        };
        Addresses { images, strays: Vec::new(), reach, unit: unit_of(reach), sum, slots: None }
    }

    /// The index of an access.
    pub fn index(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, access: &Access) -> ValueId {
        let (offset, base) = match &self.slots {
            Some(places) => places.of_slot(access.slot as i64),
            None => (access.offset, access.base),
        };
        // What no thread's part meets is as well added, and added constants are free.
        let (meets, more) = (offset & self.reach, offset & !self.reach);
        let images: Vec<u64> = self.images.iter().map(|image| image >> self.unit).collect();
        let mut swizzled = place::value(builder, cx, &images, meets >> self.unit);
        for (bit, image) in &self.strays {
            let results = vec![binary(BinOp::Mul, bit.clone(), (image >> self.unit) as i64)];
            let image = builder.apply(Map { dims: 2, syms: 0, results }, &[swizzled, cx.thread]);
            swizzled = builder.binary(Opcode::ArithXori, swizzled, image);
        }
        let sum = binary(BinOp::Mul, Expr::Dim(0), 1 << self.unit);
        let sum = Expr::binary(BinOp::Add, sum, self.sum.clone());
        let results = vec![binary(BinOp::Add, sum, more as i64 + base)];
        builder.apply(Map { dims: 2, syms: 0, results }, &[swizzled, cx.thread])
    }
}

/// The lowest bit in which offsets differ; 0 where they are all the same.
fn unit_of(reach: u64) -> u32 {
    reach.trailing_zeros() % u64::BITS
}

fn binary(op: BinOp, lhs: Expr, rhs: i64) -> Expr {
    Expr::binary(op, lhs, Expr::Const(rhs))
}

/// Whether there are addresses for every step of a plan: a swizzle permutes offsets that follow each other.
pub fn are_known(plan: &Plan) -> bool {
    plan.steps.iter().all(|step| match step {
        Step::Exchange(exchange) => [&exchange.store, &exchange.load].into_iter().all(|side| match &side.offsets {
            Offsets::Digits { layout, strides } => Places::of(layout, strides).is_some(),
            Offsets::Bits(_) => true,
        }),
        Step::Slots { .. } | Step::Turn { .. } | Step::Shuffle(_) | Step::Transpose { .. } => true,
    })
}

/// A digit of a hardware number.
struct Digit {
    hardware: Hardware,
    /// What the digit counts in.
    step: i64,
    extent: i64,
    /// What each step adds to the offset, or xors to it.
    weight: i64,
}

impl Digit {
    /// The digit of the thread's number, which is dimension 1.
    fn of_thread(&self, launch: Launch) -> Expr {
        let (lanes, n_subgroups) = (launch.subgroup_size, launch.workgroup_size / launch.subgroup_size);
        let (number, unit, is_last) = match self.hardware {
            Hardware::Subgroup => (Expr::Dim(1), lanes * self.step, self.step * self.extent >= n_subgroups),
            _ if lanes % (self.step * self.extent) == 0 => (Expr::Dim(1), self.step, false),
            _ => (binary(BinOp::Mod, Expr::Dim(1), lanes), self.step, self.step * self.extent >= lanes),
        };
        let number = binary(BinOp::FloorDiv, number, unit);
        if is_last { number } else { binary(BinOp::Mod, number, self.extent) }
    }
}

/// The offsets of a layout whose coordinates lie in memory at these distances.
struct Places {
    added: Vec<Digit>,
    /// One bit each.
    xored: Vec<Digit>,
}

impl Places {
    fn of(layout: &Layout, strides: &[i64]) -> Option<Places> {
        let distance =
            |weights: &[i64]| weights.iter().zip(strides).map(|(weight, stride)| weight * stride).sum::<i64>();
        let (mut added, mut xored) = (Vec::new(), Vec::new());
        if layout.swizzle().is_none() {
            let layout = layout.canonical();
            for hardware in Hardware::ALL {
                let mut step = 1;
                for &raddle_layout::Digit { extent, ref weights, .. } in layout.digits(hardware) {
                    added.push(Digit { hardware, step, extent, weight: distance(weights) });
                    step *= extent;
                }
            }
        } else {
            let form = layout.to_f2().ok()?;
            let (last, outer) = form.shape.split_last()?;
            if strides.last() != Some(&1) || outer.iter().any(|extent| extent % 2 == 0) {
                return None;
            }
            // Odd digits of the last dimension count through what its bits number.
            let run = 1 << last.trailing_zeros();
            added.extend(form.odd.iter().map(|odd| {
                let (inner, outer) = odd.weights.split_last().expect("the form has a last dimension");
                let weight = distance(&[outer, &[inner * run]].concat());
                Digit { hardware: odd.hardware, step: odd.step, extent: odd.extent, weight }
            }));
            xored.extend(form.columns.iter().map(|column| Digit {
                hardware: column.hardware,
                step: column.step,
                extent: 2,
                weight: column.image as i64,
            }));
        }
        for digits in [&mut added, &mut xored] {
            digits.retain(|digit| digit.weight != 0);
        }
        Some(Places { added, xored })
    }

    /// What a slot xors, and what it adds.
    fn of_slot(&self, slot: i64) -> (u64, i64) {
        let parts = |digits: &[Digit]| -> Vec<i64> {
            let own = digits.iter().filter(|digit| digit.hardware == Hardware::Slot);
            own.map(|digit| slot / digit.step % digit.extent * digit.weight).collect()
        };
        (parts(&self.xored).into_iter().fold(0, |bits, image| bits ^ image as u64), parts(&self.added).iter().sum())
    }

    /// What a thread xors, as images of the bits of its number and as other bits, and what it adds.
    fn of_thread(&self, launch: Launch) -> (OfPlace, Vec<(Expr, u64)>, Expr) {
        let (mut bits, mut strays, mut sum) = (OfPlace::default(), Vec::new(), Expr::Const(0));
        for digit in self.xored.iter().filter(|digit| digit.hardware != Hardware::Slot) {
            if digit.step.count_ones() > 1 {
                strays.push((digit.of_thread(launch), digit.weight as u64));
                continue;
            }
            let images = if digit.hardware == Hardware::Lane { &mut bits.lane } else { &mut bits.subgroup };
            let bit = digit.step.ilog2() as usize;
            images.resize(images.len().max(bit + 1), 0);
            images[bit] = digit.weight as u64;
        }
        for digit in self.added.iter().filter(|digit| digit.hardware != Hardware::Slot) {
            let term = binary(BinOp::Mul, digit.of_thread(launch), digit.weight);
            sum = Expr::binary(BinOp::Add, sum, term);
        }
        (bits, strays, sum)
    }
}
