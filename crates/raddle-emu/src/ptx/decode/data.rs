//! Moves, loads, stores, atomic accesses, address conversions and asynchronous copies.

use super::super::ast::{Operand, Space};
use super::super::inst::{Address, Atomic, CopyAsync, Load, Op, Store, Update, Window};
use super::super::lane::{one, two};
use super::super::memory::{LOCAL_WINDOW, Place, SHARED_WINDOW, place};
use super::super::types::{Kind, Ty, mask, signed};
use super::super::words::Words;
use super::names::{ANY_WIDTH, Symbol};
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
    let mut strong = false;
    while words.take_any(&["volatile", "relaxed", "mmio"]).is_some() {
        strong = true;
    }
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
            let bits = form.words.ty().map_or(64, Ty::width);
            self.check_results([dst], bits, &form)?;
            return self.emit(Op::Clock { dst, shift: if name.ends_with("hi") { 32 } else { 0 } }, form.span);
        }
        let [to, from] = form.operands()?;
        if take_vector(&mut form.words) > 1 {
            let ty = form.words.ty().ok_or_else(|| form.unknown())?;
            form.finish()?;
            let dsts = self.destinations(to, &form)?;
            let srcs = match self.special_vector(from, form.span)? {
                Some(srcs) => srcs.to_vec(),
                None => self.sources(from, ty, &form)?,
            };
            for &row in dsts.iter().flatten().chain(&srcs) {
                self.check_width(row, ty.width(), &form)?;
            }
            return self.moves(dsts.into_iter().zip(srcs), &form);
        }
        match (to, from) {
            (Operand::Vector(parts), from) if !matches!(from, Operand::Vector(_)) => {
                let ty = form.words.ty().ok_or_else(|| form.unknown())?;
                form.finish()?;
                let bits = self.part_bits(ty, parts, &form)?;
                let dsts = self.destinations(to, &form)?;
                for &dst in dsts.iter().flatten() {
                    self.check_width(dst, bits, &form)?;
                }
                if ty.width() == 128 {
                    let [low, high] = self.wide(from, &form)?;
                    if let [first, second] = dsts[..] {
                        return self.moves([(first, low), (second, high)], &form);
                    }
                    return Err(form.wrong("a register of 128 bits has two parts of 64"));
                }
                let src = self.source(from, ty, &form)?;
                self.check_width(src, ty.width(), &form)?;
                self.emit(Op::Unpack { src, bits, dsts }, form.span)
            }
            (to, Operand::Vector(parts)) if !matches!(to, Operand::Vector(_)) => {
                let ty = form.words.ty().ok_or_else(|| form.unknown())?;
                form.finish()?;
                let bits = self.part_bits(ty, parts, &form)?;
                let part = Ty { kind: Kind::Bits, bits, packed: 1 };
                let srcs = self.sources(from, part, &form)?;
                for &src in &srcs {
                    self.check_width(src, bits, &form)?;
                }
                if ty.width() == 128 {
                    let [low, high] = self.wide(to, &form)?;
                    if let [first, second] = srcs[..] {
                        return self.moves([(Some(low), first), (Some(high), second)], &form);
                    }
                    return Err(form.wrong("a register of 128 bits has two parts of 64"));
                }
                let dst = self.destination(to, &form)?;
                if !matches!(to, Operand::Sink) {
                    self.check_width(dst, ty.width(), &form)?;
                }
                self.emit(Op::Pack { srcs, bits, dst }, form.span)
            }
            _ => {
                if form.words.take("b128") {
                    form.finish()?;
                    let ([a, b], [c, d]) = (self.wide(to, &form)?, self.wide(from, &form)?);
                    return self.moves([(Some(a), c), (Some(b), d)], &form);
                }
                self.elementwise(form)
            }
        }
    }

    /// Bits of each of the registers that stand for one of this type.
    fn part_bits(&self, ty: Ty, parts: &[Operand], form: &Form<'_>) -> Decoded<u32> {
        match parts.len() {
            n @ (2 | 4 | 8) if ty.width() as usize >= 8 * n => Ok(ty.width() / n as u32),
            n => Err(form.wrong(&format!("{n} registers do not make one of {} bits", ty.width()))),
        }
    }

    /// Registers that hold results of so many bits.
    pub(super) fn check_results(&self, rows: impl IntoIterator<Item = u32>, bits: u32, form: &Form<'_>) -> Decoded<()> {
        for row in rows {
            let width = self.widths[row as usize];
            if width < bits {
                return Err(form.wrong(&format!("a result of {bits} bits does not fit in a register of {width}")));
            }
        }
        Ok(())
    }

    /// A register of as many bits as that, or a number.
    fn check_width(&self, row: u32, bits: u32, form: &Form<'_>) -> Decoded<()> {
        match self.widths[row as usize] {
            ANY_WIDTH => Ok(()),
            width if width == bits => Ok(()),
            width => Err(form.wrong(&format!("a register of {width} bits stands where {bits} are wanted"))),
        }
    }

    /// Rows that become others, none of which is read behind its change.
    fn moves(&mut self, moves: impl IntoIterator<Item = (Option<u32>, u32)>, form: &Form<'_>) -> Decoded<()> {
        let moves: Vec<(u32, u32)> = moves.into_iter().filter_map(|(dst, src)| Some((dst?, src))).collect();
        let mut copies = Vec::new();
        for (at, &(_, src)) in moves.iter().enumerate() {
            // What an earlier move of this instruction overwrites is kept.
            if !moves[..at].iter().any(|&(dst, _)| dst == src) {
                continue;
            }
            let kept = self.new_row(64, form.span)?;
            self.emit(Op::Lanes { lanes: one(|a| a), dst: kept, srcs: [src, 0, 0, 0], more: None }, form.span)?;
            copies.push((at, kept));
        }
        for (at, (dst, src)) in moves.into_iter().enumerate() {
            let src = copies.iter().find(|copy| copy.0 == at).map_or(src, |copy| copy.1);
            self.emit(Op::Lanes { lanes: one(|a| a), dst, srcs: [src, 0, 0, 0], more: None }, form.span)?;
        }
        Ok(())
    }

    /// The rows with the low and the high half of a register of 128 bits.
    pub(super) fn wide(&mut self, operand: &Operand, form: &Form<'_>) -> Decoded<[u32; 2]> {
        match operand {
            Operand::Name(name) => match self.lookup(name) {
                Some(Symbol::Register { row, vector: 1, count: None, width: 128 }) => Ok([row, row + 1]),
                _ => Err(form.wrong("a register of 128 bits is wanted here")),
            },
            Operand::Sink => Ok([self.new_row(64, form.span)?, self.new_row(64, form.span)?]),
            _ => Err(form.wrong("a register of 128 bits is wanted here")),
        }
    }

    /// Registers that a type of 128 bits asks for, in halves.
    fn halves(&mut self, operand: &Operand, form: &Form<'_>) -> Decoded<Vec<u32>> {
        let mut rows = Vec::new();
        let parts = if let Operand::Vector(parts) = operand { parts } else { std::slice::from_ref(operand) };
        for part in parts {
            rows.extend(self.wide(part, form)?);
        }
        Ok(rows)
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
        form.finish()?;
        let (2 | 3, Some([to, from])) = (form.operands.len() - policy.min(form.operands.len()), form.operands.get(..2))
        else {
            return Err(form.wrong("takes a register and an address"));
        };
        // A register of 128 bits is loaded as two of 64.
        let (dsts, n, ty) = if ty.width() == 128 {
            (self.halves(to, &form)?.into_iter().map(Some).collect(), 2 * n, Ty::B64)
        } else {
            (self.destinations(to, &form)?, n, ty)
        };
        if dsts.len() != n {
            return Err(form.wrong(&format!("{n} registers are wanted")));
        }
        self.check_results(dsts.iter().flatten().copied(), ty.width(), &form)?;
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
        if form.words.take("async") {
            return self.store_async(form, space, n);
        }
        if form.words.take("bulk") {
            return self.clear(&form, space);
        }
        let ty =
            form.words.ty().filter(|ty| ty.width() as usize * n <= ACCESS_BITS_MAX).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let Some([to, from]) = form.operands.get(..form.operands.len().saturating_sub(policy)) else {
            return Err(form.wrong("takes an address and a register"));
        };
        let (srcs, n, ty) = if ty.width() == 128 {
            (self.halves(from, &form)?, 2 * n, Ty::B64)
        } else {
            (self.sources(from, ty, &form)?, n, ty)
        };
        if srcs.len() != n {
            return Err(form.wrong(&format!("{n} registers are wanted")));
        }
        let address = self.address(to, space, &form)?;
        let bytes = ty.width().div_ceil(8) as usize;
        self.emit(Op::Store(Box::new(Store { address, bytes, srcs, is_strong })), form.span)
    }

    pub(super) fn atomic(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let gives_old = form.opcode == "atom";
        let space = take_space(&mut form.words);
        let (_, orders) = take_order(&mut form.words);
        if !gives_old && form.words.take("async") {
            return self.store_async(form, space, 1);
        }
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
        form.finish()?;
        if ty.width() == 128 {
            return self.wide_atomic(&form, what, space, policy, n);
        }
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
        self.check_results(dsts.iter().flatten().copied(), ty.width(), &form)?;
        if first.len() != n || second.len() != n || dsts.len() != n {
            return Err(form.wrong(&format!("{n} registers are wanted")));
        }
        match (what, &first[..]) {
            ("cas", compared) => self.checked.extend(compared),
            ("min" | "max", &[value]) => self.extremes.push((address, ty.width().div_ceil(8) as usize, value)),
            _ => {}
        }
        let parts =
            first.into_iter().zip(second).zip(dsts).map(|((first, second), dst)| (first, second, dst)).collect();
        let bytes = ty.width().div_ceil(8) as usize;
        self.emit(Op::Atomic(Box::new(Atomic { address, bytes, parts, update, as_one: false })), form.span)
    }

    /// `atom.exch.b128` and `atom.cas.b128`
    fn wide_atomic(
        &mut self,
        form: &Form<'m>,
        what: &str,
        space: Option<Space>,
        policy: usize,
        n: usize,
    ) -> Decoded<()> {
        let operands = &form.operands[..form.operands.len().saturating_sub(policy)];
        let (to, address, first, second) = match (what, operands) {
            ("exch", [to, address, new]) => (to, address, new, new),
            ("cas", [to, address, compare, new]) => (to, address, compare, new),
            ("exch" | "cas", _) => return Err(form.wrong("has too few operands or too many")),
            _ => return Err(form.unknown()),
        };
        if form.opcode != "atom" || n != 1 {
            return Err(form.unknown());
        }
        let (dsts, first, second) = (self.wide(to, form)?, self.wide(first, form)?, self.wide(second, form)?);
        let address = self.address(address, space, form)?;
        let parts = (0..2).map(|half| (first[half], second[half], Some(dsts[half]))).collect();
        let update = update(what, Ty::B64).ok_or_else(|| form.unknown())?;
        let atomic = Atomic { address, bytes: 8, parts, update, as_one: what == "cas" };
        self.emit(Op::Atomic(Box::new(atomic)), form.span)
    }

    pub(super) fn cvta(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let to_space = form.words.take("to");
        let space = take_space(&mut form.words).ok_or_else(|| form.unknown())?;
        let ty = form.words.ty().ok_or_else(|| form.unknown())?;
        form.finish()?;
        let [dst, src] = form.operands()?;
        let src = self.source(src, ty, &form)?;
        let dst = self.destination(dst, &form)?;
        self.check_results([dst], ty.width(), &form)?;
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
            self.check_results([dst], 64, form)?;
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
