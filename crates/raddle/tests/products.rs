//! Products whose copies run ahead: right at every stage however copies are timed, one barrier an iteration, no bank
//! that is waited for, no move between registers.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{matmul, product, raddle_with};

/// Two, three and more iterations: fewer than slots, as many, more, and so many that they are unrolled. Copies come at once or as late as they may.
#[test]
fn every_number_of_iterations_is_right() {
    for k in [64, 96, 160, 480] {
        for order in ["nn", "nt", "tn", "tt"] {
            let kernel = product([64, 128, k], order, "f16", "f32");
            for when in ["eager", "lazy"] {
                let run = raddle_with(&["run", "-", "--compare=vector,pipelined", "--async", when], &kernel);
                run.says(0, &["correct"]);
                let run = raddle_with(&["run", "-", "--compare=distributed,lowered", "--async", when], &kernel);
                run.says(0, &["stage `lowered`", "bit for bit"]);
            }
        }
    }
}

/// The rings hold what the instruction takes, whatever it is.
#[test]
fn other_elements_go_through_rings_too() {
    for order in ["nn", "tt"] {
        let kernel = product([128, 64, 96], order, "bf16", "f32");
        raddle_with(&["run", "-", "--compare=vector,lowered"], &kernel).says(0, &["correct", "bit for bit"]);
    }
}

/// A product whose function states its workgroup and these options; its tile is 64 x 64 x `k_tile` for four subgroups.
fn with_options([m, n, k]: [usize; 3], order: &str, k_tile: usize, options: &str) -> String {
    let text = product([m, n, k], order, "f16", "f32");
    let translation = format!(
        "attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> \
         workgroup_size = [128, 1, 1] subgroup_size = 32, {{{options}}}>}}"
    );
    let config = format!(
        "attrs = {{lowering_config = #iree_gpu.lowering_config<{{workgroup = [64, 64, 0], reduction = [0, 0, {k_tile}], \
         subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, \
         promote_operands = [0, 1]}}>}}"
    );
    let text = text.replacen("f32> {\n", &format!("f32> {translation} {{\n"), 1);
    text.replacen(") {\n  ^body", &format!(") {config} {{\n  ^body"), 1)
}

/// The program states the depth in either spelling: each depth is right, whether it is more or fewer than there are
/// iterations, and the rings have as many slots.
#[test]
fn programs_state_the_depth() {
    let depths =
        [(2, "pipeline_depth = 2 : i64, store_stage = 1 : i64"), (4, "pipeline_depth = 4 : i64"), (5, PREFETCH_5)];
    for (slots, options) in depths {
        for (k, order) in [(192, "nn"), (672, "nt"), (672, "tn")] {
            let kernel = with_options([64, 128, k], order, 32, options);
            let ir = raddle_with(&["opt", "-", "--to=pipelined"], &kernel);
            ir.says(0, &[&format!("memref<{slots}x")]);
            for when in ["eager", "lazy"] {
                let run = raddle_with(&["run", "-", "--compare=laid_out,pipelined,lowered", "--async", when], &kernel);
                run.says(0, &["bit for bit"]);
            }
        }
    }
    let ir = raddle_with(&["opt", "-", "--to=pipelined"], &with_options([64, 64, 256], "nn", 32, "pipeline_depth = 1"));
    assert!(!ir.says(0, &["vector.contract"]).out.contains("raddle.swizzle"), "{ir:?}");
}

const PREFETCH_5: &str = "gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 5>";

/// A product of 256 rows whose subgroups share the rows of a tile alone, on a chip whose instructions read their factors
/// from shared memory.
fn shared_product(
    order: &str,
    elem: &str,
    [n, k]: [usize; 2],
    [rows, columns, depth]: [usize; 3],
    slots: usize,
) -> String {
    let text = product([256, n, k], order, elem, "f32");
    let (threads, subgroups, kind) = (2 * rows, rows / 16, elem.to_uppercase());
    let translation = format!(
        "attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> \
         workgroup_size = [{threads}, 1, 1] subgroup_size = 32, {{pipeline_depth = {slots} : i64}}>}}"
    );
    let config = format!(
        "attrs = {{lowering_config = #iree_gpu.lowering_config<{{workgroup = [{rows}, {columns}, 0], reduction = [0, 0, {depth}], \
         subgroup_basis = [[{subgroups}, 1, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_{kind}>, \
         promote_operands = [0, 1]}}>}}"
    );
    let text = text.replacen("f32> {\n", &format!("f32> {translation} {{\n"), 1);
    text.replacen(") {\n  ^body", &format!(") {config} {{\n  ^body"), 1)
}

/// The products of an iteration are on their way while copies begin; nothing is read to registers, and nothing moved.
#[test]
fn products_in_shared_memory_do_not_wait() {
    let kernel = shared_product("nt", "f16", [256, 2048], [128, 256, 64], 4);
    let ptx =
        raddle::compile(&kernel, &raddle::Options { target: "sm_90a".into(), ..Default::default() }).unwrap().text;
    let blocks: Vec<&str> = ptx.split("$L__BB").collect();
    let body = blocks.iter().find(|block| block.contains("wgmma.mma") && block.contains("bra ")).unwrap();
    let (body, _) = body.split_once("bra ").unwrap();
    let count = |what: &str| body.matches(what).count();
    // Four iterations of four steps of k; 12 copies of 16 bytes for each thread and iteration.
    assert_eq!([count("wgmma.mma_async"), count("cp.async.cg"), count("bar.sync")], [16, 48, 4], "{body}");
    assert_eq!([count("wgmma.wait_group.sync.aligned 1"), count("wgmma.wait_group.sync.aligned 0")], [4, 0], "{body}");
    assert_eq!([count("ldmatrix"), count("mov.f32")], [0, 0], "{body}");
}

/// More than 48 KiB of shared memory is asked for at launch: four slots of 16 KiB.
#[test]
fn deep_rings_are_dynamic_shared_memory() {
    let kernel = with_options([64, 64, 384], "nt", 64, "pipeline_depth = 4");
    for when in ["eager", "lazy"] {
        raddle_with(&["run", "-", "--device=ptx-emu", "--async", when], &kernel).says(0, &["correct"]);
    }
    let code = raddle::compile(&kernel, &raddle::Options::default()).unwrap();
    assert_eq!(code.kernels[0].dynamic_shared_bytes, 4 * 16 * 1024);
    assert!(code.text.contains(".extern .shared"), "{}", code.text);
}

/// The text between the label and the branch of the loop with matrix instructions.
fn inner_loop(ptx: &str) -> &str {
    let blocks: Vec<&str> = ptx.split("$L__BB").collect();
    let inner = blocks.iter().filter(|block| block.contains("mma.sync") && block.contains("@%p"));
    inner.max_by_key(|block| block.len()).unwrap_or_else(|| panic!("{ptx}"))
}

/// Copies, a wait that leaves the newest of them on their way, one barrier, and nothing read twice.
#[test]
fn an_iteration_has_one_barrier() {
    let config = "attrs = {lowering_config = #iree_gpu.lowering_config<{workgroup = [128, 128, 0], reduction = [0, 0, 32], \
         subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, \
         promote_operands = [0, 1]}>}";
    for order in ["nn", "nt", "tn", "tt"] {
        let text = product([2048, 2048, 2048], order, "f16", "f32");
        let text = text.replacen(") {\n  ^body", &format!(") {config} {{\n  ^body"), 1);
        let ptx = raddle::compile(&text, &raddle::Options::default()).unwrap().text;
        let body = inner_loop(&ptx);
        let count = |what: &str| body.matches(what).count();
        // Four slots, since a processor has room for two workgroups of these.
        assert_eq!([count("bar.sync"), count("wait_group 2"), count("commit_group")], [4, 4, 4], "{order}: {body}");
        // Four iterations of 128x128x32 for four subgroups: 64 products, 16 loads of fragments and 8 copies each.
        assert_eq!([count("mma.sync"), count("ldmatrix"), count("cp.async.cg")], [256, 64, 32], "{order}: {body}");
        assert!(!body.contains("ld.global"), "{order}: {body}");
    }
}

/// The wavefronts of shared memory are as few as the bytes need; NVIDIA's come by matrices.
#[test]
fn no_fragment_waits_for_a_bank() {
    let small = [matmul(128, 256, 128), matmul(64, 64, 64), matmul(128, 48, 96)];
    // Subgroups of small products read their factors themselves on AMD's chips.
    let large = [matmul(512, 1024, 128), matmul(1024, 1024, 64)];
    for target in ["sm_80", "sm_90", "gfx942", "gfx950", "gfx1100"] {
        for kernel in if target.starts_with("sm_") { &small[..] } else { &large[..] } {
            let run = raddle_with(&["run", "-", "--stats", &format!("--target={target}")], kernel);
            let said = format!("{}{}", run.out, run.err);
            let total = said.lines().find(|line| line.contains("all operations")).unwrap_or_else(|| panic!("{said}"));
            let cells: Vec<&str> = total.split_whitespace().collect();
            // all operations, runs, lanes on, %, shared bytes, wavefronts, ideal
            let (wavefronts, ideal) = (cells[6], cells[7]);
            assert!(wavefronts.parse::<u64>().unwrap() > 0, "{total}");
            assert_eq!(wavefronts, ideal, "{target}: {said}");
            assert_eq!(said.contains("nvgpu.ldmatrix"), target.starts_with("sm_"), "{said}");
            run.says(0, &["correct"]);
        }
    }
}

/// Rows of odd length are loaded element by element, and neighbours load neighbours; with eight elements in a row for each
/// thread, as copies of 16 bytes have them, there were six and nine times as many sectors as the bytes need.
#[test]
fn elements_of_odd_rows_are_loaded_side_by_side() {
    for (order, size) in [("nn", [129, 131, 225]), ("nt", [33, 47, 353])] {
        let run = raddle_with(&["run", "-", "--stats"], &product(size, order, "f16", "f32"));
        run.says(0, &["correct"]);
        let said = format!("{}{}", run.out, run.err);
        let total = said.lines().find(|line| line.contains("all operations")).unwrap_or_else(|| panic!("{said}"));
        let cells: Vec<&str> = total.split_whitespace().collect();
        // all operations, runs, lanes on, %, of shared memory: bytes, wavefronts, ideal; of global memory: bytes, sectors, ideal
        let [sectors, ideal] = [cells[9], cells[10]].map(|cell| cell.parse::<u64>().unwrap());
        assert!(ideal > 0 && sectors < 4 * ideal, "{order}: {total}");
    }
}

/// The register lists in an instruction's text.
fn lists(line: &str) -> Vec<Vec<&str>> {
    let lists = line.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    lists.map(|list| list.split(", ").collect()).collect()
}

/// Assemblers copy registers that do not lie as an instruction takes them: one tuple of a load is one tuple of a product.
#[test]
fn nothing_is_moved_between_loads_and_products() {
    for elem in ["f16", "bf16"] {
        for order in ["nn", "nt", "tn", "tt"] {
            let text = product([128, 128, 64], order, elem, "f32");
            let ptx = raddle::compile(&text, &raddle::Options::default()).unwrap().text;
            let of = |name: &str| ptx.lines().filter(|line| line.contains(name)).map(lists).collect::<Vec<_>>();
            let (loads, products) = (of("ldmatrix"), of("mma.sync"));
            assert_eq!((loads.is_empty(), products.is_empty()), (false, false), "{ptx}");
            for product in &products {
                let (a, b) = (&product[1], &product[2]);
                assert!(loads.iter().any(|load| load[0] == *a), "{elem} {order}: {a:?}\n{ptx}");
                assert!(
                    loads.iter().any(|load| load[0].chunks(2).any(|pair| pair == b)),
                    "{elem} {order}: {b:?}\n{ptx}"
                );
            }
        }
    }
}
