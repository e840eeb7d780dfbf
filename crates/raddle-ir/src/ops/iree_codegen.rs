//! Rows of `iree_codegen`: what dispatches hold, and constraints on tile sizes.

use super::forms::*;

dialect! { IreeCodegen:
    /// Computes on inner tiles by a matrix instruction, over a loop nest of outer dimensions.
    IreeCodegenInnerTiled "iree_codegen.inner_tiled" Opaque pure into(outputs), form(
        "inputs* any, outputs* any -> results* same(outputs)",
        "indexing_maps iterator_types kind semantics permutations",
        "`ins` `(` $inputs `)` `outs` `(` $outputs `)` attr-dict `:` type($inputs) `into` type($outputs)",
    );
    /// A buffer's contents as a tensor.
    IreeCodegenLoadFromBuffer "iree_codegen.load_from_buffer" Opaque, form(
        "buffer memref -> tensor tensor",
        "",
        "$buffer attr-dict `:` type($buffer) `->` type($tensor)",
    );
    /// Writes a tensor to a buffer.
    IreeCodegenStoreToBuffer "iree_codegen.store_to_buffer" Opaque, form(
        "tensor tensor, buffer memref ->",
        "",
        "$tensor `,` $buffer attr-dict `:` type($tensor) `into` type($buffer)",
    );
    /// The sizes of the tiles in which a type is stored.
    IreeCodegenQueryTileSizes "iree_codegen.query_tile_sizes" Opaque pure, form(
        "-> results* index",
        "tensor_type",
        "attr-dict $tensor_type `->` type($results)",
    );
    /// The base, offset, extents and strides of a buffer.
    IreeCodegenExtractStridedMetadata "iree_codegen.extract_strided_metadata" Opaque pure, form(
        "source any -> base_buffer! any, offset! index, strides* index",
        "",
        "$source `:` type($source) `->` type($base_buffer) `,` type($offset) (`,` type($strides)^)? attr-dict",
    );
    /// Keeps operations before and behind it in separate loops.
    IreeCodegenFusionBarrier "iree_codegen.fusion_barrier" Opaque pure, form(
        "T tensor; source T -> result T",
        "",
        "attr-dict $source `:` type($result)",
    );
    /// States the order in which shared memory is to store a buffer.
    IreeCodegenSwizzleHint "iree_codegen.swizzle_hint" Opaque pure, form(
        "T any; operand T -> result T",
        "swizzle",
        "$operand `[` $swizzle attr-dict `]` `:` type($result)",
    );
    /// States what is known about an index.
    IreeCodegenIndexHint "iree_codegen.index_hint" Opaque pure, form(
        "T any; input T -> result T",
        "hint",
        "$input `(` $hint `)` attr-dict `:` type($input)",
    );
    /// States the number of workgroups.
    IreeCodegenWorkgroupCountHint "iree_codegen.workgroup_count_hint" Opaque, by_hand("sizes* index ->", "static_sizes:dense");
    /// Calls a precompiled kernel.
    IreeCodegenUkernelGeneric "iree_codegen.ukernel.generic" Opaque into(outputs), form(
        "inputs* any, outputs* ranked, other_operands* any -> results* any",
        "u_kernel_fn_name:str fn_def_attrs strided_dims",
        "attr-dict $u_kernel_fn_name (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`(` $other_operands^ `:` type($other_operands) `)`)? (`fn_def_attrs` $fn_def_attrs^)? (`strided_dims` `(` $strided_dims^ `)`)? (`->` type($results)^)?",
    );
    /// States how a dispatch is launched.
    IreeCodegenDispatchConfig "iree_codegen.dispatch_config" Opaque isolated, form(
        "-> {~iree_codegen.yield}",
        "function_ref workgroup_size:dense subgroup_size:i64 workgroup_local_memory:index",
        "$function_ref (`workgroup_size` `=` $workgroup_size^)? (`subgroup_size` `=` $subgroup_size^)? (`workgroup_local_memory` `=` $workgroup_local_memory^)? region0 attr-dict",
    );
    /// Leaves a region with values.
    IreeCodegenYield "iree_codegen.yield" Opaque, YIELD;

    // what constraints on tile sizes are written with
    IreeCodegenSmtConstraints "iree_codegen.smt.constraints" Opaque isolated, form(
        "problem_dims* index -> {}",
        "target:#iree_codegen.root_op pipeline knobs",
        "`target` `=` $target `,` `pipeline` `=` $pipeline `,` `knobs` `=` $knobs `dims` `(` $problem_dims `)` attr-dict-with-keyword region0",
    );
    IreeCodegenSmtAssert "iree_codegen.smt.assert" Opaque, form(
        "condition any, printArgs* any ->",
        "msg:str",
        "$condition `,` $msg (`,` $printArgs^)? `:` type($condition) (`,` type($printArgs)^)? attr-dict",
    );
    IreeCodegenSmtKnob "iree_codegen.smt.knob" Opaque pure, form(
        "-> result any",
        "name:str",
        "$name attr-dict `:` type($result)",
    );
    IreeCodegenSmtLookup "iree_codegen.smt.lookup" Opaque pure, form(
        "T any; index T -> result T",
        "keys:dense values:dense",
        "$index $keys `->` $values attr-dict `:` type($result)",
    );
    /// A pointer to nothing.
    IreeCodegenNullPointer "iree_codegen.null_pointer" Opaque pure, form(
        "-> result !iree_codegen.null_pointer",
        "",
        "attr-dict",
    );
}
