//! The table of chips: limits and capabilities, one row each.

/// Who makes a chip; decides the target language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "proper names")]
pub enum Vendor {
    Nvidia,
    Amd,
}

/// One chip.
#[derive(Debug)]
pub struct Chip {
    /// As users and vendors' tools spell it.
    pub name: &'static str,
    /// Who makes it.
    pub vendor: Vendor,
    /// Lanes of a subgroup.
    pub subgroup_size: u32,
    /// Threads of a workgroup, at most.
    pub threads_max: u32,
    /// Bytes of shared memory that one workgroup may allocate statically.
    pub shared_bytes_max: u32,
    /// 32-bit registers of one thread, at most.
    pub registers_max: u32,
    /// Names of the matrix instructions, preferred ones first.
    pub mmas: &'static [&'static str],
}

/// Every chip.
pub const CHIPS: &[Chip] = &[
    // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 8.0; static shared memory is
    // limited to 48 KiB on all of them.
    Chip {
        name: "sm_80",
        vendor: Vendor::Nvidia,
        subgroup_size: 32,
        threads_max: 1024,
        shared_bytes_max: 48 * 1024,
        registers_max: 255,
        mmas: &["NV_MMA_SYNC_F32_16x8x16_F16"],
    },
    // AMD Instinct MI300 ISA, "Wavefront Limits"; 64 KiB of LDS for each workgroup.
    Chip {
        name: "gfx942",
        vendor: Vendor::Amd,
        subgroup_size: 64,
        threads_max: 1024,
        shared_bytes_max: 64 * 1024,
        registers_max: 512,
        mmas: &["MFMA_F32_16x16x16_F16"],
    },
];

/// The chip with this name.
pub fn chip(name: &str) -> Option<&'static Chip> {
    CHIPS.iter().find(|chip| chip.name == name)
}
