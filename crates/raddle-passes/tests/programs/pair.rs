//! Random conversions: a value is read under one layout and written under another one.

use std::fmt::Write;

use super::{Kernel, Program, Rng, extents, vector};

/// Elements of the value that changes its layout.
const ELEMENTS_MAX: i64 = 4096;

impl Program {
    /// A kernel that reads a value under one random layout and writes it under another.
    pub fn pair(rng: Rng, width: i64, n_subgroups: i64, elem: &'static str) -> Kernel {
        let mut program = Program::empty(rng, width, n_subgroups, elem);
        let shape = program.pair_shape();
        let layouts = [(); 2].map(|()| program.layout(&shape));
        let mut text = String::new();
        for (layout, name) in layouts.iter().zip(["from", "to"]) {
            writeln!(text, "#{name} = #iree_vector_ext.{layout}").unwrap();
        }
        let (ty, rank) = (vector(&shape, elem), shape.len());
        let memref = format!("memref<{}{elem}>", extents(&shape));
        let at = vec!["%c0"; rank].join(", ");
        let inside = vec!["true"; rank].join(", ");
        let pad = if elem.starts_with('i') { "0" } else { "0.0" };
        write!(
            text,
            "func.func @pair(%a: {memref}, %b: {memref}) attributes {{translation_info = \
             #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] \
             subgroup_size = {width}>}} {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant {pad} : {elem}
  %v = vector.transfer_read %a[{at}], %pad {{in_bounds = [{inside}]}} : {memref}, {ty}
  %l = iree_vector_ext.to_layout %v to layout(#from) : {ty}
  %m = iree_vector_ext.to_layout %l to layout(#to) : {ty}
  vector.transfer_write %m, %b[{at}] {{in_bounds = [{inside}]}} : {ty}, {memref}
  return
}}",
            width * n_subgroups
        )
        .unwrap();
        Kernel { text, elem, buffers: vec![shape.clone(), shape] }
    }

    /// One to four dimensions: mostly powers of two, some odd.
    fn pair_shape(&mut self) -> Vec<i64> {
        let rank = self.rng.pick(&[1, 2, 2, 2, 3, 3, 4]);
        let extents: &[i64] = if self.rng.chance(60) {
            &[2, 4, 8, 16, 32, 64, 128]
        } else {
            &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48]
        };
        let mut shape: Vec<i64> = (0..rank).map(|_| self.rng.pick(extents)).collect();
        while shape.iter().product::<i64>() > ELEMENTS_MAX {
            let largest = *shape.iter().max().unwrap();
            let d = shape.iter().position(|&extent| extent == largest).unwrap();
            shape[d] = if largest % 2 == 0 { largest / 2 } else { 3 };
        }
        shape
    }
}
