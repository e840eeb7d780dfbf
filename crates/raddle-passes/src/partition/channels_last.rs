//! Channels last: a product reads the windows of an image where they lie, in a copy of the image whose rows are channels.
//!
//! Before: `%y[f, h, w] += %k[f, c, i, j] * %x[c, h + i, w + j]`, whose windows end with places
//! After:  `%u[h, w, c] = %x[c, h, w]` and `%l[f, i, j, c] = %k[f, c, i, j]`, in memory, and
//!         `%y[f, h, w] += %l[f, i, j, c] * %u[h + i, w + j, c]`
//!
//! What a tile of a product reads of such windows are runs of channels, which are copied ahead as rows of a matrix are.
//! Windows that are written out (`im2col.rs`) are as many images as a window has places, which memory moves twice. An image
//! that is padded is padded by the copy, so that nothing is masked in the product.
//!
//! If copies are asynchronous, all places `p` of an image are one loop: the product takes `%u[p / W + i, p mod W + j, c]` by
//! index, and each row of its tiles is copied ahead as well. Elsewhere the places of a tile are of one row of the image, and
//! windows are better written out where rows are short, or leave much of tiles empty. So they are where channels are few, or
//! filters are many and windows few: filters are copied, too.
//!
//! Of an image whose channels are last nothing is copied; where rows of places are too short for tiles, all places of all
//! images are one loop.
//!
//! An image without windows whose rows of places begin between words, as those of 7 x 7 places do, is copied in the same
//! way: rows of channels begin at the widest accesses.
//!
//! Runs on GPUs only, behind what lets products read transposed factors in place.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{BlockId, Builder, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};
use raddle_layout::sort::sort_by_key;
use rustc_hash::FxHashSet;

use super::im2col::{self, Product, Side};
use super::reshape::{collapse, expand};
use super::{flatten, moved_factors};
use crate::facts::Facts;
use crate::structured::body;
use crate::structured::generalize::{copy_along, generic};
use crate::structured::sizes::{mixed_extent, mixed_loop};
use crate::structured::windows::WORTH_A_KERNEL;

/// Places of a row in a tile. Windows of shorter rows are better written out.
const ROWS: [i64; 6] = [96, 128, 160, 192, 224, 256];
/// The same for few filters, of which a product takes less time than writing out its windows does.
const ROW_OF_FEW: i64 = 64;
/// Places of a row at least where there are too many windows for that.
const ROW_MIN: i64 = 16;

/// Places of a row in the smallest tile.
const ROW_OF_ONE: i64 = 16;
/// Places at least for which rows of them are joined: fewer had too few workgroups.
const PLACES_MIN: i64 = 128;

/// Rows of the instructions that read shared memory themselves. Fewer filters are their columns.
const INSTRUCTION_ROWS: i64 = 64;

/// By which part of a row tiles may be longer than it.
const SPARE: i64 = 6;

/// Bits of channels of which a step of a product has whole ones.
const STEP_BITS: i64 = 512;

/// Windows for each filter at least for which filters are copied to lie along the channels: their runs along them are short.
const WINDOWS_MIN: i64 = 3;

/// Filters for which an image without windows is copied: for fewer, a product is done with the image before it is copied.
const FILTERS_MIN: i64 = 64;

/// The products that read copies, which must not be in the kernels of these, and the copies, which join elementwise kernels
/// only: what others compute they would write across memory.
#[derive(Default)]
pub(super) struct Apart {
    pub products: FxHashSet<OpId>,
    pub copies: FxHashSet<OpId>,
}

/// Copies what products of some blocks read.
pub(super) fn copy_images(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) -> Apart {
    let (mut copies, mut products, mut is_joined) = (Copies::default(), FxHashSet::default(), false);
    for (op, product) in im2col::of_blocks(ir, blocks, WORTH_A_KERNEL) {
        if let Some(channels) = channels(ir, &product, facts) {
            is_joined |= channels.is_joined;
            products.insert(match channels.is_joined {
                true => read_places(ir, op, &product, channels, &mut copies),
                false => read_windows(ir, op, product, channels, &mut copies),
            });
        }
    }
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some((product, channel)) = short_rows(ir, op, facts) {
            products.insert(read_rows(ir, op, &product, channel));
            is_joined = true;
        }
    }
    if is_joined {
        // What is computed of all places of an image need not know its rows.
        flatten::flatten(ir, blocks);
    }
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some(product) = with_odd_places(ir, op) {
            let input = product.windows;
            let dims = product.along(input);
            let is_sum = |at: &usize| product.sides[dims[*at]] == Side::Sum;
            let order: Vec<usize> =
                (0..dims.len()).filter(|at| !is_sum(at)).chain((0..dims.len()).filter(is_sum)).collect();
            let mut linalg = product.linalg;
            linalg.inputs[input] = copies.of(ir, op, linalg.inputs[input], &order);
            linalg.maps[input] =
                Map::of_dims(product.extents.len(), &order.iter().map(|&at| dims[at]).collect::<Vec<_>>());
            products.insert(write(ir, op, &linalg));
        }
    }
    let copies = copies.0.into_iter().filter_map(|copy| ir.def_op(copy.3)).collect();
    Apart { products, copies }
}

/// The channels of an image whose windows are better read in place.
#[derive(Clone, Copy)]
pub(super) struct Channels {
    /// The dimension of the image along which they lie.
    at: usize,
    /// Their loop.
    d: usize,
    /// Whether all places of an image are one loop.
    is_joined: bool,
}

/// The channels of a product's image, if its windows are better read in place.
pub(super) fn channels(ir: &Ir, product: &Product, facts: &Facts) -> Option<Channels> {
    let (source, view) = &product.view;
    let loops = product.along(product.windows);
    let bits = Scalar::of(&ir[ir.elem_of(*source)]).map(|elem| i64::from(elem.bits()))?;
    let last = *product.along(2).last()?;
    let row = product.extents[last];
    let fills = |size: i64| (row + size - 1) / size * size - row <= row / SPARE;
    let fits = !product.has_open_places()
        && (ROWS.into_iter().any(fills)
            || product.n_filters() <= INSTRUCTION_ROWS && fills(ROW_OF_FEW)
            || row >= ROW_MIN && !product.fits_memory());
    let n_sums = (0..loops.len()).filter(|&d| product.sides[loops[d]] == Side::Sum).count();
    let is_channel = |&(at, d): &(usize, usize)| {
        let others = view.results.iter().enumerate().filter(|&(other, _)| other != at);
        let is_own = !others.into_iter().any(|(_, place)| place.names(&|named| named == d));
        let extent = product.extents[loops[d]];
        product.sides[loops[d]] == Side::Sum && is_own && extent.checked_mul(bits).is_some_and(|n| n % STEP_BITS == 0)
    };
    let dims = view.results.iter().enumerate();
    let mut dims = dims.filter_map(|(at, place)| if let Expr::Dim(d) = place { Some((at, *d as usize)) } else { None });
    let (at, d) = dims.find(is_channel).filter(|_| n_sums > 1)?;
    let n_places = product.n_places();
    let may_join = facts.chip.async_copies
        && n_places > 1
        && !product.has(Side::Batch)
        && !product.has_odd_places(ir)
        && ir.elem_of(product.linalg.inputs[0]) == ir.elem_of(product.linalg.inputs[1])
        && product.n_windows() >= product.n_filters().saturating_mul(WINDOWS_MIN);
    (!product.is_gradient() && (fits || may_join)).then_some(Channels { at, d: loops[d], is_joined: may_join })
}

/// A product of images whose rows begin between words, which are worth a copy.
fn with_odd_places(ir: &Ir, op: OpId) -> Option<Product> {
    let is_product = ir.opcode(op) == Opcode::LinalgGeneric && body::is_contraction(ir, op);
    let linalg = Linalg::try_of(ir, op).filter(|_| is_product)?;
    let last = linalg.maps[2].as_dims()?.last().copied()?;
    let input = (0..2).find(|&i| linalg.maps[i].as_dims().is_some_and(|dims| dims.last() == Some(&last)))?;
    let value = linalg.inputs[input];
    let shape = ir.ty(value).shape()?;
    let view = (value, Map::identity(shape.len()));
    let product = Product::reading(ir, linalg, input, view)?;
    let is_worth = product.n_filters() >= FILTERS_MIN && product.work() >= WORTH_A_KERNEL;
    (is_worth && !product.has(Side::Batch) && product.has_odd_places(ir)).then_some(product)
}

/// Lets a product read windows of a copy of the image.
fn read_windows(
    ir: &mut Ir,
    op: OpId,
    mut product: Product,
    Channels { at, d: channel, .. }: Channels,
    copies: &mut Copies,
) -> OpId {
    let (source, view) = &product.view;
    let order: Vec<usize> = (0..view.results.len()).filter(|&d| d != at).chain([at]).collect();
    let image = copies.of(ir, op, *source, &order);
    let places: Vec<Expr> = order.iter().map(|&d| view.results[d].clone()).collect();
    let filters = product.along(1 - product.windows);
    let last = filters.iter().position(|&d| d == channel).expect("the factors share the sums");
    let order: Vec<usize> = (0..filters.len()).filter(|&d| d != last).chain([last]).collect();
    let input = copies.of(ir, op, product.linalg.inputs[1 - product.windows], &order);
    let filters: Vec<usize> = order.iter().map(|&d| filters[d]).collect();
    // Loops of the view as they lie in memory: the one with the longest steps first.
    let loops = product.along(product.windows);
    let mut lie: Vec<usize> = Vec::new();
    for place in &places {
        let at =
            |d: Option<usize>| place.eval(&(0..loops.len()).map(|e| i64::from(Some(e) == d)).collect::<Vec<_>>(), &[]);
        let is_new = |&d: &usize| !lie.contains(&d) && place.names(&|named| named == d);
        let mut named: Vec<usize> = (0..loops.len()).filter(is_new).collect();
        sort_by_key(&mut named, |&d| std::cmp::Reverse(at(Some(d)).zip(at(None)).map(|(one, none)| one - none)));
        lie.extend(named);
    }
    let number: Vec<Expr> = (0..loops.len())
        .map(|d| Expr::Dim(lie.iter().position(|&other| other == d).expect("windows lie along it") as u32))
        .collect();
    let results = places.iter().map(|place| place.replaced(&number, &[])).collect();
    let map = Map { dims: lie.len() as u32, syms: 0, results };
    let builder = &mut Builder::before(ir, op);
    let extent = |&d: &usize| mixed_loop(builder, &product.linalg, loops[d]).expect("a factor has each loop");
    let sizes: Vec<Mixed> = lie.iter().map(extent).collect();
    let windows = copy_along(builder, image, map, &sizes);
    // Steps of the product go along the channels: theirs is the last loop.
    let n = product.extents.len();
    let new: Vec<usize> = (0..n).filter(|&d| d != channel).chain([channel]).collect();
    let number = |d: &usize| new.iter().position(|other| other == d).expect("each loop has a place");
    let map = |dims: &[usize]| Map::of_dims(n, &dims.iter().map(number).collect::<Vec<_>>());
    let maps = [lie.iter().map(|&d| loops[d]).collect(), filters, product.along(2)].map(|dims: Vec<usize>| map(&dims));
    let linalg = &mut product.linalg;
    linalg.reduction = new.iter().map(|&d| linalg.reduction[d]).collect();
    (linalg.inputs[product.windows], linalg.inputs[1 - product.windows]) = (windows, input);
    for (operand, map) in [product.windows, 1 - product.windows, 2].into_iter().zip(maps) {
        linalg.maps[operand] = map;
    }
    if product.windows == 1 && product.n_filters() < INSTRUCTION_ROWS {
        let linalg = &mut product.linalg;
        linalg.inputs.swap(0, 1);
        linalg.maps.swap(0, 1);
        moved_factors::swap_args(ir, op);
    }
    write(ir, op, &product.linalg)
}

/// Lets a product read the windows of all places of an image, in one loop, by their indices in a copy of the image.
fn read_places(
    ir: &mut Ir,
    op: OpId,
    product: &Product,
    Channels { at, d: channel, .. }: Channels,
    copies: &mut Copies,
) -> OpId {
    let (source, view) = product.view.clone();
    let dims: Vec<usize> = (0..view.results.len()).filter(|&d| d != at).chain([at]).collect();
    let image = copies.of(ir, op, source, &dims);
    let (loops, filters, result) =
        (product.along(product.windows), product.along(1 - product.windows), product.along(2));
    let (outer, places) = result.split_at(result.len() - product.n_places());
    // Sums as the filters have them, and channels behind them.
    let mut own: Vec<usize> = (0..filters.len()).filter(|&d| filters[d] != channel).collect();
    own.extend(filters.iter().position(|&d| d == channel));
    let input = copies.of(ir, op, product.linalg.inputs[1 - product.windows], &own);
    let filters: Vec<usize> = own.iter().map(|&at| filters[at]).collect();
    let of = |loops: &[usize], side: Side| -> Vec<usize> {
        loops.iter().copied().filter(|&d| product.sides[d] == side).collect()
    };
    let (images, sums) = (of(outer, Side::Images), of(&filters, Side::Sum));
    let order = [&images[..], places, &sums].concat();
    let groups = [vec![1; images.len()], vec![places.len()], vec![1; sums.len()]].concat();
    let number = |d: &usize| order.iter().position(|other| other == d).expect("windows lie along it") as u32;
    let numbers: Vec<Expr> = loops.iter().map(|d| Expr::Dim(number(d))).collect();
    let results = dims.iter().map(|&d| view.results[d].replaced(&numbers, &[])).collect();
    let map = Map { dims: order.len() as u32, syms: 0, results };
    let builder = &mut Builder::before(ir, op);
    let windows = product.taken(builder, &order, &groups, image, &map);
    let joined = [vec![1; outer.len()], vec![places.len()]].concat();
    if product.windows == 0 {
        moved_factors::swap_args(ir, op);
    }
    join_places(ir, op, product, [(input, &filters), (windows, &order)], &joined, channel)
}

/// The channels of an image where they lie last, if rows of the result's places leave much of tiles empty.
pub(super) fn short_rows(ir: &Ir, op: OpId, facts: &Facts) -> Option<(Product, usize)> {
    let product = Product::with_filters_last(ir, op).filter(|_| facts.chip.async_copies)?;
    let (source, view) = &product.view;
    let bits = Scalar::of(&ir[ir.elem_of(*source)]).map(|elem| i64::from(elem.bits()))?;
    let (last, others) = view.results.split_last()?;
    let Expr::Dim(d) = *last else { return None };
    let is_own = !others.iter().any(|place| place.names(&|named| named == d as usize));
    let channel = product.along(0)[d as usize];
    let are_whole = product.extents[channel].checked_mul(bits).is_some_and(|n| n % STEP_BITS == 0);
    let place = product.along(2).into_iter().rfind(|&d| product.sides[d] == Side::Places)?;
    let row = product.extents[place];
    let fills = |size: i64| (row + size - 1) / size * size - row <= row / SPARE;
    let fits = product.sides[channel] == Side::Sum && is_own && are_whole && !fills(ROW_OF_ONE);
    let are_many = product.n_windows() >= PLACES_MIN && product.work() >= WORTH_A_KERNEL;
    (fits && are_many).then_some((product, channel))
}

/// Lets a product read the windows of all places of all images, in one loop, by their indices in the image.
fn read_rows(ir: &mut Ir, op: OpId, product: &Product, channel: usize) -> OpId {
    let (source, view) = product.view.clone();
    let (loops, filters, result) = (product.along(0), product.along(1), product.along(2));
    let (places, _) = result.split_at(product.n_places());
    let mut sums: Vec<usize> = loops.iter().copied().filter(|&d| product.sides[d] == Side::Sum).collect();
    sums.retain(|&d| d != channel);
    sums.push(channel);
    let order = [places, &sums].concat();
    let groups = [vec![places.len()], vec![1; sums.len()]].concat();
    let number = |d: &usize| order.iter().position(|other| other == d).expect("windows lie along it") as u32;
    let numbers: Vec<Expr> = loops.iter().map(|d| Expr::Dim(number(d))).collect();
    let results = view.results.iter().map(|place| place.replaced(&numbers, &[])).collect();
    let map = Map { dims: order.len() as u32, syms: 0, results };
    let builder = &mut Builder::before(ir, op);
    let windows = product.taken(builder, &order, &groups, source, &map);
    let joined = [vec![places.len()], vec![1; result.len() - places.len()]].concat();
    join_places(ir, op, product, [(windows, &order), (product.linalg.inputs[1], &filters)], &joined, channel)
}

/// Puts a product of these factors, each along some loops, in the place of one: its first place stands for all, of which the
/// result has one dimension, and steps go along the channels, whose loop is the last one.
fn join_places(
    ir: &mut Ir,
    op: OpId,
    product: &Product,
    factors: [(ValueId, &[usize]); 2],
    joined: &[usize],
    channel: usize,
) -> OpId {
    let result = product.along(2);
    let places: Vec<usize> = result.iter().copied().filter(|&d| product.sides[d] == Side::Places).collect();
    let is_kept = |d: &usize| *d == places[0] || !places.contains(d);
    let is_other = |d: &usize| is_kept(d) && *d != channel;
    let kept: Vec<usize> = (0..product.extents.len()).filter(is_other).chain([channel]).collect();
    let number = |d: &usize| kept.iter().position(|other| other == d).expect("each loop has a place");
    let map =
        |dims: &[usize]| Map::of_dims(kept.len(), &dims.iter().filter(|d| is_kept(d)).map(number).collect::<Vec<_>>());
    let builder = &mut Builder::before(ir, op);
    let output = product.linalg.outputs[0];
    let sizes: Vec<Mixed> = (0..result.len()).map(|d| mixed_extent(builder, output, d)).collect();
    let linalg = Linalg {
        inputs: factors.iter().map(|factor| factor.0).collect(),
        outputs: vec![collapse(builder, output, joined)],
        maps: vec![map(factors[0].1), map(factors[1].1), map(&result)],
        reduction: kept.iter().map(|&d| product.linalg.reduction[d]).collect(),
    };
    let new = generic(builder, &linalg, &[]);
    builder.copy_regions(op, new, &mut ValueMap::default());
    let value = builder.ir.result(new, 0);
    let wide = expand(builder, value, joined, &sizes);
    let old = ir.result(op, 0);
    ir.replace_uses(old, wide);
    ir.erase(op);
    new
}

/// Puts a product with other operands and loops in the place of one, and says which it is.
fn write(ir: &mut Ir, op: OpId, linalg: &Linalg) -> OpId {
    let builder = &mut Builder::before(ir, op);
    let new = generic(builder, linalg, &[]);
    builder.copy_regions(op, new, &mut ValueMap::default());
    let (old, result) = (ir.result(op, 0), ir.result(new, 0));
    ir.replace_uses(old, result);
    ir.erase(op);
    new
}

/// Copies that there are already: in a block, of a tensor, with its dimensions in this order.
#[derive(Default)]
struct Copies(Vec<(BlockId, ValueId, Vec<usize>, ValueId)>);

impl Copies {
    /// A tensor with its dimensions in another order, for an operation.
    fn of(&mut self, ir: &mut Ir, op: OpId, value: ValueId, order: &[usize]) -> ValueId {
        if order.is_sorted() {
            return value;
        }
        let block = ir.parent_block(op).expect("a product stands in a block");
        let is_same =
            |copy: &&(BlockId, ValueId, Vec<usize>, ValueId)| copy.0 == block && copy.1 == value && copy.2 == order;
        if let Some(copy) = self.0.iter().find(is_same) {
            return copy.3;
        }
        let builder = &mut Builder::before(ir, op);
        let sizes: Vec<Mixed> = order.iter().map(|&d| mixed_extent(builder, value, d)).collect();
        let place = |d: usize| order.iter().position(|&other| other == d).expect("each dimension has a place");
        let map = Map::of_dims(order.len(), &(0..order.len()).map(place).collect::<Vec<_>>());
        let copy = copy_along(builder, value, map, &sizes);
        self.0.push((block, value, order.to_vec(), copy));
        copy
    }
}
