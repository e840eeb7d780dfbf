//! Extents that only the run knows: what follows from them, and which of them a lowered kernel takes as arguments.
//!
//! `raddle.grid = {map = affine_map<()[s0] -> (s0 ceildiv 64, 1, 1)>, of = [array<i64: 0, 1>]}` on a kernel stands for
//! `gpu.known_grid_size` where that would not be numbers: each symbol is a dimension of an argument, or, as
//! `array<i64: 3>`, an argument that is a number.
//! `raddle.extents = [array<i64: 0, 1>]` says that the last argument of a lowered kernel is the extent that dimension 1 of
//! argument 0 had before that became linear memory.

use crate::affine::Map;
use crate::attrs::Attr;
use crate::diag::{Code, Diag};
use crate::ids::{AttrId, OpId};
use crate::ir::Ir;
use crate::types::Type;

const GRID: &str = "raddle.grid";
const EXTENTS: &str = "raddle.extents";

/// A number that is known when the arguments are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    /// The extent of an argument along a dimension.
    Extent(usize, usize),
    /// An argument that is a number itself.
    Number(usize),
}

/// Numbers that follow from what is known when the arguments are: a grid, or the extents of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// What each symbol is.
    pub of: Vec<Known>,
    /// A map of symbols only.
    pub map: Map,
}

impl Sizes {
    /// The numbers; `None` where one of them overflows or divides by a number below 1.
    pub fn eval(&self, known: impl Fn(Known) -> Option<i64>) -> Option<Vec<i64>> {
        let symbols = self.of.iter().map(|&symbol| known(symbol)).collect::<Option<Vec<i64>>>()?;
        self.map.eval(&[], &symbols)
    }

    /// The grid of a kernel, if it depends on the arguments.
    pub fn grid(ir: &Ir, func: OpId) -> Result<Option<Sizes>, Diag> {
        let Some(attr) = ir.attr_id(func, GRID) else { return Ok(None) };
        let read = || {
            let Attr::Map(map) = &ir[ir.dict_get(attr, "map")?] else { return None };
            let of = knowns(ir, ir.dict_get(attr, "of")?)?;
            Some(Sizes { of, map: map.clone() })
        };
        let fits = |sizes: &Sizes| {
            let map = &sizes.map;
            (map.dims, map.syms as usize, map.results.len()) == (0, sizes.of.len(), 3)
                && sizes.of.iter().all(|&known| is_there(ir, func, known))
        };
        read().filter(fits).map(Some).ok_or_else(|| {
            Diag::error(Code::BadAttribute, ir.span(func), format!("`{GRID}` does not describe a grid of this function"))
                .note("`map` gives three numbers from symbols; `of` says for each symbol which argument, or which dimension of an argument, it is")
                .help("for example {map = affine_map<()[s0] -> (s0 ceildiv 64, 1, 1)>, of = [array<i64: 0, 1>]}")
        })
    }

    /// Writes them on a kernel as its grid.
    pub fn write_grid(&self, ir: &mut Ir, func: OpId) {
        let map = ir.intern(Attr::Map(self.map.clone()));
        let of = list(ir, &self.of);
        let attr = ir.dict(&[("map", map), ("of", of)]);
        ir.set_attr(func, GRID, attr);
    }
}

/// Which extents of other arguments the last arguments of a lowered kernel are: argument and dimension.
pub fn taken(ir: &Ir, func: OpId) -> Result<Vec<(usize, usize)>, Diag> {
    let Some(attr) = ir.attr_id(func, EXTENTS) else { return Ok(Vec::new()) };
    let (inputs, _) = ir.signature(func);
    let read = || {
        let extent = |known| match known {
            Known::Extent(argument, dim) => Some((argument, dim)),
            Known::Number(_) => None,
        };
        let list = knowns(ir, attr)?.into_iter().map(extent).collect::<Option<Vec<_>>>()?;
        let first = inputs.len().checked_sub(list.len())?;
        let fits =
            list.iter().all(|&(argument, _)| argument < first && matches!(ir[inputs[argument]], Type::MemRef { .. }));
        (fits && inputs[first..].iter().all(|&ty| ir[ty] == Type::Index)).then_some(list)
    };
    read().ok_or_else(|| {
        Diag::error(Code::BadAttribute, ir.span(func), format!("`{EXTENTS}` does not describe the last arguments"))
            .note("it says for each of the last arguments, which are of type `index`, an argument that is a memref, and its dimension")
    })
}

/// Says which extents the last arguments of a kernel are.
pub fn write_taken(ir: &mut Ir, func: OpId, extents: &[(usize, usize)]) {
    let known: Vec<Known> = extents.iter().map(|&(argument, dim)| Known::Extent(argument, dim)).collect();
    let attr = list(ir, &known);
    ir.set_attr(func, EXTENTS, attr);
}

fn knowns(ir: &Ir, attr: AttrId) -> Option<Vec<Known>> {
    let Attr::Array(list) = &ir[attr] else { return None };
    let known = |&entry: &AttrId| {
        let place = ir.ints(entry)?.into_iter().map(|at| usize::try_from(at).ok()).collect::<Option<Vec<_>>>()?;
        match place[..] {
            [argument] => Some(Known::Number(argument)),
            [argument, dim] => Some(Known::Extent(argument, dim)),
            _ => None,
        }
    };
    list.iter().map(known).collect()
}

fn list(ir: &mut Ir, known: &[Known]) -> AttrId {
    let entries = known.iter().map(|&known| match known {
        Known::Extent(argument, dim) => ir.dense_i64(&[argument as i64, dim as i64]),
        Known::Number(argument) => ir.dense_i64(&[argument as i64]),
    });
    let entries = entries.collect();
    ir.intern(Attr::Array(entries))
}

fn is_there(ir: &Ir, func: OpId, known: Known) -> bool {
    let (inputs, _) = ir.signature(func);
    let ty = |argument: usize| inputs.get(argument).map(|&ty| &ir[ty]);
    match known {
        Known::Extent(argument, dim) => {
            ty(argument).is_some_and(|ty| ty.shape().is_some_and(|shape| dim < shape.len()))
        }
        Known::Number(argument) => matches!(ty(argument), Some(Type::Index | Type::Integer { .. })),
    }
}
