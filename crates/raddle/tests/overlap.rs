//! Products whose copies run ahead: right at every stage however copies are timed, one barrier an iteration, no bank
//! that is waited for.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{product, raddle_with};

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

/// The text between the label and the branch of the loop with matrix instructions.
fn inner_loop(ptx: &str) -> &str {
    let blocks: Vec<&str> = ptx.split("$L__BB").collect();
    let inner = blocks.iter().filter(|block| block.contains("mma.sync") && block.contains("@%p"));
    inner.max_by_key(|block| block.len()).unwrap_or_else(|| panic!("{ptx}"))
}

/// Copies, a wait that leaves the newest of them on their way, one barrier, and nothing read twice.
#[test]
fn an_iteration_has_one_barrier() {
    for order in ["nn", "nt", "tn", "tt"] {
        let ptx = raddle::compile(&product([2048, 2048, 2048], order, "f16", "f32"), &raddle::Options::default())
            .unwrap()
            .text;
        let body = inner_loop(&ptx);
        let count = |what: &str| body.matches(what).count();
        assert_eq!([count("bar.sync"), count("wait_group 1"), count("commit_group")], [3, 3, 3], "{order}: {body}");
        // Three iterations of 128x128x32 for four subgroups: 64 products, 16 loads of fragments and 8 copies each.
        assert_eq!([count("mma.sync"), count("ldmatrix"), count("cp.async.cg")], [192, 48, 24], "{order}: {body}");
        assert!(!body.contains("ld.global"), "{order}: {body}");
    }
}
