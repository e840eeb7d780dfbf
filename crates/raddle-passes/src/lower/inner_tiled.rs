//! Lower matrix instructions on tiles: one instruction for each point of the loops around the tiles.

use raddle_ir::{Diag, Map, OpId, Opcode, ValueId};
use raddle_target::tile::Kind;
use raddle_target::{Fragment, mma};

use super::Cx;
use super::vector::walk;
use crate::code::extents::row_major;
use crate::lay_out::instruction;

/// Instructions that one operation may become.
const INSTRUCTIONS_MAX: i64 = 1 << 12;

impl Cx<'_> {
    /// `iree_codegen.inner_tiled` of one thread's parts: the loops' dimensions come first, and what a lane holds of a tile
    /// follows, in the order of its dimensions.
    pub(super) fn inner_tiled(&mut self, op: OpId) -> Result<(), Diag> {
        let kind = self.ir.attr_id(op, "kind").and_then(|kind| self.ir.keyword(kind)).and_then(mma);
        let Some(mma) = kind else { return Err(self.refuse(op).label("of a kind that is not an instruction here")) };
        let dims: Option<Vec<Vec<usize>>> =
            self.ir.maps(op, "indexing_maps").unwrap_or_default().iter().map(Map::as_dims).collect();
        let operands = self.ir.operands(op).to_vec();
        let (Some(dims), 3, 1) = (dims, operands.len(), self.ir.results(op).len()) else {
            return Err(self.refuse(op).label("not of two operands and an accumulator"));
        };
        let kind = self.ir.attr_id(op, "kind").and_then(|kind| Kind::of(self.ir, kind).ok());
        let tiles = kind.as_ref().and_then(|kind| kind.tiles().ok());
        let (Some(kind), Some(tiles)) = (kind, tiles) else { return Err(self.refuse(op).label("of unknown tiles")) };
        // What a lane holds is in the order of the tile's dimensions, which need not be that of the registers.
        let orders: Vec<Option<Vec<usize>>> = (0..3).map(|at| kind.slot_order(at, &tiles[at])).collect();
        let n_loops = dims.iter().flatten().max().map_or(0, |&last| last + 1);
        let (mut extents, mut strides) = (vec![1; n_loops], vec![vec![0; n_loops]; 3]);
        for (i, &operand) in operands.iter().enumerate() {
            let shape = self.ir.shape_of(operand).to_vec();
            let outer = shape.get(..dims[i].len()).unwrap_or_default();
            let n_slots = mma.fragments[i].n_slots();
            if outer.len() != dims[i].len() || shape[outer.len()..].iter().product::<i64>() != n_slots {
                let label = format!("operand {i} does not hold {n_slots} elements of each tile");
                return Err(self.refuse(op).label(label));
            }
            for ((&d, &extent), stride) in dims[i].iter().zip(outer).zip(row_major(outer)) {
                (extents[d], strides[i][d]) = (extent, stride * n_slots);
            }
        }
        if extents.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent)).is_none_or(|n| n > INSTRUCTIONS_MAX) {
            return Err(self.too_large(op).label(format!("more than {INSTRUCTIONS_MAX} instructions")));
        }
        let attrs = instruction::attributes(self.ir, mma);
        let attrs = self.ir.dict(&attrs);
        let mut lists: Vec<Vec<ValueId>> = operands.iter().map(|&operand| self.list(operand)).collect();
        let starts: Vec<Vec<i64>> = strides.iter().map(|strides| walk(&extents, 0, strides)).collect();
        for point in 0..starts[0].len() {
            let mut tiles = Vec::new();
            for i in 0..3 {
                let (start, fragment) = (starts[i][point] as usize, &mma.fragments[i]);
                let held = &lists[i][start..start + fragment.n_slots() as usize];
                let slots: Vec<ValueId> = match &orders[i] {
                    Some(order) => order.iter().map(|&slot| held[slot]).collect(),
                    None => held.to_vec(),
                };
                let elem = self.ir.elem_of(operands[i]);
                let ty = self.ir.vector_type(&shape(mma.opcode, fragment), elem);
                tiles.push(self.value(Opcode::VectorFromElements, &slots, ty, self.no_attrs));
            }
            let ty = self.ir.type_of(tiles[2]);
            let new = self.value(mma.opcode, &tiles, ty, attrs);
            let start = starts[2][point] as usize;
            let slots = self.unpack(new);
            lists[2][start..start + slots.len()].copy_from_slice(&slots);
        }
        let result = self.ir.result(op, 0);
        self.set_elements(result, &lists[2]);
        Ok(())
    }
}

/// The shape of an instruction's own vector: a row for each 32-bit register where the instruction counts those.
fn shape(opcode: Opcode, fragment: &Fragment) -> Vec<i64> {
    match opcode {
        Opcode::NvgpuMmaSync => vec![fragment.outer.iter().product(), fragment.element.iter().product()],
        _ => vec![fragment.n_slots()],
    }
}
