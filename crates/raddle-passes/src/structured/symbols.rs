//! Integers as affine expressions: of the constants of a dispatch, or of what is known when the arguments are.
//!
//! `%lo | %hi << 32` is `s0 + s1 * 4294967296`. Constants of a dispatch are read without a sign: offsets and extents are
//! not negative, and IREE passes them so. An extent is followed to where it is stated: `tensor.dim` of what an operation
//! computes is an extent of the tensor that it computes into.

use raddle_ir::affine::BinOp;
use raddle_ir::extents::{Known, Sizes};
use raddle_ir::views::{Linalg, Mixed, SliceView, mixed};
use raddle_ir::{Attr, BlockId, Builder, Class, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, Type, ValueId};
use rustc_hash::FxHashMap;

use super::sizes::mixed_extent;
use super::space::destination;
use crate::structured::moves;

/// Operations between a number and where it is stated, at most: programs have a handful.
const DEPTH_MAX: usize = 64;

/// What expressions are of.
trait Leaves {
    /// The expression of a value that is not computed.
    fn leaf(&mut self, ir: &Ir, value: ValueId) -> Option<Expr>;

    /// Whether a symbol is never negative.
    fn is_count(&self, symbol: u32) -> bool;

    /// Whether one may multiply by symbols, and divide by them: whoever computes the expression says where one of those is
    /// not positive.
    fn is_semi_affine(&self) -> bool;
}

/// The constants of a dispatch, which are read without a sign.
struct Constants;

impl Leaves for Constants {
    fn leaf(&mut self, ir: &Ir, value: ValueId) -> Option<Expr> {
        let op = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::HalInterfaceConstantLoad)?;
        u32::try_from(ir.attr(op, "ordinal")?.as_i64()?).ok().map(Expr::Sym)
    }

    fn is_count(&self, _: u32) -> bool {
        true
    }

    fn is_semi_affine(&self) -> bool {
        false
    }
}

/// The expression of a value in the constants of a dispatch; `None` where it is none.
pub(crate) fn of_constants(ir: &Ir, value: ValueId) -> Option<Expr> {
    expr_below(ir, value, &mut Constants, DEPTH_MAX)
}

/// Expressions of the extents and numbers that are the arguments of a function.
#[derive(Clone)]
pub(crate) struct OfArguments {
    entry: BlockId,
    /// What each symbol is.
    known: Vec<Known>,
}

impl OfArguments {
    /// No expressions yet, of the arguments of this block.
    pub fn new(entry: BlockId) -> OfArguments {
        OfArguments { entry, known: Vec::new() }
    }

    /// No expressions yet, of the arguments of the function around an operation.
    pub fn around(ir: &Ir, op: OpId) -> Option<OfArguments> {
        let mut around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
        let func = around.find(|&op| ir.opcode(op) == Opcode::FuncFunc)?;
        Some(OfArguments::new(ir.entry(func)))
    }

    /// Whether a number is greater than zero, whatever the arguments are.
    pub fn is_positive(&mut self, number: &Expr) -> bool {
        let leaves = Arguments { of: self, depth: 0 };
        Linear::of(number).is_some_and(|sum| matches!(sum.bounds(&leaves).0, Some(1..)))
    }

    /// The expression of a number.
    pub fn number(&mut self, ir: &Ir, value: ValueId) -> Option<Expr> {
        self.number_below(ir, value, DEPTH_MAX)
    }

    /// The expression of an extent of a tensor.
    pub fn extent(&mut self, ir: &Ir, tensor: ValueId, dim: usize) -> Option<Expr> {
        self.extent_below(ir, tensor, dim, DEPTH_MAX)
    }

    /// What a symbol of the expressions is.
    pub fn known(&self, symbol: u32) -> Known {
        self.known[symbol as usize]
    }

    /// A number that is known when the arguments are, as an index.
    pub fn write(&self, builder: &mut Builder<'_>, known: Known) -> ValueId {
        let arguments = builder.ir.args(self.entry);
        match known {
            Known::Number(at) if *builder.ir.ty(arguments[at]) == Type::Index => arguments[at],
            Known::Number(at) => {
                let (number, index) = (arguments[at], builder.ir.index_type());
                builder.value(Opcode::ArithIndexCast, &[number], index, &[])
            }
            Known::Extent(at, dim) => {
                let argument = arguments[at];
                mixed_extent(builder, argument, dim).materialize(builder)
            }
        }
    }

    /// Numbers that follow from the arguments.
    pub fn sizes(self, results: Vec<Expr>) -> Sizes {
        Sizes { map: Map { dims: 0, syms: self.known.len() as u32, results }, of: self.known }
    }

    /// Writes on a kernel how many workgroups it has along x, y and z. Numbers stand in the attribute that others know,
    /// too, which has none for a grid without workgroups.
    pub fn write_grid(self, ir: &mut Ir, func: OpId, counts: &[Expr]) {
        let number = |count: &Expr| if let Expr::Const(count @ 1..) = count { Some(*count) } else { None };
        match counts.iter().map(number).collect::<Option<Vec<i64>>>() {
            Some(values) => {
                let elem = ir.int_type(32);
                let grid = ir.intern(Attr::DenseArray { elem, values });
                ir.set_attr(func, "gpu.known_grid_size", grid);
            }
            None => self.sizes(counts.to_vec()).write_grid(ir, func),
        }
    }

    fn symbol(&mut self, known: Known) -> Expr {
        let at = self.known.iter().position(|&other| other == known).unwrap_or_else(|| {
            self.known.push(known);
            self.known.len() - 1
        });
        Expr::Sym(at as u32)
    }

    fn number_below(&mut self, ir: &Ir, value: ValueId, depth: usize) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        expr_below(ir, value, &mut Arguments { of: self, depth }, depth)
    }

    fn mixed_below(&mut self, ir: &Ir, number: Mixed, depth: usize) -> Option<Expr> {
        match number {
            Mixed::Static(number) => Some(Expr::Const(number)),
            Mixed::Value(value) => self.number_below(ir, value, depth),
        }
    }

    fn extent_below(&mut self, ir: &Ir, tensor: ValueId, dim: usize, depth: usize) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        let shape = ir.ty(tensor).shape()?;
        let extent = *shape.get(dim)?;
        if extent != DYNAMIC {
            return Some(Expr::Const(extent));
        }
        let before = shape[..dim].iter().filter(|&&extent| extent == DYNAMIC).count();
        let (op, index) = match ir.def(tensor) {
            Def::Arg { block, index } if block == self.entry => {
                return Some(self.symbol(Known::Extent(index as usize, dim)));
            }
            Def::Arg { .. } => return None,
            Def::Result { op, index } => (op, index as usize),
        };
        match ir.opcode(op) {
            Opcode::TensorEmpty | Opcode::TensorGenerate | Opcode::BufferizationAllocTensor => {
                self.number_below(ir, *ir.operands(op).get(before)?, depth)
            }
            Opcode::TensorSplat => self.number_below(ir, *ir.operands(op).get(1 + before)?, depth),
            Opcode::TensorCast | Opcode::TensorBitcast => self.extent_below(ir, ir.operand(op, 0), dim, depth),
            Opcode::TensorInsertSlice | Opcode::TensorInsert | Opcode::TensorScatter => {
                self.extent_below(ir, ir.operand(op, 1), dim, depth)
            }
            Opcode::TensorExtractSlice => {
                let view = SliceView::of(ir, op);
                let kept = *moves::kept(&view.sizes, shape).get(dim)?;
                self.mixed_below(ir, view.sizes[kept], depth)
            }
            Opcode::TensorPad => {
                let [low, high] = moves::padding(ir, op).map(|list| list.get(dim).copied());
                let source = self.extent_below(ir, ir.operand(op, 0), dim, depth)?;
                let sum = Expr::binary(BinOp::Add, source, self.mixed_below(ir, low?, depth)?);
                Some(Expr::binary(BinOp::Add, sum, self.mixed_below(ir, high?, depth)?))
            }
            Opcode::TensorExpandShape => {
                let sizes = ir.attr_id(op, "static_output_shape").and_then(|attr| ir.ints(attr))?;
                self.mixed_below(ir, *mixed(&sizes, &ir.operands(op)[1..]).get(dim)?, depth)
            }
            Opcode::TensorConcat => {
                let along = ir.attr(op, "dim").and_then(Attr::as_i64) == Some(dim as i64);
                let parts = if along { ir.operands(op) } else { &ir.operands(op)[..1] };
                let parts = parts.iter().map(|&part| self.extent_below(ir, part, dim, depth));
                parts.reduce(|a, b| Some(Expr::binary(BinOp::Add, a?, b?)))?
            }
            Opcode::TensorCollapseShape => {
                let group = moves::groups(ir, op).into_iter().nth(dim)?;
                let parts = group.into_iter().map(|dim| self.extent_below(ir, ir.operand(op, 0), dim, depth));
                parts.reduce(|a, b| Some(Expr::binary(BinOp::Mul, a?, b?)))?
            }
            Opcode::TensorReshape => {
                let stated =
                    ir.def_op(ir.operand(op, 1)).filter(|&made| ir.opcode(made) == Opcode::TensorFromElements)?;
                self.number_below(ir, *ir.operands(stated).get(dim)?, depth)
            }
            Opcode::FlowTensorReshape | Opcode::FlowTensorBitcast | Opcode::IreeTensorExtBitcast => {
                self.number_below(ir, *ir.group(op, "result_dims").get(before)?, depth)
            }
            Opcode::FlowTensorTieShape => self.number_below(ir, *ir.operands(op).get(1 + before)?, depth),
            // Arithmetic on whole tensors: a number may be among its operands.
            _ if ir.class(op) == Class::Elementwise => {
                let is_alike = |value: &ValueId| ir.ty(*value).shape().is_some_and(|own| own.len() == shape.len());
                let alike: Vec<ValueId> = ir.operands(op).iter().copied().filter(is_alike).collect();
                alike.into_iter().find_map(|value| self.extent_below(ir, value, dim, depth))
            }
            // What computes into tensors has an operand of the type of each result.
            _ => {
                let init = match Linalg::try_of(ir, op) {
                    Some(linalg) => *linalg.outputs.get(index)?,
                    None if ir.name(op).starts_with("iree_linalg_ext.") => *moves::outputs(ir, op)?.get(index)?,
                    None => destination(ir, op, index)?,
                };
                self.extent_below(ir, init, dim, depth)
            }
        }
    }
}

/// The arguments of a function, and extents that follow from theirs.
struct Arguments<'a> {
    of: &'a mut OfArguments,
    depth: usize,
}

impl Leaves for Arguments<'_> {
    fn leaf(&mut self, ir: &Ir, value: ValueId) -> Option<Expr> {
        match ir.def(value) {
            Def::Arg { block, index } if block == self.of.entry => {
                let is_number = matches!(ir.ty(value), Type::Index | Type::Integer { .. });
                is_number.then(|| self.of.symbol(Known::Number(index as usize)))
            }
            Def::Arg { .. } => None,
            Def::Result { op, .. } if matches!(ir.opcode(op), Opcode::TensorDim | Opcode::MemrefDim) => {
                let dim = usize::try_from(ir.const_int(ir.operand(op, 1))?).ok()?;
                self.of.extent_below(ir, ir.operand(op, 0), dim, self.depth)
            }
            Def::Result { .. } => None,
        }
    }

    fn is_count(&self, symbol: u32) -> bool {
        matches!(self.of.known.get(symbol as usize), Some(Known::Extent(..)))
    }

    fn is_semi_affine(&self) -> bool {
        true
    }
}

/// Whether a number is an expression of dimensions of tensors and of the numbers that `is_given` names.
pub(crate) fn follows(ir: &Ir, value: ValueId, is_given: &dyn Fn(ValueId) -> bool) -> bool {
    expr_below(ir, value, &mut Given { is_given, known: Vec::new() }, DEPTH_MAX).is_some()
}

/// What someone is given, and dimensions.
struct Given<'a> {
    is_given: &'a dyn Fn(ValueId) -> bool,
    /// What each symbol is, and whether it is a dimension that is not a given number, which may be any.
    known: Vec<(ValueId, bool)>,
}

impl Leaves for Given<'_> {
    fn leaf(&mut self, ir: &Ir, value: ValueId) -> Option<Expr> {
        let is_given = (self.is_given)(value);
        if !is_given && ir.def_op(value).is_none_or(|op| ir.opcode(op) != Opcode::TensorDim) {
            return None;
        }
        let at = self.known.iter().position(|other| other.0 == value).unwrap_or_else(|| {
            self.known.push((value, !is_given));
            self.known.len() - 1
        });
        Some(Expr::Sym(at as u32))
    }

    fn is_count(&self, symbol: u32) -> bool {
        self.known.get(symbol as usize).is_some_and(|known| known.1)
    }

    fn is_semi_affine(&self) -> bool {
        true
    }
}

/// The expression of an integer in what somebody else knows: `leaf` says what values are, and `is_count` whether a symbol is
/// never negative.
pub fn number_of(
    ir: &Ir,
    value: ValueId,
    leaf: &dyn Fn(ValueId) -> Option<Expr>,
    is_count: &dyn Fn(u32) -> bool,
) -> Option<Expr> {
    expr_below(ir, value, &mut Others { leaf, is_count }, DEPTH_MAX)
}

/// Whether such an expression is never negative.
pub fn is_count(expr: &Expr, is_count: &dyn Fn(u32) -> bool) -> bool {
    is_natural(expr, &Others { leaf: &|_| None, is_count })
}

struct Others<'a> {
    leaf: &'a dyn Fn(ValueId) -> Option<Expr>,
    is_count: &'a dyn Fn(u32) -> bool,
}

impl Leaves for Others<'_> {
    fn leaf(&mut self, _: &Ir, value: ValueId) -> Option<Expr> {
        (self.leaf)(value)
    }

    fn is_count(&self, symbol: u32) -> bool {
        (self.is_count)(symbol)
    }

    fn is_semi_affine(&self) -> bool {
        true
    }
}

/// The extents of each result of a function on tensors, from its arguments; `None` for one that depends on more.
pub fn results(ir: &Ir, func: OpId) -> Vec<Option<Sizes>> {
    let Some(entry) = ir.body(func, 0) else { return Vec::new() };
    let returned = ir.blocks(ir.block_region(entry)).last().and_then(|&block| ir.terminator(block));
    let returned = returned.map(|end| ir.operands(end).to_vec()).unwrap_or_default();
    let sizes = |value: ValueId| {
        let mut of = OfArguments::new(entry);
        let rank = ir.ty(value).shape().unwrap_or_default().len();
        let extents = (0..rank).map(|dim| of.extent(ir, value, dim)).collect::<Option<Vec<Expr>>>()?;
        Some(of.sizes(extents))
    };
    returned.into_iter().map(sizes).collect()
}

fn expr_below(ir: &Ir, value: ValueId, leaves: &mut dyn Leaves, depth: usize) -> Option<Expr> {
    let depth = depth.checked_sub(1)?;
    if let Some(constant) = ir.const_int(value) {
        return Some(Expr::Const(constant));
    }
    if let Some(expr) = leaves.leaf(ir, value) {
        return Some(expr);
    }
    let Def::Result { op, index } = ir.def(value) else { return None };
    if let Some(chosen) = chosen(ir, op, leaves, depth) {
        return Some(chosen);
    }
    let is_semi_affine = leaves.is_semi_affine();
    // What division rounds towards zero or down is the same for what is not negative.
    let is_rounded_down = match ir.opcode(op) {
        Opcode::ArithDivsi | Opcode::ArithRemsi => {
            is_natural(&expr_below(ir, ir.operand(op, 0), leaves, depth)?, leaves)
        }
        _ => true,
    };
    let mut side = |at: usize| expr_below(ir, ir.operand(op, at), leaves, depth);
    let known = |at: usize| ir.const_int(ir.operand(op, at));
    let mut by = |op: BinOp| {
        let by = match known(1) {
            Some(by) => Expr::Const(Some(by).filter(|&by| by > 0)?),
            None => side(1).filter(|_| is_semi_affine)?,
        };
        let whole = side(0)?;
        match quotient(&whole, &by).filter(|_| op != BinOp::Mod) {
            Some(quotient) => Some(quotient),
            None => matches!(by, Expr::Const(_) | Expr::Sym(_)).then(|| Expr::binary(op, whole, by)),
        }
    };
    match ir.opcode(op) {
        Opcode::ArithExtui | Opcode::ArithIndexCast | Opcode::ArithIndexCastui => side(0),
        Opcode::IreeTensorExtDispatchWorkloadOrdinal => side(0),
        Opcode::UtilAssumeInt => side(index as usize),
        Opcode::ArithShli => {
            let factor = known(1).and_then(|by| 1i64.checked_shl(u32::try_from(by).ok()?))?;
            (factor > 0).then_some(Expr::binary(BinOp::Mul, side(0)?, Expr::Const(factor)))
        }
        // The halves of a number of 64 bits do not overlap.
        Opcode::ArithOri => {
            let (a, b) = (side(0)?, side(1)?);
            let halves = |low: &Expr, high: &Expr| matches!(low, Expr::Sym(_)) && high.is_multiple(1 << 32);
            (halves(&a, &b) || halves(&b, &a)).then(|| Expr::binary(BinOp::Add, a, b))
        }
        Opcode::ArithAddi => Some(Expr::binary(BinOp::Add, side(0)?, side(1)?)),
        Opcode::ArithMuli => match (known(0), known(1)) {
            (Some(a), _) => Some(Expr::binary(BinOp::Mul, side(1)?, Expr::Const(a))),
            (_, Some(b)) => Some(Expr::binary(BinOp::Mul, side(0)?, Expr::Const(b))),
            _ if is_semi_affine => Some(Expr::binary(BinOp::Mul, side(0)?, side(1)?)),
            _ => None,
        },
        Opcode::ArithSubi => {
            let (a, b) = (side(0)?, side(1)?);
            Some(Expr::binary(BinOp::Add, a, Expr::binary(BinOp::Mul, b, Expr::Const(-1))))
        }
        Opcode::ArithDivui | Opcode::ArithFloordivsi => by(BinOp::FloorDiv),
        Opcode::ArithDivsi if is_rounded_down => by(BinOp::FloorDiv),
        Opcode::ArithRemsi if is_rounded_down => by(BinOp::Mod),
        Opcode::ArithCeildivui | Opcode::ArithCeildivsi => by(BinOp::CeilDiv),
        Opcode::ArithRemui => by(BinOp::Mod),
        Opcode::AffineApply => {
            let map = ir.map(op, "map")?;
            let given = (0..ir.operands(op).len()).map(side).collect::<Option<Vec<Expr>>>()?;
            let (dims, syms) = given.split_at_checked(map.dims as usize)?;
            Some(map.results.first()?.replaced(dims, syms))
        }
        _ => None,
    }
}

/// What a product divided by some of its factors is: where one of these is zero, the program divides by zero.
fn quotient(product: &Expr, by: &Expr) -> Option<Expr> {
    let mut of = Product { number: 1, factors: Vec::new() };
    let mut gone = Product { number: 1, factors: Vec::new() };
    of.multiply(product)?;
    gone.multiply(by)?;
    for factor in gone.factors {
        let at = of.factors.iter().position(|&other| other == factor)?;
        of.factors.remove(at);
    }
    if gone.number <= 0 || of.number % gone.number != 0 {
        return None;
    }
    let factors = of.factors.into_iter().cloned();
    let product = factors.reduce(|a, b| Expr::binary(BinOp::Mul, a, b)).unwrap_or(Expr::Const(1));
    Some(Expr::binary(BinOp::Mul, product, Expr::Const(of.number / gone.number)))
}

/// A number times expressions that are not products.
struct Product<'e> {
    number: i64,
    factors: Vec<&'e Expr>,
}

impl<'e> Product<'e> {
    fn multiply(&mut self, expr: &'e Expr) -> Option<()> {
        match expr {
            Expr::Const(number) => self.number = self.number.checked_mul(*number)?,
            Expr::Mul(a, b) => {
                self.multiply(a)?;
                self.multiply(b)?;
            }
            factor => self.factors.push(factor),
        }
        Some(())
    }
}

/// Whether an expression is never negative, whatever the symbols are.
fn is_natural(expr: &Expr, leaves: &dyn Leaves) -> bool {
    match expr {
        Expr::Const(number) => *number >= 0,
        Expr::Sym(symbol) => leaves.is_count(*symbol),
        Expr::Add(a, b) | Expr::Mul(a, b) => is_natural(a, leaves) && is_natural(b, leaves),
        // Divisors are positive.
        Expr::FloorDiv(a, _) | Expr::CeilDiv(a, _) => is_natural(a, leaves),
        Expr::Mod(..) => true,
        Expr::Dim(_) => false,
    }
}

/// What a minimum, a maximum or a selection gives, where it is one of its sides whatever the symbols are.
fn chosen(ir: &Ir, op: OpId, leaves: &mut dyn Leaves, depth: usize) -> Option<Expr> {
    let is_unsigned = matches!(ir.opcode(op), Opcode::ArithMinui | Opcode::ArithMaxui);
    let compared = match ir.opcode(op) {
        Opcode::ArithMinsi | Opcode::ArithMaxsi | Opcode::ArithMinui | Opcode::ArithMaxui => op,
        Opcode::ArithSelect => ir.def_op(ir.operand(op, 0)).filter(|&of| ir.opcode(of) == Opcode::ArithCmpi)?,
        _ => return None,
    };
    let difference = {
        let mut side = |at: usize| expr_below(ir, ir.operand(compared, at), leaves, depth);
        let (a, b) = (side(0)?, side(1)?);
        // Numbers that are not negative have the same order with a sign and without.
        if is_unsigned && !(is_natural(&a, leaves) && is_natural(&b, leaves)) {
            return None;
        }
        if a == b && compared == op {
            return Some(a);
        }
        Linear::of(&Expr::binary(BinOp::Add, a, Expr::binary(BinOp::Mul, b, Expr::Const(-1))))?
    };
    let (least, greatest) = difference.bounds(leaves);
    // Whether the first is below the second, and whether it is not above it.
    let is_below = match (least, greatest) {
        (_, Some(..0)) => Some(true),
        (Some(0..), _) => Some(false),
        _ => None,
    };
    let is_at_most = match (least, greatest) {
        (Some(1..), _) => Some(false),
        (_, Some(..1)) => Some(true),
        _ => None,
    };
    let second = match ir.opcode(op) {
        Opcode::ArithMinsi | Opcode::ArithMinui => !is_at_most.or(is_below)?,
        Opcode::ArithMaxsi | Opcode::ArithMaxui => is_at_most.or(is_below)?,
        _ => match ir.attr(compared, "predicate")?.as_i64()? {
            2 => !is_below?,
            3 => !is_at_most?,
            4 => is_at_most?,
            5 => is_below?,
            _ => return None,
        },
    };
    let first = usize::from(ir.opcode(op) == Opcode::ArithSelect);
    expr_below(ir, ir.operand(op, first + usize::from(second)), leaves, depth)
}

/// A sum of multiples of symbols, and a number.
#[derive(Default)]
struct Linear {
    factors: FxHashMap<u32, i64>,
    number: i64,
}

impl Linear {
    fn of(expr: &Expr) -> Option<Linear> {
        let mut sum = Linear::default();
        sum.add(expr, 1)?;
        Some(sum)
    }

    fn add(&mut self, expr: &Expr, times: i64) -> Option<()> {
        match expr {
            Expr::Const(number) => self.number = self.number.checked_add(number.checked_mul(times)?)?,
            Expr::Sym(symbol) => {
                let factor = self.factors.entry(*symbol).or_default();
                *factor = factor.checked_add(times)?;
            }
            Expr::Add(a, b) => {
                self.add(a, times)?;
                self.add(b, times)?;
            }
            Expr::Mul(a, b) => match (&**a, &**b) {
                (Expr::Const(factor), of) | (of, Expr::Const(factor)) => self.add(of, times.checked_mul(*factor)?)?,
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    /// The least and the greatest value.
    fn bounds(&self, leaves: &dyn Leaves) -> (Option<i64>, Option<i64>) {
        let all = |sign: i64| {
            self.factors
                .iter()
                .all(|(&symbol, &factor)| factor == 0 || factor.signum() == sign && leaves.is_count(symbol))
        };
        (all(1).then_some(self.number), all(-1).then_some(self.number))
    }
}
