//! Decode `raddle.tile_*`: tile registers of a CPU, whose words are elements row by row.

use raddle_ir::views::TileRegister;
use raddle_ir::{Diag, Float, OpId, Opcode, Scalar, TypeId, ValueId};

use super::{Decoder, Numeric};
use crate::inst::{Held, Index, Inst, Int2, Intrinsic, Known, Product, Source, Transfer};
use crate::regs::{Bank, Reg};
use crate::round::Round;

impl Decoder<'_> {
    pub(super) fn tile_numeric(&self, ty: TypeId) -> Result<Option<Numeric>, Diag> {
        let Some(TileRegister { shape, elem }) = TileRegister::of(self.ir, ty) else { return Ok(None) };
        Ok(Some(Numeric { bank: self.bank(elem)?, n: shape.iter().product::<i64>() as u32, scalar: elem }))
    }

    pub(super) fn tile(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match (ir.opcode(op), ir.operands(op)) {
            (Opcode::RaddleTileZero, _) => {
                let result = ir.result(op, 0);
                let Numeric { bank, n, .. } = self.numeric(ir.type_of(result))?;
                let zeros = if bank == Bank::Int { Known::Int(0) } else { Known::Float(0.0) };
                let reg = self.known(bank, n, zeros)?;
                self.values.insert(result, reg);
                Ok(())
            }
            (Opcode::RaddleTileLoad, &[base, at, stride]) => {
                let elem = self.elem(base)?;
                let (register, access) = self.rows(ir.result(op, 0), base, at, stride)?;
                let dst = self.result(op)?;
                let to = register.elem;
                if elem == to {
                    return self.emit_read(access, dst, base);
                }
                let parts = self.parts(elem, access.n as u32)?;
                self.emit_read(access, parts, base)?;
                self.emit_cost(Inst::Bitcast { dst, a: parts, from: elem, to }, u64::from(dst.n))
            }
            (Opcode::RaddleTileStore, &[value, base, at, stride]) => {
                let elem = self.elem(base)?;
                let (register, access) = self.rows(value, base, at, stride)?;
                let mut src = self.reg(value)?;
                if elem != register.elem {
                    let parts = self.parts(elem, access.n as u32)?;
                    self.emit_cost(
                        Inst::Bitcast { dst: parts, a: src, from: register.elem, to: elem },
                        u64::from(src.n),
                    )?;
                    src = parts;
                }
                self.emit_write(op, access, src, base)
            }
            (Opcode::RaddleTileDot, &[a, b, c]) => self.tile_dot(op, [a, b, c]),
            _ => Err(self.unknown(op)),
        }
    }

    /// A register of elements as memory has them.
    fn parts(&mut self, elem: Scalar, n: u32) -> Result<Reg, Diag> {
        self.fresh(self.bank(elem)?, n, self.block)
    }

    /// The access to rows of neighbouring elements that fill a register.
    fn rows(
        &mut self,
        value: ValueId,
        base: ValueId,
        at: ValueId,
        stride: ValueId,
    ) -> Result<(TileRegister, Transfer), Diag> {
        let register = TileRegister::of(self.ir, self.ir.type_of(value));
        let register = register.ok_or_else(|| self.error(format!("`{}` is not on a tile register", self.name())))?;
        let [rows, words] = register.shape;
        let columns = words * i64::from(TileRegister::WORD / self.elem(base)?.bits());
        let n = (rows * columns) as usize;
        self.reserve(n * 24)?;
        let (table, each): (Vec<u32>, Vec<u32>) =
            ((0..n as u32).collect(), (0..n as u32).map(|e| e / columns as u32).collect());
        // The beginning of each row, then the place of each element behind it.
        let stride = self.reg(stride)?;
        let mut starts = Vec::new();
        for row in 0..rows {
            starts.push(self.int2(Int2::Mul, stride, Index::Known(row))?);
        }
        let (of_rows, of_elements) =
            (self.fresh(Bank::Int, rows as u32, self.block)?, self.fresh(Bank::Int, n as u32, self.block)?);
        self.emit_cost(Inst::Collect { dst: of_rows, parts: starts.into() }, rows as u64)?;
        self.gather(of_elements, of_rows, each.into())?;
        let access = Transfer {
            dst: None,
            src: None,
            base: self.reg(base)?,
            tensor_shape: None,
            indices: self.regs(&[at])?,
            padding: None,
            mask: None,
            mask_table: Box::default(),
            deltas: (0..n as i64).map(|e| e % columns).collect(),
            reach: vec![0],
            gathered: vec![(0, of_elements, table.into())],
            packed: false,
            strict: vec![true],
            align: 1,
            n,
        };
        Ok((register, access))
    }

    /// Parts of words become elements, of which the second factor has those of a word along its columns.
    fn tile_dot(&mut self, op: OpId, operands: [ValueId; 3]) -> Result<(), Diag> {
        let ir = self.ir;
        let [a, _, c] = operands.map(|value| TileRegister::of(ir, ir.type_of(value)));
        let (Some(a), Some(c)) = (a, c) else { return Err(self.unknown(op)) };
        let part = if c.elem == Scalar::Float(Float::F32) { Scalar::Float(Float::BF16) } else { Scalar::Int(8) };
        let parts = (TileRegister::WORD / part.bits()) as usize;
        let ([m, words], n) = (a.shape.map(|extent| extent as usize), c.shape[1] as usize);
        let k = words * parts;
        let [lhs, rhs, acc] = [self.reg(operands[0])?, self.reg(operands[1])?, self.reg(operands[2])?];
        let dst = self.result(op)?;
        let mut factors = [lhs, rhs];
        for factor in &mut factors {
            let elements = self.parts(part, factor.n * parts as u32)?;
            let cast = Inst::Bitcast { dst: elements, a: *factor, from: Scalar::Int(TileRegister::WORD), to: part };
            self.emit_cost(cast, u64::from(elements.n))?;
            *factor = elements;
        }
        self.reserve((m * k + k * n + m * n) * 4)?;
        let held = |table: Vec<u32>| Held { table: table.into(), duplicates: Box::default() };
        let plain = |n: usize| held((0..n as u32).collect());
        let along = |at: usize| ((at / n / parts * n + at % n) * parts + at / n % parts) as u32;
        let inst = Intrinsic {
            dst,
            acc,
            factors: factors.map(Source::Register),
            extents: [1, m, n, k],
            held: vec![[plain(m * k), held((0..k * n).map(along).collect()), plain(m * n)]],
            places: None,
            scales: None,
            product: Product::Multiply,
            masks: [-1; 2],
            tf32: [false; 2],
            round: Round::of(c.elem, self.precision),
        };
        self.emit_cost(Inst::Intrinsic(Box::new(inst)), (m * n * k).max(1) as u64)
    }
}
