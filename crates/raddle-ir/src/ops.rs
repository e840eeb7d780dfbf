//! The op table: one row for each operation that the compiler knows.
//!
//! Rooms match on [`Class`] first, so that a new elementwise operation costs a row here, an arm in the emulator and
//! one in each printer, and a new class breaks the build in every room that must think about it.

use crate::form::Form;

/// What an operation is to the passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A module: holds functions.
    Module,
    /// A function.
    Function,
    /// Leaves a region with values.
    Yield,
    /// A constant.
    Constant,
    /// Acts on each element alone; scalars too.
    Elementwise,
    /// Repeats a value along new or unit dimensions.
    Broadcast,
    /// Reorders dimensions.
    Transpose,
    /// Same elements, other shape.
    Reshape,
    /// Combines elements along dimensions.
    Reduce,
    /// Multiplies and combines along dimensions.
    Contract,
    /// Reads memory (or a tensor) into a value.
    Read,
    /// Writes a value into memory (or a tensor).
    Write,
    /// Takes a part out of a value, or puts one in.
    Slice,
    /// Makes a mask.
    Mask,
    /// A structured operation on tensors or memrefs: `linalg`.
    Structured,
    /// A new tensor without contents.
    Empty,
    /// A loop.
    Loop,
    /// A branch with regions.
    Branch,
    /// Allocates memory.
    Alloc,
    /// A view of memory, or a fact about one.
    View,
    /// Makes threads wait for one another.
    Barrier,
    /// Anchors or converts a layout.
    Layout,
    /// Index arithmetic in affine form.
    Index,
    /// Which thread, subgroup or workgroup this is.
    Id,
    /// Moves or combines values between the lanes of a subgroup.
    Shuffle,
    /// A matrix instruction.
    Matrix,
    /// A call of a function.
    Call,
    /// Anything else: kept, printed, not compiled.
    Opaque,
}

/// One row of the table.
pub struct OpInfo {
    /// With the dialect, as in `arith.addf`.
    pub name: &'static str,
    /// What it is to the passes.
    pub class: Class,
    /// Whether it neither touches memory nor traps, so that an unused one may go and equal ones may merge.
    pub pure: bool,
    /// Operands, results, attributes and assembly.
    pub form: Form,
}

const fn form(signature: &'static str, attrs: &'static str, format: &'static str) -> Form {
    Form { signature, attrs, format }
}

/// An operation whose assembly is written by hand.
const fn by_hand(signature: &'static str, attrs: &'static str) -> Form {
    form(signature, attrs, "")
}

const OPAQUE: Form = by_hand("operands* any -> results* any", "");
const FASTMATH: &str = "fastmath:arith.fastmath=none";
const UNARY_F: Form = form(
    "T floatlike; operand T -> result T",
    FASTMATH,
    "$operand (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)",
);
const BINARY_F: Form = form(
    "T floatlike; lhs T, rhs T -> result T",
    FASTMATH,
    "$lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)",
);
const TERNARY_F: Form = form(
    "T floatlike; a T, b T, c T -> result T",
    FASTMATH,
    "$a `,` $b `,` $c (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)",
);
const BINARY_I: Form = form("T intlike; lhs T, rhs T -> result T", "", "$lhs `,` $rhs attr-dict `:` type($result)");
/// Addition, subtraction, multiplication, left shift: may promise not to wrap.
const OVERFLOW_I: Form = form(
    "T intlike; lhs T, rhs T -> result T",
    "overflowFlags:arith.overflow=none",
    "$lhs `,` $rhs (`overflow` `<` $overflowFlags^ `>`)? attr-dict `:` type($result)",
);
/// Division and right shift: may promise that nothing is lost.
const EXACT_I: Form = form(
    "T intlike; lhs T, rhs T -> result T",
    "isExact:unit",
    "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
);
const CAST: Form = form("T any, U any; in T -> out U", "", "$in attr-dict `:` type($in) `to` type($out)");
const YIELD: Form = form("operands* any ->", "", "attr-dict ($operands^ `:` type($operands))?");
const SLICE_ATTRS: &str = "static_offsets static_sizes static_strides";

macro_rules! ops {
    ($($opcode:ident $name:literal $class:ident $($pure:ident)?, $form:expr;)*) => {
        /// An operation's row in the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "the table has the names")]
        pub enum Opcode {
            $($opcode,)*
            /// Not in the table.
            Unregistered,
        }

        /// The table, in the order of [`Opcode`].
        pub const OPS: &[OpInfo] = &[
            $(OpInfo { name: $name, class: Class::$class, pure: ops!(@pure $($pure)?), form: $form },)*
            OpInfo { name: "", class: Class::Opaque, pure: false, form: OPAQUE },
        ];

        const OPCODES: &[Opcode] = &[$(Opcode::$opcode,)*];
    };
    (@pure pure) => { true };
    (@pure) => { false };
}

ops! {
    // builtin, func
    Module "builtin.module" Module, by_hand("->", "sym_name sym_visibility");
    Func "func.func" Function, by_hand(
        "->",
        "sym_name function_type sym_visibility arg_attrs res_attrs no_inline:unit",
    );
    Return "func.return" Yield, YIELD;
    Call "func.call" Call, form(
        "operands* any -> results* any",
        "callee no_inline:unit arg_attrs res_attrs",
        "$callee `(` $operands `)` attr-dict `:` functional-type",
    );

    // arith
    Constant "arith.constant" Constant pure, by_hand("-> result any", "value");
    AddF "arith.addf" Elementwise pure, BINARY_F;
    SubF "arith.subf" Elementwise pure, BINARY_F;
    MulF "arith.mulf" Elementwise pure, BINARY_F;
    DivF "arith.divf" Elementwise pure, BINARY_F;
    RemF "arith.remf" Elementwise pure, BINARY_F;
    NegF "arith.negf" Elementwise pure, UNARY_F;
    MaximumF "arith.maximumf" Elementwise pure, BINARY_F;
    MinimumF "arith.minimumf" Elementwise pure, BINARY_F;
    MaxNumF "arith.maxnumf" Elementwise pure, BINARY_F;
    MinNumF "arith.minnumf" Elementwise pure, BINARY_F;
    AddI "arith.addi" Elementwise pure, OVERFLOW_I;
    SubI "arith.subi" Elementwise pure, OVERFLOW_I;
    MulI "arith.muli" Elementwise pure, OVERFLOW_I;
    // Division traps on zero, so it may not move ahead of the test that guards it; it may still merge.
    DivSI "arith.divsi" Elementwise pure, EXACT_I;
    DivUI "arith.divui" Elementwise pure, EXACT_I;
    CeilDivSI "arith.ceildivsi" Elementwise pure, BINARY_I;
    CeilDivUI "arith.ceildivui" Elementwise pure, BINARY_I;
    FloorDivSI "arith.floordivsi" Elementwise pure, BINARY_I;
    RemSI "arith.remsi" Elementwise pure, BINARY_I;
    RemUI "arith.remui" Elementwise pure, BINARY_I;
    AndI "arith.andi" Elementwise pure, BINARY_I;
    OrI "arith.ori" Elementwise pure, BINARY_I;
    XOrI "arith.xori" Elementwise pure, BINARY_I;
    ShLI "arith.shli" Elementwise pure, OVERFLOW_I;
    ShRSI "arith.shrsi" Elementwise pure, EXACT_I;
    ShRUI "arith.shrui" Elementwise pure, EXACT_I;
    MaxSI "arith.maxsi" Elementwise pure, BINARY_I;
    MaxUI "arith.maxui" Elementwise pure, BINARY_I;
    MinSI "arith.minsi" Elementwise pure, BINARY_I;
    MinUI "arith.minui" Elementwise pure, BINARY_I;
    CmpI "arith.cmpi" Elementwise pure, form(
        "T intlike; lhs T, rhs T -> result bool(T)",
        "predicate:@cmpi",
        "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    CmpF "arith.cmpf" Elementwise pure, form(
        "T floatlike; lhs T, rhs T -> result bool(T)",
        "predicate:@cmpf fastmath:arith.fastmath=none",
        "$predicate `,` $lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($lhs)",
    );
    Select "arith.select" Elementwise pure, by_hand(
        "T any; condition any, true_value T, false_value T -> result T",
        "",
    );
    ExtF "arith.extf" Elementwise pure, form(
        "T floatlike, U floatlike; in T -> out U",
        "fastmath:arith.fastmath",
        "$in (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    TruncF "arith.truncf" Elementwise pure, form(
        "T floatlike, U floatlike; in T -> out U",
        "roundingmode:@rounding fastmath:arith.fastmath",
        "$in ($roundingmode^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    ExtSI "arith.extsi" Elementwise pure, CAST;
    ExtUI "arith.extui" Elementwise pure, form(
        "T any, U any; in T -> out U",
        "nonNeg:unit",
        "$in (`nneg` $nonNeg^)? attr-dict `:` type($in) `to` type($out)",
    );
    TruncI "arith.trunci" Elementwise pure, form(
        "T any, U any; in T -> out U",
        "overflowFlags:arith.overflow=none",
        "$in (`overflow` `<` $overflowFlags^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    SIToFP "arith.sitofp" Elementwise pure, CAST;
    UIToFP "arith.uitofp" Elementwise pure, form(
        "T any, U any; in T -> out U",
        "nonNeg:unit",
        "$in (`nneg` $nonNeg^)? attr-dict `:` type($in) `to` type($out)",
    );
    FPToSI "arith.fptosi" Elementwise pure, CAST;
    FPToUI "arith.fptoui" Elementwise pure, CAST;
    IndexCast "arith.index_cast" Elementwise pure, CAST;
    IndexCastUI "arith.index_castui" Elementwise pure, CAST;
    Bitcast "arith.bitcast" Elementwise pure, CAST;

    // math
    AbsF "math.absf" Elementwise pure, UNARY_F;
    Exp "math.exp" Elementwise pure, UNARY_F;
    Exp2 "math.exp2" Elementwise pure, UNARY_F;
    Log "math.log" Elementwise pure, UNARY_F;
    Log2 "math.log2" Elementwise pure, UNARY_F;
    Sqrt "math.sqrt" Elementwise pure, UNARY_F;
    Rsqrt "math.rsqrt" Elementwise pure, UNARY_F;
    Tanh "math.tanh" Elementwise pure, UNARY_F;
    Erf "math.erf" Elementwise pure, UNARY_F;
    Sin "math.sin" Elementwise pure, UNARY_F;
    Cos "math.cos" Elementwise pure, UNARY_F;
    Floor "math.floor" Elementwise pure, UNARY_F;
    Ceil "math.ceil" Elementwise pure, UNARY_F;
    PowF "math.powf" Elementwise pure, BINARY_F;
    MathFma "math.fma" Elementwise pure, TERNARY_F;

    // ub
    Poison "ub.poison" Constant pure, form("-> result any", "value=ub.poison", "attr-dict `:` type($result)");

    // linalg, tensor
    Matmul "linalg.matmul" Structured, by_hand("inputs* any, outputs* any -> results* any", "indexing_maps cast");
    Generic "linalg.generic" Structured, by_hand(
        "inputs* any, outputs* any -> results* any",
        "indexing_maps iterator_types doc library_call",
    );
    Fill "linalg.fill" Structured, by_hand("inputs* any, outputs* any -> results* any", "");
    LinalgYield "linalg.yield" Yield, YIELD;
    LinalgIndex "linalg.index" Id pure, form("-> result index", "dim:i64", "$dim attr-dict `:` type($result)");
    Empty "tensor.empty" Empty pure, form(
        "dynamicSizes* index -> result tensor",
        "",
        "`(` $dynamicSizes `)` attr-dict `:` type($result)",
    );
    ExtractSlice "tensor.extract_slice" Slice pure, by_hand(
        "source tensor, offsets* index, sizes* index, strides* index -> result tensor",
        SLICE_ATTRS,
    );
    InsertSlice "tensor.insert_slice" Slice pure, by_hand(
        "T tensor; source tensor, dest T, offsets* index, sizes* index, strides* index -> result T",
        SLICE_ATTRS,
    );
    ParallelInsertSlice "tensor.parallel_insert_slice" Write, by_hand(
        "source tensor, dest tensor, offsets* index, sizes* index, strides* index ->",
        SLICE_ATTRS,
    );

    // scf
    For "scf.for" Loop, by_hand(
        "T intlike; lowerBound T, upperBound T, step T, initArgs* any -> results* any",
        "unsignedCmp:unit",
    );
    Forall "scf.forall" Loop, by_hand(
        "dynamicLowerBound* index, dynamicUpperBound* index, dynamicStep* index, outputs* any -> results* any",
        "staticLowerBound staticUpperBound staticStep mapping",
    );
    InParallel "scf.forall.in_parallel" Yield, by_hand("->", "");
    If "scf.if" Branch, by_hand("condition i1 -> results* any", "");
    ScfYield "scf.yield" Yield, YIELD;

    // memref
    Alloc "memref.alloc" Alloc, form(
        "dynamicSizes* index, symbolOperands* index -> memref memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($memref)",
    );
    Alloca "memref.alloca" Alloc, form(
        "dynamicSizes* index, symbolOperands* index -> memref memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($memref)",
    );
    Load "memref.load" Read, form(
        "M memref; memref M, indices* index -> result elem(M)",
        "nontemporal:bool alignment:i64",
        "$memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    Store "memref.store" Write, form(
        "M memref; value elem(M), memref M, indices* index ->",
        "nontemporal:bool alignment:i64",
        "$value `,` $memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    SubView "memref.subview" View pure, by_hand(
        "source memref, offsets* index, sizes* index, strides* index -> result memref",
        SLICE_ATTRS,
    );

    // vector
    TransferRead "vector.transfer_read" Read, by_hand(
        "B shaped; base B, indices* index, padding any, mask? vector -> vector vector",
        "permutation_map in_bounds",
    );
    TransferWrite "vector.transfer_write" Write, by_hand(
        "V vector; valueToStore V, base shaped, indices* index, mask? vector -> result? tensor",
        "permutation_map in_bounds",
    );
    VectorLoad "vector.load" Read, form(
        "base memref, indices* index -> result vector",
        "nontemporal:bool alignment:i64",
        "$base `[` $indices `]` (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)? attr-dict `:` type($base) `,` type($result)",
    );
    VectorStore "vector.store" Write, form(
        "valueToStore vector, base memref, indices* index ->",
        "nontemporal:bool alignment:i64",
        "$valueToStore `,` $base `[` $indices `]` (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)? attr-dict `:` type($base) `,` type($valueToStore)",
    );
    Broadcast "vector.broadcast" Broadcast pure, form(
        "source any -> vector vector",
        "",
        "$source attr-dict `:` type($source) `to` type($vector)",
    );
    Transpose "vector.transpose" Transpose pure, form(
        "vector vector -> result vector",
        "permutation:dense",
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
    );
    ShapeCast "vector.shape_cast" Reshape pure, form(
        "source vector -> result vector",
        "",
        "$source attr-dict `:` type($source) `to` type($result)",
    );
    MultiReduction "vector.multi_reduction" Reduce pure, form(
        "D any; source vector, acc D -> dest D",
        "kind:<vector.kind> reduction_dims:dense",
        "$kind `,` $source `,` $acc $reduction_dims attr-dict `:` type($source) `to` type($dest)",
    );
    Contract "vector.contract" Contract pure, by_hand(
        "A any; lhs vector, rhs vector, acc A -> result A",
        "indexing_maps iterator_types kind fastmath:arith.fastmath=none",
    );
    Extract "vector.extract" Slice pure, by_hand(
        "source vector, dynamic_position* index -> result any",
        "static_position",
    );
    Insert "vector.insert" Slice pure, by_hand(
        "D vector; valueToStore any, dest D, dynamic_position* index -> result D",
        "static_position",
    );
    ExtractStridedSlice "vector.extract_strided_slice" Slice pure, by_hand(
        "source vector -> result vector",
        "offsets sizes strides",
    );
    InsertStridedSlice "vector.insert_strided_slice" Slice pure, by_hand(
        "D vector; valueToStore vector, dest D -> result D",
        "offsets strides",
    );
    FromElements "vector.from_elements" Slice pure, form(
        "V vector; elements* elem(V) -> dest V",
        "",
        "$elements attr-dict `:` type($dest)",
    );
    ToElements "vector.to_elements" Slice pure, by_hand("V vector; source V -> elements* elem(V)", "");
    Fma "vector.fma" Elementwise pure, form(
        "T floatlike; lhs T, rhs T, acc T -> result T",
        "",
        "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)",
    );
    Step "vector.step" Constant pure, form("-> result vector", "", "attr-dict `:` type($result)");
    CreateMask "vector.create_mask" Mask pure, form(
        "operands* index -> result vector",
        "",
        "$operands attr-dict `:` type($result)",
    );
    ConstantMask "vector.constant_mask" Mask pure, form(
        "-> result vector",
        "mask_dim_sizes:dense",
        "$mask_dim_sizes attr-dict `:` type($result)",
    );

    // affine
    AffineApply "affine.apply" Index pure, by_hand("mapOperands* index -> result index", "map");
    LinearizeIndex "affine.linearize_index" Index pure, by_hand(
        "multi_index* index, dynamic_basis* index -> linear_index index",
        "static_basis disjoint:unit=false",
    );
    DelinearizeIndex "affine.delinearize_index" Index pure, by_hand(
        "linear_index index, dynamic_basis* index -> multi_index* index",
        "static_basis",
    );

    // gpu
    ThreadId "gpu.thread_id" Id pure, form(
        "-> result index",
        "dimension:gpu.dim upper_bound:index",
        "$dimension (`upper_bound` $upper_bound^)? attr-dict",
    );
    BlockId "gpu.block_id" Id pure, form(
        "-> result index",
        "dimension:gpu.dim upper_bound:index",
        "$dimension (`upper_bound` $upper_bound^)? attr-dict",
    );
    LaneId "gpu.lane_id" Id pure, form(
        "-> result index",
        "upper_bound:index",
        "(`upper_bound` $upper_bound^)? attr-dict",
    );
    SubgroupId "gpu.subgroup_id" Id pure, form(
        "-> result index",
        "upper_bound:index",
        "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)",
    );
    Barrier "gpu.barrier" Barrier, form("->", "address_spaces scope:<gpu.barrier_scope>=workgroup",
        "(`memfence` $address_spaces^)? (`scope` $scope^)? attr-dict");
    Shuffle "gpu.shuffle" Shuffle, form(
        "T any; value T, offset i32, width i32 -> shuffleResult T, valid i1",
        "mode:gpu.shuffle_mode",
        "$mode $value `,` $offset `,` $width attr-dict `:` type($value)",
    );
    SubgroupReduce "gpu.subgroup_reduce" Shuffle, form(
        "T any; value T -> result T",
        "op:gpu.all_reduce_op uniform:unit cluster_size:i32 cluster_stride:i32=1",
        "$op $value (`uniform` $uniform^)? (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? attr-dict `:` functional-type",
    );

    // matrix instructions
    MmaSync "nvgpu.mma.sync" Matrix pure, by_hand(
        "C vector; matrixA vector, matrixB vector, matrixC C -> res C",
        "mmaShape tf32Enabled:unit",
    );
    Mfma "amdgpu.mfma" Matrix pure, by_hand(
        "C any; sourceA any, sourceB any, destC C -> destD C",
        "m:i32 n:i32 k:i32 blocks:i32 cbsz:i32 abid:i32 blgp:amdgpu.mfma_perm_b reducePrecision:unit negateA:unit negateB:unit negateC:unit",
    );
    Wmma "amdgpu.wmma" Matrix pure, by_hand(
        "C any; sourceA any, sourceB any, destC C -> destD C",
        "m:i32 n:i32 k:i32 subwordOffset:i32=0 unsignedA:unit unsignedB:unit clamp:unit",
    );

    // iree_vector_ext
    ToLayout "iree_vector_ext.to_layout" Layout pure, form(
        "T shaped; input T -> output T",
        "layout shared_memory_conversion",
        "$input `to` `layout` `(` $layout `)` attr-dict `:` type($input)",
    );
    ToSimd "iree_vector_ext.to_simd" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
    ToSimt "iree_vector_ext.to_simt" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
}

impl Opcode {
    /// The row of the table.
    pub fn info(self) -> &'static OpInfo {
        &OPS[self as usize]
    }

    /// The operation's name with its dialect; empty for [`Opcode::Unregistered`].
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// What the operation is to the passes.
    pub fn class(self) -> Class {
        self.info().class
    }

    /// The row with this name.
    pub fn from_name(name: &str) -> Option<Opcode> {
        use std::collections::BTreeMap;
        use std::sync::LazyLock;
        static BY_NAME: LazyLock<BTreeMap<&'static str, Opcode>> =
            LazyLock::new(|| OPCODES.iter().map(|&opcode| (opcode.name(), opcode)).collect());
        BY_NAME.get(name).copied()
    }
}
