//! Im2col: a product that reads windows becomes a product of matrices.
//!
//! Before: `%v[c, h, i, w, j] = %x[c, h + i, w + j]`, a view that is never made, and
//!         `%y[f, h, w] += %k[f, c, i, j] * %v[c, h, i, w, j]`
//! After:  `%u[c, i, j, h, w] = %x[c, h + i, w + j]`, in memory, and `%y[f, hw] += %k[f, cij] * %u[cij, hw]`
//!
//! A product of matrices packs its factors as its inner loop takes them (`overlap/cache_blocks.rs`), which pays for the
//! copy many times over: windows are short runs of memory at several distances, so that vectors along them are half
//! empty, and each would be loaded again for every filter. On a GPU, windows that end with places cannot be copied ahead,
//! as they are masked element by element; written out, they can, which is worth another kernel for all but small products.
//! Where rows of places do not begin at whole words, rows go along sums there: `%u[hw, cij]`. So they do where rows of
//! windows are long and lie apart, as those of patches, and in the gradient of a filter, which is a product of images, each
//! of whose windows is nearly a whole one: places are few, and of all images one loop.
//!
//! Does not touch products whose windows are better read in a copy of the image (`channels_last.rs`) or would take too much
//! memory, or that have no loop along one of the sides, as
//! those that go channel by channel, and where vectors go along the filters, which are as good as packed.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};

use super::reshape::{collapse, expand, groups, product};
use super::{channels_last, kept_dims};
use crate::configure::makes_few_channels;
use crate::facts::Facts;
use crate::structured::generalize::{at_loops, body_of, copy_along, generic, loop_index};
use crate::structured::sizes::{mixed_extent, mixed_loop};
use crate::structured::{body, windows};

/// Bytes of windows that are written out, at most.
const BYTES_MAX: i64 = 256 << 20;

/// Bits of a word, which copies move at least.
const WORD_BITS: i64 = 32;

/// Elements along which matrix instructions sum at least.
const STEP: i64 = 16;

/// Places of a row of an image of which only the run knows how long its rows are.
const OPEN_ROW: i64 = 32;
/// How many times the places of such rows an image may have without taking too much memory.
const OPEN_SPARE: i64 = 16;

/// Rewrites the products of some blocks that read windows, and have so many multiplications at least.
pub(super) fn unfold(ir: &mut Ir, blocks: &[BlockId], least: i64, facts: &Facts) {
    for (op, product) in of_blocks(ir, blocks, least) {
        if is_worth(ir, op, &product, facts) && !is_in_place(ir, &product, facts) {
            let is_gradient = product.is_gradient();
            let (op, mut product) = if is_gradient { product.images_behind(ir, op) } else { (op, product) };
            let has_odd_places = || facts.chip.native.is_none() && product.has_odd_places(ir);
            product.along_sums = is_gradient || product.has_long_runs() || has_odd_places();
            product.write(ir, op);
        }
    }
}

/// Rewrites the products of some blocks that read windows whose innermost sums are few, where all is to be one kernel:
/// sums become one loop, and the kernel takes windows from the image element by element.
///
/// Outside of dispatches only images that are arguments: one that is computed, as a padded one, would take a kernel of its
/// own. And only where a matrix instruction takes the factors: other products read windows as they are.
pub(super) fn read_by_index(ir: &mut Ir, blocks: &[BlockId], is_dispatch: bool, facts: &Facts) {
    for (op, mut product) in of_blocks(ir, blocks, 0) {
        let is_given = matches!(ir.def(product.view.0), Def::Arg { .. });
        let types = [0, 1].map(|i| Scalar::of(&ir[ir.elem_of(product.linalg.inputs[i])]));
        let has_instruction = || facts.mmas().any(|mma| [0, 1].map(|i| Some(mma.types[i])) == types);
        if !(is_dispatch || is_given && has_instruction()) || makes_few_channels(ir, op, facts) {
            continue;
        }
        product.joins_sums = true;
        let innermost = product.order().into_iter().rfind(|&d| product.sides[d] == Side::Sum);
        let is_short = innermost.is_some_and(|d| (1..STEP).contains(&product.extents[d]));
        let is_open = product.extents.contains(&DYNAMIC);
        let filters = 1 - product.windows;
        let is_argument = matches!(ir.def(product.linalg.inputs[filters]), Def::Arg { .. });
        let is_joined = product.groups(&product.along(filters)).is_some() && product.joins_several();
        if is_short && !is_open && is_argument && is_joined {
            product.write(ir, op);
        }
    }
}

/// Whether an operation takes elements of an image by their indices, for the product that reads it.
pub(super) fn reads_by_index(ir: &Ir, op: OpId) -> bool {
    let linalg = Linalg::try_of(ir, op).filter(|_| ir.opcode(op) == Opcode::LinalgGeneric);
    linalg.is_some_and(|linalg| linalg.inputs.is_empty())
        && ir.walk(op).into_iter().any(|inner| ir.opcode(inner) == Opcode::TensorExtract)
}

/// Whether there is one in these blocks, or one whose windows are read in a copy of the image.
pub(super) fn is_there(ir: &Ir, blocks: &[BlockId], least: i64, facts: &Facts) -> bool {
    let products = of_blocks(ir, blocks, least);
    let is_worth = |op: OpId, product: &Product| is_worth(ir, op, product, facts) || is_in_place(ir, product, facts);
    let has_short_rows = |&op: &OpId| facts.chip.native.is_none() && channels_last::short_rows(ir, op, facts).is_some();
    products.iter().any(|&(op, ref product)| is_worth(op, product))
        || blocks.iter().flat_map(|&block| ir.ops_of(block)).any(|op| has_short_rows(&op))
}

/// Whether windows are worth being written out: not those of which each channel makes a few others, which threads share.
fn is_worth(ir: &Ir, op: OpId, product: &Product, facts: &Facts) -> bool {
    product.is_matrices() && !makes_few_channels(ir, op, facts)
}

fn is_in_place(ir: &Ir, product: &Product, facts: &Facts) -> bool {
    facts.chip.native.is_none() && channels_last::channels(ir, product, facts).is_some()
}

/// The products of some blocks that read windows, and have so many multiplications at least.
pub(super) fn of_blocks(ir: &Ir, blocks: &[BlockId], least: i64) -> Vec<(OpId, Product)> {
    let ops = blocks.iter().flat_map(|&block| ir.ops_of(block));
    ops.filter_map(|op| Some((op, Product::of(ir, op).filter(|product| product.work() >= least)?))).collect()
}

/// What a loop of a product goes along.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Side {
    /// Both factors and the result.
    Batch,
    /// The filters and the result.
    Filters,
    /// The windows and the result, as `Places`, but further out than the filters: images of a batch.
    Images,
    /// The windows and the result, which ends with them.
    Places,
    /// Both factors.
    Sum,
}

/// A product of which one factor is windows.
pub(super) struct Product {
    pub(super) linalg: Linalg,
    /// Of each loop.
    pub(super) sides: Vec<Side>,
    pub(super) extents: Vec<i64>,
    /// Which input is the windows.
    pub(super) windows: usize,
    /// What the windows are of, and where they lead in it.
    pub(super) view: (ValueId, Map),
    /// Whether the rows of windows that are written go along sums, not along places.
    along_sums: bool,
    /// Whether sums alone become one loop.
    joins_sums: bool,
}

/// What windows are of, and where their dimensions lead in it; groups of channels may be dimensions of their own.
fn view_of(ir: &Ir, value: ValueId) -> Option<(ValueId, Map)> {
    let made = ir.def_op(value)?;
    match ir.opcode(made) {
        Opcode::LinalgGeneric if windows::is_window(ir, made) => {
            let mut view = Linalg::of(ir, made);
            Some((view.inputs[0], view.maps.swap_remove(0)))
        }
        Opcode::TensorExpandShape => {
            let (source, map) = view_of(ir, ir.operand(made, 0))?;
            let shape = ir.shape_of(value);
            let mut dims = 0..shape.len();
            let joined = |n: usize| {
                dims.by_ref().take(n).fold(Expr::Const(0), |place, d| {
                    let scaled = Expr::binary(BinOp::Mul, place, Expr::Const(shape[d].max(1)));
                    Expr::binary(BinOp::Add, scaled, Expr::Dim(d as u32))
                })
            };
            let places: Vec<Expr> = groups(ir, made)?.into_iter().map(joined).collect();
            let results = map.results.iter().map(|expr| expr.replaced(&places, &[]).simplified()).collect();
            Some((source, Map { dims: shape.len() as u32, syms: 0, results }))
        }
        _ => None,
    }
}

impl Product {
    fn of(ir: &Ir, op: OpId) -> Option<Product> {
        let is_product = ir.opcode(op) == Opcode::LinalgGeneric && body::is_contraction(ir, op);
        let linalg = Linalg::try_of(ir, op).filter(|_| is_product)?;
        let (windows, view) = (0..2).find_map(|i| Some((i, view_of(ir, linalg.inputs[i])?)))?;
        Product::reading(ir, linalg, windows, view)
    }

    /// A product of which one input is seen as windows of a tensor.
    pub(super) fn reading(ir: &Ir, linalg: Linalg, windows: usize, view: (ValueId, Map)) -> Option<Product> {
        let extents = linalg.extents(ir);
        let dims: Vec<Vec<usize>> = linalg.maps.iter().map(Map::as_dims).collect::<Option<_>>()?;
        let side = |d: usize| match [windows, 1 - windows, 2].map(|operand| dims[operand].contains(&d)) {
            [true, true, true] => Some(Side::Batch),
            [false, true, true] => Some(Side::Filters),
            [true, false, true] => Some(Side::Places),
            [true, true, false] => Some(Side::Sum),
            _ => None,
        };
        let mut sides: Vec<Side> = (0..extents.len()).map(side).collect::<Option<_>>()?;
        let n_places = dims[2].iter().rev().take_while(|&&d| sides[d] == Side::Places).count();
        for &d in &dims[2][..dims[2].len() - n_places] {
            if sides[d] == Side::Places {
                sides[d] = Side::Images;
            }
        }
        let product = Product { linalg, sides, extents, windows, view, along_sums: false, joins_sums: false };
        let is_list = |dims: &Vec<usize>| (0..dims.len()).all(|i| !dims[..i].contains(&dims[i]));
        let may_be_open = |d: usize| product.is_outer(d) || product.sides[d] == Side::Places;
        let is_known = |d: usize| product.extents[d] > 0 || product.extents[d] == DYNAMIC && may_be_open(d);
        let is_plain = dims.iter().all(is_list) && (0..product.extents.len()).all(is_known);
        (is_plain && product.has(Side::Filters) && n_places > 0 && product.has(Side::Sum)).then_some(product)
    }

    /// A product of an image whose channels are last, of which the result has the places of all images in front of the
    /// filters: these are places in one run, too.
    pub(super) fn with_filters_last(ir: &Ir, op: OpId) -> Option<Product> {
        let is_product = ir.opcode(op) == Opcode::LinalgGeneric && body::is_contraction(ir, op);
        let linalg = Linalg::try_of(ir, op).filter(|_| is_product)?;
        let view = view_of(ir, linalg.inputs[0])?;
        let loops = body::contraction_loops(&linalg.maps)?;
        let extents = linalg.extents(ir);
        let side = |d: usize| match () {
            _ if loops.m.contains(&d) => Some(Side::Places),
            _ if loops.n.contains(&d) => Some(Side::Filters),
            _ => loops.k.contains(&d).then_some(Side::Sum),
        };
        let sides: Vec<Side> = (0..extents.len()).map(side).collect::<Option<_>>()?;
        let result = linalg.maps[2].as_dims()?;
        let is_run = result.iter().map(|&d| sides[d]).is_sorted_by_key(|side| side == Side::Filters);
        let is_known = extents.iter().all(|&extent| extent > 0);
        let product = Product { linalg, sides, extents, windows: 0, view, along_sums: false, joins_sums: false };
        (is_run && is_known && product.n_places() > 1).then_some(product)
    }

    /// Whether the windows are not too many to be written out. Of how many images only the run knows, one is counted; an
    /// image of which only the run knows how large it is may have more places than are counted.
    pub(super) fn fits_memory(&self) -> bool {
        let bytes = self.length(|side| side != Side::Filters).saturating_mul(4);
        bytes <= if self.has_open_places() { BYTES_MAX / OPEN_SPARE } else { BYTES_MAX }
    }

    /// Whether each side is one run of loops wherever it is, so that the product is one of matrices, of windows that fit.
    fn is_matrices(&self) -> bool {
        let [filters, places] = [self.along(1 - self.windows), self.along(2)];
        let joins_images = self.is_gradient() && self.has(Side::Images);
        // Loops of a side that are neighbours in memory are one, and alike in the factor and in the result.
        let agree = |side: Side| {
            let of =
                |list: &[usize]| -> Vec<usize> { list.iter().copied().filter(|&d| self.sides[d] == side).collect() };
            of(&filters) == of(&places)
        };
        self.groups(&filters).is_some()
            && self.groups(&places).is_some()
            && self.groups(&self.order()).is_some_and(|groups| joins_images || groups.iter().any(|&n| n > 1))
            && agree(Side::Filters)
            && agree(Side::Batch)
            && self.fits_memory()
    }

    /// Its multiplications.
    pub(super) fn work(&self) -> i64 {
        self.length(|_| true)
    }

    /// Whether only the run knows how long rows of places are, or how many there are.
    pub(super) fn has_open_places(&self) -> bool {
        self.sides.iter().zip(&self.extents).any(|(&side, &extent)| side == Side::Places && extent == DYNAMIC)
    }

    /// How many filters there are, for each of a batch.
    pub(super) fn n_filters(&self) -> i64 {
        self.length(|side| side == Side::Filters)
    }

    /// How many windows there are, of all images.
    pub(super) fn n_windows(&self) -> i64 {
        self.length(|side| matches!(side, Side::Images | Side::Places))
    }

    /// How often loops along some sides run. Of open ones those along places count as rows of a small image, others once.
    fn length(&self, of: impl Fn(Side) -> bool) -> i64 {
        let counted = |d: usize| match (self.extents[d], self.sides[d]) {
            (DYNAMIC, Side::Places) => OPEN_ROW,
            (extent, _) => extent.max(1),
        };
        let loops = (0..self.sides.len()).filter(|&d| of(self.sides[d]));
        loops.fold(1, |n: i64, d| n.saturating_mul(counted(d)))
    }

    /// How many loops go along the places of an image.
    pub(super) fn n_places(&self) -> usize {
        self.sides.iter().filter(|&&side| side == Side::Places).count()
    }

    pub(super) fn has(&self, side: Side) -> bool {
        self.sides.contains(&side)
    }

    /// The loops along which an operand lies.
    pub(super) fn along(&self, operand: usize) -> Vec<usize> {
        self.linalg.maps[operand].as_dims().expect("operands lie along loops")
    }

    /// The loops of the windows in memory, sums as the filters have them, and places as the result has them.
    fn order(&self) -> Vec<usize> {
        let [filters, result] = [self.along(1 - self.windows), self.along(2)];
        let of = |list: &[usize], side: Side| -> Vec<usize> {
            list.iter().copied().filter(|&d| self.sides[d] == side).collect()
        };
        let outer: Vec<usize> = result.iter().copied().filter(|&d| self.is_of_batch(d)).collect();
        let (sums, places) = (of(&filters, Side::Sum), of(&result, Side::Places));
        if self.along_sums { [outer, places, sums].concat() } else { [outer, sums, places].concat() }
    }

    /// Whether rows of places begin between words, where rows of sums begin at words.
    pub(super) fn has_odd_places(&self, ir: &Ir) -> bool {
        let bits =
            Scalar::of(&ir[ir.elem_of(self.linalg.inputs[self.windows])]).map_or(0, |elem| i64::from(elem.bits()));
        let row = |side: Side| -> Option<i64> {
            let mut along = (0..self.extents.len()).filter(|&d| self.sides[d] == side).map(|d| self.extents[d]);
            along.try_fold(bits, |n, extent| if extent == DYNAMIC { None } else { n.checked_mul(extent) })
        };
        let (places, sums) = (row(Side::Places), row(Side::Sum));
        places.zip(sums).is_some_and(|(places, sums)| places % WORD_BITS != 0 && sums % WORD_BITS == 0)
    }

    /// Of places and of sums, how far apart they lie in the image along one of its dimensions, and how many there are.
    fn steps(&self, image: &Expr) -> Option<[(i64, i64); 2]> {
        let loops = self.along(self.windows);
        let (_, steps) = image.linear(loops.len())?;
        let of = |side: Side| {
            let mut own = loops.iter().zip(&steps).filter(|&(&d, &step)| step != 0 && self.sides[d] == side);
            own.next().map(|(&d, &step)| (step, self.extents[d]))
        };
        Some([of(Side::Places)?, of(Side::Sum)?])
    }

    /// Whether windows share elements of the image, so that there are more of them where they are written out.
    fn overlaps(&self) -> bool {
        let steps = self.view.1.results.iter().filter_map(|image| self.steps(image));
        steps.into_iter().any(|[(place, _), (sum, n)]| place < sum.saturating_mul(n))
    }

    /// Whether windows are longer runs of memory than places are, as those of patches.
    fn has_long_runs(&self) -> bool {
        let last = self.view.1.results.last().and_then(|image| self.steps(image));
        last.is_some_and(|[(place, _), (sum, n)]| place > 1 && sum == 1 && n >= STEP)
    }

    /// Whether its windows are larger than the image of their places, as in the gradient of a filter.
    pub(super) fn is_gradient(&self) -> bool {
        let loops = self.along(self.windows);
        let of = |side: Side| {
            // Places and sums of one dimension; groups of channels are some of each, too.
            let is_moved = |&d: &usize| {
                let mut images = self.view.1.results.iter().filter(|image| image.names(&|named| named == d));
                let has = |image: &Expr, of: Side| image.names(&|named| self.sides[loops[named]] == of);
                self.sides[loops[d]] == side && images.any(|image| has(image, Side::Places) && has(image, Side::Sum))
            };
            let extents = (0..loops.len()).filter(is_moved).map(|d| self.extents[loops[d]]);
            extents.fold(1, i64::saturating_mul)
        };
        let (places, sums) = (of(Side::Places), of(Side::Sum));
        !self.has_open_places() && places < sums && self.overlaps()
    }

    /// The same product, whose result has images in front of their places and behind the filters, so that both are one
    /// loop; another operation puts it where it belongs.
    fn images_behind(mut self, ir: &mut Ir, op: OpId) -> (OpId, Product) {
        let result = self.along(2);
        let sides = &self.sides;
        let of = |side: Side| result.iter().copied().filter(move |&d| sides[d] == side);
        let order: Vec<usize> = of(Side::Filters).chain(of(Side::Images)).chain(of(Side::Places)).collect();
        if !self.has(Side::Images) || order.len() < result.len() {
            return (op, self);
        }
        let places = |list: &[usize], of: &[usize]| -> Vec<usize> {
            of.iter().filter_map(|d| list.iter().position(|other| other == d)).collect()
        };
        let builder = &mut Builder::before(ir, op);
        let output = self.linalg.outputs[0];
        let extents: Vec<Mixed> = (0..result.len()).map(|at| mixed_extent(builder, output, at)).collect();
        self.linalg.maps[2] = Map::of_dims(self.extents.len(), &order);
        self.linalg.outputs[0] = kept_dims::start(builder, output, &places(&result, &order), &extents);
        let new = generic(builder, &self.linalg, &[]);
        builder.copy_regions(op, new, &mut ValueMap::default());
        let value = builder.ir.result(new, 0);
        let back = copy_along(builder, value, Map::of_dims(order.len(), &places(&result, &order)), &extents);
        let old = ir.result(op, 0);
        ir.replace_uses(old, back);
        ir.erase(op);
        let product = Product::reading(ir, self.linalg, self.windows, self.view);
        (new, product.expect("the order of its result is another"))
    }

    fn is_of_batch(&self, d: usize) -> bool {
        matches!(self.sides[d], Side::Batch | Side::Images)
    }

    /// Whether a loop stays one of its own.
    fn is_outer(&self, d: usize) -> bool {
        self.is_of_batch(d) || self.joins_sums && self.sides[d] != Side::Sum || self.is_summed_image(d)
    }

    /// Whether a gradient sums along a loop that lies in front of the filters, as images do where channels are first; other
    /// sums lie behind these.
    fn is_summed_image(&self, d: usize) -> bool {
        let filters = self.along(1 - self.windows);
        let mut behind = filters.iter().skip_while(|&&other| other != d).map(|&other| self.sides[other]);
        self.sides[d] == Side::Sum
            && self.is_gradient()
            && behind.any(|side| side == Side::Filters)
            && behind.any(|side| side == Side::Sum)
    }

    /// How many neighbours become one dimension, where each of the other sides is one run of loops.
    fn groups(&self, loops: &[usize]) -> Option<Vec<usize>> {
        let (mut groups, mut seen): (Vec<usize>, Vec<Option<Side>>) = (Vec::new(), Vec::new());
        for &d in loops {
            let side = (!self.is_outer(d)).then_some(self.sides[d]);
            match groups.last_mut() {
                Some(n) if side.is_some() && seen.last() == Some(&side) => *n += 1,
                _ if side.is_some() && seen.contains(&side) => return None,
                _ => groups.push(1),
            }
            seen.push(side);
        }
        Some(groups)
    }

    /// Whether there are several sums to be one.
    fn joins_several(&self) -> bool {
        self.groups(&self.order()).is_some_and(|groups| groups.iter().any(|&n| n > 1))
    }

    /// The windows, as the result of an operation that takes each element from what they are of: places and sums by
    /// `order`, so many of which are joined.
    pub(super) fn taken(
        &self,
        builder: &mut Builder<'_>,
        order: &[usize],
        groups: &[usize],
        source: ValueId,
        map: &Map,
    ) -> ValueId {
        let extent = |&d: &usize| mixed_loop(builder, &self.linalg, d).expect("the result or a factor has each loop");
        let extents: Vec<Mixed> = order.iter().map(extent).collect();
        let mut rest = &extents[..];
        let parts: Vec<&[Mixed]> = groups.iter().map(|&n| rest.split_off(..n).expect("groups are of all")).collect();
        let sizes: Vec<Mixed> = parts.iter().map(|part| product(builder, part.to_vec())).collect();
        let (shape, open) = unmixed(&sizes);
        // Of each part but its first loop.
        let units: Vec<Vec<ValueId>> =
            parts.iter().map(|part| part[1..].iter().map(|extent| extent.materialize(builder)).collect()).collect();
        let elem = builder.ir.elem_of(source);
        let ty = builder.ir.tensor_type(&shape, elem);
        let empty = builder.value(Opcode::TensorEmpty, &open, ty, &[]);
        let maps = vec![Map::identity(shape.len())];
        let (inputs, reduction) = (Vec::new(), vec![false; shape.len()]);
        let op = generic(builder, &Linalg { inputs, outputs: vec![empty], maps, reduction }, &[]);
        body_of(builder, op, &[elem], |body, _| {
            // An operation for each part of a place: of a place that is one expression, an operand of many loops would
            // be made.
            let mut loops: Vec<ValueId> = Vec::new();
            for (d, units) in units.iter().enumerate() {
                let mut rest = loop_index(body, d);
                let mut digits = vec![rest];
                for &unit in units.iter().rev() {
                    let last = digits.len() - 1;
                    digits[last] = body.binary(Opcode::ArithRemui, rest, unit);
                    rest = body.binary(Opcode::ArithDivui, rest, unit);
                    digits.push(rest);
                }
                loops.extend(digits.into_iter().rev());
            }
            let at: Vec<ValueId> = map.results.iter().map(|place| at_loops(body, place, &loops)).collect();
            vec![body.value(Opcode::TensorExtract, &[&[source], &at[..]].concat(), elem, &[])]
        });
        builder.ir.result(op, 0)
    }

    fn write(&self, ir: &mut Ir, op: OpId) {
        let order = self.order();
        let builder = &mut Builder::before(ir, op);
        // The view's dimensions are loops of the product.
        let place = |d: &usize| order.iter().position(|other| other == d).expect("the windows lie along it") as u32;
        let places: Vec<Expr> = self.along(self.windows).iter().map(|d| Expr::Dim(place(d))).collect();
        let (source, view) = &self.view;
        let results = view.results.iter().map(|expr| expr.replaced(&places, &[])).collect();
        let map = Map { dims: order.len() as u32, syms: 0, results };
        let windows = if self.joins_sums {
            let groups = self.groups(&order).expect("who calls this has looked");
            self.taken(builder, &order, &groups, *source, &map)
        } else {
            let extent =
                |&d: &usize| mixed_loop(builder, &self.linalg, d).expect("the result or a factor has each loop");
            let sizes: Vec<Mixed> = order.iter().map(extent).collect();
            copy_along(builder, *source, map, &sizes)
        };
        // The first loop of each run stands for it.
        let mut joined: Vec<usize> = Vec::new();
        let mut operands: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for operand in 0..3 {
            let loops = if operand == self.windows { order.clone() } else { self.along(operand) };
            let groups = self.groups(&loops).expect("sides are runs");
            let mut at = 0;
            let firsts = groups.iter().map(|n| (loops[at], at += n).0).collect::<Vec<_>>();
            joined.extend(firsts.iter().copied().filter(|d| !joined.contains(d)).collect::<Vec<_>>());
            operands.push((groups, firsts));
        }
        joined.sort_unstable();
        let number = |d: &usize| joined.iter().position(|other| other == d).expect("it stands for a run");
        let maps = operands
            .iter()
            .map(|(_, firsts)| Map::of_dims(joined.len(), &firsts.iter().map(number).collect::<Vec<_>>()));
        let maps = maps.collect();
        let flat = |builder: &mut Builder<'_>, operand: usize, value| collapse(builder, value, &operands[operand].0);
        let inputs: Vec<ValueId> = (0..2)
            .map(|i| match i == self.windows {
                true if self.joins_sums => windows,
                true => flat(builder, i, windows),
                false => flat(builder, i, self.linalg.inputs[i]),
            })
            .collect();
        if self.joins_sums
            && let Some(run) = builder.ir.def_op(inputs[1 - self.windows])
            && builder.ir.opcode(run) == Opcode::TensorCollapseShape
        {
            let mark = builder.ir.intern(Attr::Unit);
            builder.ir.set_attr(run, windows::RUN, mark);
        }
        let outputs = vec![flat(builder, 2, self.linalg.outputs[0])];
        let reduction = joined.iter().map(|&d| self.linalg.reduction[d]).collect();
        let new = generic(builder, &Linalg { inputs, outputs, maps, reduction }, &[]);
        builder.copy_regions(op, new, &mut ValueMap::default());
        let result = builder.ir.result(op, 0);
        let rank = builder.ir.shape_of(result).len();
        let sizes: Vec<Mixed> = (0..rank).map(|d| mixed_extent(builder, result, d)).collect();
        let new = builder.ir.result(new, 0);
        let wide = expand(builder, new, &operands[2].0, &sizes);
        ir.replace_uses(result, wide);
        ir.erase(op);
    }
}
