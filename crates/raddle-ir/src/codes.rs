//! The table of diagnostic codes: one row each, and `raddle explain` prints it.

use std::fmt;

macro_rules! codes {
    ($($name:ident $code:literal $title:literal $why:literal)*) => {
        /// The number of a diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
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

    BadAttribute "E0107" "an attribute breaks its own rules"
        "Attributes of a dialect have rules for their parameters; the marked one breaks such a rule."

    PtxSyntax "E0108" "the text is not PTX"
        "The reader of PTX expected something else at the marked place, or a name there is not declared."

    BadOperation "E0201" "an operation breaks its own rules"
        "Each operation states how many operands it takes and how their types relate; the marked one breaks such a rule."

    NotDominated "E0202" "a value is used where it is not yet defined"
        "A value may be used after its definition in the same block, and inside regions nested there."

    BadStructure "E0203" "blocks and regions are not as they should be"
        "Blocks end in the terminator that their operation asks for, and operations have the regions that their definition names."

    LayoutMismatch "E0204" "a layout does not cover its vector"
        "The product of a nested layout's tiles along a dimension is the extent of the vector there."

    LayoutOverlap "E0205" "two elements ask for one lane, or one asks for a lane that is not there"
        "A nested layout spreads a vector over lanes and subgroups by strides: tile `t` of a dimension belongs to the lanes with `(lane / stride) mod thread_tile = t`. Where two dimensions use the same lanes, or a tiled dimension has stride 0, some elements have no owner. Strides 16 and 1 for thread tiles of 4 and 16 are fine; 1 and 1 are not. A layout asks for no more lanes and subgroups than `translation_info` says there are."

    BadTiles "E0206" "tile sizes that nothing can be tiled by"
        "Tile sizes are positive, or 0 for a loop that is left alone. The counts of `lane_basis` are positive, each loop is mapped to its own, and they multiply to the subgroup size, or to a divisor of it where lanes may hold the same elements: with 64 lanes, `lane_basis = [[4, 16], [0, 1]]` is right, `[[4, 8], [0, 1]]` gives each element to two lanes, and `[[4, 12], [0, 1]]` gives some to two and some to one."

    CannotConfigure "E0301" "no lowering configuration fits the operation"
        "A configuration must divide the operation's extents into tiles that the target can run."

    CannotTile "E0302" "an operation cannot be tiled like this"
        "A tile of an operation's loops reads and writes rectangles of its operands. Loops that combine into the results are stepped through one after another, and are not given to threads; a loop along which an operation is done as a whole, as a sort, is not cut."

    CannotAdmit "E0303" "a dispatch cannot become a kernel"
        "What an IREE dispatch reads and writes becomes arguments of a kernel: each subspan of a binding is a tensor or a buffer, at an offset and with extents that follow from constants of the interface, and each store covers a part of one. The marked operation uses a binding in another manner."

    CannotSplit "E0305" "complex numbers that do not become pairs of floats"
        "Kernels compute with real numbers: each complex number becomes its real and its imaginary part, side by side in the last dimension of arguments and results. The operations of the dialect `complex`, structured operations on such numbers, and what moves them (slices, reshapes, padding, concatenation, gathers) have a rule; vectors and buffers of complex numbers, complex integers, branches between blocks that carry complex numbers, and other operations do not."

    KernelChoice "E0304" "a decision about kernels"
        "A remark, not a mistake: a function on tensors is divided into kernels, and what one leaves for another one goes through memory. `raddle opt --partition --remarks` prints each such value, and each operation that could not join a kernel."

    NoLayout "E0401" "a value has no layout"
        "Every vector needs a layout before it can be given to threads, and layouts spread from anchors: `iree_vector_ext.to_layout` operations."

    LayoutMisfit "E0402" "a layout does not fit its value or the workgroup"
        "The tiles of a layout multiply to the extents of its vector, and its threads and subgroups must exist and be told apart."

    LayoutChoice "E0403" "a decision about layouts"
        "A remark, not a mistake: where layouts meet, a value is made again, read again or converted, and what no anchor reaches gets a layout that suits memory. `raddle opt --remarks` prints each decision."

    LayoutReport "E0404" "an answer of an analysis"
        "A remark, not a mistake: the pass that was run says what it found about each value, and nothing else."

    CannotDistribute "E0501" "an operation cannot be distributed"
        "There is no rule that gives each thread its part of this operation under the layouts of its operands and results."

    CannotLower "E0601" "an operation cannot be lowered"
        "The operation has no form in the registers and instructions of the target."

    NotAtStage "E0602" "the program is not at the stage it should be"
        "Each stage has a contract; an operation or type that the contract excludes is still there."

    DynamicBuffer "E0603" "a buffer is not row-major, or its size is not known"
        "Buffers are row-major and contiguous; extents of arguments may be open, and become arguments of the kernel, but those of a workgroup's memory are known when the kernel is compiled. `memref<64x32xf16, strided<[1, 64]>>` is refused; `memref<64x32xf16>` and `memref<?x32xf16>` are lowered."

    OverLimit "E0604" "the kernel needs more than the chip has"
        "Threads and shared memory of one workgroup are limited; `raddle targets` prints the limits of each chip."

    UnrollsTooFar "E0605" "the unrolled program would be too large"
        "Vectors of one thread become registers, one operation for each element. A program that needs millions of them is a mistake in its tiles."

    CannotEmit "E0701" "the program cannot be written for this target"
        "The target has no instruction for the operation."

    TooMuchShared "E0702" "the kernel needs more shared memory than the chip has"
        "All shared allocations of a kernel live at once, and each chip has a limit for one workgroup. A smaller workgroup tile, or fewer promoted operands, need less."

    NoKernel "E0703" "the function has nothing for a kernel"
        "Kernels compute on tensors. A function that only moves tensors about, or computes with numbers, is carried out by whoever calls kernels: `raddle run` does, and `raddle build` has no code to write."

    NoLlvm "E0704" "there is no LLVM that can compile the program"
        "Assembly, objects and code objects of AMD's chips and CPUs are made by LLVM 19 or newer, which is looked for when it is asked for: as a library (libLLVM.so.19.1), or as the programs `llc` and `ld.lld`. `RADDLE_LLVM` names another library. LLVM IR is written without it: `raddle build --emit=llvm`."

    NoPtxas "E0705" "there is no ptxas that can assemble the program"
        "Cubins are made by NVIDIA's ptxas, which is looked for when it is asked for: in the search path, or where `RADDLE_PTXAS` says. PTX is written without it, and drivers assemble it themselves."

    CannotExecute "E0801" "the emulator cannot run the operation"
        "The emulator runs what it knows the meaning of, exactly; it does not guess."

    LimitHit "E0802" "a limit of the run was reached"
        "The emulator counts lane-operations and bytes, so that an endless loop or a huge allocation ends with this error instead of taking the machine with it. Both limits can be raised."

    BadLaunch "E0803" "the kernel cannot be launched like this"
        "A kernel runs as a grid of workgroups of subgroups: their sizes come from `translation_info` and `gpu.known_grid_size`, or from the command line."

    OutOfBounds "E0811" "an access outside the buffer"
        "Every element that is read or written lies inside the buffer, and inside the view through which it is reached."

    Uninitialised "E0812" "a read of memory that nothing has written"
        "Shared and private memory start without contents, and so do destination buffers: what is read there must have been written by the same workgroup before."

    Race "E0813" "two threads touch the same element without waiting for one another"
        "If two threads of a workgroup access the same element, at least one of them writing, a barrier stands between the two. Workgroups never wait for one another, so that what one of them writes no other may touch."

    Misaligned "E0814" "a vector access that is not aligned"
        "A vector of n bytes is loaded and stored in one instruction only at addresses that are multiples of n."

    Divergent "E0815" "a collective operation that some threads do not reach"
        "All threads of a workgroup execute a barrier together, and all lanes of a subgroup a shuffle or a matrix instruction."

    Deadlock "E0816" "threads wait for others that will never come"
        "Every subgroup of a workgroup waits at the same barrier; one that has finished, or waits at another one, keeps the others waiting forever."

    Undefined "E0817" "an operation without a defined result"
        "Division by zero, and the one signed quotient that does not fit its type, mean nothing."

    Async "E0818" "an element is used while an asynchronous copy is on its way"
        "An asynchronous copy may read its source and write its destination at any time until its thread waits for the group that the copy belongs to. Until then nobody reads or writes what it writes, nobody writes what it reads; and other threads need a barrier behind that wait."

    Freed "E0819" "memory is used after it was freed"
        "Behind `memref.dealloc` nobody uses the allocation, and nobody frees it again. An allocation in a loop is another one in each iteration, and begins without contents."

    NoDevice "E0821" "there is no such device"
        "A device needs its driver library and a machine that has it. The emulator needs neither."

    DeviceFault "E0822" "the device reports an error"
        "The driver refused a call, or a kernel did on the device what it may not. The emulator and the PTX executor name the access."

    BadInput "E0901" "an input or expected output does not fit the function"
        "Inputs are matched to the function's arguments in order, and expected outputs to its results, by shape and element type. For\n\n    func.func @f(%a: tensor<4x8xf16>) -> tensor<4xf32>\n\n`--input=4x8xf16=@a.npy --expected_output=@sums.npy` fits if `a.npy` has dtype float16 and shape (4, 8), and `sums.npy` dtype float32 and shape (4,). `--input=8x4xf16=@a.npy` does not fit, and neither does a file of dtype float64."

    BadFile "E0902" "a file cannot be read or written"
        "The operating system, or the contents of the file, said no. MLIR text is UTF-8; tensors are `.npy` files in little-endian order, or raw data with a stated type. `-` stands for standard input."

    UnknownName "E0903" "there is nothing of this name"
        "A function, target, stage, pass, device, matrix instruction or diagnostic was asked for by a name that is in no table. `raddle targets` lists targets and matrix instructions, `raddle opt --help` passes and stages, `raddle explain` diagnostics."

    TooLarge "E0904" "a file, tensor or picture is too large"
        "Files and tensors that come from outside are bounded before memory is taken for them: 256 MiB for text, 1 GiB for each tensor. Pictures of more than a million cells are not drawn."

    BrokenPass "E0905" "a pass left a program that breaks the rules"
        "The program is verified behind every pass. What is reported here is a mistake in raddle, not in the program: please report it, with the input."

    BadScript "E0906" "a transform script cannot be carried out"
        "A transform script is a list of steps on handles, and a handle stands for operations of the program. A step that raddle has no rule for, or that does not find what it asks for, ends the script at its line.\n\n    transform.split_handle %two : (!transform.any_op) -> !transform.any_op\n\nfails where `%two` stands for two operations; with two results it works."

    ScriptSays "E0907" "what a transform script prints"
        "A remark, not a mistake: `transform.print` shows the program, or a part of it, while a script runs."

    NothingToDo "E0908" "the file holds nothing that the command works on"
        "A command that compiles or runs functions says so when it finds none, rather than succeed with nothing done."
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}
