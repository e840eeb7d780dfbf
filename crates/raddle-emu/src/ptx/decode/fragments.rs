//! `wmma`: loads and stores of matrices become those of each lane's elements.

use super::super::ast::Operand;
use super::super::fragments::{Fragment, FragmentMma, Role, shape};
use super::super::inst::{Address, Load, Op, Store};
use super::super::lane::Lanes;
use super::super::types::Ty;
use super::super::words::Words;
use super::data::take_space;
use super::{Decoded, Decoder, Form};

impl<'m> Decoder<'m> {
    pub(super) fn fragments(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let what = form.words.take_any(&["load", "store", "mma"]).ok_or_else(|| form.unknown())?;
        let role = form.words.take_any(&["a", "b", "c", "d"]);
        if !form.words.take("sync") || !form.words.take("aligned") {
            return Err(form.unknown());
        }
        let extents = form.words.take_map(shape).ok_or_else(|| form.unknown())?;
        if what == "mma" && role.is_none() {
            return self.fragment_mma(form, extents);
        }
        let role = match (what, role) {
            ("load", Some("a")) => Role::A,
            ("load", Some("b")) => Role::B,
            ("load", Some("c")) | ("store", Some("d")) => Role::C,
            _ => return Err(form.unknown()),
        };
        let by_rows = orders(&mut form.words)[..].first().copied().ok_or_else(|| form.unknown())?;
        let space = take_space(&mut form.words);
        let ty = form.words.ty().ok_or_else(|| form.unknown())?;
        form.finish()?;
        // Sums are counted along rows, however they lie in memory: a product does not say.
        let counted = role == Role::C || by_rows;
        let fragment = Fragment::of(extents, role, ty, counted).ok_or_else(|| form.unknown())?;
        let (regs, address, stride) = match (what, form.operands) {
            ("load", [regs, address, stride @ ..]) | ("store", [address, regs, stride @ ..]) => (regs, address, stride),
            _ => return Err(form.wrong("has too few operands")),
        };
        let base = self.address(address, space, &form)?;
        let line = if by_rows { fragment.columns } else { fragment.rows };
        let stride = match stride {
            [] => self.constant(line as u64, form.span)?,
            [stride] => self.source(stride, Ty::U32, &form)?,
            _ => return Err(form.wrong("has too many operands")),
        };
        let is_load = what == "load";
        let bits = fragment.register_bits();
        let regs = self.fragment_registers(regs, fragment, is_load, &form)?;
        // What lies side by side moves at once.
        let each = if by_rows == counted { fragment.each() } else { 1 };
        let bytes = each * ty.bits as usize / 8;
        let mut moves = Vec::new();
        for slot in (0..fragment.n_regs * fragment.each()).step_by(each) {
            let row = self.new_row(64, form.span)?;
            let lanes: Lanes = Box::new(move |out, [base, stride, ..]| {
                for (lane, out) in out.iter_mut().enumerate() {
                    let (row, column) = fragment.place(lane, slot);
                    let (across, along) = if by_rows { (row, column) } else { (column, row) };
                    let elements = (across as u64).wrapping_mul(stride[lane]).wrapping_add(along as u64);
                    *out = base[lane].wrapping_add(elements.wrapping_mul(u64::from(ty.bits)) / 8);
                }
            });
            self.emit(Op::Lanes { lanes, dst: row, srcs: [base.row, stride, 0, 0], more: None }, form.span)?;
            moves.push(Address { row, ..base });
        }
        let mut parts = Vec::new();
        for &reg in &regs {
            let of_reg = fragment.each() / each;
            let mut rows = vec![reg];
            if of_reg > 1 {
                rows.clear();
                for _ in 0..of_reg {
                    rows.push(self.new_row(ty.bits, form.span)?);
                }
                if !is_load {
                    let dsts = rows.iter().map(|&row| Some(row)).collect();
                    self.emit(Op::Unpack { src: reg, bits: ty.bits, dsts }, form.span)?;
                }
            }
            parts.extend(rows);
        }
        for (&part, &address) in parts.iter().zip(&moves) {
            let op = if is_load {
                let width = self.widths[part as usize];
                let dsts = vec![Some(part)];
                Op::Load(Box::new(Load { address, bytes, dsts, extend: 0, width, is_strong: false }))
            } else {
                Op::Store(Box::new(Store { address, bytes, srcs: vec![part], is_strong: false }))
            };
            self.emit(op, form.span)?;
        }
        let of_reg = fragment.each() / each;
        if is_load && of_reg > 1 {
            for (&dst, parts) in regs.iter().zip(parts.chunks_exact(of_reg)) {
                self.emit(Op::Pack { srcs: parts.to_vec(), bits: bits / of_reg as u32, dst }, form.span)?;
            }
        }
        Ok(())
    }

    /// As many registers as the fragment has.
    fn fragment_registers(
        &mut self,
        operand: &Operand,
        fragment: Fragment,
        is_result: bool,
        form: &Form<'_>,
    ) -> Decoded<Vec<u32>> {
        let (bits, n) = (fragment.register_bits(), fragment.n_regs);
        let mut rows = Vec::with_capacity(n);
        if is_result {
            for dst in self.destinations(operand, form)? {
                rows.push(match dst {
                    Some(row) => row,
                    None => self.new_row(bits, form.span)?,
                });
            }
            self.check_results(rows.iter().copied(), bits, form)?;
        } else {
            let ty = if bits == 64 { Ty::B64 } else { Ty::B32 };
            rows = self.sources(operand, ty, form)?;
        }
        if rows.len() == n {
            Ok(rows)
        } else {
            Err(form.wrong(&format!("{n} registers are wanted, not {}", rows.len())))
        }
    }

    fn fragment_mma(&mut self, mut form: Form<'m>, extents: [usize; 3]) -> Decoded<()> {
        let [a_by_rows, b_by_rows] = orders(&mut form.words)[..] else { return Err(form.unknown()) };
        let saturates = form.words.take("satfinite");
        let rounds = form.words.take("rn");
        let bits: Option<fn(u64, u64) -> u64> =
            match (form.words.take("xor"), form.words.take("and"), form.words.take("popc")) {
                (true, false, true) => Some(|a, b| a ^ b),
                (false, true, true) => Some(|a, b| a & b),
                (false, false, false) => None,
                _ => return Err(form.unknown()),
            };
        let types = form.words.take_all(Ty::of);
        form.finish()?;
        // Factors of f16 are not named.
        let half = Ty::of("f16").ok_or_else(|| form.unknown())?;
        let [d, a, b, c] = match types[..] {
            [d, c] => [d, half, half, c],
            [d, a, b, c] => [d, a, b, c],
            _ => return Err(form.unknown()),
        };
        let alike = a == b || a.format().is_none() && b.format().is_none() && a.bits == b.bits;
        let is_half = a == half;
        if rounds && a.bits != 64 {
            return Err(form.unknown());
        }
        if !alike
            || c != d && !is_half
            || bits.is_some() != (a.bits == 1)
            || saturates && a.format().is_some() && !is_half
        {
            return Err(form.unknown());
        }
        let of = |role, ty: Ty, by_rows| Fragment::of(extents, role, ty, by_rows).ok_or_else(|| form.unknown());
        let parts =
            [of(Role::A, a, a_by_rows)?, of(Role::B, b, b_by_rows)?, of(Role::C, c, true)?, of(Role::C, d, true)?];
        // Sums of half precision belong to factors of f16, and integers to integers.
        if c.format().is_some() != a.format().is_some() || c.bits == 16 && !is_half || d.bits == 16 && !is_half {
            return Err(form.unknown());
        }
        let [d, a, b, c] = form.operands()?;
        let mut regs: [Vec<u32>; 4] = Default::default();
        for (index, (operand, part)) in [a, b, c, d].into_iter().zip(parts).enumerate() {
            regs[index] = self.fragment_registers(operand, part, index == 3, &form)?;
        }
        self.emit(Op::FragmentMma(Box::new(FragmentMma { parts, regs, saturates, bits })), form.span)
    }
}

/// How the matrices lie, in order.
fn orders(words: &mut Words<'_>) -> Vec<bool> {
    words.take_all(|word| match word {
        "row" => Some(true),
        "col" => Some(false),
        _ => None,
    })
}
