//! Faults of asynchronous protocols, planted into the reference kernels one at a time: each is found, by a finding or by
//! a wrong result, in one of the modes. `RADDLE_MUTATIONS=all` tries every site, else every ninth is tried.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and prints what it tried"
)]

use raddle_emu::{AsyncMode, Options, ptx};

use crate::products;

/// A mutation of one line: its name, and what becomes of the line; nothing where it does not apply.
type Mutation = (&'static str, fn(&str) -> Option<String>);

/// The line is gone.
fn without(line: &str, part: &str) -> Option<String> {
    line.contains(part).then(String::new)
}

/// One part of the line becomes another one.
fn with(line: &str, from: &str, to: &str) -> Option<String> {
    line.contains(from).then(|| line.replacen(from, to, 1))
}

/// A number behind a part of the line is changed.
fn changed(line: &str, part: &str, change: fn(i64) -> i64) -> Option<String> {
    let (before, rest) = line.split_once(part)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number: i64 = rest[..end].parse().ok()?;
    Some(format!("{before}{part}{}{}", change(number), &rest[end..]))
}

const MUTATIONS: &[Mutation] = &[
    ("missing wait for copies", |line| without(line, "cp.async.wait_group")),
    ("wrong count of groups of copies", |line| changed(line, "cp.async.wait_group ", |n| n + 1)),
    ("missing commit of copies", |line| without(line, "cp.async.commit_group")),
    ("missing barrier", |line| without(line, "bar.sync")),
    ("missing copy", |line| without(line, "cp.async.cg")),
    ("missing wait for products", |line| without(line, "wgmma.wait_group")),
    ("wrong count of groups of products", |line| changed(line, "wgmma.wait_group.sync.aligned ", |n| n + 1)),
    ("missing commit of products", |line| without(line, "wgmma.commit_group")),
    ("missing wait for stores to read", |line| without(line, "cp.async.bulk.wait_group.read")),
    ("missing wait for stores", |line| without(line, "cp.async.bulk.wait_group 0")),
    ("wrong count of groups of stores", |line| changed(line, "bulk.wait_group.read ", |n| n + 1)),
    ("missing commit of stores", |line| without(line, "cp.async.bulk.commit_group")),
    ("missing wait for a phase", |line| with(line, "@!%over bra", "@!%over nanosleep 20; //")),
    ("wrong phase", |line| changed(line, "mov.u32 %parity, ", |n| 1 - n)),
    ("phase that never changes", |line| without(line, "xor.b32 %parity")),
    ("missing proxy fence", |line| without(line, "fence.proxy.async")),
    ("missing fence of barriers", |line| without(line, "fence.mbarrier_init")),
    ("missing barrier of the cluster", |line| {
        with(line, "barrier.cluster.arrive", "// ").or_else(|| without(line, "barrier.cluster.wait"))
    }),
    ("too many bytes expected", |line| {
        with(line, "expect_tx.shared::cta.b64 _, [%bar], ", "expect_tx.shared::cta.b64 _, [%bar], 1")
    }),
    ("too few arrivals", |line| line.contains("mbarrier.init").then(|| changed(line, "], ", |n| n - 1)).flatten()),
    ("too many arrivals", |line| line.contains("mbarrier.init").then(|| changed(line, "], ", |n| n + 1)).flatten()),
    ("missing release", |line| without(line, "mbarrier.arrive.release")),
    ("release by every thread", |line| with(line, "@%p mbarrier.arrive", "mbarrier.arrive")),
    ("missing expectation", |line| {
        with(line, "arrive.expect_tx.shared::cta.b64 _, [%bar], ", "arrive.shared::cta.b64 _, [%bar]; //")
    }),
    ("one receiver only", |line| with(line, "mov.u16 %both, 3", "mov.u16 %both, 1")),
    ("swizzle of another row", |line| with(line, "xor.b32 %key, %key, %y", "xor.b32 %key, %key, 1")),
    ("no swizzle", |line| with(line, "xor.b32 %p, %y, %key", "mov.b32 %p, %y")),
    ("descriptor off by one", |line| with(line, "add.s64 %da, %da, 2", "add.s64 %da, %da, 3")),
    ("descriptor with another stride", |line| with(line, "0x4000004000010000", "0x4000003f00010000")),
    ("descriptor with another swizzle", |line| with(line, "0x4000004000010000", "0x8000004000010000")),
    ("misaligned copy", |line| {
        line.contains("cp.async")
            .then(|| with(line, "[%into+", "[%into+8+").or_else(|| with(line, "[%into]", "[%into+8]")))
            .flatten()
    }),
    ("misaligned matrix", |line| line.contains("matrix.sync").then(|| with(line, "_at+", "_at+4+")).flatten()),
    ("wrong stage", |line| with(line, "add.u32 %stage, %stage, 1", "add.u32 %stage, %stage, 2")),
    ("ring without an end", |line| without(line, "selp.b32")),
];

/// Mutations that change nothing that can be observed, with the reason.
fn is_harmless(name: &str, kernel: &str, line: &str, rest: &[&str]) -> bool {
    let is_last = |part: &str| line.contains(part) && !rest.iter().any(|line| line.contains(part));
    // The last barrier of a cluster of one keeps nobody from ending early.
    kernel.contains("cluster of 1") && (is_last("barrier.cluster.arrive") || is_last("barrier.cluster.wait"))
        // Two boxes in two buffers may be stored in one group: only the wait for all follows.
        || name == "missing commit of stores" && kernel.contains("128 columns") && !is_last("bulk.commit_group")
}

/// What is not found yet: warps run in an order in which the first warp, which fetches, is always ahead of those that
/// multiply, and a wait that blocks hides that nobody asks for its result.
fn is_missed(name: &str, kernel: &str, line: &str, before: &[&str]) -> bool {
    name == "missing wait for a phase"
        && kernel.contains("cluster of 1")
        && line.contains("@!%over")
        && before.iter().any(|line| line.contains("$MULTIPLY:"))
}

/// Each mutation at each line where it applies.
#[test]
fn planted_faults_are_found() {
    let all = std::env::var("RADDLE_MUTATIONS").is_ok_and(|value| value == "all");
    let (mut tried, mut missed, mut seen) = (0, Vec::new(), 0);
    for kernel in products::all() {
        let lines: Vec<&str> = kernel.text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            for (name, mutate) in MUTATIONS {
                let Some(new) = mutate(line) else { continue };
                if is_missed(name, &kernel.name, line, &lines[..number]) {
                    continue;
                }
                if is_harmless(name, &kernel.name, line, &lines[number + 1..]) {
                    continue;
                }
                seen += 1;
                if !all && seen % 9 != 0 {
                    continue;
                }
                tried += 1;
                let mut text = lines.clone();
                text[number] = &new;
                // Where a barrier goes, both halves of it go.
                if new.starts_with("// ") || new.trim_start().starts_with("// ") {
                    text[number + 1] = "";
                }
                if !is_found(&kernel, &text.join("\n")) {
                    missed.push(format!("{}: {name}: line {}: {line}", kernel.name, number + 1));
                }
            }
        }
    }
    println!("{} of {tried} mutations found", tried - missed.len());
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
    assert!(tried >= if all { 80 } else { 9 });
}

fn is_found(kernel: &products::Product, text: &str) -> bool {
    let module = ptx::parse(text).unwrap_or_else(|diag| panic!("{diag:?}"));
    [AsyncMode::Eager, AsyncMode::Lazy].into_iter().any(|copies| {
        let options = Options { copies, fuel: 3_000_000_000, ..Options::default() };
        match ptx::run_with_maps(&module, &kernel.args, &kernel.maps, &kernel.launch, &options) {
            Ok(ran) => !kernel.is_right(&ran.args[2]),
            Err(_) => true,
        }
    })
}
