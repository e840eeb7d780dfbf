//! The op table: one row for each operation that the compiler knows.
//!
//! Rooms match on [`Class`] first, so that a new elementwise operation costs a row here, an arm in the emulator and
//! one in each printer, and a new class breaks the build in every room that must think about it.

#[macro_use]
mod rocdl;
#[macro_use]
mod nvvm;
#[macro_use]
mod llvm;
#[macro_use]
mod gpu;
#[macro_use]
mod scripts;
#[macro_use]
mod host;
#[macro_use]
mod stream;
#[macro_use]
mod hal;
#[macro_use]
mod around;
#[macro_use]
mod iree;
#[macro_use]
mod tensors;
mod forms;

use crate::form::{Form, Shape};
use forms::*;

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
        pub static OPS: &[OpInfo] = &[
            $(OpInfo { name: $name, class: Class::$class, pure: ops!(@pure $($pure)?), form: $form },)*
            OpInfo { name: "", class: Class::Opaque, pure: false, form: OPAQUE },
        ];

        static OPCODES: &[Opcode] = &[$(Opcode::$opcode,)*];
    };
    (@pure pure) => { true };
    (@pure) => { false };
}

with_tensor_rows! {
    // builtin, func
    BuiltinModule "builtin.module" Module, by_hand("-> {}", "sym_name sym_visibility");
    BuiltinUnrealizedConversionCast "builtin.unrealized_conversion_cast" Opaque pure, form(
        "inputs* any -> outputs* any",
        "",
        "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
    );
    FuncFunc "func.func" Function, by_hand(
        "-> {?*func.return}",
        "sym_name function_type sym_visibility arg_attrs res_attrs no_inline:unit",
    );
    FuncReturn "func.return" Yield, YIELD;
    FuncCall "func.call" Call, form(
        "operands* any -> results* any",
        "callee no_inline:unit arg_attrs res_attrs",
        "$callee `(` $operands `)` attr-dict `:` functional-type",
    );
    FuncCallIndirect "func.call_indirect" Opaque, by_hand("callee any, callee_operands* any -> results* any", "arg_attrs res_attrs");
    FuncConstant "func.constant" Opaque pure, form("-> f! any", "value", "attr-dict $value `:` type($f)");

    // arith
    ArithConstant "arith.constant" Constant pure, by_hand("-> result any", "value");
    ArithAddf "arith.addf" Elementwise pure, BINARY_F;
    ArithSubf "arith.subf" Elementwise pure, BINARY_F;
    ArithMulf "arith.mulf" Elementwise pure, BINARY_F;
    ArithDivf "arith.divf" Elementwise pure, BINARY_F;
    ArithRemf "arith.remf" Elementwise pure, BINARY_F;
    ArithNegf "arith.negf" Elementwise pure, UNARY_F;
    ArithMaximumf "arith.maximumf" Elementwise pure, BINARY_F;
    ArithMinimumf "arith.minimumf" Elementwise pure, BINARY_F;
    ArithMaxnumf "arith.maxnumf" Elementwise pure, BINARY_F;
    ArithMinnumf "arith.minnumf" Elementwise pure, BINARY_F;
    ArithAddi "arith.addi" Elementwise pure, OVERFLOW_I;
    ArithSubi "arith.subi" Elementwise pure, OVERFLOW_I;
    ArithMuli "arith.muli" Elementwise pure, OVERFLOW_I;
    // Division traps on zero, so it may not move ahead of the test that guards it; it may still merge.
    ArithDivsi "arith.divsi" Elementwise pure, EXACT_I;
    ArithDivui "arith.divui" Elementwise pure, EXACT_I;
    ArithCeildivsi "arith.ceildivsi" Elementwise pure, BINARY_I;
    ArithCeildivui "arith.ceildivui" Elementwise pure, BINARY_I;
    ArithFloordivsi "arith.floordivsi" Elementwise pure, BINARY_I;
    ArithRemsi "arith.remsi" Elementwise pure, BINARY_I;
    ArithRemui "arith.remui" Elementwise pure, BINARY_I;
    ArithAndi "arith.andi" Elementwise pure, BINARY_I;
    ArithOri "arith.ori" Elementwise pure, BINARY_I;
    ArithXori "arith.xori" Elementwise pure, BINARY_I;
    ArithShli "arith.shli" Elementwise pure, OVERFLOW_I;
    ArithShrsi "arith.shrsi" Elementwise pure, EXACT_I;
    ArithShrui "arith.shrui" Elementwise pure, EXACT_I;
    ArithMaxsi "arith.maxsi" Elementwise pure, BINARY_I;
    ArithMaxui "arith.maxui" Elementwise pure, BINARY_I;
    ArithMinsi "arith.minsi" Elementwise pure, BINARY_I;
    ArithMinui "arith.minui" Elementwise pure, BINARY_I;
    ArithCmpi "arith.cmpi" Elementwise pure, form(
        "T intlike; lhs T, rhs T -> result bool(T)",
        "predicate:@cmpi",
        "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    ArithCmpf "arith.cmpf" Elementwise pure, form(
        "T floatlike; lhs T, rhs T -> result bool(T)",
        "predicate:@cmpf fastmath:arith.fastmath=none",
        "$predicate `,` $lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($lhs)",
    );
    ArithSelect "arith.select" Elementwise pure, by_hand(
        "T any; condition any, true_value T, false_value T -> result T",
        "",
    );
    ArithExtf "arith.extf" Elementwise pure, form(
        "T floatlike, U floatlike; in T -> out U",
        "fastmath:arith.fastmath",
        "$in (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    ArithTruncf "arith.truncf" Elementwise pure, form(
        "T floatlike, U floatlike; in T -> out U",
        "roundingmode:@rounding fastmath:arith.fastmath",
        "$in ($roundingmode^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    ArithExtsi "arith.extsi" Elementwise pure, CAST_INT;
    ArithExtui "arith.extui" Elementwise pure, form(
        "in fixedint -> out fixedint",
        "nonNeg:unit",
        "$in (`nneg` $nonNeg^)? attr-dict `:` type($in) `to` type($out)",
    );
    ArithTrunci "arith.trunci" Elementwise pure, form(
        "in fixedint -> out fixedint",
        "overflowFlags:arith.overflow=none",
        "$in (`overflow` `<` $overflowFlags^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    ArithSitofp "arith.sitofp" Elementwise pure, CAST_TO_F;
    ArithUitofp "arith.uitofp" Elementwise pure, form(
        "in fixedint -> out floatlike",
        "nonNeg:unit",
        "$in (`nneg` $nonNeg^)? attr-dict `:` type($in) `to` type($out)",
    );
    ArithFptosi "arith.fptosi" Elementwise pure, CAST_FROM_F;
    ArithFptoui "arith.fptoui" Elementwise pure, CAST_FROM_F;
    ArithIndexCast "arith.index_cast" Elementwise pure, CAST_INDEX;
    ArithIndexCastui "arith.index_castui" Elementwise pure, CAST_INDEX;
    ArithBitcast "arith.bitcast" Elementwise pure, form(
        "in bits -> out bits",
        "",
        "$in attr-dict `:` type($in) `to` type($out)",
    );
    ArithAdduiExtended "arith.addui_extended" Opaque pure, form(
        "T intlike; lhs T, rhs T -> sum! T, overflow! bool(T)",
        "",
        "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
    );
    ArithMulsiExtended "arith.mulsi_extended" Opaque pure, WIDE_MUL_I;
    ArithMuluiExtended "arith.mului_extended" Opaque pure, WIDE_MUL_I;
    ArithScalingExtf "arith.scaling_extf" Elementwise pure, form(
        "in floatlike, scale floatlike -> out floatlike",
        "fastmath:arith.fastmath",
        "$in `,` $scale (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
    );
    ArithScalingTruncf "arith.scaling_truncf" Elementwise pure, form(
        "in floatlike, scale floatlike -> out floatlike",
        "roundingmode:@rounding fastmath:arith.fastmath",
        "$in `,` $scale ($roundingmode^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
    );

    // math
    MathAbsf "math.absf" Elementwise pure, UNARY_F;
    MathExp "math.exp" Elementwise pure, UNARY_F;
    MathExp2 "math.exp2" Elementwise pure, UNARY_F;
    MathLog "math.log" Elementwise pure, UNARY_F;
    MathLog2 "math.log2" Elementwise pure, UNARY_F;
    MathSqrt "math.sqrt" Elementwise pure, UNARY_F;
    MathRsqrt "math.rsqrt" Elementwise pure, UNARY_F;
    MathTanh "math.tanh" Elementwise pure, UNARY_F;
    MathErf "math.erf" Elementwise pure, UNARY_F;
    MathSin "math.sin" Elementwise pure, UNARY_F;
    MathCos "math.cos" Elementwise pure, UNARY_F;
    MathFloor "math.floor" Elementwise pure, UNARY_F;
    MathCeil "math.ceil" Elementwise pure, UNARY_F;
    MathPowf "math.powf" Elementwise pure, BINARY_F;
    MathFma "math.fma" Elementwise pure, TERNARY_F;
    MathAbsi "math.absi" Elementwise pure, UNARY_I;
    MathCtlz "math.ctlz" Elementwise pure, UNARY_I;
    MathCttz "math.cttz" Elementwise pure, UNARY_I;
    MathCtpop "math.ctpop" Elementwise pure, UNARY_I;
    MathIpowi "math.ipowi" Elementwise pure, BINARY_I;
    MathFpowi "math.fpowi" Elementwise pure, form(
        "T floatlike, U intlike; lhs T, rhs U -> result T",
        FASTMATH,
        "$lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($lhs) `,` type($rhs)",
    );
    MathAcos "math.acos" Elementwise pure, UNARY_F;
    MathAcosh "math.acosh" Elementwise pure, UNARY_F;
    MathAsin "math.asin" Elementwise pure, UNARY_F;
    MathAsinh "math.asinh" Elementwise pure, UNARY_F;
    MathAtan "math.atan" Elementwise pure, UNARY_F;
    MathAtan2 "math.atan2" Elementwise pure, BINARY_F;
    MathAtanh "math.atanh" Elementwise pure, UNARY_F;
    MathCbrt "math.cbrt" Elementwise pure, UNARY_F;
    MathClampf "math.clampf" Elementwise pure, form(
        "T floatlike; value T, min T, max T -> result T",
        FASTMATH,
        "$value `to` `[` $min `,` $max `]` (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)",
    );
    MathCopysign "math.copysign" Elementwise pure, BINARY_F;
    MathCosh "math.cosh" Elementwise pure, UNARY_F;
    MathErfc "math.erfc" Elementwise pure, UNARY_F;
    MathExpm1 "math.expm1" Elementwise pure, UNARY_F;
    MathIsfinite "math.isfinite" Elementwise pure, IS_F;
    MathIsinf "math.isinf" Elementwise pure, IS_F;
    MathIsnan "math.isnan" Elementwise pure, IS_F;
    MathIsnormal "math.isnormal" Elementwise pure, IS_F;
    MathLog10 "math.log10" Elementwise pure, UNARY_F;
    MathLog1p "math.log1p" Elementwise pure, UNARY_F;
    MathRound "math.round" Elementwise pure, UNARY_F;
    MathRoundeven "math.roundeven" Elementwise pure, UNARY_F;
    MathSinh "math.sinh" Elementwise pure, UNARY_F;
    MathSincos "math.sincos" Opaque pure, form(
        "T floatlike; operand T -> sin! T, cos! T",
        FASTMATH,
        "$operand (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($operand)",
    );
    MathTan "math.tan" Elementwise pure, UNARY_F;
    MathTrunc "math.trunc" Elementwise pure, UNARY_F;

    // index
    IndexAdd "index.add" Opaque pure, INDEX_BINARY;
    IndexAnd "index.and" Opaque pure, INDEX_BINARY;
    IndexCeildivs "index.ceildivs" Opaque pure, INDEX_BINARY;
    IndexCeildivu "index.ceildivu" Opaque pure, INDEX_BINARY;
    IndexDivs "index.divs" Opaque pure, INDEX_BINARY;
    IndexDivu "index.divu" Opaque pure, INDEX_BINARY;
    IndexFloordivs "index.floordivs" Opaque pure, INDEX_BINARY;
    IndexMaxs "index.maxs" Opaque pure, INDEX_BINARY;
    IndexMaxu "index.maxu" Opaque pure, INDEX_BINARY;
    IndexMins "index.mins" Opaque pure, INDEX_BINARY;
    IndexMinu "index.minu" Opaque pure, INDEX_BINARY;
    IndexMul "index.mul" Opaque pure, INDEX_BINARY;
    IndexOr "index.or" Opaque pure, INDEX_BINARY;
    IndexRems "index.rems" Opaque pure, INDEX_BINARY;
    IndexRemu "index.remu" Opaque pure, INDEX_BINARY;
    IndexShl "index.shl" Opaque pure, INDEX_BINARY;
    IndexShrs "index.shrs" Opaque pure, INDEX_BINARY;
    IndexShru "index.shru" Opaque pure, INDEX_BINARY;
    IndexSub "index.sub" Opaque pure, INDEX_BINARY;
    IndexXor "index.xor" Opaque pure, INDEX_BINARY;
    IndexCasts "index.casts" Opaque pure, RETYPE;
    IndexCastu "index.castu" Opaque pure, RETYPE;
    IndexCmp "index.cmp" Opaque pure, form(
        "lhs index, rhs index -> result i1",
        "pred:index.cmp_predicate",
        "$pred `(` $lhs `,` $rhs `)` attr-dict",
    );
    IndexConstant "index.constant" Opaque pure, form("-> result index", "value:index", "attr-dict $value");
    IndexBoolConstant "index.bool.constant" Opaque pure, form("-> result i1", "value:bool", "attr-dict $value");
    IndexSizeof "index.sizeof" Opaque pure, form("-> result index", "", "attr-dict");

    // ub
    UbPoison "ub.poison" Constant pure, form("-> result any", "value:of(ub.poison)=ub.poison", "attr-dict (`<` $value^ `>`)? `:` type($result)");
    UbUnreachable "ub.unreachable" Opaque, NULLARY;

    // scf
    ScfFor "scf.for" Loop, by_hand(
        "T intlike; lowerBound T, upperBound T, step T, initArgs* any -> results* any {scf.yield}",
        "unsignedCmp:unit",
    );
    ScfForall "scf.forall" Loop, by_hand(
        "dynamicLowerBound* index, dynamicUpperBound* index, dynamicStep* index, outputs* any -> results* any {scf.forall.in_parallel}",
        "staticLowerBound staticUpperBound staticStep mapping",
    );
    ScfForallInParallel "scf.forall.in_parallel" Yield, by_hand("-> {}", "");
    ScfIf "scf.if" Branch, by_hand("condition i1 -> results* any {scf.yield}{?scf.yield}", "");
    ScfYield "scf.yield" Yield, YIELD;
    ScfWhile "scf.while" Loop, by_hand("inits* any -> results* any {scf.condition}{scf.yield}", "");
    ScfCondition "scf.condition" Opaque, form("condition i1, args* any ->", "", "`(` $condition `)` attr-dict ($args^ `:` type($args))?");
    ScfExecuteRegion "scf.execute_region" Branch, by_hand("-> results* any {*scf.yield}", "no_inline:unit");
    ScfParallel "scf.parallel" Opaque, by_hand(
        "lowerBound* index, upperBound* index, step* index, initVals* any -> results* any {~scf.reduce}",
        "",
    );
    ScfReduce "scf.reduce" Opaque, by_hand("operands* any -> {+scf.reduce.return}", "");
    ScfReduceReturn "scf.reduce.return" Opaque, form("result any ->", "", "$result attr-dict `:` type($result)");
    ScfIndexSwitch "scf.index_switch" Branch, by_hand("arg index -> results* any {+~scf.yield}", "cases");

    // cf
    CfAssert "cf.assert" Opaque, form("arg i1 ->", "msg", "$arg `,` $msg attr-dict");
    CfBr "cf.br" Opaque, by_hand("destOperands* any ->", "");
    CfCondBr "cf.cond_br" Opaque, by_hand(
        "condition i1, trueDestOperands* any, falseDestOperands* any ->",
        "branch_weights",
    );
    CfSwitch "cf.switch" Opaque, by_hand("flag any, defaultOperands* any, caseOperands* any ->", "case_values case_operand_segments");

    // memref
    MemrefAlloc "memref.alloc" Alloc, form(
        "dynamicSizes* index, symbolOperands* index -> alloc! memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($alloc)",
    );
    MemrefAlloca "memref.alloca" Alloc, form(
        "dynamicSizes* index, symbolOperands* index -> alloca! memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($alloca)",
    );
    MemrefAssumeAlignment "memref.assume_alignment" Opaque, form(
        "M memref; memref M -> assume_align! M",
        "alignment:i32{+}",
        "$memref `,` $alignment attr-dict `:` type($memref)",
    );
    MemrefAtomicRmw "memref.atomic_rmw" Opaque, form(
        "M memref; value elem(M), memref M, indices* index -> result elem(M)",
        "kind:@rmw",
        "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)",
    );
    MemrefGenericAtomicRmw "memref.generic_atomic_rmw" Opaque, form(
        "M memref; memref M, indices* index -> result elem(M) {memref.atomic_yield}",
        "",
        "$memref `[` $indices `]` `:` type($memref) region0 attr-dict",
    );
    MemrefAtomicYield "memref.atomic_yield" Opaque, form("result any ->", "", "$result attr-dict `:` type($result)");
    MemrefCast "memref.cast" Opaque pure, form("source any -> cast! any", "", "$source attr-dict `:` type($source) `to` type($cast)");
    MemrefCollapseShape "memref.collapse_shape" Opaque pure, form(
        "src any -> collapse_shape! any",
        "reassociation",
        "$src $reassociation attr-dict `:` type($src) `into` type($collapse_shape)",
    );
    MemrefCopy "memref.copy" Opaque, form(
        "source any, target any ->",
        "",
        "$source `,` $target attr-dict `:` type($source) `to` type($target)",
    );
    MemrefAllocaScope "memref.alloca_scope" Opaque, form(
        "-> results* any {~memref.alloca_scope.return}",
        "",
        "arrow($results) region0 attr-dict",
    );
    MemrefAllocaScopeReturn "memref.alloca_scope.return" Opaque, form("results* any ->", "", "attr-dict ($results^ `:` type($results))?");
    MemrefDmaStart "memref.dma_start" Opaque, by_hand("operands* any ->", "");
    MemrefDmaWait "memref.dma_wait" Opaque, form(
        "tagMemRef memref, tagIndices* index, numElements index ->",
        "",
        "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)",
    );
    MemrefDistinctObjects "memref.distinct_objects" Opaque pure, form(
        "operands* memref -> results* same(operands)",
        "",
        "$operands attr-dict `:` type($operands)",
    );
    MemrefPrefetch "memref.prefetch" Opaque, form(
        "memref memref, indices* index ->",
        "isWrite:@rw localityHint:i32{0..3} isDataCache:@cache",
        "$memref `[` $indices `]` `,` $isWrite `,` `locality` `<` $localityHint `>` `,` $isDataCache attr-dict `:` type($memref)",
    );
    MemrefRealloc "memref.realloc" Opaque, form(
        "source memref, dynamicResultSize? index -> result memref",
        "alignment:i64",
        "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type($result)",
    );
    MemrefDealloc "memref.dealloc" Opaque, form("memref any ->", "", "$memref attr-dict `:` type($memref)");
    MemrefDim "memref.dim" Opaque pure, DIM;
    MemrefExpandShape "memref.expand_shape" Opaque pure, form(
        "src any, output_shape* index -> expand_shape! any",
        "reassociation static_output_shape",
        "$src $reassociation `output_shape` mixed(static_output_shape, output_shape) attr-dict `:` type($src) `into` type($expand_shape)",
    );
    MemrefExtractAlignedPointerAsIndex "memref.extract_aligned_pointer_as_index" Opaque pure, form(
        "source any -> intptr! index",
        "",
        "$source `:` type($source) `->` type($intptr) attr-dict",
    );
    MemrefExtractStridedMetadata "memref.extract_strided_metadata" Opaque pure, form(
        "source any -> base_buffer! any, offset! index, strides* index",
        "",
        "$source `:` type($source) `->` type($base_buffer) `,` type($offset) (`,` type($strides)^)? attr-dict",
    );
    MemrefGetGlobal "memref.get_global" Opaque pure, form("-> result any", "name", "$name `:` type($result) attr-dict");
    MemrefGlobal "memref.global" Opaque, by_hand(
        "->",
        "sym_name:name sym_visibility:visibility type initial_value constant:unit alignment:i64",
    );
    MemrefMemorySpaceCast "memref.memory_space_cast" Opaque pure, form(
        "source any -> memspacecast! any",
        "",
        "$source attr-dict `:` type($source) `to` type($memspacecast)",
    );
    MemrefRank "memref.rank" Opaque pure, form("memref any -> rank! index", "", "$memref attr-dict `:` type($memref)");
    MemrefReinterpretCast "memref.reinterpret_cast" Opaque pure, form(
        "source any, offsets* index, sizes* index, strides* index -> reinterpret_cast! any",
        SLICE_ATTRS,
        "$source `to` `offset` `` `:` mixed(static_offsets, offsets) `` `,` `sizes` `` `:` mixed(static_sizes, sizes) `` `,` `strides` `` `:` mixed(static_strides, strides) attr-dict `:` type($source) `to` type($reinterpret_cast)",
    );
    MemrefReshape "memref.reshape" Opaque pure, form(
        "source any, shape any -> reshape! any",
        "",
        "$source `(` $shape `)` attr-dict `:` functional-type",
    );
    MemrefTranspose "memref.transpose" Opaque pure, by_hand("in any -> transpose! any", "permutation");
    MemrefView "memref.view" Opaque pure, form(
        "source any, byte_shift index, sizes* index -> view! any",
        "",
        "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type($view)",
    );
    MemrefLoad "memref.load" Read, form(
        "M memref; memref M, indices* index -> result elem(M)",
        "nontemporal:bool alignment:i64",
        "$memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    MemrefStore "memref.store" Write, form(
        "M memref; value elem(M), memref M, indices* index ->",
        "nontemporal:bool alignment:i64",
        "$value `,` $memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    MemrefSubview "memref.subview" View pure, by_hand(
        "source memref, offsets* index, sizes* index, strides* index -> subview! memref",
        SLICE_ATTRS,
    );

    // vector
    VectorTransferRead "vector.transfer_read" Read, by_hand(
        "B shaped; base B, indices* index, padding any, mask? vector -> vector vector",
        "permutation_map in_bounds",
    );
    VectorTransferWrite "vector.transfer_write" Write, by_hand(
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
    VectorBroadcast "vector.broadcast" Broadcast pure, form(
        "source any -> vector vector",
        "",
        "$source attr-dict `:` type($source) `to` type($vector)",
    );
    VectorTranspose "vector.transpose" Transpose pure, form(
        "vector vector -> result vector",
        "permutation:dense",
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
    );
    VectorShapeCast "vector.shape_cast" Reshape pure, form(
        "source vector -> result vector",
        "",
        "$source attr-dict `:` type($source) `to` type($result)",
    );
    VectorShuffle "vector.shuffle" Opaque pure, by_hand("v1 vector, v2 vector -> vector vector", "mask:dense");
    VectorScalableInsert "vector.scalable.insert" Opaque pure, form(
        "D vector; valueToStore vector, dest D -> result D",
        "pos:i64",
        "$valueToStore `,` $dest `[` $pos `]` attr-dict `:` type($valueToStore) `into` type($dest)",
    );
    VectorScalableExtract "vector.scalable.extract" Opaque pure, form(
        "source vector -> result vector",
        "pos:i64",
        "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)",
    );
    VectorMultiReduction "vector.multi_reduction" Reduce pure, form(
        "D any; source vector, acc D -> dest D",
        "kind:<vector.kind> reduction_dims:dense",
        "$kind `,` $source `,` $acc $reduction_dims attr-dict `:` type($source) `to` type($dest)",
    );
    VectorContract "vector.contract" Contract pure, by_hand(
        "A any; lhs vector, rhs vector, acc A -> result A",
        "indexing_maps iterator_types kind fastmath:arith.fastmath=none",
    );
    VectorExtract "vector.extract" Slice pure, by_hand(
        "source vector, dynamic_position* index -> result any",
        "static_position",
    );
    VectorInsert "vector.insert" Slice pure, by_hand(
        "D vector; valueToStore any, dest D, dynamic_position* index -> result D",
        "static_position",
    );
    VectorExtractStridedSlice "vector.extract_strided_slice" Slice pure, by_hand(
        "source vector -> result vector",
        "offsets sizes strides",
    );
    VectorInsertStridedSlice "vector.insert_strided_slice" Slice pure, by_hand(
        "D vector; valueToStore vector, dest D -> result D",
        "offsets strides",
    );
    VectorFromElements "vector.from_elements" Slice pure, form(
        "V vector; elements* elem(V) -> dest V",
        "",
        "$elements attr-dict `:` type($dest)",
    );
    VectorToElements "vector.to_elements" Slice pure, by_hand("V vector; source V -> elements* elem(V)", "");
    VectorFma "vector.fma" Elementwise pure, form(
        "T floatlike; lhs T, rhs T, acc T -> result T",
        "",
        "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)",
    );
    VectorStep "vector.step" Constant pure, form("-> result vector", "", "attr-dict `:` type($result)");
    VectorBitcast "vector.bitcast" Slice pure, form(
        "source vector -> result vector",
        "",
        "$source attr-dict `:` type($source) `to` type($result)",
    );
    VectorInterleave "vector.interleave" Slice pure, form(
        "T vector; lhs T, rhs T -> result vector",
        "",
        "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)",
    );
    VectorDeinterleave "vector.deinterleave" Slice pure, form(
        "R vector; source vector -> res1! R, res2! R",
        "",
        "$source attr-dict `:` type($source) `->` type($res1)",
    );
    VectorGather "vector.gather" Read, form(
        "base any, offsets* index, indices vector, mask vector, pass_thru vector -> result vector",
        "alignment:i64",
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)",
    );
    VectorScatter "vector.scatter" Write, form(
        "base any, offsets* index, indices vector, mask vector, valueToStore vector -> result? any",
        "alignment:i64",
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $valueToStore (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($valueToStore) (`->` type($result)^)?",
    );
    VectorMaskedload "vector.maskedload" Read, MASKED_LOAD;
    VectorMaskedstore "vector.maskedstore" Write, MASKED_STORE;
    VectorExpandload "vector.expandload" Opaque, MASKED_LOAD;
    VectorCompressstore "vector.compressstore" Opaque, MASKED_STORE;
    VectorMask "vector.mask" Opaque, by_hand("mask vector, passthru? any -> results* any {~vector.yield}", "");
    VectorYield "vector.yield" Opaque, YIELD;
    VectorOuterproduct "vector.outerproduct" Opaque pure, by_hand("lhs vector, rhs any, acc? any -> result vector", "kind:<vector.kind>=add");
    VectorReduction "vector.reduction" Opaque pure, form(
        "T any; vector vector, acc? T -> dest T",
        "kind:<vector.kind> fastmath:arith.fastmath=none",
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($vector) `into` type($dest)",
    );
    VectorScan "vector.scan" Reduce pure, form(
        "S vector, I vector; source S, initial_value I -> dest! S, accumulated_value! I",
        "kind:<vector.kind> reduction_dim:i64 inclusive:bool",
        "$kind `,` $source `,` $initial_value (`reduction_dim` `=` $reduction_dim^ `,` `inclusive` `=` $inclusive)? attr-dict `:` type($source) `,` type($initial_value)",
    );
    VectorVscale "vector.vscale" Opaque pure, form("-> vscale! index", "", "attr-dict");
    VectorTypeCast "vector.type_cast" Opaque pure, form(
        "memref any -> result any",
        "",
        "$memref attr-dict `:` type($memref) `to` type($result)",
    );
    VectorPrint "vector.print" Opaque, form("source? any ->", "punctuation:<vector.punctuation>=newline stringLiteral", "($source^ `:` type($source))? (`str` $stringLiteral^)? (`punctuation` $punctuation^)? attr-dict");
    VectorCreateMask "vector.create_mask" Mask pure, form(
        "operands* index -> result vector",
        "",
        "$operands attr-dict `:` type($result)",
    );
    VectorConstantMask "vector.constant_mask" Mask pure, form(
        "-> result vector",
        "mask_dim_sizes:dense",
        "$mask_dim_sizes attr-dict `:` type($result)",
    );

    // affine
    AffineApply "affine.apply" Index pure, by_hand("mapOperands* index -> result index", "map");
    AffineLinearizeIndex "affine.linearize_index" Index pure, by_hand(
        "multi_index* indexlike, dynamic_basis* index -> linear_index indexlike",
        "static_basis disjoint:unit=false",
    );
    AffineDelinearizeIndex "affine.delinearize_index" Index pure, by_hand(
        "linear_index indexlike, dynamic_basis* index -> multi_index* indexlike",
        "static_basis",
    );
    AffineMax "affine.max" Index pure, by_hand("operands* index -> result index", "map");
    AffineMin "affine.min" Index pure, by_hand("operands* index -> result index", "map");
    AffineFor "affine.for" Opaque, by_hand(
        "lowerBoundOperands* index, upperBoundOperands* index, inits* any -> results* any {~affine.yield}",
        "lowerBoundMap upperBoundMap step:index",
    );
    AffineIf "affine.if" Opaque, by_hand("operands* index -> results* any {~affine.yield}{?~affine.yield}", "condition");
    AffineLoad "affine.load" Opaque, by_hand("M memref; memref M, indices* index -> result elem(M)", "map");
    AffineStore "affine.store" Opaque, by_hand("M memref; value elem(M), memref M, indices* index ->", "map");
    AffineVectorLoad "affine.vector_load" Opaque, by_hand("memref memref, indices* index -> result vector", "map");
    AffineVectorStore "affine.vector_store" Opaque, by_hand("value vector, memref memref, indices* index ->", "map");
    AffineYield "affine.yield" Opaque, YIELD;
    AffineParallel "affine.parallel" Opaque, by_hand(
        "mapOperands* index -> results* any {~affine.yield}",
        "reductions lowerBoundsMap lowerBoundsGroups upperBoundsMap upperBoundsGroups steps",
    );
    AffinePrefetch "affine.prefetch" Opaque, by_hand(
        "memref memref, indices* index ->",
        "map isWrite:bool localityHint:i32 isDataCache:bool",
    );
    AffineDmaStart "affine.dma_start" Opaque, by_hand("operands* any ->", "src_map dst_map tag_map");
    AffineDmaWait "affine.dma_wait" Opaque, by_hand("operands* any ->", "tag_map");

    // gpu
    GpuThreadId "gpu.thread_id" Id pure, GPU_ID;
    GpuBlockId "gpu.block_id" Id pure, GPU_ID;
    GpuLaneId "gpu.lane_id" Id pure, form(
        "-> result index",
        "upper_bound:index",
        "(`upper_bound` $upper_bound^)? attr-dict",
    );
    GpuSubgroupId "gpu.subgroup_id" Id pure, GPU_COUNT;
    GpuBarrier "gpu.barrier" Barrier, form(
        "namedBarrier? any ->",
        "address_spaces scope:<gpu.barrier_scope>=workgroup",
        "(`memfence` $address_spaces^)? (`scope` $scope^)? (`named` `(` $namedBarrier^ `:` type($namedBarrier) `)`)? attr-dict",
    );
    GpuInitializeNamedBarrier "gpu.initialize_named_barrier" Opaque, form(
        "member_count i32 -> result any",
        "",
        "$member_count attr-dict `:` type($member_count) `->` type($result)",
    );
    GpuBallot "gpu.ballot" Shuffle, form("predicate i1 -> result any", "", "$predicate attr-dict `:` type($result)");
    GpuBlockDim "gpu.block_dim" Opaque pure, GPU_ID;
    GpuGlobalId "gpu.global_id" Opaque pure, GPU_ID;
    GpuGridDim "gpu.grid_dim" Opaque pure, GPU_ID;
    GpuNumSubgroups "gpu.num_subgroups" Opaque pure, GPU_COUNT;
    GpuSubgroupSize "gpu.subgroup_size" Opaque pure, GPU_COUNT;
    GpuAllReduce "gpu.all_reduce" Opaque, form(
        "T intorfloat; value T -> result T {?gpu.yield}",
        "op:gpu.all_reduce_op uniform:unit",
        "($op^)? $value (`uniform` $uniform^)? region0 attr-dict `:` functional-type",
    );
    GpuYield "gpu.yield" Opaque, form("values* any ->", "", "attr-dict ($values^ `:` type($values))?");
    GpuPrintf "gpu.printf" Opaque, form("args* any ->", "format", "$format attr-dict (`,` $args^ `:` type($args))?");
    GpuRotate "gpu.rotate" Opaque, form(
        "T numbers; value T -> rotateResult! T, valid! i1",
        "offset:i32{0..} width:i32{2^}",
        "$value `,` $offset `,` $width attr-dict `:` type($value)",
    );
    GpuSubgroupBroadcast "gpu.subgroup_broadcast" Opaque, form(
        "T any; src T, lane? i32 -> result T",
        "broadcast_type:gpu.broadcast",
        "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)",
    );
    GpuSubgroupMmaCompute "gpu.subgroup_mma_compute" Opaque pure, form(
        "C any; opA any, opB any, opC C -> res C",
        "a_transpose:unit b_transpose:unit",
        "$opA `,` $opB `,` $opC attr-dict `:` type($opA) `,` type($opB) `->` type($res)",
    );
    GpuSubgroupMmaConstantMatrix "gpu.subgroup_mma_constant_matrix" Opaque pure, by_hand("value numbers -> res !gpu.mma_matrix<>", "");
    GpuSubgroupMmaElementwise "gpu.subgroup_mma_elementwise" Opaque pure, form(
        "args* any -> res any",
        "opType:gpu.mma_element_wise",
        "$opType $args attr-dict `:` functional-type",
    );
    GpuSubgroupMmaLoadMatrix "gpu.subgroup_mma_load_matrix" Opaque, form(
        "srcMemref memref, indices* index -> res any",
        "leadDimension:index transpose:unit",
        "$srcMemref `[` $indices `]` (`leadDimension` $leadDimension^)? (`transpose` $transpose^)? attr-dict `:` type($srcMemref) `->` type($res)",
    );
    GpuSubgroupMmaStoreMatrix "gpu.subgroup_mma_store_matrix" Opaque, form(
        "src any, dstMemref memref, indices* index ->",
        "leadDimension:index transpose:unit",
        "$src `,` $dstMemref `[` $indices `]` (`leadDimension` $leadDimension^)? (`transpose` $transpose^)? attr-dict `:` type($src) `,` type($dstMemref)",
    );
    GpuWarpExecuteOnLane0 "gpu.warp_execute_on_lane_0" Opaque, by_hand(
        "laneid index, args* any -> results* any {~gpu.yield}",
        "warp_size:i64",
    );
    GpuShuffle "gpu.shuffle" Shuffle, form(
        "T numbers; value T, offset i32, width i32 -> shuffleResult! T, valid! i1",
        "mode:gpu.shuffle_mode",
        "$mode $value `,` $offset `,` $width attr-dict `:` type($value)",
    );
    GpuSubgroupReduce "gpu.subgroup_reduce" Shuffle, form(
        "T numbers; value T -> result T",
        "op:gpu.all_reduce_op uniform:unit cluster_size:i32 cluster_stride:i32=1",
        "$op $value (`uniform` $uniform^)? (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? attr-dict `:` functional-type",
    );

    // matrix instructions
    NvgpuMmaSync "nvgpu.mma.sync" Matrix pure, by_hand(
        "C vector; matrixA vector, matrixB vector, matrixC C -> res C",
        "mmaShape tf32Enabled:unit",
    );
    AmdgpuMfma "amdgpu.mfma" Matrix pure, by_hand(
        "C mfmasum; sourceA mfma, sourceB mfma, destC C -> destD C",
        "m:i32{4/16/32} n:i32{4/16/32} k:i32{1/2/4/8/16/32/64/128} blocks:i32{1/2/4/16} cbsz:i32 abid:i32 blgp:amdgpu.mfma_perm_b reducePrecision:unit negateA:unit negateB:unit negateC:unit",
    );
    AmdgpuScaledMfma "amdgpu.scaled_mfma" Matrix pure, by_hand(
        "C 4/16xf32; sourceA scaled, sourceB scaled, destC C, scalesA scales, scalesB scales -> destD C",
        "m:i32{16/32} n:i32{16/32} k:i32{64/128} scalesIdxA:i32{..3} scalesIdxB:i32{..3}",
    );
    AmdgpuSparseMfma "amdgpu.sparse_mfma" Matrix pure, by_hand(
        "C 4/16xf32|4/16xi32; sourceA sparse, sourceB dense, destC C, sparseIdx fixed4xi8|fixed2xi16|i32 -> destD C",
        "m:i32{16/32} n:i32{16/32} k:i32{16/32/64/128} cbsz:i32=0 abid:i32=0",
    );
    AmdgpuWmma "amdgpu.wmma" Matrix pure, by_hand(
        "C wmmasum; sourceA wmma, sourceB wmma, destC C -> destD C",
        "m:i32{16} n:i32{16} k:i32{4/16/32/64/128} subwordOffset:i32{0/1}=0 unsignedA:unit unsignedB:unit clamp:unit",
    );
    NvgpuMbarrierCreate "nvgpu.mbarrier.create" Opaque, form("-> barriers !nvgpu.mbarrier.group<>", "", "attr-dict `->` type($barriers)");
    NvgpuMbarrierInit "nvgpu.mbarrier.init" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, count index, mbarId index, predicate? i1 ->",
        "",
        "$barriers `[` $mbarId `]` `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
    );
    NvgpuMbarrierArrive "nvgpu.mbarrier.arrive" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, mbarId index -> token !nvgpu.mbarrier.token",
        "",
        "$barriers `[` $mbarId `]` attr-dict `:` type($barriers) `->` type($token)",
    );
    NvgpuMbarrierArriveNocomplete "nvgpu.mbarrier.arrive.nocomplete" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, mbarId index, count index -> token !nvgpu.mbarrier.token",
        "",
        "$barriers `[` $mbarId `]` `,` $count attr-dict `:` type($barriers) `->` type($token)",
    );
    NvgpuMbarrierArriveExpectTx "nvgpu.mbarrier.arrive.expect_tx" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, txcount index, mbarId index, predicate? i1 ->",
        "",
        "$barriers `[` $mbarId `]` `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
    );
    NvgpuMbarrierTestWait "nvgpu.mbarrier.test.wait" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, token !nvgpu.mbarrier.token, mbarId index -> waitComplete i1",
        "",
        "$barriers `[` $mbarId `]` `,` $token attr-dict `:` type($barriers) `,` type($token)",
    );
    NvgpuMbarrierTryWaitParity "nvgpu.mbarrier.try_wait.parity" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, phaseParity i1, ticks index, mbarId index ->",
        "",
        "$barriers `[` $mbarId `]` `,` $phaseParity `,` $ticks attr-dict `:` type($barriers)",
    );
    NvgpuTmaCreateDescriptor "nvgpu.tma.create.descriptor" Opaque, form(
        "tensor any, boxDimensions* index -> tensorMap !nvgpu.tensormap.descriptor<>",
        "",
        "$tensor `box` `[` $boxDimensions `]` attr-dict `:` type($tensor) `->` type($tensorMap)",
    );
    NvgpuTmaPrefetchDescriptor "nvgpu.tma.prefetch.descriptor" Opaque, form(
        "tensorMapDescriptor !nvgpu.tensormap.descriptor<>, predicate? i1 ->",
        "",
        "$tensorMapDescriptor (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor)",
    );
    NvgpuTmaAsyncLoad "nvgpu.tma.async.load" Opaque, form(
        "dst any, barriers !nvgpu.mbarrier.group<>, tensorMapDescriptor !nvgpu.tensormap.descriptor<>, coordinates* index, mbarId index, multicastMask? any, predicate? i1 ->",
        "",
        "$tensorMapDescriptor `[` $coordinates `]` `,` $barriers `[` $mbarId `]` `to` $dst (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor) `,` type($barriers) `->` type($dst)",
    );
    NvgpuDeviceAsyncCopy "nvgpu.device_async_copy" Opaque, form(
        "dst any, dstIndices* index, src any, srcIndices* index, srcElements? index -> asyncToken !nvgpu.device.async.token",
        "dstElements:index bypassL1:unit",
        "$src `[` $srcIndices `]` `,` $dst `[` $dstIndices `]` `,` $dstElements (`,` $srcElements^)? (`bypassL1` $bypassL1^)? attr-dict `:` type($src) `to` type($dst)",
    );
    NvgpuDeviceAsyncCreateGroup "nvgpu.device_async_create_group" Opaque, form(
        "inputTokens* !nvgpu.device.async.token -> asyncToken !nvgpu.device.async.token",
        "",
        "$inputTokens attr-dict",
    );
    NvvmBarrier "nvvm.barrier" Opaque, form(
        "barrierId? i32, numberOfThreads? i32 ->",
        "aligned:bool=?true",
        "(`id` `=` $barrierId^)? (`number_of_threads` `=` $numberOfThreads^)? attr-dict",
    );
    NvvmBarrierArrive "nvvm.barrier.arrive" Opaque, form(
        "barrierId? i32, numberOfThreads i32 ->",
        "aligned:bool=true",
        "(`id` `=` $barrierId^)? `number_of_threads` `=` $numberOfThreads attr-dict",
    );
    NvvmVoteSync "nvvm.vote.sync" Opaque, form(
        "mask i32, pred i1 -> res any",
        "kind:nvvm.vote_sync_kind",
        "$kind $mask `,` $pred attr-dict `->` type($res)",
    );
    NvvmCpAsyncCommitGroup "nvvm.cp.async.commit.group" Opaque, NULLARY;
    NvvmCpAsyncWaitGroup "nvvm.cp.async.wait.group" Opaque, form("->", "n:i32", "$n attr-dict");
    RocdlBallot "rocdl.ballot" Opaque, form("pred i1 -> res any", "", "$pred attr-dict `:` type($res)");
    RocdlAsyncmark "rocdl.asyncmark" Opaque, NULLARY;
    RocdlWaitAsyncmark "rocdl.wait.asyncmark" Opaque, form("->", "count:i16", "$count attr-dict");
    NvgpuDeviceAsyncWait "nvgpu.device_async_wait" Opaque, form(
        "asyncDependencies !nvgpu.device.async.token ->",
        "numGroups:i32",
        "$asyncDependencies (`numGroups` `=` $numGroups^)? attr-dict",
    );
    NvgpuLdmatrix "nvgpu.ldmatrix" Matrix, form(
        "srcMemref any, indices* index -> res any",
        "numTiles:i32 transpose:bool",
        "$srcMemref `[` $indices `]` (`numTiles` `=` $numTiles^ `transpose` `=` $transpose)? attr-dict `:` type($srcMemref) `->` type($res)",
    );
    // The same the other way. Upstream has it on pointers only, as `nvvm.stmatrix`.
    NvgpuStmatrix "nvgpu.stmatrix" Matrix, form(
        "value vector, dstMemref any, indices* index ->",
        "transpose:bool",
        "$value `,` $dstMemref `[` $indices `]` attr-dict `:` type($value) `,` type($dstMemref)",
    );
    AmdgpuGatherToLds "amdgpu.gather_to_lds" Opaque, form(
        "src any, srcIndices* index, dst any, dstIndices* index ->",
        "transferType async:unit",
        "(`async` $async^)? $src `[` $srcIndices `]` `,` $dst `[` $dstIndices `]` attr-dict `:` $transferType `,` type($src) `,` type($dst)",
    );
    AmdgpuFatRawBufferCast "amdgpu.fat_raw_buffer_cast" Opaque pure, form(
        "source memref, validBytes? i64, cacheSwizzleStride? i14 -> result any",
        "boundsCheck:bool=true resetOffset:unit",
        "$source (`validBytes` `(` $validBytes^ `)`)? (`cacheSwizzleStride` `(` $cacheSwizzleStride^ `)`)? (`boundsCheck` `(` $boundsCheck^ `)`)? (`resetOffset` $resetOffset^)? attr-dict `:` type($source) `to` type($result)",
    );
    AmdgpuTransposeLoad "amdgpu.transpose_load" Opaque, TRANSPOSE_LOAD;
    AmdgpuGlobalTransposeLoad "amdgpu.global_transpose_load" Opaque, TRANSPOSE_LOAD;
    AmdgpuLdsBarrier "amdgpu.lds_barrier" Opaque, NULLARY;
    AmdgpuSchedBarrier "amdgpu.sched_barrier" Opaque, form("->", "opts:rocdl.sched_group_mask=none", "`allow` `=` $opts attr-dict");
    AmdgpuSwizzleBitmode "amdgpu.swizzle_bitmode" Opaque pure, form(
        "T numbers; src T -> result T",
        "and_mask:i32 or_mask:i32 xor_mask:i32",
        "$src $and_mask $or_mask $xor_mask attr-dict `:` type($result)",
    );
    RocdlBarrier "rocdl.barrier" Opaque, NULLARY;
    RocdlSBarrier "rocdl.s.barrier" Opaque, NULLARY;
    RocdlSchedBarrier "rocdl.sched.barrier" Opaque, form("->", "mask:i32", "$mask attr-dict");
    RocdlSSetprio "rocdl.s.setprio" Opaque, form("->", "priority:i16", "$priority attr-dict");

    // iree_vector_ext
    IreeVectorExtToLayout "iree_vector_ext.to_layout" Layout pure, form(
        "T shaped; input T -> output T",
        "layout shared_memory_conversion",
        "$input `to` `layout` `(` $layout `)` attr-dict `:` type($input)",
    );
    IreeVectorExtToSimd "iree_vector_ext.to_simd" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
    IreeVectorExtToSimt "iree_vector_ext.to_simt" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
    IreeVectorExtTransferGather "iree_vector_ext.transfer_gather" Read, form(
        "B shaped; base B, offsets* index, index_vecs* indexlike, padding elem(B), mask? any -> vector vector",
        "indexing_maps",
        "$base `[` $offsets `]` (`[` $index_vecs^ `:` type($index_vecs) `]`)? `,` $padding (`,` $mask^)? attr-dict `:` type($base) `,` type($vector) (`,` type($mask)^)?",
    );
    IreeVectorExtTransferScatter "iree_vector_ext.transfer_scatter" Write, form(
        "base shaped, vector vector, offsets* index, index_vecs* indexlike, mask? any -> result? shaped",
        "indexing_maps",
        "$vector `into` $base `[` $offsets `]` (`[` $index_vecs^ `:` type($index_vecs) `]`)? (`,` $mask^)? attr-dict `:` type($vector) `,` type($base) (`,` type($mask)^)? (`->` type($result)^)?",
    );
    IreeVectorExtArgCompare "iree_vector_ext.arg_compare" Reduce pure, form(
        "input_value vector, input_index? vector, init_value vector, init_index vector, index_base? index -> result_value! vector, result_index! vector {~iree_vector_ext.yield}",
        "dimension:i64",
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input_value (`,` $input_index^)? `:` type($input_value) (`,` type($input_index)^)? `)` `inits` `(` $init_value `,` $init_index `:` type($init_value) `,` type($init_index) `)` (`index_base` `(` $index_base^ `:` type($index_base) `)`)? region0 `->` type($result_value) `,` type($result_index)",
    );
    IreeVectorExtYield "iree_vector_ext.yield" Yield, YIELD;
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

    /// Whether an attribute of this name belongs to the operation, and is not one that somebody left on it.
    pub fn has_property(self, name: &str) -> bool {
        Shape::of(self).inherent(name).is_some()
    }

    /// Whether the operations inside may use values that others define further on: a module runs in no order, and an
    /// operation outside the table may be another such.
    pub fn orders_nothing(self) -> bool {
        matches!(self, Opcode::BuiltinModule | Opcode::GpuModule | Opcode::Unregistered)
    }

    /// Whether the operation goes on in other blocks.
    pub fn is_branch(self) -> bool {
        matches!(
            self,
            Opcode::CfBr
                | Opcode::CfCondBr
                | Opcode::CfSwitch
                | Opcode::PcfBrCondReturn
                | Opcode::LlvmBr
                | Opcode::LlvmCondBr
                | Opcode::LlvmSwitch
        )
    }

    /// Whether nothing inside sees the values outside.
    pub fn is_isolated(self) -> bool {
        matches!(
            self,
            Opcode::BuiltinModule
                | Opcode::FuncFunc
                | Opcode::UtilFunc
                | Opcode::TransformNamedSequence
                | Opcode::TransformAlternatives
                | Opcode::TransformStructuredReplace
                | Opcode::TransformIreeMatchCastCompatibleDagFromRoot
                | Opcode::TransformIreeMatchRegions
                | Opcode::HalExecutable
                | Opcode::HalExecutableSource
                | Opcode::HalExecutableVariant
                | Opcode::HalExecutableExport
                | Opcode::IreeCodegenDispatchConfig
                | Opcode::IreeCodegenSmtConstraints
                | Opcode::FlowExecutable
                | Opcode::FlowFunc
                | Opcode::FlowExecutableExport
                | Opcode::StreamExecutable
                | Opcode::StreamExecutableExport
                | Opcode::FlowDispatchWorkgroups
                | Opcode::UtilInitializer
                | Opcode::HalExecutableConstantBlock
                | Opcode::HalExecutableCondition
                | Opcode::LlvmFunc
                | Opcode::LlvmMlirGlobal
                | Opcode::LlvmMlirAlias
                | Opcode::GpuModule
                | Opcode::GpuFunc
                | Opcode::GpuAllReduce
        )
    }

    /// Whether names are looked up among the operations inside.
    pub fn is_symbol_table(self) -> bool {
        matches!(
            self,
            Opcode::BuiltinModule
                | Opcode::GpuModule
                | Opcode::HalExecutable
                | Opcode::HalExecutableSource
                | Opcode::HalExecutableVariant
                | Opcode::FlowExecutable
                | Opcode::StreamExecutable
                | Opcode::LlvmComdat
        )
    }

    /// What stands in front of the first `.` of the name.
    pub fn dialect(self) -> &'static str {
        self.name().split('.').next().unwrap_or_default()
    }

    /// What the operation is to the passes.
    pub fn class(self) -> Class {
        self.info().class
    }

    /// Every row of the table.
    pub fn all() -> impl Iterator<Item = Opcode> {
        OPCODES.iter().copied()
    }

    /// The row with this name.
    pub fn from_name(name: &str) -> Option<Opcode> {
        use std::sync::LazyLock;

        use rustc_hash::FxHashMap;
        // Looked up for each operation that is read, never walked.
        static BY_NAME: LazyLock<FxHashMap<&'static str, Opcode>> =
            LazyLock::new(|| OPCODES.iter().map(|&opcode| (opcode.name(), opcode)).collect());
        BY_NAME.get(name).copied()
    }
}
