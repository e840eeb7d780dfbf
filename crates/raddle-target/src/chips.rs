//! The table of chips: limits and capabilities, one row each.

use raddle_ir::{Float, Scalar};
use raddle_layout::access::Banks;
use raddle_layout::plan::{Costs, LaneMove, LaneSwap, Machine, Reach};

use crate::catalogue::{Instruction, instructions};
use crate::{Dot, Mma, NativeVectors, mma};

/// Who makes a chip; decides the target language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "proper names")]
pub enum Vendor {
    Nvidia,
    Amd,
    /// The maker of a CPU does not matter.
    Cpu,
}

/// The language of target code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// There is no emitter.
    None,
    /// PTX text: what NVIDIA's chips from sm_80 on have.
    Ptx,
    /// LLVM IR, for LLVM to compile.
    Llvm,
}

/// Accesses of shared memory that deal out rows of 8 x 8 matrices to the lanes of a subgroup.
///
/// gfx950, gfx12 and gfx1250 have transposing loads of their own (`ds_read_b64_tr_b16` and its family). They are not used:
/// which lane gets which element is said in no document that could be checked against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixAccess {
    /// There are none.
    None,
    /// Loads, plain and transposed, and a transposition between registers.
    Load,
    /// The same, and stores.
    LoadAndStore,
}

/// One chip.
#[derive(Debug)]
pub struct Chip {
    /// As users and vendors' tools spell it.
    pub name: &'static str,
    /// Products that have it, in lower case, as IREE's flags name them; [`chip`] finds it by these, too.
    pub products: &'static [&'static str],
    /// Who makes it.
    pub vendor: Vendor,
    /// Lanes of a subgroup, where the program does not choose.
    pub subgroup_size: u32,
    /// The sizes that a program may choose.
    pub subgroup_sizes: &'static [u32],
    /// Threads of a workgroup, at most.
    pub threads_max: u32,
    /// How many of them lie along z, at most.
    pub threads_z_max: u32,
    /// Bytes of shared memory that one workgroup may have.
    pub shared_bytes_max: u32,
    /// How many of them passes use on their own account: more is asked for at launch, and leaves room for fewer
    /// workgroups.
    pub shared_bytes_planned: u32,
    /// Banks of shared memory, four bytes each.
    pub shared_banks: u32,
    /// Groups of lanes that one wavefront serves in loads of 16 bytes, where they are not neighbours.
    pub load_groups: &'static [&'static [usize]],
    /// Whether whole matrices go to and from shared memory.
    pub matrix_access: MatrixAccess,
    /// Whether copies from global to shared memory go on while the thread does other things.
    pub async_copies: bool,
    /// Whether a kernel may be launched before the one in front of it in a stream is done, and wait for that itself
    /// (PTX ISA, "griddepcontrol").
    pub waits_for_grids: bool,
    /// Instructions that bring words from other lanes of the subgroup in some patterns, cheaper than a shuffle.
    pub moves: &'static [LaneMove],
    /// Instructions that exchange words between two halves of the lanes.
    pub swaps: &'static [LaneSwap],
    /// Whether a shuffle brings words from any lane of 32 only: more lanes take two of them, and a move between halves.
    pub shuffles_in_32: bool,
    /// Bytes of global memory that are fetched together.
    pub segment_bytes: u32,
    /// 32-bit registers of one thread, at most.
    pub registers_max: u32,
    /// 8-bit formats that instructions convert from f32 and to it.
    pub conversions: &'static [Float],
    /// Names of the matrix instructions, preferred ones first.
    pub mmas: &'static [&'static str],
    /// How fast its processors are, where tiles are chosen by an estimate of their time.
    pub processors: Option<Processors>,
    /// The vectors of a CPU, whose workgroups are one thread each.
    pub native: Option<NativeVectors>,
    /// The language that programs for it are written in.
    pub language: Language,
}

/// The processors of a chip: each executes workgroups with matrix units, registers and shared memory of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Processors {
    /// How many there are.
    pub count: u32,
    /// 32-bit registers of one, shared by its threads.
    pub registers: u32,
    /// Bytes of shared memory of one, shared by its workgroups.
    pub shared_bytes: u32,
    /// Threads that one holds at a time.
    pub threads: u32,
    /// Multiplications and additions of 16-bit floats, summed in f32, that the matrix units of one do in a clock through
    /// the instructions that are emitted.
    pub matrix_flops: u32,
    /// How many times as many as of 32-bit floats.
    pub share_of_f32: u32,
    /// The same through instructions of four subgroups whose factors lie in shared memory; 0 where there are none.
    pub shared_flops: u32,
    /// Bytes that the memory of the chip moves in a clock of the processors.
    pub memory_bytes: u32,
    /// Bytes that one gets from the L2 cache in a clock, at most: its port is so wide.
    pub cache_bytes: u32,
    /// Bytes that all of them together get from the L2 cache in a clock, where that is less than their ports are wide.
    pub cache_bytes_all: Option<u32>,
    /// Millions of clocks in a second, where the figures above were stated.
    pub clock_mhz: u32,
}

impl Processors {
    /// Multiplications and additions of elements of so many bytes that the matrix units of one do in a clock; of factors
    /// in shared memory, if these are meant.
    pub fn flops(&self, elem_bytes: i64, of_shared: bool) -> f64 {
        let flops = f64::from(if of_shared { self.shared_flops } else { self.matrix_flops });
        match elem_bytes {
            4 => flops / f64::from(self.share_of_f32),
            8 => flops / 16.0,
            bytes => flops * 2.0 / bytes as f64,
        }
    }
}

/// Every chip.
pub const CHIPS: &[Chip] = &[
    Chip {
        name: "sm_80",
        products: &["a100", "a30", "ampere"],
        shared_bytes_max: 163 * 1024,
        mmas: AMPERE,
        processors: Some(A100),
        ..NVIDIA
    },
    Chip {
        name: "sm_86",
        products: &["a10", "a40", "a6000", "rtx3060", "rtx3070", "rtx3080", "rtx3090"],
        shared_bytes_max: 99 * 1024,
        mmas: AMPERE,
        processors: Some(A6000),
        ..NVIDIA
    },
    Chip {
        name: "sm_87",
        products: &["orin"],
        shared_bytes_max: 163 * 1024,
        mmas: AMPERE,
        processors: Some(ORIN),
        ..NVIDIA
    },
    // PTX ISA, "cvt": e4m3x2 and e5m2x2 from sm_89.
    Chip {
        name: "sm_89",
        products: &["l4", "l40", "l40s", "rtx4060", "rtx4070", "rtx4080", "rtx4090", "ada"],
        shared_bytes_max: 99 * 1024,
        conversions: OCP8,
        mmas: ADA,
        processors: Some(L40S),
        ..NVIDIA
    },
    Chip { name: "sm_90", processors: Some(H100), ..HOPPER },
    // PTX ISA, "wgmma.mma_async": sm_90a only.
    Chip {
        name: "sm_90a",
        products: &["h100", "h200", "gh200", "hopper"],
        processors: Some(Processors { shared_flops: 4096, ..H100 }),
        ..HOPPER
    },
    // Chips of the Blackwell family by what they share with the ones before: `mma.sync`, no instructions of their own.
    Chip { name: "sm_100", products: &["b100", "b200", "gb200"], processors: Some(B200), ..HOPPER },
    Chip { name: "sm_103", products: &["b300", "gb300"], processors: Some(B200), ..HOPPER },
    Chip {
        name: "sm_120",
        products: &["rtx5060", "rtx5070", "rtx5080", "rtx5090", "rtxpro6000"],
        shared_bytes_max: 99 * 1024,
        processors: Some(RTX_PRO_6000),
        ..HOPPER
    },
    Chip { name: "sm_121", products: &["gb10"], shared_bytes_max: 99 * 1024, processors: Some(GB10), ..HOPPER },
    // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": 6.0 has no matrix instructions.
    Chip { name: "sm_60", matrix_access: MatrixAccess::None, async_copies: false, language: Language::None, ..NVIDIA },
    // AMD Instinct MI100 ISA: 256 vector registers and 256 accumulation registers, which only MFMA reaches.
    Chip { name: "gfx908", products: &["mi100", "cdna1"], registers_max: 256, mmas: CDNA1, ..CDNA },
    Chip {
        name: "gfx90a",
        products: &["mi210", "mi250", "mi250x", "cdna2"],
        mmas: CDNA2,
        processors: Some(MI250X),
        ..CDNA
    },
    Chip {
        name: "gfx942",
        products: &["mi300a", "mi300x", "mi308x", "mi325x", "cdna3"],
        mmas: CDNA3,
        processors: Some(MI300X),
        ..CDNA
    },
    // AMD CDNA 4 ISA, "LDS": 160 KiB, 64 banks.
    Chip {
        name: "gfx950",
        products: &["mi350x", "mi355x", "cdna4"],
        shared_bytes_max: 160 * 1024,
        shared_bytes_planned: 160 * 1024,
        shared_banks: 64,
        load_groups: &[],
        swaps: CDNA4_SWAPS,
        mmas: CDNA4,
        processors: Some(MI355X),
        ..CDNA
    },
    Chip {
        name: "gfx1100",
        products: &["rx7900xt", "rx7900xtx", "w7800", "w7900", "rdna3"],
        mmas: RDNA3,
        processors: Some(RX7900),
        ..RDNA
    },
    Chip {
        name: "gfx1101",
        products: &["rx7700xt", "rx7800xt", "v710", "w7700"],
        mmas: RDNA3,
        processors: Some(RX7800),
        ..RDNA
    },
    Chip { name: "gfx1102", products: &["rx7600"], mmas: RDNA3, processors: Some(RX7600), ..RDNA },
    Chip { name: "gfx1103", products: &["phoenix"], mmas: RDNA3, ..RDNA },
    Chip { name: "gfx1150", products: &["strix-point"], mmas: RDNA3, ..RDNA },
    Chip { name: "gfx1151", products: &["strix-halo"], mmas: RDNA3, processors: Some(STRIX_HALO), ..RDNA },
    Chip { name: "gfx1200", products: &["rx9060xt"], mmas: RDNA4, processors: Some(RX9060), ..RDNA },
    Chip {
        name: "gfx1201",
        products: &["r9700", "rx9070", "rx9070xt", "rdna4"],
        mmas: RDNA4,
        processors: Some(RX9070),
        ..RDNA
    },
    // LLVM's description of gfx1250: wave32 only, 1024 vector registers, 320 KiB of LDS; banks as on gfx950.
    Chip {
        name: "gfx1250",
        subgroup_sizes: &[32],
        shared_bytes_max: 320 * 1024,
        shared_bytes_planned: 320 * 1024,
        shared_banks: 64,
        registers_max: 1024,
        mmas: GFX1250,
        ..RDNA
    },
    // System V ABI, AMD64 supplement, "Micro-Architecture Levels": v3 has AVX2 and FMA, v4 AVX-512 F, BW, CD, DQ, VL.
    Chip { name: "x86-64-v3", native: Some(AVX2), ..CPU },
    Chip { name: "x86-64-v4", native: Some(AVX512), ..CPU },
    // Intel SDM, volume 2, "VPDPBUSD".
    Chip { name: "x86-64-v4-vnni", native: Some(NativeVectors { dots: &[Dot::Bytes, Dot::Shorts], ..AVX512 }), ..CPU },
    // Intel SDM, volume 2, "VDPBF16PS".
    Chip {
        name: "x86-64-v4-bf16",
        native: Some(NativeVectors { dots: &[Dot::Bytes, Dot::Shorts, Dot::Bf16], ..AVX512 }),
        ..CPU
    },
    // Intel SDM, volume 1, "Programming with Intel AMX"; caches of Sapphire Rapids: Intel Optimization Reference Manual,
    // "Golden Cove".
    Chip {
        name: "x86-64-v4-amx",
        native: Some(NativeVectors {
            dots: &[Dot::Bytes, Dot::Shorts, Dot::Bf16],
            tiles: true,
            cache_bytes: [48 << 10, 1 << 20],
            ..AVX512
        }),
        ..CPU
    },
    Chip { name: "aarch64", native: Some(NEON), ..CPU },
];

/// NVIDIA A100 whitepaper, of the board with 40 GB: 312 TFLOP/s and 1555 GB/s at 1410 MHz; CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability", here and below.
const A100: Processors = Processors {
    count: 108,
    registers: 64 * 1024,
    shared_bytes: 164 * 1024,
    threads: 2048,
    matrix_flops: 2048,
    share_of_f32: 2,
    shared_flops: 0,
    memory_bytes: 1100,
    cache_bytes: 64,
    cache_bytes_all: None,
    clock_mhz: 1410,
};
/// NVIDIA RTX A6000 datasheet and GA102 whitepaper: 155 TFLOP/s and 768 GB/s at 1800 MHz. Of the six parts of its L2 cache
/// each has eight slices that give 32 bytes in a clock.
const A6000: Processors = Processors {
    count: 84,
    shared_bytes: 100 * 1024,
    threads: 1536,
    matrix_flops: 1024,
    memory_bytes: 427,
    cache_bytes_all: Some(1536),
    clock_mhz: 1800,
    ..A100
};
/// NVIDIA L40S datasheet: 362 TFLOP/s and 864 GB/s at 2520 MHz. What the L2 cache of its chip gives copies has been measured
/// on an RTX 4090 (github.com/smallscientist1/cuda_microbenchmark, analysis_RTX4090.md).
const L40S: Processors =
    Processors { count: 142, memory_bytes: 343, cache_bytes_all: Some(1945), clock_mhz: 2520, ..A6000 };
/// NVIDIA H100 SXM5 datasheet: 132 processors, 3350 GB/s at 1755 MHz. Measured: `mma.sync` goes no faster than on an A100.
const H100: Processors =
    Processors { count: 132, shared_bytes: 228 * 1024, memory_bytes: 1909, clock_mhz: 1755, ..A100 };
/// NVIDIA Jetson AGX Orin technical brief: 16 processors, 204.8 GB/s, 42.5 TFLOP/s in 16-bit floats at 1300 MHz.
const ORIN: Processors = Processors { count: 16, threads: 1536, memory_bytes: 157, clock_mhz: 1300, ..A100 };
/// NVIDIA DGX B200 datasheet: 8000 GB/s for each of the chips, which have 148 processors at 1965 MHz. That `mma.sync` goes
/// as on an H100 is assumed.
const B200: Processors = Processors { count: 148, memory_bytes: 4071, clock_mhz: 1965, ..H100 };
/// NVIDIA RTX PRO 6000 Blackwell datasheet: 188 processors, 1792 GB/s, 125 TFLOP/s in f32 at 2617 MHz. That its L2 cache
/// gives as much for each of its 512 lines to memory as an L40S has for each of 384 is assumed.
const RTX_PRO_6000: Processors =
    Processors { count: 188, memory_bytes: 685, cache_bytes_all: Some(2593), clock_mhz: 2617, ..A6000 };
/// AMD Instinct MI300X datasheet: 304 compute units, 1307 TFLOP/s in f16, 163 in f32 and 5300 GB/s at 2100 MHz. AMD CDNA 3
/// white paper: registers of 128 KiB for each of four SIMD units, here and below; 17.2 TB/s of the cache that all L2 caches
/// share.
const MI300X: Processors = Processors {
    count: 304,
    registers: 128 * 1024,
    shared_bytes: 64 * 1024,
    threads: 2048,
    matrix_flops: 2048,
    share_of_f32: 8,
    memory_bytes: 2524,
    cache_bytes_all: Some(8190),
    clock_mhz: 2100,
    ..A100
};
/// AMD Instinct MI250X datasheet, one of its two chips: 110 compute units, 191 TFLOP/s in f16, 48 in f32, 1638 GB/s at 1700
/// MHz. AMD CDNA 2 white paper: 32 channels of the L2 cache with 128 bytes in a clock.
const MI250X: Processors = Processors {
    count: 110,
    matrix_flops: 1024,
    share_of_f32: 4,
    memory_bytes: 963,
    cache_bytes_all: Some(4096),
    clock_mhz: 1700,
    ..MI300X
};
/// AMD Instinct MI355X datasheet: 256 compute units, 2516 TFLOP/s in f16, 157 in f32 and 8000 GB/s at 2400 MHz.
const MI355X: Processors = Processors {
    count: 256,
    shared_bytes: 160 * 1024,
    matrix_flops: 4096,
    share_of_f32: 16,
    memory_bytes: 3333,
    clock_mhz: 2400,
    ..MI300X
};
/// AMD Radeon RX 7900 XTX: 48 workgroup processors of two compute units, 123 TFLOP/s in f16 and 960 GB/s at 2500 MHz. AMD
/// RDNA 3 ISA: 1536 registers of 32 lanes for each of four SIMD units.
const RX7900: Processors = Processors {
    count: 48,
    registers: 192 * 1024,
    shared_bytes: 128 * 1024,
    threads: 2048,
    matrix_flops: 1024,
    memory_bytes: 384,
    clock_mhz: 2500,
    ..A100
};
/// AMD Radeon RX 7800 XT: 30 workgroup processors, 624 GB/s at 2430 MHz.
const RX7800: Processors = Processors { count: 30, memory_bytes: 257, clock_mhz: 2430, ..RX7900 };
/// AMD Radeon RX 7600: 16 workgroup processors with 1024 registers for each SIMD unit, 288 GB/s at 2655 MHz.
const RX7600: Processors =
    Processors { count: 16, registers: 128 * 1024, memory_bytes: 108, clock_mhz: 2655, ..RX7900 };
/// AMD Ryzen AI Max+ 395: 20 workgroup processors, 256 GB/s at 2900 MHz.
const STRIX_HALO: Processors = Processors { count: 20, memory_bytes: 88, clock_mhz: 2900, ..RX7900 };
/// AMD Radeon RX 9070 XT: 32 workgroup processors, 195 TFLOP/s in f16 and 640 GB/s at 2970 MHz.
const RX9070: Processors = Processors { count: 32, matrix_flops: 2048, memory_bytes: 215, clock_mhz: 2970, ..RX7900 };
/// AMD Radeon RX 9060 XT: 16 workgroup processors, 320 GB/s at 3130 MHz.
const RX9060: Processors = Processors { count: 16, memory_bytes: 102, clock_mhz: 3130, ..RX9070 };
/// NVIDIA DGX Spark: 48 processors, 273 GB/s at 2418 MHz.
const GB10: Processors = Processors { count: 48, memory_bytes: 113, cache_bytes_all: None, clock_mhz: 2418, ..A6000 };
/// Runs all that sm_89 runs, with the same fragments. PTX ISA, "stmatrix": from sm_90.
const HOPPER: Chip = Chip {
    shared_bytes_max: 227 * 1024,
    waits_for_grids: true,
    matrix_access: MatrixAccess::LoadAndStore,
    conversions: OCP8,
    mmas: ADA,
    ..NVIDIA
};
const AVX2: NativeVectors = NativeVectors {
    machine: "avx2",
    lanes: 8,
    registers: 16,
    dots: &[Dot::Shorts],
    tiles: false,
    masked_bytes: Some(4),
    // One store in 24 cycles, measured on a Zen 3.
    slow_masked_stores: true,
    cache_bytes: [32 << 10, 512 << 10],
};
const AVX512: NativeVectors = NativeVectors {
    machine: "avx512",
    lanes: 16,
    registers: 32,
    dots: &[Dot::Shorts],
    tiles: false,
    masked_bytes: Some(1),
    slow_masked_stores: false,
    cache_bytes: [32 << 10, 1 << 20],
};
const NEON: NativeVectors = NativeVectors {
    machine: "neon",
    lanes: 4,
    registers: 32,
    dots: &[],
    tiles: false,
    masked_bytes: None,
    slow_masked_stores: false,
    cache_bytes: [64 << 10, 1 << 20],
};

/// A core of a CPU: one thread with vectors of its own. What GPUs share is on its stack.
const CPU: Chip = Chip {
    name: "",
    products: &[],
    vendor: Vendor::Cpu,
    subgroup_size: 1,
    subgroup_sizes: &[1],
    threads_max: 1,
    threads_z_max: 1,
    shared_bytes_max: 1536 * 1024,
    shared_bytes_planned: 256 * 1024,
    shared_banks: 32,
    load_groups: &[],
    matrix_access: MatrixAccess::None,
    async_copies: false,
    waits_for_grids: false,
    moves: &[],
    swaps: &[],
    shuffles_in_32: false,
    segment_bytes: 64,
    registers_max: 32,
    conversions: &[],
    mmas: &[],
    processors: None,
    native: None,
    language: Language::Llvm,
};

const OCP8: &[Float] = &[Float::F8E4M3FN, Float::F8E5M2];

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 8.0 to 9.0. More shared memory than
/// 48 KiB must be asked for at launch. PTX ISA, "ldmatrix" and "movmatrix": from sm_75. CUDA C++ Best Practices Guide,
/// "Coalesced Access to Global Memory": transactions of 32 bytes.
const NVIDIA: Chip = Chip {
    name: "",
    products: &[],
    vendor: Vendor::Nvidia,
    subgroup_size: 32,
    subgroup_sizes: &[32],
    threads_max: 1024,
    threads_z_max: 64,
    shared_bytes_max: 48 * 1024,
    shared_bytes_planned: 48 * 1024,
    shared_banks: 32,
    load_groups: &[],
    matrix_access: MatrixAccess::Load,
    // PTX ISA, "cp.async": from sm_80.
    async_copies: true,
    waits_for_grids: false,
    moves: &[],
    swaps: &[],
    shuffles_in_32: false,
    segment_bytes: 32,
    registers_max: 255,
    conversions: &[],
    mmas: &[],
    processors: None,
    native: None,
    language: Language::Ptx,
};

/// AMD Instinct MI200 and MI300 ISA, "Wavefront" and "LDS": 64 lanes, 512 registers shared by both kinds, 64 KiB.
/// MI200 performance counters: the vector cache asks for 64 bytes or more.
const CDNA: Chip = Chip {
    name: "",
    products: &[],
    vendor: Vendor::Amd,
    subgroup_size: 64,
    subgroup_sizes: &[64],
    threads_max: 1024,
    threads_z_max: 1024,
    shared_bytes_max: 64 * 1024,
    shared_bytes_planned: 64 * 1024,
    shared_banks: 32,
    load_groups: CDNA_LOAD_GROUPS,
    matrix_access: MatrixAccess::None,
    async_copies: false,
    waits_for_grids: false,
    moves: GCN_MOVES,
    swaps: &[],
    shuffles_in_32: false,
    segment_bytes: 64,
    registers_max: 512,
    conversions: &[],
    mmas: &[],
    processors: None,
    native: None,
    language: Language::Llvm,
};

/// RDNA 3 and RDNA 4 ISA: wave32 or wave64, 256 registers. A workgroup processor has 128 KiB of LDS, of which one
/// workgroup may allocate 64 KiB, in 32 banks for each of its two halves. RDNA white paper: cache lines of 128 bytes.
const RDNA: Chip = Chip {
    name: "",
    products: &[],
    vendor: Vendor::Amd,
    subgroup_size: 32,
    subgroup_sizes: &[32, 64],
    threads_max: 1024,
    threads_z_max: 1024,
    shared_bytes_max: 64 * 1024,
    shared_bytes_planned: 64 * 1024,
    shared_banks: 32,
    load_groups: &[],
    matrix_access: MatrixAccess::None,
    async_copies: false,
    waits_for_grids: false,
    moves: RDNA_MOVES,
    swaps: &[],
    shuffles_in_32: true,
    segment_bytes: 128,
    registers_max: 256,
    conversions: &[],
    mmas: &[],
    processors: None,
    native: None,
    language: Language::Llvm,
};

/// Composable Kernel, "Understanding AMD GPU LDS and Bank Conflicts": `ds_write_b128` serves eight neighbours at once,
/// `ds_read_b128` two runs of four.
#[rustfmt::skip] // One group, one row.
const CDNA_LOAD_GROUPS: &[&[usize]] = &[
    &[0, 1, 2, 3, 20, 21, 22, 23],
    &[4, 5, 6, 7, 16, 17, 18, 19],
    &[8, 9, 10, 11, 28, 29, 30, 31],
    &[12, 13, 14, 15, 24, 25, 26, 27],
    &[32, 33, 34, 35, 52, 53, 54, 55],
    &[36, 37, 38, 39, 48, 49, 50, 51],
    &[40, 41, 42, 43, 60, 61, 62, 63],
    &[44, 45, 46, 47, 56, 57, 58, 59],
];

/// AMD Instinct MI200 and MI300 ISA, "Data Parallel Processing" and "DS_SWIZZLE_B32": patterns of rows of 16 lanes ride
/// on any vector instruction; a swizzle goes through the crossbar of shared memory, but needs no addresses.
/// Mirrors and a rotation by half of a row are flips of a lane's number.
const GCN_MOVES: &[LaneMove] = &[
    LaneMove { name: "dpp quad_perm", reach: Reach::Group { bits: 2, flip: 0 }, cost: 1 },
    LaneMove { name: "dpp row_half_mirror", reach: Reach::Xor(&[7]), cost: 1 },
    LaneMove { name: "dpp row_ror:8", reach: Reach::Xor(&[8]), cost: 1 },
    LaneMove { name: "dpp row_mirror", reach: Reach::Xor(&[15]), cost: 1 },
    LaneMove { name: "ds_swizzle", reach: Reach::Xor(XOR_32), cost: 4 },
];

/// RDNA 3 and RDNA 4 ISA, "Data Parallel Processing" and "V_PERMLANE16_B32": rows of 16 lanes in any order, from the
/// own row or from the other one of 32 lanes; the order is in scalar registers.
const RDNA_MOVES: &[LaneMove] = &[
    LaneMove { name: "dpp8", reach: Reach::Group { bits: 3, flip: 0 }, cost: 1 },
    LaneMove { name: "dpp row_xmask", reach: Reach::Xor(XOR_16), cost: 1 },
    LaneMove { name: "v_permlane16", reach: Reach::Group { bits: 4, flip: 0 }, cost: 2 },
    LaneMove { name: "v_permlanex16", reach: Reach::Group { bits: 4, flip: 16 }, cost: 2 },
    LaneMove { name: "v_permlane64", reach: Reach::Xor(&[32]), cost: 1 },
];

/// AMD CDNA 4 ISA, "V_PERMLANE16_SWAP_B32" and "V_PERMLANE32_SWAP_B32": one instruction exchanges two words.
const CDNA4_SWAPS: &[LaneSwap] =
    &[LaneSwap { name: "v_permlane16_swap", bit: 4, cost: 1 }, LaneSwap { name: "v_permlane32_swap", bit: 5, cost: 1 }];

/// All flips inside 16 lanes.
const XOR_16: &[u64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// All flips inside 32 lanes.
const XOR_32: &[u64] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
];

// The lists are IREE's, in its order, without instructions of several blocks and of unspecified layout.

/// PTX ISA, "mma": f16 and bf16 from sm_80.
const AMPERE: &[&str] = &[
    "NV_MMA_SYNC_F32_16x8x16_F16",
    "NV_MMA_SYNC_F16_16x8x16_F16",
    "NV_MMA_SYNC_F32_16x8x16_BF16",
    "NV_MMA_SYNC_F32_16x8x8_TF32",
    "NV_MMA_SYNC_F32_16x8x8_TF32X3",
    "NV_MMA_SYNC_I32_16x8x32_I8",
];

/// PTX ISA, "mma": 8-bit floats from sm_89.
const ADA: &[&str] = &[
    "NV_MMA_SYNC_F32_16x8x16_F16",
    "NV_MMA_SYNC_F16_16x8x16_F16",
    "NV_MMA_SYNC_F32_16x8x16_BF16",
    "NV_MMA_SYNC_F32_16x8x8_TF32",
    "NV_MMA_SYNC_F32_16x8x8_TF32X3",
    "NV_MMA_SYNC_I32_16x8x32_I8",
    "NV_MMA_SYNC_F32_16x8x32_F8E4M3FN",
    "NV_MMA_SYNC_F32_16x8x32_F8E4M3FN_F8E5M2",
    "NV_MMA_SYNC_F32_16x8x32_F8E5M2_F8E4M3FN",
    "NV_MMA_SYNC_F32_16x8x32_F8E5M2",
];

/// AMD Instinct MI100 ISA.
const CDNA1: &[&str] = &[
    "MFMA_F32_16x16x4_F32",
    "MFMA_F32_16x16x16_F16",
    "MFMA_F32_32x32x8_F16",
    "MFMA_I32_16x16x16_I8",
    "MFMA_I32_32x32x8_I8",
];

/// AMD Instinct MI200 ISA.
const CDNA2: &[&str] = &[
    "MFMA_F32_16x16x8_BF16",
    "MFMA_F32_32x32x4_BF16",
    "MFMA_F64_16x16x4_F64",
    "MFMA_F32_16x16x4_F32",
    "MFMA_F32_16x16x16_F16",
    "MFMA_F32_32x32x8_F16",
    "MFMA_I32_16x16x16_I8",
    "MFMA_I32_32x32x8_I8",
    "MFMA_F32_16x16x4x4B_F16",
    "MFMA_F32_32x32x4x2B_F16",
    "MFMA_F32_4x4x4x16B_F16",
    "MFMA_F32_16x16x4x4B_BF16",
    "MFMA_F32_32x32x4x2B_BF16",
    "MFMA_F32_4x4x4x16B_BF16",
    "MFMA_I32_16x16x4x4B_I8",
    "MFMA_I32_32x32x4x2B_I8",
    "MFMA_I32_4x4x4x16B_I8",
];

/// AMD Instinct MI300 ISA.
const CDNA3: &[&str] = &[
    "MFMA_F32_16x16x16_BF16",
    "MFMA_F32_32x32x8_BF16",
    "MFMA_F32_16x16x32_F8E5M2FNUZ",
    "MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ",
    "MFMA_F32_16x16x32_F8E4M3FNUZ",
    "MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ",
    "MFMA_F32_32x32x16_F8E5M2FNUZ",
    "MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ",
    "MFMA_F32_32x32x16_F8E4M3FNUZ",
    "MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ",
    "MFMA_I32_16x16x32_I8",
    "MFMA_I32_32x32x16_I8",
    "MFMA_F64_16x16x4_F64",
    "MFMA_F32_16x16x4_F32",
    "MFMA_F32_16x16x16_F16",
    "MFMA_F32_32x32x8_F16",
    "MFMA_F32_16x16x4x4B_F16",
    "MFMA_F32_32x32x4x2B_F16",
    "MFMA_F32_4x4x4x16B_F16",
    "MFMA_F32_16x16x4x4B_BF16",
    "MFMA_F32_32x32x4x2B_BF16",
    "MFMA_F32_4x4x4x16B_BF16",
    "MFMA_I32_16x16x4x4B_I8",
    "MFMA_I32_32x32x4x2B_I8",
    "MFMA_I32_4x4x4x16B_I8",
];

/// AMD CDNA 4 ISA; 8-bit floats have negative zero from here on.
const CDNA4: &[&str] = &[
    "MFMA_F32_16x16x32_F16",
    "MFMA_F32_32x32x16_F16",
    "MFMA_F32_16x16x32_BF16",
    "MFMA_F32_32x32x16_BF16",
    "MFMA_F32_16x16x128_F8E5M2",
    "MFMA_F32_16x16x128_F8E5M2_F8E4M3FN",
    "MFMA_F32_16x16x128_F8E4M3FN",
    "MFMA_F32_16x16x128_F8E4M3FN_F8E5M2",
    "MFMA_F32_32x32x64_F8E5M2",
    "MFMA_F32_32x32x64_F8E5M2_F8E4M3FN",
    "MFMA_F32_32x32x64_F8E4M3FN",
    "MFMA_F32_32x32x64_F8E4M3FN_F8E5M2",
    "MFMA_I32_16x16x64_I8",
    "MFMA_I32_32x32x32_I8",
    "MFMA_F32_16x16x16_BF16",
    "MFMA_F32_32x32x8_BF16",
    "MFMA_F32_16x16x32_F8E5M2",
    "MFMA_F32_16x16x32_F8E5M2_F8E4M3FN",
    "MFMA_F32_16x16x32_F8E4M3FN",
    "MFMA_F32_16x16x32_F8E4M3FN_F8E5M2",
    "MFMA_F32_32x32x16_F8E5M2",
    "MFMA_F32_32x32x16_F8E5M2_F8E4M3FN",
    "MFMA_F32_32x32x16_F8E4M3FN",
    "MFMA_F32_32x32x16_F8E4M3FN_F8E5M2",
    "MFMA_I32_16x16x32_I8",
    "MFMA_I32_32x32x16_I8",
    "MFMA_F64_16x16x4_F64",
    "MFMA_F32_16x16x4_F32",
    "MFMA_F32_16x16x16_F16",
    "MFMA_F32_32x32x8_F16",
    "MFMA_F32_16x16x4x4B_F16",
    "MFMA_F32_32x32x4x2B_F16",
    "MFMA_F32_4x4x4x16B_F16",
    "MFMA_F32_16x16x4x4B_BF16",
    "MFMA_F32_32x32x4x2B_BF16",
    "MFMA_F32_4x4x4x16B_BF16",
    "MFMA_I32_16x16x4x4B_I8",
    "MFMA_I32_32x32x4x2B_I8",
    "MFMA_I32_4x4x4x16B_I8",
];

/// AMD RDNA 3 ISA.
const RDNA3: &[&str] = &[
    "WMMAR3_F32_16x16x16_F16",
    "WMMAR3_F16_16x16x16_F16",
    "WMMAR3_F32_16x16x16_BF16",
    "WMMAR3_BF16_16x16x16_BF16",
    "WMMAR3_I32_16x16x16_I8",
];

/// AMD RDNA 4 ISA.
const RDNA4: &[&str] = &[
    "WMMAR4_F32_16x16x16_F16",
    "WMMAR4_F16_16x16x16_F16",
    "WMMAR4_F32_16x16x16_BF16",
    "WMMAR4_BF16_16x16x16_BF16",
    "WMMAR4_F32_16x16x16_F8E5M2",
    "WMMAR4_F32_16x16x16_F8E5M2_F8E4M3FN",
    "WMMAR4_F32_16x16x16_F8E4M3FN",
    "WMMAR4_F32_16x16x16_F8E4M3FN_F8E5M2",
    "WMMAR4_I32_16x16x16_I8",
];

/// AMD gfx1250.
const GFX1250: &[&str] = &[
    "WMMA_F32_16x16x4_F32",
    "WMMA_F32_16x16x32_F16",
    "WMMA_F32_16x16x32_BF16",
    "WMMA_F16_16x16x32_F16",
    "WMMA_BF16_16x16x32_BF16",
    "WMMA_F32_16x16x64_F8E4M3FN",
    "WMMA_F32_16x16x64_F8E4M3FN_F8E5M2",
    "WMMA_F32_16x16x64_F8E5M2",
    "WMMA_F32_16x16x64_F8E5M2_F8E4M3FN",
    "WMMA_F16_16x16x64_F8E4M3FN",
    "WMMA_F16_16x16x64_F8E4M3FN_F8E5M2",
    "WMMA_F16_16x16x64_F8E5M2",
    "WMMA_F16_16x16x64_F8E5M2_F8E4M3FN",
    "WMMA_I32_16x16x64_I8",
    "WMMA_F32_16x16x128_F8E5M2",
    "WMMA_F32_16x16x128_F8E5M2_F8E4M3FN",
    "WMMA_F32_16x16x128_F8E4M3FN",
    "WMMA_F32_16x16x128_F8E4M3FN_F8E5M2",
    "WMMA_F16_16x16x128_F8E5M2",
    "WMMA_F16_16x16x128_F8E5M2_F8E4M3FN",
    "WMMA_F16_16x16x128_F8E4M3FN",
    "WMMA_F16_16x16x128_F8E4M3FN_F8E5M2",
];

/// The chip with this name, or of the product with this name.
pub fn chip(name: &str) -> Option<&'static Chip> {
    let product = name.to_ascii_lowercase();
    let has = |chip: &&Chip| chip.products.contains(&product.as_str());
    CHIPS.iter().find(|chip| chip.name == name).or_else(|| CHIPS.iter().find(has))
}

impl Chip {
    /// The chip's matrix instructions, preferred ones first.
    pub fn mma_rows(&self) -> impl Iterator<Item = &'static Mma> + '_ {
        self.mmas.iter().filter_map(|name| mma(name))
    }

    /// Those that compute one product, and what the program says: passes choose among them where it names none.
    pub fn exact_mma_rows(&self) -> impl Iterator<Item = &'static Mma> + '_ {
        self.mma_rows().filter(|mma| !mma.on_request && mma.blocks.is_none())
    }

    /// Whether instructions convert a format of at most 8 bits from f32 and to it.
    pub fn converts(&self, float: Float) -> bool {
        self.conversions.contains(&float)
    }

    /// Every matrix instruction of the catalogue that the chip has, whether passes choose it or not.
    pub fn instructions(&self) -> impl Iterator<Item = &'static Instruction> + '_ {
        instructions().iter().filter(|row| row.runs_on(self.name))
    }

    /// The preferred instruction for these types of A, B and C.
    pub fn first_mma(&self, types: [Scalar; 3]) -> Option<&'static Mma> {
        self.exact_mma_rows().find(|mma| mma.types == types)
    }

    /// Whether a workgroup can have this many threads along x, y and z; if not, what it can have, in words.
    pub fn check_workgroup(&self, extents: [i64; 3]) -> Result<(), String> {
        let threads = extents.iter().fold(1i64, |threads, &extent| threads.saturating_mul(extent));
        let (name, max, z_max) = (self.name, self.threads_max, self.threads_z_max);
        if threads > i64::from(max) {
            return Err(format!("a workgroup of {extents:?} has {threads} threads, and {name} has at most {max}"));
        }
        if extents[2] > i64::from(z_max) {
            return Err(format!("a workgroup has {} threads along z, and {name} has at most {z_max}", extents[2]));
        }
        Ok(())
    }

    /// Whether a subgroup can have this many lanes; if not, what it can have, in words.
    pub fn check_subgroup_size(&self, lanes: i64) -> Result<(), String> {
        if self.subgroup_sizes.iter().any(|&size| i64::from(size) == lanes) {
            return Ok(());
        }
        let sizes: Vec<String> = self.subgroup_sizes.iter().map(u32::to_string).collect();
        Err(format!("{} has subgroups of {} lanes, not of {lanes}", self.name, sizes.join(" or ")))
    }

    /// How many barriers for some of its subgroups a workgroup may have, beside the one for all.
    ///
    /// PTX ISA, "bar, barrier": 16 barriers, of which number 0 is that of the whole workgroup. GCN and RDNA have one.
    pub fn barriers_of_some(&self) -> u32 {
        if self.vendor == Vendor::Nvidia { 15 } else { 0 }
    }

    /// What the planner of conversions needs to know, for subgroups of this many lanes.
    pub fn machine(&self, subgroup_size: i64) -> Machine {
        let banks = Banks::words(i64::from(self.shared_banks));
        let costs = Costs::default();
        let shuffle = match self.vendor {
            Vendor::Nvidia | Vendor::Cpu => costs.shuffle,
            // ds_bpermute goes through the crossbar of shared memory: it takes as long as a load of a word.
            Vendor::Amd => {
                let one = costs.shared + costs.wavefront * ((subgroup_size + banks.count - 1) / banks.count);
                // Once from each half, a move between the halves, and a choice.
                if self.shuffles_in_32 && subgroup_size > 32 { 2 * one + costs.select + 1 } else { one }
            }
        };
        // The instructions are defined for 32 lanes.
        let access = if subgroup_size == 32 { self.matrix_access } else { MatrixAccess::None };
        let (loads, stores) = (access != MatrixAccess::None, access == MatrixAccess::LoadAndStore);
        let groups: Vec<Vec<usize>> = self.load_groups.iter().map(|group| group.to_vec()).collect();
        let phases = if groups.is_empty() { vec![] } else { vec![(16, groups)] };
        Machine {
            load_banks: Banks { phases, ..banks.clone() },
            banks,
            lanes_max: subgroup_size,
            shared_bytes_max: i64::from(self.shared_bytes_planned),
            matrix_load: loads,
            matrix_load_transposed: loads,
            matrix_store: stores,
            matrix_store_transposed: stores,
            matrix_transpose: loads,
            moves: self.moves.to_vec(),
            swaps: self.swaps.to_vec(),
            costs: Costs { shuffle, ..costs },
        }
    }
}
