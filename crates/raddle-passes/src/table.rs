//! The table of passes: one row each, in the order of the street.

use std::cell::RefCell;

use raddle_ir::{Diag, Ir, OpId};
use raddle_target::{Chip, Stage};

use crate::{anchor_tensors, barriers, clean, configure, distribute, lay_out, lower, promote, tile, vectorize};

/// What passes may know besides the function.
pub struct Facts {
    /// The chip to compile for.
    pub chip: &'static Chip,
    /// What passes have decided, and why: remarks, in the order of the decisions.
    pub remarks: RefCell<Vec<Diag>>,
}

impl Facts {
    /// What is known when compilation begins.
    pub fn new(chip: &'static Chip) -> Facts {
        Facts { chip, remarks: RefCell::default() }
    }
}

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
    /// The pass.
    pub run: fn(&mut Ir, OpId, &Facts) -> Result<(), Diag>,
}

/// Every pass. Those with a stage are the street, in its order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "configure",
        sentence: "choose workgroup, subgroup and thread tiles for each compute operation",
        stage: Some(Stage::Configured),
        aliases: &["iree-llvmgpu-select-lowering-strategy"],
        run: configure::configure,
    },
    Pass {
        name: "tile",
        sentence: "give each workgroup its part of the iteration space and step through the reductions",
        stage: Some(Stage::Tiled),
        aliases: &[],
        run: tile::tile,
    },
    Pass {
        name: "vectorize",
        sentence: "turn a tiled tensor function into a kernel on whole-workgroup vectors",
        stage: Some(Stage::Vector),
        aliases: &[],
        run: vectorize::vectorize,
    },
    Pass {
        name: "lay-out",
        sentence: "give every vector value exactly one layout",
        stage: Some(Stage::LaidOut),
        aliases: &[],
        run: lay_out::lay_out,
    },
    Pass {
        name: "distribute",
        sentence: "give every thread its part of each vector",
        stage: Some(Stage::Distributed),
        aliases: &["iree-llvmgpu-vector-distribute"],
        run: distribute::distribute,
    },
    Pass {
        name: "lower",
        sentence: "name every register and address of one thread's program",
        stage: Some(Stage::Lowered),
        aliases: &[],
        run: lower::lower,
    },
    Pass {
        name: "report-layouts",
        sentence: "say the layout of every value as a remark",
        stage: None,
        aliases: &["iree-codegen-test-vector-layout-analysis"],
        run: lay_out::report,
    },
    Pass {
        name: "report-promotions",
        sentence: "say which values go through shared memory as remarks",
        stage: None,
        aliases: &["iree-codegen-test-gpu-promotion-analysis"],
        run: promote::report,
    },
    Pass {
        name: "promote",
        sentence: "write out the ways through shared memory that anchors and conflicts ask for",
        stage: None,
        aliases: &["iree-codegen-gpu-vector-alloc"],
        run: promote::promote,
    },
    Pass {
        name: "combine-barriers",
        sentence: "make value barriers that do not wait for one another one",
        stage: None,
        aliases: &["iree-codegen-gpu-combine-value-semantic-barriers"],
        run: barriers::combine,
    },
    Pass {
        name: "anchor-tensors",
        sentence: "write the layouts that lowering configurations mean onto tensors",
        stage: None,
        aliases: &["iree-llvmgpu-configure-tensor-layouts"],
        run: anchor_tensors::anchor_tensors,
    },
    Pass {
        name: "canonicalize",
        sentence: "fold constants, simplify, and drop what nobody uses",
        stage: None,
        aliases: &[],
        run: |ir, func, _| {
            clean::canonicalize(ir, func);
            Ok(())
        },
    },
    Pass {
        name: "cse",
        sentence: "merge pure operations that compute the same",
        stage: None,
        aliases: &[],
        run: |ir, func, _| {
            clean::cse(ir, func);
            Ok(())
        },
    },
];
