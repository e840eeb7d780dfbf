//! The CUDA device against a stand-in for the driver library, which the tests compile: no GPU is needed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock};

use raddle_ir::{Code, Diag};
use raddle_run::cuda::{Cuda, Param, Shape};

/// The memory of the stand-in belongs to one test at a time.
fn mock() -> (MutexGuard<'static, ()>, Cuda) {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    static ALONE: Mutex<()> = Mutex::new(());
    let library = LIBRARY.get_or_init(|| {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mock-driver-{}.so", std::process::id()));
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mock/driver.rs");
        let built = Command::new(rustc)
            .args(["--edition=2024", "--crate-type=cdylib", "-Anon_snake_case", source, "-o"])
            .arg(&out)
            .status()
            .expect("rustc runs");
        assert!(built.success(), "the stand-in compiles");
        out
    });
    let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    (alone, Cuda::open(library.to_str()).expect("the stand-in opens"))
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn message(result: Result<impl Sized, Diag>) -> (Code, String) {
    let diag = result.err().expect("it fails");
    let lines = [diag.message].into_iter().chain(diag.notes).chain(diag.help);
    (diag.code, lines.collect::<Vec<_>>().join("\n"))
}

/// Buffers go to the device and back, and a kernel gets its parameters in order.
#[test]
fn a_kernel_runs_on_buffers() {
    let (_alone, cuda) = mock();
    let context = cuda.context(0).unwrap();
    let module = context.module(b".version 8.0").unwrap();
    let kernel = module.kernel("axpy").unwrap();
    assert_eq!(kernel.registers().unwrap(), 24);
    let y = context.upload(&floats(&[1.0, 2.0, 3.0])).unwrap();
    let x = context.upload(&floats(&[10.0, 20.0, 30.0])).unwrap();
    let mut a = [0; 8];
    a[..4].copy_from_slice(&0.5f32.to_le_bytes());
    let params = [Param::Word(y.address()), Param::Word(x.address()), Param::Bytes(a), Param::Word(3)];
    let stream = context.stream().unwrap();
    let (start, end) = (context.event().unwrap(), context.event().unwrap());
    start.record(&stream).unwrap();
    let shape = Shape { grid: [1, 1, 1], workgroup: [32, 1, 1], dynamic_shared_bytes: 64 << 10 };
    kernel.launch(&stream, &shape, &params).unwrap();
    end.record(&stream).unwrap();
    stream.wait().unwrap();
    assert_eq!(y.read().unwrap(), floats(&[6.0, 12.0, 18.0]));
    assert_eq!(end.seconds_since(&start).unwrap(), 0.25);
}

/// What the device is, in units that people use.
#[test]
fn devices_are_described() {
    let (_alone, cuda) = mock();
    let devices = cuda.devices().unwrap();
    assert_eq!(devices.len(), 1);
    assert_eq!((&*devices[0].name, devices[0].capability), ("Mock", (8, 0)));
    // 1 GHz, two transfers, 64 bytes each.
    assert_eq!(devices[0].memory_bytes_per_second, 128_000_000_000);
    assert_eq!(cuda.version(), (12, 4));
}

/// Memory is given back when its buffer goes, and what does not fit is said with what is free.
#[test]
fn memory_is_counted() {
    let (_alone, cuda) = mock();
    let context = cuda.context(0).unwrap();
    let before = context.free_bytes().unwrap();
    {
        let _held = context.alloc(600 << 10).unwrap();
        let (code, text) = message(context.alloc(600 << 10));
        assert_eq!(code, Code::DeviceFault);
        assert!(text.contains("OUT_OF_MEMORY") && text.contains("434176 of 1048576 bytes are free"), "{text}");
    }
    assert_eq!(context.free_bytes().unwrap(), before);
    context.alloc(0).unwrap();
}

/// Every failure is a diagnostic that says what the driver says.
#[test]
fn failures_are_diagnostics() {
    let (_alone, cuda) = mock();
    assert_eq!(message(cuda.context(3)).0, Code::NoDevice);
    let context = cuda.context(0).unwrap();
    let (code, text) = message(context.module(b"nonsense"));
    assert!(code == Code::DeviceFault && text.contains("line 1: syntax error"), "{text}");
    let module = context.module(b".version 8.0").unwrap();
    assert!(message(module.kernel("gemm")).1.contains("NOT_FOUND"));
    let kernel = module.kernel("axpy").unwrap();
    let stream = context.stream().unwrap();
    let shape = Shape { grid: [1, 1, 1], workgroup: [32, 1, 1], dynamic_shared_bytes: 0 };
    let nowhere = [Param::Word(8), Param::Word(8), Param::Word(0), Param::Word(4)];
    let (_, text) = message(kernel.launch(&stream, &shape, &nowhere));
    assert!(text.contains("ILLEGAL_ADDRESS") && text.contains("--device=ptx-emu"), "{text}");
    let huge = Shape { dynamic_shared_bytes: 200 << 10, ..shape };
    assert!(message(kernel.launch(&stream, &huge, &nowhere)).1.contains("204800 bytes of shared memory"));
}

/// Without a library there is one message, with what was tried.
#[test]
fn a_missing_driver_is_said() {
    let (code, text) = message(Cuda::open(Some("no-such-driver.so")));
    assert_eq!(code, Code::NoDevice);
    assert!(text.contains("no-such-driver.so") && text.contains("--device=emu"), "{text}");
}
