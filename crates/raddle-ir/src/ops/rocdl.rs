//! Rows of the op table for `rocdl`: one for each instruction that only AMD's machines have.

/// The table: the rows that are given, and these.
macro_rules! with_rocdl_rows {
    ($($rows:tt)*) => {
        with_hal_rows! {
            $($rows)*

            RocdlCos "rocdl.cos" Opaque pure, ROCDL_MATH;
            RocdlExp "rocdl.exp" Opaque pure, ROCDL_MATH;
            RocdlExp2 "rocdl.exp2" Opaque pure, ROCDL_MATH;
            RocdlLog "rocdl.log" Opaque pure, ROCDL_MATH;
            RocdlRcp "rocdl.rcp" Opaque pure, ROCDL_MATH;
            RocdlSin "rocdl.sin" Opaque pure, ROCDL_MATH;
            RocdlSqrt "rocdl.sqrt" Opaque pure, ROCDL_MATH;
            RocdlTanh "rocdl.tanh" Opaque pure, ROCDL_MATH;
            RocdlSBarrierInit "rocdl.s.barrier.init" Opaque, form(
                "ptr ptr15 ->",
                "memberCnt:i32",
                "$ptr `member_cnt` `=` $memberCnt attr-dict `:` type($ptr)",
            );
            RocdlSBarrierJoin "rocdl.s.barrier.join" Opaque, form(
                "ptr ptr15 ->",
                "",
                "$ptr attr-dict `:` type($ptr)",
            );
            RocdlSBarrierLeave "rocdl.s.barrier.leave" Opaque, form(
                "->",
                "id:i16",
                "`id` `=` $id attr-dict",
            );
            RocdlSBarrierSignalIsfirst "rocdl.s.barrier.signal.isfirst" Opaque, form(
                "-> res i1",
                "id:i32",
                "`id` `=` $id attr-dict `->` type($res)",
            );
            RocdlSBarrierSignal "rocdl.s.barrier.signal" Opaque, form(
                "->",
                "id:i32",
                "`id` `=` $id attr-dict",
            );
            RocdlSBarrierSignalVar "rocdl.s.barrier.signal.var" Opaque, form(
                "ptr ptr15 ->",
                "memberCnt:i32",
                "$ptr `member_cnt` `=` $memberCnt attr-dict `:` type($ptr)",
            );
            RocdlSBarrierWait "rocdl.s.barrier.wait" Opaque, form(
                "->",
                "id:i16",
                "`id` `=` $id attr-dict",
            );
            RocdlWorkgroupDimX "rocdl.workgroup.dim.x" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlWorkgroupDimY "rocdl.workgroup.dim.y" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlWorkgroupDimZ "rocdl.workgroup.dim.z" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlWorkgroupIdX "rocdl.workgroup.id.x" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlWorkgroupIdY "rocdl.workgroup.id.y" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlWorkgroupIdZ "rocdl.workgroup.id.z" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlClusterIdX "rocdl.cluster.id.x" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlClusterIdY "rocdl.cluster.id.y" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlClusterIdZ "rocdl.cluster.id.z" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlClusterLoadAsyncToLdsB128 "rocdl.cluster.load.async.to.lds.b128" Opaque, CLUSTER_LOAD;
            RocdlClusterLoadAsyncToLdsB32 "rocdl.cluster.load.async.to.lds.b32" Opaque, CLUSTER_LOAD;
            RocdlClusterLoadAsyncToLdsB64 "rocdl.cluster.load.async.to.lds.b64" Opaque, CLUSTER_LOAD;
            RocdlClusterLoadAsyncToLdsB8 "rocdl.cluster.load.async.to.lds.b8" Opaque, CLUSTER_LOAD;
            RocdlCvtF32Bf8 "rocdl.cvt.f32.bf8" Opaque pure, form(
                "srcA i32 -> res llvm",
                "byteSel:i32",
                "attr-dict $srcA `[` $byteSel `]` `:` type($res)",
            );
            RocdlCvtF32Fp8 "rocdl.cvt.f32.fp8" Opaque pure, form(
                "srcA i32 -> res llvm",
                "byteSel:i32",
                "attr-dict $srcA `[` $byteSel `]` `:` type($res)",
            );
            RocdlCvtPkBf8F32 "rocdl.cvt.pk.bf8.f32" Opaque pure, form(
                "srcA f32, srcB f32, old i32 -> res llvm",
                "wordSel:bool",
                "attr-dict $srcA `,` $srcB `->` $old `[` $wordSel `]` `:` type($res)",
            );
            RocdlCvtPkF32Bf8 "rocdl.cvt.pk.f32.bf8" Opaque pure, form(
                "src i32 -> res llvm",
                "wordSel:bool",
                "attr-dict $src `[` $wordSel `]` `:` type($res)",
            );
            RocdlCvtPkF32Fp8 "rocdl.cvt.pk.f32.fp8" Opaque pure, form(
                "src i32 -> res llvm",
                "wordSel:bool",
                "attr-dict $src `[` $wordSel `]` `:` type($res)",
            );
            RocdlCvtPkFp8F32 "rocdl.cvt.pk.fp8.f32" Opaque pure, form(
                "srcA f32, srcB f32, old i32 -> res llvm",
                "wordSel:bool",
                "attr-dict $srcA `,` $srcB `->` $old `[` $wordSel `]` `:` type($res)",
            );
            RocdlCvtPkrtz "rocdl.cvt.pkrtz" Opaque pure, form(
                "srcA f32, srcB f32 -> res llvm",
                "",
                "attr-dict $srcA `,` $srcB `:` type($res)",
            );
            RocdlCvtScalePk16Bf16Bf6 "rocdl.cvt.scale.pk16.bf16.bf6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xbf16", UNPACK_3XI32);
            RocdlCvtScalePk16Bf16Fp6 "rocdl.cvt.scale.pk16.bf16.fp6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xbf16", UNPACK_3XI32);
            RocdlCvtScalePk16F16Bf6 "rocdl.cvt.scale.pk16.f16.bf6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf16", UNPACK_3XI32);
            RocdlCvtScalePk16F16Fp6 "rocdl.cvt.scale.pk16.f16.fp6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf16", UNPACK_3XI32);
            RocdlCvtScalePk16F32Bf6 "rocdl.cvt.scale.pk16.f32.bf6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf32", UNPACK_3XI32);
            RocdlCvtScalePk16F32Fp6 "rocdl.cvt.scale.pk16.f32.fp6" Opaque pure, of("src vector<3xi32>, scale i32 -> res fixed16xf32", UNPACK_3XI32);
            RocdlCvtScalePk8Bf16Bf8 "rocdl.cvt.scale.pk8.bf16.bf8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xbf16", UNPACK_2XI32);
            RocdlCvtScalePk8Bf16Fp4 "rocdl.cvt.scale.pk8.bf16.fp4" Opaque pure, of("src i32, scale i32 -> res fixed8xbf16", UNPACK_WORD);
            RocdlCvtScalePk8Bf16Fp8 "rocdl.cvt.scale.pk8.bf16.fp8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xbf16", UNPACK_2XI32);
            RocdlCvtScalePk8F16Bf8 "rocdl.cvt.scale.pk8.f16.bf8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf16", UNPACK_2XI32);
            RocdlCvtScalePk8F16Fp4 "rocdl.cvt.scale.pk8.f16.fp4" Opaque pure, of("src i32, scale i32 -> res fixed8xf16", UNPACK_WORD);
            RocdlCvtScalePk8F16Fp8 "rocdl.cvt.scale.pk8.f16.fp8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf16", UNPACK_2XI32);
            RocdlCvtScalePk8F32Bf8 "rocdl.cvt.scale.pk8.f32.bf8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf32", UNPACK_2XI32);
            RocdlCvtScalePk8F32Fp4 "rocdl.cvt.scale.pk8.f32.fp4" Opaque pure, of("src i32, scale i32 -> res fixed8xf32", UNPACK_WORD);
            RocdlCvtScalePk8F32Fp8 "rocdl.cvt.scale.pk8.f32.fp8" Opaque pure, of("src vector<2xi32>, scale i32 -> res fixed8xf32", UNPACK_2XI32);
            RocdlCvtScalef322xpk16Bf6F32 "rocdl.cvt.scalef32.2xpk16.bf6.f32" Opaque pure, form(
                "src0 vector<16xf32>, src1 vector<16xf32>, scale f32 -> res fixed6xi32",
                "",
                "attr-dict $src0 `,` $src1 `,` $scale `:` type($res)",
            );
            RocdlCvtScalef322xpk16Fp6F32 "rocdl.cvt.scalef32.2xpk16.fp6.f32" Opaque pure, form(
                "src0 vector<16xf32>, src1 vector<16xf32>, scale f32 -> res fixed6xi32",
                "",
                "attr-dict $src0 `,` $src1 `,` $scale `:` type($res)",
            );
            RocdlCvtScalef32F16Bf8 "rocdl.cvt.scalef32.f16.bf8" Opaque pure, form(
                "oldVdst vector<2xf16>, src i32, scale f32 -> res fixed2xf16",
                "srcSelIndex:i32 dstLoHiSel:bool",
                "attr-dict $src `[` $srcSelIndex `]` `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32F16Fp8 "rocdl.cvt.scalef32.f16.fp8" Opaque pure, form(
                "oldVdst vector<2xf16>, src i32, scale f32 -> res fixed2xf16",
                "srcSelIndex:i32 dstLoHiSel:bool",
                "attr-dict $src `[` $srcSelIndex `]` `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32F32Bf8 "rocdl.cvt.scalef32.f32.bf8" Opaque pure, form(
                "src i32, scale f32 -> res f32",
                "srcSelIndex:i32",
                "attr-dict $src `[` $srcSelIndex `]` `,` $scale `:` type($res)",
            );
            RocdlCvtScalef32F32Fp8 "rocdl.cvt.scalef32.f32.fp8" Opaque pure, form(
                "src i32, scale f32 -> res f32",
                "srcSelIndex:i32",
                "attr-dict $src `[` $srcSelIndex `]` `,` $scale `:` type($res)",
            );
            RocdlCvtScalef32Pk16Bf6Bf16 "rocdl.cvt.scalef32.pk16.bf6.bf16" Opaque pure, of("src vector<16xbf16>, scale f32 -> res fixed3xi32", SCALED);
            RocdlCvtScalef32Pk16Bf6F16 "rocdl.cvt.scalef32.pk16.bf6.f16" Opaque pure, of("src vector<16xf16>, scale f32 -> res fixed3xi32", SCALED);
            RocdlCvtScalef32Pk16Bf6F32 "rocdl.cvt.scalef32.pk16.bf6.f32" Opaque pure, of("src vector<16xf32>, scale f32 -> res fixed3xi32", SCALED);
            RocdlCvtScalef32Pk16Fp6Bf16 "rocdl.cvt.scalef32.pk16.fp6.bf16" Opaque pure, of("src vector<16xbf16>, scale f32 -> res fixed3xi32", SCALED);
            RocdlCvtScalef32Pk16Fp6F16 "rocdl.cvt.scalef32.pk16.fp6.f16" Opaque pure, of("src vector<16xf16>, scale f32 -> res fixed3xi32", SCALED);
            RocdlCvtScalef32Pk16Fp6F32 "rocdl.cvt.scalef32.pk16.fp6.f32" Opaque pure, of("src vector<16xf32>, scale f32 -> res fixed3xi32", SCALED);
            RocdlCvtScalef32Pk32Bf16Bf6 "rocdl.cvt.scalef32.pk32.bf16.bf6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xbf16", SCALED);
            RocdlCvtScalef32Pk32Bf16Fp6 "rocdl.cvt.scalef32.pk32.bf16.fp6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xbf16", SCALED);
            RocdlCvtScalef32Pk32Bf6Bf16 "rocdl.cvt.scalef32.pk32.bf6.bf16" Opaque pure, of("src vector<32xbf16>, scale f32 -> res fixed6xi32", SCALED);
            RocdlCvtScalef32Pk32Bf6F16 "rocdl.cvt.scalef32.pk32.bf6.f16" Opaque pure, of("src vector<32xf16>, scale f32 -> res fixed6xi32", SCALED);
            RocdlCvtScalef32Pk32F16Bf6 "rocdl.cvt.scalef32.pk32.f16.bf6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf16", SCALED);
            RocdlCvtScalef32Pk32F16Fp6 "rocdl.cvt.scalef32.pk32.f16.fp6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf16", SCALED);
            RocdlCvtScalef32Pk32F32Bf6 "rocdl.cvt.scalef32.pk32.f32.bf6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf32", SCALED);
            RocdlCvtScalef32Pk32F32Fp6 "rocdl.cvt.scalef32.pk32.f32.fp6" Opaque pure, of("src vector<6xi32>, scale f32 -> res fixed32xf32", SCALED);
            RocdlCvtScalef32Pk32Fp6Bf16 "rocdl.cvt.scalef32.pk32.fp6.bf16" Opaque pure, of("src vector<32xbf16>, scale f32 -> res fixed6xi32", SCALED);
            RocdlCvtScalef32Pk32Fp6F16 "rocdl.cvt.scalef32.pk32.fp6.f16" Opaque pure, of("src vector<32xf16>, scale f32 -> res fixed6xi32", SCALED);
            RocdlCvtScalef32Pk8Bf8Bf16 "rocdl.cvt.scalef32.pk8.bf8.bf16" Opaque pure, of("src vector<8xbf16>, scale f32 -> res fixed2xi32", SCALED);
            RocdlCvtScalef32Pk8Bf8F16 "rocdl.cvt.scalef32.pk8.bf8.f16" Opaque pure, of("src vector<8xf16>, scale f32 -> res fixed2xi32", SCALED);
            RocdlCvtScalef32Pk8Bf8F32 "rocdl.cvt.scalef32.pk8.bf8.f32" Opaque pure, of("src vector<8xf32>, scale f32 -> res fixed2xi32", SCALED);
            RocdlCvtScalef32Pk8Fp4Bf16 "rocdl.cvt.scalef32.pk8.fp4.bf16" Opaque pure, of("src vector<8xbf16>, scale f32 -> res i32", SCALED);
            RocdlCvtScalef32Pk8Fp4F16 "rocdl.cvt.scalef32.pk8.fp4.f16" Opaque pure, of("src vector<8xf16>, scale f32 -> res i32", SCALED);
            RocdlCvtScalef32Pk8Fp4F32 "rocdl.cvt.scalef32.pk8.fp4.f32" Opaque pure, of("src vector<8xf32>, scale f32 -> res i32", SCALED);
            RocdlCvtScalef32Pk8Fp8Bf16 "rocdl.cvt.scalef32.pk8.fp8.bf16" Opaque pure, of("src vector<8xbf16>, scale f32 -> res fixed2xi32", SCALED);
            RocdlCvtScalef32Pk8Fp8F16 "rocdl.cvt.scalef32.pk8.fp8.f16" Opaque pure, of("src vector<8xf16>, scale f32 -> res fixed2xi32", SCALED);
            RocdlCvtScalef32Pk8Fp8F32 "rocdl.cvt.scalef32.pk8.fp8.f32" Opaque pure, of("src vector<8xf32>, scale f32 -> res fixed2xi32", SCALED);
            RocdlCvtScalef32PkBf16Bf8 "rocdl.cvt.scalef32.pk.bf16.bf8" Opaque pure, of("src i32, scale f32 -> res fixed2xbf16", UNPACK_HALF_SCALED);
            RocdlCvtScalef32PkBf16Fp4 "rocdl.cvt.scalef32.pk.bf16.fp4" Opaque pure, of("src i32, scale f32 -> res fixed2xbf16", PACK_ONE);
            RocdlCvtScalef32PkBf16Fp8 "rocdl.cvt.scalef32.pk.bf16.fp8" Opaque pure, of("src i32, scale f32 -> res fixed2xbf16", UNPACK_HALF_SCALED);
            RocdlCvtScalef32PkBf8Bf16 "rocdl.cvt.scalef32.pk.bf8.bf16" Opaque pure, form(
                "oldVdst vector<2xi16>, src0 vector<2xbf16>, scale f32 -> res fixed2xi16",
                "dstLoHiSel:bool",
                "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32PkBf8F16 "rocdl.cvt.scalef32.pk.bf8.f16" Opaque pure, form(
                "oldVdst vector<2xi16>, src0 vector<2xf16>, scale f32 -> res fixed2xi16",
                "dstLoHiSel:bool",
                "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32PkBf8F32 "rocdl.cvt.scalef32.pk.bf8.f32" Opaque pure, form(
                "oldVdst vector<2xi16>, src0 f32, src1 f32, scale f32 -> res fixed2xi16",
                "dstLoHiSel:bool",
                "attr-dict $src0 `,` $src1 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32PkF16Bf8 "rocdl.cvt.scalef32.pk.f16.bf8" Opaque pure, of("src i32, scale f32 -> res fixed2xf16", UNPACK_HALF_SCALED);
            RocdlCvtScalef32PkF16Fp4 "rocdl.cvt.scalef32.pk.f16.fp4" Opaque pure, of("src i32, scale f32 -> res fixed2xf16", PACK_ONE);
            RocdlCvtScalef32PkF16Fp8 "rocdl.cvt.scalef32.pk.f16.fp8" Opaque pure, of("src i32, scale f32 -> res fixed2xf16", UNPACK_HALF_SCALED);
            RocdlCvtScalef32PkF32Bf8 "rocdl.cvt.scalef32.pk.f32.bf8" Opaque pure, of("src i32, scale f32 -> res fixed2xf32", UNPACK_HALF_SCALED);
            RocdlCvtScalef32PkF32Fp4 "rocdl.cvt.scalef32.pk.f32.fp4" Opaque pure, of("src i32, scale f32 -> res fixed2xf32", PACK_ONE);
            RocdlCvtScalef32PkF32Fp8 "rocdl.cvt.scalef32.pk.f32.fp8" Opaque pure, of("src i32, scale f32 -> res fixed2xf32", UNPACK_HALF_SCALED);
            RocdlCvtScalef32PkFp4Bf16 "rocdl.cvt.scalef32.pk.fp4.bf16" Opaque pure, form(
                "oldVdst i32, src vector<2xbf16>, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtScalef32PkFp4F16 "rocdl.cvt.scalef32.pk.fp4.f16" Opaque pure, form(
                "oldVdst i32, src vector<2xf16>, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtScalef32PkFp4F32 "rocdl.cvt.scalef32.pk.fp4.f32" Opaque pure, form(
                "oldVdst i32, src0 f32, src1 f32, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src0 `,` $src1 `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtScalef32PkFp8Bf16 "rocdl.cvt.scalef32.pk.fp8.bf16" Opaque pure, form(
                "oldVdst vector<2xi16>, src0 vector<2xbf16>, scale f32 -> res fixed2xi16",
                "dstLoHiSel:bool",
                "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32PkFp8F16 "rocdl.cvt.scalef32.pk.fp8.f16" Opaque pure, form(
                "oldVdst vector<2xi16>, src0 vector<2xf16>, scale f32 -> res fixed2xi16",
                "dstLoHiSel:bool",
                "attr-dict $src0 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32PkFp8F32 "rocdl.cvt.scalef32.pk.fp8.f32" Opaque pure, form(
                "oldVdst vector<2xi16>, src0 f32, src1 f32, scale f32 -> res fixed2xi16",
                "dstLoHiSel:bool",
                "attr-dict $src0 `,` $src1 `,` $scale `->` $oldVdst `[` $dstLoHiSel `]` `:` type($res)",
            );
            RocdlCvtScalef32SrBf8Bf16 "rocdl.cvt.scalef32.sr.bf8.bf16" Opaque pure, of("oldVdst i32, src0 bf16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
            RocdlCvtScalef32SrBf8F16 "rocdl.cvt.scalef32.sr.bf8.f16" Opaque pure, of("oldVdst i32, src0 f16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
            RocdlCvtScalef32SrBf8F32 "rocdl.cvt.scalef32.sr.bf8.f32" Opaque pure, form(
                "oldVdst i32, src0 f32, seed i32, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src0 `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtScalef32SrFp8Bf16 "rocdl.cvt.scalef32.sr.fp8.bf16" Opaque pure, of("oldVdst i32, src0 bf16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
            RocdlCvtScalef32SrFp8F16 "rocdl.cvt.scalef32.sr.fp8.f16" Opaque pure, of("oldVdst i32, src0 f16, seed i32, scale f32 -> res i32", PACK_BYTE_ROUNDED);
            RocdlCvtScalef32SrFp8F32 "rocdl.cvt.scalef32.sr.fp8.f32" Opaque pure, form(
                "oldVdst i32, src0 f32, seed i32, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src0 `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtScalef32SrPk16Bf6Bf16 "rocdl.cvt.scalef32.sr.pk16.bf6.bf16" Opaque pure, of("src vector<16xbf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk16Bf6F16 "rocdl.cvt.scalef32.sr.pk16.bf6.f16" Opaque pure, of("src vector<16xf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk16Bf6F32 "rocdl.cvt.scalef32.sr.pk16.bf6.f32" Opaque pure, of("src vector<16xf32>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk16Fp6Bf16 "rocdl.cvt.scalef32.sr.pk16.fp6.bf16" Opaque pure, of("src vector<16xbf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk16Fp6F16 "rocdl.cvt.scalef32.sr.pk16.fp6.f16" Opaque pure, of("src vector<16xf16>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk16Fp6F32 "rocdl.cvt.scalef32.sr.pk16.fp6.f32" Opaque pure, of("src vector<16xf32>, seed i32, scale f32 -> res fixed3xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk32Bf6Bf16 "rocdl.cvt.scalef32.sr.pk32.bf6.bf16" Opaque pure, of("src vector<32xbf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk32Bf6F16 "rocdl.cvt.scalef32.sr.pk32.bf6.f16" Opaque pure, of("src vector<32xf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk32Bf6F32 "rocdl.cvt.scalef32.sr.pk32.bf6.f32" Opaque pure, of("src vector<32xf32>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk32Fp6Bf16 "rocdl.cvt.scalef32.sr.pk32.fp6.bf16" Opaque pure, of("src vector<32xbf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk32Fp6F16 "rocdl.cvt.scalef32.sr.pk32.fp6.f16" Opaque pure, of("src vector<32xf16>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk32Fp6F32 "rocdl.cvt.scalef32.sr.pk32.fp6.f32" Opaque pure, of("src vector<32xf32>, seed i32, scale f32 -> res fixed6xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Bf8Bf16 "rocdl.cvt.scalef32.sr.pk8.bf8.bf16" Opaque pure, of("src vector<8xbf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Bf8F16 "rocdl.cvt.scalef32.sr.pk8.bf8.f16" Opaque pure, of("src vector<8xf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Bf8F32 "rocdl.cvt.scalef32.sr.pk8.bf8.f32" Opaque pure, of("src vector<8xf32>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Fp4Bf16 "rocdl.cvt.scalef32.sr.pk8.fp4.bf16" Opaque pure, of("src vector<8xbf16>, seed i32, scale f32 -> res i32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Fp4F16 "rocdl.cvt.scalef32.sr.pk8.fp4.f16" Opaque pure, of("src vector<8xf16>, seed i32, scale f32 -> res i32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Fp4F32 "rocdl.cvt.scalef32.sr.pk8.fp4.f32" Opaque pure, of("src vector<8xf32>, seed i32, scale f32 -> res i32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Fp8Bf16 "rocdl.cvt.scalef32.sr.pk8.fp8.bf16" Opaque pure, of("src vector<8xbf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Fp8F16 "rocdl.cvt.scalef32.sr.pk8.fp8.f16" Opaque pure, of("src vector<8xf16>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPk8Fp8F32 "rocdl.cvt.scalef32.sr.pk8.fp8.f32" Opaque pure, of("src vector<8xf32>, seed i32, scale f32 -> res fixed2xi32", SCALED_ROUNDED);
            RocdlCvtScalef32SrPkFp4Bf16 "rocdl.cvt.scalef32.sr.pk.fp4.bf16" Opaque pure, form(
                "oldVdst i32, src vector<2xbf16>, seed i32, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtScalef32SrPkFp4F16 "rocdl.cvt.scalef32.sr.pk.fp4.f16" Opaque pure, form(
                "oldVdst i32, src vector<2xf16>, seed i32, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtScalef32SrPkFp4F32 "rocdl.cvt.scalef32.sr.pk.fp4.f32" Opaque pure, form(
                "oldVdst i32, src vector<2xf32>, seed i32, scale f32 -> res i32",
                "dstSelIndex:i32",
                "attr-dict $src `,` $seed `,` $scale `->` $oldVdst `[` $dstSelIndex `]` `:` type($res)",
            );
            RocdlCvtSrBf8F32 "rocdl.cvt.sr.bf8.f32" Opaque pure, form(
                "srcA f32, srcB i32, old i32 -> res llvm",
                "byteSel:i32",
                "attr-dict $srcA `,` $srcB `->` $old `[` $byteSel `]` `:` type($res)",
            );
            RocdlCvtSrFp8F32 "rocdl.cvt.sr.fp8.f32" Opaque pure, form(
                "srcA f32, srcB i32, old i32 -> res llvm",
                "byteSel:i32",
                "attr-dict $srcA `,` $srcB `->` $old `[` $byteSel `]` `:` type($res)",
            );
            RocdlUpdateDpp "rocdl.update.dpp" Opaque, form(
                "old llvm, src llvm -> res llvm",
                "dppCtrl:i32 rowMask:i32 bankMask:i32 boundCtrl:bool",
                "attr-dict $old `,` $src `with` $dppCtrl `,` $rowMask `,` $bankMask `,` $boundCtrl `:` type($src)",
            );
            RocdlDsAtomicAsyncBarrierArriveB64 "rocdl.ds.atomic.async.barrier.arrive.b64" Opaque, form(
                "barrierPtr ptr3 ->",
                "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$barrierPtr attr-dict `:` type($barrierPtr)",
            );
            RocdlDsAtomicBarrierArriveRtnB64 "rocdl.ds.atomic.barrier.arrive.rtn.b64" Opaque, form(
                "barrierPtr ptr3, val i64 -> res i64",
                "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$barrierPtr `,` $val attr-dict `:` type($barrierPtr) `,` type($val) `->` type($res)",
            );
            RocdlDsBpermute "rocdl.ds_bpermute" Opaque, form(
                "index i32, src i32 -> res i32",
                "",
                "$index `,` $src attr-dict `:` `(` type($index) `,` type($src) `)` `->` type($res)",
            );
            RocdlDsLoadTr16B128 "rocdl.ds.load.tr16.b128" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlDsLoadTr4B64 "rocdl.ds.load.tr4.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlDsLoadTr6B96 "rocdl.ds.load.tr6.b96" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlDsLoadTr8B64 "rocdl.ds.load.tr8.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlDsSwizzle "rocdl.ds_swizzle" Opaque, form(
                "src i32, offset i32 -> res i32",
                "",
                "$src `,` $offset attr-dict `:` `(` type($src) `,` type($offset) `)` `->` type($res)",
            );
            RocdlFmed3 "rocdl.fmed3" Opaque pure, form(
                "T real+; src0 T, src1 T, src2 T -> res T",
                "",
                "$src0 `,` $src1 `,` $src2 attr-dict `:` type($res)",
            );
            RocdlFlatPrefetch "rocdl.flat.prefetch" Opaque, form(
                "ptr ptr0 ->",
                "scope:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$ptr `,` `scope` $scope attr-dict `:` type($ptr)",
            );
            RocdlSGetBarrierState "rocdl.s.get.barrier.state" Opaque, form(
                "-> res i32",
                "id:i32",
                "`id` `=` $id attr-dict `->` type($res)",
            );
            RocdlSGetNamedBarrierState "rocdl.s.get.named.barrier.state" Opaque, form(
                "ptr ptr15 -> res i32",
                "",
                "$ptr attr-dict `:` type($ptr) `->` type($res)",
            );
            RocdlGlobalLoadAsyncToLdsB128 "rocdl.global.load.async.to.lds.b128" Opaque, ASYNC_LOAD;
            RocdlGlobalLoadAsyncToLdsB32 "rocdl.global.load.async.to.lds.b32" Opaque, ASYNC_LOAD;
            RocdlGlobalLoadAsyncToLdsB64 "rocdl.global.load.async.to.lds.b64" Opaque, ASYNC_LOAD;
            RocdlGlobalLoadAsyncToLdsB8 "rocdl.global.load.async.to.lds.b8" Opaque, ASYNC_LOAD;
            RocdlGlobalLoadLds "rocdl.global.load.lds" Opaque, form(
                "globalPtr ptr1, ldsPtr ptr3 ->",
                "size:i32 offset:i32 aux:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$globalPtr `,` $ldsPtr `,` $size `,` $offset `,` $aux attr-dict",
            );
            RocdlGlobalLoadTr4B64 "rocdl.global.load.tr4.b64" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
            RocdlGlobalLoadTr6B96 "rocdl.global.load.tr6.b96" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
            RocdlGlobalLoadTrB128 "rocdl.global.load.tr.b128" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
            RocdlGlobalLoadTrB64 "rocdl.global.load.tr.b64" Opaque, of("ptr ptr1 -> res llvm", TRANSPOSING_LOAD);
            RocdlGlobalPrefetch "rocdl.global.prefetch" Opaque, form(
                "ptr ptr1 ->",
                "scope:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$ptr `,` `scope` $scope attr-dict `:` type($ptr)",
            );
            RocdlGridDimX "rocdl.grid.dim.x" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlGridDimY "rocdl.grid.dim.y" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlGridDimZ "rocdl.grid.dim.z" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlIglpOpt "rocdl.iglp.opt" Opaque, form(
                "->",
                "variant:i32",
                "$variant attr-dict",
            );
            RocdlLoadToLds "rocdl.load.to.lds" Opaque, form(
                "globalPtr ptr, ldsPtr ptr3 ->",
                "size:i32 offset:i32 aux:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$globalPtr `,` $ldsPtr `,` $size `,` $offset `,` $aux attr-dict `:` type($globalPtr)",
            );
            RocdlMakeBufferRsrc "rocdl.make.buffer.rsrc" Opaque pure, form(
                "base ptr, stride i16, numRecords i64, flags i32 -> res ptr",
                "",
                "$base `,` $stride `,` $numRecords `,` $flags attr-dict `:` type($base) `to` type($res)",
            );
            RocdlMbcntHi "rocdl.mbcnt.hi" Opaque pure, form(
                "in0 i32, in1 i32 -> res i32",
                "arg_attrs res_attrs",
                "$in0 `,` $in1 attr-dict `:` `(` type($in0) `,` type($in1) `)` `->` type($res)",
            );
            RocdlMbcntLo "rocdl.mbcnt.lo" Opaque pure, form(
                "in0 i32, in1 i32 -> res i32",
                "arg_attrs res_attrs",
                "$in0 `,` $in1 attr-dict `:` `(` type($in0) `,` type($in1) `)` `->` type($res)",
            );
            RocdlPermlane16Swap "rocdl.permlane16.swap" Opaque, form(
                "old i32, src i32 -> res struct",
                "fi:bool boundControl:bool",
                "attr-dict $old `,` $src `,` $fi `,` $boundControl `:` `(` type($old) `,` type($src) `)` `->` type($res)",
            );
            RocdlPermlane32Swap "rocdl.permlane32.swap" Opaque, form(
                "old i32, src i32 -> res struct",
                "fi:bool boundControl:bool",
                "attr-dict $old `,` $src `,` $fi `,` $boundControl `:` `(` type($old) `,` type($src) `)` `->` type($res)",
            );
            RocdlPermlanex16 "rocdl.permlanex16" Opaque, form(
                "T llvm, U llvm; old T, src0 T, src1 U, src2 U -> res T",
                "fi:bool boundControl:bool",
                "attr-dict $old `,` $src0 `,` $src1 `,` $src2 `,` $fi `,` $boundControl `:` type($src0) `,` type($src1)",
            );
            RocdlRawBufferAtomicCmpswap "rocdl.raw.buffer.atomic.cmpswap" Opaque, form(
                "src any, cmp any, rsrc any, offset i32, soffset i32, aux i32 -> res any",
                "",
                "attr-dict `(` $src `,` $cmp `,` $rsrc `,` $offset `,` $soffset `,` $aux `)` `:` type($res) `,` type($rsrc)",
            );
            RocdlRawBufferAtomicFadd "rocdl.raw.buffer.atomic.fadd" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
            RocdlRawBufferAtomicFmax "rocdl.raw.buffer.atomic.fmax" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
            RocdlRawBufferAtomicSmax "rocdl.raw.buffer.atomic.smax" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
            RocdlRawBufferAtomicUmin "rocdl.raw.buffer.atomic.umin" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
            RocdlRawBufferLoad "rocdl.raw.buffer.load" Opaque, generic_only("rsrc any, offset any, soffset any, aux any -> res any", "");
            RocdlRawBufferStore "rocdl.raw.buffer.store" Opaque, generic_only("vdata any, rsrc any, offset any, soffset any, aux any ->", "");
            RocdlRawPtrBufferAtomicCmpswap "rocdl.raw.ptr.buffer.atomic.cmpswap" Opaque, form(
                "src any, cmp any, rsrc any, offset i32, soffset i32, aux i32 -> res any",
                "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$src `,` $cmp `,` $rsrc `,` $offset `,` $soffset `,` $aux attr-dict `:` type($res)",
            );
            RocdlRawPtrBufferAtomicFadd "rocdl.raw.ptr.buffer.atomic.fadd" Opaque, RAW_BUFFER_UPDATE;
            RocdlRawPtrBufferAtomicFmax "rocdl.raw.ptr.buffer.atomic.fmax" Opaque, RAW_BUFFER_UPDATE;
            RocdlRawPtrBufferAtomicSmax "rocdl.raw.ptr.buffer.atomic.smax" Opaque, RAW_BUFFER_UPDATE;
            RocdlRawPtrBufferAtomicUmin "rocdl.raw.ptr.buffer.atomic.umin" Opaque, RAW_BUFFER_UPDATE;
            RocdlRawPtrBufferLoadLds "rocdl.raw.ptr.buffer.load.lds" Opaque, form(
                "rsrc any, ldsPtr any, size i32, voffset i32, soffset i32, offset i32, aux i32 ->",
                "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$rsrc `,` $ldsPtr `,` $size `,` $voffset `,` $soffset `,` $offset `,` $aux attr-dict",
            );
            RocdlRawPtrBufferLoad "rocdl.raw.ptr.buffer.load" Opaque, form(
                "rsrc any, offset i32, soffset i32, aux i32 -> res any",
                "alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "$rsrc `,` $offset `,` $soffset `,` $aux attr-dict `:` type($res)",
            );
            RocdlRawPtrBufferStore "rocdl.raw.ptr.buffer.store" Opaque, RAW_BUFFER_UPDATE;
            RocdlReadfirstlane "rocdl.readfirstlane" Opaque, form(
                "T llvm; src T -> res T",
                "",
                "$src attr-dict `:` type($res)",
            );
            RocdlReadlane "rocdl.readlane" Opaque, form(
                "src0 llvm, src1 i32 -> res llvm",
                "",
                "$src0 `,` $src1 attr-dict `:` `(` type($src0) `,` type($src1) `)` `->` type($res)",
            );
            RocdlSNop "rocdl.s.nop" Opaque, form(
                "->",
                "count:i16",
                "attr-dict $count",
            );
            RocdlSSleep "rocdl.s.sleep" Opaque, form(
                "->",
                "count:i32",
                "attr-dict $count",
            );
            RocdlSWaitcnt "rocdl.s.waitcnt" Opaque, form(
                "->",
                "bitfield:i32",
                "attr-dict $bitfield",
            );
            RocdlSchedGroupBarrier "rocdl.sched.group.barrier" Opaque, form(
                "->",
                "mask:i32 size:i32 groupId:i32",
                "$mask `,` $size `,` $groupId attr-dict",
            );
            RocdlTensorLoadToLdsD2 "rocdl.tensor.load.to.lds.d2" Opaque, form(
                "dgroup0 any, dgroup1 any ->",
                "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "attr-dict $dgroup0 `,` $dgroup1 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
            );
            RocdlTensorLoadToLds "rocdl.tensor.load.to.lds" Opaque, form(
                "dgroup0 any, dgroup1 any, dgroup2 vector<4xi32>, dgroup3 vector<4xi32> ->",
                "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "attr-dict $dgroup0 `,` $dgroup1 `,` $dgroup2 `,` $dgroup3 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
            );
            RocdlTensorStoreFromLdsD2 "rocdl.tensor.store.from.lds.d2" Opaque, form(
                "dgroup0 any, dgroup1 any ->",
                "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "attr-dict $dgroup0 `,` $dgroup1 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
            );
            RocdlTensorStoreFromLds "rocdl.tensor.store.from.lds" Opaque, form(
                "dgroup0 any, dgroup1 any, dgroup2 vector<4xi32>, dgroup3 vector<4xi32> ->",
                "cachePolicy:i32 alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "attr-dict $dgroup0 `,` $dgroup1 `,` $dgroup2 `,` $dgroup3 `cachepolicy` $cachePolicy `:` type($dgroup0) `,` type($dgroup1)",
            );
            RocdlWorkitemIdX "rocdl.workitem.id.x" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlWorkitemIdY "rocdl.workitem.id.y" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlWorkitemIdZ "rocdl.workitem.id.z" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlSWaitAsynccnt "rocdl.s.wait.asynccnt" Opaque, WAIT_COUNT;
            RocdlSWaitDscnt "rocdl.s.wait.dscnt" Opaque, WAIT_COUNT;
            RocdlSWaitExpcnt "rocdl.s.wait.expcnt" Opaque, WAIT_COUNT;
            RocdlSWaitLoadcnt "rocdl.s.wait.loadcnt" Opaque, WAIT_COUNT;
            RocdlSWaitStorecnt "rocdl.s.wait.storecnt" Opaque, WAIT_COUNT;
            RocdlSWaitTensorcnt "rocdl.s.wait.tensorcnt" Opaque, WAIT_COUNT;
            RocdlSWakeupBarrier "rocdl.s.wakeup.barrier" Opaque, form(
                "ptr ptr15 ->",
                "",
                "$ptr attr-dict `:` type($ptr)",
            );
            RocdlWavefrontsize "rocdl.wavefrontsize" Opaque pure, of("-> res llvm", IN_RANGE);
            RocdlDsReadTr16B64 "rocdl.ds.read.tr16.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlDsReadTr4B64 "rocdl.ds.read.tr4.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlDsReadTr6B96 "rocdl.ds.read.tr6.b96" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlDsReadTr8B64 "rocdl.ds.read.tr8.b64" Opaque, of("ptr ptr3 -> res llvm", TRANSPOSING_LOAD);
            RocdlMfmaF3216x16x16bf161k "rocdl.mfma.f32.16x16x16bf16.1k" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x16f16 "rocdl.mfma.f32.16x16x16f16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x1f32 "rocdl.mfma.f32.16x16x1f32" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x2bf16 "rocdl.mfma.f32.16x16x2bf16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x32Bf16 "rocdl.mfma.f32.16x16x32.bf16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x32Bf8Bf8 "rocdl.mfma.f32.16x16x32.bf8.bf8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x32Bf8Fp8 "rocdl.mfma.f32.16x16x32.bf8.fp8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x32F16 "rocdl.mfma.f32.16x16x32.f16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x32Fp8Bf8 "rocdl.mfma.f32.16x16x32.fp8.bf8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x32Fp8Fp8 "rocdl.mfma.f32.16x16x32.fp8.fp8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x4bf161k "rocdl.mfma.f32.16x16x4bf16.1k" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x4f16 "rocdl.mfma.f32.16x16x4f16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x4f32 "rocdl.mfma.f32.16x16x4f32" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x8Xf32 "rocdl.mfma.f32.16x16x8.xf32" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3216x16x8bf16 "rocdl.mfma.f32.16x16x8bf16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x16Bf16 "rocdl.mfma.f32.32x32x16.bf16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x16Bf8Bf8 "rocdl.mfma.f32.32x32x16.bf8.bf8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x16Bf8Fp8 "rocdl.mfma.f32.32x32x16.bf8.fp8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x16F16 "rocdl.mfma.f32.32x32x16.f16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x16Fp8Bf8 "rocdl.mfma.f32.32x32x16.fp8.bf8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x16Fp8Fp8 "rocdl.mfma.f32.32x32x16.fp8.fp8" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x1f32 "rocdl.mfma.f32.32x32x1f32" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x2bf16 "rocdl.mfma.f32.32x32x2bf16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x2f32 "rocdl.mfma.f32.32x32x2f32" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x4Xf32 "rocdl.mfma.f32.32x32x4.xf32" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x4bf16 "rocdl.mfma.f32.32x32x4bf16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x4bf161k "rocdl.mfma.f32.32x32x4bf16.1k" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x4f16 "rocdl.mfma.f32.32x32x4f16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x8bf161k "rocdl.mfma.f32.32x32x8bf16.1k" Opaque, ROCDL_MATRIX;
            RocdlMfmaF3232x32x8f16 "rocdl.mfma.f32.32x32x8f16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF324x4x1f32 "rocdl.mfma.f32.4x4x1f32" Opaque, ROCDL_MATRIX;
            RocdlMfmaF324x4x2bf16 "rocdl.mfma.f32.4x4x2bf16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF324x4x4bf161k "rocdl.mfma.f32.4x4x4bf16.1k" Opaque, ROCDL_MATRIX;
            RocdlMfmaF324x4x4f16 "rocdl.mfma.f32.4x4x4f16" Opaque, ROCDL_MATRIX;
            RocdlMfmaF6416x16x4f64 "rocdl.mfma.f64.16x16x4f64" Opaque, ROCDL_MATRIX;
            RocdlMfmaF644x4x4f64 "rocdl.mfma.f64.4x4x4f64" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3216x16x16i8 "rocdl.mfma.i32.16x16x16i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3216x16x32I8 "rocdl.mfma.i32.16x16x32.i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3216x16x4i8 "rocdl.mfma.i32.16x16x4i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3216x16x64I8 "rocdl.mfma.i32.16x16x64.i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3232x32x16I8 "rocdl.mfma.i32.32x32x16.i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3232x32x32I8 "rocdl.mfma.i32.32x32x32.i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3232x32x4i8 "rocdl.mfma.i32.32x32x4i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI3232x32x8i8 "rocdl.mfma.i32.32x32x8i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaI324x4x4i8 "rocdl.mfma.i32.4x4x4i8" Opaque, ROCDL_MATRIX;
            RocdlMfmaScaleF3216x16x128F8f6f4 "rocdl.mfma.scale.f32.16x16x128.f8f6f4" Opaque, ROCDL_MATRIX;
            RocdlMfmaScaleF3232x32x64F8f6f4 "rocdl.mfma.scale.f32.32x32x64.f8f6f4" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x128Bf8Bf8 "rocdl.smfmac.f32.16x16x128.bf8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x128Bf8Fp8 "rocdl.smfmac.f32.16x16x128.bf8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x128Fp8Bf8 "rocdl.smfmac.f32.16x16x128.fp8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x128Fp8Fp8 "rocdl.smfmac.f32.16x16x128.fp8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x32Bf16 "rocdl.smfmac.f32.16x16x32.bf16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x32F16 "rocdl.smfmac.f32.16x16x32.f16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x64Bf16 "rocdl.smfmac.f32.16x16x64.bf16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x64Bf8Bf8 "rocdl.smfmac.f32.16x16x64.bf8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x64Bf8Fp8 "rocdl.smfmac.f32.16x16x64.bf8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x64F16 "rocdl.smfmac.f32.16x16x64.f16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x64Fp8Bf8 "rocdl.smfmac.f32.16x16x64.fp8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3216x16x64Fp8Fp8 "rocdl.smfmac.f32.16x16x64.fp8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x16Bf16 "rocdl.smfmac.f32.32x32x16.bf16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x16F16 "rocdl.smfmac.f32.32x32x16.f16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x32Bf16 "rocdl.smfmac.f32.32x32x32.bf16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x32Bf8Bf8 "rocdl.smfmac.f32.32x32x32.bf8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x32Bf8Fp8 "rocdl.smfmac.f32.32x32x32.bf8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x32F16 "rocdl.smfmac.f32.32x32x32.f16" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x32Fp8Bf8 "rocdl.smfmac.f32.32x32x32.fp8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x32Fp8Fp8 "rocdl.smfmac.f32.32x32x32.fp8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x64Bf8Bf8 "rocdl.smfmac.f32.32x32x64.bf8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x64Bf8Fp8 "rocdl.smfmac.f32.32x32x64.bf8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x64Fp8Bf8 "rocdl.smfmac.f32.32x32x64.fp8.bf8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacF3232x32x64Fp8Fp8 "rocdl.smfmac.f32.32x32x64.fp8.fp8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacI3216x16x128I8 "rocdl.smfmac.i32.16x16x128.i8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacI3216x16x64I8 "rocdl.smfmac.i32.16x16x64.i8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacI3232x32x32I8 "rocdl.smfmac.i32.32x32x32.i8" Opaque, ROCDL_MATRIX;
            RocdlSmfmacI3232x32x64I8 "rocdl.smfmac.i32.32x32x64.i8" Opaque, ROCDL_MATRIX;
            RocdlWmmaBf1616x16x16Bf16 "rocdl.wmma.bf16.16x16x16.bf16" Opaque, form(
                "a anyint+, b anyint+, c anyint+ -> res anyint+",
                "opsel:bool=false",
                "$a `,` $b `,` $c attr-dict `:` functional-type",
            );
            RocdlWmmaBf1616x16x32Bf16 "rocdl.wmma.bf16.16x16x32.bf16" Opaque, of("a bf16+, b bf16+, c bf16+ -> res bf16+", ROCDL_WMMA_SIGN_MOD);
            RocdlWmmaBf16f3216x16x32Bf16 "rocdl.wmma.bf16f32.16x16x32.bf16" Opaque, of("a bf16+, b bf16+, c f32+ -> res bf16+", ROCDL_WMMA_SIGN_MOD);
            RocdlWmmaF1616x16x128Bf8Bf8 "rocdl.wmma.f16.16x16x128.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF1616x16x128Bf8Fp8 "rocdl.wmma.f16.16x16x128.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF1616x16x128Fp8Bf8 "rocdl.wmma.f16.16x16x128.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF1616x16x128Fp8Fp8 "rocdl.wmma.f16.16x16x128.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF1616x16x16F16 "rocdl.wmma.f16.16x16x16.f16" Opaque, form(
                "a f16+, b f16+, c f16+ -> res f16+",
                "opsel:bool=false",
                "$a `,` $b `,` $c attr-dict `:` functional-type",
            );
            RocdlWmmaF1616x16x32F16 "rocdl.wmma.f16.16x16x32.f16" Opaque, of("a f16+, b f16+, c f16+ -> res f16+", ROCDL_WMMA_SIGN_MOD);
            RocdlWmmaF1616x16x64Bf8Bf8 "rocdl.wmma.f16.16x16x64.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF1616x16x64Bf8Fp8 "rocdl.wmma.f16.16x16x64.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF1616x16x64Fp8Bf8 "rocdl.wmma.f16.16x16x64.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF1616x16x64Fp8Fp8 "rocdl.wmma.f16.16x16x64.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f16+ -> res f16+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x128Bf8Bf8 "rocdl.wmma.f32.16x16x128.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x128Bf8Fp8 "rocdl.wmma.f32.16x16x128.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x128Fp8Bf8 "rocdl.wmma.f32.16x16x128.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x128Fp8Fp8 "rocdl.wmma.f32.16x16x128.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x16Bf16 "rocdl.wmma.f32.16x16x16.bf16" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
            RocdlWmmaF3216x16x16Bf8Bf8 "rocdl.wmma.f32.16x16x16.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
            RocdlWmmaF3216x16x16Bf8Fp8 "rocdl.wmma.f32.16x16x16.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
            RocdlWmmaF3216x16x16F16 "rocdl.wmma.f32.16x16x16.f16" Opaque, of("a f16+, b f16+, c f32+ -> res f32+", ROCDL_WMMA);
            RocdlWmmaF3216x16x16Fp8Bf8 "rocdl.wmma.f32.16x16x16.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
            RocdlWmmaF3216x16x16Fp8Fp8 "rocdl.wmma.f32.16x16x16.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA);
            RocdlWmmaF3216x16x32Bf16 "rocdl.wmma.f32.16x16x32.bf16" Opaque, of("a bf16+, b bf16+, c f32+ -> res f32+", ROCDL_WMMA_SIGN_MOD);
            RocdlWmmaF3216x16x32F16 "rocdl.wmma.f32.16x16x32.f16" Opaque, of("a f16+, b f16+, c f32+ -> res f32+", ROCDL_WMMA_SIGN_MOD);
            RocdlWmmaF3216x16x4F32 "rocdl.wmma.f32.16x16x4.f32" Opaque, of("a f32+, b f32+, c f32+ -> res f32+", ROCDL_WMMA_SIGN_MOD);
            RocdlWmmaF3216x16x64Bf8Bf8 "rocdl.wmma.f32.16x16x64.bf8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x64Bf8Fp8 "rocdl.wmma.f32.16x16x64.bf8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x64Fp8Bf8 "rocdl.wmma.f32.16x16x64.fp8_bf8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaF3216x16x64Fp8Fp8 "rocdl.wmma.f32.16x16x64.fp8_fp8" Opaque, of("a anyint+, b anyint+, c f32+ -> res f32+", ROCDL_WMMA_MOD);
            RocdlWmmaI3216x16x16Iu4 "rocdl.wmma.i32.16x16x16.iu4" Opaque, form(
                "a anyint+, b anyint+, c anyint+ -> res anyint+",
                "signA:bool=false signB:bool=false clamp:bool=false",
                "$a `,` $b `,` $c attr-dict `:` functional-type",
            );
            RocdlWmmaI3216x16x16Iu8 "rocdl.wmma.i32.16x16x16.iu8" Opaque, form(
                "a anyint+, b anyint+, c anyint+ -> res anyint+",
                "signA:bool=false signB:bool=false clamp:bool=false",
                "$a `,` $b `,` $c attr-dict `:` functional-type",
            );
            RocdlWmmaI3216x16x32Iu4 "rocdl.wmma.i32.16x16x32.iu4" Opaque, form(
                "a anyint+, b anyint+, c anyint+ -> res anyint+",
                "signA:bool=false signB:bool=false clamp:bool=false",
                "$a `,` $b `,` $c attr-dict `:` functional-type",
            );
            RocdlWmmaI3216x16x64Iu8 "rocdl.wmma.i32.16x16x64.iu8" Opaque, form(
                "a anyint+, b anyint+, c anyint+ -> res anyint+",
                "signA:bool=false signB:bool=false reuseA:bool=false reuseB:bool=false clamp:bool=false",
                "$a `,` $b `,` $c attr-dict `:` functional-type",
            );
            RocdlWmmaScale16F3216x16x128F8f6f4 "rocdl.wmma.scale16.f32.16x16x128.f8f6f4" Opaque, form(
                "a anyint+, b anyint+, c f32+, scaleA i64, scaleB i64 -> res f32+",
                "fmtA:i32=0 fmtB:i32=0 modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
                "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
            );
            RocdlWmmaScale16F3232x16x128F4 "rocdl.wmma.scale16.f32.32x16x128.f4" Opaque, form(
                "a anyint+, b anyint+, c f32+, scaleA i64, scaleB i64 -> res f32+",
                "modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
                "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
            );
            RocdlWmmaScaleF3216x16x128F8f6f4 "rocdl.wmma.scale.f32.16x16x128.f8f6f4" Opaque, form(
                "a anyint+, b anyint+, c f32+, scaleA i32, scaleB i32 -> res f32+",
                "fmtA:i32=0 fmtB:i32=0 modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
                "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
            );
            RocdlWmmaScaleF3232x16x128F4 "rocdl.wmma.scale.f32.32x16x128.f4" Opaque, form(
                "a anyint+, b anyint+, c f32+, scaleA i32, scaleB i32 -> res f32+",
                "modC:i16=0 scaleAType:i32=0 fmtScaleA:i32=0 scaleBType:i32=0 fmtScaleB:i32=0 reuseA:bool=false reuseB:bool=false",
                "$a `,` $b `,` $c `,` $scaleA `,` $scaleB attr-dict `:` functional-type",
            );
        }
    };
}
