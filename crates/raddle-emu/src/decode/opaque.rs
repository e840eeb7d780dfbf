//! Decode `gpu.subgroup_mma_*`: matrices of a subgroup whose layout only their own loads and stores know.
//!
//! The emulator's is: element e, row-major, is in lane e mod lanes, slot e / lanes. Programs cannot tell.

use raddle_ir::views::Fragment;
use raddle_ir::{Diag, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use super::{Decoder, Numeric};
use crate::inst::{Combine, Held, Index, Inst, Int2, Intrinsic, Known, Product, Source, Transfer};
use crate::launch::Mode;
use crate::regs::{Bank, Reg};
use crate::round::Round;

/// `!gpu.mma_matrix<16x8xf16, "AOp">`
#[derive(Clone, Copy, Debug)]
pub(super) struct MatrixType {
    pub rows: u32,
    pub columns: u32,
    pub scalar: Scalar,
    unsigned: bool,
}

impl Decoder<'_> {
    pub(super) fn matrix_type(&self, ty: TypeId) -> Option<MatrixType> {
        let Fragment { shape: [rows, columns], elem, .. } = Fragment::of(self.ir, ty)?;
        let (rows, columns) = (u32::try_from(rows).ok()?, u32::try_from(columns).ok()?);
        let unsigned = elem.starts_with("ui");
        let scalar = Scalar::from_keyword(elem)?;
        (rows > 0 && columns > 0 && rows <= 4096 && columns <= 4096 && !scalar.is_wide()).then_some(MatrixType {
            rows,
            columns,
            scalar,
            unsigned,
        })
    }

    /// The registers that a matrix takes.
    pub(super) fn matrix_numeric(&self, matrix: MatrixType) -> Result<Numeric, Diag> {
        let n = (matrix.rows * matrix.columns).div_ceil(self.lanes as u32);
        Ok(Numeric { bank: self.bank(matrix.scalar)?, n, scalar: matrix.scalar })
    }

    pub(super) fn subgroup_matrix(&mut self, op: OpId) -> Result<(), Diag> {
        self.only_in(Mode::Simt)?;
        match self.ir.opcode(op) {
            Opcode::GpuSubgroupMmaLoadMatrix | Opcode::GpuSubgroupMmaStoreMatrix => self.matrix_access(op),
            Opcode::GpuSubgroupMmaConstantMatrix => {
                let (src, dst) = (self.operand(op, 0)?, self.result(op)?);
                self.gather(dst, src, vec![0; dst.len()].into())
            }
            Opcode::GpuSubgroupMmaElementwise => self.matrix_elementwise(op),
            _ => self.matrix_compute(op),
        }
    }

    fn matrix_of(&self, value: ValueId) -> Result<MatrixType, Diag> {
        let known = self.matrix_type(self.ir.type_of(value));
        known.ok_or_else(|| self.error(format!("`{}` has an operand that is not a matrix", self.name())))
    }

    /// A load or store: rows lie `leadDimension` elements apart.
    fn matrix_access(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let loads = ir.opcode(op) == Opcode::GpuSubgroupMmaLoadMatrix;
        let (memory, at, value) = if loads {
            (ir.operand(op, 0), &ir.operands(op)[1..], ir.result(op, 0))
        } else {
            (ir.operand(op, 1), &ir.operands(op)[2..], ir.operand(op, 0))
        };
        let matrix = self.matrix_of(value)?;
        let Type::MemRef { shape, .. } = ir.ty(memory) else { return Err(self.unknown(op)) };
        let lead = ir.attr(op, "leadDimension").and_then(|attr| attr.as_i64()).unwrap_or(-1);
        let rank = shape.len();
        // Along the dimension whose neighbours are so far apart; a memory of one dimension is counted through, and rows
        // without a distance are all the same one.
        let rows = ir.strides(memory).and_then(|strides| {
            strides[..rank.saturating_sub(1)].iter().rposition(|&stride| stride == lead && stride > 0)
        });
        let known = rows.is_some() || rank == 1 && lead > 0 || rank > 0 && lead == 0 && loads;
        if !known {
            let why = "`leadDimension` is not how far neighbours along a dimension of the memref lie apart";
            return Err(self.error(why.into()));
        }
        let lanes = i64::from(self.lanes as u32);
        let n = self.matrix_numeric(matrix)?.n;
        let (total, columns) = (i64::from(matrix.rows * matrix.columns), i64::from(matrix.columns));
        let lane = self.known(Bank::Int, 1, Known::Lane)?;
        let (mut rows_at, mut columns_at, mut inside) = (Vec::new(), Vec::new(), Vec::new());
        for slot in 0..i64::from(n) {
            let element = self.int2(Int2::Add, lane, Index::Known(slot * lanes))?;
            let row = self.int2(Int2::FloorDivS, element, Index::Known(columns))?;
            let column = self.int2(Int2::ModE, element, Index::Known(columns))?;
            let (row, column) = if ir.attr(op, "transpose").is_some() { (column, row) } else { (row, column) };
            if rows.is_some() || lead == 0 {
                rows_at.push(row);
                columns_at.push(column);
            } else {
                let first = self.int2(Int2::Mul, row, Index::Known(lead))?;
                columns_at.push(self.int2(Int2::Add, first, Index::Reg(column))?);
            }
            let (bit, end) = (self.temp()?, self.int(total)?);
            self.emit(Inst::CmpI { predicate: 2, dst: bit, a: element, b: end, width: 64 })?;
            inside.push(bit);
        }
        let mut gather = |parts: Vec<Reg>| {
            let dst = self.fresh(Bank::Int, n, self.block)?;
            self.emit_cost(Inst::Collect { dst, parts: parts.into() }, u64::from(n))?;
            Ok::<Reg, Diag>(dst)
        };
        let mask = gather(inside)?;
        let whole: Box<[u32]> = (0..n).collect();
        let mut gathered = vec![(rank - 1, gather(columns_at)?, whole.clone())];
        if let Some(rows) = rows {
            gathered.push((rows, gather(rows_at)?, whole.clone()));
        }
        let base = self.reg(memory)?;
        let inst = Transfer {
            dst: None,
            src: None,
            base,
            tensor_shape: None,
            indices: self.regs(at)?,
            padding: None,
            mask: Some(mask),
            mask_table: whole,
            deltas: vec![0; n as usize * rank].into(),
            reach: vec![0; rank],
            gathered,
            packed: false,
            strict: vec![true; rank],
            align: 1,
            n: n as usize,
        };
        if self.elem(memory)?.bits() != matrix.scalar.bits() {
            return Err(self.error("the matrix has other elements than the memref".into()));
        }
        if loads {
            let dst = self.result(op)?;
            return self.emit_read(inst, dst, memory);
        }
        let src = self.reg(value)?;
        self.emit_write(op, inst, src, memory)
    }

    /// Element by element, each lane on its own.
    fn matrix_elementwise(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let operands = self.regs(ir.operands(op))?;
        let matrix = self.matrix_of(ir.result(op, 0))?;
        let dst = self.result(op)?;
        let round = Round::of(matrix.scalar, self.precision);
        let word = ir.keyword_of(op, "opType").unwrap_or("").to_lowercase();
        match (word.as_str(), &operands[..]) {
            ("negatef" | "negates", &[a]) => {
                let zero =
                    self.known(a.bank, a.n, if a.bank == Bank::Int { Known::Int(0) } else { Known::Float(-0.0) })?;
                let word = if a.bank == Bank::Int {
                    Combine::Int(Int2::Sub, matrix.scalar.bits())
                } else {
                    Combine::Float(crate::inst::Float2::Sub, round)
                };
                self.pairwise(word, dst, zero, a)
            }
            ("extf" | "truncf", &[a]) => {
                let inst = Inst::FloatCast { dst, a, round };
                self.check_banks(&inst)?;
                self.emit_cost(inst, u64::from(dst.n))
            }
            (word, &[a, b]) => {
                use crate::inst::Float2;
                let bits = matrix.scalar.bits();
                let combine = match word {
                    "addf" => Combine::Float(Float2::Add, round),
                    "subf" => Combine::Float(Float2::Sub, round),
                    "mulf" => Combine::Float(Float2::Mul, round),
                    "divf" => Combine::Float(Float2::Div, round),
                    "maxf" => Combine::Float(Float2::Maximum, round),
                    "minf" => Combine::Float(Float2::Minimum, round),
                    "addi" => Combine::Int(Int2::Add, bits),
                    "subi" => Combine::Int(Int2::Sub, bits),
                    "muli" => Combine::Int(Int2::Mul, bits),
                    "divs" => Combine::Int(Int2::DivS, bits),
                    "divu" => Combine::Int(Int2::DivU, bits),
                    _ => return Err(self.unknown(op)),
                };
                self.pairwise(combine, dst, a, b)
            }
            _ => Err(self.unknown(op)),
        }
    }

    /// `gpu.subgroup_mma_compute`
    fn matrix_compute(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let [lhs, rhs, out] = *ir.operands(op) else { return Err(self.unknown(op)) };
        let [a, b, c] = [self.matrix_of(lhs)?, self.matrix_of(rhs)?, self.matrix_of(out)?];
        let turned = [ir.attr(op, "a_transpose").is_some(), ir.attr(op, "b_transpose").is_some()];
        let shape = |matrix: MatrixType, turned: bool| {
            let (rows, columns) = (matrix.rows as usize, matrix.columns as usize);
            if turned { [columns, rows] } else { [rows, columns] }
        };
        let ([m, k], [k2, n]) = (shape(a, turned[0]), shape(b, turned[1]));
        if k != k2 || shape(c, false) != [m, n] {
            return Err(self.error("the matrices do not fit together".into()));
        }
        let [lhs, rhs, acc] = [self.reg(lhs)?, self.reg(rhs)?, self.reg(out)?];
        let dst = self.result(op)?;
        let float = acc.bank != Bank::Int;
        if [lhs, rhs].iter().any(|reg| (reg.bank != Bank::Int) != float) || (dst.bank, dst.n) != (acc.bank, acc.n) {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        self.reserve((m * k + k * n + m * n).saturating_mul(4))?;
        let plain = |[rows, columns]: [usize; 2], turned: bool| Held {
            table: (0..rows * columns)
                .map(|at| if turned { at % columns * rows + at / columns } else { at } as u32)
                .collect(),
            duplicates: Box::default(),
        };
        let mask = |matrix: MatrixType| match matrix.scalar.bits() {
            bits @ 1..64 if matrix.unsigned => (1i64 << bits) - 1,
            _ => -1,
        };
        let inst = Intrinsic {
            dst,
            acc,
            factors: [Source::Register(lhs), Source::Register(rhs)],
            extents: [1, m, n, k],
            held: vec![[plain([m, k], turned[0]), plain([k, n], turned[1]), plain([m, n], false)]],
            places: None,
            scales: None,
            product: Product::Multiply,
            masks: [mask(a), mask(b)],
            tf32: [false; 2],
            round: Round::of(c.scalar, self.precision),
        };
        let cost = (m * n * k / self.lanes).max(1) as u64;
        self.emit_cost(Inst::Intrinsic(Box::new(inst)), cost)
    }
}
