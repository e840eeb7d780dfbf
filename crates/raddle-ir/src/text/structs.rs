//! Attributes whose parameters have names: their order in print, and the values that go without saying.

use crate::attrs::{Attr, Body};
use crate::ids::{AttrId, StrId, TypeId};
use crate::ir::Ir;

/// The parameters of an attribute in order, each with what its absence means where it may be absent.
type Struct = (&'static str, &'static [(&'static str, Option<&'static str>)]);

const fn needed(name: &'static str) -> (&'static str, Option<&'static str>) {
    (name, None)
}

const fn one(name: &'static str) -> (&'static str, Option<&'static str>) {
    (name, Some("1"))
}

/// May be absent, but has no value that would mean the same.
const fn maybe(name: &'static str) -> (&'static str, Option<&'static str>) {
    (name, Some(""))
}

const STRUCTS: &[Struct] = &[
    ("iree_gpu.mma_semantics", &[needed("distributed"), needed("opaque")]),
    ("gpu.loop_dim_map", &[needed("processor"), needed("map"), needed("bound")]),
    ("iree_gpu.swizzle_operand", &[needed("copy_config"), needed("swizzle")]),
    (
        "iree_gpu.data_tiled_mma_layout",
        &[
            needed("intrinsic"),
            one("intrinsics_m"),
            one("subgroups_m"),
            one("intrinsics_n"),
            one("subgroups_n"),
            one("intrinsics_k"),
            one("subgroups_k"),
            maybe("operands_interleaving_intrinsics_m"),
            maybe("operands_interleaving_intrinsics_n"),
            maybe("operands_interleaving_intrinsics_k"),
        ],
    ),
    (
        "iree_gpu.data_tiled_scaled_mma_layout",
        &[
            needed("intrinsic"),
            needed("lhs_elem_type"),
            needed("rhs_elem_type"),
            needed("acc_elem_type"),
            one("intrinsics_m"),
            one("subgroups_m"),
            one("intrinsics_n"),
            one("subgroups_n"),
            one("intrinsics_k"),
            one("subgroups_k"),
            maybe("operands_interleaving_intrinsics_m"),
            maybe("operands_interleaving_intrinsics_n"),
            maybe("operands_interleaving_intrinsics_k"),
            maybe("unswizzled_operands"),
        ],
    ),
    (
        "iree_cpu.data_tiled_mma_layout",
        &[
            needed("intrinsic"),
            maybe("lhs_elem_type"),
            maybe("rhs_elem_type"),
            maybe("acc_elem_type"),
            one("intrinsics_m"),
            one("intrinsics_n"),
            one("intrinsics_k"),
        ],
    ),
    (
        "iree_gpu.scaled_mma_layout",
        &[
            needed("intrinsic"),
            needed("lhs_elem_type"),
            needed("rhs_elem_type"),
            needed("acc_elem_type"),
            ("col_major", Some("false")),
        ],
    ),
    (
        "iree_gpu.pipeline_options",
        &[
            maybe("prefetch_num_stages"),
            maybe("no_reduce_shared_memory_bank_conflicts"),
            maybe("use_igemm_convolution"),
            maybe("reorder_workgroups_strategy"),
        ],
    ),
    ("iree_gpu.target", &[needed("arch"), needed("features"), needed("wgp"), maybe("chip")]),
    (
        "nvvm.target",
        &[
            ("O", Some("2")),
            ("triple", Some("\"nvptx64-nvidia-cuda\"")),
            ("chip", Some("\"sm_75\"")),
            maybe("features"),
            maybe("flags"),
            maybe("link"),
            ("verifyTarget", Some("true")),
        ],
    ),
    (
        "rocdl.target",
        &[
            ("O", Some("2")),
            ("triple", Some("\"amdgcn-amd-amdhsa\"")),
            ("chip", Some("\"gfx900\"")),
            ("features", Some("\"\"")),
            ("abi", Some("\"600\"")),
            maybe("flags"),
            maybe("link"),
        ],
    ),
    ("util.int.assumption", &[maybe("umin"), maybe("umax"), maybe("udiv")]),
];

/// The place of a parameter among the others, and the text of the value that goes without saying.
pub(super) fn parameter(attr: &str, name: &str) -> Option<(usize, Option<&'static str>)> {
    let (_, parameters) = STRUCTS.iter().find(|row| row.0 == attr)?;
    parameters.iter().position(|row| row.0 == name).map(|at| (at, parameters[at].1))
}

/// What is wrong with an attribute of IREE, in IREE's words.
pub(super) fn complaint(ir: &Ir, name: &str, body: &Body) -> Option<String> {
    match (name, body) {
        ("iree_gpu.lowering_config", Body::Attr(dict)) => promotions(ir, *dict),
        ("iree_codegen.translation_info", Body::Fields(fields)) => translation(ir, fields),
        ("iree_codegen.workgroup_mapping", Body::Text(text)) => {
            let (dim, _) = ir[*text].split_once(':')?;
            let dim = dim.trim();
            matches!(dim, "x" | "y").then(|| format!("illegal to use `delinearizationDim` for {dim}"))
        }
        ("iree_cpu.lowering_config", Body::Attr(_)) => {
            Some("expected names of tiling levels, not a dictionary".to_owned())
        }
        ("iree_cpu.lowering_config", Body::Fields(fields)) => {
            let odd = |field: &&(StrId, AttrId)| {
                LEVELS.contains(&&ir[field.0]) && matches!(ir[field.1], Attr::Int { .. } | Attr::Float { .. })
            };
            let (level, _) = fields.iter().find(odd)?;
            Some(format!("`{}` is a list of tile sizes, one for each loop", &ir[*level]))
        }
        ("iree_cpu.inner_tile_alignments", Body::Text(_)) => Some("expected a list of alignments".to_owned()),
        ("iree_cpu.inner_tile_alignments", Body::Fields(fields)) => alignments(ir, fields),
        ("iree_encoding.encoding", Body::Fields(fields)) => encoding(ir, fields),
        ("iree_encoding.encoding", Body::Text(text)) if ir[*text].trim().is_empty() => encoding(ir, &[]),
        ("iree_encoding.layout", Body::Attr(layouts)) => {
            let Attr::Array(layouts) = &ir[*layouts] else { return None };
            if layouts.is_empty() {
                return Some("expected non-empty layouts".to_owned());
            }
            let odd = |&layout: &_| !matches!(&ir[layout], Attr::Dialect { name, .. } if is_layout(&ir[*name]));
            layouts
                .iter()
                .any(odd)
                .then(|| "expected all the layout attributes to implement SerializableAttr".to_owned())
        }
        ("iree_encoding.padding", Body::Attr(sizes)) => {
            let Attr::Array(sizes) = &ir[*sizes] else { return None };
            let negative = sizes.iter().any(|&size| ir[size].as_i64().is_some_and(|size| size < 0));
            negative.then(|| "expected all padding values need to be non-negative or dynamic".to_owned())
        }
        ("iree_codegen.export_config", Body::Fields(fields)) => {
            let sizes = ir.ints(fields.iter().find(|field| ir[field.0] == *"workgroup_size")?.1)?;
            (sizes.len() > 3).then(|| "expected workgroup size to have atmost 3 entries".to_owned())
        }
        ("iree_map.pack_map" | "iree_map.pack_layout", Body::Text(text)) => tuples(&ir[*text]),
        _ => None,
    }
}

/// The maps of an encoding are those of the operands of its operation; the sizes are those of its loops.
fn encoding(ir: &Ir, fields: &[(StrId, AttrId)]) -> Option<String> {
    let field = |name: &str| fields.iter().find(|field| ir[field.0] == *name).map(|field| field.1);
    let items = |name: &str| match &ir[field(name)?] {
        Attr::Array(items) => Some(items),
        _ => None,
    };
    // Several maps are applied one after the other; the loops are those of the first.
    let loops = |attr: AttrId| match &ir[attr] {
        Attr::Map(map) => Some(map.dims),
        Attr::Array(maps) => {
            let dims = maps.iter().map(|&map| if let Attr::Map(map) = &ir[map] { Some(map.dims) } else { None });
            dims.collect::<Option<Vec<u32>>>()?.first().copied()
        }
        _ => None,
    };
    if let Some(name) = ["operand_index", "op_type", "element_types"].into_iter().find(|name| field(name).is_none()) {
        return Some(format!("struct is missing required parameter: {name}"));
    }
    let mut found = None;
    if let Some(maps) = items("user_indexing_maps") {
        let operand = field("operand_index").and_then(|attr| ir[attr].as_i64()).unwrap_or(0);
        let operand = usize::try_from(operand).unwrap_or(usize::MAX);
        if operand >= maps.len() {
            return Some("`operandIndex` exceeds the size of `user_indexing_maps`".to_owned());
        }
        if let Some(odd) = maps.iter().position(|&map| loops(map).is_none()) {
            return Some(format!("found a non-composable attribute in `user_indexing_maps` at index: {odd}"));
        }
        found = loops(maps[operand]);
    }
    let n = items("iteration_sizes")?.len();
    match found {
        None => Some("found `iteration_sizes` without any corresponding `user_indexing_maps`".to_owned()),
        Some(dims) if dims as usize != n => Some(format!(
            "found an encoding with {n} iteration sizes, but expected {dims} based on the user indexing maps"
        )),
        Some(_) => None,
    }
}

/// The levels that a configuration for CPUs tiles at.
const LEVELS: [&str; 6] = [
    "distribution",
    "cache_parallel",
    "cache_reduction",
    "vector_common_parallel",
    "vector_reduction",
    "vector_inner_parallel",
];

/// `level = [Equal, Unknown], …`: how the tiles of each loop lie to the inner tiles of what is packed.
fn alignments(ir: &Ir, fields: &[(StrId, AttrId)]) -> Option<String> {
    if fields.is_empty() {
        return Some("expected at least one tiling level".to_owned());
    }
    for &(_, words) in fields {
        let Attr::Array(words) = &ir[words] else { return Some("expected a list of alignments".to_owned()) };
        let odd = |word: &&AttrId| !ir.keyword(**word).is_some_and(|word| ALIGNMENTS.contains(&word));
        if let Some(&word) = words.iter().find(odd) {
            let word = crate::text::print_attr(ir, word);
            return Some(format!("expected an InnerTileAlignment (Unknown|Multiple|Equal), got: {word}"));
        }
    }
    None
}

const ALIGNMENTS: [&str; 3] = ["Unknown", "Multiple", "Equal"];

/// Whether an attribute says how elements lie in memory, rather than that someone has yet to say it.
fn is_layout(name: &str) -> bool {
    name != "iree_encoding.unknown"
}

/// What is wrong with the encoding of a tensor, or the layout of a memref, of this rank and with these elements.
pub(super) fn misfit(ir: &Ir, encoding: AttrId, rank: usize, elem: TypeId) -> Option<String> {
    let Attr::Dialect { name, body } = &ir[encoding] else { return None };
    match (&ir[*name], body) {
        ("iree_encoding.packed_storage", _) => unpackable(ir, elem),
        ("iree_encoding.layout", Body::Attr(layouts)) => match &ir[*layouts] {
            Attr::Array(layouts) => layouts.iter().find_map(|&layout| misfit(ir, layout, rank, elem)),
            _ => None,
        },
        (RAGGED, body) => {
            let row = match body {
                Body::Attr(row) => ir[*row].as_i64(),
                Body::Text(row) => ir[*row].trim().parse().ok(),
                Body::None | Body::Keyword(_) | Body::Fields(_) => None,
            }?;
            // Rows, and behind them columns.
            let fits = usize::try_from(row).is_ok_and(|row| row < rank.saturating_sub(1));
            (!fits).then(|| "sparse dimensions specified are greater than the rank of the shaped type".to_owned())
        }
        (
            "iree_gpu.gpu_encoding_resolver" | "iree_cpu.cpu_encoding_resolver" | "iree_cpu.vmvx_encoding_resolver",
            Body::Fields(fields),
        ) => packing(ir, ir.dict_get(fields.first()?.1, "encoding_info")?, rank),
        _ => None,
    }
}

/// Elements are packed where several of them fill a byte.
fn unpackable(ir: &Ir, elem: TypeId) -> Option<String> {
    let bits = crate::types::Scalar::of(&ir[elem])?.bits();
    if bits > 7 {
        return Some(format!(
            "bit-width of the element type is {bits} but packed_storage is currently only supported for sub-byte types"
        ));
    }
    (!bits.is_power_of_two()).then(|| {
        format!(
            "bit-width of the element type is {bits} but packed_storage currently only supports types with power-of-two bitwidth"
        )
    })
}

/// A layout with rows of different lengths.
pub(crate) const RAGGED: &str = "iree_tensor_ext.ragged_shape";

/// Where the inner tiles of an encoding come from: dimensions of the tensor, each once.
fn packing(ir: &Ir, info: AttrId, rank: usize) -> Option<String> {
    let list = |name: &str| ir.dict_get(info, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let (at, sizes, outer) = (list("innerDimsPos"), list("innerTileSizes"), list("outerDimsPerm"));
    if at.len() != sizes.len() {
        return Some(format!("innerDimsPos size ({}) does not match innerTileSizes size ({})", at.len(), sizes.len()));
    }
    for (name, list) in [("innerDimsPos", &at), ("outerDimsPerm", &outer)] {
        for (i, index) in list.iter().enumerate() {
            if !(0..rank as i64).contains(index) {
                return Some(format!("{name} index {index} is out of bounds for tensor rank {rank}"));
            }
            if list[..i].contains(index) {
                return Some(format!("{name} contains duplicate index {index}"));
            }
        }
    }
    swizzle(ir, ir.dict_get(info, "swizzle")?, &sizes)
}

/// `{expandShape = [[["Internal", 16]], …], permutation = […]}`: each inner tile is taken apart and put together anew.
fn swizzle(ir: &Ir, swizzle: AttrId, sizes: &[i64]) -> Option<String> {
    let items = |attr: AttrId| if let Attr::Array(items) = &ir[attr] { &items[..] } else { &[] };
    let mut permutation = ir.dict_get(swizzle, "permutation").and_then(|attr| ir.ints(attr))?;
    let shape = items(ir.dict_get(swizzle, "expandShape")?);
    let total = shape.iter().map(|&group| items(group).len()).sum::<usize>();
    if permutation.len() != total {
        let found = permutation.len();
        return Some(format!("swizzle permutation size ({found}) does not match total expanded dimensions ({total})"));
    }
    permutation.sort_unstable();
    if !permutation.into_iter().eq(0..total as i64) {
        return Some("swizzle permutation is not a valid permutation".to_owned());
    }
    if shape.len() != sizes.len() {
        let (found, expected) = (shape.len(), sizes.len());
        return Some(format!("swizzle expandShape size ({found}) does not match innerTileSizes size ({expected})"));
    }
    for (i, (&group, &size)) in shape.iter().zip(sizes).enumerate() {
        let extents = items(group).iter().map(|&dim| items(dim).last().and_then(|&extent| ir[extent].as_i64()));
        let product = extents.flatten().fold(1, i64::saturating_mul);
        if product != size {
            return Some(format!(
                "swizzle expandShape[{i}] product ({product}) does not match innerTileSizes[{i}] ({size})"
            ));
        }
    }
    None
}

/// A workgroup has one to three extents, all positive; a subgroup has no negative size.
fn translation(ir: &Ir, fields: &[(StrId, AttrId)]) -> Option<String> {
    let field = |name: &str| fields.iter().find(|field| ir[field.0] == *name).map(|field| field.1);
    let sizes = field("workgroup_size").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    if sizes.len() > 3 {
        return Some("workgroup size cannot have more than 3 entries".to_owned());
    }
    if sizes.iter().any(|&size| size <= 0) {
        return Some("workgroup size value has to be greater than zero".to_owned());
    }
    let size = field("subgroup_size").and_then(|attr| ir[attr].as_i64());
    if size.is_some_and(|size| size < 0) {
        return Some("subgroup size value cannot be negative".to_owned());
    }
    let pipeline = field("pipeline")?;
    if matches!(ir[pipeline], Attr::Str(_)) {
        return Some("pass pipeline must implement PipelineAttrInterface".to_owned());
    }
    let transforms = matches!(&ir[pipeline], Attr::Dialect { name, body: Body::None }
        if ir[*name] == *"iree_codegen.transform_dialect_codegen")
        || ir.keyword(pipeline) == Some("TransformDialectCodegen");
    (field("codegen_spec").is_some() && !transforms)
        .then(|| "transform dialect codegen spec requires transform dialect codegen pipeline".to_owned())
}

/// `promotion_types` go with `promote_operands`, one by one.
fn promotions(ir: &Ir, dict: AttrId) -> Option<String> {
    let types = ir.dict_get(dict, "promotion_types")?;
    let Some(operands) = ir.dict_get(dict, "promote_operands") else {
        return Some("promotion_types requires promote_operands to be specified".to_owned());
    };
    let Attr::Array(types) = &ir[types] else { return Some("promotion_types must be an array".to_owned()) };
    let count = match &ir[operands] {
        Attr::Array(operands) => operands.len(),
        _ => return Some("promote_operands must be an array".to_owned()),
    };
    if types.len() != count {
        return Some("promote_operands and promotion_types must have the same length".to_owned());
    }
    let promotes = |ty: &AttrId| matches!(&ir[*ty], Attr::Dialect { name, .. } if ir[*name].starts_with("iree_"));
    if types.iter().all(promotes) {
        return None;
    }
    Some("promotion_types elements must implement IREE::GPU::PromotionAttr".to_owned())
}

/// `((2, 2), 8) : (1, 4)`: shape and stride of one structure; extents positive, strides not negative.
fn tuples(text: &str) -> Option<String> {
    let (shape, stride) = text.split_once(':')?;
    let outline = |text: &str| -> String {
        let mut outline = String::new();
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            // A number, however long, is one leaf.
            if c.is_ascii_digit() || c == '-' {
                if !outline.ends_with('n') {
                    outline.push('n');
                }
            } else {
                outline.push(c);
            }
        }
        outline
    };
    if outline(shape) != outline(stride) {
        return Some("shape and stride must be congruent (identical tree structure)".to_owned());
    }
    let leaves = |text: &str| -> Vec<i64> {
        text.split(['(', ')', ',', ' ']).filter_map(|leaf| leaf.trim().parse().ok()).collect()
    };
    if let Some(leaf) = leaves(shape).into_iter().find(|&leaf| leaf <= 0) {
        return Some(format!("shape leaf values must be positive, got {leaf}"));
    }
    let leaf = leaves(stride).into_iter().find(|&leaf| leaf < 0)?;
    Some(format!("stride leaf values must be non-negative, got {leaf}"))
}
