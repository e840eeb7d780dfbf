//! Words that stand for numbers of integer attributes, and for their bits.

use super::inherent::Spelling;

/// Words that stand for the numbers 0, 1, … of an integer attribute of some width.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Cases {
    pub bits: u32,
    pub words: &'static [&'static str],
}

/// Words that each stand for some bits of an integer attribute; those that are all set are named, in this order.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Union {
    pub bits: u32,
    pub words: &'static [(&'static str, i128)],
}

/// What rows of the op table call such words, behind an `@`.
pub(super) static NAMED: &[(&str, Spelling)] = &[
    ("cmpi", Spelling::Cases(&CMPI)),
    ("smtcmp", Spelling::Cases(&SMTCMP)),
    ("cmpf", Spelling::Cases(&CMPF)),
    ("asm", Spelling::Cases(&ASM)),
    ("comdat", Spelling::Cases(&COMDAT)),
    ("icmp", Spelling::Quoted(&CMPI)),
    ("fcmp", Spelling::Quoted(&FCMP)),
    ("ordering", Spelling::Cases(&ORDERING)),
    ("atomic", Spelling::Cases(&ATOMIC)),
    ("wraps", Spelling::Flags(&WRAPS)),
    ("descriptor", Spelling::Bits(&DESCRIPTOR)),
    ("reserved", Spelling::Bits(&RESERVED)),
    ("alloca", Spelling::Bits(&ALLOCA)),
    ("dealloca", Spelling::Bits(&DEALLOCA)),
    ("commands", Spelling::Bits(&COMMANDS)),
    ("categories", Spelling::Bits(&CATEGORIES)),
    ("stages", Spelling::Bits(&STAGES)),
    ("access", Spelling::Bits(&ACCESS)),
    ("memory", Spelling::Bits(&MEMORY)),
    ("usage", Spelling::Bits(&USAGE)),
    ("lifetime", Spelling::Cases(&LIFETIME)),
    ("failures", Spelling::Cases(&FAILURES)),
    ("paramcmp", Spelling::Cases(&PARAM_CMP)),
    ("contraction", Spelling::Cases(&CONTRACTION)),
    ("transposition", Spelling::Cases(&TRANSPOSITION)),
    ("transfersplit", Spelling::Cases(&TRANSFER_SPLIT)),
    ("multireduction", Spelling::Cases(&MULTI_REDUCTION)),
    ("interface", Spelling::Cases(&INTERFACE)),
    ("side", Spelling::Cases(&SIDE)),
    ("layoutmap", Spelling::Cases(&LAYOUT_MAP)),
    ("rmw", Spelling::Cases(&RMW)),
    ("winograd", Spelling::Cases(&WINOGRAD)),
    ("rw", Spelling::Either(["read", "write"])),
    ("cache", Spelling::Either(["instr", "data"])),
    ("rounding", Spelling::Cases(&ROUNDING)),
];

const CMPI: Cases = Cases { bits: 64, words: &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"] };
const CMPF: Cases = Cases {
    bits: 64,
    words: &[
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
        "true",
    ],
};
const FCMP: Cases = Cases {
    bits: 64,
    words: &[
        "_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
        "_true",
    ],
};
// The empty place is an ordering that LLVM has given up.
const ORDERING: Cases = Cases {
    bits: 64,
    words: &["not_atomic", "unordered", "monotonic", "", "acquire", "release", "acq_rel", "seq_cst"],
};
const ATOMIC: Cases = Cases {
    bits: 64,
    words: &[
        "xchg",
        "add",
        "sub",
        "_and",
        "nand",
        "_or",
        "_xor",
        "max",
        "min",
        "umax",
        "umin",
        "fadd",
        "fsub",
        "fmax",
        "fmin",
        "uinc_wrap",
        "udec_wrap",
        "usub_cond",
        "usub_sat",
    ],
};
const ASM: Cases = Cases { bits: 64, words: &["att", "intel"] };
const COMDAT: Cases = Cases { bits: 64, words: &["any", "exactmatch", "largest", "nodeduplicate", "samesize"] };
const ROUNDING: Cases =
    Cases { bits: 32, words: &["to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"] };

const SMTCMP: Cases = Cases { bits: 64, words: &["lt", "le", "gt", "ge"] };
const DESCRIPTOR: Union = Union { bits: 32, words: &[("ReadOnly", 1), ("Indirect", 2)] };
const RESERVED: Union = Union { bits: 64, words: &[("Reserved", 1)] };
const ALLOCA: Union = Union { bits: 64, words: &[("IndeterminateLifetime", 1)] };
const DEALLOCA: Union = Union { bits: 64, words: &[("PreferOrigin", 1)] };
const COMMANDS: Union = Union { bits: 32, words: &[("OneShot", 1), ("AllowInlineExecution", 0x10)] };
const CATEGORIES: Union = Union { bits: 32, words: &[("Transfer", 1), ("Dispatch", 2)] };
const STAGES: Union = Union {
    bits: 32,
    words: &[
        ("CommandIssue", 1),
        ("CommandProcess", 2),
        ("Dispatch", 4),
        ("Transfer", 8),
        ("CommandRetire", 0x10),
        ("Host", 0x20),
    ],
};
const ACCESS: Union = Union {
    bits: 32,
    words: &[("Read", 1), ("Write", 2), ("Discard", 4), ("MayAlias", 8), ("Unaligned", 0x10), ("Any", 0x20)],
};
const MEMORY: Union = Union {
    bits: 32,
    words: &[
        ("Optimal", 1),
        ("HostVisible", 2),
        ("HostCoherent", 4),
        ("HostCached", 8),
        ("HostLocal", 0x46),
        ("DeviceVisible", 0x10),
        ("DeviceLocal", 0x30),
    ],
};
const USAGE: Union = Union {
    bits: 32,
    words: &[
        ("TransferSource", 1),
        ("TransferTarget", 2),
        ("Transfer", 3),
        ("DispatchIndirectParameters", 0x100),
        ("DispatchUniformRead", 0x200),
        ("DispatchStorageRead", 0x400),
        ("DispatchStorageWrite", 0x800),
        ("DispatchStorage", 0xc00),
        ("DispatchImageRead", 0x1000),
        ("DispatchImageWrite", 0x2000),
        ("DispatchImage", 0x3000),
        ("SharingExport", 0x10000),
        ("SharingReplicate", 0x20000),
        ("SharingConcurrent", 0x40000),
        ("SharingImmutable", 0x80000),
        ("MappingScoped", 0x100_0000),
        ("MappingPersistent", 0x200_0000),
        ("MappingOptional", 0x400_0000),
        ("MappingAccessRandom", 0x800_0000),
        ("MappingAccessSequentialWrite", 0x1000_0000),
        ("Mapping", 0x900_0000),
    ],
};
const LIFETIME: Cases = Cases { bits: 32, words: &["*", "external", "staging", "transient", "variable", "constant"] };
const WRAPS: Cases = Cases { bits: 32, words: &["nsw", "nuw"] };
const PARAM_CMP: Cases = Cases { bits: 32, words: &["eq", "ne", "lt", "le", "gt", "ge"] };
const CONTRACTION: Cases = Cases { bits: 32, words: &["dot", "llvmintr", "outerproduct", "parallelarith"] };
const TRANSPOSITION: Cases = Cases { bits: 32, words: &["eltwise", "llvmintr", "shuffle_1d", "shuffle_16x16"] };
const TRANSFER_SPLIT: Cases = Cases { bits: 32, words: &["none", "vector-transfer", "linalg-copy", "force-in-bounds"] };
const MULTI_REDUCTION: Cases = Cases { bits: 32, words: &["innerparallel", "innerreduction"] };
const INTERFACE: Cases = Cases { bits: 32, words: &["LinalgOp", "TilingInterface", "LoopLikeInterface"] };
const SIDE: Cases = Cases { bits: 32, words: &["lhs", "rhs"] };
const LAYOUT_MAP: Cases = Cases { bits: 32, words: &["InferLayoutMap", "IdentityLayoutMap", "FullyDynamicLayoutMap"] };
const WINOGRAD: Cases = Cases { bits: 32, words: &["F_2_3", "F_4_3", "F_2_5"] };
const FAILURES: Cases = Cases { bits: 32, words: &["", "propagate", "suppress"] };
pub(crate) const RMW: Cases = Cases {
    bits: 64,
    words: &[
        "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
        "mulf", "muli", "ori", "xori",
    ],
};
