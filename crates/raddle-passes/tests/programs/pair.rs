//! Random conversions: a value is read under one layout and written under another one.

use std::fmt::Write;

use raddle_layout::Nested;

use super::{Kernel, Program, Rng, extents, vector};

/// Elements of the value that changes its layout.
const ELEMENTS_MAX: i64 = 4096;

/// Elements that all threads hold together: the emulator keeps every value of a run, also of those that are done with.
const HELD_MAX: i64 = 1 << 18;

impl Program {
    /// A kernel that reads a value under one random layout and writes it under another.
    pub fn pair(rng: Rng, width: i64, n_subgroups: i64, elem: &'static str) -> Kernel {
        let mut program = Program::empty(rng, width, n_subgroups, elem);
        let shape = program.pair_shape();
        let held = |layout: &Nested| layout.distributed_shape().iter().product::<i64>() * width * n_subgroups;
        let layouts = [(); 2].map(|()| {
            loop {
                let layout = program.layout(&shape);
                if held(&layout) <= HELD_MAX {
                    break layout;
                }
            }
        });
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

    /// A kernel that reads a value from shared memory under the layout of a matrix instruction's operand, or a random
    /// one.
    pub fn shared(rng: Rng, width: i64, n_subgroups: i64, elem: &'static str) -> Kernel {
        let mut program = Program::empty(rng, width, n_subgroups, elem);
        let (layout, shape) = if program.rng.chance(80) {
            program.fragment(if elem.ends_with("8") {
                4
            } else if elem.ends_with("16") {
                2
            } else {
                1
            })
        } else {
            let shape: Vec<i64> = (0..2).map(|_| program.rng.pick(&[8, 16, 24, 32, 48])).collect();
            (program.layout(&shape), shape)
        };
        let ty = vector(&shape, elem);
        let memref = format!("memref<{}{elem}>", extents(&shape));
        // The value is a part of the buffer, or of its transpose.
        let (flip, more) = (program.rng.chance(30), program.rng.pick(&[0, 0, 1, 16]));
        let first = program.rng.pick(&[0, 0, 0, 1, 8, 16]);
        let across = if flip { vec![shape[1], shape[0]] } else { shape.clone() };
        let (rows, columns) = (across[0] + 3, across[1] + first + more);
        let shared = format!("memref<{rows}x{columns}x{elem}, #gpu.address_space<workgroup>>");
        let map = if flip { ", permutation_map = affine_map<(a, b) -> (b, a)>" } else { "" };
        let pad = if elem.starts_with('i') { "0" } else { "0.0" };
        // Some are written as they are read: by rows, where the chip stores matrices.
        let small = shape.iter().product::<i64>() <= ELEMENTS_MAX;
        let copy = if small && program.rng.chance(50) { program.layout(&shape) } else { layout.clone() };
        let text = format!(
            "#copy = #iree_vector_ext.{copy}
#read = #iree_vector_ext.{layout}
func.func @shared(%a: {memref}, %b: {memref}) attributes {{translation_info = \
             #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] \
             subgroup_size = {width}>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant {first} : index
  %pad = arith.constant {pad} : {elem}
  %s = memref.alloc() : {shared}
  %v = vector.transfer_read %a[%c0, %c0], %pad {{in_bounds = [true, true]}} : {memref}, {ty}
  %c = iree_vector_ext.to_layout %v to layout(#copy) : {ty}
  vector.transfer_write %c, %s[%c1, %first] {{in_bounds = [true, true]{map}}} : {ty}, {shared}
  %r = vector.transfer_read %s[%c1, %first], %pad {{in_bounds = [true, true]{map}}} : {shared}, {ty}
  %l = iree_vector_ext.to_layout %r to layout(#read) : {ty}
  vector.transfer_write %l, %b[%c0, %c0] {{in_bounds = [true, true]}} : {ty}, {memref}
  return
}}",
            width * n_subgroups,
        );
        Kernel { text, elem, buffers: vec![shape.clone(), shape] }
    }

    /// A layout in which eight lanes by four hold words, plain or transposed, and its shape.
    fn fragment(&mut self, per_word: i64) -> (Nested, Vec<i64>) {
        let transposed = self.rng.chance(40);
        let (mut batch, mut outer) = (vec![1; 2], vec![1; 2]);
        let mut subgroup = vec![1; 2];
        let mut left = self.n_subgroups;
        for d in 0..2 {
            // Eight bytes for each element of the buffer must fit.
            let large = self.n_subgroups > 4;
            batch[d] = self.rng.pick(if large { &[1, 1, 1, 2] } else { &[1, 1, 2, 3] });
            outer[d] = self.rng.pick(if large { &[1, 1, 2] } else { &[1, 2, 2] });
            let tile = self.rng.pick(&[1, left]);
            subgroup[d] = tile;
            left /= tile;
        }
        let (mut thread, mut strides, mut element) = (vec![8, 4], vec![4, 1], vec![1, per_word]);
        if transposed {
            // The word's elements lie in two rows.
            (thread, strides, element) = (vec![4, 8], vec![1, 4], vec![per_word, 1]);
        }
        if self.rng.chance(30) {
            for list in [&mut thread, &mut strides, &mut element] {
                list.swap(0, 1);
            }
        }
        let subgroup_strides = [1, subgroup[0]];
        let subgroup_strides =
            subgroup_strides.iter().zip(&subgroup).map(|(&s, &n)| if n > 1 { s } else { 0 }).collect();
        let layout = Nested::new(subgroup, batch, outer, thread, element, subgroup_strides, strides).unwrap();
        let shape = layout.undistributed_shape();
        (layout, shape)
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
