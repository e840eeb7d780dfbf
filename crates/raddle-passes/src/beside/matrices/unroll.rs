//! Contractions on tiles of one instruction.
//!
//! Tiles of operands are asked for: of a read a smaller read, of a constant a smaller constant, of an elementwise
//! operation the same on tiles, of what is a grid of tiles one of those, of anything else a slice. Grids go on from
//! contractions to elementwise operations, to writes, and around loops.

use std::collections::BTreeMap;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, BlockId, Builder, Class, Def, Expr, Ir, Map, OpId, Opcode, Point, TypeId, ValueId, ValueMap};
use rustc_hash::FxHashMap;

use super::{Way, instruction, product};
use crate::clean;
use crate::lay_out::permutation;

/// A vector as tiles of one size.
#[derive(Clone)]
struct Grid {
    size: Vec<i64>,
    /// The tile that begins at each position.
    tiles: BTreeMap<Vec<i64>, ValueId>,
}

/// Where a tile of a value begins, and how large it is.
type Place = (ValueId, Vec<i64>, Vec<i64>);

struct Cx {
    way: Way,
    grids: FxHashMap<ValueId, Grid>,
    /// Tiles that were asked for before.
    known: FxHashMap<Place, ValueId>,
    /// Operations that nothing needs any more.
    dead: Vec<OpId>,
}

/// Unrolls the contractions of a function to the instructions of one way; says whether anything changed.
pub fn unroll(ir: &mut Ir, func: OpId, way: Way) -> bool {
    let mut changed = clean::canonicalize(ir, func);
    let mut cx = Cx { way, grids: FxHashMap::default(), known: FxHashMap::default(), dead: Vec::new() };
    let blocks: Vec<BlockId> = ir.regions(func).iter().flat_map(|&region| ir.blocks(region).to_vec()).collect();
    for block in blocks {
        changed |= block_of(ir, &mut cx, block);
    }
    for op in std::mem::take(&mut cx.dead) {
        ir.erase(op);
    }
    if changed {
        clean::canonicalize(ir, func);
    }
    changed
}

fn block_of(ir: &mut Ir, cx: &mut Cx, block: BlockId) -> bool {
    let mut changed = false;
    for op in ir.ops_of(block) {
        changed |= match ir.opcode(op) {
            Opcode::VectorContract => contract(ir, cx, op),
            Opcode::ScfFor => carry(ir, cx, op),
            Opcode::VectorTransferWrite => write(ir, cx, op),
            Opcode::VectorTranspose => transpose(ir, cx, op),
            _ if ir.class(op) == Class::Elementwise => elementwise(ir, cx, op),
            _ => inside(ir, cx, op),
        };
    }
    changed
}

fn inside(ir: &mut Ir, cx: &mut Cx, op: OpId) -> bool {
    let blocks: Vec<BlockId> = ir.regions(op).iter().flat_map(|&region| ir.blocks(region).to_vec()).collect();
    blocks.into_iter().fold(false, |changed, block| block_of(ir, cx, block) | changed)
}

/// The positions at which tiles of a size begin; `None` where they do not fill the shape.
fn starts(shape: &[i64], size: &[i64]) -> Option<Vec<Vec<i64>>> {
    let even = shape.len() == size.len() && shape.iter().zip(size).all(|(extent, size)| extent % size == 0);
    let mut all = vec![Vec::new()];
    for (&extent, &size) in shape.iter().zip(size) {
        let along = |at: Vec<i64>| (0..extent).step_by(size as usize).map(move |i| [&at[..], &[i]].concat());
        all = all.into_iter().flat_map(along).collect();
    }
    even.then_some(all)
}

/// A contraction as contractions of one instruction each, k outermost: neighbours do not wait for one another.
fn contract(ir: &mut Ir, cx: &mut Cx, op: OpId) -> bool {
    let Some(whole) = product(ir, op) else { return false };
    let divides = |mnk: [i64; 3]| whole.mnk.iter().zip(mnk).all(|(extent, size)| extent % size == 0);
    let Some(row) = instruction(cx.way, whole.types, divides).filter(|row| [row.m, row.n, row.k] != whole.mnk) else {
        return false;
    };
    let view = Contract::of(ir, op);
    let dims: Option<Vec<Vec<usize>>> = view.maps.iter().map(Map::as_dims).collect();
    let dims = dims.expect("roles come from lists of loops");
    let mut sizes = [0; 3];
    let mut extents = [0; 3];
    let along = [whole.roles.m, whole.roles.n, whole.roles.k];
    for ((d, size), extent) in along.into_iter().zip([row.m, row.n, row.k]).zip(whole.mnk) {
        (sizes[d], extents[d]) = (size, extent);
    }
    let size = |i: usize| dims[i].iter().map(|&d| sizes[d]).collect::<Vec<i64>>();
    let (attrs, result) = (ir.attr_dict(op), ir.result(op, 0));
    let mut grid = Grid { size: size(2), tiles: BTreeMap::new() };
    for k in (0..whole.mnk[2]).step_by(row.k as usize) {
        for m in (0..whole.mnk[0]).step_by(row.m as usize) {
            for n in (0..whole.mnk[1]).step_by(row.n as usize) {
                let mut start = [0; 3];
                for (d, i) in along.into_iter().zip([m, n, k]) {
                    start[d] = i;
                }
                let at = |i: usize| dims[i].iter().map(|&d| start[d]).collect::<Vec<i64>>();
                let lhs = tile(ir, cx, view.lhs, &at(0), &size(0));
                let rhs = tile(ir, cx, view.rhs, &at(1), &size(1));
                let acc = match grid.tiles.get(&at(2)) {
                    Some(&sum) => sum,
                    None => tile(ir, cx, view.acc, &at(2), &size(2)),
                };
                let (ty, span) = (ir.type_of(acc), ir.span(op));
                let sum = ir.create_named(Opcode::VectorContract.name(), &[lhs, rhs, acc], &[ty], attrs, span);
                ir.insert_before(op, sum);
                grid.tiles.insert(at(2), ir.result(sum, 0));
            }
        }
    }
    replace(ir, cx, op, result, grid);
    true
}

/// Lets a grid stand for the result of an operation.
fn replace(ir: &mut Ir, cx: &mut Cx, op: OpId, result: ValueId, grid: Grid) {
    let ty = ir.type_of(result);
    let together = together(&mut Builder::before(ir, op), ty, &grid);
    cx.grids.insert(together, grid);
    ir.replace_uses(result, together);
    cx.dead.push(op);
}

/// The vector that a grid is, for those who need it whole.
fn together(builder: &mut Builder<'_>, ty: TypeId, grid: &Grid) -> ValueId {
    let mut whole = builder.splat(0.0, ty);
    for (at, &tile) in &grid.tiles {
        whole = builder.insert_strided_slice(tile, whole, at);
    }
    whole
}

/// Where what is computed of a value can stand: behind its definition.
fn behind(ir: &mut Ir, value: ValueId) -> Builder<'_> {
    match ir.def(value) {
        Def::Result { op, .. } => {
            let next = ir.next_op(op).expect("a vector's maker does not end a block");
            let span = ir.span(op);
            let mut builder = Builder::before(ir, next);
            builder.span = span;
            builder
        }
        Def::Arg { block, .. } => {
            let first = ir.first_op(block).expect("a block has an end");
            Builder::before(ir, first)
        }
    }
}

/// One tile of a value.
fn tile(ir: &mut Ir, cx: &mut Cx, value: ValueId, at: &[i64], size: &[i64]) -> ValueId {
    if ir.shape_of(value) == size {
        return value;
    }
    if let Some(grid) = cx.grids.get(&value)
        && grid.size == size
        && let Some(&tile) = grid.tiles.get(at)
    {
        return tile;
    }
    let place = (value, at.to_vec(), size.to_vec());
    if let Some(&tile) = cx.known.get(&place) {
        return tile;
    }
    let tile = make_tile(ir, cx, value, at, size);
    cx.known.insert(place, tile);
    tile
}

fn make_tile(ir: &mut Ir, cx: &mut Cx, value: ValueId, at: &[i64], size: &[i64]) -> ValueId {
    let ty = tile_type(ir, value, size);
    let maker = ir.def_op(value);
    match maker.map(|op| (op, ir.opcode(op), ir.class(op))) {
        Some((op, Opcode::VectorTransferRead, _)) if Transfer::of(ir, op).mask.is_none() => {
            let view = Transfer::of(ir, op);
            let padding = view.padding.expect("a read has a padding");
            let mut builder = behind(ir, value);
            let indices = moved(&mut builder, &view, at);
            builder.transfer_read(view.base, &indices, padding, view.map, &view.in_bounds, ty)
        }
        Some((op, Opcode::ArithConstant, _))
            if matches!(ir.attr(op, "value"), Some(Attr::Dense { splat: true, .. })) =>
        {
            let Some(Attr::Dense { bytes, .. }) = ir.attr(op, "value").cloned() else { unreachable!("it is dense") };
            behind(ir, value).constant(Attr::Dense { ty, splat: true, bytes }, ty)
        }
        Some((op, Opcode::VectorBroadcast, _)) => {
            let source = ir.operand(op, 0);
            let source = if ir.ty(source).is_vector() {
                // Trailing dimensions are the source's; those of extent 1 stretch.
                let shape = ir.shape_of(source).to_vec();
                let lead = size.len() - shape.len();
                let part = |list: &[i64], one: i64| -> Vec<i64> {
                    list[lead..].iter().zip(&shape).map(|(&i, &extent)| if extent == 1 { one } else { i }).collect()
                };
                tile(ir, cx, source, &part(at, 0), &part(size, 1))
            } else {
                source
            };
            behind(ir, value).broadcast(source, ty)
        }
        Some((op, Opcode::VectorTranspose, _)) => {
            let (source, perm) = (ir.operand(op, 0), permutation(ir, op));
            let turned = |list: &[i64]| {
                let mut old = vec![0; list.len()];
                perm.iter().zip(list).for_each(|(&d, &i)| old[d] = i);
                old
            };
            let source = tile(ir, cx, source, &turned(at), &turned(size));
            behind(ir, value).transpose(source, &perm)
        }
        Some((op, _, Class::Elementwise)) if ir.results(op).len() == 1 && ir.regions(op).is_empty() => {
            let operands = tiles_of(ir, cx, op, at, size);
            let (name, attrs) = (ir.name(op).to_owned(), ir.attr_dict(op));
            let mut builder = behind(ir, value);
            let new = builder.ir.create_named(&name, &operands, &[ty], attrs, builder.span);
            builder.place(new);
            ir.result(new, 0)
        }
        _ => {
            let mut builder = behind(ir, value);
            let ones = vec![1; at.len()];
            let lists = [at, size, &ones].map(|list| builder.ir.i64_array(list));
            let attrs = [("offsets", lists[0]), ("sizes", lists[1]), ("strides", lists[2])];
            builder.value(Opcode::VectorExtractStridedSlice, &[value], ty, &attrs)
        }
    }
}

fn tile_type(ir: &mut Ir, value: ValueId, size: &[i64]) -> TypeId {
    let elem = ir.elem_of(value);
    ir.vector_type(size, elem)
}

/// The operands of an elementwise operation on a tile; scalars serve all tiles.
fn tiles_of(ir: &mut Ir, cx: &mut Cx, op: OpId, at: &[i64], size: &[i64]) -> Vec<ValueId> {
    let operands = ir.operands(op).to_vec();
    let part = |value| if ir.ty(value).is_vector() { tile(ir, cx, value, at, size) } else { value };
    operands.into_iter().map(part).collect()
}

/// The indices of a transfer's tile.
fn moved(builder: &mut Builder<'_>, view: &Transfer, at: &[i64]) -> Vec<ValueId> {
    let mut indices = view.indices.clone();
    for (expr, &i) in view.map.results.iter().zip(at) {
        if let (Expr::Dim(p), 1..) = (expr, i) {
            let results = vec![Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const(i))];
            indices[*p as usize] = builder.apply(Map { dims: 1, syms: 0, results }, &[indices[*p as usize]]);
        }
    }
    indices
}

/// An elementwise operation on tiles, where an operand is a grid of them.
fn elementwise(ir: &mut Ir, cx: &mut Cx, op: OpId) -> bool {
    let size = ir.operands(op).iter().find_map(|value| Some(cx.grids.get(value)?.size.clone()));
    let Some(size) = size.filter(|_| ir.results(op).len() == 1 && ir.regions(op).is_empty()) else { return false };
    let result = ir.result(op, 0);
    let Some(starts) = starts(ir.shape_of(result), &size) else { return false };
    let mut grid = Grid { size, tiles: BTreeMap::new() };
    for at in starts {
        let operands = tiles_of(ir, cx, op, &at, &grid.size);
        let ty = tile_type(ir, result, &grid.size);
        let (name, attrs) = (ir.name(op).to_owned(), ir.attr_dict(op));
        let new = ir.create_named(&name, &operands, &[ty], attrs, ir.span(op));
        ir.insert_before(op, new);
        grid.tiles.insert(at, ir.result(new, 0));
    }
    replace(ir, cx, op, result, grid);
    true
}

/// A transposed grid as a grid of transposed tiles.
fn transpose(ir: &mut Ir, cx: &mut Cx, op: OpId) -> bool {
    let (source, result, perm) = (ir.operand(op, 0), ir.result(op, 0), permutation(ir, op));
    let Some(old) = cx.grids.get(&source).cloned() else { return false };
    let turned = |list: &[i64]| perm.iter().map(|&d| list[d]).collect::<Vec<i64>>();
    let mut grid = Grid { size: turned(&old.size), tiles: BTreeMap::new() };
    for (at, &tile) in &old.tiles {
        let tile = Builder::before(ir, op).transpose(tile, &perm);
        grid.tiles.insert(turned(at), tile);
    }
    replace(ir, cx, op, result, grid);
    true
}

/// A write of a grid as writes of its tiles.
fn write(ir: &mut Ir, cx: &mut Cx, op: OpId) -> bool {
    let view = Transfer::of(ir, op);
    let Some(vector) = view.vector else { return false };
    // A write to a tensor makes a new one, and each of several would make its own.
    let Some(grid) = cx.grids.get(&vector).filter(|_| view.mask.is_none() && ir.results(op).len() == 0).cloned() else {
        return false;
    };
    for (at, tile) in grid.tiles {
        let mut builder = Builder::before(ir, op);
        let indices = moved(&mut builder, &view, &at);
        builder.transfer_write(tile, view.base, &indices, view.map.clone(), &view.in_bounds);
    }
    cx.dead.push(op);
    true
}

/// A loop that carries tiles where a contraction inside adds to what it carries.
fn carry(ir: &mut Ir, cx: &mut Cx, op: OpId) -> bool {
    let old_body = ir.entry(op);
    let args = ir.args(old_body).to_vec();
    let asked: Vec<Option<Vec<i64>>> = args[1..].iter().map(|&arg| wanted(ir, cx, arg)).collect();
    if asked.iter().all(Option::is_none) {
        return inside(ir, cx, op);
    }
    // What has the same shape will meet it, and is carried alike.
    let alike = |arg: ValueId| {
        let mut others = args[1..].iter().zip(&asked).filter(|(other, _)| ir.shape_of(**other) == ir.shape_of(arg));
        others.find_map(|(_, size)| size.clone())
    };
    let sizes: Vec<Option<Vec<i64>>> = args[1..].iter().map(|&arg| alike(arg)).collect();
    let operands = ir.operands(op).to_vec();
    // The places of each carried value's tiles, and what the new loop starts with.
    let mut places: Vec<Option<Vec<Vec<i64>>>> = Vec::new();
    let mut inits = Vec::new();
    for (&init, size) in operands[3..].iter().zip(&sizes) {
        let place = size.as_ref().and_then(|size| starts(ir.shape_of(init), size));
        match (&place, size) {
            (Some(all), Some(size)) => inits.extend(all.iter().map(|at| tile(ir, cx, init, at, size))),
            _ => inits.push(init),
        }
        places.push(place);
    }
    let grids_of = |values: &[ValueId]| -> Vec<(Option<Grid>, ValueId)> {
        let mut rest = values.iter().copied();
        let grid = |(all, size): (&Option<Vec<Vec<i64>>>, &Option<Vec<i64>>)| {
            let (Some(all), Some(size)) = (all, size) else { return (None, rest.next().expect("one value")) };
            let tiles: BTreeMap<Vec<i64>, ValueId> = all.iter().cloned().zip(rest.by_ref()).collect();
            let first = *tiles.values().next().expect("a grid has tiles");
            (Some(Grid { size: size.clone(), tiles }), first)
        };
        places.iter().zip(&sizes).map(grid).collect()
    };
    let types: Vec<TypeId> = inits.iter().map(|&init| ir.type_of(init)).collect();
    let (attrs, span, olds) = (ir.attr_dict(op), ir.span(op), ir.results(op).collect::<Vec<_>>());
    let new = ir.create_named(Opcode::ScfFor.name(), &[&operands[..3], &inits].concat(), &types, attrs, span);
    ir.insert_before(op, new);
    let iv = ir.type_of(args[0]);
    let region = ir.add_region(new);
    let body = ir.add_block(region, &[&[iv], &types[..]].concat());
    let new_args = ir.args(body).to_vec();
    let mut map = ValueMap::default();
    map.set(args[0], new_args[0]);
    let mut builder = Builder::at_end(ir, body, span);
    for ((grid, first), &arg) in grids_of(&new_args[1..]).into_iter().zip(&args[1..]) {
        map.set(arg, whole(&mut builder, cx, grid, first, arg));
    }
    for inner in builder.ir.ops_of(old_body) {
        builder.copy(inner, &mut map);
    }
    block_of(ir, cx, body);
    // What the loop yields is known now.
    let end = ir.terminator(body).expect("a loop's block has an end");
    let mut yields = Vec::new();
    for ((value, place), size) in ir.operands(end).to_vec().into_iter().zip(&places).zip(&sizes) {
        match (place, size) {
            (Some(all), Some(size)) => yields.extend(all.iter().map(|at| tile(ir, cx, value, at, size))),
            _ => yields.push(value),
        }
    }
    ir.set_operands(end, &yields);
    let results: Vec<ValueId> = ir.results(new).collect();
    for ((grid, first), old) in grids_of(&results).into_iter().zip(olds) {
        let mut builder = Builder { at: Point::Before(op), span, ir };
        let value = whole(&mut builder, cx, grid, first, old);
        builder.ir.replace_uses(old, value);
    }
    ir.erase(op);
    true
}

/// A carried value: put together of a grid that is remembered, or as it is.
fn whole(builder: &mut Builder<'_>, cx: &mut Cx, grid: Option<Grid>, only: ValueId, old: ValueId) -> ValueId {
    let Some(grid) = grid else { return only };
    let ty = builder.ir.type_of(old);
    let value = together(builder, ty, &grid);
    cx.grids.insert(value, grid);
    value
}

/// The tiles of the contraction that adds to a carried value, through loops inside.
fn wanted(ir: &Ir, cx: &Cx, arg: ValueId) -> Option<Vec<i64>> {
    if !ir.ty(arg).is_vector() {
        return None;
    }
    ir.uses(arg).find_map(|(user, index)| match ir.opcode(user) {
        Opcode::VectorContract if index == 2 => {
            let whole = product(ir, user)?;
            let divides = |mnk: [i64; 3]| whole.mnk.iter().zip(mnk).all(|(extent, size)| extent % size == 0);
            let row = instruction(cx.way, whole.types, divides)?;
            let size = |d: usize| if d == whole.roles.m { row.m } else { row.n };
            let dims = Contract::of(ir, user).maps[2].as_dims()?;
            let size: Vec<i64> = dims.into_iter().map(size).collect();
            (ir.shape_of(arg) != size).then_some(size)
        }
        Opcode::ScfFor if index >= 3 => wanted(ir, cx, ir.args(ir.entry(user))[index - 2]),
        _ => None,
    })
}
