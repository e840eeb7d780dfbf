//! Factors in shared memory by rows: each lane names a row of 16 bytes, and all get their words of it.
//!
//! A matrix of 8 x 8 words of the factor lies in a lane's consecutive slots as `nvgpu.ldmatrix` deals it out: the word of
//! lane `l` is that at row `l / 4` and column `l mod 4`. Where the memory has rows the other way, elements of 16 bits are
//! dealt out transposed.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Transfer;
use raddle_ir::{Builder, Expr, Ir, Scalar, Type, ValueId};
use raddle_target::catalogue::{Map, Token};

use super::convert::moved;
use super::forms::{Form, parts, run};
use crate::code::is_multiple;
use crate::distribute::{ROW, load_matrices};

/// How the memory has the rows of a factor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Along the dimension that a word runs along.
    Along,
    /// Across it.
    Across,
}

/// Each lane's part of what is read, where rows of shared memory make it.
pub fn read(builder: &mut Builder<'_>, view: &Transfer, form: &Form, lane: ValueId) -> Option<ValueId> {
    let map = form.map()?;
    let rows = rows(builder.ir, view, form, map)?;
    let ([n_tiles, per_word], (along, _)) = (parts(map), run(map));
    let of = |op, lhs, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
    let digit = |stride: i64, extent: i64| of(BinOp::Mod, of(BinOp::FloorDiv, Expr::Dim(0), stride), extent);
    // A lane names a row of one matrix; eight neighbours name those of the next.
    let named = if rows == Rows::Along { 1 - along } else { along };
    let mut place = [Expr::Const(0), Expr::Const(0)];
    place[named] = digit(1, 8);
    for bit in 0..n_tiles.ilog2() {
        let step = map.coord(0, 0, per_word << bit)?;
        for (place, step) in place.iter_mut().zip(step) {
            let more = of(BinOp::Mul, digit(8 << bit, 2), step);
            *place = Expr::binary(BinOp::Add, place.clone(), more);
        }
    }
    if form.swapped {
        place.reverse();
    }
    let indices = moved(builder, view, place, lane);
    let shape = [n_tiles as usize, per_word as usize];
    Some(load_matrices(builder, view.base, &indices, shape, rows == Rows::Across))
}

/// How the memory has the factor's rows, where they can be loaded so.
fn rows(ir: &Ir, view: &Transfer, form: &Form, map: &Map) -> Option<Rows> {
    let Type::MemRef { shape, elem, layout: None, space: Some(space) } = ir.ty(view.base) else { return None };
    let bits = i64::from(Scalar::of(&ir[*elem])?.bits());
    let inside = view.mask.is_none() && view.in_bounds.iter().all(|&inside| inside);
    let ([n_tiles, per_word], (along, _)) = (parts(map), run(map));
    let fits = matches!(bits, 8 | 16 | 32) && per_word * bits == 32 && matches!(n_tiles, 1 | 2 | 4);
    if ir.keyword(*space) != Some("workgroup") || !inside || !fits || !deals_words(map, per_word, along) {
        return None;
    }
    let last = shape.len().checked_sub(1)?;
    let row = ROW * 8 / bits;
    let dims = view.map.as_dims()?;
    let at = dims.iter().position(|&dim| dim == last)?;
    let aligned = shape[last] > 0 && shape[last] % row == 0 && is_multiple(ir, view.indices[last], row);
    match (if form.swapped { 1 - at } else { at }) == along {
        _ if !aligned => None,
        true => Some(Rows::Along),
        false => (bits == 16).then_some(Rows::Across),
    }
}

/// Whether lanes have the words of 8 x 8 matrices in order: four along the words, eight across.
fn deals_words(map: &Map, per_word: i64, along: usize) -> bool {
    let letters: Vec<char> = map.dims.chars().collect();
    let (word, across) = (letters[along], letters[1 - along]);
    let low = per_word.ilog2();
    let wanted = [(word, low), (word, low + 1), (across, 0), (across, 1), (across, 2)];
    map.lane.iter().copied().eq(wanted.map(|(dim, bit)| Token::bit(dim, bit)))
}
