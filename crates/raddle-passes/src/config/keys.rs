//! Keys: every entry that a lowering configuration may have and every option of `translation_info`, and what each does.
//!
//! The tables of docs/lowering-configs.md are these tables, and a test compares them.

use raddle_ir::{Attr, AttrId, Body, DYNAMIC, Diag, Ir, StrId};

use super::is_named;

/// An entry or an option.
pub struct Key {
    /// As programs spell it.
    pub name: &'static str,
    /// What it does here.
    pub says: &'static str,
    effect: Effect,
}

/// What becomes of what a program states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It is done, or refused by the check.
    Honoured,
    /// Nothing, and a remark says so.
    None,
    /// 0 is what is done; other numbers are refused.
    Zero,
    /// It is refused.
    Refused,
}

const fn key(name: &'static str, effect: Effect, says: &'static str) -> Key {
    Key { name, says, effect }
}

/// The entries of `#iree_gpu.lowering_config<{…}>`.
pub const KEYS: &[Key] = &[
    key("workgroup", Effect::Honoured, "the tile of a workgroup along each parallel loop"),
    key("reduction", Effect::Honoured, "the step through each reduction, with one accumulator for the tile"),
    key(
        "partial_reduction",
        Effect::Honoured,
        "the same with an accumulator for each element of the step, added up behind the loop; around a matrix \
         instruction, for each product of those that subgroups share",
    ),
    key(
        "serial",
        Effect::Zero,
        "steps through parallel loops inside a workgroup: only those that are no shorter than its tile",
    ),
    key(
        "thread",
        Effect::Honoured,
        "consecutive elements of one thread along each loop; with a matrix instruction and a `partial_reduction`, along \
         its sums: elements of several instructions, which lie side by side",
    ),
    key(
        "subgroup",
        Effect::Zero,
        "tiles of subgroups: `subgroup_basis` says instead how many subgroups share each loop",
    ),
    key("lane", Effect::Zero, "tiles of lanes: `lane_basis` says instead how many lanes share each loop"),
    key("subgroup_basis", Effect::Honoured, "how many subgroups share each loop, and in which order"),
    key(
        "lane_basis",
        Effect::Honoured,
        "how many lanes share each loop, and in which order, without a matrix instruction",
    ),
    key(
        "mma_kind",
        Effect::Honoured,
        "the matrix instruction, or one of IREE's virtual ones (`#iree_gpu.virtual_mma_layout<…>`); it decides lanes and elements",
    ),
    key("promote_operands", Effect::Honoured, "the inputs that go through shared memory"),
    key("promotion_types", Effect::None, "no effect: the compiler chooses the order in which threads copy"),
    key("padding", Effect::None, "no effect: edges are masked"),
    key("padding_conv", Effect::None, "no effect: edges are masked"),
    key("convert_acc_gemm", Effect::None, "no effect: what a product adds to is read into registers in any case"),
    key(
        "workgroup_reordering_strategy",
        Effect::None,
        "no effect: the compiler chooses the order of a product's workgroups",
    ),
    key("lowering_strategy", Effect::Refused, "refused: a transform script is run by `raddle opt` itself"),
    key(
        "expand_dims",
        Effect::Honoured,
        "the loops that reductions are split into; the other entries count the new loops",
    ),
];

/// The options of `translation_info`.
pub const OPTIONS: &[Key] = &[
    key(
        "pipeline_depth",
        Effect::Honoured,
        "slots of the rings through which copies run ahead of products, at most 16; below 2 nothing overlaps",
    ),
    key(
        "store_stage",
        Effect::Honoured,
        "1: an asynchronous copy stores one stage behind the one that begins it; other stages are refused",
    ),
    key("prefetch_num_stages", Effect::Honoured, "the same as `pipeline_depth`, in `gpu_pipeline_options`"),
];

/// The entry that names a row.
fn row(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|row| row.name == name)
}

/// The entries of a configuration.
fn entries(ir: &Ir, config: AttrId) -> &[(StrId, AttrId)] {
    match &ir[config] {
        Attr::Dialect { body: Body::Attr(dict), .. } => ir.entries(*dict),
        _ => &[],
    }
}

/// Refuses entries that are unknown, and those that ask for what is not done. `extents` are those of the loops, where
/// they are known; `bad` makes the diagnostic.
pub(super) fn check(ir: &Ir, config: AttrId, extents: &[i64], bad: impl Fn(&str) -> Diag) -> Result<(), Diag> {
    let list = |name: &str| ir.field(config, name).and_then(|list| ir.ints(list)).unwrap_or_default();
    for &(name, value) in entries(ir, config) {
        let name = &ir[name];
        let Some(row) = row(name) else {
            // A misspelt entry would be a choice that nobody made.
            let names: Vec<&str> = KEYS.iter().map(|row| row.name).collect();
            let help = match raddle_ir::text::suggest(name, names.iter().copied()) {
                _ if matches!(name, "subgroup_m_count" | "subgroup_n_count") => {
                    "subgroups are counted by `subgroup_basis`, as in `[[2, 2, 1], [0, 1, 2]]` for 2 x 2".to_owned()
                }
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known entries are {}", names.join(", ")),
            };
            return Err(bad(&format!("has the unknown entry `{name}`")).help(help));
        };
        match row.effect {
            Effect::Honoured | Effect::None => {}
            Effect::Refused => {
                return Err(bad(&format!("has the entry `{name}`, which is not done")).help("leave it out"));
            }
            Effect::Zero => {
                let Some(sizes) = ir.ints(value) else {
                    return Err(bad(&format!("has a `{name}` that is not a list of integers")));
                };
                let workgroup = list("workgroup");
                let tile = |d: usize| workgroup.get(d).copied().filter(|&tile| tile != 0).or(extents.get(d).copied());
                let whole = |d: usize, size: i64| {
                    name == "serial" && tile(d).is_some_and(|tile| tile != DYNAMIC && size >= tile)
                };
                let Some(d) = (0..sizes.len()).find(|&d| sizes[d] != 0 && !whole(d, sizes[d])) else { continue };
                let (size, diag) =
                    (sizes[d], bad(&format!("has {} for loop {d} in `{name}`, which is not done", sizes[d])));
                return Err(match name {
                    "serial" => diag.help(format!("let `workgroup` have {size} there, and `{name}` 0")),
                    "lane" => diag.help("let it have 0, and state `lane_basis`"),
                    _ => match tile(d).filter(|&tile| size > 0 && tile > 0 && tile % size == 0) {
                        Some(tile) => {
                            diag.help(format!("let it have 0, and `subgroup_basis` {} for loop {d}", tile / size))
                        }
                        None => diag.help("let it have 0, and state `subgroup_basis`"),
                    },
                });
            }
        }
    }
    Ok(())
}

/// What stands in a configuration and has no effect, in words.
pub(super) fn unused(ir: &Ir, config: AttrId) -> Vec<String> {
    let asks = |name: &str, value: AttrId| match (&ir[value], name) {
        // This is how an operand is copied in any case.
        (Attr::Array(types), "promotion_types") => {
            types.iter().any(|&ty| !is_named(ir, ty, "iree_gpu.derived_thread_config"))
        }
        _ => ir.ints(value).is_none_or(|sizes| sizes.iter().any(|&size| size != 0)),
    };
    let rows = entries(ir, config).iter().filter_map(|&(name, value)| Some((row(&ir[name])?, value)));
    let unused = rows.filter(|(row, value)| row.effect == Effect::None && asks(row.name, *value));
    unused.map(|(row, _)| format!("`{}` has {}", row.name, row.says)).collect()
}
