//! Lower extents: those of arguments that only the run knows become arguments of their own, behind the others.
//!
//! Before: `func.func @f(%m: memref<?x64xf32>, %o: memref<?xf32>)`
//! After:  `func.func @f(%m, %o, %rows: index, %n: index) attributes {raddle.extents = [array<i64: 0, 0>, array<i64: 1, 0>]}`
//!
//! Memrefs become linear memory, whose types say nothing of extents. Parts of the bindings of a dispatch whose extents
//! are the same expression of its constants share an argument. The grid is a map of these arguments from here on.

use raddle_ir::extents::{self, Known, Sizes};
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{DYNAMIC, Diag, Expr, Ir, Map, OpId, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

/// Gives a kernel an argument for each extent that is open; says which one it is for each memref and dimension.
pub(super) fn take(ir: &mut Ir, func: OpId) -> Result<FxHashMap<(ValueId, usize), ValueId>, Diag> {
    let entry = ir.entry(func);
    let args = ir.args(entry).to_vec();
    let mut found = FxHashMap::default();
    let mut taken = extents::taken(ir, func)?;
    for (&(argument, dim), &extent) in taken.iter().zip(&args[args.len() - taken.len()..]) {
        found.insert((args[argument], dim), extent);
    }
    let interface = Interface::of(ir, func)?;
    let expression = |argument: usize, dim: usize| -> Option<Expr> {
        let interface = interface.as_ref()?;
        match interface.arguments.iter().chain(&interface.results).nth(argument)? {
            Slot::Binding { extents, .. } => extents.results.get(dim).cloned(),
            Slot::Constant(_) => None,
        }
    };
    let grid = Sizes::grid(ir, func)?;
    let index = ir.index_type();
    let mut known: Vec<(Expr, ValueId)> = Vec::new();
    for (argument, &arg) in args.iter().enumerate() {
        let Type::MemRef { shape, .. } = ir.ty(arg).clone() else { continue };
        for (dim, _) in shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC) {
            if found.contains_key(&(arg, dim)) {
                continue;
            }
            let expr = expression(argument, dim);
            let same = known.iter().find(|(other, _)| Some(other) == expr.as_ref()).map(|(_, value)| *value);
            let extent = same.unwrap_or_else(|| {
                taken.push((argument, dim));
                ir.add_block_arg(entry, index)
            });
            if let (Some(expr), None) = (expr, same) {
                known.push((expr, extent));
            }
            found.insert((arg, dim), extent);
        }
    }
    if taken.is_empty() {
        return Ok(found);
    }
    let inputs: Vec<TypeId> = ir.args(entry).iter().map(|&arg| ir.type_of(arg)).collect();
    let results = ir.signature(func).1.to_vec();
    ir.set_signature(func, &inputs, &results);
    extents::write_taken(ir, func, &taken);
    if let Some(grid) = grid {
        of_arguments(ir, func, &grid, &args, &found).write_grid(ir, func);
    }
    Ok(found)
}

/// A grid of extents as one of the arguments that these have become.
fn of_arguments(
    ir: &Ir,
    func: OpId,
    grid: &Sizes,
    args: &[ValueId],
    extents: &FxHashMap<(ValueId, usize), ValueId>,
) -> Sizes {
    let all = ir.args(ir.entry(func));
    let mut of: Vec<Known> = Vec::new();
    let mut symbol = |known: Known| {
        let at = of.iter().position(|&other| other == known).unwrap_or_else(|| {
            of.push(known);
            of.len() - 1
        });
        Expr::Sym(at as u32)
    };
    let syms: Vec<Expr> = (grid.of.iter())
        .map(|&known| match known {
            Known::Number(_) => symbol(known),
            Known::Extent(argument, dim) => match extents.get(&(args[argument], dim)) {
                Some(extent) => {
                    let at = all.iter().position(|arg| arg == extent).expect("an extent is an argument");
                    symbol(Known::Number(at))
                }
                None => Expr::Const(ir.shape_of(args[argument])[dim]),
            },
        })
        .collect();
    let results = grid.map.results.iter().map(|expr| expr.replaced(&[], &syms)).collect();
    Sizes { map: Map { dims: 0, syms: of.len() as u32, results }, of }
}
