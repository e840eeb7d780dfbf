//! Typed views: the operations with many parts, taken apart once and in one place.
//!
//! A view is read from an operation that the verifier has accepted; what it relies on is asserted. The names are those
//! of MLIR's generic form.

use num_bigint::BigInt;

use crate::affine::{Expr, Map};
use crate::attrs::{Attr, Body};
use crate::build::{Builder, keyword_attr};
use crate::form::Shape;
use crate::ids::{AttrId, BlockId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{float_of_bits, group_range, remembered_maps};
use crate::types::{DYNAMIC, Float, Scalar, Type};

/// A number known at compile time, or a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mixed {
    /// A constant.
    Static(i64),
    /// A value of index type.
    Value(ValueId),
}

impl Mixed {
    /// The value, as a constant operation when it is a number.
    pub fn materialize(self, builder: &mut Builder<'_>) -> ValueId {
        match self {
            Mixed::Static(value) => builder.index(value),
            Mixed::Value(value) => value,
        }
    }
}

/// Joins `static_…` numbers with the operands that stand for the dynamic ones.
pub fn mixed(numbers: &[i64], values: &[ValueId]) -> Vec<Mixed> {
    let mut values = values.iter();
    numbers
        .iter()
        .map(|&number| match number {
            DYNAMIC => Mixed::Value(*values.next().expect("the verifier counts dynamic operands")),
            number => Mixed::Static(number),
        })
        .collect()
}

/// Splits into `static_…` numbers and operands.
pub fn unmixed(list: &[Mixed]) -> (Vec<i64>, Vec<ValueId>) {
    let numbers = list.iter().map(|m| if let Mixed::Static(n) = m { *n } else { DYNAMIC }).collect();
    let values = list.iter().filter_map(|m| if let Mixed::Value(v) = m { Some(*v) } else { None }).collect();
    (numbers, values)
}

/// A way from the end of a block to another one of its region.
#[derive(Clone, Copy, Debug)]
pub struct Jump<'ir> {
    /// The block behind it.
    pub to: BlockId,
    /// What becomes that block's arguments.
    pub args: &'ir [ValueId],
    /// The number for which a `cf.switch` goes this way; `None` for its default and for the other jumps.
    pub case: Option<i64>,
}

/// The attribute of an attention that stands for a softmax as a program wrote it: a row that sees no key is NaN.
pub const SOFTMAX: &str = "raddle.softmax";

/// Whether a row of an attention that sees no key is zero, as PyTorch has it, and no number, as the quotient of nothing by
/// nothing would be: padding that is masked out must not reach the other rows by the layers behind.
pub fn is_zero_without_keys(ir: &Ir, op: OpId) -> bool {
    let changes_scores = || {
        let region = ir.body(op, 0)?;
        let yielded = ir.terminator(region).and_then(|end| ir.operands(end).first().copied());
        Some(yielded != ir.args(region).first().copied())
    };
    let n_inputs = ir.operands(op).len() - ir.results(op).len();
    ir.attr(op, SOFTMAX).is_none() && (n_inputs > 4 || changes_scores() == Some(true))
}

impl Ir {
    /// The operand groups of an operation with `operandSegmentSizes`.
    pub fn segments(&self, op: OpId) -> Vec<&[ValueId]> {
        let sizes = self.attr_id(op, "operandSegmentSizes").and_then(|attr| self.ints(attr)).unwrap_or_default();
        let mut rest = self.operands(op);
        sizes
            .iter()
            .map(|&size| {
                let (head, tail) = rest.split_at(size as usize);
                rest = tail;
                head
            })
            .collect()
    }

    /// The operands of the group that the operation's row calls `name`; empty where the row has no such group.
    pub fn group(&self, op: OpId, name: &str) -> &[ValueId] {
        let shape = Shape::of(self.opcode(op));
        match shape.operands.iter().position(|group| group.name == name) {
            Some(group) => &self.operands(op)[group_range(self, op, shape, group)],
            None => &[],
        }
    }

    /// The ways on from the end of a block, in the order of its successors; none for what leaves a region.
    pub fn jumps(&self, op: OpId) -> Vec<Jump<'_>> {
        let to = self.successors(op);
        match self.opcode(op) {
            Opcode::CfBr | Opcode::LlvmBr => vec![Jump { to: to[0], args: self.operands(op), case: None }],
            Opcode::CfCondBr | Opcode::LlvmCondBr => {
                let parts = self.segments(op);
                to.iter().zip(&parts[1..]).map(|(&to, &args)| Jump { to, args, case: None }).collect()
            }
            Opcode::CfSwitch | Opcode::LlvmSwitch => {
                let parts = self.segments(op);
                let mut jumps = vec![Jump { to: to[0], args: parts[1], case: None }];
                let counts = self.attr_id(op, "case_operand_segments").and_then(|attr| self.ints(attr));
                let mut rest = parts[2];
                for ((&to, count), case) in to[1..].iter().zip(counts.unwrap_or_default()).zip(self.cases(op)) {
                    let (args, tail) = rest.split_at(count as usize);
                    rest = tail;
                    jumps.push(Jump { to, args, case: Some(case) });
                }
                jumps
            }
            _ => Vec::new(),
        }
    }

    /// The numbers that a `cf.switch` tells apart, by the order of their blocks.
    pub(crate) fn cases(&self, op: OpId) -> Vec<i64> {
        self.dense_ints(op, "case_values", self.successors(op).len().saturating_sub(1))
    }

    /// The numbers of a dense attribute; a splat stands for `n` of them.
    pub fn dense_ints(&self, op: OpId, name: &str, n: usize) -> Vec<i64> {
        match self.attr(op, name) {
            Some(attr @ Attr::Dense { splat, .. }) => {
                let numbers: Vec<i64> = self.dense_elems(attr).iter().filter_map(Attr::as_i64).collect();
                if *splat { numbers.repeat(n) } else { numbers }
            }
            _ => Vec::new(),
        }
    }

    /// `array<i32: …>` for `operandSegmentSizes`.
    pub fn segment_sizes(&mut self, sizes: &[usize]) -> AttrId {
        let elem = self.int_type(32);
        self.intern(Attr::DenseArray { elem, values: sizes.iter().map(|&size| size as i64).collect() })
    }

    /// The affine map of an attribute.
    pub fn map(&self, op: OpId, name: &str) -> Option<&Map> {
        match self.attr(op, name)? {
            Attr::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The affine maps of an array attribute.
    pub fn maps(&self, op: OpId, name: &str) -> Option<Vec<Map>> {
        match self.attr(op, name)? {
            Attr::Array(items) => items
                .iter()
                .map(|&item| match &self[item] {
                    Attr::Map(map) => Some(map.clone()),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }

    /// The word in `#name<word>`.
    pub fn keyword(&self, attr: AttrId) -> Option<&str> {
        match &self[attr] {
            Attr::Dialect { body: Body::Keyword(word), .. } => Some(&self[*word]),
            _ => None,
        }
    }

    /// The word of an attribute such as `kind = #vector.kind<add>`.
    pub fn keyword_of(&self, op: OpId, name: &str) -> Option<&str> {
        self.keyword(self.attr_id(op, name)?)
    }

    /// Whether an operation may be one that approximates it: its flags have `afn`.
    pub fn may_approximate(&self, op: OpId) -> bool {
        let flags = self.keyword_of(op, "fastmath").unwrap_or_default();
        flags.split(',').any(|flag| matches!(flag, "afn" | "fast"))
    }

    /// One field of `#name<field = …>`, or one entry of the dictionary in `#name<{field = …}>`.
    pub fn field(&self, attr: AttrId, name: &str) -> Option<AttrId> {
        match &self[attr] {
            Attr::Dialect { body: Body::Fields(fields), .. } => {
                fields.iter().find(|field| &self[field.0] == name).map(|field| field.1)
            }
            Attr::Dialect { body: Body::Attr(dict), .. } => self.dict_get(*dict, name),
            _ => None,
        }
    }

    /// `array of bool` as in `in_bounds = [true, false]`.
    fn bools(&self, op: OpId, name: &str) -> Option<Vec<bool>> {
        Some(self.ints(self.attr_id(op, name)?)?.into_iter().map(|value| value != 0).collect())
    }

    /// The shape of a value of a shaped type; empty for a scalar.
    pub fn shape_of(&self, value: ValueId) -> &[i64] {
        self.ty(value).shape().unwrap_or(&[])
    }

    /// The element type of a shaped value; a scalar's own type.
    pub fn elem_of(&self, value: ValueId) -> TypeId {
        match self.ty(value) {
            // A complex number is one element; its parts have a type of their own.
            Type::Complex(_) => self.type_of(value),
            ty => ty.elem().unwrap_or(self.type_of(value)),
        }
    }

    /// The extents and the element type that a value has outside of functions: in files, and as input or output.
    /// A complex number is a pair of floats there, so that a tensor of such numbers has a last dimension of two.
    pub fn outside(&self, ty: TypeId) -> (Vec<i64>, Option<Scalar>) {
        let shape = self[ty].shape().unwrap_or(&[]);
        let elem = if let Type::Complex(_) = self[ty] { ty } else { self[ty].elem().unwrap_or(ty) };
        match self[elem] {
            Type::Complex(part) => {
                let part = Scalar::of(&self[part]).filter(|part| matches!(part, Scalar::Float(_)));
                ([shape, &[2]].concat(), part)
            }
            ref elem => (shape.to_vec(), Scalar::of(elem)),
        }
    }

    /// The type of the parts, where a value is a complex number or made of such.
    pub fn complex_part(&self, ty: TypeId) -> Option<TypeId> {
        let elem = if let Type::Complex(_) = self[ty] { ty } else { self[ty].elem()? };
        if let Type::Complex(part) = self[elem] { Some(part) } else { None }
    }

    /// How many elements lie between neighbours along each dimension of a memref, [`DYNAMIC`] where only the run knows;
    /// `None` for a layout that is an affine map, and for what is not a memref of known rank.
    pub fn strides(&self, value: ValueId) -> Option<Vec<i64>> {
        let Type::MemRef { shape, layout, .. } = self.ty(value) else { return None };
        match layout.map(|layout| &self[layout]) {
            None => {
                let mut strides = vec![1; shape.len()];
                for d in (1..shape.len()).rev() {
                    let known = shape[d] != DYNAMIC && strides[d] != DYNAMIC;
                    strides[d - 1] = if known { shape[d].checked_mul(strides[d])? } else { DYNAMIC };
                }
                Some(strides)
            }
            Some(Attr::Strided { strides, .. }) => Some(strides.clone()),
            Some(_) => None,
        }
    }

    /// Where a part of a buffer begins that `memref.reinterpret_cast` made, if only the run knows that.
    pub fn reinterpreted_at(&self, part: ValueId) -> Option<ValueId> {
        let op = self.def_op(part).filter(|&op| self.opcode(op) == Opcode::MemrefReinterpretCast)?;
        self.segments(op).get(1)?.first().copied()
    }

    /// The same shape with another element type; a scalar becomes that type.
    pub fn with_elem(&mut self, ty: TypeId, elem: TypeId) -> TypeId {
        match self[ty].clone() {
            Type::Vector { shape, scalable, .. } => self.intern_type(Type::Vector { shape, scalable, elem }),
            Type::Tensor { shape, encoding, .. } => self.intern_type(Type::Tensor { shape, elem, encoding }),
            Type::UnrankedTensor(_) => self.intern_type(Type::UnrankedTensor(elem)),
            Type::MemRef { shape, layout, space, .. } => self.intern_type(Type::MemRef { shape, elem, layout, space }),
            _ => elem,
        }
    }

    /// The integer value of a constant, seen through nothing else.
    pub fn const_int(&self, value: ValueId) -> Option<i64> {
        let op = self.def_op(value)?;
        if self.opcode(op) != Opcode::ArithConstant {
            return None;
        }
        self.attr(op, "value")?.as_i64()
    }
}

/// `vector.transfer_read` and `vector.transfer_write`.
pub struct Transfer {
    /// The memref or tensor.
    pub base: ValueId,
    /// Where the vector's origin lies in the base: one index for each dimension of it.
    pub indices: Vec<ValueId>,
    /// What is written; `None` for a read.
    pub vector: Option<ValueId>,
    /// What a read takes outside the base; `None` for a write.
    pub padding: Option<ValueId>,
    /// Which elements take part.
    pub mask: Option<ValueId>,
    /// Base dimensions to vector dimensions; a result that is the constant 0 broadcasts.
    pub map: Map,
    /// For each vector dimension, whether it is known to stay inside the base.
    pub in_bounds: Vec<bool>,
}

impl Transfer {
    /// Takes a read or a write apart.
    pub fn of(ir: &Ir, op: OpId) -> Transfer {
        let parts = ir.segments(op);
        let one = |part: &[ValueId]| part.first().copied();
        let (vector, base, indices, padding, mask) = match ir.opcode(op) {
            Opcode::VectorTransferRead => (None, parts[0][0], parts[1], one(parts[2]), one(parts[3])),
            Opcode::VectorTransferWrite => (one(parts[0]), parts[1][0], parts[2], None, one(parts[3])),
            opcode => panic!("`{}` is not a transfer", opcode.name()),
        };
        let vector_rank = vector.map_or_else(|| ir.shape_of(ir.result(op, 0)).len(), |v| ir.shape_of(v).len());
        Transfer {
            base,
            indices: indices.to_vec(),
            vector,
            padding,
            mask,
            map: ir.map(op, "permutation_map").cloned().unwrap_or_else(|| minor_identity(indices.len(), vector_rank)),
            in_bounds: ir.bools(op, "in_bounds").unwrap_or_else(|| vec![false; vector_rank]),
        }
    }
}

/// `nvgpu.ldmatrix` and `nvgpu.stmatrix`: lanes name rows of 16 bytes, and each lane has a word of a row of each matrix.
///
/// Eight lanes name the rows of one matrix of 8 x 16 bytes, and there are one, two or four. Of matrix `j`, lane `l`
/// has word `l mod 4` of row `l / 4`; transposed, where elements have 16 bits, it has element `l / 4` of rows
/// `2 (l mod 4)` and the next. Of elements of 8 bits, two neighbours in a row are one of these.
pub struct Matrices {
    /// The buffer.
    pub base: ValueId,
    /// Where the lane's row begins. Lanes behind the last matrix's have none.
    pub indices: Vec<ValueId>,
    /// What lanes have, a row for each matrix.
    pub vector: ValueId,
    /// How many matrices.
    pub n_tiles: usize,
    /// Elements of a matrix that a lane has.
    pub per_lane: usize,
    /// Whether columns go where rows would.
    pub transposed: bool,
}

impl Matrices {
    /// Takes a load or a store apart; `None` where its attributes and types do not fit together.
    pub fn of(ir: &Ir, op: OpId) -> Option<Matrices> {
        let stores = ir.opcode(op) == Opcode::NvgpuStmatrix;
        let (base, indices) = ir.operands(op).get(usize::from(stores)..)?.split_first()?;
        let vector = if stores { ir.operand(op, 0) } else { ir.results(op).next()? };
        let Type::Vector { shape, .. } = ir.ty(vector) else { return None };
        let &[n_tiles, per_lane] = &shape[..] else { return None };
        let transposed = matches!(ir.attr(op, "transpose"), Some(Attr::Bool(true)));
        let elem = ir.elem_of(vector);
        let bits = i64::from(Scalar::of(&ir[elem])?.bits());
        let fits = matches!(ir.ty(*base), Type::MemRef { shape, .. } if shape.len() == indices.len())
            && ir.elem_of(*base) == elem
            && matches!(n_tiles, 1 | 2 | 4)
            && (stores || ir.attr(op, "numTiles")?.as_i64() == Some(n_tiles))
            && bits.checked_mul(per_lane) == Some(32)
            && (bits == 32 && !transposed || matches!(bits, 8 | 16));
        let (n_tiles, per_lane) = (n_tiles as usize, per_lane as usize);
        fits.then(|| Matrices { base: *base, indices: indices.to_vec(), vector, n_tiles, per_lane, transposed })
    }
}

/// `!gpu.mma_matrix<16x8xf16, "AOp">`: a matrix that the lanes of a subgroup hold together.
pub struct Fragment<'t> {
    /// Rows and columns.
    pub shape: [i64; 2],
    /// The keyword of the element type, such as `si8`.
    pub elem: &'t str,
    /// Which operand of a product it is: `AOp`, `BOp` or `COp`.
    pub operand: &'t str,
}

impl<'t> Fragment<'t> {
    /// Takes such a type apart.
    pub fn of(ir: &'t Ir, ty: TypeId) -> Option<Fragment<'t>> {
        let Type::Dialect(text) = &ir[ty] else { return None };
        let (shape, elem, operand) = Fragment::parts(ir[*text].strip_prefix("gpu.mma_matrix<")?.strip_suffix('>')?)?;
        Some(Fragment { shape: shape.try_into().ok()?, elem, operand })
    }

    /// What stands in the brackets: extents in any number, element type, and operand.
    pub(crate) fn parts(inside: &'t str) -> Option<(Vec<i64>, &'t str, &'t str)> {
        let (shape, operand) = inside.split_once(',')?;
        let (extents, elem) = shape.rsplit_once('x')?;
        let extents = extents.split('x').map(|extent| extent.trim().parse().ok()).collect::<Option<_>>()?;
        Some((extents, elem.trim(), operand.trim().trim_matches('"')))
    }
}

/// `!raddle.tile<16x16xf32>`: a tile register of Intel AMX, rows of words of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileRegister {
    /// Rows and words of each.
    pub shape: [i64; 2],
    /// What the words are: integers, also where they hold several narrow elements, or f32.
    pub elem: Scalar,
}

impl TileRegister {
    /// Rows, and words of a row, at most (Intel SDM, volume 1, "Programming with Intel AMX").
    pub const MAX: i64 = 16;
    /// Bits of a word.
    pub const WORD: u32 = 32;

    /// Takes such a type apart; `None` for another one, and for registers that the machine does not have.
    pub fn of(ir: &Ir, ty: TypeId) -> Option<TileRegister> {
        let Type::Dialect(text) = &ir[ty] else { return None };
        let inside = ir[*text].strip_prefix("raddle.tile<")?.strip_suffix('>')?;
        let (shape, elem) = inside.rsplit_once('x')?;
        let (rows, columns) = shape.split_once('x')?;
        let extent = |text: &str| text.trim().parse().ok().filter(|extent| (1..=TileRegister::MAX).contains(extent));
        let elem = Scalar::from_keyword(elem.trim());
        let elem = elem.filter(|&elem| [Scalar::Int(Self::WORD), Scalar::Float(Float::F32)].contains(&elem))?;
        Some(TileRegister { shape: [extent(rows)?, extent(columns)?], elem })
    }

    /// The type of such registers.
    pub fn ty(self, ir: &mut Ir) -> TypeId {
        let [rows, columns] = self.shape;
        let text = ir.intern_str(&format!("raddle.tile<{rows}x{columns}x{}>", self.elem));
        ir.intern_type(Type::Dialect(text))
    }
}

/// `iree_vector_ext.transfer_gather` and `transfer_scatter`.
#[derive(Clone)]
pub struct Indexed {
    /// The memref or tensor.
    pub base: ValueId,
    /// Where the vector's origin lies in the base: one index for each dimension of it.
    pub offsets: Vec<ValueId>,
    /// What is added to the offsets: numbers, or vectors of them.
    pub index_vecs: Vec<ValueId>,
    /// What is written; `None` for a gather.
    pub vector: Option<ValueId>,
    /// What a gather takes where the mask is not set; `None` for a scatter.
    pub padding: Option<ValueId>,
    /// Which elements take part.
    pub mask: Option<ValueId>,
    /// From the vector's dimensions, with one symbol for each of `index_vecs`, to those of the base, of each of
    /// `index_vecs`, and of the mask if there is one.
    pub maps: Vec<Map>,
}

impl Indexed {
    /// Takes a gather or a scatter apart.
    pub fn of(ir: &Ir, op: OpId) -> Indexed {
        let parts = ir.segments(op);
        let one = |part: &[ValueId]| part.first().copied();
        let (vector, offsets, index_vecs, padding) = match ir.opcode(op) {
            Opcode::IreeVectorExtTransferGather => (None, parts[1], parts[2], one(parts[3])),
            Opcode::IreeVectorExtTransferScatter => (one(parts[1]), parts[2], parts[3], None),
            opcode => panic!("`{}` does not take vectors of indices", opcode.name()),
        };
        Indexed {
            base: parts[0][0],
            offsets: offsets.to_vec(),
            index_vecs: index_vecs.to_vec(),
            vector,
            padding,
            mask: one(parts[4]),
            maps: ir.maps(op, "indexing_maps").expect("the verifier has seen maps"),
        }
    }

    /// The dimensions of the vector along which operand `i` of `index_vecs` lies; behind the last one, the mask's.
    pub fn dims(&self, i: usize) -> Vec<usize> {
        let dim = |expr: &Expr| if let Expr::Dim(d) = expr { Some(*d as usize) } else { None };
        self.maps[1 + i].results.iter().filter_map(dim).collect()
    }

    /// The operands and attributes of the operation.
    pub fn parts(&self, ir: &mut Ir) -> (Vec<ValueId>, [(&'static str, AttrId); 2]) {
        let one = |value: &Option<ValueId>| value.iter().copied().collect::<Vec<_>>();
        let (offsets, index_vecs) = (self.offsets.clone(), self.index_vecs.clone());
        let groups = match self.vector {
            None => [vec![self.base], offsets, index_vecs, one(&self.padding), one(&self.mask)],
            Some(vector) => [vec![self.base], vec![vector], offsets, index_vecs, one(&self.mask)],
        };
        let sizes = ir.segment_sizes(&groups.each_ref().map(Vec::len));
        let maps = self.maps.iter().map(|map| ir.intern(Attr::Map(map.clone()))).collect();
        let maps = ir.intern(Attr::Array(maps));
        (groups.concat(), [("indexing_maps", maps), ("operandSegmentSizes", sizes)])
    }

    /// Gives the operation these parts.
    pub fn write(&self, ir: &mut Ir, op: OpId) {
        let (operands, attrs) = self.parts(ir);
        ir.set_operands(op, &operands);
        for (name, attr) in attrs {
            ir.set_attr(op, name, attr);
        }
    }
}

/// A branch that gives what one load reads, element by element or as it is, or other values where its condition does not
/// hold.
pub struct GuardedLoad {
    /// `memref.load` or `vector.load`.
    pub load: OpId,
    /// What the branch gives if it does not load, one value for each result.
    pub others: Vec<ValueId>,
}

impl GuardedLoad {
    /// `None` for other operations.
    pub fn of(ir: &Ir, op: OpId) -> Option<GuardedLoad> {
        if ir.opcode(op) != Opcode::ScfIf || ir.results(op).len() == 0 {
            return None;
        }
        let (then, otherwise) = (ir.ops_of(ir.body(op, 0)?), ir.ops_of(ir.body(op, 1)?));
        let (&[load, ref rest @ .., end], &[other]) = (&then[..], &otherwise[..]) else { return None };
        if !matches!(ir.opcode(load), Opcode::MemrefLoad | Opcode::VectorLoad) {
            return None;
        }
        let loaded = match *rest {
            [] => vec![ir.result(load, 0)],
            [split] if ir.opcode(split) == Opcode::VectorToElements && ir.operand(split, 0) == ir.result(load, 0) => {
                ir.results(split).collect()
            }
            _ => return None,
        };
        (ir.operands(end) == loaded).then(|| GuardedLoad { load, others: ir.operands(other).to_vec() })
    }
}

/// The map from the last `results` of `dims` dimensions.
pub fn minor_identity(dims: usize, results: usize) -> Map {
    Map::of_dims(dims, &(dims - results..dims).collect::<Vec<_>>())
}

/// Static position or slice of `vector.extract`, `vector.insert`.
pub fn position(ir: &Ir, op: OpId) -> Vec<Mixed> {
    let first = if ir.opcode(op) == Opcode::VectorInsert { 2 } else { 1 };
    let numbers = ir.attr_id(op, "static_position").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    mixed(&numbers, &ir.operands(op)[first..])
}

/// A `linalg` operation.
pub struct Linalg {
    /// Operands that are read.
    pub inputs: Vec<ValueId>,
    /// Operands that are written, and read where the body uses them.
    pub outputs: Vec<ValueId>,
    /// Iteration space to each operand, inputs first.
    pub maps: Vec<Map>,
    /// For each loop, whether it is a reduction.
    pub reduction: Vec<bool>,
}

impl Linalg {
    /// Takes an operation apart; named ones get the maps that their name means.
    pub fn of(ir: &Ir, op: OpId) -> Linalg {
        match Linalg::try_of(ir, op) {
            Some(linalg) => linalg,
            None => panic!("`{}` is not a structured operation", ir.name(op)),
        }
    }

    /// The same; `None` for an operation that is not one with loops, maps and a body.
    pub fn try_of(ir: &Ir, op: OpId) -> Option<Linalg> {
        let opcode = ir.opcode(op);
        let (inputs, outputs) = Linalg::operands(ir, op)?;
        let rank = outputs.first().map_or(0, |&output| ir.shape_of(output).len());
        // Along the loops of the result, and those of a scalar along none.
        let whole = |value: &ValueId| match Linalg::shape(ir, *value) {
            [] => Map { dims: rank as u32, syms: 0, results: Vec::new() },
            _ => Map::identity(rank),
        };
        let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let maps = match opcode {
            Opcode::LinalgTranspose => {
                // Dimension d of the result is dimension permutation[d] of the input.
                let mut inverse = vec![0; rank];
                for (d, &from) in list("permutation").iter().enumerate() {
                    *inverse.get_mut(usize::try_from(from).ok()?)? = d;
                }
                vec![Map::of_dims(rank, &inverse), Map::identity(rank)]
            }
            Opcode::LinalgBroadcast => {
                let added = list("dimensions");
                let kept: Vec<usize> = (0..rank).filter(|&d| !added.contains(&(d as i64))).collect();
                vec![Map::of_dims(rank, &kept), Map::identity(rank)]
            }
            Opcode::LinalgReduce => {
                let rank = ir.shape_of(*inputs.first()?).len();
                let gone = list("dimensions");
                let kept: Vec<usize> = (0..rank).filter(|&d| !gone.contains(&(d as i64))).collect();
                let of_inputs = inputs.iter().map(|_| Map::identity(rank));
                of_inputs.chain(outputs.iter().map(|_| Map::of_dims(rank, &kept))).collect()
            }
            Opcode::LinalgMatmul => ir
                .maps(op, "indexing_maps")
                .unwrap_or_else(|| vec![Map::of_dims(3, &[0, 2]), Map::of_dims(3, &[2, 1]), Map::of_dims(3, &[0, 1])]),
            _ => match ir.maps(op, "indexing_maps").or_else(|| remembered_maps(ir, op)) {
                Some(maps) => maps,
                None => inputs.iter().chain(outputs).map(whole).collect(),
            },
        };
        let reduction = match opcode {
            Opcode::LinalgGeneric => reduction_dims(ir, op),
            // A loop that no result runs along is summed over.
            _ => {
                let results = maps.get(inputs.len()..)?;
                let runs = |d: usize| results.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
                (0..maps.first()?.dims as usize).map(|d| !runs(d)).collect()
            }
        };
        Some(Linalg { inputs: inputs.to_vec(), outputs: outputs.to_vec(), maps, reduction })
    }

    /// What an operation with loops, maps and a body reads, and what it writes.
    pub fn operands(ir: &Ir, op: OpId) -> Option<(&[ValueId], &[ValueId])> {
        let opcode = ir.opcode(op);
        if !opcode.name().starts_with("linalg.") || ir.regions(op).len() != 1 {
            return None;
        }
        let operands = ir.operands(op);
        match opcode {
            Opcode::LinalgTranspose | Opcode::LinalgBroadcast => operands.split_at_checked(1),
            Opcode::LinalgReduce => operands.split_at_checked(operands.len() / 2),
            Opcode::LinalgMap => operands.split_at_checked(operands.len().checked_sub(1)?),
            _ => match ir.segments(op)[..] {
                [inputs, outputs] => Some((inputs, outputs)),
                _ => None,
            },
        }
    }

    /// The shape of an operand: a vector is a scalar here, and may be an element.
    pub fn shape(ir: &Ir, value: ValueId) -> &[i64] {
        match ir.ty(value) {
            Type::Tensor { shape, .. } | Type::MemRef { shape, .. } => shape,
            _ => &[],
        }
    }

    /// The element of an operand, or the scalar that it is.
    pub fn elem(ir: &Ir, value: ValueId) -> TypeId {
        match ir.ty(value) {
            Type::Tensor { elem, .. } | Type::MemRef { elem, .. } => *elem,
            _ => ir.type_of(value),
        }
    }

    /// The extent of each loop, read off the operands' shapes.
    pub fn extents(&self, ir: &Ir) -> Vec<i64> {
        let mut extents = vec![DYNAMIC; self.reduction.len()];
        for (&operand, map) in self.inputs.iter().chain(&self.outputs).zip(&self.maps) {
            for (&size, expr) in ir.shape_of(operand).iter().zip(&map.results) {
                if let Expr::Dim(d) = expr {
                    extents[*d as usize] = size;
                }
            }
        }
        extents
    }
}

/// The operands that the results of an operation in destination style are computed into, by their places.
pub fn destinations(ir: &Ir, op: OpId) -> Vec<usize> {
    if let Some((inputs, outputs)) = Linalg::operands(ir, op) {
        return (inputs.len()..inputs.len() + outputs.len()).collect();
    }
    let opcode = ir.opcode(op);
    let shape = Shape::of(opcode);
    let group = |name: &str| shape.operands.iter().position(|group| group.name == name);
    opcode.info().destinations().filter_map(group).flat_map(|group| group_range(ir, op, shape, group)).collect()
}

/// For each iterator of `linalg.generic` or `vector.contract`, whether it is a reduction.
fn reduction_dims(ir: &Ir, op: OpId) -> Vec<bool> {
    match ir.attr(op, "iterator_types") {
        Some(Attr::Array(items)) => items.iter().map(|&item| ir.keyword(item) == Some("reduction")).collect(),
        _ => Vec::new(),
    }
}

/// `vector.contract`.
pub struct Contract {
    /// Left operand.
    pub lhs: ValueId,
    /// Right operand.
    pub rhs: ValueId,
    /// What the products are combined into.
    pub acc: ValueId,
    /// Iteration space to lhs, rhs, acc.
    pub maps: Vec<Map>,
    /// For each iterator, whether it is a reduction.
    pub reduction: Vec<bool>,
}

impl Contract {
    /// Takes a contraction apart.
    pub fn of(ir: &Ir, op: OpId) -> Contract {
        let operands = ir.operands(op);
        Contract {
            lhs: operands[0],
            rhs: operands[1],
            acc: operands[2],
            maps: ir.maps(op, "indexing_maps").expect("vector.contract has indexing maps"),
            reduction: reduction_dims(ir, op),
        }
    }
}

/// `tensor.extract_slice`, `tensor.insert_slice`, `tensor.parallel_insert_slice`, `memref.subview`.
pub struct SliceView {
    /// What is put in; `None` where a part is taken out.
    pub value: Option<ValueId>,
    /// What the part belongs to.
    pub base: ValueId,
    /// First element of each dimension.
    pub offsets: Vec<Mixed>,
    /// Extent of each dimension.
    pub sizes: Vec<Mixed>,
    /// Step of each dimension.
    pub strides: Vec<Mixed>,
}

impl SliceView {
    /// Takes a slice operation apart.
    pub fn of(ir: &Ir, op: OpId) -> SliceView {
        let parts = ir.segments(op);
        let inserts = matches!(ir.opcode(op), Opcode::TensorInsertSlice | Opcode::TensorParallelInsertSlice);
        let (value, parts) = if inserts { (Some(parts[0][0]), &parts[1..]) } else { (None, &parts[..]) };
        let list = |name: &str, values: &[ValueId]| {
            mixed(&ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default(), values)
        };
        SliceView {
            value,
            base: parts[0][0],
            offsets: list("static_offsets", parts[1]),
            sizes: list("static_sizes", parts[2]),
            strides: list("static_strides", parts[3]),
        }
    }
}

/// `scf.forall`.
pub struct Forall {
    /// First index of each loop.
    pub lower: Vec<Mixed>,
    /// End of each loop.
    pub upper: Vec<Mixed>,
    /// Step of each loop.
    pub step: Vec<Mixed>,
    /// Tensors that the iterations fill.
    pub outputs: Vec<ValueId>,
}

impl Forall {
    /// The mapping onto workgroups: `#gpu.block<…>`.
    pub const WORKGROUPS: &'static str = "gpu.block";
    /// The mapping onto subgroups, by the name that MLIR has for them.
    pub const SUBGROUPS: &'static str = "gpu.warp";
    /// The mapping onto threads.
    pub const THREADS: &'static str = "gpu.thread";

    /// Takes a parallel loop apart. Its block's arguments are the indices, then the shared outputs.
    pub fn of(ir: &Ir, op: OpId) -> Forall {
        let parts = ir.segments(op);
        let list = |name: &str, values: &[ValueId]| {
            mixed(&ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default(), values)
        };
        Forall {
            lower: list("staticLowerBound", parts[0]),
            upper: list("staticUpperBound", parts[1]),
            step: list("staticStep", parts[2]),
            outputs: parts[3].to_vec(),
        }
    }
}

impl Ir {
    /// Adds a mask to a transfer that has none: it is the last operand.
    pub fn set_transfer_mask(&mut self, op: OpId, mask: ValueId) {
        let operands = [self.operands(op), &[mask]].concat();
        let mut sizes: Vec<usize> = self.segments(op).iter().map(|part| part.len()).collect();
        sizes[3] = 1;
        self.set_operands(op, &operands);
        let sizes = self.segment_sizes(&sizes);
        self.set_attr(op, "operandSegmentSizes", sizes);
    }
}

impl Builder<'_> {
    /// `vector.transfer_read base[indices], padding {permutation_map, in_bounds}`
    pub fn transfer_read(
        &mut self,
        base: ValueId,
        indices: &[ValueId],
        padding: ValueId,
        map: Map,
        in_bounds: &[bool],
        result: TypeId,
    ) -> ValueId {
        let operands = [&[base], indices, &[padding]].concat();
        let attrs = self.transfer_attrs(map, in_bounds, &[1, indices.len(), 1, 0]);
        self.value(Opcode::VectorTransferRead, &operands, result, &attrs)
    }

    /// `vector.transfer_write vector, base[indices] {permutation_map, in_bounds}`
    pub fn transfer_write(
        &mut self,
        vector: ValueId,
        base: ValueId,
        indices: &[ValueId],
        map: Map,
        in_bounds: &[bool],
    ) -> OpId {
        let operands = [&[vector, base], indices].concat();
        let attrs = self.transfer_attrs(map, in_bounds, &[1, 1, indices.len(), 0]);
        // A write to a tensor gives the new tensor.
        let ty = self.ir.type_of(base);
        let results: &[TypeId] = if matches!(self.ir[ty], Type::Tensor { .. }) { &[ty] } else { &[] };
        self.op(Opcode::VectorTransferWrite, &operands, results, &attrs)
    }

    fn transfer_attrs(&mut self, map: Map, in_bounds: &[bool], sizes: &[usize]) -> [(&'static str, AttrId); 3] {
        let map = self.ir.intern(Attr::Map(map));
        let flags = in_bounds.iter().map(|&flag| self.ir.intern(Attr::Bool(flag))).collect();
        let flags = self.ir.intern(Attr::Array(flags));
        let sizes = self.ir.segment_sizes(sizes);
        [("permutation_map", map), ("in_bounds", flags), ("operandSegmentSizes", sizes)]
    }

    /// `vector.extract source[position]`
    pub fn extract(&mut self, source: ValueId, at: &[i64]) -> ValueId {
        let (shape, elem) = (self.ir.shape_of(source)[at.len()..].to_vec(), self.ir.elem_of(source));
        let result = if shape.is_empty() { elem } else { self.ir.vector_type(&shape, elem) };
        let at = self.ir.dense_i64(at);
        self.value(Opcode::VectorExtract, &[source], result, &[("static_position", at)])
    }

    /// `vector.insert value, dest[position]`
    pub fn insert(&mut self, value: ValueId, dest: ValueId, at: &[i64]) -> ValueId {
        let result = self.ir.type_of(dest);
        let at = self.ir.dense_i64(at);
        self.value(Opcode::VectorInsert, &[value, dest], result, &[("static_position", at)])
    }

    /// `vector.insert_strided_slice value, dest {offsets, strides = [1, …]}`
    pub fn insert_strided_slice(&mut self, value: ValueId, dest: ValueId, offsets: &[i64]) -> ValueId {
        let result = self.ir.type_of(dest);
        let strides = vec![1; self.ir.shape_of(value).len()];
        let (offsets, strides) = (self.ir.i64_array(offsets), self.ir.i64_array(&strides));
        self.value(
            Opcode::VectorInsertStridedSlice,
            &[value, dest],
            result,
            &[("offsets", offsets), ("strides", strides)],
        )
    }

    /// `vector.transpose source, permutation`
    pub fn transpose(&mut self, source: ValueId, perm: &[usize]) -> ValueId {
        let (shape, elem) = (self.ir.shape_of(source), self.ir.elem_of(source));
        let shape: Vec<i64> = perm.iter().map(|&d| shape[d]).collect();
        let result = self.ir.vector_type(&shape, elem);
        let perm = self.ir.dense_i64(&perm.iter().map(|&d| d as i64).collect::<Vec<_>>());
        self.value(Opcode::VectorTranspose, &[source], result, &[("permutation", perm)])
    }

    /// `vector.shape_cast source`
    pub fn shape_cast(&mut self, source: ValueId, shape: &[i64]) -> ValueId {
        if self.ir.shape_of(source) == shape {
            return source;
        }
        let elem = self.ir.elem_of(source);
        let result = self.ir.vector_type(shape, elem);
        self.value(Opcode::VectorShapeCast, &[source], result, &[])
    }

    /// `vector.multi_reduction <kind>, source, acc dims`
    pub fn multi_reduction(&mut self, kind: &str, source: ValueId, acc: ValueId, dims: &[usize]) -> ValueId {
        let result = self.ir.type_of(acc);
        let kind = self.keyword_attr("vector.kind", kind);
        let dims = self.ir.dense_i64(&dims.iter().map(|&d| d as i64).collect::<Vec<_>>());
        self.value(Opcode::VectorMultiReduction, &[source, acc], result, &[("kind", kind), ("reduction_dims", dims)])
    }

    /// `vector.broadcast source`
    pub fn broadcast(&mut self, source: ValueId, result: TypeId) -> ValueId {
        self.value(Opcode::VectorBroadcast, &[source], result, &[])
    }

    /// The extents of a tensor as its type says them, and `tensor.dim` where it leaves them open.
    pub fn extents(&mut self, tensor: ValueId) -> Vec<Mixed> {
        let shape = self.ir.shape_of(tensor).to_vec();
        let index = self.ir.index_type();
        let extent = |(d, &extent): (usize, &i64)| match extent {
            DYNAMIC => {
                let d = self.index(d as i64);
                Mixed::Value(self.value(Opcode::TensorDim, &[tensor, d], index, &[]))
            }
            extent => Mixed::Static(extent),
        };
        shape.iter().enumerate().map(extent).collect()
    }

    /// `tensor.extract_slice base[offsets][sizes][1, …]`
    pub fn extract_slice(&mut self, base: ValueId, offsets: &[Mixed], sizes: &[Mixed]) -> ValueId {
        let elem = self.ir.elem_of(base);
        let result = self.ir.tensor_type(&unmixed(sizes).0, elem);
        let (operands, attrs) = self.slice_parts(&[base], offsets, sizes);
        self.value(Opcode::TensorExtractSlice, &operands, result, &attrs)
    }

    /// `tensor.insert_slice value into base[offsets][sizes][1, …]`
    pub fn insert_slice(&mut self, value: ValueId, base: ValueId, offsets: &[Mixed], sizes: &[Mixed]) -> ValueId {
        let result = self.ir.type_of(base);
        let (operands, attrs) = self.slice_parts(&[value, base], offsets, sizes);
        self.value(Opcode::TensorInsertSlice, &operands, result, &attrs)
    }

    /// `tensor.parallel_insert_slice value into base[offsets][sizes][1, …]`
    pub fn parallel_insert_slice(&mut self, value: ValueId, base: ValueId, offsets: &[Mixed], sizes: &[Mixed]) -> OpId {
        let (operands, attrs) = self.slice_parts(&[value, base], offsets, sizes);
        self.op(Opcode::TensorParallelInsertSlice, &operands, &[], &attrs)
    }

    fn slice_parts(
        &mut self,
        first: &[ValueId],
        offsets: &[Mixed],
        sizes: &[Mixed],
    ) -> (Vec<ValueId>, [(&'static str, AttrId); 4]) {
        let ((starts, start_values), (extents, extent_values)) = (unmixed(offsets), unmixed(sizes));
        let operands = [first, &start_values[..], &extent_values].concat();
        let own = vec![1; first.len()];
        let segments = self.ir.segment_sizes(&[&own[..], &[start_values.len(), extent_values.len(), 0]].concat());
        let attrs = [
            ("static_offsets", self.ir.dense_i64(&starts)),
            ("static_sizes", self.ir.dense_i64(&extents)),
            ("static_strides", self.ir.dense_i64(&vec![1; sizes.len()])),
            ("operandSegmentSizes", segments),
        ];
        (operands, attrs)
    }

    /// `memref.subview base[offsets][sizes][strides]`; the caller says what type that has.
    pub fn subview(&mut self, base: ValueId, slice: &SliceView, result: TypeId) -> ValueId {
        self.strided_slice(Opcode::MemrefSubview, base, slice, result)
    }

    /// `tensor.extract_slice base[offsets][sizes][strides]`, of which dimensions of one element may be dropped; the caller
    /// says what type that has.
    pub fn extract_part(&mut self, base: ValueId, slice: &SliceView, result: TypeId) -> ValueId {
        self.strided_slice(Opcode::TensorExtractSlice, base, slice, result)
    }

    fn strided_slice(&mut self, opcode: Opcode, base: ValueId, slice: &SliceView, result: TypeId) -> ValueId {
        let lists = [&slice.offsets, &slice.sizes, &slice.strides].map(|list| unmixed(list));
        let counts = lists.each_ref().map(|(_, values)| values.len());
        let operands: Vec<ValueId> =
            [base].into_iter().chain(lists.iter().flat_map(|(_, values)| values.iter().copied())).collect();
        let segments = self.ir.segment_sizes(&[&[1], &counts[..]].concat());
        let [offsets, sizes, strides] = lists.each_ref().map(|(numbers, _)| self.ir.dense_i64(numbers));
        let attrs = [
            ("static_offsets", offsets),
            ("static_sizes", sizes),
            ("static_strides", strides),
            ("operandSegmentSizes", segments),
        ];
        self.value(opcode, &operands, result, &attrs)
    }

    /// `memref.reinterpret_cast`: the same memory from another place on, with other sizes and strides.
    pub fn reinterpret(
        &mut self,
        base: ValueId,
        offset: Mixed,
        sizes: &[Mixed],
        strides: &[Mixed],
        elem: TypeId,
        space: Option<AttrId>,
    ) -> ValueId {
        let (offset, (shape, sizes), (steps, strides)) = (unmixed(&[offset]), unmixed(sizes), unmixed(strides));
        let layout = self.ir.intern(Attr::Strided { offset: offset.0[0], strides: steps.clone() });
        let result = self.ir.intern_type(Type::MemRef { shape: shape.clone(), elem, layout: Some(layout), space });
        let attrs = [
            ("static_offsets", self.ir.dense_i64(&offset.0)),
            ("static_sizes", self.ir.dense_i64(&shape)),
            ("static_strides", self.ir.dense_i64(&steps)),
            ("operandSegmentSizes", self.ir.segment_sizes(&[1, offset.1.len(), sizes.len(), strides.len()])),
        ];
        let operands = [vec![base], offset.1, sizes, strides].concat();
        self.value(Opcode::MemrefReinterpretCast, &operands, result, &attrs)
    }

    /// `memref.alloc() : memref<shape x elem, #gpu.address_space<workgroup>>`
    pub fn alloc_shared(&mut self, shape: &[i64], elem: TypeId) -> ValueId {
        let space = keyword_attr(self.ir, "gpu.address_space", "workgroup");
        let result = self.ir.memref_type(shape, elem, Some(space));
        let segments = self.ir.segment_sizes(&[0, 0]);
        self.value(Opcode::MemrefAlloc, &[], result, &[("operandSegmentSizes", segments)])
    }

    /// `gpu.thread_id x` and its family: `opcode` is `ThreadId` or `BlockId`, `dim` 0 to 2.
    pub fn gpu_id(&mut self, opcode: Opcode, dim: usize) -> ValueId {
        let ty = self.ir.index_type();
        let dim = self.keyword_attr("gpu.dim", ["x", "y", "z"][dim]);
        self.value(opcode, &[], ty, &[("dimension", dim)])
    }

    /// `gpu.barrier`
    pub fn barrier(&mut self) -> OpId {
        self.op(Opcode::GpuBarrier, &[], &[], &[])
    }

    /// `dense<value> : ty` for a vector type; the scalar constant for a scalar type. The value must be exact in it.
    pub fn splat(&mut self, value: f64, ty: TypeId) -> ValueId {
        let elem = self.ir[ty].elem().unwrap_or(ty);
        let scalar = match &self.ir[elem] {
            Type::Float(_) => Attr::float(value, elem),
            _ => Attr::Int { value: value as i128, ty: elem },
        };
        if elem == ty {
            return self.constant(scalar, ty);
        }
        let bytes = self.ir.elem_bytes(&scalar);
        self.constant(Attr::Dense { ty, splat: true, bytes }, ty)
    }
}

impl Ir {
    /// The little-endian bytes of a scalar attribute in the format of its type.
    pub fn elem_bytes(&self, scalar: &Attr) -> Vec<u8> {
        match scalar {
            Attr::Int { value, ty } => {
                let bits = match &self[*ty] {
                    Type::Integer { width, .. } => *width,
                    _ => 64,
                };
                // Only the bits of the width count, so that equal elements have equal bytes.
                let mut bytes = value.to_le_bytes().to_vec();
                bytes.resize(bits.max(1).div_ceil(8) as usize, if *value < 0 { 0xff } else { 0 });
                cut(bytes, bits)
            }
            Attr::Wide { value, ty } => {
                let Type::Integer { width, .. } = self[*ty] else { panic!("a wide integer has an integer type") };
                let mut bytes = value.to_signed_bytes_le();
                let fill = if value.sign() == num_bigint::Sign::Minus { 0xff } else { 0 };
                bytes.resize(width.div_ceil(8) as usize, fill);
                cut(bytes, width)
            }
            Attr::Bool(value) => vec![u8::from(*value)],
            Attr::Float { bits, ty } => {
                let Type::Float(float) = self[*ty] else { panic!("a float attribute has a float type") };
                let (value, size) = (f64::from_bits(*bits), float.bits().div_ceil(8) as usize);
                if size > 8 {
                    return crate::float::encode_long(float, value).to_le_bytes()[..size].to_vec();
                }
                crate::float::encode(float, value).to_le_bytes()[..size].to_vec()
            }
            Attr::LongFloat { bits, ty } => {
                let Type::Float(float) = self[*ty] else { panic!("a float attribute has a float type") };
                bits.to_le_bytes()[..float.bits().div_ceil(8) as usize].to_vec()
            }
            attr => panic!("{attr:?} is not a scalar"),
        }
    }

    /// The elements of `dense<…>` (one for a splat) as scalar attributes; of complex numbers, both parts of each.
    pub fn dense_elems(&self, attr: &Attr) -> Vec<Attr> {
        let Attr::Dense { ty, bytes, .. } = attr else { panic!("{attr:?} is not dense") };
        let ty = self[*ty].elem().expect("dense attributes have a shaped type");
        let ty = if let Type::Complex(part) = self[ty] { part } else { ty };
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |acc, &byte| acc << 8 | u64::from(byte));
        match self[ty] {
            Type::Float(float) => bytes
                .chunks(float.bits().div_ceil(8) as usize)
                .map(|chunk| {
                    let bits = chunk.iter().rev().fold(0, |acc, &byte| acc << 8 | u128::from(byte));
                    float_of_bits(float, bits, ty)
                })
                .collect(),
            Type::Integer { width, .. } if width > 64 => bytes
                .chunks(width.div_ceil(8) as usize)
                .map(|chunk| Attr::integer(wide_int(chunk, width, true), ty))
                .collect(),
            Type::Integer { width, .. } => bytes
                .chunks(width.div_ceil(8).max(1) as usize)
                .map(|chunk| Attr::Int { value: sign_extend(word(chunk), width), ty })
                .collect(),
            _ => bytes.chunks(8).map(|chunk| Attr::Int { value: i128::from(word(chunk) as i64), ty }).collect(),
        }
    }
}

/// Little-endian bytes without the bits beyond the width.
fn cut(mut bytes: Vec<u8>, width: u32) -> Vec<u8> {
    if let (Some(last), 1..) = (bytes.last_mut(), width % 8) {
        *last &= (1 << (width % 8)) - 1;
    }
    bytes
}

/// The number of `width` bits that little-endian bytes hold, in the reading with or without a sign.
pub fn wide_int(bytes: &[u8], width: u32, signed: bool) -> BigInt {
    let value = BigInt::from_bytes_le(num_bigint::Sign::Plus, bytes);
    if signed && value.bit(u64::from(width) - 1) { value - (BigInt::from(1) << width) } else { value }
}

/// Reads the low `width` bits as a signed number; `i1` reads as 0 or -1, like MLIR's `true`.
fn sign_extend(word: u64, width: u32) -> i128 {
    let shift = 64 - width.clamp(1, 64);
    i128::from((word << shift) as i64 >> shift)
}
