//! Executed PTX whose first argument is a tensor map.

use std::collections::BTreeMap;

use raddle_emu::{AsyncMode, Options, Tensor, ptx};
use raddle_ir::Diag;

use super::I32;

/// What kernels begin with: `%rd1` is the map, `%rd2` the second argument, `%r1` the thread, `%p1` whether it is the first
/// one, `%rd4` its own place in the second argument, `%r2` its own in `tile`.
pub const PLACES: &str = "
  mov.b64 %rd1, a;
  cvta.param.u64 %rd1, %rd1;
  ld.param.u64 %rd2, [b];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  mov.u32 %r2, tile;
  mad.lo.u32 %r2, %r1, 4, %r2;
  setp.eq.u32 %p1, %r1, 0;";

/// Waits for the first phase of `bar`.
pub const WAIT: &str = "
$W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;
  @!%p2 bra $W;";

/// What the second argument, numbers, is behind a run of the only kernel of a text.
pub fn run(
    text: &str,
    grid: [u32; 3],
    (a, map): (&Tensor, &ptx::TensorMap),
    b: &[i64],
    copies: AsyncMode,
) -> Result<Vec<i64>, Diag> {
    let args = [a.clone(), Tensor::from_i64(I32, &[b.len() as i64], b)];
    let launch = ptx::Launch { entry: None, grid, workgroup: None, cluster: None, shared_bytes: 0 };
    let options = Options { copies, fuel: 20_000_000, ..Options::default() };
    let maps = BTreeMap::from([(0, map.clone())]);
    let ran = ptx::run_with_maps(&ptx::parse(text)?, &args, &maps, &launch, &options)?;
    Ok(ran.args[1].to_i64())
}
