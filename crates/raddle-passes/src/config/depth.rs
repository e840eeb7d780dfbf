//! The depth of software pipelining that a program states: how many slots the rings of a product's tiles have.
//!
//! IREE has two spellings, both in the `translation_info` of the function: `{pipeline_depth = 3, store_stage = 1}` and
//! `{gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 3>}`. Fewer than two slots let nothing
//! overlap.

use raddle_ir::{Attr, AttrId, Code, Diag, Ir, OpId};

/// Slots of a ring, at most: as many iterations are written one behind the other.
const SLOTS_MAX: i64 = 16;

/// What the program states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// The option's name.
    pub name: &'static str,
    /// Slots of each ring.
    pub slots: i64,
}

impl Depth {
    /// The depth that a function states, if any.
    pub fn stated(ir: &Ir, func: OpId) -> Result<Option<Depth>, Diag> {
        let bad = |message: String, help: String| Diag::error(Code::CannotConfigure, ir.span(func), message).help(help);
        let options = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "configuration"));
        let Some(options) = options else { return Ok(None) };
        let inner = ir.dict_get(options, "gpu_pipeline_options");
        let number = |attr: Option<AttrId>, name: &'static str| match attr {
            None => Ok(None),
            Some(attr) => match ir[attr] {
                Attr::Int { value, .. } => match i64::try_from(value) {
                    Ok(number @ 0..=SLOTS_MAX) => Ok(Some(number)),
                    _ => Err(bad(
                        format!("`{name} = {value}` is not a depth"),
                        format!("`{name}` is at most {SLOTS_MAX}"),
                    )),
                },
                _ => Err(bad(format!("`{name}` is not an integer"), format!("write `{name} = 3 : i64`"))),
            },
        };
        let store = number(ir.dict_get(options, "store_stage"), "store_stage")?;
        if let Some(stage) = store.filter(|&stage| stage != 1) {
            return Err(bad(
                format!("`store_stage = {stage}`: an asynchronous copy stores one stage behind the one that begins it"),
                "write `store_stage = 1`".to_owned(),
            ));
        }
        let depth = number(ir.dict_get(options, "pipeline_depth"), "pipeline_depth")?;
        let stages = number(inner.and_then(|inner| ir.field(inner, "prefetch_num_stages")), "prefetch_num_stages")?;
        let depth = depth.map(|slots| Depth { name: "pipeline_depth", slots });
        let stages = stages.map(|slots| Depth { name: "prefetch_num_stages", slots });
        match (depth, stages) {
            (Some(depth), Some(stages)) if depth.slots != stages.slots => Err(bad(
                format!("`pipeline_depth = {}` and `prefetch_num_stages = {}` differ", depth.slots, stages.slots),
                "state one of the two".to_owned(),
            )),
            _ => Ok(depth.or(stages)),
        }
    }
}
