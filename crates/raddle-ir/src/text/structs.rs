//! Attributes whose parameters have names: their order in print, and the values that go without saying.

/// The parameters of an attribute in order, each with what its absence means where it may be absent.
type Struct = (&'static str, &'static [(&'static str, Option<&'static str>)]);

const fn needed(name: &'static str) -> (&'static str, Option<&'static str>) {
    (name, None)
}

const fn one(name: &'static str) -> (&'static str, Option<&'static str>) {
    (name, Some("1"))
}

/// May be absent, but has no value that would mean the same.
const fn maybe(name: &'static str) -> (&'static str, Option<&'static str>) {
    (name, Some(""))
}

const STRUCTS: &[Struct] = &[
    ("iree_gpu.mma_semantics", &[needed("distributed"), needed("opaque")]),
    ("iree_gpu.swizzle_operand", &[needed("copy_config"), needed("swizzle")]),
    (
        "iree_gpu.data_tiled_mma_layout",
        &[
            needed("intrinsic"),
            one("intrinsics_m"),
            one("subgroups_m"),
            one("intrinsics_n"),
            one("subgroups_n"),
            one("intrinsics_k"),
            one("subgroups_k"),
            maybe("operands_interleaving_intrinsics_m"),
            maybe("operands_interleaving_intrinsics_n"),
            maybe("operands_interleaving_intrinsics_k"),
        ],
    ),
    (
        "iree_gpu.data_tiled_scaled_mma_layout",
        &[
            needed("intrinsic"),
            needed("lhs_elem_type"),
            needed("rhs_elem_type"),
            needed("acc_elem_type"),
            one("intrinsics_m"),
            one("subgroups_m"),
            one("intrinsics_n"),
            one("subgroups_n"),
            one("intrinsics_k"),
            one("subgroups_k"),
            maybe("operands_interleaving_intrinsics_m"),
            maybe("operands_interleaving_intrinsics_n"),
            maybe("operands_interleaving_intrinsics_k"),
            maybe("unswizzled_operands"),
        ],
    ),
    (
        "iree_cpu.data_tiled_mma_layout",
        &[
            needed("intrinsic"),
            maybe("lhs_elem_type"),
            maybe("rhs_elem_type"),
            maybe("acc_elem_type"),
            one("intrinsics_m"),
            one("intrinsics_n"),
            one("intrinsics_k"),
        ],
    ),
    (
        "iree_gpu.scaled_mma_layout",
        &[
            needed("intrinsic"),
            needed("lhs_elem_type"),
            needed("rhs_elem_type"),
            needed("acc_elem_type"),
            ("col_major", Some("false")),
        ],
    ),
    (
        "iree_gpu.pipeline_options",
        &[
            maybe("prefetch_num_stages"),
            maybe("no_reduce_shared_memory_bank_conflicts"),
            maybe("use_igemm_convolution"),
            maybe("reorder_workgroups_strategy"),
        ],
    ),
    ("iree_gpu.target", &[needed("arch"), needed("features"), needed("wgp"), maybe("chip")]),
    ("util.int.assumption", &[maybe("umin"), maybe("umax"), maybe("udiv")]),
];

/// The place of a parameter among the others, and the text of the value that goes without saying.
pub(super) fn parameter(attr: &str, name: &str) -> Option<(usize, Option<&'static str>)> {
    let (_, parameters) = STRUCTS.iter().find(|row| row.0 == attr)?;
    parameters.iter().position(|row| row.0 == name).map(|at| (at, parameters[at].1))
}
