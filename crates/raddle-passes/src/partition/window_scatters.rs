//! Windows: scatters whose updates each go to a place in a window of their own become sums of what is near.
//!
//! Before: `iree_linalg_ext.scatter ins(%u : tensor<8x56x56xf16>, %p) outs(%x : tensor<8x112x112xf16>)`, where the numbers of
//!         `%p` are the digits of one, `%n`, that a reduction has chosen from the places of a window: `%n[b, i, j]` is
//!         `(2i + r) * 112 + 2j + s`, for some `r` and `s` below 3, or -1
//! After:  `linalg.generic`, of which the element at `(b, y, x)` goes through the windows that it may be in, of which there are
//!         four, and is combined with the updates of those whose number is `y * 112 + x`
//!
//! So is the gradient of a maximum over windows written. Where a window is in the padding of a line, its number may be that of
//! a place at the end of the line before: places there look at those windows, too.
//!
//! Does not touch scatters that have a mask, whole rows as updates, or too many windows, nor those into an argument, in whose
//! memory the result may lie.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{BlockId, Builder, Class, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId, ValueMap};

use super::again::elements;
use super::elements::{Node, Reader, Whole, leaves};
use super::reshape::{self, expand};
use crate::code::{EQUAL, LESS, compare, select};
use crate::structured::generalize::{at_loops, body_of, generic, loop_index, made};
use crate::structured::moves::ints;

/// Windows that an element goes through, at most, and lines in which numbers of a line of windows may lie.
const WINDOWS_MAX: usize = 32;
const LINES_MAX: i64 = 3;
/// No place is as far from the first one as this.
const PLACE_MAX: i64 = 1 << 47;

/// Rewrites the scatters of some blocks.
pub(super) fn gather(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        let is_scatter = ir.opcode(op) == Opcode::IreeLinalgExtScatter;
        let on_tensors = is_scatter && ir.operands(op).iter().all(|&value| ir.ty(value).is_tensor());
        if let Some(windows) = on_tensors.then(|| Windows::of(ir, op)).flatten() {
            windows.write(ir, op);
        }
    }
}

/// A scatter of updates in windows.
struct Windows {
    /// How many updates there are along each of their loops.
    extents: Vec<i64>,
    /// The numbers of their places.
    numbers: ValueId,
    /// Whether these are words.
    is_word: bool,
    /// The dimensions of the result that are loops of the updates, and these loops.
    own: Vec<(usize, usize)>,
    /// Those that the others are the digits of, the most significant one in front.
    digits: Vec<Digit>,
    /// The ways to windows that an element may be in.
    ways: Vec<Vec<Way>>,
}

/// A dimension of the result along which updates go to a window: to `step * loop + offset` with an offset in a range.
struct Digit {
    dim: usize,
    extent: i64,
    /// The loop along which windows lie, its extent, and how far they are apart; `None` where there is one.
    window: Option<(usize, i64, i64)>,
    offsets: [i64; 2],
}

/// Along a digit: the window that comes so many in front of the last one that may reach `place + shift`.
#[derive(Clone, Copy)]
struct Way {
    shift: i64,
    before: i64,
}

impl Windows {
    fn of(ir: &Ir, op: OpId) -> Option<Windows> {
        let &[updates, places, whole] = ir.operands(op) else { return None };
        let rank = ir.shape_of(whole).len();
        let region = ir.body(op, 0)?;
        let end = ir.terminator(region)?;
        let mut inner = ir.block_ops(region).filter(|&inner| inner != end);
        let fits = ints(ir, op, "dimension_map").into_iter().eq(0..rank as i64)
            && ir.def_op(whole).is_some()
            && ir.results(op).len() == 1
            && ir.attr(op, "lowering_config").is_none()
            && [updates, places, whole].iter().all(|&value| !ir.shape_of(value).contains(&DYNAMIC))
            && Scalar::of(&ir[ir.elem_of(whole)]).is_some()
            && inner.all(|inner| matches!(ir.class(inner), Class::Elementwise | Class::Constant));
        if !fits || rank == 0 {
            return None;
        }
        // Updates lie as they did before they were made one row.
        let places = match ir.def_op(places).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape) {
            Some(made) if reshape::groups(ir, made)?.last() == Some(&1) => ir.operand(made, 0),
            _ => places,
        };
        let (&numbers, extents) = ir.shape_of(places).split_last()?;
        let n_updates = elements(ir, updates);
        if numbers != rank as i64 || n_updates == 0 || elements(ir, places) / numbers != n_updates {
            return None;
        }
        let mut reader = Reader::new(ir, extents.to_vec());
        let loops: Vec<Expr> = (0..extents.len()).map(|d| Expr::Dim(d as u32)).collect();
        let (mut own, mut digits, mut root) = (Vec::new(), Vec::new(), None);
        for (dim, &extent) in ir.shape_of(whole).iter().enumerate() {
            let place = [&loops[..], &[Expr::Const(dim as i64)]].concat();
            let node = reader.read_at(places, place)?;
            match reader.whole(node) {
                Some(whole) if extent == 1 && whole.as_number() == Some(0) => {}
                Some(whole) => {
                    let d = whole.as_loop()? as usize;
                    (extents[d] == extent).then(|| own.push((dim, d)))?;
                }
                None => {
                    let (number, digit) = digit(ir, &reader, node)?;
                    (root.is_none_or(|root| root == number)).then_some(())?;
                    root = Some(number);
                    digits.push((dim, extent, digit));
                }
            }
        }
        // A number outside of the result has a digit out of range.
        let mut divisor = 1;
        for (i, &(_, extent, (by, below))) in digits.iter().enumerate().rev() {
            let is_digit = by == divisor && below == Some(extent).filter(|_| i > 0);
            is_digit.then_some(())?;
            divisor = divisor.checked_mul(extent)?;
        }
        let numbers = tensor_of(ir, &mut reader, places, root?, &loops)?;
        let (number, is_word) = chosen(&mut reader, root?, divisor)?;
        let dims: Vec<(usize, i64)> = digits.iter().map(|&(dim, extent, _)| (dim, extent)).collect();
        let digits = split(&reader, extents, &number, &dims)?;
        let windows = digits.iter().filter_map(|digit| digit.window.map(|window| window.0));
        let mut along: Vec<usize> = own.iter().map(|&(_, d)| d).chain(windows).collect();
        along.sort_unstable();
        along.into_iter().eq((0..extents.len()).filter(|&d| extents[d] != 1)).then_some(())?;
        let ways = ways(&digits)?;
        Some(Windows { extents: extents.to_vec(), numbers, is_word, own, digits, ways })
    }

    fn write(self, ir: &mut Ir, op: OpId) {
        let [updates, _, whole] = [0, 1, 2].map(|at| ir.operand(op, at));
        let region = ir.body(op, 0).expect("a scatter combines");
        let end = ir.terminator(region).expect("the region ends");
        let inner: Vec<OpId> = ir.block_ops(region).filter(|&inner| inner != end).collect();
        let (combined, given) = (ir.args(region).to_vec(), ir.operand(end, 0));
        let source = ir.def_op(updates).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape);
        let source = source.map(|made| ir.operand(made, 0)).filter(|&source| ir.shape_of(source) == self.extents);
        let builder = &mut Builder::before(ir, op);
        let updates = source.unwrap_or_else(|| {
            let sizes: Vec<Mixed> = self.extents.iter().copied().map(Mixed::Static).collect();
            expand(builder, updates, &[sizes.len()], &sizes)
        });
        let numbers = self.narrow(builder);
        let rank = builder.ir.shape_of(whole).len();
        let (ty, elem) = (builder.ir.type_of(whole), builder.ir.elem_of(whole));
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        let maps = vec![Map::identity(rank); 2];
        let linalg = Linalg { inputs: vec![whole], outputs: vec![empty], maps, reduction: vec![false; rank] };
        let new = generic(builder, &linalg, &[]);
        body_of(builder, new, &[elem; 2], |body, args| {
            let number = body.ir.elem_of(numbers);
            let loops: Vec<ValueId> = (0..rank).map(|d| loop_index(body, d)).collect();
            let here = at_loops(body, &self.number(), &loops);
            let here = match body.ir.type_of(here) == number {
                true => here,
                false => body.value(Opcode::ArithIndexCast, &[here], number, &[]),
            };
            let mut element = args[0];
            for ways in &self.ways {
                let (places, is_inside) = self.window(body, &loops, ways);
                let [number, update] = [numbers, updates].map(|tensor| {
                    let elem = body.ir.elem_of(tensor);
                    body.value(Opcode::TensorExtract, &[&[tensor], &places[..]].concat(), elem, &[])
                });
                let mut goes_here = compare(body, EQUAL, number, here);
                if let Some(is_inside) = is_inside {
                    goes_here = body.binary(Opcode::ArithAndi, is_inside, goes_here);
                }
                let mut map = ValueMap::default();
                map.set(combined[0], update);
                map.set(combined[1], element);
                for &inner in &inner {
                    body.copy(inner, &mut map);
                }
                element = select(body, goes_here, map.get(given), element);
            }
            vec![element]
        });
        let (old, new) = (ir.result(op, 0), ir.result(new, 0));
        ir.replace_uses(old, new);
        ir.erase(op);
    }

    /// The numbers, as words where they are such.
    fn narrow(&self, builder: &mut Builder<'_>) -> ValueId {
        let (word, elem) = (builder.ir.int_type(32), builder.ir.elem_of(self.numbers));
        if !self.is_word || !matches!(builder.ir[elem], Type::Integer { width: 33.., .. }) {
            return self.numbers;
        }
        let sizes: Vec<Mixed> = self.extents.iter().copied().map(Mixed::Static).collect();
        let map = Map::identity(sizes.len());
        made(builder, &[(self.numbers, map)], &sizes, word, |body, args| {
            body.value(Opcode::ArithTrunci, &args[..1], word, &[])
        })
    }

    /// The number of the place of an element.
    fn number(&self) -> Expr {
        self.digits.iter().fold(Expr::Const(0), |before, digit| {
            let shifted = Expr::binary(BinOp::Mul, before, Expr::Const(digit.extent));
            Expr::binary(BinOp::Add, shifted, Expr::Dim(digit.dim as u32))
        })
    }

    /// The places of a window that is reached by these ways, and whether there is one.
    fn window(&self, body: &mut Builder<'_>, loops: &[ValueId], ways: &[Way]) -> (Vec<ValueId>, Option<ValueId>) {
        let mut places = vec![None; self.extents.len()];
        for &(dim, d) in &self.own {
            places[d] = Some(loops[dim]);
        }
        let mut is_inside = None;
        for (digit, way) in self.digits.iter().zip(ways) {
            let Some((d, extent, _)) = digit.window else { continue };
            let mut place = at_loops(body, &digit.place(*way), loops);
            let [least, greatest] = digit.range(*way);
            let (zero, last) = (body.index(0), body.index(extent - 1));
            let mut asks = |body: &mut Builder<'_>, bit: ValueId| {
                is_inside = Some(match is_inside {
                    Some(before) => body.binary(Opcode::ArithAndi, before, bit),
                    None => bit,
                });
            };
            if least < 0 {
                let bit = compare(body, LESS, place, zero);
                let (ty, one) = (body.ir.type_of(bit), body.ir.int_type(1));
                let one = body.int(1, one);
                let bit = body.value(Opcode::ArithXori, &[bit, one], ty, &[]);
                asks(body, bit);
                place = body.binary(Opcode::ArithMaxsi, place, zero);
            }
            if greatest >= extent {
                let end = body.index(extent);
                let bit = compare(body, LESS, place, end);
                asks(body, bit);
                place = body.binary(Opcode::ArithMinsi, place, last);
            }
            places[d] = Some(place);
        }
        // The others have one place.
        (places.into_iter().map(|place| place.unwrap_or_else(|| body.index(0))).collect(), is_inside)
    }
}

impl Digit {
    /// How many windows may reach a place.
    fn windows(&self) -> i64 {
        self.window.map_or(1, |(_, _, step)| (self.offsets[1] - self.offsets[0]).div_euclid(step) + 1)
    }

    /// The least and the greatest place that updates go to.
    fn reach(&self) -> [i64; 2] {
        let last = self.window.map_or(0, |(_, extent, step)| (extent - 1) * step);
        [self.offsets[0], self.offsets[1] + last]
    }

    /// The number of a window, along the place of an element.
    fn place(&self, way: Way) -> Expr {
        let step = self.window.map_or(1, |window| window.2);
        let shifted = Expr::binary(BinOp::Add, Expr::Dim(self.dim as u32), Expr::Const(way.shift - self.offsets[0]));
        let last = Expr::binary(BinOp::FloorDiv, shifted, Expr::Const(step));
        Expr::binary(BinOp::Add, last, Expr::Const(-way.before))
    }

    /// The least and the greatest of these.
    fn range(&self, way: Way) -> [i64; 2] {
        let step = self.window.map_or(1, |window| window.2);
        [0, self.extent - 1].map(|place| (place + way.shift - self.offsets[0]).div_euclid(step) - way.before)
    }
}

/// What a number is a digit of, what that is divided by, and what the quotient is a remainder by, if it is one.
fn digit(ir: &Ir, reader: &Reader<'_>, node: usize) -> Option<(usize, (i64, Option<i64>))> {
    let (mut node, mut below, mut by) = (node, None, 1);
    loop {
        let Node::Scalar(op, of) = &reader.nodes[node] else { return Some((node, (by, below))) };
        let number = || reader.whole(*of.get(1)?)?.as_number().filter(|&number| number > 0);
        match ir.opcode(*op) {
            Opcode::ArithIndexCast | Opcode::ArithExtsi => {}
            Opcode::ArithRemsi if below.is_none() && by == 1 => below = Some(number()?),
            Opcode::ArithFloordivsi | Opcode::ArithDivsi => by *= number()?,
            _ => return Some((node, (by, below))),
        }
        node = of[0];
    }
}

/// The tensor whose element at loops is a number that places are made of.
fn tensor_of(ir: &Ir, reader: &mut Reader<'_>, places: ValueId, root: usize, loops: &[Expr]) -> Option<ValueId> {
    let made = Linalg::try_of(ir, ir.def_op(places)?)?;
    let is_it = |&tensor: &ValueId| {
        let fits = ir.ty(tensor).is_tensor() && ir.shape_of(tensor).len() == loops.len();
        fits && reader.read_at(tensor, loops.to_vec()) == Some(root)
    };
    made.inputs.into_iter().find(is_it)
}

/// What a number is if it is one of a place, of which there are so many: a sum of loops; and whether it is a word, whatever it is.
fn chosen(reader: &mut Reader<'_>, root: usize, n_places: i64) -> Option<(Whole, bool)> {
    let &[leaf] = &leaves(&reader.nodes, &[root])[..] else { return None };
    let choices = reader.choices(leaf)?;
    let (mut found, mut is_word) = (None, n_places <= i64::from(i32::MAX));
    let word = i128::from(i32::MIN)..=i128::from(i32::MAX);
    for choice in &choices {
        let number = reader.whole_where(root, leaf, choice)?;
        let (least, greatest) = reader.range(&number);
        is_word &= word.contains(&least) && word.contains(&greatest);
        if greatest < 0 || least >= n_places.into() {
            continue;
        }
        found.is_none().then_some(())?;
        found = Some(number);
    }
    Some((found?, is_word))
}

/// The digits that a number has for these dimensions, whose extents are the bases.
fn split(reader: &Reader<'_>, extents: &[i64], number: &Whole, dims: &[(usize, i64)]) -> Option<Vec<Digit>> {
    let mut digits: Vec<Digit> = Vec::new();
    let mut factor = dims.iter().skip(1).try_fold(1i64, |n, dim| n.checked_mul(dim.1))?;
    let (mut terms, mut constant) = (number.terms.clone(), number.constant);
    for (i, &(dim, extent)) in dims.iter().enumerate() {
        let part = Whole { constant: 0, terms: terms.iter().copied().filter(|term| term.1.abs() >= factor).collect() };
        terms.retain(|term| term.1.abs() < factor);
        let own = if i + 1 == dims.len() { constant } else { (constant + factor / 2).div_euclid(factor) };
        constant -= own * factor;
        let mut digit = Digit { dim, extent, window: None, offsets: [own; 2] };
        for (d, times) in part.terms {
            let (d, step) = (d as usize, times / factor);
            if times % factor != 0 {
                return None;
            }
            match extents.get(d) {
                Some(1) => {}
                Some(&extent) if digit.window.is_none() && step > 0 => {
                    extent.checked_mul(step).filter(|&reach| reach < PLACE_MAX)?;
                    digit.window = Some((d, extent, step));
                }
                Some(_) => return None,
                None => {
                    let (least, greatest) = reader.range(&Whole { constant: 0, terms: vec![(d as u32, step)] });
                    digit.offsets[0] += i64::try_from(least).ok()?;
                    digit.offsets[1] += i64::try_from(greatest).ok()?;
                }
            }
        }
        if digit.offsets.iter().any(|offset| offset.abs() >= PLACE_MAX) {
            return None;
        }
        digits.push(digit);
        if let Some(&(_, next)) = dims.get(i + 1) {
            factor /= next;
        }
    }
    Some(digits)
}

/// All ways to windows that an element may be in, in the order of the updates but for those from the end of a line before.
/// Each window is reached by one way at most.
fn ways(digits: &[Digit]) -> Option<Vec<Vec<Way>>> {
    // What is carried from the digits behind, with the ways along these.
    let mut found: Vec<(i64, Vec<Way>)> = vec![(0, Vec::new())];
    for (i, digit) in digits.iter().enumerate().rev() {
        let Digit { extent, window, .. } = *digit;
        let [least, greatest] = digit.reach();
        if digit.windows() > WINDOWS_MAX as i64 {
            return None;
        }
        let mut next = Vec::new();
        for (carried, behind) in &found {
            let lines = match i {
                0 => 0..=0,
                _ => (least + carried).div_euclid(extent)..=(greatest + carried).div_euclid(extent),
            };
            let is_one = lines.start() == lines.end();
            if lines.end() - lines.start() >= LINES_MAX {
                return None;
            }
            if !is_one && window.is_none_or(|(_, _, step)| extent < step * digit.windows()) {
                return None;
            }
            for line in lines {
                for before in (0..digit.windows()).rev() {
                    let way = Way { shift: line * extent - carried, before };
                    let [first, last] = digit.range(way);
                    let windows = window.map_or(0..digit.offsets[1] - digit.offsets[0] + 1, |window| 0..window.1);
                    if last >= windows.start && first < windows.end {
                        next.push((line, [&[way], &behind[..]].concat()));
                    }
                }
            }
        }
        found = next;
        if found.len() > WINDOWS_MAX {
            return None;
        }
    }
    // The last digit goes fastest.
    found.sort_by_key(|(_, ways)| ways.iter().map(|way| (way.shift, -way.before)).collect::<Vec<_>>());
    Some(found.into_iter().map(|(_, ways)| ways).collect())
}
