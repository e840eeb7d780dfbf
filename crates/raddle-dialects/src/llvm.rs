//! `llvm`: what a kernel becomes on its way to a vendor's compiler, with the intrinsics that every target has.

mod constants;
mod rules;

use raddle_ir::form::{Form, form, generic_only, of};
use raddle_ir::ops::OpInfo;

use crate::forms::{MAKES, NULLARY};

const LLVM_PAIR: &str = "T int+; lhs T, rhs T -> res T";
const LLVM_BINARY: Form = form(LLVM_PAIR, "", "$lhs `,` $rhs attr-dict `:` type($res)");
const LLVM_BINARY_F: Form =
    form("T real+; lhs T, rhs T -> res T", LLVM_FASTMATH, "$lhs `,` $rhs attr-dict `:` type($res)");
const LLVM_OVERFLOW: Form = form(
    LLVM_PAIR,
    "overflowFlags:@wraps=0",
    "$lhs `,` $rhs (`overflow` `` `<` $overflowFlags^ `>`)? attr-dict `:` type($res)",
);
const LLVM_EXACT: Form = form(LLVM_PAIR, "isExact:unit", "(`exact` $isExact^)? $lhs `,` $rhs attr-dict `:` type($res)");
const LLVM_CAST: Form = form("arg any -> res any", "", "$arg attr-dict `:` type($arg) `to` type($res)");
const LLVM_CAST_SIGNED: Form =
    form("arg any -> res any", "nonNeg:unit", "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)");
const LLVM_FASTMATH: &str = "fastmathFlags:llvm.fastmath=none";
const LLVM_OF_ONE: &str = "`(` $in `)` attr-dict `:` functional-type";
const LLVM_OF_TWO: &str = "`(` $a `,` $b `)` attr-dict `:` functional-type";
const LLVM_OF_THREE: &str = "`(` $a `,` $b `,` $c `)` attr-dict `:` functional-type";
const LLVM_MATH: Form = form("T real+; in T -> res T", LLVM_FASTMATH, LLVM_OF_ONE);
const LLVM_MATH_BINARY: Form = form("T real+; a T, b T -> res T", LLVM_FASTMATH, LLVM_OF_TWO);
const LLVM_BITS: Form = form("T int+; in T -> res T", "", LLVM_OF_ONE);
const LLVM_MATH_TERNARY: Form = form("T real+; a T, b T, c T -> res T", LLVM_FASTMATH, LLVM_OF_THREE);
const LLVM_BITS_TERNARY: Form = form("T int+; a T, b T, c T -> res T", "", LLVM_OF_THREE);
const LLVM_ROUND: Form = form("val real+ -> res llvm", "", "`(` $val `)` attr-dict `:` functional-type");
const LLVM_REDUCE_F: Form = form("in vec(float) -> res llvm", LLVM_FASTMATH, LLVM_OF_ONE);
const LLVM_OF_POINTER: Form = form("ptr ptr ->", "", "$ptr attr-dict `:` type($ptr)");
const LLVM_BITS_BINARY: Form = form("T int+; a T, b T -> res T", "", LLVM_OF_TWO);

pub(crate) static ROWS: &[OpInfo] = raddle_ir::rows! {
    "llvm.return" Opaque stops, form(
        "arg? llvm ->",
        "",
        "attr-dict ($arg^ `:` type($arg))?",
    ), rules::returned;
    "llvm.unreachable" Opaque stops, NULLARY;
    "llvm.mlir.undef" Opaque pure, of("-> res llvm", MAKES);
    "llvm.mlir.poison" Opaque pure, of("-> res llvm", MAKES);
    "llvm.mlir.zero" Opaque pure, of("-> res llvm", MAKES), rules::zero;
    "llvm.mlir.constant" Opaque pure, form(
        "-> res llvm",
        "value",
        "`(` $value `)` attr-dict `:` type($res)",
    ), constants::constant;
    "llvm.add" Opaque pure, LLVM_OVERFLOW;
    "llvm.sub" Opaque pure, LLVM_OVERFLOW;
    "llvm.mul" Opaque pure, LLVM_OVERFLOW;
    "llvm.shl" Opaque pure, LLVM_OVERFLOW;
    "llvm.sdiv" Opaque, LLVM_EXACT;
    "llvm.udiv" Opaque, LLVM_EXACT;
    "llvm.lshr" Opaque pure, LLVM_EXACT;
    "llvm.ashr" Opaque pure, LLVM_EXACT;
    "llvm.srem" Opaque, LLVM_BINARY;
    "llvm.urem" Opaque, LLVM_BINARY;
    "llvm.and" Opaque pure, LLVM_BINARY;
    "llvm.xor" Opaque pure, LLVM_BINARY;
    "llvm.fadd" Opaque pure, LLVM_BINARY_F;
    "llvm.fsub" Opaque pure, LLVM_BINARY_F;
    "llvm.fmul" Opaque pure, LLVM_BINARY_F;
    "llvm.fdiv" Opaque pure, LLVM_BINARY_F;
    "llvm.frem" Opaque pure, LLVM_BINARY_F;
    "llvm.or" Opaque pure, form(
        "T int+; lhs T, rhs T -> res T",
        "isDisjoint:unit",
        "(`disjoint` $isDisjoint^)? $lhs `,` $rhs attr-dict `:` type($res)",
    );
    "llvm.fneg" Opaque pure, form(
        "T real+; operand T -> res T",
        "fastmathFlags:llvm.fastmath=none",
        "$operand attr-dict `:` type($res)",
    );
    "llvm.select" Opaque pure, form(
        "T llvm; condition i1+, trueValue T, falseValue T -> res T",
        "fastmathFlags:llvm.fastmath=none",
        "$condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($res)",
    );
    "llvm.trunc" Opaque pure, form(
        "arg int+ -> res int+",
        "overflowFlags:@wraps=0",
        "$arg (`overflow` `` `<` $overflowFlags^ `>`)? attr-dict `:` type($arg) `to` type($res)",
    );
    "llvm.alloca" Opaque, form(
        "arraySize int -> res ptr",
        "alignment elem_type inalloca:unit",
        "(`inalloca` $inalloca^)? $arraySize `x` $elem_type attr-dict `:` functional-type",
    ), rules::alloca;
    "llvm.zext" Opaque pure, of("arg int+ -> res int+", LLVM_CAST_SIGNED), rules::extension;
    "llvm.uitofp" Opaque pure, of("arg int+ -> res real+", LLVM_CAST_SIGNED);
    "llvm.sext" Opaque pure, of("arg int+ -> res int+", LLVM_CAST), rules::extension;
    "llvm.sitofp" Opaque pure, of("arg int+ -> res real+", LLVM_CAST);
    "llvm.fptosi" Opaque pure, of("arg real+ -> res int+", LLVM_CAST);
    "llvm.fptoui" Opaque pure, of("arg real+ -> res int+", LLVM_CAST);
    "llvm.fptrunc" Opaque pure, of("arg real+ -> res real+", LLVM_CAST);
    "llvm.fpext" Opaque pure, of("arg real+ -> res real+", LLVM_CAST);
    "llvm.ptrtoint" Opaque pure, of("arg ptr+ -> res int+", LLVM_CAST);
    "llvm.inttoptr" Opaque pure, of("arg int+ -> res ptr+", LLVM_CAST);
    "llvm.bitcast" Opaque pure, of("arg plain -> res plain", LLVM_CAST), rules::bitcast;
    "llvm.addrspacecast" Opaque pure, of("arg ptr+ -> res ptr+", LLVM_CAST);
    "llvm.load" Opaque, form(
        "addr pointer -> res sized",
        "alignment:i64 volatile_:unit nontemporal:unit invariant:unit invariantGroup:unit ordering:@ordering=not_atomic syncscope:str dereferenceable:#llvm.dereferenceable access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "(`volatile` $volatile_^)? $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? (`invariant` $invariant^)? (`invariant_group` $invariantGroup^)? (`dereferenceable` `` $dereferenceable^)? attr-dict `:` type($addr) `->` type($res)",
    ), rules::load;
    "llvm.store" Opaque, form(
        "value sized, addr pointer ->",
        "alignment:i64 volatile_:unit nontemporal:unit invariantGroup:unit ordering:@ordering=not_atomic syncscope:str access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "(`volatile` $volatile_^)? $value `,` $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? (`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` type($addr)",
    ), rules::store;
    "llvm.atomicrmw" Opaque, form(
        "T real|ptr|int|fixedlanes; ptr pointer, val T -> res T",
        "bin_op:@atomic ordering:@ordering syncscope:str alignment:i64 volatile_:unit access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "(`volatile` $volatile_^)? $bin_op $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict `:` type($ptr) `,` type($val)",
    ), rules::atomic_rmw;
    "llvm.cmpxchg" Opaque, form(
        "T int|ptr; ptr pointer, cmp T, val T -> res pair(T)",
        "success_ordering:@ordering failure_ordering:@ordering syncscope:str alignment:i64 weak:unit volatile_:unit access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "(`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val (`syncscope` `(` $syncscope^ `)`)? $success_ordering $failure_ordering attr-dict `:` type($ptr) `,` type($val)",
    ), rules::cmpxchg;
    "llvm.fence" Opaque, form(
        "->",
        "ordering:@ordering syncscope:str",
        "(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict",
    ), rules::fence;
    "llvm.extractelement" Opaque pure, form(
        "V vector; vector V, position int -> res elem(V)",
        "",
        "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)",
    );
    "llvm.insertelement" Opaque pure, form(
        "V vector; vector V, value elem(V), position int -> res V",
        "",
        "$value `,` $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)",
    );
    "llvm.icmp" Opaque pure, form(
        "T int+|ptr+; lhs T, rhs T -> res bool(T)",
        "predicate:@icmp",
        "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    "llvm.fcmp" Opaque pure, form(
        "T real+; lhs T, rhs T -> res bool(T)",
        "predicate:@fcmp fastmathFlags:llvm.fastmath=none",
        "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    "llvm.freeze" Opaque pure, form("T llvm; val T -> res T", "", "$val attr-dict `:` type($val)");
    "llvm.mlir.none" Opaque pure, of("-> res any", MAKES);
    "llvm.va_arg" Opaque, form("arg pointer -> res llvm", "", "$arg attr-dict `:` functional-type");
    "llvm.inline_asm" Opaque, form(
        "operands* llvm -> res? llvm",
        "asm_string:str constraints:str has_side_effects:unit is_align_stack:unit tail_call_kind:<llvm.tailcallkind>=none asm_dialect:@asm operand_attrs",
        "(`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)? (`tail_call_kind` `=` $tail_call_kind^)? (`asm_dialect` `=` $asm_dialect^)? (`operand_attrs` `=` $operand_attrs^)? attr-dict $asm_string `,` $constraints $operands `:` functional-type",
    ), rules::inline_asm;
    "llvm.comdat" Opaque symbols, form("-> {}", "sym_name:name", "$sym_name region0 attr-dict"), rules::comdat;
    "llvm.module_flags" Opaque, form("->", "flags", "$flags attr-dict"), rules::module_flags;
    "llvm.linker_options" Opaque, form("->", "options", "$options attr-dict"), rules::in_module;
    "llvm.intr.acos" Opaque pure, LLVM_MATH;
    "llvm.intr.asin" Opaque pure, LLVM_MATH;
    "llvm.intr.atan2" Opaque pure, LLVM_MATH_BINARY;
    "llvm.intr.atan" Opaque pure, LLVM_MATH;
    "llvm.intr.abs" Opaque pure, generic_only("in int+ -> res llvm", "is_int_min_poison:bool");
    "llvm.intr.bitreverse" Opaque pure, LLVM_BITS;
    "llvm.intr.bswap" Opaque pure, LLVM_BITS;
    "llvm.intr.copysign" Opaque pure, LLVM_MATH_BINARY;
    "llvm.intr.cos" Opaque pure, LLVM_MATH;
    "llvm.intr.cosh" Opaque pure, LLVM_MATH;
    "llvm.intr.ctlz" Opaque pure, generic_only("T int+; in T -> res T", "is_zero_poison:bool");
    "llvm.intr.cttz" Opaque pure, generic_only("T int+; in T -> res T", "is_zero_poison:bool");
    "llvm.intr.ctpop" Opaque pure, LLVM_BITS;
    "llvm.intr.dbg.declare" Opaque, form(
        "addr ptr ->",
        "varInfo:of(llvm.di_local_variable) locationExpr:of(llvm.di_expression)=llvm.di_expression",
        "$varInfo ($locationExpr^)? `=` $addr `:` type($addr) attr-dict",
    );
    "llvm.intr.dbg.label" Opaque, form(
        "->",
        "label:of(llvm.di_label)",
        "$label attr-dict",
    );
    "llvm.intr.dbg.value" Opaque, form(
        "value llvm ->",
        "varInfo:of(llvm.di_local_variable) locationExpr:of(llvm.di_expression)=llvm.di_expression",
        "$varInfo ($locationExpr^)? `=` $value `:` type($value) attr-dict",
    );
    "llvm.intr.debugtrap" Opaque, NULLARY;
    "llvm.intr.exp10" Opaque pure, LLVM_MATH;
    "llvm.intr.exp2" Opaque pure, LLVM_MATH;
    "llvm.intr.exp" Opaque pure, LLVM_MATH;
    "llvm.intr.expect" Opaque pure, form(
        "T int; val T, expected T -> res T",
        "",
        "$val `,` $expected attr-dict `:` type($val)",
    );
    "llvm.intr.expect.with.probability" Opaque pure, form(
        "T int; val T, expected T -> res T",
        "prob",
        "$val `,` $expected `,` $prob attr-dict `:` type($val)",
    );
    "llvm.intr.fabs" Opaque pure, LLVM_MATH;
    "llvm.intr.ceil" Opaque pure, LLVM_MATH;
    "llvm.intr.floor" Opaque pure, LLVM_MATH;
    "llvm.intr.fma" Opaque pure, LLVM_MATH_TERNARY;
    "llvm.intr.fmuladd" Opaque pure, LLVM_MATH_TERNARY;
    "llvm.intr.trunc" Opaque pure, LLVM_MATH;
    "llvm.intr.frexp" Opaque pure, form(
        "val real+ -> res llvm",
        "fastmathFlags:llvm.fastmath=none",
        "`(` $val `)` attr-dict `:` functional-type",
    );
    "llvm.intr.fshl" Opaque pure, LLVM_BITS_TERNARY;
    "llvm.intr.fshr" Opaque pure, LLVM_BITS_TERNARY;
    "llvm.intr.get.active.lane.mask" Opaque pure, form(
        "base int, n int -> res llvm",
        "",
        "$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)",
    );
    "llvm.intr.invariant.end" Opaque, form(
        "start !llvm.ptr, ptr ptr ->",
        "size:i64",
        "$start `,` $size `,` $ptr attr-dict `:` type($ptr)",
    );
    "llvm.intr.invariant.start" Opaque, form(
        "ptr ptr -> res !llvm.ptr",
        "size:i64",
        "$size `,` $ptr attr-dict `:` type($ptr)",
    );
    "llvm.intr.is.constant" Opaque pure, generic_only("val llvm -> res i1", "");
    "llvm.intr.is.fpclass" Opaque pure, generic_only("in real+ -> res llvm", "bit:i32");
    "llvm.intr.launder.invariant.group" Opaque, form(
        "T ptr; ptr T -> res T",
        "",
        "$ptr attr-dict `:` type($ptr)",
    );
    "llvm.intr.lifetime.end" Opaque, LLVM_OF_POINTER;
    "llvm.intr.lifetime.start" Opaque, LLVM_OF_POINTER;
    "llvm.intr.llrint" Opaque pure, LLVM_ROUND;
    "llvm.intr.llround" Opaque pure, of("val real -> res llvm", LLVM_ROUND);
    "llvm.intr.ldexp" Opaque pure, form(
        "val real+, power int -> res llvm",
        "fastmathFlags:llvm.fastmath=none",
        "`(` $val `,` $power `)` attr-dict `:` functional-type",
    );
    "llvm.intr.log10" Opaque pure, LLVM_MATH;
    "llvm.intr.log2" Opaque pure, LLVM_MATH;
    "llvm.intr.log" Opaque pure, LLVM_MATH;
    "llvm.intr.lrint" Opaque pure, LLVM_ROUND;
    "llvm.intr.lround" Opaque pure, LLVM_ROUND;
    "llvm.intr.masked.load" Opaque, form(
        "data ptr, mask vec(i1), pass_thru? lanes -> res lanes",
        "alignment:i64 nontemporal:unit",
        "$data `,` $mask `,` $pass_thru attr-dict `:` functional-type",
    );
    "llvm.intr.masked.store" Opaque, form(
        "value lanes, data ptr, mask vec(i1) ->",
        "alignment:i64",
        "$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($data)",
    );
    "llvm.intr.maxnum" Opaque pure, LLVM_MATH_BINARY;
    "llvm.intr.maximum" Opaque pure, LLVM_MATH_BINARY;
    "llvm.intr.memcpy.inline" Opaque, generic_only("dst ptr, src ptr ->", "len isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
    "llvm.intr.memcpy" Opaque, generic_only("dst ptr, src ptr, len int ->", "isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
    "llvm.intr.memmove" Opaque, generic_only("dst ptr, src ptr, len int ->", "isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
    "llvm.intr.memset.inline" Opaque, generic_only("dst ptr, val i8 ->", "len isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
    "llvm.intr.memset" Opaque, generic_only("dst ptr, val i8, len int ->", "isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
    "llvm.intr.minnum" Opaque pure, LLVM_MATH_BINARY;
    "llvm.intr.minimum" Opaque pure, LLVM_MATH_BINARY;
    "llvm.intr.nearbyint" Opaque pure, LLVM_MATH;
    "llvm.intr.experimental.noalias.scope.decl" Opaque, form(
        "->",
        "scope",
        "$scope attr-dict",
    );
    "llvm.intr.powi" Opaque pure, form(
        "val real+, power int -> res llvm",
        "fastmathFlags:llvm.fastmath=none",
        "`(` $val `,` $power `)` attr-dict `:` functional-type",
    );
    "llvm.intr.pow" Opaque pure, LLVM_MATH_BINARY;
    "llvm.intr.prefetch" Opaque, generic_only("addr ptr ->", "rw:i32 hint:i32 cache:i32");
    "llvm.intr.ptrmask" Opaque pure, form(
        "ptr ptr+, mask anyint+ -> res ptr+",
        "",
        "$ptr `,` $mask attr-dict `:` functional-type",
    );
    "llvm.intr.rint" Opaque pure, LLVM_MATH;
    "llvm.intr.roundeven" Opaque pure, LLVM_MATH;
    "llvm.intr.round" Opaque pure, LLVM_MATH;
    "llvm.intr.sadd.sat" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.sadd.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
    "llvm.intr.scmp" Opaque pure, form(
        "a int+, b int+ -> res int+",
        "",
        "`(` $a `,` $b `)` attr-dict `:` functional-type",
    );
    "llvm.intr.smax" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.smin" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.smul.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
    "llvm.intr.ssa.copy" Opaque pure, form(
        "T llvm; operand T -> res T",
        "",
        "$operand attr-dict `:` type($operand)",
    );
    "llvm.intr.sshl.sat" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.ssub.sat" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.ssub.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
    "llvm.intr.sin" Opaque pure, LLVM_MATH;
    "llvm.intr.sincos" Opaque pure, form(
        "val real+ -> res llvm",
        "fastmathFlags:llvm.fastmath=none",
        "`(` $val `)` attr-dict `:` functional-type",
    ), rules::sincos;
    "llvm.intr.sinh" Opaque pure, LLVM_MATH;
    "llvm.intr.sqrt" Opaque pure, LLVM_MATH;
    "llvm.intr.stackrestore" Opaque, LLVM_OF_POINTER;
    "llvm.intr.stacksave" Opaque, of("-> res llvm", MAKES);
    "llvm.intr.stepvector" Opaque pure, of("-> res vec(int)", MAKES);
    "llvm.intr.strip.invariant.group" Opaque, form(
        "T ptr; ptr T -> res T",
        "",
        "$ptr attr-dict `:` type($ptr)",
    );
    "llvm.intr.tan" Opaque pure, LLVM_MATH;
    "llvm.intr.tanh" Opaque pure, LLVM_MATH;
    "llvm.intr.threadlocal.address" Opaque pure, generic_only("global ptr -> res llvm", "");
    "llvm.intr.trap" Opaque, NULLARY;
    "llvm.intr.uadd.sat" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.uadd.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
    "llvm.intr.ubsantrap" Opaque, form(
        "->",
        "failureKind:i8",
        "attr-dict",
    );
    "llvm.intr.ucmp" Opaque pure, form(
        "a int+, b int+ -> res int+",
        "",
        "`(` $a `,` $b `)` attr-dict `:` functional-type",
    );
    "llvm.intr.umax" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.umin" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.umul.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
    "llvm.intr.ushl.sat" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.usub.sat" Opaque pure, LLVM_BITS_BINARY;
    "llvm.intr.usub.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
    "llvm.intr.vacopy" Opaque, form(
        "dest_list ptr, src_list ptr ->",
        "",
        "$src_list `to` $dest_list attr-dict `:` type(operands)",
    );
    "llvm.intr.vaend" Opaque, form(
        "arg_list ptr ->",
        "",
        "$arg_list attr-dict `:` type($arg_list)",
    );
    "llvm.intr.vastart" Opaque, form(
        "arg_list ptr ->",
        "",
        "$arg_list attr-dict `:` type($arg_list)",
    );
    "llvm.intr.masked.compressstore" Opaque, generic_only("value lanes, ptr ptr, mask vec(i1) ->", "arg_attrs res_attrs");
    "llvm.intr.masked.expandload" Opaque, generic_only("ptr ptr, mask vec(i1), passthru lanes -> res llvm", "arg_attrs res_attrs");
    "llvm.intr.masked.gather" Opaque, form(
        "ptrs vec(ptr), mask vec(i1), pass_thru* lanes -> res lanes",
        "alignment:i64",
        "$ptrs `,` $mask `,` $pass_thru attr-dict `:` functional-type",
    );
    "llvm.intr.masked.scatter" Opaque, form(
        "value lanes, ptrs vec(ptr), mask vec(i1) ->",
        "alignment:i64",
        "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)",
    );
    "llvm.intr.vector.deinterleave2" Opaque pure, generic_only("vec lanes -> res llvm", "");
    "llvm.intr.vector.extract" Opaque pure, form(
        "srcvec lanes -> res lanes",
        "pos:i64",
        "$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)",
    ), rules::part_of_vector;
    "llvm.intr.vector.insert" Opaque pure, form(
        "T lanes; dstvec T, srcvec lanes -> res T",
        "pos:i64",
        "$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)",
    ), rules::part_of_vector;
    "llvm.intr.vector.interleave2" Opaque pure, generic_only("vec1 lanes, vec2 lanes -> res llvm", ""), rules::interleave;
    "llvm.intr.vector.reduce.add" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.and" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.fadd" Opaque pure, generic_only("start_value float, input vec(float) -> res llvm", "fastmathFlags:llvm.fastmath=none");
    "llvm.intr.vector.reduce.fmax" Opaque pure, LLVM_REDUCE_F;
    "llvm.intr.vector.reduce.fmaximum" Opaque pure, LLVM_REDUCE_F;
    "llvm.intr.vector.reduce.fmin" Opaque pure, LLVM_REDUCE_F;
    "llvm.intr.vector.reduce.fminimum" Opaque pure, LLVM_REDUCE_F;
    "llvm.intr.vector.reduce.fmul" Opaque pure, generic_only("start_value float, input vec(float) -> res llvm", "fastmathFlags:llvm.fastmath=none");
    "llvm.intr.vector.reduce.mul" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.or" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.smax" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.smin" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.umax" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.umin" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vector.reduce.xor" Opaque pure, generic_only("in vec(int) -> res llvm", "");
    "llvm.intr.vscale" Opaque, generic_only("-> res llvm", "");
};
