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

    UnknownOp "E0102" "an operation that is not known"
        "The operation is not in raddle's table. In generic form, unknown operations are kept where unregistered dialects are allowed; their custom form cannot be read, because only the dialect knows it."

    Name "E0103" "a name does not mean what it should"
        "Values, blocks, symbols and aliases are defined once and used under the name they were defined with, inside the region that defines them."

    TypeMismatch "E0104" "a value is used with another type than it has"
        "Every use of a value states its type, and all of them agree with its definition."

    TooDeep "E0105" "the text nests too deep"
        "Types, attributes, expressions and regions nest at most 256 levels, so that no text exhausts the memory of the reader."

    BadLayout "E0106" "the parts of a layout do not fit"
        "A nested layout gives seven numbers for each dimension, so its seven lists have the same length."

    BadOperation "E0201" "an operation breaks its own rules"
        "Each operation states how many operands it takes and how their types relate; the marked one breaks such a rule."

    NotDominated "E0202" "a value is used where it is not yet defined"
        "A value may be used after its definition in the same block, and inside regions nested there."

    BadStructure "E0203" "blocks and regions are not as they should be"
        "Blocks end in the terminator that their operation asks for, and operations have the regions that their definition names."

    LayoutMismatch "E0204" "a layout does not cover its vector"
        "The product of a nested layout's tiles along a dimension is the extent of the vector there."

    CannotConfigure "E0301" "no lowering configuration fits the operation"
        "A configuration must divide the operation's extents into tiles that the target can run."

    NoLayout "E0401" "a value has no layout"
        "Every vector needs a layout before it can be given to threads, and layouts spread from anchors: `iree_vector_ext.to_layout` operations."

    CannotDistribute "E0501" "an operation cannot be distributed"
        "There is no rule that gives each thread its part of this operation under the layouts of its operands and results."

    CannotLower "E0601" "an operation cannot be lowered"
        "The operation has no form in the registers and instructions of the target."

    NotAtStage "E0602" "the program is not at the stage it should be"
        "Each stage has a contract; an operation or type that the contract excludes is still there."

    CannotEmit "E0701" "the program cannot be written for this target"
        "The target has no instruction for the operation."

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
