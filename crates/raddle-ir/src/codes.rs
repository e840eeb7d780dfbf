//! The table of diagnostic codes: one row each, and `raddle explain` prints it.

use std::fmt;

macro_rules! codes {
    ($($name:ident $code:literal $title:literal $why:literal)*) => {
        /// The number of a diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The number as users type it.
            pub fn number(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// One line: what kind of mistake this is.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// A paragraph or two: why it is a mistake, one example that fails and one that works.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => $why,)* }
            }
        }
    };
}

// E01 text, E02 verifier, E03 configure to vectorize, E04 layouts, E05 distribution, E06 lowering and stages,
// E07 emission, E08 execution, E09 the command and its files.
codes! {
    Syntax "E0101" "the text is not MLIR"
        "The reader expected something else at the marked place."

    BadOperation "E0201" "an operation breaks its own rules"
        "Each operation states how many operands it takes and how their types relate; the marked one breaks such a rule."

    CannotConfigure "E0301" "no lowering configuration fits the operation"
        "A configuration must divide the operation's extents into tiles that the target can run."

    NoLayout "E0401" "a value has no layout"
        "Every vector needs a layout before it can be given to threads, and layouts spread from anchors: `iree_vector_ext.to_layout` operations."

    BadLayout "E0402" "a layout does not fit its value or the workgroup"
        "The tiles of a layout multiply to the extents of its vector, and its threads and subgroups must exist and be told apart."

    CannotDistribute "E0501" "an operation cannot be distributed"
        "There is no rule that gives each thread its part of this operation under the layouts of its operands and results."

    CannotLower "E0601" "an operation cannot be lowered"
        "The operation has no form in the registers and instructions of the target."

    NotAtStage "E0602" "the program is not at the stage it should be"
        "Each stage has a contract; an operation or type that the contract excludes is still there."

    DynamicBuffer "E0603" "a buffer has no static row-major shape"
        "Addresses are computed from extents that are known when the kernel is compiled. `memref<?x32xf16>` and `memref<64x32xf16, strided<[1, 64]>>` are refused; `memref<64x32xf16>` is lowered."

    OverLimit "E0604" "the kernel needs more than the chip has"
        "Threads and shared memory of one workgroup are limited; `raddle targets` prints the limits of each chip."

    TooLarge "E0605" "the unrolled program would be too large"
        "Vectors of one thread become registers, one operation for each element. A program that needs millions of them is a mistake in its tiles."

    CannotEmit "E0701" "the program cannot be written for this target"
        "The target has no instruction for the operation."

    TooMuchShared "E0702" "the kernel needs more shared memory than the chip has"
        "All shared allocations of a kernel live at once, and each chip has a limit for one workgroup. A smaller workgroup tile, or fewer promoted operands, need less."

    CannotExecute "E0801" "the emulator cannot run the operation"
        "The emulator runs what it knows the meaning of, exactly; it does not guess."

    BadInput "E0901" "an input does not fit the function"
        "Inputs are matched to the function's arguments in order, by shape and element type."
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}
