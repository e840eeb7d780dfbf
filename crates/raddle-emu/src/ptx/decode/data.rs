//! Moves, loads, stores, atomic accesses, address conversions and asynchronous copies.

use super::super::ast::{Operand, Space};
use super::super::inst::{Address, Atomic, CopyAsync, Load, Op, Store, Window};
use super::super::lane::{one, two};
use super::super::memory::{LOCAL_WINDOW, Place, SHARED_WINDOW, place};
use super::super::types::{Kind, Ty, mask, signed};
use super::super::words::Words;
use super::{Decoded, Decoder, Form};

/// Bits of the widest access of a lane.
const ACCESS_BITS_MAX: usize = 256;

/// Words that say how to cache: nothing that can be observed here.
pub(super) fn take_cache_words(words: &mut Words<'_>) {
    while words
        .take_map(|word| {
            let known = matches!(
                word,
                "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "nc" | "unified" | "noftz" | "L1" | "L2"
            );
            (known || word.starts_with("L1::") || word.starts_with("L2::") || word.starts_with("level::")).then_some(())
        })
        .is_some()
    {}
}

/// Whether a cache policy comes as one more operand.
pub(super) fn has_policy(words: &Words<'_>) -> bool {
    words.has("L2::cache_hint")
}

/// `.global`, `.shared::cta` and so on.
pub(super) fn take_space(words: &mut Words<'_>) -> Option<Space> {
    words.take_map(|word| match word {
        "global" => Some(Space::Global),
        "const" => Some(Space::Const),
        "shared" | "shared::cta" | "shared::cluster" => Some(Space::Shared),
        "local" => Some(Space::Local),
        "param" | "param::entry" | "param::func" => Some(Space::Param),
        _ => None,
    })
}

/// `.relaxed.gpu` and so on: whether the access is strong, and whether it orders others.
fn take_order(words: &mut Words<'_>) -> (bool, bool) {
    words.take("weak");
    let strong = words.take_any(&["volatile", "relaxed", "mmio"]).is_some();
    let orders = words.take_any(&["acquire", "release", "acq_rel"]).is_some();
    while words.take_any(&["cta", "cluster", "gpu", "sys"]).is_some() {}
    (strong || orders, orders)
}

fn take_vector(words: &mut Words<'_>) -> usize {
    match words.take_any(&["v2", "v4", "v8"]) {
        Some("v2") => 2,
        Some("v4") => 4,
        Some(_) => 8,
        None => 1,
    }
}

impl<'m> Decoder<'m> {
    pub(super) fn mov(&mut self, mut form: Form<'m>) -> Decoded<()> {
        if let [Operand::Name(_), Operand::Name(name)] = form.operands
            && matches!(
                name.as_str(),
                "%clock" | "%clock64" | "%clock_hi" | "%globaltimer" | "%globaltimer_lo" | "%globaltimer_hi"
            )
        {
            let dst = self.destination(&form.operands[0], &form)?;
            return self.emit(Op::Clock { dst, shift: if name.ends_with("hi") { 32 } else { 0 } }, form.span);
        }
        let [to, from] = form.operands()?;
        match (to, from) {
            (Operand::Vector(parts), from) if !matches!(from, Operand::Vector(_)) => {
                let ty = form.words.ty().filter(|ty| ty.width() <= 64).ok_or_else(|| form.unknown())?;
                form.finish()?;
                let src = self.source(from, ty, &form)?;
                let dsts = self.destinations(to, &form)?;
                let bits = ty.width() / parts.len().max(1) as u32;
                self.emit(Op::Unpack { src, bits, dsts }, form.span)
            }
            (to, Operand::Vector(parts)) if !matches!(to, Operand::Vector(_)) => {
                let ty = form.words.ty().filter(|ty| ty.width() <= 64).ok_or_else(|| form.unknown())?;
                form.finish()?;
                let bits = ty.width() / parts.len().max(1) as u32;
                let part = Ty { kind: Kind::Bits, bits, packed: 1 };
                let srcs = self.sources(from, part, &form)?;
                let dst = self.destination(to, &form)?;
                self.emit(Op::Pack { srcs, bits, dst }, form.span)
            }
            _ => {
                let n = take_vector(&mut form.words);
                if n > 1 {
                    let ty = form.words.ty().ok_or_else(|| form.unknown())?;
                    form.finish()?;
                    let (dsts, srcs) = (self.destinations(to, &form)?, self.sources(from, ty, &form)?);
                    for (dst, src) in dsts.into_iter().zip(srcs) {
                        if let Some(dst) = dst {
                            let lanes = one(|a| a);
                            self.emit(Op::Lanes { lanes, dst, srcs: [src, 0, 0, 0], more: None }, form.span)?;
                        }
                    }
                    return Ok(());
                }
                self.elementwise(form)
            }
        }
    }

    pub(super) fn load(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let space = take_space(&mut form.words);
        let (is_strong, orders) = take_order(&mut form.words);
        self.has_fences |= orders;
        let policy = usize::from(has_policy(&form.words));
        take_cache_words(&mut form.words);
        let n = take_vector(&mut form.words);
        let ty =
            form.words.ty().filter(|ty| ty.width() as usize * n <= ACCESS_BITS_MAX).ok_or_else(|| form.unknown())?;
        if ty.width() > 64 {
            return Err(form.unknown());
        }
        form.finish()?;
        let (2 | 3, Some([to, from])) = (form.operands.len() - policy.min(form.operands.len()), form.operands.get(..2))
        else {
            return Err(form.wrong("takes a register and an address"));
        };
        let dsts = self.destinations(to, &form)?;
        if dsts.len() != n {
            return Err(form.wrong(&format!("{n} registers are wanted")));
        }
        let address = self.address(from, space, &form)?;
        let width = dsts.iter().flatten().map(|&dst| self.widths[dst as usize]).max().unwrap_or(64);
        let extend = if ty.is_signed() && ty.bits < width { ty.bits } else { 0 };
        let bytes = ty.width().div_ceil(8) as usize;
        let load = Load { address, bytes, dsts, extend, width, is_strong };
        self.emit(Op::Load(Box::new(load)), form.span)
    }

    pub(super) fn store(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let space = take_space(&mut form.words);
        let (is_strong, orders) = take_order(&mut form.words);
        self.has_fences |= orders;
        let policy = usize::from(has_policy(&form.words));
        take_cache_words(&mut form.words);
        let n = take_vector(&mut form.words);
        if form.words.has("async") || form.words.has("bulk") {
            return Err(form.unknown());
        }
        let ty =
            form.words.ty().filter(|ty| ty.width() as usize * n <= ACCESS_BITS_MAX).ok_or_else(|| form.unknown())?;
        if ty.width() > 64 {
            return Err(form.unknown());
        }
        form.finish()?;
        let Some([to, from]) = form.operands.get(..form.operands.len().saturating_sub(policy)) else {
            return Err(form.wrong("takes an address and a register"));
        };
        let srcs = self.sources(from, ty, &form)?;
        if srcs.len() != n {
            return Err(form.wrong(&format!("{n} registers are wanted")));
        }
        let address = self.address(to, space, &form)?;
        let bytes = ty.width().div_ceil(8) as usize;
        self.emit(Op::Store(Box::new(Store { address, bytes, srcs, is_strong })), form.span)
    }

    pub(super) fn atomic(&mut self, mut form: Form<'m>) -> Decoded<()> {
        if form.words.has("async") {
            return Err(form.unknown());
        }
        let gives_old = form.opcode == "atom";
        let space = take_space(&mut form.words);
        let (_, orders) = take_order(&mut form.words);
        self.has_fences |= orders;
        let policy = usize::from(has_policy(&form.words));
        take_cache_words(&mut form.words);
        let n = take_vector(&mut form.words);
        let what = form
            .words
            .take_any(&["add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor"])
            .ok_or_else(|| form.unknown())?;
        let ty =
            form.words.ty().filter(|ty| ty.width() as usize * n <= ACCESS_BITS_MAX).ok_or_else(|| form.unknown())?;
        if ty.width() > 64 {
            return Err(form.unknown());
        }
        form.finish()?;
        let update = update(what, ty).ok_or_else(|| form.unknown())?;
        let operands = &form.operands[..form.operands.len().saturating_sub(policy)];
        let skip = usize::from(gives_old);
        let n_operands = skip + 2 + usize::from(what == "cas");
        if operands.len() != n_operands {
            return Err(form.wrong(&format!("takes {n_operands} operands")));
        }
        let address = self.address(&operands[skip], space, &form)?;
        let first = self.sources(&operands[skip + 1], ty, &form)?;
        let second = match operands.get(skip + 2) {
            Some(operand) => self.sources(operand, ty, &form)?,
            None => first.clone(),
        };
        let dsts = if gives_old { self.destinations(&operands[0], &form)? } else { vec![None; n] };
        if first.len() != n || second.len() != n || dsts.len() != n {
            return Err(form.wrong(&format!("{n} registers are wanted")));
        }
        let parts =
            first.into_iter().zip(second).zip(dsts).map(|((first, second), dst)| (first, second, dst)).collect();
        let bytes = ty.width().div_ceil(8) as usize;
        self.emit(Op::Atomic(Box::new(Atomic { address, bytes, parts, update })), form.span)
    }

    pub(super) fn cvta(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let to_space = form.words.take("to");
        let space = take_space(&mut form.words).ok_or_else(|| form.unknown())?;
        let ty = form.words.ty().ok_or_else(|| form.unknown())?;
        form.finish()?;
        let [dst, src] = form.operands()?;
        let src = self.source(src, ty, &form)?;
        let dst = self.destination(dst, &form)?;
        let window = match space {
            Space::Shared => SHARED_WINDOW,
            Space::Local => LOCAL_WINDOW,
            Space::Global | Space::Const | Space::Param | Space::Register => 0,
        };
        let lanes = match (window, to_space) {
            (0, _) => one(|a| a),
            (window, true) => one(move |a| a.wrapping_sub(window)),
            (window, false) => one(move |a| a.wrapping_add(window)),
        };
        self.emit(Op::Lanes { lanes, dst, srcs: [src, 0, 0, 0], more: None }, form.span)
    }

    pub(super) fn is_space(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let space = take_space(&mut form.words).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let [dst, src] = form.operands()?;
        let src = self.source(src, Ty::B64, &form)?;
        let dst = self.destination(dst, &form)?;
        let lanes = one(move |a| {
            let is = match place(a) {
                Place::Global { .. } => matches!(space, Space::Global),
                Place::Shared { .. } => space == Space::Shared,
                Place::Local { .. } => space == Space::Local,
                Place::Nowhere => false,
            };
            u64::from(is)
        });
        self.emit(Op::Lanes { lanes, dst, srcs: [src, 0, 0, 0], more: None }, form.span)
    }

    /// What only makes a program faster.
    pub(super) fn hint(&mut self, form: &Form<'m>) -> Decoded<()> {
        if form.opcode == "createpolicy" {
            // Policies are numbers that nobody looks into.
            let [dst, ..] = form.operands else { return Err(form.wrong("has no operands")) };
            let dst = self.destination(dst, form)?;
            return self.emit(Op::Lanes { lanes: one(|_| 0), dst, srcs: [0; 4], more: None }, form.span);
        }
        self.emit(Op::Nothing, form.span)
    }

    pub(super) fn copy(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let reduces = form.words.take("reduce");
        if !form.words.take("async") || reduces && !form.words.has("bulk") {
            return Err(form.unknown());
        }
        if form.words.has("bulk") {
            return self.bulk(form, reduces);
        }
        if form.words.has("mbarrier") {
            return self.copies_arrive(form);
        }
        match form.words.take_any(&["commit_group", "wait_group", "wait_all", "ca", "cg"]) {
            Some("commit_group") => {
                form.finish()?;
                self.emit(Op::CommitGroup, form.span)
            }
            Some("wait_all") => {
                form.finish()?;
                self.emit(Op::WaitGroup { n: None }, form.span)
            }
            Some("wait_group") => {
                form.finish()?;
                let [Operand::Int(n)] = form.operands else {
                    return Err(form.wrong("a number of groups is wanted"));
                };
                self.emit(Op::WaitGroup { n: Some(*n as u32) }, form.span)
            }
            Some(_) => self.copy_async(form),
            None => Err(form.unknown()),
        }
    }

    fn copy_async(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let spaces = [take_space(&mut form.words), take_space(&mut form.words)];
        if spaces != [Some(Space::Shared), Some(Space::Global)] {
            return Err(form.unknown());
        }
        let policy = usize::from(has_policy(&form.words));
        take_cache_words(&mut form.words);
        form.finish()?;
        let operands = &form.operands[..form.operands.len().saturating_sub(policy)];
        let [to, from, Operand::Int(bytes @ (4 | 8 | 16)), rest @ ..] = operands else {
            return Err(form.wrong("takes two addresses and 4, 8 or 16 bytes"));
        };
        let to = self.address(to, Some(Space::Shared), &form)?;
        let from = self.address(from, Some(Space::Global), &form)?;
        let (mut size, mut ignore) = (None, None);
        for operand in rest {
            match operand {
                Operand::Name(name) => {
                    let row = self.register(name, form.span)?;
                    if self.widths[row as usize] == 1 { ignore = Some(row) } else { size = Some(row) }
                }
                Operand::Not(_) => ignore = Some(self.predicate(operand, &form)?),
                operand => size = Some(self.source(operand, Ty::U32, &form)?),
            }
        }
        let copy = CopyAsync { to, from, bytes: *bytes as usize, size, ignore };
        self.emit(Op::CopyAsync(Box::new(copy)), form.span)
    }

    /// The address of a matrix row or of a barrier.
    pub(super) fn shared_address(&mut self, operand: &Operand, has_space: bool, form: &Form<'_>) -> Decoded<Address> {
        let space = if has_space { Some(Space::Shared) } else { None };
        let address = self.address(operand, space, form)?;
        debug_assert!(address.space != Window::Local, "the space is shared or generic");
        Ok(address)
    }
}

type Update = Box<dyn Fn(u64, u64, u64) -> u64 + Send + Sync>;

/// What an atomic access leaves behind, from what was there and its operands.
pub(in super::super) fn update(what: &str, ty: Ty) -> Option<Update> {
    let (bits, all, is_signed) = (ty.bits, mask(ty.width()), ty.is_signed());
    if let Kind::Float(_) = ty.kind {
        // The same arithmetic as in registers; f16 and bf16 are never flushed.
        let text: Vec<String> = match what {
            "add" => vec!["rn".to_owned(), spelled(ty)?],
            "min" | "max" => vec![spelled(ty)?],
            "exch" => return Some(Box::new(|_, b, _| b)),
            _ => return None,
        };
        let mut words = Words::new(&text);
        let op = super::lane::find(what, &mut words)?;
        let lanes = op.lanes;
        return Some(Box::new(move |old, b, _| {
            let (mut out, zero) = ([0; 32], [0; 32]);
            let (mut x, mut y) = (zero, zero);
            (x[0], y[0]) = (old, b);
            lanes(&mut out, [&x, &y, &zero, &zero]);
            out[0]
        }));
    }
    Some(match what {
        "add" => Box::new(move |old, b, _| old.wrapping_add(b) & all),
        "exch" => Box::new(|_, b, _| b),
        "cas" => Box::new(|old, compare, new| if old == compare { new } else { old }),
        "and" => Box::new(|old, b, _| old & b),
        "or" => Box::new(|old, b, _| old | b),
        "xor" => Box::new(|old, b, _| old ^ b),
        "inc" => Box::new(|old, b, _| if old >= b { 0 } else { old + 1 }),
        "dec" => Box::new(|old, b, _| if old == 0 || old > b { b } else { old - 1 }),
        "min" if is_signed => Box::new(move |old, b, _| if signed(b, bits) < signed(old, bits) { b } else { old }),
        "max" if is_signed => Box::new(move |old, b, _| if signed(b, bits) > signed(old, bits) { b } else { old }),
        "min" => Box::new(|old, b, _| old.min(b)),
        "max" => Box::new(|old, b, _| old.max(b)),
        _ => return None,
    })
}

fn spelled(ty: Ty) -> Option<String> {
    use super::super::float::Format;
    let name = match ty.format()? {
        Format::F16 => "f16",
        Format::BF16 => "bf16",
        Format::F32 => "f32",
        Format::F64 => "f64",
        _ => return None,
    };
    Some(if ty.packed == 2 { format!("{name}x2") } else { name.to_owned() })
}

/// The bitwise reductions of `redux`, and sums and extremes.
pub(super) fn reduction(what: &str, ty: Ty) -> Option<super::super::lane::Lanes> {
    let update = update(what, ty).filter(|_| matches!(what, "add" | "min" | "max" | "and" | "or" | "xor"))?;
    Some(two(move |a, b| update(a, b, 0)))
}
