//! The table of passes: one row each, in the order of the pipeline.

use raddle_ir::views::{Mixed, position};
use raddle_ir::{Code, Diag, Ir, OpId, Opcode};
use raddle_target::{Stage, VECTOR_MACHINE_NAMES};

use crate::beside::{
    anchor_tensors, barriers, expand, lower_vectors, matrices, pack_reductions, promote, promote_operands,
    shared_memory, split_contractions, split_rows, tiles, transform, vectorize_tensors,
};
use crate::facts::Facts;
use crate::lay_out::make_kernel;
use crate::lower::expand_math;
use crate::normalize::split_complex;
use crate::options::{OptionKind, Options, PassOption};
use crate::overlap::{ahead, cache_blocks, keep_results, keep_rows, nests, past_caches, row_words};
use crate::structured::generalize;
use crate::{
    admit, clean, config, configure, distribute, lay_out, lower, normalize, overlap, partition, scalar_loops, tile,
    unroll, vectorize,
};

const UNROLL: &[PassOption] = &[PassOption {
    name: "machine",
    sentence: "the machine, by its name",
    kind: OptionKind::Word(VECTOR_MACHINE_NAMES),
}];

const FOLD_SLICES: &[PassOption] = &[PassOption {
    name: "fold-identity-slices",
    sentence: "accepted; slices that are the whole tensor are folded in any case",
    kind: OptionKind::Flag(false),
}];

/// What pipelines written for other tools say of the driver of their patterns; ours sweeps until nothing changes.
const CANONICALIZE: &[PassOption] = &[
    PassOption { name: "top-down", sentence: IN_ANY_CASE, kind: OptionKind::Flag(true) },
    PassOption { name: "region-simplify", sentence: IN_ANY_CASE, kind: OptionKind::Text("normal") },
    PassOption { name: "max-iterations", sentence: IN_ANY_CASE, kind: OptionKind::Int(10) },
    PassOption { name: "max-num-rewrites", sentence: IN_ANY_CASE, kind: OptionKind::Int(-1) },
    PassOption { name: "test-convergence", sentence: IN_ANY_CASE, kind: OptionKind::Flag(false) },
    PassOption { name: "cse-between-iterations", sentence: IN_ANY_CASE, kind: OptionKind::Flag(false) },
];

const IN_ANY_CASE: &str = "accepted; sweeps go on until nothing changes, in any case";

/// One pass.
pub struct Pass {
    /// As users type it.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// The stage that holds when it is done; `None` for a pass that keeps the stage.
    pub stage: Option<Stage>,
    /// Names of other tools for the same thing.
    pub aliases: &'static [&'static str],
    /// What it is run on.
    pub on: On,
    /// What a pipeline may write in braces behind it.
    pub options: &'static [PassOption],
    run: Run,
}

/// What a pass does.
enum Run {
    /// The same whatever its options are, if it has any: those are accepted for the pipelines of other tools.
    Plain(fn(&mut Ir, OpId, &Facts) -> Result<(), Diag>),
    /// What its options say.
    Options(fn(&mut Ir, OpId, &Facts, &Options) -> Result<(), Diag>),
}

/// What a pass is run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    /// A function with a body.
    Function,
    /// A module, with all that is in it.
    Module,
}

impl Pass {
    /// Runs the pass with options.
    pub fn apply(&self, ir: &mut Ir, op: OpId, facts: &Facts, options: &Options) -> Result<(), Diag> {
        refuse_poison(ir, op, self.name)?;
        self.run_with(ir, op, facts, options)
    }

    /// Runs the pass with each option as it is when nobody says.
    pub fn run(&self, ir: &mut Ir, op: OpId, facts: &Facts) -> Result<(), Diag> {
        self.run_with(ir, op, facts, &Options::of(self.options))
    }

    fn run_with(&self, ir: &mut Ir, op: OpId, facts: &Facts, options: &Options) -> Result<(), Diag> {
        match self.run {
            Run::Plain(run) => run(ir, op, facts),
            Run::Options(run) => run(ir, op, facts, options),
        }
    }
}

/// A pass of the vector strategy that has nothing to do where one thread has vectors of its own.
fn unless_native(
    ir: &mut Ir,
    func: OpId,
    facts: &Facts,
    pass: fn(&mut Ir, OpId, &Facts) -> Result<(), Diag>,
) -> Result<(), Diag> {
    if facts.chip.native.is_some() { Ok(()) } else { scalar_loops::unless_chosen(ir, func, facts, pass) }
}

/// Elements at a position that is poison have no place that a pass could follow.
fn refuse_poison(ir: &Ir, op: OpId, pass: &str) -> Result<(), Diag> {
    let is_poison = |&inner: &OpId| {
        matches!(ir.opcode(inner), Opcode::VectorExtract | Opcode::VectorInsert)
            && position(ir, inner).iter().any(|at| matches!(at, Mixed::Static(at) if *at < 0))
    };
    match ir.walk(op).into_iter().find(is_poison) {
        Some(inner) => {
            let message = format!("`{pass}` cannot take `{}` at a position that is poison (-1)", ir.name(inner));
            Err(Diag::error(Code::BadOperation, ir.span(inner), message).help("replace its result with `ub.poison`"))
        }
        None => Ok(()),
    }
}

/// The passes of the pipeline, by which `partition` tries whether a kernel compiles.
pub fn trial_steps() -> Vec<partition::Step> {
    let step = |pass: &Pass| match pass.run {
        Run::Plain(run) => run,
        Run::Options(_) => unreachable!("passes of the pipeline have no options"),
    };
    PASSES.iter().filter(|pass| pass.stage.is_some()).map(step).collect()
}

/// Every pass. Those with a stage are the pipeline, in its order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "hoist-dispatches",
        sentence: "take functions out of executables and inner modules",
        stage: None,
        aliases: &[],
        on: On::Module,
        options: &[],
        run: Run::Plain(admit::hoist),
    },
    Pass {
        name: "admit",
        sentence: "make bindings and constants of a dispatch arguments and results",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(admit::admit),
    },
    Pass {
        name: "configure",
        sentence: "choose workgroup, subgroup and thread tiles for each compute operation",
        stage: Some(Stage::Configured),
        aliases: &["iree-llvmgpu-select-lowering-strategy"],
        on: On::Function,
        options: &[],
        run: Run::Plain(configure::configure),
    },
    Pass {
        name: "tile",
        sentence: "give each workgroup its part of the iteration space and step through the reductions",
        stage: Some(Stage::Tiled),
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, facts| scalar_loops::unless_chosen(ir, func, facts, tile::tile)),
    },
    Pass {
        name: "vectorize",
        sentence: "turn a tiled tensor function into a kernel on whole-workgroup vectors",
        stage: Some(Stage::Vector),
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, facts| scalar_loops::unless_chosen(ir, func, facts, vectorize::vectorize)),
    },
    Pass {
        name: "lay-out",
        sentence: "give every vector value exactly one layout",
        stage: Some(Stage::LaidOut),
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, facts| unless_native(ir, func, facts, lay_out::lay_out)),
    },
    Pass {
        name: "overlap",
        sentence: "let the copies of a product's tiles run ahead through rings in shared memory; on a CPU, block it for the caches",
        stage: Some(Stage::Pipelined),
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, facts| match facts.chip.native {
            Some(vectors) => {
                cache_blocks::cache_blocks(ir, func, vectors);
                row_words::row_words(ir, func, vectors);
                ahead::rows_ahead(ir, func, vectors);
                past_caches::past_caches(ir, func, vectors);
                nests::nests(ir, func, vectors);
                keep_results::keep_results(ir, func);
                Ok(())
            }
            None => scalar_loops::unless_chosen(ir, func, facts, |ir, func, facts| {
                keep_rows::keep_rows(ir, func, facts);
                overlap::overlap(ir, func, facts)
            }),
        }),
    },
    Pass {
        name: "distribute",
        sentence: "give every thread its part of each vector, or its points of each result",
        stage: Some(Stage::Distributed),
        aliases: &["iree-llvmgpu-vector-distribute"],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, facts| {
            if scalar_loops::is_chosen(ir, func) {
                scalar_loops::scalar_loops(ir, func, facts)
            } else if let Some(native) = facts.chip.native {
                unroll::unroll_for(ir, func, native.machine(), facts)?;
                // Whatever layouts said of threads, there is one.
                config::Launch::along_x(1, 1).write(ir, func);
                Ok(())
            } else {
                distribute::distribute(ir, func, facts)
            }
        }),
    },
    Pass {
        name: "lower",
        sentence: "name every register and address of one thread's program",
        stage: Some(Stage::Lowered),
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(lower::lower),
    },
    Pass {
        name: "expand-math",
        sentence: "write functions and small floats of scalars with operations that every machine rounds alike",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(expand_math::run),
    },
    Pass {
        name: "split-complex",
        sentence: "write complex numbers as pairs of floats",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(split_complex::split),
    },
    Pass {
        name: "normalize",
        sentence: "write operations that stand for several simpler ones by these",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, facts| normalize::normalize(ir, func, facts, configure::attention::fits)),
    },
    Pass {
        name: "decompose-attention",
        sentence: "write attention by products, reductions and elementwise operations",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| normalize::attention::decompose_all(ir, func)),
    },
    Pass {
        name: "partition",
        sentence: "divide a function on tensors into kernels, and call them in order",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, facts| {
            partition::partition(ir, func, facts, &mut partition::Trials::by(trial_steps()))
        }),
    },
    Pass {
        name: "report-layouts",
        sentence: "say the layout of every value as a remark",
        stage: None,
        aliases: &["iree-codegen-test-vector-layout-analysis"],
        on: On::Function,
        options: &[],
        run: Run::Plain(lay_out::report),
    },
    Pass {
        name: "report-promotions",
        sentence: "say which values go through shared memory as remarks",
        stage: None,
        aliases: &["iree-codegen-test-gpu-promotion-analysis"],
        on: On::Function,
        options: &[],
        run: Run::Plain(promote::report),
    },
    Pass {
        name: "make-kernel",
        sentence: "let the vectors of a function's signature go through memory",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(make_kernel::make_kernel),
    },
    Pass {
        name: "promote",
        sentence: "write out the ways through shared memory that anchors and conflicts ask for",
        stage: None,
        aliases: &["iree-codegen-gpu-vector-alloc"],
        on: On::Function,
        options: &[],
        run: Run::Plain(promote::promote),
    },
    Pass {
        name: "combine-barriers",
        sentence: "make value barriers that do not wait for one another one",
        stage: None,
        aliases: &["iree-codegen-gpu-combine-value-semantic-barriers"],
        on: On::Function,
        options: &[],
        run: Run::Plain(barriers::combine),
    },
    Pass {
        name: "unroll-to-native",
        sentence: "unroll vectors to the native shapes of a machine whose threads have vectors of their own",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: UNROLL,
        run: Run::Options(unroll::unroll),
    },
    Pass {
        name: "anchor-tensors",
        sentence: "write the layouts that lowering configurations mean onto tensors",
        stage: None,
        aliases: &["iree-llvmgpu-configure-tensor-layouts"],
        on: On::Function,
        options: &[],
        run: Run::Plain(anchor_tensors::anchor_tensors),
    },
    Pass {
        name: "guide-bases",
        sentence: "rewrite the bases of configurations that follow IREE's guide as iree-opt reads them",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(config::guide::guide_bases),
    },
    Pass {
        name: "vectorize-tensors",
        sentence: "make each operation on tensors read them whole, compute on vectors, and write them again",
        stage: None,
        aliases: &["iree-codegen-generic-vectorization"],
        on: On::Function,
        options: vectorize_tensors::OPTIONS,
        run: Run::Options(vectorize_tensors::vectorize_tensors),
    },
    Pass {
        name: "tile-level",
        sentence: "tile what is configured at a level, and fuse what is around it",
        stage: None,
        aliases: &["iree-codegen-gpu-apply-tiling-level"],
        on: On::Function,
        options: tile::LEVEL_OPTIONS,
        run: Run::Options(tile::tile_level),
    },
    Pass {
        name: "pad-level",
        sentence: "pad what is configured at a level to multiples of its sizes",
        stage: None,
        aliases: &["iree-codegen-gpu-apply-padding-level"],
        on: On::Function,
        options: tile::PAD_OPTIONS,
        run: Run::Options(tile::pad_level),
    },
    Pass {
        name: "promote-operands",
        sentence: "put the copies of operands and results that configurations ask for into the program",
        stage: None,
        aliases: &["iree-codegen-gpu-promote-matmul-operands"],
        on: On::Function,
        options: promote_operands::OPTIONS,
        run: Run::Options(promote_operands::promote_operands),
    },
    Pass {
        name: "pack-reductions",
        sentence: "split loops that threads reduce into steps and what each thread has of a step",
        stage: None,
        aliases: &["iree-codegen-gpu-pack-partial-reductions"],
        on: On::Function,
        options: &[],
        run: Run::Plain(pack_reductions::pack_reductions),
    },
    Pass {
        name: "split-contractions",
        sentence: "make contractions with several results one for each",
        stage: None,
        aliases: &["iree-codegen-gpu-decompose-horizontally-fused-gemms"],
        on: On::Function,
        options: &[],
        run: Run::Plain(split_contractions::split_contractions),
    },
    Pass {
        name: "fold-slices",
        sentence: "take what was written to a tensor, or put into it, where it is read or taken out again",
        stage: None,
        aliases: &["iree-codegen-optimize-tensor-insert-extract-slices"],
        on: On::Function,
        options: FOLD_SLICES,
        run: Run::Plain(|ir, func, _| {
            clean::canonicalize(ir, func);
            Ok(())
        }),
    },
    Pass {
        name: "generalize",
        sentence: "write named structured operations as `linalg.generic`",
        stage: None,
        aliases: &["linalg-generalize-named-ops"],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| generalize::generalize(ir, func)),
    },
    Pass {
        name: "canonicalize",
        sentence: "fold constants, simplify, and drop what nobody uses",
        stage: None,
        aliases: &["iree-codegen-canonicalize"],
        on: On::Function,
        options: CANONICALIZE,
        run: Run::Plain(|ir, func, _| {
            clean::canonicalize(ir, func);
            Ok(())
        }),
    },
    Pass {
        name: "cse",
        sentence: "merge pure operations that compute the same, and remove what nobody uses",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| {
            clean::cse(ir, func);
            clean::remove(ir, func);
            Ok(())
        }),
    },
    Pass {
        name: "clean",
        sentence: "canonicalize, merge, move out of loops what does not change in them, until nothing changes",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| {
            clean::clean(ir, func);
            Ok(())
        }),
    },
    Pass {
        name: "expand-arg-compare",
        sentence: "write `iree_vector_ext.arg_compare` as loops over the reduced dimension",
        stage: None,
        aliases: &["iree-vector-ext-lower-arg-compare-to-vector"],
        on: On::Function,
        options: &[],
        run: Run::Plain(expand::arg_compare),
    },
    Pass {
        name: "expand-gathers",
        sentence: "write gathers and scatters along the last dimension as `vector.gather` and `vector.scatter`",
        stage: None,
        aliases: &["iree-vector-ext-lower-transfer-gather-scatter-to-vector"],
        on: On::Function,
        options: &[],
        run: Run::Plain(expand::gathers),
    },
    Pass {
        name: "drop-unit-dims",
        sentence: "take dimensions of extent 1 out of `to_layout` on tensors",
        stage: None,
        aliases: &["iree-vector-ext-fold-unit-extent-dims"],
        on: On::Function,
        options: &[],
        run: Run::Plain(expand::unit_dims),
    },
    Pass {
        name: "expand-tiles",
        sentence: "give the runs that lanes hold of an instruction's tile a dimension of their own",
        stage: None,
        aliases: &["iree-gpu-expand-undistributed-inner-tiles"],
        on: On::Function,
        options: tiles::EXPAND,
        run: Run::Options(tiles::expand),
    },
    Pass {
        name: "deal-tiles",
        sentence: "give each thread its part of an instruction's tiles, with what makes them",
        stage: None,
        aliases: &["iree-gpu-distribute-inner-tiled-to-lanes"],
        on: On::Function,
        options: &[],
        run: Run::Plain(tiles::deal_all),
    },
    Pass {
        name: "unroll-tiles",
        sentence: "unroll matrix instructions on tiles to one tile each",
        stage: None,
        aliases: &["iree-gpu-unroll-to-intrinsics"],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| {
            tiles::unroll(ir, func);
            tiles::cancel(ir, func);
            tiles::drop_units(ir, func);
            tiles::cancel(ir, func);
            Ok(())
        }),
    },
    Pass {
        name: "cancel-conversions",
        sentence: "cancel conversions that take one another back, also around loops, and put the others in place",
        stage: None,
        aliases: &[],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| {
            tiles::cancel(ir, func);
            Ok(())
        }),
    },
    Pass {
        name: "pad-shared-rows",
        sentence: "make the rows of shared buffers longer, so that columns spread over banks",
        stage: None,
        aliases: &["iree-codegen-gpu-reduce-bank-conflicts"],
        on: On::Function,
        options: shared_memory::pad::OPTIONS,
        run: Run::Options(shared_memory::pad::reduce_bank_conflicts),
    },
    Pass {
        name: "pipeline-copies",
        sentence: "let copies to shared memory run rounds ahead of what a loop computes",
        stage: None,
        aliases: &["iree-codegen-gpu-pipelining"],
        on: On::Function,
        options: shared_memory::stages::OPTIONS,
        run: Run::Options(shared_memory::stages::pipeline_copies),
    },
    Pass {
        name: "prefetch",
        sentence: "read the next rounds' part of global memory while a loop computes on shared memory",
        stage: None,
        aliases: &["iree-llvmgpu-prefetch-shared-memory"],
        on: On::Function,
        options: shared_memory::prefetch::OPTIONS,
        run: Run::Options(shared_memory::prefetch::prefetch),
    },
    Pass {
        name: "spread-copies",
        sentence: "let all threads of a workgroup carry out a copy to shared memory together",
        stage: None,
        aliases: &["iree-codegen-gpu-distribute-shared-memory-copy"],
        on: On::Function,
        options: &[],
        run: Run::Plain(shared_memory::spread::spread_marked),
    },
    Pass {
        name: "fold-views",
        sentence: "read and write the memory behind a subview",
        stage: None,
        aliases: &["fold-memref-alias-ops"],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| {
            shared_memory::spread::fold_views(ir, func);
            Ok(())
        }),
    },
    Pass {
        name: "hoist-allocations",
        sentence: "allocate at the beginning of the function what has a known size",
        stage: None,
        aliases: &["iree-codegen-hoist-statically-bound-allocations"],
        on: On::Function,
        options: &[],
        run: Run::Plain(shared_memory::reuse::hoist),
    },
    Pass {
        name: "reuse-shared-memory",
        sentence: "let shared buffers that are never needed at the same time share their bytes",
        stage: None,
        aliases: &["iree-codegen-gpu-reuse-shared-memory-allocs"],
        on: On::Function,
        options: &[],
        run: Run::Plain(shared_memory::reuse::reuse),
    },
    Pass {
        name: "expand-lanes",
        sentence: "write scans and sums over the lanes of a subgroup as shuffles",
        stage: None,
        aliases: &["iree-codegen-expand-gpu-ops"],
        on: On::Function,
        options: &[],
        run: Run::Plain(expand::lanes),
    },
    Pass {
        name: "flatten-reductions",
        sentence: "reduce one dimension where the last ones of a vector are reduced",
        stage: None,
        aliases: &["iree-llvmgpu-vector-flattening"],
        on: On::Function,
        options: &[],
        run: Run::Plain(expand::flat_reductions),
    },
    Pass {
        name: "expand-reductions",
        sentence: "write reductions of vectors of one dimension as `vector.reduction`",
        stage: None,
        aliases: &["iree-llvmgpu-vector-multi-reduction-lowering"],
        on: On::Function,
        options: &[],
        run: Run::Plain(expand::reductions),
    },
    Pass {
        name: "lower-vectors",
        sentence: "write sums of products and accesses of several dimensions as such of one",
        stage: None,
        aliases: &["iree-llvmgpu-vector-lowering"],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| lower_vectors::lower_vectors(ir, func)),
    },
    Pass {
        name: "split-rows",
        sentence: "make each vector of several dimensions one vector for each of its rows",
        stage: None,
        aliases: &["iree-llvmgpu-legalize-nd-vectors"],
        on: On::Function,
        options: &[],
        run: Run::Plain(|ir, func, _| split_rows::split_rows(ir, func)),
    },
    Pass {
        name: "use-matrices",
        sentence: "give a subgroup's contractions of one instruction's shape to matrix instructions",
        stage: None,
        aliases: &["iree-llvmgpu-vector-to-gpu"],
        on: On::Function,
        options: &[],
        run: Run::Plain(matrices::use_matrices),
    },
    Pass {
        name: "run-script",
        sentence: "carry out the transform script `@__transform_main` on the module around it",
        stage: None,
        aliases: &["iree-transform-dialect-interpreter"],
        on: On::Module,
        options: transform::OPTIONS,
        run: Run::Options(transform::interpret),
    },
    Pass {
        name: "drop-script",
        sentence: "remove transform scripts, and modules that are empty without them",
        stage: None,
        aliases: &["iree-transform-dialect-drop-schedule"],
        on: On::Module,
        options: &[],
        run: Run::Plain(transform::drop_script),
    },
];
