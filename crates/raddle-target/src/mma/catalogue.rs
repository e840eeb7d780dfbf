//! The catalogue: every matrix instruction of every vendor, with the exact place of each element.
//!
//! The vendors' instructions come in families that differ in shape and types, and within a family ids, mnemonics and
//! operand maps follow from those by a rule that the vendor's manual states once. So do they here: a row of
//! `nvidia.rs`, `amd.rs` or `other.rs` lists shapes and types, and a function beside it holds the rule.
//! The whole is built when it is first asked for, in about a millisecond; nothing of it runs before, and the binary has
//! the rules only. The alternatives were given up: literal rows would be 600 times the same facts, constants cannot make
//! strings, and a text to be parsed would be a second language with errors of its own.
//!
//! Passes and emulator work with the rows of [`crate::MMAS`]; a test holds those to the maps that are here.

use std::fmt;
use std::sync::LazyLock;

use raddle_ir::{Float, Ir, OpId, Opcode, Scalar};
use raddle_layout::picture::View;

use super::{Operand, amd, nvidia, other};

pub use super::chain::{Chain, Chains};
pub use super::elem::Elem;
pub use super::map::{Map, Token};
pub use super::shared::{Major, SharedProduct, SharedTile, SwizzleWidth, TileError};
pub use super::virtuals::{Lowering, SCALED, Scaled, VIRTUALS, Virtual};

/// Instructions of one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "proper names")]
pub enum Family {
    MmaSync,
    MmaSyncBlockScale,
    Wgmma,
    Wmma,
    Mfma,
    Smfmac,
    WmmaGfx11,
    WmmaGfx12,
    WmmaGfx1250,
    Swmmac,
    Dpas,
    Amx,
    SimdgroupMatrix,
    Coopmat,
}

const FAMILIES: &[(Family, &str)] = &[
    (Family::MmaSync, "mma.sync"),
    (Family::MmaSyncBlockScale, "mma.sync.block_scale"),
    (Family::Wgmma, "wgmma"),
    (Family::Wmma, "wmma"),
    (Family::Mfma, "mfma"),
    (Family::Smfmac, "smfmac"),
    (Family::WmmaGfx11, "wmma.gfx11"),
    (Family::WmmaGfx12, "wmma.gfx12"),
    (Family::WmmaGfx1250, "wmma.gfx1250"),
    (Family::Swmmac, "swmmac"),
    (Family::Dpas, "dpas"),
    (Family::Amx, "amx"),
    (Family::SimdgroupMatrix, "simdgroup_matrix"),
    (Family::Coopmat, "coopmat"),
];

impl Family {
    /// The name that users read.
    pub fn name(self) -> &'static str {
        let (family, name) = FAMILIES[self as usize];
        assert_eq!(family, self, "rows stand in the order of the families");
        name
    }
}

/// How an element of A and one of B meet. Integers are summed exactly, modulo the width of C; the order in which floats
/// are summed, and what is rounded on the way, differ between machines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Combine {
    /// As a product.
    Multiply,
    /// As bits, by exclusive or; the sum counts ones.
    Xor,
    /// As bits, by and; the sum counts ones.
    And,
}

/// Where an operand is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In registers, as the map says.
    Registers(Map),
    /// In shared memory only.
    Shared,
    /// In registers, but where each element lies is the vendor's secret.
    Opaque,
}

/// Factors that scale blocks of A's rows and B's columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scales {
    /// Elements of k that share a scale.
    pub block: i64,
    /// The type of a scale.
    pub elem: Elem,
    /// Of A, with dimensions (m, s), and of B, (n, s); s counts blocks along k, slots count bytes of a register.
    pub maps: [Map; 2],
    /// What the maps cannot say.
    pub note: &'static str,
}

/// Another name of an instruction: IREE's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// IREE's layout gives each lane one run of k where the hardware has several: the length of the hardware's.
    ///
    /// A product does not change when A and B permute k alike, so that is sound for plain products; it never is where
    /// scales belong to blocks of k, and not where data was arranged for the hardware's order.
    pub k_run: Option<i64>,
}

/// One matrix instruction: `D = A·B + C`, D as C; each block for itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The catalogue's name: vendor, family, shape, types.
    pub id: String,
    /// IREE's names.
    pub aliases: Vec<Alias>,
    /// Its kind.
    pub family: Family,
    /// The instruction as the assembler or the language spells it.
    pub mnemonic: String,
    /// The machines that have it: `sm_80` and `gfx940+` mean those and later ones, a name with a letter at its end or
    /// a list exactly these, `gfx11` and `gfx12` generations; see [`Instruction::runs_on`].
    pub targets: &'static str,
    /// Element types of A, B and C.
    pub types: [Elem; 3],
    /// What takes the place of multiplication.
    pub combine: Combine,
    /// Rows of C.
    pub m: i64,
    /// Columns of C.
    pub n: i64,
    /// Columns of A, rows of B. Of a sparse A half of them are stored.
    pub k: i64,
    /// Independent products.
    pub blocks: i64,
    /// Threads that execute it together; 0 where only the device knows.
    pub threads: u32,
    /// Where A, B and C are, in the hardware's order of slots and numbering of k.
    pub places: [Place; 3],
    /// Bits of a register that an element of A, B and C occupies.
    pub container_bits: [u32; 3],
    /// Distance between slots in containers.
    pub slot_strides: [i64; 3],
    /// A holds two of each four elements along k.
    pub sparse: bool,
    /// Block scales, where it takes them.
    pub scales: Option<Scales>,
    /// Where n may be chosen: all choices. Each has a row.
    pub legal_n: &'static [i64],
    /// What the rest does not say; may be empty.
    pub note: &'static str,
}

/// Every instruction, family by family.
pub fn instructions() -> &'static [Instruction] {
    static ROWS: LazyLock<Vec<Instruction>> =
        LazyLock::new(|| [nvidia::rows(), amd::rows(), other::rows()].into_iter().flatten().collect());
    &ROWS
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    /// An instruction, by its id or by an alias.
    Instruction(&'static Instruction),
    /// A sequence of instructions that IREE counts as one.
    Virtual(&'static Virtual),
    /// Scaled instructions of one shape, one for each pair of types.
    Scaled(&'static Scaled),
}

/// No instruction has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The most similar one that exists.
    pub nearest: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no matrix instruction is called `{}`; the nearest name is `{}`", self.name, self.nearest)
    }
}

impl std::error::Error for UnknownName {}

/// What a name stands for: an id, or one of IREE's names.
///
/// ```
/// use raddle_target::catalogue::{Named, lookup};
///
/// let Named::Instruction(row) = lookup("MFMA_F32_16x16x16_F16")? else { panic!("an instruction's name") };
/// assert_eq!(row.id, "amd.mfma.f32.16x16x16.1b.f16");
/// let unknown = lookup("MFMA_F32_16x16x61_F16").unwrap_err();
/// assert_eq!(unknown.nearest, "MFMA_F32_16x16x16_F16");
/// let unknown = lookup("amd.smfmac").unwrap_err();
/// assert!(unknown.nearest.starts_with("amd.smfmac."));
/// # Ok::<(), raddle_target::catalogue::UnknownName>(())
/// ```
pub fn lookup(name: &str) -> Result<Named, UnknownName> {
    if let Some(row) = instruction(name) {
        return Ok(Named::Instruction(row));
    }
    if let Some(row) = VIRTUALS.iter().find(|row| row.name == name) {
        return Ok(Named::Virtual(row));
    }
    if let Some(row) = SCALED.iter().find(|row| row.name == name) {
        return Ok(Named::Scaled(row));
    }
    let lower = name.to_lowercase();
    let parts = lower.split('.').count();
    // An id without its end is the name of a family, so that what is compared first is that much of a candidate.
    let distance = |candidate: &&str| {
        let candidate = candidate.to_lowercase();
        let family = candidate.match_indices('.').nth(parts - 1).map_or(candidate.as_str(), |(at, _)| &candidate[..at]);
        (strsim::osa_distance(&lower, family), strsim::osa_distance(&lower, &candidate))
    };
    let nearest = names().min_by_key(distance).unwrap_or_default();
    Err(UnknownName { name: name.to_string(), nearest: nearest.to_string() })
}

/// The instruction with this id or alias.
pub fn instruction(name: &str) -> Option<&'static Instruction> {
    let has = |row: &&Instruction| row.id == name || row.aliases.iter().any(|alias| alias.name == name);
    instructions().iter().find(has)
}

/// Every name that [`lookup`] knows: ids, IREE's names, virtual and scaled ones.
pub fn names() -> impl Iterator<Item = &'static str> {
    let ids = instructions().iter().map(|row| row.id.as_str());
    let aliases = instructions().iter().flat_map(|row| &row.aliases).map(|alias| alias.name.as_str());
    let composed = VIRTUALS.iter().map(|row| row.name).chain(SCALED.iter().map(|row| row.name));
    ids.chain(aliases).chain(composed)
}

/// The instructions of which a text names a part: of the id, an alias, the mnemonic, the family or the shape
/// (`16x8x16` or `m16n8k16`), in any case of letters; or a chip that has them.
pub fn matching(text: &str) -> impl Iterator<Item = &'static Instruction> {
    let text = text.to_lowercase();
    instructions().iter().filter(move |row| {
        let (m, n, k) = (row.m, row.n, row.k);
        let parts = [&*row.id, &row.mnemonic, row.family.name(), &format!("{m}x{n}x{k}"), &format!("m{m}n{n}k{k}")];
        let names = row.aliases.iter().map(|alias| &*alias.name);
        names.chain(parts).any(|part| part.to_lowercase().contains(&text)) || row.runs_on(&text)
    })
}

/// An operand that cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoMap {
    /// The instruction.
    pub id: &'static str,
    /// The operand.
    pub operand: Operand,
    /// Whether it is in shared memory; otherwise its layout is unspecified.
    pub shared: bool,
}

impl fmt::Display for NoMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operand, id) = (self.operand.name(), self.id);
        if self.shared {
            write!(f, "operand {operand} of {id} is in shared memory, never in registers")
        } else {
            write!(
                f,
                "where the elements of operand {operand} of {id} lie is unspecified; only its own loads and stores know"
            )
        }
    }
}

impl std::error::Error for NoMap {}

impl Instruction {
    /// Where an operand is.
    pub fn place(&self, operand: Operand) -> &Place {
        &self.places[operand as usize]
    }

    /// The map of an operand in registers.
    pub fn map(&'static self, operand: Operand) -> Result<&'static Map, NoMap> {
        let shared = match self.place(operand) {
            Place::Registers(map) => return Ok(map),
            Place::Shared => true,
            Place::Opaque => false,
        };
        Err(NoMap { id: &self.id, operand, shared })
    }

    /// Whether the layouts of all operands are unspecified.
    pub fn is_opaque(&self) -> bool {
        self.places.iter().all(|place| *place == Place::Opaque)
    }

    /// 32-bit registers of one thread that an operand takes; `None` where it is elsewhere or unspecified.
    pub fn registers(&self, operand: Operand) -> Option<i64> {
        let Place::Registers(map) = self.place(operand) else { return None };
        let bits = i64::from(self.container_bits[operand as usize]);
        Some((map.n_slots() * bits * self.slot_strides[operand as usize] + 31) / 32)
    }

    /// The extents of an operand's value: b where there are blocks, then (m, k), (k, n) or (m, n); A's k counts stored
    /// values.
    pub fn shape(&self, operand: Operand) -> Vec<i64> {
        let stored = if self.sparse { self.k / 2 } else { self.k };
        let extents = match operand {
            Operand::A => [self.m, stored],
            Operand::B => [self.k, self.n],
            Operand::C => [self.m, self.n],
        };
        if self.blocks == 1 { extents.to_vec() } else { [self.blocks].into_iter().chain(extents).collect() }
    }

    /// An operand ready to be drawn.
    pub fn view(&'static self, operand: Operand) -> Result<View, NoMap> {
        let note = if self.note.is_empty() { None } else { Some(self.note.to_string()) };
        Ok(view(&self.id, operand, self.types, self.map(operand)?, note))
    }

    /// The instruction of some chip that an `amdgpu.sparse_mfma` or `nvgpu.mma.sp.sync` stands for.
    pub fn of_sparse(ir: &Ir, op: OpId) -> Option<&'static Instruction> {
        let (family, mnk) = match ir.opcode(op) {
            Opcode::AmdgpuSparseMfma => {
                let extents = ["m", "n", "k"].map(|name| ir.attr(op, name).and_then(|extent| extent.as_i64()));
                (Family::Smfmac, extents.into_iter().collect::<Option<Vec<i64>>>()?)
            }
            Opcode::NvgpuMmaSpSync => (Family::MmaSync, ir.ints(ir.attr_id(op, "mmaShape")?)?),
            _ => return None,
        };
        let types = [0, 1, 2].map(|at| Scalar::of(&ir[ir.elem_of(ir.operand(op, at))]));
        let fits = |row: &&Instruction| {
            let has = |chip: &str| row.types.iter().zip(types).all(|(elem, own)| elem.scalar_on(chip) == own);
            // f32 factors stand for tf32 where the operation says so.
            let as_tf32 = || row.types[0] == Elem::TF32 && types[..2] == [Some(Scalar::Float(Float::F32)); 2];
            let multiplies = match family {
                Family::Smfmac => has("gfx942") || has("gfx950"),
                _ => has("sm_90a") || ir.attr_id(op, "tf32Enabled").is_some() && as_tf32(),
            };
            // PTX ISA, "Sparse matrix storage": four chunks for each lane of a quad that has metadata.
            let metadata = row.k / if row.types[0].bits() == 32 { 8 } else { 16 };
            let selector = ir.attr(op, "sparsitySelector").and_then(|selector| selector.as_i64()).unwrap_or(0);
            let has_lanes = family == Family::Smfmac || (selector + 1) * metadata <= 4;
            row.sparse && row.family == family && [row.m, row.n, row.k] == mnk[..] && multiplies && has_lanes
        };
        instructions().iter().find(fits)
    }

    /// Whether a chip has the instruction with elements of these types of the language.
    pub fn multiplies(&self, types: [Scalar; 3], chip: &str) -> bool {
        self.runs_on(chip) && self.types.iter().zip(types).all(|(elem, own)| elem.scalar_on(chip) == Some(own))
    }

    /// Whether a chip (or a feature, where [`Instruction::targets`] names one) has the instruction.
    pub fn runs_on(&self, chip: &str) -> bool {
        self.targets.split(',').any(|target| covers(target, chip))
    }

    pub(super) fn new(
        family: Family,
        id: String,
        mnemonic: String,
        targets: &'static str,
        types: [Elem; 3],
        [m, n, k]: [i64; 3],
        threads: u32,
    ) -> Instruction {
        Instruction {
            id,
            aliases: Vec::new(),
            family,
            mnemonic,
            targets,
            types,
            combine: Combine::Multiply,
            m,
            n,
            k,
            blocks: 1,
            threads,
            places: [Place::Opaque, Place::Opaque, Place::Opaque],
            container_bits: types.map(Elem::bits),
            slot_strides: [1, 1, 1],
            sparse: false,
            scales: None,
            legal_n: &[],
            note: "",
        }
    }

    pub(super) fn with_places(self, places: [Place; 3]) -> Instruction {
        Instruction { places, ..self }
    }

    pub(super) fn with_maps(self, maps: [Map; 3]) -> Instruction {
        self.with_places(maps.map(Place::Registers))
    }

    pub(super) fn with_blocks(self, blocks: i64) -> Instruction {
        Instruction { blocks, ..self }
    }

    pub(super) fn with_containers(self, container_bits: [u32; 3]) -> Instruction {
        Instruction { container_bits, ..self }
    }

    pub(super) fn with_slot_strides(self, slot_strides: [i64; 3]) -> Instruction {
        Instruction { slot_strides, ..self }
    }

    pub(super) fn with_scales(self, scales: Scales) -> Instruction {
        Instruction { scales: Some(scales), ..self }
    }

    pub(super) fn with_combine(self, combine: Combine) -> Instruction {
        Instruction { combine, ..self }
    }

    pub(super) fn with_sparse(self) -> Instruction {
        Instruction { sparse: true, ..self }
    }

    pub(super) fn with_legal_n(self, legal_n: &'static [i64]) -> Instruction {
        Instruction { legal_n, ..self }
    }

    pub(super) fn with_note(self, note: &'static str) -> Instruction {
        Instruction { note, ..self }
    }

    /// IREE's name: its prefix, C's type, the shape, A's type, and B's where it differs.
    pub(super) fn with_alias(self, prefix: &str, k_run: Option<i64>) -> Instruction {
        self.alias(prefix, "FN", "", k_run)
    }

    /// The same for 8-bit floats without negative zero.
    pub(super) fn with_fnuz_alias(self, prefix: &str) -> Instruction {
        self.alias(prefix, "FNUZ", "FNUZ", None)
    }

    fn alias(mut self, prefix: &str, e4m3: &str, e5m2: &str, k_run: Option<i64>) -> Instruction {
        let name = |elem: Elem| match elem {
            Elem::E4M3 => format!("F8E4M3{e4m3}"),
            Elem::E5M2 => format!("F8E5M2{e5m2}"),
            Elem::S8 | Elem::S32 => format!("I{}", elem.bits()),
            _ => elem.name().to_uppercase(),
        };
        let [a, b, c] = self.types.map(name);
        let (m, n, k) = (self.m, self.n, self.k);
        let blocks = if self.blocks == 1 { String::new() } else { format!("x{}B", self.blocks) };
        let factors = if a == b { a } else { format!("{a}_{b}") };
        self.aliases.push(Alias { name: format!("{prefix}_{c}_{m}x{n}x{k}{blocks}_{factors}"), k_run });
        self
    }
}

impl Named {
    /// The shape of the product: m, n, k.
    pub fn mnk(&self) -> [i64; 3] {
        match self {
            Named::Instruction(row) => [row.m, row.n, row.k],
            Named::Virtual(row) => [row.m, row.n, row.k],
            Named::Scaled(row) => [row.m, row.n, row.k],
        }
    }

    /// The map of an operand; of scaled instructions, the one with 8-bit floats.
    pub fn map(&self, operand: Operand) -> Result<Map, NoMap> {
        match self {
            Named::Instruction(row) => row.map(operand).cloned(),
            Named::Virtual(row) => Ok(row.map(operand)),
            Named::Scaled(row) => row.with_fp8().map(operand).cloned(),
        }
    }

    /// An operand ready to be drawn; of scaled instructions, the one with 8-bit floats.
    pub fn view(&self, operand: Operand) -> Result<View, NoMap> {
        match self {
            Named::Instruction(row) => row.view(operand),
            Named::Virtual(row) => {
                let note = format!("{} x {}", row.issues, row.mnemonic);
                Ok(view(row.name, operand, row.types, &row.map(operand), Some(note)))
            }
            Named::Scaled(row) => row.with_fp8().view(operand),
        }
    }
}

fn view(name: &str, operand: Operand, types: [Elem; 3], map: &Map, note: Option<String>) -> View {
    let names = map.dims.chars().map(String::from).collect();
    let title = format!("{name} operand {}, {}", operand.name(), types[operand as usize].name());
    View { title, names, notes: note.into_iter().collect(), tile: map.shape.clone(), layout: map.layout() }
}

/// The chips with MFMA, oldest first.
const CDNA: &[&str] = &["gfx908", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx950"];

/// Whether one entry of a list of targets covers a chip.
fn covers(target: &str, chip: &str) -> bool {
    let number = |name: &str| name.strip_prefix("sm_").and_then(|digits| digits.parse::<u32>().ok());
    if let Some(since) = number(target) {
        return number(chip.trim_end_matches(['a', 'f'])).is_some_and(|chip| chip >= since);
    }
    // Features of one chip, which its plain name may stand for.
    if target.starts_with("sm_") {
        return chip == target || target.strip_suffix('a') == Some(chip);
    }
    if let Some(since) = target.strip_suffix('+') {
        let age = |name: &str| CDNA.iter().position(|&chip| chip == name);
        let family = |name: &str| name.strip_prefix("apple").and_then(|digits| digits.parse::<u32>().ok());
        return age(chip) >= age(since) && age(since).is_some()
            || family(chip) >= family(since) && family(since).is_some();
    }
    match target {
        "gfx11" => chip.starts_with("gfx11") && chip.len() == 7,
        // gfx1250 is another machine.
        "gfx12" => chip.starts_with("gfx120"),
        _ => chip == target,
    }
}
