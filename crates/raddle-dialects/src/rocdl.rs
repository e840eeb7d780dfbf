//! `rocdl`: one row for each instruction that only AMD's machines have.

use raddle_ir::form::{Form, form, generic_only, of};
use raddle_ir::ops::OpInfo;

use crate::forms::IN_RANGE;

const ROCDL_MATH: Form = form("arg real -> res real", "", "$arg type($arg) attr-dict `->` type($res)");
const CLUSTER_LOAD: Form = form(
    "globalPtr ptr1, ldsPtr ptr3, mask i32 ->",
    "offset:i32 cpol:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
    "$globalPtr `,` $ldsPtr `,` $offset `,` $cpol `,` $mask attr-dict `:` type($globalPtr) `,` type($ldsPtr)",
);
const UNPACK_HALF_SCALED: Form = form(
    "src i32, scale f32 -> res any",
    "srcLoHiSel:bool",
    "attr-dict $src `[` $srcLoHiSel `]` `,` $scale `:` type($res)",
);
const PACK_BYTE_ROUNDED: Form = form(
    "oldVdst i32, src0 any, seed i32, scale f32 -> res i32",
    "dstSelIndex:i32",
    "attr-dict $src0 `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
);
const ALIASES: &str = "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]";
const TRANSPOSING_LOAD: Form = form("ptr any -> res any", ALIASES, "$ptr attr-dict `:` type($ptr) `->` type($res)");
const ASYNC_LOAD: Form = form(
    "globalPtr ptr1, ldsPtr ptr3 ->",
    "offset:i32 aux:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
    "$globalPtr `,` $ldsPtr `,` $offset `,` $aux attr-dict `:` type($globalPtr) `,` type($ldsPtr)",
);
const RAW_BUFFER_UPDATE: Form = form(
    "vdata any, rsrc any, offset i32, soffset i32, aux i32 ->",
    ALIASES,
    "$vdata `,` $rsrc `,` $offset `,` $soffset `,` $aux attr-dict `:` type($vdata)",
);
const WAIT_COUNT: Form = form("->", "count:i16", "$count attr-dict");
const ROCDL_MATRIX: Form = form("args* any -> res any", "", "$args attr-dict `:` functional-type");
const ROCDL_PRODUCT: &str = "a any, b any, c any -> res any";
const ROCDL_OF_THREE: &str = "$a `,` $b `,` $c attr-dict `:` functional-type";
const ROCDL_WMMA_SIGN_MOD: Form = form(
    ROCDL_PRODUCT,
    "signA:bool=false signB:bool=false modC:i16=0 reuseA:bool=false reuseB:bool=false",
    ROCDL_OF_THREE,
);
const ROCDL_WMMA_MOD: Form = form(ROCDL_PRODUCT, "modC:i16=0 reuseA:bool=false reuseB:bool=false", ROCDL_OF_THREE);
const ROCDL_WMMA: Form = form(ROCDL_PRODUCT, "", ROCDL_OF_THREE);
const UNPACK: &str = "attr-dict $src `,` $scale `[` $scaleSel `]` `:` type($res)";
const UNPACK_3XI32: Form = form("src vector<3xi32>, scale i32 -> res any", "scaleSel:i32", UNPACK);
const UNPACK_2XI32: Form = form("src vector<2xi32>, scale i32 -> res any", "scaleSel:i32", UNPACK);
const SCALED: Form = form("src vector<6xi32>, scale f32 -> res any", "", "attr-dict $src `,` $scale `:` type($res)");
/// The same, where a seed says how it rounds.
const SCALED_ROUNDED: Form = form(
    "src vector<32xf32>, seed i32, scale f32 -> res fixed6xi32",
    "",
    "attr-dict $src `,` $seed `,` $scale `:` type($res)",
);
const UNPACK_WORD: Form = form("src i32, scale i32 -> res any", "scaleSel:i32", UNPACK);
const PACK_ONE: Form = form(
    "src i32, scale f32 -> res any",
    "srcSelIndex:i32",
    "attr-dict $src `[` $srcSelIndex `]` `,` $scale `:` type($res)",
);

pub(crate) static ROWS: &[OpInfo] = raddle_ir::rows! {
    "rocdl.cos" Opaque pure, ROCDL_MATH;
    "rocdl.exp" Opaque pure, ROCDL_MATH;
    "rocdl.exp2" Opaque pure, ROCDL_MATH;
    "rocdl.log" Opaque pure, ROCDL_MATH;
    "rocdl.rcp" Opaque pure, ROCDL_MATH;
    "rocdl.sin" Opaque pure, ROCDL_MATH;
    "rocdl.sqrt" Opaque pure, ROCDL_MATH;
    "rocdl.tanh" Opaque pure, ROCDL_MATH;
    "rocdl.s.barrier.init" Opaque, form(
        "ptr ptr15 ->",
        "memberCnt:i32",
        "$ptr `member_cnt` `=` $memberCnt attr-dict `:` type($ptr)",
    );
    "rocdl.s.barrier.join" Opaque, form(
        "ptr ptr15 ->",
        "",
        "$ptr attr-dict `:` type($ptr)",
    );
    "rocdl.s.barrier.leave" Opaque, form(
        "->",
        "id:i16",
        "`id` `=` $id attr-dict",
    );
    "rocdl.s.barrier.signal.isfirst" Opaque, form(
        "-> res i1",
        "id:i32",
        "`id` `=` $id attr-dict `->` type($res)",
    );
    "rocdl.s.barrier.signal" Opaque, form(
        "->",
        "id:i32",
        "`id` `=` $id attr-dict",
    );
    "rocdl.s.barrier.signal.var" Opaque, form(
        "ptr ptr15 ->",
        "memberCnt:i32",
        "$ptr `member_cnt` `=` $memberCnt attr-dict `:` type($ptr)",
    );
    "rocdl.s.barrier.wait" Opaque, form(
        "->",
        "id:i16",
        "`id` `=` $id attr-dict",
    );
    "rocdl.workgroup.dim.x" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.workgroup.dim.y" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.workgroup.dim.z" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.workgroup.id.x" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.workgroup.id.y" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.workgroup.id.z" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.cluster.id.x" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.cluster.id.y" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.cluster.id.z" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.cluster.load.async.to.lds.b128" Opaque, CLUSTER_LOAD;
    "rocdl.cluster.load.async.to.lds.b32" Opaque, CLUSTER_LOAD;
    "rocdl.cluster.load.async.to.lds.b64" Opaque, CLUSTER_LOAD;
    "rocdl.cluster.load.async.to.lds.b8" Opaque, CLUSTER_LOAD;
    "rocdl.cvt.f32.bf8" Opaque pure, form(
        "srcA i32 -> res llvm",
        "byteSel:i32",
        "attr-dict $srcA `[` $byteSel `]` `:` type($res)",
    );
    "rocdl.cvt.f32.fp8" Opaque pure, form(
        "srcA i32 -> res llvm",
        "byteSel:i32",
        "attr-dict $srcA `[` $byteSel `]` `:` type($res)",
    );
    "rocdl.cvt.pk.bf8.f32" Opaque pure, form(
        "srcA f32, srcB f32, old i32 -> res llvm",
        "wordSel:bool",
        "attr-dict $srcA `,` $srcB `->` $old `[` $wordSel `]` `:` type($res)",
    );
    "rocdl.cvt.pk.f32.bf8" Opaque pure, form(
        "src i32 -> res llvm",
        "wordSel:bool",
        "attr-dict $src `[` $wordSel `]` `:` type($res)",
    );
    "rocdl.cvt.pk.f32.fp8" Opaque pure, form(
        "src i32 -> res llvm",
        "wordSel:bool",
        "attr-dict $src `[` $wordSel `]` `:` type($res)",
    );
    "rocdl.cvt.pk.fp8.f32" Opaque pure, form(
        "srcA f32, srcB f32, old i32 -> res llvm",
        "wordSel:bool",
        "attr-dict $srcA `,` $srcB `->` $old `[` $wordSel `]` `:` type($res)",
    );
    "rocdl.cvt.pkrtz" Opaque pure, form(
        "srcA f32, srcB f32 -> res llvm",
        "",
        "attr-dict $srcA `,` $srcB `:` type($res)",
    );
    "rocdl.cvt.scale.pk16.bf16.bf6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xbf16", UNPACK_3XI32);
    "rocdl.cvt.scale.pk16.bf16.fp6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xbf16", UNPACK_3XI32);
    "rocdl.cvt.scale.pk16.f16.bf6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf16", UNPACK_3XI32);
    "rocdl.cvt.scale.pk16.f16.fp6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf16", UNPACK_3XI32);
    "rocdl.cvt.scale.pk16.f32.bf6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf32", UNPACK_3XI32);
    "rocdl.cvt.scale.pk16.f32.fp6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf32", UNPACK_3XI32);
    "rocdl.cvt.scale.pk8.bf16.bf8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xbf16", UNPACK_2XI32);
    "rocdl.cvt.scale.pk8.bf16.fp4" Opaque pure, of("src i32, scale i32 -> res fixed8xbf16", UNPACK_WORD);
    "rocdl.cvt.scale.pk8.bf16.fp8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xbf16", UNPACK_2XI32);
    "rocdl.cvt.scale.pk8.f16.bf8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf16", UNPACK_2XI32);
    "rocdl.cvt.scale.pk8.f16.fp4" Opaque pure, of("src i32, scale i32 -> res fixed8xf16", UNPACK_WORD);
    "rocdl.cvt.scale.pk8.f16.fp8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf16", UNPACK_2XI32);
    "rocdl.cvt.scale.pk8.f32.bf8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf32", UNPACK_2XI32);
    "rocdl.cvt.scale.pk8.f32.fp4" Opaque pure, of("src i32, scale i32 -> res fixed8xf32", UNPACK_WORD);
    "rocdl.cvt.scale.pk8.f32.fp8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf32", UNPACK_2XI32);
    "rocdl.cvt.scalef32.2xpk16.bf6.f32" Opaque pure, form(
        "src0 vector<16xf32>, src1 vector<16xf32>, scale f32 -> res fixed6xi32",
        "",
        "attr-dict $src0 `,` $src1 `,` $scale `:` type($res)",
    );
    "rocdl.cvt.scalef32.2xpk16.fp6.f32" Opaque pure, form(
        "src0 vector<16xf32>, src1 vector<16xf32>, scale f32 -> res fixed6xi32",
        "",
        "attr-dict $src0 `,` $src1 `,` $scale `:` type($res)",
    );
    "rocdl.cvt.scalef32.f16.bf8" Opaque pure, form(
        "oldVdst vector<2xf16>, src i32, scale f32 -> res fixed2xf16",
        "srcSelIndex:i32 dstLoHiSel:bool",
        "attr-dict $src `[` $srcSelIndex `]` `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.f16.fp8" Opaque pure, form(
        "oldVdst vector<2xf16>, src i32, scale f32 -> res fixed2xf16",
        "srcSelIndex:i32 dstLoHiSel:bool",
        "attr-dict $src `[` $srcSelIndex `]` `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.f32.bf8" Opaque pure, form(
        "src i32, scale f32 -> res f32",
        "srcSelIndex:i32",
        "attr-dict $src `[` $srcSelIndex `]` `,` $scale `:` type($res)",
    );
    "rocdl.cvt.scalef32.f32.fp8" Opaque pure, form(
        "src i32, scale f32 -> res f32",
        "srcSelIndex:i32",
        "attr-dict $src `[` $srcSelIndex `]` `,` $scale `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk16.bf6.bf16" Opaque pure, of("src vector<16xbf16>, scale f32 -> res fixed3xi32", SCALED);
    "rocdl.cvt.scalef32.pk16.bf6.f16" Opaque pure, of("src vector<16xf16>, scale f32 -> res fixed3xi32", SCALED);
    "rocdl.cvt.scalef32.pk16.bf6.f32" Opaque pure, of("src vector<16xf32>, scale f32 -> res fixed3xi32", SCALED);
    "rocdl.cvt.scalef32.pk16.fp6.bf16" Opaque pure, of("src vector<16xbf16>, scale f32 -> res fixed3xi32", SCALED);
    "rocdl.cvt.scalef32.pk16.fp6.f16" Opaque pure, of("src vector<16xf16>, scale f32 -> res fixed3xi32", SCALED);
    "rocdl.cvt.scalef32.pk16.fp6.f32" Opaque pure, of("src vector<16xf32>, scale f32 -> res fixed3xi32", SCALED);
    "rocdl.cvt.scalef32.pk32.bf16.bf6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xbf16", SCALED);
    "rocdl.cvt.scalef32.pk32.bf16.fp6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xbf16", SCALED);
    "rocdl.cvt.scalef32.pk32.bf6.bf16" Opaque pure, of("src vector<32xbf16>, scale f32 -> res fixed6xi32", SCALED);
    "rocdl.cvt.scalef32.pk32.bf6.f16" Opaque pure, of("src vector<32xf16>, scale f32 -> res fixed6xi32", SCALED);
    "rocdl.cvt.scalef32.pk32.f16.bf6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf16", SCALED);
    "rocdl.cvt.scalef32.pk32.f16.fp6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf16", SCALED);
    "rocdl.cvt.scalef32.pk32.f32.bf6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf32", SCALED);
    "rocdl.cvt.scalef32.pk32.f32.fp6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf32", SCALED);
    "rocdl.cvt.scalef32.pk32.fp6.bf16" Opaque pure, of("src vector<32xbf16>, scale f32 -> res fixed6xi32", SCALED);
    "rocdl.cvt.scalef32.pk32.fp6.f16" Opaque pure, of("src vector<32xf16>, scale f32 -> res fixed6xi32", SCALED);
    "rocdl.cvt.scalef32.pk8.bf8.bf16" Opaque pure, of("src vector<8xbf16>, scale f32 -> res fixed2xi32", SCALED);
    "rocdl.cvt.scalef32.pk8.bf8.f16" Opaque pure, of("src vector<8xf16>, scale f32 -> res fixed2xi32", SCALED);
    "rocdl.cvt.scalef32.pk8.bf8.f32" Opaque pure, of("src vector<8xf32>, scale f32 -> res fixed2xi32", SCALED);
    "rocdl.cvt.scalef32.pk8.fp4.bf16" Opaque pure, of("src vector<8xbf16>, scale f32 -> res i32", SCALED);
    "rocdl.cvt.scalef32.pk8.fp4.f16" Opaque pure, of("src vector<8xf16>, scale f32 -> res i32", SCALED);
    "rocdl.cvt.scalef32.pk8.fp4.f32" Opaque pure, of("src vector<8xf32>, scale f32 -> res i32", SCALED);
    "rocdl.cvt.scalef32.pk8.fp8.bf16" Opaque pure, of("src vector<8xbf16>, scale f32 -> res fixed2xi32", SCALED);
    "rocdl.cvt.scalef32.pk8.fp8.f16" Opaque pure, of("src vector<8xf16>, scale f32 -> res fixed2xi32", SCALED);
    "rocdl.cvt.scalef32.pk8.fp8.f32" Opaque pure, of("src vector<8xf32>, scale f32 -> res fixed2xi32", SCALED);
    "rocdl.cvt.scalef32.pk.bf16.bf8" Opaque pure, of("src i32, scale f32 -> res fixed2xbf16", UNPACK_HALF_SCALED);
    "rocdl.cvt.scalef32.pk.bf16.fp4" Opaque pure, of("src i32, scale f32 -> res fixed2xbf16", PACK_ONE);
    "rocdl.cvt.scalef32.pk.bf16.fp8" Opaque pure, of("src i32, scale f32 -> res fixed2xbf16", UNPACK_HALF_SCALED);
    "rocdl.cvt.scalef32.pk.bf8.bf16" Opaque pure, form(
        "oldVdst vector<2xi16>, src0 vector<2xbf16>, scale f32 -> res fixed2xi16",
        "dstLoHiSel:bool",
        "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.bf8.f16" Opaque pure, form(
        "oldVdst vector<2xi16>, src0 vector<2xf16>, scale f32 -> res fixed2xi16",
        "dstLoHiSel:bool",
        "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.bf8.f32" Opaque pure, form(
        "oldVdst vector<2xi16>, src0 f32, src1 f32, scale f32 -> res fixed2xi16",
        "dstLoHiSel:bool",
        "attr-dict $src0 `,` $src1 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.f16.bf8" Opaque pure, of("src i32, scale f32 -> res fixed2xf16", UNPACK_HALF_SCALED);
    "rocdl.cvt.scalef32.pk.f16.fp4" Opaque pure, of("src i32, scale f32 -> res fixed2xf16", PACK_ONE);
    "rocdl.cvt.scalef32.pk.f16.fp8" Opaque pure, of("src i32, scale f32 -> res fixed2xf16", UNPACK_HALF_SCALED);
    "rocdl.cvt.scalef32.pk.f32.bf8" Opaque pure, of("src i32, scale f32 -> res fixed2xf32", UNPACK_HALF_SCALED);
    "rocdl.cvt.scalef32.pk.f32.fp4" Opaque pure, of("src i32, scale f32 -> res fixed2xf32", PACK_ONE);
    "rocdl.cvt.scalef32.pk.f32.fp8" Opaque pure, of("src i32, scale f32 -> res fixed2xf32", UNPACK_HALF_SCALED);
    "rocdl.cvt.scalef32.pk.fp4.bf16" Opaque pure, form(
        "oldVdst i32, src vector<2xbf16>, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.fp4.f16" Opaque pure, form(
        "oldVdst i32, src vector<2xf16>, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.fp4.f32" Opaque pure, form(
        "oldVdst i32, src0 f32, src1 f32, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src0 `,` $src1 `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.fp8.bf16" Opaque pure, form(
        "oldVdst vector<2xi16>, src0 vector<2xbf16>, scale f32 -> res fixed2xi16",
        "dstLoHiSel:bool",
        "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.fp8.f16" Opaque pure, form(
        "oldVdst vector<2xi16>, src0 vector<2xf16>, scale f32 -> res fixed2xi16",
        "dstLoHiSel:bool",
        "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.pk.fp8.f32" Opaque pure, form(
        "oldVdst vector<2xi16>, src0 f32, src1 f32, scale f32 -> res fixed2xi16",
        "dstLoHiSel:bool",
        "attr-dict $src0 `,` $src1 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.sr.bf8.bf16" Opaque pure, of("oldVdst i32, src0 bf16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
    "rocdl.cvt.scalef32.sr.bf8.f16" Opaque pure, of("oldVdst i32, src0 f16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
    "rocdl.cvt.scalef32.sr.bf8.f32" Opaque pure, form(
        "oldVdst i32, src0 f32, seed i32, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src0 `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.sr.fp8.bf16" Opaque pure, of("oldVdst i32, src0 bf16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
    "rocdl.cvt.scalef32.sr.fp8.f16" Opaque pure, of("oldVdst i32, src0 f16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
    "rocdl.cvt.scalef32.sr.fp8.f32" Opaque pure, form(
        "oldVdst i32, src0 f32, seed i32, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src0 `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.sr.pk16.bf6.bf16" Opaque pure, of("src vector<16xbf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk16.bf6.f16" Opaque pure, of("src vector<16xf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk16.bf6.f32" Opaque pure, of("src vector<16xf32>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk16.fp6.bf16" Opaque pure, of("src vector<16xbf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk16.fp6.f16" Opaque pure, of("src vector<16xf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk16.fp6.f32" Opaque pure, of("src vector<16xf32>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk32.bf6.bf16" Opaque pure, of("src vector<32xbf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk32.bf6.f16" Opaque pure, of("src vector<32xf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk32.bf6.f32" Opaque pure, of("src vector<32xf32>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk32.fp6.bf16" Opaque pure, of("src vector<32xbf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk32.fp6.f16" Opaque pure, of("src vector<32xf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk32.fp6.f32" Opaque pure, of("src vector<32xf32>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.bf8.bf16" Opaque pure, of("src vector<8xbf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.bf8.f16" Opaque pure, of("src vector<8xf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.bf8.f32" Opaque pure, of("src vector<8xf32>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.fp4.bf16" Opaque pure, of("src vector<8xbf16>, seed i32, scale f32 -> res i32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.fp4.f16" Opaque pure, of("src vector<8xf16>, seed i32, scale f32 -> res i32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.fp4.f32" Opaque pure, of("src vector<8xf32>, seed i32, scale f32 -> res i32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.fp8.bf16" Opaque pure, of("src vector<8xbf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.fp8.f16" Opaque pure, of("src vector<8xf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk8.fp8.f32" Opaque pure, of("src vector<8xf32>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
    "rocdl.cvt.scalef32.sr.pk.fp4.bf16" Opaque pure, form(
        "oldVdst i32, src vector<2xbf16>, seed i32, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.sr.pk.fp4.f16" Opaque pure, form(
        "oldVdst i32, src vector<2xf16>, seed i32, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.scalef32.sr.pk.fp4.f32" Opaque pure, form(
        "oldVdst i32, src vector<2xf32>, seed i32, scale f32 -> res i32",
        "dstSelIndex:i32",
        "attr-dict $src `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
    );
    "rocdl.cvt.sr.bf8.f32" Opaque pure, form(
        "srcA f32, srcB i32, old i32 -> res llvm",
        "byteSel:i32",
        "attr-dict $srcA `,` $srcB `->` $old `[` $byteSel `]` `:` type($res)",
    );
    "rocdl.cvt.sr.fp8.f32" Opaque pure, form(
        "srcA f32, srcB i32, old i32 -> res llvm",
        "byteSel:i32",
        "attr-dict $srcA `,` $srcB `->` $old `[` $byteSel `]` `:` type($res)",
    );
    "rocdl.update.dpp" Opaque, form(
        "old llvm, src llvm -> res llvm",
        "dppCtrl:i32 rowMask:i32 bankMask:i32 boundCtrl:bool",
        "attr-dict $old `,` $src `with` $dppCtrl `,` $rowMask `,` $bankMask `,` $boundCtrl `:` type($src)",
    );
    "rocdl.ds.atomic.async.barrier.arrive.b64" Opaque, form(
        "barrierPtr ptr3 ->",
        "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$barrierPtr attr-dict `:` type($barrierPtr)",
    );
    "rocdl.ds.atomic.barrier.arrive.rtn.b64" Opaque, form(
        "barrierPtr ptr3, val i64 -> res i64",
        "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$barrierPtr `,` $val attr-dict `:` type($barrierPtr) `,` type($val) `->` type($res)",
    );
    "rocdl.ds_bpermute" Opaque, form(
        "index i32, src i32 -> res i32",
        "",
        "$index `,` $src attr-dict `:` `(` type($index) `,` type($src) `)` `->` type($res)",
    );
    "rocdl.ds.load.tr16.b128" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.ds.load.tr4.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.ds.load.tr6.b96" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.ds.load.tr8.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.ds_swizzle" Opaque, form(
        "src i32, offset i32 -> res i32",
        "",
        "$src `,` $offset attr-dict `:` `(` type($src) `,` type($offset) `)` `->` type($res)",
    );
    "rocdl.fmed3" Opaque pure, form(
        "T real+; src0 T, src1 T, src2 T -> res T",
        "",
        "$src0 `,` $src1 `,` $src2 attr-dict `:` type($res)",
    );
    "rocdl.flat.prefetch" Opaque, form(
        "ptr ptr0 ->",
        "scope:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$ptr `,` `scope` $scope attr-dict `:` type($ptr)",
    );
    "rocdl.s.get.barrier.state" Opaque, form(
        "-> res i32",
        "id:i32",
        "`id` `=` $id attr-dict `->` type($res)",
    );
    "rocdl.s.get.named.barrier.state" Opaque, form(
        "ptr ptr15 -> res i32",
        "",
        "$ptr attr-dict `:` type($ptr) `->` type($res)",
    );
    "rocdl.global.load.async.to.lds.b128" Opaque, ASYNC_LOAD;
    "rocdl.global.load.async.to.lds.b32" Opaque, ASYNC_LOAD;
    "rocdl.global.load.async.to.lds.b64" Opaque, ASYNC_LOAD;
    "rocdl.global.load.async.to.lds.b8" Opaque, ASYNC_LOAD;
    "rocdl.global.load.lds" Opaque, form(
        "globalPtr ptr1, ldsPtr ptr3 ->",
        "size:i32 offset:i32 aux:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$globalPtr `,` $ldsPtr `,` $size `,` $offset `,` $aux attr-dict",
    );
    "rocdl.global.load.tr4.b64" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.global.load.tr6.b96" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.global.load.tr.b128" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.global.load.tr.b64" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.global.prefetch" Opaque, form(
        "ptr ptr1 ->",
        "scope:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$ptr `,` `scope` $scope attr-dict `:` type($ptr)",
    );
    "rocdl.grid.dim.x" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.grid.dim.y" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.grid.dim.z" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.iglp.opt" Opaque, form(
        "->",
        "variant:i32",
        "$variant attr-dict",
    );
    "rocdl.load.to.lds" Opaque, form(
        "globalPtr ptr, ldsPtr ptr3 ->",
        "size:i32 offset:i32 aux:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$globalPtr `,` $ldsPtr `,` $size `,` $offset `,` $aux attr-dict `:` type($globalPtr)",
    );
    "rocdl.make.buffer.rsrc" Opaque pure, form(
        "base ptr, stride i16, numRecords i64, flags i32 -> res ptr",
        "",
        "$base `,` $stride `,` $numRecords `,` $flags attr-dict `:` type($base) `to` type($res)",
    );
    "rocdl.mbcnt.hi" Opaque pure, form(
        "in0 i32, in1 i32 -> res i32",
        "arg_attrs res_attrs",
        "$in0 `,` $in1 attr-dict `:` `(` type($in0) `,` type($in1) `)` `->` type($res)",
    );
    "rocdl.mbcnt.lo" Opaque pure, form(
        "in0 i32, in1 i32 -> res i32",
        "arg_attrs res_attrs",
        "$in0 `,` $in1 attr-dict `:` `(` type($in0) `,` type($in1) `)` `->` type($res)",
    );
    "rocdl.permlane16.swap" Opaque, form(
        "old i32, src i32 -> res struct",
        "fi:bool boundControl:bool",
        "attr-dict $old `,` $src `,` $fi `,` $boundControl `:` `(` type($old) `,` type($src) `)` `->` type($res)",
    );
    "rocdl.permlane32.swap" Opaque, form(
        "old i32, src i32 -> res struct",
        "fi:bool boundControl:bool",
        "attr-dict $old `,` $src `,` $fi `,` $boundControl `:` `(` type($old) `,` type($src) `)` `->` type($res)",
    );
    "rocdl.permlanex16" Opaque, form(
        "T llvm, U llvm; old T, src0 T, src1 U, src2 U -> res T",
        "fi:bool boundControl:bool",
        "attr-dict $old `,` $src0 `,` $src1 `,` $src2 `,` $fi `,` $boundControl `:` type($src0) `,` type($src1)",
    );
    "rocdl.raw.buffer.atomic.cmpswap" Opaque, form(
        "src any, cmp any, rsrc any, offset i32, soffset i32, aux i32 -> res any",
        "",
        "attr-dict `(` $src `,` $cmp `,` $rsrc `,` $offset `,` $soffset `,` $aux `)` `:` type($res) `,` type($rsrc)",
    );
    "rocdl.raw.buffer.atomic.fadd" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
    "rocdl.raw.buffer.atomic.fmax" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
    "rocdl.raw.buffer.atomic.smax" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
    "rocdl.raw.buffer.atomic.umin" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
    "rocdl.raw.buffer.load" Opaque, generic_only("rsrc any, offset any, soffset any, aux any -> res any", "");
    "rocdl.raw.buffer.store" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
    "rocdl.raw.ptr.buffer.atomic.cmpswap" Opaque, form(
        "src any, cmp any, rsrc any, offset i32, soffset i32, aux i32 -> res any",
        "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$src `,` $cmp `,` $rsrc `,` $offset `,` $soffset `,` $aux attr-dict `:` type($res)",
    );
    "rocdl.raw.ptr.buffer.atomic.fadd" Opaque, RAW_BUFFER_UPDATE;
    "rocdl.raw.ptr.buffer.atomic.fmax" Opaque, RAW_BUFFER_UPDATE;
    "rocdl.raw.ptr.buffer.atomic.smax" Opaque, RAW_BUFFER_UPDATE;
    "rocdl.raw.ptr.buffer.atomic.umin" Opaque, RAW_BUFFER_UPDATE;
    "rocdl.raw.ptr.buffer.load.lds" Opaque, form(
        "rsrc any, ldsPtr any, size i32, voffset i32, soffset i32, offset i32, aux i32 ->",
        "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$rsrc `,` $ldsPtr `,` $size `,` $voffset `,` $soffset `,` $offset `,` $aux attr-dict",
    );
    "rocdl.raw.ptr.buffer.load" Opaque, form(
        "rsrc any, offset i32, soffset i32, aux i32 -> res any",
        "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "$rsrc `,` $offset `,` $soffset `,` $aux attr-dict `:` type($res)",
    );
    "rocdl.raw.ptr.buffer.store" Opaque, RAW_BUFFER_UPDATE;
    "rocdl.readfirstlane" Opaque, form(
        "T llvm; src T -> res T",
        "",
        "$src attr-dict `:` type($res)",
    );
    "rocdl.readlane" Opaque, form(
        "src0 llvm, src1 i32 -> res llvm",
        "",
        "$src0 `,` $src1 attr-dict `:` `(` type($src0) `,` type($src1) `)` `->` type($res)",
    );
    "rocdl.s.nop" Opaque, form(
        "->",
        "count:i16",
        "attr-dict $count",
    );
    "rocdl.s.sleep" Opaque, form(
        "->",
        "count:i32",
        "attr-dict $count",
    );
    "rocdl.s.waitcnt" Opaque, form(
        "->",
        "bitfield:i32",
        "attr-dict $bitfield",
    );
    "rocdl.sched.group.barrier" Opaque, form(
        "->",
        "mask:i32 size:i32 groupId:i32",
        "$mask `,` $size `,` $groupId attr-dict",
    );
    "rocdl.tensor.load.to.lds.d2" Opaque, form(
        "dgroup0 any, dgroup1 any ->",
        "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "attr-dict $dgroup0 `,` $dgroup1 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
    );
    "rocdl.tensor.load.to.lds" Opaque, form(
        "dgroup0 any, dgroup1 any, dgroup2 vector<4xi32>, dgroup3 vector<4xi32> ->",
        "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "attr-dict $dgroup0 `,` $dgroup1 `,` $dgroup2 `,` $dgroup3 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
    );
    "rocdl.tensor.store.from.lds.d2" Opaque, form(
        "dgroup0 any, dgroup1 any ->",
        "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "attr-dict $dgroup0 `,` $dgroup1 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
    );
    "rocdl.tensor.store.from.lds" Opaque, form(
        "dgroup0 any, dgroup1 any, dgroup2 vector<4xi32>, dgroup3 vector<4xi32> ->",
        "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
        "attr-dict $dgroup0 `,` $dgroup1 `,` $dgroup2 `,` $dgroup3 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
    );
    "rocdl.workitem.id.x" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.workitem.id.y" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.workitem.id.z" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.s.wait.asynccnt" Opaque, WAIT_COUNT;
    "rocdl.s.wait.dscnt" Opaque, WAIT_COUNT;
    "rocdl.s.wait.expcnt" Opaque, WAIT_COUNT;
    "rocdl.s.wait.loadcnt" Opaque, WAIT_COUNT;
    "rocdl.s.wait.storecnt" Opaque, WAIT_COUNT;
    "rocdl.s.wait.tensorcnt" Opaque, WAIT_COUNT;
    "rocdl.s.wakeup.barrier" Opaque, form(
        "ptr ptr15 ->",
        "",
        "$ptr attr-dict `:` type($ptr)",
    );
    "rocdl.wavefrontsize" Opaque pure, of("-> res llvm", IN_RANGE);
    "rocdl.ds.read.tr16.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.ds.read.tr4.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.ds.read.tr6.b96" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.ds.read.tr8.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
    "rocdl.mfma.f32.16x16x16bf16.1k" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x16f16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x1f32" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x2bf16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x32.bf16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x32.bf8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x32.bf8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x32.f16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x32.fp8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x32.fp8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x4bf16.1k" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x4f16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x4f32" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x8.xf32" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.16x16x8bf16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x16.bf16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x16.bf8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x16.bf8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x16.f16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x16.fp8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x16.fp8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x1f32" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x2bf16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x2f32" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x4.xf32" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x4bf16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x4bf16.1k" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x4f16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x8bf16.1k" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.32x32x8f16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.4x4x1f32" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.4x4x2bf16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.4x4x4bf16.1k" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f32.4x4x4f16" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f64.16x16x4f64" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.f64.4x4x4f64" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.16x16x16i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.16x16x32.i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.16x16x4i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.16x16x64.i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.32x32x16.i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.32x32x32.i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.32x32x4i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.32x32x8i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.i32.4x4x4i8" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.scale.f32.16x16x128.f8f6f4" Opaque, ROCDL_MATRIX;
    "rocdl.mfma.scale.f32.32x32x64.f8f6f4" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x128.bf8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x128.bf8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x128.fp8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x128.fp8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x32.bf16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x32.f16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x64.bf16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x64.bf8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x64.bf8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x64.f16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x64.fp8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.16x16x64.fp8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x16.bf16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x16.f16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x32.bf16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x32.bf8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x32.bf8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x32.f16" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x32.fp8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x32.fp8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x64.bf8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x64.bf8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x64.fp8.bf8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.f32.32x32x64.fp8.fp8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.i32.16x16x128.i8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.i32.16x16x64.i8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.i32.32x32x32.i8" Opaque, ROCDL_MATRIX;
    "rocdl.smfmac.i32.32x32x64.i8" Opaque, ROCDL_MATRIX;
    "rocdl.wmma.bf16.16x16x16.bf16" Opaque, form(
        "a anyint+, b anyint+, c anyint+ -> res anyint+",
        "opsel:bool=false",
        "$a `,` $b `,` $c attr-dict `:` functional-type",
    );
    "rocdl.wmma.bf16.16x16x32.bf16" Opaque, of("a bf16+, b bf16+, c bf16+ -> res bf16+", ROCDL_WMMA_SIGN_MOD);
    "rocdl.wmma.bf16f32.16x16x32.bf16" Opaque, of("a bf16+, b bf16+, c f32+ -> res bf16+", ROCDL_WMMA_SIGN_MOD);
    "rocdl.wmma.f16.16x16x128.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f16.16x16x128.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f16.16x16x128.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f16.16x16x128.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f16.16x16x16.f16" Opaque, form(
        "a f16+, b f16+, c f16+ -> res f16+",
        "opsel:bool=false",
        "$a `,` $b `,` $c attr-dict `:` functional-type",
    );
    "rocdl.wmma.f16.16x16x32.f16" Opaque, of("a f16+, b f16+, c f16+ -> res f16+", ROCDL_WMMA_SIGN_MOD);
    "rocdl.wmma.f16.16x16x64.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f16.16x16x64.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f16.16x16x64.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f16.16x16x64.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x128.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x128.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x128.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x128.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x16.bf16" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
    "rocdl.wmma.f32.16x16x16.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
    "rocdl.wmma.f32.16x16x16.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
    "rocdl.wmma.f32.16x16x16.f16" Opaque, of("a f16+, b f16+, c f32+ -> res f32+", ROCDL_WMMA);
    "rocdl.wmma.f32.16x16x16.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
    "rocdl.wmma.f32.16x16x16.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
    "rocdl.wmma.f32.16x16x32.bf16" Opaque, of("a bf16+, b bf16+, c f32+ -> res f32+", ROCDL_WMMA_SIGN_MOD);
    "rocdl.wmma.f32.16x16x32.f16" Opaque, of("a f16+, b f16+, c f32+ -> res f32+", ROCDL_WMMA_SIGN_MOD);
    "rocdl.wmma.f32.16x16x4.f32" Opaque, of("a f32+, b f32+, c f32+ -> res f32+", ROCDL_WMMA_SIGN_MOD);
    "rocdl.wmma.f32.16x16x64.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x64.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x64.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.f32.16x16x64.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
    "rocdl.wmma.i32.16x16x16.iu4" Opaque, form(
        "a anyint+, b anyint+, c anyint+ -> res anyint+",
        "signA:bool=false signB:bool=false clamp:bool=false",
        "$a `,` $b `,` $c attr-dict `:` functional-type",
    );
    "rocdl.wmma.i32.16x16x16.iu8" Opaque, form(
        "a anyint+, b anyint+, c anyint+ -> res anyint+",
        "signA:bool=false signB:bool=false clamp:bool=false",
        "$a `,` $b `,` $c attr-dict `:` functional-type",
    );
    "rocdl.wmma.i32.16x16x32.iu4" Opaque, form(
        "a anyint+, b anyint+, c anyint+ -> res anyint+",
        "signA:bool=false signB:bool=false clamp:bool=false",
        "$a `,` $b `,` $c attr-dict `:` functional-type",
    );
    "rocdl.wmma.i32.16x16x64.iu8" Opaque, form(
        "a anyint+, b anyint+, c anyint+ -> res anyint+",
        "signA:bool=false signB:bool=false reuseA:bool=false reuseB:bool=false clamp:bool=false",
        "$a `,` $b `,` $c attr-dict `:` functional-type",
    );
    "rocdl.wmma.scale16.f32.16x16x128.f8f6f4" Opaque, form(
        "a anyint+, b anyint+, c f32+, scaleA i64, scaleB i64 -> res f32+",
        "fmtA:i32=0 fmtB:i32=0 modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
        "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
    );
    "rocdl.wmma.scale16.f32.32x16x128.f4" Opaque, form(
        "a anyint+, b anyint+, c f32+, scaleA i64, scaleB i64 -> res f32+",
        "modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
        "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
    );
    "rocdl.wmma.scale.f32.16x16x128.f8f6f4" Opaque, form(
        "a anyint+, b anyint+, c f32+, scaleA i32, scaleB i32 -> res f32+",
        "fmtA:i32=0 fmtB:i32=0 modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
        "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
    );
    "rocdl.wmma.scale.f32.32x16x128.f4" Opaque, form(
        "a anyint+, b anyint+, c f32+, scaleA i32, scaleB i32 -> res f32+",
        "modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
        "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
    );
};
