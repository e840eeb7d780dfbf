//! Attention that is written in `linalg` is one kernel, and gives what the program as written gives.

use crate::common::raddle_with;

/// An attention of two heads as products and a softmax. The depth and the columns of the value are 64; `?` for the number
/// of queries or keys leaves it open.
#[derive(Clone, Copy)]
struct Plain {
    queries: &'static str,
    keys: &'static str,
    elem: &'static str,
    /// The type of scores.
    score: &'static str,
    /// What becomes of a product `%x`, for an element `%m` of the mask.
    body: &'static str,
    /// The type of the mask, and its dimensions of `b, m, k`.
    mask: Option<(&'static str, &'static str)>,
    /// Whether the softmax is one operation.
    named: bool,
    /// Whether keys are transposed on the way.
    transposed: bool,
    /// What else the function does with scores, powers, and sums, and returns.
    more: &'static str,
}

const SCALED: &str = "%y = arith.mulf %x, %scale : f32";
const ADDED: &str = "%u = arith.mulf %x, %scale : f32
    %y = arith.addf %u, %m : f32";
const CHOSEN: &str = "%u = arith.mulf %x, %scale : f32
    %y = arith.select %m, %u, %never : f32";
/// Queries see no later keys, and scores are capped.
const CAUSAL: &str = "%u = arith.mulf %x, %scale : f32
    %t = math.tanh %u : f32
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %later = arith.cmpi ugt, %column, %row : index
    %y = arith.select %later, %never, %t : f32";

/// Queries see no later keys, and nothing else happens to scores.
const SEEN: &str = "%u = arith.mulf %x, %scale : f32
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %seen = arith.cmpi sge, %row, %column : index
    %y = arith.select %seen, %u, %never : f32";
/// The same for those scores that are large enough.
const LARGE: &str = "%u = arith.mulf %x, %scale : f32
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %seen = arith.cmpi sge, %row, %column : index
    %large = arith.cmpf ogt, %u, %scale : f32
    %keep = arith.andi %seen, %large : i1
    %same = arith.cmpi eq, %row, %column : index
    %or = arith.ori %keep, %same : i1
    %y = arith.select %or, %u, %never : f32";

const PLAIN: Plain = Plain {
    queries: "96",
    keys: "160",
    elem: "f16",
    score: "f32",
    body: SCALED,
    mask: None,
    named: true,
    transposed: false,
    more: "",
};

impl Plain {
    fn text(&self) -> String {
        let Plain { queries: m, keys: n, elem, score, body, mask, named, transposed, more } = self;
        let open = |n: &str, value: &'static str| if n == "?" { value } else { "" };
        let list = |values: &[&'static str]| -> String {
            values.iter().copied().filter(|value| !value.is_empty()).collect::<Vec<_>>().join(", ")
        };
        let (dm, dn) = (open(m, "%dm"), open(n, "%dn"));
        let (of_scores, of_rows, of_result) = (list(&[dm, dn]), list(&[dm]), list(&[dm]));
        let [q, kv, s] = [format!("2x{m}x64"), format!("2x{n}x64"), format!("2x{m}x{n}")];
        let (scores, rows) = (format!("tensor<{s}x{score}>"), format!("tensor<2x{m}x{score}>"));
        let (mask_arg, mask_in, mask_type, mask_map, mask_elem) = match mask {
            Some((of, dims)) => {
                let shape: String = dims
                    .split(", ")
                    .map(|dim| match dim {
                        "b" => "2x".to_owned(),
                        "m" => format!("{m}x"),
                        _ => format!("{n}x"),
                    })
                    .collect();
                let ty = format!("tensor<{shape}{of}>");
                (
                    format!(", %mask: {ty}"),
                    ", %mask",
                    format!(", {ty}"),
                    format!("affine_map<(b, m, k) -> ({dims})>, "),
                    of,
                )
            }
            None => (String::new(), "", String::new(), String::new(), &""),
        };
        let mask_param = if mask.is_some() { format!("%m: {mask_elem}, ") } else { String::new() };
        let (key, key_shape, transpose) = match transposed {
            true => (
                "%kt",
                format!("2x64x{n}"),
                format!(
                    "%te = tensor.empty({dn}) : tensor<2x64x{n}x{elem}>
  %kt = linalg.transpose ins(%k : tensor<{kv}x{elem}>) outs(%te : tensor<2x64x{n}x{elem}>) permutation = [0, 2, 1]"
                ),
            ),
            false => ("%k", kv.clone(), String::new()),
        };
        let key_map = if *transposed { "b, d, k" } else { "b, k, d" };
        let widen = |value: &str| match elem == score {
            true => String::new(),
            false => format!("%{value}w = arith.extf %{value} : {elem} to {score}"),
        };
        let wide = if elem == score { "" } else { "w" };
        let softmax = match named {
            true => format!("%p = linalg.softmax dimension(2) ins(%s : {scores}) outs(%se : {scores}) -> {scores}"),
            false => format!(
                "%re = tensor.empty({of_rows}) : {rows}
  %mi = linalg.fill ins(%least : {score}) outs(%re : {rows}) -> {rows}
  %max = linalg.generic {{indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins(%s : {scores}) outs(%mi : {rows}) {{
  ^bb0(%x: {score}, %o: {score}):
    %y = arith.maximumf %x, %o : {score}
    linalg.yield %y : {score} }} -> {rows}
  %d = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}} ins(%s, %max : {scores}, {rows}) outs(%se : {scores}) {{
  ^bb0(%x: {score}, %h: {score}, %o: {score}):
    %y = arith.subf %x, %h : {score}
    linalg.yield %y : {score} }} -> {scores}
  %e = linalg.exp ins(%d : {scores}) outs(%se : {scores}) -> {scores}
  %si = linalg.fill ins(%zero : {score}) outs(%re : {rows}) -> {rows}
  %sum = linalg.reduce ins(%e : {scores}) outs(%si : {rows}) dimensions = [2]
    (%x: {score}, %o: {score}) {{ %y = arith.addf %o, %x : {score}  linalg.yield %y : {score} }}
  %p = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}} ins(%e, %sum : {scores}, {rows}) outs(%se : {scores}) {{
  ^bb0(%x: {score}, %t: {score}, %o: {score}):
    %y = arith.divf %x, %t : {score}
    linalg.yield %y : {score} }} -> {scores}"
            ),
        };
        let rounded = match elem == score {
            true => "%ph = linalg.copy ins(%p : SCORES) outs(%se : SCORES) -> SCORES".replace("SCORES", &scores),
            false => format!(
                "%pe = tensor.empty({of_scores}) : tensor<{s}x{elem}>
  %ph = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}} ins(%p : {scores}) outs(%pe : tensor<{s}x{elem}>) {{
  ^bb0(%x: {score}, %o: {elem}):
    %y = arith.truncf %x : {score} to {elem}
    linalg.yield %y : {elem} }} -> tensor<{s}x{elem}>"
            ),
        };
        let returned = if more.is_empty() { "" } else { ", %more" };
        let return_type = if more.is_empty() { String::new() } else { format!(", {scores}") };
        let more = more.replace("SCORES", &scores).replace("SCORE", score);
        let (body, result) = (body.replace("f32", score), format!("tensor<{q}x{score}>"));
        format!(
            "#id = affine_map<(b, m, k) -> (b, m, k)>
#row = affine_map<(b, m, k) -> (b, m)>
func.func @f(%q: tensor<{q}x{elem}>, %k: tensor<{kv}x{elem}>, %v: tensor<{kv}x{elem}>{mask_arg}) -> ({result}{return_type}) {{
  %zero = arith.constant 0.0 : {score}
  %scale = arith.constant 0.125 : {score}
  %least = arith.constant -65504.0 : {score}
  %never = arith.constant -65504.0 : {score}
  %one = arith.constant 1 : index
  %dm = tensor.dim %q, %one : tensor<{q}x{elem}>
  %dn = tensor.dim %k, %one : tensor<{kv}x{elem}>
  {transpose}
  %se = tensor.empty({of_scores}) : {scores}
  %i = linalg.fill ins(%zero : {score}) outs(%se : {scores}) -> {scores}
  %qk = linalg.generic {{indexing_maps = [affine_map<(b, m, k, d) -> (b, m, d)>, affine_map<(b, m, k, d) -> ({key_map})>, affine_map<(b, m, k, d) -> (b, m, k)>], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"reduction\"]}} ins(%q, {key} : tensor<{q}x{elem}>, tensor<{key_shape}x{elem}>) outs(%i : {scores}) {{
  ^bb0(%x: {elem}, %y: {elem}, %o: {score}):
    {}
    {}
    %p = arith.mulf %x{wide}, %y{wide} : {score}
    %t = arith.addf %o, %p : {score}
    linalg.yield %t : {score} }} -> {scores}
  %s = linalg.generic {{indexing_maps = [#id, {mask_map}#id], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}} ins(%qk{mask_in} : {scores}{mask_type}) outs(%se : {scores}) {{
  ^bb0(%x: {score}, {mask_param}%o: {score}):
    {body}
    linalg.yield %y : {score} }} -> {scores}
  {softmax}
  {rounded}
  {more}
  %oe = tensor.empty({of_result}) : {result}
  %oi = linalg.fill ins(%zero : {score}) outs(%oe : {result}) -> {result}
  %ov = linalg.batch_matmul ins(%ph, %v : tensor<{s}x{elem}>, tensor<{kv}x{elem}>) outs(%oi : {result}) -> {result}
  return %ov{returned} : {result}{return_type}
}}",
            widen("x"),
            widen("y"),
        )
        .replace("%least = arith.constant -65504.0", "%least = arith.constant LEAST")
        .replace("%never = arith.constant -65504.0", "%never = arith.constant LEAST")
        .replace("LEAST", if *score == "f16" { "0xFC00" } else { "0xFF800000" })
    }
}

/// Scales, masks of numbers and of bits, expressions of scores and of another tensor, transposed keys, a softmax as one
/// operation and as five, and scores of 16 bits: each is one kernel with matrix instructions.
#[test]
fn products_around_a_softmax_are_one_kernel() {
    let all = [
        PLAIN,
        Plain { named: false, transposed: true, ..PLAIN },
        Plain { body: "%y = arith.negf %x : f32", named: false, keys: "33", ..PLAIN },
        Plain { body: ADDED, mask: Some(("f32", "m, k")), queries: "33", ..PLAIN },
        Plain { body: CHOSEN, mask: Some(("i1", "b, m, k")), named: false, keys: "77", ..PLAIN },
        Plain { body: CAUSAL, queries: "99", keys: "99", elem: "bf16", ..PLAIN },
        Plain { score: "f16", named: false, ..PLAIN },
        Plain { score: "f16", body: CAUSAL, ..PLAIN },
        Plain { body: SEEN, named: false, queries: "130", keys: "130", ..PLAIN },
        Plain { body: LARGE, queries: "70", keys: "70", ..PLAIN },
        Plain { body: "%y = arith.mulf %x, %m : f32", mask: Some(("f32", "b, m, k")), ..PLAIN },
    ];
    for (number, plain) in all.into_iter().enumerate() {
        let text = plain.text();
        let machine = ["--device=emu", "--device=ptx-emu", "--target=gfx942"][number % 3];
        let run = raddle_with(&["run", "-", machine], &text);
        run.says(0, &["correct: "]);
        assert_eq!(run.out.matches("launch ").count(), 1, "{number}: {}{text}", run.out);
        assert!(!run.out.contains(" 0 matrix instructions"), "{}", run.out);
    }
}

/// Keys that a mask of indices hides are skipped here, too: of four blocks one.
#[test]
fn hidden_keys_are_skipped() {
    let count = |body| {
        let run = raddle_with(&["run", "-"], &Plain { body, queries: "128", keys: "128", ..PLAIN }.text());
        run.says(0, &["correct: "]);
        let before = run.out.split(" matrix instructions").next().unwrap_or_default();
        before.split_whitespace().last().and_then(|n| n.parse::<u64>().ok()).unwrap_or_else(|| panic!("{}", run.out))
    };
    assert_eq!(4 * count(SEEN), 3 * count(SCALED));
}

/// One kernel for any number of queries and keys. Where there are no keys, sums are of nothing, and zero.
#[test]
fn lengths_may_be_open() {
    for named in [false, true] {
        let text = Plain { queries: "?", keys: "?", named, ..PLAIN }.text();
        for (queries, keys) in [(100, 77), (1, 300), (3, 0), (0, 3)] {
            let [query, key] = [queries, keys].map(|rows| format!("--input=2x{rows}x64xf16"));
            let machine = if named { "--device=ptx-emu" } else { "--device=emu" };
            let run = raddle_with(&["run", "-", machine, &query, &key, &key], &text);
            run.says(0, &["correct: "]);
            assert!(run.out.matches("launch ").count() <= 1, "{}", run.out);
        }
    }
}

/// What looks like attention, and is none: its scores are needed elsewhere, it does not add up what it divides, or it
/// divides along the queries.
#[test]
fn other_products_stay_as_they_are() {
    let normal = |text: &str| raddle_with(&["opt", "-", "--pass-pipeline=builtin.module(func.func(normalize))"], text);
    let attention = "iree_linalg_ext.attention";
    let chain = Plain { named: false, ..PLAIN }.text();
    normal(&chain).says(0, &[attention]);
    let shared = "%more = linalg.exp ins(%qk : SCORES) outs(%se : SCORES) -> SCORES";
    let others = [
        Plain { more: shared, ..PLAIN }.text(),
        Plain { more: shared, ..PLAIN }.text().replace("linalg.exp ins(%qk", "linalg.exp ins(%p"),
        PLAIN.text().replace("dimension(2)", "dimension(1)"),
        chain.replace("linalg.exp ins(%d", "linalg.exp ins(%s"),
        chain.replace("linalg.reduce ins(%e", "linalg.reduce ins(%d"),
        chain.replace("arith.maximumf", "arith.minimumf"),
        chain.replace("ins(%zero : f32) outs(%re", "ins(%scale : f32) outs(%re"),
        chain.replace("ins(%zero : f32) outs(%oe", "ins(%scale : f32) outs(%oe"),
        Plain { keys: "0", ..PLAIN }.text(),
    ];
    for text in others {
        assert_ne!(text, chain);
        let run = normal(&text);
        run.says(0, &["linalg.generic"]);
        assert!(!run.out.contains(attention), "{text}");
    }
}
