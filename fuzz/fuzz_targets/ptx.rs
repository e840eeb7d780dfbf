//! Any bytes as PTX: what parses is run within small limits, and the answer is a result or a diagnostic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_emu::{AsyncMode, Options, Tensor, ptx};
use raddle_ir::Scalar;

fuzz_target!(|bytes: &[u8]| {
    let Ok(module) = ptx::parse(&String::from_utf8_lossy(bytes)) else { return };
    let buffer = Tensor::zeros(Scalar::Int(32), &[4096]);
    let number = Tensor::from_i64(Scalar::Int(32), &[], &[64]);
    // Two buffers and a number, or as many buffers as the kernel takes parameters.
    for args in [vec![buffer.clone(), buffer.clone(), number], vec![buffer.clone()], vec![buffer.clone(); 4]] {
        let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: Some([64, 1, 1]), cluster: None, shared_bytes: 4096 };
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let options = Options { fuel: 200_000, memory_max: 64 << 20, copies, ..Options::default() };
            let _ = ptx::run(&module, &args, &launch, &options);
        }
    }
});
