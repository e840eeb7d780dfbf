//! What commands write: nothing is lost without a word, and a file keeps what is not its contents.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{raddle, raddle_with, root, row_sum};

const MATMUL: &str = "examples/matmul.mlir";

/// Builds onto a path, and returns whether it holds what standard output gets.
#[track_caller]
fn build_onto(path: &Path) {
    let expected = raddle(&["build", MATMUL]).out;
    raddle(&["build", MATMUL, "-o", path.to_str().unwrap()]).says(0, &[]);
    assert_eq!(fs::read_to_string(path).unwrap(), expected);
}

/// Every command says that its output did not fit.
#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_an_error() {
    for args in [
        &["build", MATMUL][..],
        &["opt", MATMUL],
        &["run", MATMUL, "--quiet"],
        &["layout", "show", "MFMA_F32_16x16x16_F16"],
        &["check", "--json", MATMUL],
        &["targets"],
        &["explain"],
        &["--help"],
        &["--version"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        let output = command.args(args).current_dir(root()).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains("E0902") && err.contains("the standard output: no space left"), "{args:?}: {err}");
    }
}

/// So is a standard output that is closed, unless there is nothing to write.
#[test]
#[cfg(target_os = "linux")]
fn a_closed_output_is_an_error() {
    for (args, status) in [("build", 2), ("opt", 2), ("check", 0), ("build -o /dev/null", 0)] {
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" $1 \"$2\" >&-", env!("CARGO_BIN_EXE_raddle"), args, MATMUL]);
        let output = command.current_dir(root()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args}: {err}");
        assert_eq!(err.contains("E0902"), status == 2, "{args}: {err}");
    }
}

/// A symbolic link stays one, also where the file that it names is not there yet.
#[test]
fn links_stay_links() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link, chain) = (folder.path().join("k.ptx"), folder.path().join("link"), folder.path().join("chain"));
    symlink("k.ptx", &link).unwrap();
    symlink(&link, &chain).unwrap();
    for _ in 0..2 {
        build_onto(&chain);
        assert!(
            fs::symlink_metadata(&link).unwrap().is_symlink() && fs::symlink_metadata(&chain).unwrap().is_symlink()
        );
        assert!(fs::symlink_metadata(&file).unwrap().is_file());
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        4,
        "the launch data beside the code, and no temporary file"
    );
}

/// The other names of a file name it afterwards, too.
#[test]
fn hard_links_stay_linked() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("k.ptx"), folder.path().join("other"));
    fs::write(&file, "x".repeat(1 << 20)).unwrap();
    fs::hard_link(&file, &other).unwrap();
    build_onto(&file);
    assert_eq!(fs::metadata(&file).unwrap().ino(), fs::metadata(&other).unwrap().ino());
}

/// A file keeps its mode.
#[test]
fn modes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    for mode in [0o640, 0o600, 0o777] {
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        build_onto(&file);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, mode);
    }
}

/// A write that is interrupted leaves the old file, and nothing beside it.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_write_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.npy");
    fs::write(&file, "old").unwrap();
    // The limit on the size of files ends the process in the middle of the write.
    let command =
        format!("ulimit -f 4; exec '{}' run - --quiet --output=@{}", env!("CARGO_BIN_EXE_raddle"), file.display());
    let mut child = Command::new("sh")
        .args(["-c", &command])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), row_sum(4096, 16).as_bytes()).unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

/// Two results do not go to one file, however it is named; appending is meant.
#[test]
fn a_result_does_not_replace_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.npy");
    let (path, around) = (path.to_str().unwrap(), format!("{}/./q.npy", folder.path().display()));
    let two = "func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) { return %a, %a : tensor<4xf32>, tensor<4xf32> }";
    let run = |first: &str, second: &str| {
        let outputs = [format!("--output={first}"), format!("--output={second}")];
        raddle_with(&["run", "-", "--at=tensor", &outputs[0], &outputs[1]], two)
    };
    run(&format!("@{path}"), &format!("@{path}")).says(2, &["E0901", "the same file"]);
    run(&format!("@{path}"), &format!("@{around}")).says(2, &["E0901", "the same file"]);
    assert!(!Path::new(path).exists());
    run(&format!("@{path}"), &format!("+{path}")).says(0, &["correct"]);
    assert_eq!(fs::read(path).unwrap().len(), 2 * (128 + 16));
}
