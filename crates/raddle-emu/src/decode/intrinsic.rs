//! Decode matrix instructions of the catalogue: any row, through its operand maps.

use raddle_ir::{Attr, Diag, Float, Ir, OpId, Opcode, Scalar, Type, ValueId};
use raddle_target::catalogue::{self, Elem, Family, Instruction, Map, Named, Place};
use raddle_target::tile;
use raddle_target::{Operand, mma};

use super::Decoder;
use super::tables::for_each;
use crate::inst::{Held, Index, Inst, Int2, Intrinsic, Places, Product, Scales, Source};
use crate::launch::Mode;
use crate::regs::{Bank, Reg, row_major};
use crate::round::Round;

/// No lane of the subgroup holds the element.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// What a name stands for, as far as the machine needs it.
pub(super) struct Kind {
    pub name: String,
    /// blocks, m, n, k
    pub extents: [usize; 4],
    /// Where A, B and C are; `None` in shared memory.
    maps: [Option<Map>; 3],
    pub types: [Elem; 3],
    threads: u32,
    pub combine: catalogue::Combine,
    pub sparse: bool,
    /// Where metadata says what a sparse A stores: which lanes have it.
    pub selector: Option<i64>,
    /// Elements of k for each scale, and where the scales are.
    pub scales: Option<(i64, [Map; 2])>,
}

/// Whether an `iree_codegen.inner_tiled` is on whole tiles, not on what a lane has of them.
pub(crate) fn has_whole_tiles(ir: &Ir, op: OpId) -> bool {
    let distributed = ir.attr_id(op, "semantics").and_then(|attr| ir.field(attr, "distributed"));
    distributed.is_some_and(|attr| ir[attr] == Attr::Bool(false))
}

impl Decoder<'_> {
    /// `iree_codegen.inner_tiled` on one lane's values: an instruction for each point of its loops, in order. On whole
    /// tiles it is the contraction that these make up.
    pub(super) fn inner_tiled(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let kind = self.kind_of(op)?;
        let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let [inputs, outputs] = &parts[..] else { return Err(self.unknown(op)) };
        let [out] = outputs[..] else { return Err(self.error("a matrix instruction has one output".into())) };
        let needed = 2 + usize::from(kind.sparse) + if kind.scales.is_some() { 2 } else { 0 };
        if inputs.len() != needed {
            return Err(self.error(format!("`{}` takes {needed} inputs, and {} are given", kind.name, inputs.len())));
        }
        let maps = ir.maps(op, "indexing_maps").unwrap_or_default();
        let values: Vec<ValueId> = inputs.iter().copied().chain([out]).collect();
        if maps.len() != values.len() || maps.iter().any(|map| map.as_dims().is_none()) {
            return Err(self.error(format!("`{}` has an indexing map for each operand", self.name())));
        }
        let whole = has_whole_tiles(ir, op);
        self.only_in(if whole { Mode::Simd } else { Mode::Simt })?;
        if whole {
            return self.whole_inner_tiled(op, &kind, &values, &maps);
        }
        let orders = self.slot_orders(op)?;
        // The first dimensions of each operand are those of the loops.
        let loops = maps[0].dims as usize;
        let mut extents = vec![1i64; loops];
        for (map, &value) in maps.iter().zip(&values) {
            let shape = if matches!(ir.ty(value), Type::Vector { .. }) { ir.shape_of(value) } else { &[] };
            for (&d, &extent) in map.as_dims().unwrap_or_default().iter().zip(shape) {
                extents[d] = extent;
            }
        }
        let dst = self.define(ir.result(op, 0))?;
        let start = self.reg(out)?;
        if (dst.bank, dst.n) != (start.bank, start.n) {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        let mut points = Vec::new();
        for_each(&extents, |at| points.push(at.to_vec()));
        if points.len() == 1 {
            let inputs = inputs.iter().map(|&value| self.source(value)).collect::<Result<Vec<_>, _>>()?;
            let inputs = self.in_slots(&inputs, &orders)?;
            return self.intrinsic(op, &kind, &inputs, start, dst);
        }
        // Each instruction takes its own part of every operand.
        let mut acc = start;
        for (number, point) in points.iter().enumerate() {
            let mut sources = Vec::new();
            for (map, &value) in maps.iter().zip(inputs) {
                sources.push(match self.source(value)? {
                    Source::Register(whole) => {
                        let (first, n) = self.part(map, value, whole, point)?;
                        let part = self.fresh(whole.bank, n, self.block)?;
                        self.gather(part, whole, (first..first + n).collect())?;
                        Source::Register(part)
                    }
                    shared => shared,
                });
            }
            let sources = self.in_slots(&sources, &orders)?;
            let (first, n) = self.part(&maps[inputs.len()], out, acc, point)?;
            let table: Box<[u32]> = (first..first + n).collect();
            let [c, d] = [self.fresh(acc.bank, n, self.block)?, self.fresh(acc.bank, n, self.block)?];
            self.gather(c, acc, table.clone())?;
            self.intrinsic(op, &kind, &sources, c, d)?;
            let next = if number + 1 == points.len() { dst } else { self.fresh(acc.bank, acc.n, self.block)? };
            self.place(next, d, acc, table)?;
            acc = next;
        }
        Ok(())
    }

    /// For each input whose slots the hardware counts in another order than its tile's dimensions say, that order. The
    /// catalogue's own names are for operands in the hardware's.
    fn slot_orders(&self, op: OpId) -> Result<Vec<Option<Vec<usize>>>, Diag> {
        let kind = self.tile_kind(op)?;
        if kind.is_bare {
            return Ok(Vec::new());
        }
        let Ok(tiles) = kind.tiles() else { return Ok(Vec::new()) };
        Ok(tiles[..tiles.len() - 1].iter().enumerate().map(|(at, tile)| kind.slot_order(at, tile)).collect())
    }

    /// Inputs with their slots in the hardware's order.
    fn in_slots(&mut self, inputs: &[Source], orders: &[Option<Vec<usize>>]) -> Result<Vec<Source>, Diag> {
        let mut sources = inputs.to_vec();
        for (source, order) in sources.iter_mut().zip(orders) {
            if let (Source::Register(reg), Some(order)) = (*source, order) {
                let turned = self.fresh(reg.bank, reg.n, self.block)?;
                self.gather(turned, reg, order.iter().map(|&slot| slot as u32).collect())?;
                *source = Source::Register(turned);
            }
        }
        Ok(sources)
    }

    /// Which elements of an operand belong to a point of the loops.
    fn part(&self, map: &raddle_ir::Map, value: ValueId, whole: Reg, point: &[i64]) -> Result<(u32, u32), Diag> {
        let dims = map.as_dims().unwrap_or_default();
        let shape = self.ir.shape_of(value);
        let Some(outer) = shape.get(..dims.len()) else {
            return Err(self.error("an operand has fewer dimensions than its indexing map".into()));
        };
        let parts = outer.iter().product::<i64>().max(1) as u32;
        let strides = row_major(outer);
        let at: i64 = dims.iter().zip(&strides).map(|(&d, stride)| point[d] * stride).sum();
        let n = whole.n / parts;
        Ok((at as u32 * n, n))
    }

    fn source(&mut self, value: ValueId) -> Result<Source, Diag> {
        let reg = self.reg(value)?;
        Ok(if reg.bank == Bank::View { Source::Shared(reg) } else { Source::Register(reg) })
    }

    /// The instruction that an operation's `kind` names.
    pub(super) fn kind_of(&self, op: OpId) -> Result<Kind, Diag> {
        let kind = self.tile_kind(op)?;
        let mut found = match kind.named {
            // IREE's names of scaled instructions in the table of plain ones stand for them without their scales.
            Named::Instruction(row) if mma(&kind.name).is_some() => Kind { scales: None, ..self.row(row)? },
            Named::Instruction(row) => self.row(row)?,
            Named::Scaled(_) => match kind.row() {
                Ok(Some(row)) => self.row(row)?,
                Ok(None) => return Err(self.unknown(op)),
                Err(error) => return Err(self.error(error.to_string())),
            },
            Named::Virtual(row) => {
                let maps = Operand::ALL.map(|operand| Some(row.map(operand)));
                Kind {
                    name: row.name.to_owned(),
                    extents: [1, row.m as usize, row.n as usize, row.k as usize],
                    types: row.types,
                    threads: maps[0].as_ref().map_or(0, |map| map.n_lanes() as u32),
                    maps,
                    combine: catalogue::Combine::Multiply,
                    sparse: false,
                    selector: None,
                    scales: None,
                }
            }
        };
        if kind.col_major {
            // The lanes that held a row of C hold a column of it.
            found.maps[2] = found.maps[2].as_ref().map(Map::transposed);
        }
        Ok(found)
    }

    /// What the kind of an `iree_codegen.inner_tiled` says.
    pub(super) fn tile_kind(&self, op: OpId) -> Result<tile::Kind, Diag> {
        let attr = self.ir.attr_id(op, "kind").ok_or(tile::KindError::Nameless);
        attr.and_then(|attr| tile::Kind::of(self.ir, attr)).map_err(|error| self.error(error.to_string()))
    }

    fn row(&self, row: &'static Instruction) -> Result<Kind, Diag> {
        let mut maps = [None, None, None];
        for operand in Operand::ALL {
            maps[operand as usize] = match row.place(operand) {
                Place::Registers(map) => Some(map.clone()),
                Place::Shared if operand != Operand::C => None,
                Place::Shared | Place::Opaque => {
                    return Err(self
                        .error(format!(
                            "where the elements of `{}` lie is unspecified: only its own loads and stores know",
                            row.id
                        ))
                        .help("use `gpu.subgroup_mma_load_matrix`, `_compute` and `_store_matrix`"));
                }
            };
        }
        Ok(Kind {
            name: row.id.clone(),
            extents: [row.blocks as usize, row.m as usize, row.n as usize, row.k as usize],
            maps,
            types: row.types,
            threads: row.threads,
            combine: row.combine,
            sparse: row.sparse,
            selector: None,
            scales: row.scales.as_ref().map(|scales| (scales.block, scales.maps.clone())),
        })
    }

    /// The catalogue's row for an operation that says shape and types itself.
    pub(super) fn plain_intrinsic(&mut self, op: OpId) -> Result<bool, Diag> {
        let ir = self.ir;
        let number = |name: &str| ir.attr(op, name).and_then(|attr| attr.as_i64());
        let families: &[Family] = match ir.opcode(op) {
            Opcode::NvgpuMmaSync | Opcode::NvgpuMmaSpSync => &[Family::MmaSync],
            Opcode::AmdgpuMfma => &[Family::Mfma],
            Opcode::AmdgpuScaledMfma => &[Family::Mfma],
            Opcode::AmdgpuSparseMfma => &[Family::Smfmac],
            Opcode::AmdgpuWmma => &[Family::WmmaGfx11, Family::WmmaGfx12, Family::WmmaGfx1250],
            _ => return Ok(false),
        };
        let mnk = match ir.opcode(op) {
            Opcode::NvgpuMmaSync | Opcode::NvgpuMmaSpSync => {
                ir.attr_id(op, "mmaShape").and_then(|attr| ir.ints(attr)).unwrap_or_default()
            }
            _ => ["m", "n", "k"].iter().filter_map(|name| number(name)).collect(),
        };
        let [a, b, c, ref more @ ..] = *ir.operands(op) else { return Ok(false) };
        let types = [a, b, c].map(|value| Scalar::of(&ir[ir.elem_of(value)]));
        let [a, b, c] = [self.reg(a)?, self.reg(b)?, self.reg(c)?];
        let same = |elem: Elem, scalar: Option<Scalar>| {
            scalar.is_some() && [elem.scalar(), elem.scalar_on("gfx942")].contains(&scalar)
        };
        let unsigned = |name: &str| ir.attr(op, name).is_some();
        let sign = |elem: Elem, name: &str| match elem {
            Elem::U8 | Elem::U4 => unsigned(name),
            Elem::S8 | Elem::S4 => !unsigned(name),
            _ => true,
        };
        let fits = |row: &&Instruction| {
            let slots = |operand: Operand| match row.place(operand) {
                Place::Registers(map) => map.n_slots(),
                Place::Shared | Place::Opaque => 0,
            };
            families.contains(&row.family)
                && row.sparse == matches!(ir.opcode(op), Opcode::AmdgpuSparseMfma | Opcode::NvgpuMmaSpSync)
                && row.scales.is_some() == (ir.opcode(op) == Opcode::AmdgpuScaledMfma)
                && mnk == [row.m, row.n, row.k]
                && number("blocks").unwrap_or(1) == row.blocks
                && (0..3).all(|at| {
                    same(row.types[at], types[at])
                        // f32 factors stand for tf32 where the operation says so.
                        || row.types[at] == Elem::TF32 && types[at] == Some(Scalar::Float(Float::F32))
                })
                && sign(row.types[0], "unsignedA")
                && sign(row.types[1], "unsignedB")
                && slots(Operand::A) == i64::from(a.n)
                && slots(Operand::C) == i64::from(c.n)
        };
        let Some(row) = catalogue::instructions().iter().find(fits) else { return Ok(false) };
        let mut kind = self.row(row)?;
        let dst = self.result(op)?;
        let mut inputs = vec![Source::Register(a), Source::Register(b)];
        match ir.opcode(op) {
            Opcode::AmdgpuScaledMfma => {
                for (&scales, index) in more.iter().zip(["scalesIdxA", "scalesIdxB"]) {
                    inputs.push(Source::Register(self.chosen(scales, number(index).unwrap_or(0))?));
                }
            }
            Opcode::AmdgpuSparseMfma => inputs.push(Source::Register(self.kept(op, more, a)?)),
            Opcode::NvgpuMmaSpSync => {
                kind.selector = number("sparsitySelector").or(Some(0));
                for &metadata in more {
                    inputs.push(Source::Register(self.reg(metadata)?));
                }
            }
            _ => {}
        }
        self.intrinsic(op, &kind, &inputs, c, dst)?;
        Ok(true)
    }

    /// One of a lane's scales.
    fn chosen(&mut self, scales: ValueId, index: i64) -> Result<Reg, Diag> {
        let all = self.reg(scales)?;
        let Some(index) = u32::try_from(index).ok().filter(|&index| index < all.n) else {
            return Err(self.error(format!("a lane has {} scales, and number {index} is asked for", all.n)));
        };
        let scale = self.fresh(all.bank, 1, self.block)?;
        self.gather(scale, all, [index].into())?;
        Ok(scale)
    }

    /// Which of four along k each element of a sparse factor is: two bits for each, those of the first one lowest.
    fn kept(&mut self, op: OpId, more: &[ValueId], factor: Reg) -> Result<Reg, Diag> {
        let [index] = *more else { return Err(self.unknown(op)) };
        let (bits, elem) = (self.reg(index)?, self.elem(index)?);
        let total = u64::from(bits.n) * u64::from(elem.bits());
        if bits.bank != Bank::Int || total > 64 || total < 2 * u64::from(factor.n) {
            return Err(self.error("the indices of a sparse factor are two bits for each of its elements".into()));
        }
        let word = self.fresh(Bank::Int, 1, self.block)?;
        self.emit_cost(
            Inst::Bitcast { dst: word, a: bits, from: elem, to: Scalar::Int(total as u32) },
            u64::from(bits.n),
        )?;
        let mut parts = Vec::new();
        for element in 0..i64::from(factor.n) {
            let shift = self.int(2 * element)?;
            let moved = self.fresh(Bank::Int, 1, self.block)?;
            self.emit(Inst::Int2 { op: Int2::ShrU, dst: moved, a: word, b: shift, width: 64 })?;
            parts.push(self.int2(Int2::And, moved, Index::Known(3))?);
        }
        let dst = self.fresh(Bank::Int, factor.n, self.block)?;
        self.emit_cost(Inst::Collect { dst, parts: parts.into() }, u64::from(factor.n))?;
        Ok(dst)
    }

    /// Of each chunk of each row of a sparse A, the lane with its four bits of metadata, and the first of them. PTX ISA,
    /// "Sparse matrix storage": of a row's words all belong to lanes of its quad, those of the lower rows to others than
    /// those of the upper ones where elements are bytes.
    fn metadata(&self, kind: &Kind, selector: i64) -> Result<Box<[(usize, u32)]>, Diag> {
        let [_, rows, _, k] = kind.extents;
        let bits = kind.types[0].bits();
        let chunks = if bits == 32 { k / 2 } else { k / 4 };
        let lanes = chunks / 4;
        let selector = usize::try_from(selector).ok().filter(|selector| (selector + 1) * lanes <= 4);
        let Some(selector) = selector else {
            return Err(self.error(format!("{lanes} lanes of each quad have metadata of `{}`", kind.name)));
        };
        let place = |at: usize| {
            let (row, chunk) = (at / chunks, at % chunks);
            let (quad, upper) = (row % 8 * 4 + lanes * selector, row / 8);
            match bits {
                8 => (quad + upper + chunk / 8 * 2, chunk as u32 % 8 * 4),
                _ => (quad + chunk / 4, upper as u32 * 16 + chunk as u32 % 4 * 4),
            }
        };
        Ok((0..rows * chunks).map(place).collect())
    }

    fn intrinsic(&mut self, op: OpId, kind: &Kind, inputs: &[Source], acc: Reg, dst: Reg) -> Result<(), Diag> {
        let lanes = self.lanes as i64;
        let n_subgroups = kind.maps[2].as_ref().map_or(1, Map::n_subgroups);
        if i64::from(kind.threads) != lanes * n_subgroups {
            return Err(self.error(format!(
                "`{}` is an instruction of {} threads in {n_subgroups} subgroups, but a subgroup has {lanes} lanes",
                kind.name, kind.threads
            )));
        }
        let [blocks, m, n, k] = kind.extents;
        let stored = if kind.sparse { k / 2 } else { k };
        let mut product = Intrinsic {
            dst,
            acc,
            factors: [inputs[0], inputs[1]],
            extents: kind.extents,
            held: Vec::new(),
            places: None,
            scales: None,
            product: self.product(kind),
            masks: [0, 1].map(|at| match kind.types[at] {
                Elem::U8 => 0xff,
                Elem::U4 => 0xf,
                _ => -1,
            }),
            tf32: [0, 1].map(|at| matches!(kind.types[at], Elem::TF32 | Elem::XF32)),
            round: Round::Keep,
        };
        let shapes = [[blocks, m, stored], [blocks, k, n], [blocks, m, n]];
        let scalar = kind.types[2].scalar();
        product.round = Round::of(scalar.unwrap_or(Scalar::Index), self.precision);
        for subgroup in 0..n_subgroups {
            let mut held = Vec::new();
            for (at, map) in kind.maps.iter().enumerate() {
                let reg = match (at, inputs.get(at)) {
                    (0 | 1, Some(Source::Register(reg))) => Some(*reg),
                    (2, _) => Some(acc),
                    _ => None,
                };
                held.push(match (map, reg) {
                    (Some(map), Some(reg)) => {
                        self.check_slots(kind, map, reg, ["A", "B", "C"][at])?;
                        self.held(map, subgroup, shapes[at])?
                    }
                    (_, None) => Held::default(),
                    (None, Some(_)) => {
                        return Err(
                            self.error(format!("B of `{}` is in shared memory: give it as a memref", kind.name))
                        );
                    }
                });
            }
            product.held.push(<[Held; 3]>::try_from(held).expect("there are three operands"));
        }
        for (at, source) in inputs[..2].iter().enumerate() {
            if let Source::Shared(_) = source {
                let value = self.ir.segments(op)[0][at];
                let want: Vec<i64> = shapes[at][1..].iter().map(|&extent| extent as i64).collect();
                if self.ir.shape_of(value) != want || blocks != 1 || !matches!(self.ir.ty(value), Type::MemRef { .. }) {
                    return Err(self.error(format!("an operand in shared memory is a memref of shape {want:?}")));
                }
            }
        }
        let banks = if acc.bank == Bank::Int { &[Bank::Int][..] } else { &[Bank::F32, Bank::F64] };
        let mut found = vec![acc.bank, dst.bank];
        for (at, source) in inputs[..2].iter().enumerate() {
            found.push(match source {
                Source::Register(reg) => reg.bank,
                Source::Shared(_) => self.bank(self.elem(self.ir.segments(op)[0][at])?)?,
            });
        }
        if found.iter().any(|bank| !banks.contains(bank)) || dst.bank != acc.bank {
            return Err(self.error(format!("the types of `{}` are not those of `{}`", self.name(), kind.name)));
        }
        let mut more = inputs[2..].iter();
        let mut next = || match more.next() {
            Some(Source::Register(reg)) => Some(*reg),
            _ => None,
        };
        if kind.sparse {
            let a = match inputs[0] {
                Source::Register(reg) => reg,
                Source::Shared(_) => return Err(self.error("a sparse factor is in registers".into())),
            };
            let places = next().filter(|places| places.bank == Bank::Int);
            product.places = Some(match (places, kind.selector) {
                (Some(reg), Some(selector)) if reg.n == 2 => Places { reg, bits: self.metadata(kind, selector)? },
                (Some(reg), None) if reg.n == a.n => Places { reg, bits: Box::default() },
                _ => {
                    return Err(self.error(
                        "a sparse factor has, for each of its elements, an integer that says which of four it is"
                            .into(),
                    ));
                }
            });
        }
        if let Some((block, maps)) = &kind.scales {
            let (Some(of_a), Some(of_b)) = (next(), next()) else {
                return Err(self.error("scales are in registers".into()));
            };
            let columns = k / (*block as usize).max(1);
            for ((map, reg), what) in maps.iter().zip([of_a, of_b]).zip(["the scales of A", "the scales of B"]) {
                self.check_slots(kind, map, reg, what)?;
                if reg.bank == Bank::Int || map.shape.last() != Some(&(columns as i64)) {
                    return Err(self.error(format!("the scales of `{}` are floats, one for {block} of k", kind.name)));
                }
            }
            let mut held = Vec::new();
            for subgroup in 0..n_subgroups {
                let [a, b] = maps;
                held.push([self.held(a, subgroup, [1, m, columns])?, self.held(b, subgroup, [1, n, columns])?]);
            }
            product.scales = Some(Scales { block: *block as usize, regs: [of_a, of_b], held });
        }
        let cost = (blocks * m * n * k) as u64 / u64::from(kind.threads.max(1));
        self.emit_cost(Inst::Intrinsic(Box::new(product)), cost.max(1))
    }

    fn product(&self, kind: &Kind) -> Product {
        match kind.combine {
            catalogue::Combine::Multiply => Product::Multiply,
            catalogue::Combine::Xor => Product::Xor,
            catalogue::Combine::And => Product::And,
        }
    }

    fn check_slots(&self, kind: &Kind, map: &Map, reg: Reg, what: &str) -> Result<(), Diag> {
        if map.n_slots() == i64::from(reg.n) {
            return Ok(());
        }
        Err(self.error(format!("{what} of `{}` has {} elements in each lane, not {}", kind.name, map.n_slots(), reg.n)))
    }

    /// Where the elements of an operand are in a subgroup.
    fn held(&mut self, map: &Map, subgroup: i64, shape: [usize; 3]) -> Result<Held, Diag> {
        let n: usize = shape.iter().product();
        self.reserve(n.saturating_mul(4))?;
        let mut table = vec![NOWHERE; n];
        let mut duplicates = Vec::new();
        let lanes = self.lanes as i64;
        for lane in 0..map.n_lanes().min(lanes) {
            for slot in 0..map.n_slots() {
                let subgroup = subgroup % map.n_subgroups().max(1);
                let Some(coord) = map.coord(subgroup, lane, slot) else { continue };
                let (block, [row, column]) = match coord[..] {
                    [block, row, column] => (block, [row, column]),
                    [row, column] => (0, [row, column]),
                    _ => return Err(self.error("the operand has another number of dimensions".into())),
                };
                let at = (block as usize * shape[1] + row as usize) * shape[2] + column as usize;
                let here = (slot * lanes + lane) as u32;
                match table.get_mut(at) {
                    Some(first) if *first == NOWHERE => *first = here,
                    Some(first) => duplicates.push((*first, here)),
                    None => return Err(self.error("the operand has other extents".into())),
                }
            }
        }
        Ok(Held { table: table.into(), duplicates: duplicates.into() })
    }
}
