//! The op table: one row for each operation that the compiler knows.
//!
//! The rows of this crate are those that passes, emulator and emitters ask for, and those whose assembly is written by
//! hand. Rows that are only read, checked and printed stand in `raddle-dialects`, which adds them to the table by
//! [`load`].
//!
//! Modules match on [`Class`] first; a new class breaks the build in every module that must think about it. Where each
//! operation of a dialect is another case, as in the emulator and the emitters, they match on [`ByDialect`], and a new
//! row breaks the build there.

mod forms;
mod loaded;

use crate::form::{Form, Shape};
use crate::ids::OpId;
use crate::ir::Ir;
use crate::verify;
use forms::OPAQUE;
pub use loaded::load;
pub(crate) use loaded::{OfRows, has_loaded, shape as loaded_shape};

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

/// What a row states besides operands, results and assembly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Trait {
    /// Only computes its results: an unused operation may be removed, and equal ones may be merged.
    Pure,
    /// The two operands may be exchanged. Float operations do not have it: the order may decide which NaN results.
    Commutative,
    /// Combines two elements into one, as the `vector.kind` of this name does; the other one is what changes nothing.
    Combines(&'static str, Neutral),
    /// Divides: undefined if the last operand is 0, and, for [`Division::Signed`], if the quotient overflows.
    Divides(Division),
    /// Reads the memory (or tensor) in the operand group of this name.
    Reads(&'static str),
    /// Writes the memory in the operand group of this name, or makes a new tensor from it.
    Writes(&'static str),
    /// In destination style: results are what becomes of the tensors in the operand group of this name.
    Into(&'static str),
    /// Allocates memory.
    Allocates,
    /// Waits for other threads or for copies, or orders the operations around it.
    Waits,
    /// Nothing inside sees the values outside.
    Isolated,
    /// Names are looked up among the operations inside.
    Symbols,
    /// Nothing comes behind it, whatever it stands in.
    Stops,
}

/// The element that changes nothing, whatever it is combined with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Neutral {
    /// A float.
    Float(f64),
    /// The least float of the type, which is an infinity where the type has one.
    LeastFloat,
    /// The greatest float of the type.
    GreatestFloat,
    /// An integer.
    Int(i128),
    /// The least signed integer of the type.
    Least,
    /// The greatest signed integer of the type.
    Greatest,
}

impl Neutral {
    /// Whether it is an element of float types.
    pub fn is_float(self) -> bool {
        match self {
            Neutral::Float(_) | Neutral::LeastFloat | Neutral::GreatestFloat => true,
            Neutral::Int(_) | Neutral::Least | Neutral::Greatest => false,
        }
    }
}

/// How a division reads its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    /// As two's complement numbers.
    Signed,
    /// As natural numbers.
    Unsigned,
}

/// One row of the table.
#[derive(Clone, Copy)]
pub struct OpInfo {
    /// With the dialect, as in `arith.addf`.
    pub name: &'static str,
    /// As the row's comment gives it, with the space in front: [`OpInfo::doc`] is without.
    pub comment: &'static str,
    /// What it is to the passes.
    pub class: Class,
    /// What else holds of it.
    pub traits: &'static [Trait],
    /// Operands, results, attributes and assembly.
    pub form: Form,
    /// What no row can state, for rows that are loaded; this crate's have theirs in `verify/`.
    pub rule: Option<fn(&Ir, OpId) -> verify::Check>,
}

impl OpInfo {
    /// What the operation does, in one sentence; empty for operations that are read and printed only.
    pub fn doc(&self) -> &'static str {
        self.comment.trim_start()
    }

    /// Whether the operation only computes its results. A pure operation may still divide by zero.
    pub fn is_pure(&self) -> bool {
        self.traits.iter().any(|t| matches!(t, Trait::Pure))
    }

    /// Whether the operation computes its results from operands and memory, and changes nothing.
    pub fn only_reads(&self) -> bool {
        !self.traits.is_empty() && self.traits.iter().all(|t| matches!(t, Trait::Reads(_)))
    }

    /// Whether an operation whose results are unused may be removed: it changes nothing that others see. A read that
    /// would have failed goes with its answer.
    pub fn only_gives_results(&self) -> bool {
        self.is_pure() || self.only_reads() || self.traits == [Trait::Allocates]
    }

    /// Whether the operation may be executed where the program does not, with any operands: it changes nothing and never
    /// traps.
    pub fn may_be_speculated(&self) -> bool {
        self.is_pure() && self.division().is_none()
    }

    /// The operand groups that results are computed into, in the order of the results.
    pub fn destinations(&self) -> impl Iterator<Item = &'static str> {
        self.traits.iter().filter_map(|t| if let Trait::Into(group) = t { Some(*group) } else { None })
    }

    /// Whether the two operands may be exchanged.
    pub fn is_commutative(&self) -> bool {
        self.traits.iter().any(|t| matches!(t, Trait::Commutative))
    }

    /// The `vector.kind` by which the operation combines elements, and its neutral element, if it does.
    pub fn combines(&self) -> Option<(&'static str, Neutral)> {
        self.traits
            .iter()
            .find_map(|t| if let Trait::Combines(kind, neutral) = t { Some((*kind, *neutral)) } else { None })
    }

    /// How the operation divides, if it does.
    pub fn division(&self) -> Option<Division> {
        self.traits.iter().find_map(|t| if let Trait::Divides(division) = t { Some(*division) } else { None })
    }
}

/// Rows of the table, as a list: what it is, the name, the class, words for traits, operands with assembly, and perhaps
/// a rule for the verifier.
///
/// ```
/// use raddle_ir::form::form;
///
/// static ROWS: &[raddle_ir::ops::OpInfo] = raddle_ir::rows! {
///     /// Waits until all threads of the cluster are here.
///     "demo.wait" Opaque waits, form("->", "aligned:unit", "attr-dict");
/// };
/// assert_eq!(ROWS[0].doc(), "Waits until all threads of the cluster are here.");
/// ```
#[macro_export]
macro_rules! rows {
    ($($(#[doc = $doc:literal])* $name:literal $class:ident $($word:ident $(($($argument:tt)*))?)*, $form:expr $(, $rule:path)?;)*) => {
        &[$($crate::ops::OpInfo {
            name: $name,
            comment: concat!($($doc)*),
            class: $crate::ops::Class::$class,
            traits: &[$($crate::rows!(@trait $word $(($($argument)*))?)),*],
            form: $form,
            rule: $crate::rows!(@rule $($rule)?),
        },)*]
    };
    (@rule) => { None };
    (@rule $rule:path) => { Some($rule) };
    (@trait pure) => { $crate::ops::Trait::Pure };
    (@trait commutative) => { $crate::ops::Trait::Commutative };
    (@trait combines($kind:ident $neutral:ident $(($value:expr))?)) => {
        $crate::ops::Trait::Combines(stringify!($kind), $crate::ops::Neutral::$neutral $(($value))?)
    };
    (@trait divides(signed)) => { $crate::ops::Trait::Divides($crate::ops::Division::Signed) };
    (@trait divides(unsigned)) => { $crate::ops::Trait::Divides($crate::ops::Division::Unsigned) };
    (@trait reads($group:ident)) => { $crate::ops::Trait::Reads(stringify!($group)) };
    (@trait writes($group:ident)) => { $crate::ops::Trait::Writes(stringify!($group)) };
    (@trait into($group:ident)) => { $crate::ops::Trait::Into(stringify!($group)) };
    (@trait allocates) => { $crate::ops::Trait::Allocates };
    (@trait waits) => { $crate::ops::Trait::Waits };
    (@trait isolated) => { $crate::ops::Trait::Isolated };
    (@trait symbols) => { $crate::ops::Trait::Symbols };
    (@trait stops) => { $crate::ops::Trait::Stops };
}

/// The rows of one dialect: its operations as an enum, which a match names one by one, and an [`Opcode`] for each of them
/// with the same name.
macro_rules! dialect {
    ($Dialect:ident: $($(#[doc = $doc:literal])* $opcode:ident $name:literal $class:ident $($word:ident $(($($argument:tt)*))?)*, $form:expr;)*) => {
        /// The operations of the dialect that are rows of this crate.
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "not every row has a comment")]
        #[allow(clippy::enum_variant_names, reason = "the names are those of the opcodes")]
        #[repr(u16)]
        pub enum $Dialect {
            $($(#[doc = $doc])* $opcode,)*
        }

        impl $Dialect {
            /// The operation, if it belongs to the dialect.
            pub fn of(opcode: $crate::ops::Opcode) -> Option<$Dialect> {
                OPERATIONS.get(usize::from(opcode.0.wrapping_sub(FIRST))).copied()
            }
        }

        const OPERATIONS: &[$Dialect] = &[$($Dialect::$opcode,)*];

        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($opcode),)*];

        /// The number of the first row among those of all dialects.
        const FIRST: u16 = $crate::ops::first_of($crate::ops::Place::$Dialect);

        pub(super) const ROWS: &[$crate::ops::OpInfo] = $crate::rows! {
            $($(#[doc = $doc])* $name $class $($word $(($($argument)*))?)*, $form;)*
        };

        #[allow(missing_docs, reason = "not every row has a comment")]
        #[allow(non_upper_case_globals, reason = "they stand for variants")]
        impl $crate::ops::Opcode {
            $($(#[doc = $doc])* pub const $opcode: $crate::ops::Opcode = $crate::ops::Opcode(FIRST + $Dialect::$opcode as u16);)*
        }
    };
}

/// The dialects of this crate: a module of rows for each.
macro_rules! dialects {
    ($($module:ident $Dialect:ident,)*) => {
        $(mod $module;
        pub use $module::$Dialect;)*

        /// An operation as one of its dialect.
        ///
        /// A match on it, and on the enum inside, names each operation of a dialect: a new row breaks the build wherever
        /// somebody must think about it.
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the variants are the dialects")]
        pub enum ByDialect {
            $($Dialect($Dialect),)*
            /// An operation that is not in the table, or a row that was loaded.
            Other,
        }

        /// The dialects in the order of their rows.
        #[derive(Clone, Copy)]
        enum Place {
            $($Dialect,)*
            End,
        }

        /// The number of the first row of a dialect.
        const fn first_of(dialect: Place) -> u16 {
            let counts = [$($module::ROWS.len()),*];
            let (mut at, mut n) = (0, 0);
            while at < dialect as usize {
                n += counts[at];
                at += 1;
            }
            n as u16
        }

        const N_ROWS: usize = first_of(Place::End) as usize;

        /// The rows of this crate, in the order of their opcodes, and one for what is not in the table.
        pub(crate) static OPS: [OpInfo; N_ROWS + 1] = {
            let mut rows = [UNREGISTERED; N_ROWS + 1];
            let mut n = 0;
            $(let mut at = 0;
            while at < $module::ROWS.len() {
                rows[n] = $module::ROWS[at];
                (at, n) = (at + 1, n + 1);
            })*
            rows
        };

        /// The names of the opcodes, in order.
        #[cfg(test)]
        fn names() -> Vec<&'static str> {
            [$($module::NAMES,)*].concat()
        }

        impl Opcode {
            /// The operation as one of its dialect.
            pub fn by_dialect(self) -> ByDialect {
                $(if let Some(own) = $Dialect::of(self) {
                    return ByDialect::$Dialect(own);
                })*
                ByDialect::Other
            }
        }
    };
}

dialects! {
    builtin Builtin,
    func Func,
    arith Arith,
    math Math,
    raddle Raddle,
    index Index,
    ub Ub,
    scf Scf,
    cf Cf,
    memref Memref,
    vector Vector,
    affine Affine,
    gpu Gpu,
    nvgpu Nvgpu,
    amdgpu Amdgpu,
    nvvm Nvvm,
    rocdl Rocdl,
    iree_vector_ext IreeVectorExt,
    linalg Linalg,
    tensor Tensor,
    bufferization Bufferization,
    iree_gpu IreeGpu,
    iree_codegen IreeCodegen,
    iree_linalg_ext IreeLinalgExt,
    iree_tensor_ext IreeTensorExt,
    iree_encoding IreeEncoding,
    hal Hal,
    util Util,
    complex Complex,
    flow Flow,
    pcf Pcf,
    transform Transform,
    llvm Llvm,
    stream Stream,
    check Check,
}

const UNREGISTERED: OpInfo =
    OpInfo { name: "", comment: "", class: Class::Opaque, traits: &[], form: OPAQUE, rule: None };

/// An operation's row in the table: those of this crate have names here, as `Opcode::ArithAddf`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode(u16);

impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Opcode::Unregistered { "an unregistered operation" } else { self.name() })
    }
}

impl Opcode {
    /// Not in the table.
    #[allow(non_upper_case_globals, reason = "it stands beside those that stand for variants")]
    pub const Unregistered: Opcode = Opcode(N_ROWS as u16);

    /// The row of the table.
    pub fn info(self) -> &'static OpInfo {
        match OPS.get(self.place()) {
            Some(own) => own,
            None => loaded::row(self),
        }
    }

    /// The row's place in the table: those of this crate, what is not in it, those that are loaded.
    pub(crate) fn place(self) -> usize {
        usize::from(self.0)
    }

    /// Whether the row was loaded: it is only read, checked and printed.
    pub fn is_loaded(self) -> bool {
        self.place() >= OPS.len()
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
        self.info().traits.contains(&Trait::Isolated)
    }

    /// Whether names are looked up among the operations inside.
    pub fn is_symbol_table(self) -> bool {
        self.info().traits.contains(&Trait::Symbols)
    }

    /// Whether nothing comes behind the operation, whatever it stands in.
    pub fn is_stop(self) -> bool {
        self.info().traits.contains(&Trait::Stops)
    }

    /// What stands in front of the first `.` of the name.
    pub fn dialect(self) -> &'static str {
        let name = self.name();
        &name[..name.bytes().position(|byte| byte == b'.').unwrap_or(name.len())]
    }

    /// What the operation is to the passes.
    pub fn class(self) -> Class {
        self.info().class
    }

    /// Every row of the table, with those that are loaded.
    pub fn all() -> impl Iterator<Item = Opcode> {
        Opcode::places().filter(|&opcode| opcode != Opcode::Unregistered)
    }

    /// The same, and what is not in the table, in the order of [`Opcode::place`].
    pub(crate) fn places() -> impl Iterator<Item = Opcode> {
        (0..OPS.len() + loaded::count()).map(|place| Opcode(u16::try_from(place).expect("tables are short")))
    }

    fn of_this_crate() -> impl Iterator<Item = Opcode> {
        (0..Opcode::Unregistered.0).map(Opcode)
    }

    /// The operation that combines elements as a `vector.kind` does, for floats or for integers.
    pub fn combining(kind: &str, is_float: bool) -> Option<Opcode> {
        let combines = |opcode: &Opcode| {
            opcode.info().combines().is_some_and(|(name, neutral)| name == kind && neutral.is_float() == is_float)
        };
        Opcode::of_this_crate().find(combines)
    }

    /// The row with this name.
    pub fn from_name(name: &str) -> Option<Opcode> {
        use std::sync::LazyLock;

        use rustc_hash::FxHashMap;
        // Looked up for each operation that is read, never walked.
        static BY_NAME: LazyLock<FxHashMap<&'static str, Opcode>> =
            LazyLock::new(|| Opcode::of_this_crate().map(|opcode| (opcode.name(), opcode)).collect());
        BY_NAME.get(name).copied().or_else(|| loaded::from_name(name))
    }
}

/// Every row of the table, with those that are loaded.
pub fn all() -> impl Iterator<Item = &'static OpInfo> {
    Opcode::all().map(Opcode::info)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An opcode is spelled as its operation: each part of the name begins with a capital. It stands for its own row, and
    /// its dialect is that of the name.
    #[test]
    fn opcodes_are_named_after_their_operations() {
        let names = names();
        assert_eq!(names.len(), N_ROWS);
        for (opcode, name) in Opcode::of_this_crate().zip(names) {
            let parts = opcode.name().split(['.', '_']);
            let spelled: String = parts.map(|part| part[..1].to_ascii_uppercase() + &part[1..]).collect();
            assert_eq!(name, spelled, "{opcode:?}");
            assert!(opcode.by_dialect() != ByDialect::Other, "{opcode:?}");
        }
        assert_eq!(Opcode::MathErf.name(), "math.erf");
        assert!(Opcode::MathErf.by_dialect() == ByDialect::Math(Math::MathErf));
    }

    /// What a row reads and writes is one of its operand groups.
    #[test]
    fn effects_name_operands() {
        for opcode in Opcode::all() {
            for effect in opcode.info().traits {
                if let Trait::Reads(name) | Trait::Writes(name) | Trait::Into(name) = effect {
                    let is_there = Shape::of(opcode).operands.iter().any(|group| group.name == *name);
                    assert!(is_there, "{} has no operand `{name}`", opcode.name());
                }
            }
        }
    }
}
