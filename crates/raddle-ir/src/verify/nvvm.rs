//! Which of NVIDIA's machines have an instruction: the module of a kernel says which it is for.

use super::Check;
use super::wording::ensure;
use crate::attrs::Attr;
use crate::ids::{AttrId, OpId};
use crate::ir::Ir;

/// What a machine must be to have an instruction.
enum Needs {
    /// It is of this version or a later one.
    AtLeast(u32),
    /// It is of one of these versions, with all that only these have (`sm_90a`).
    OneOf(&'static [u32]),
}

fn needs(name: &str) -> Option<Needs> {
    Some(match name {
        "nvvm.shfl.sync" => Needs::AtLeast(30),
        "nvvm.redux.sync" => Needs::AtLeast(80),
        "nvvm.read.ptx.sreg.clusterid.x" | "nvvm.read.ptx.sreg.cluster.ctarank" => Needs::AtLeast(90),
        "nvvm.read.ptx.sreg.cluster.ctaid.x" | "nvvm.read.ptx.sreg.cluster.ctaid.y" => Needs::AtLeast(90),
        "nvvm.read.ptx.sreg.cluster.ctaid.z" | "nvvm.read.ptx.sreg.cluster.nctaid.x" => Needs::AtLeast(90),
        "nvvm.read.ptx.sreg.cluster.nctaid.y" | "nvvm.read.ptx.sreg.aggr.smem.size" => Needs::AtLeast(90),
        "nvvm.cluster.arrive.relaxed" | "nvvm.cluster.wait" | "nvvm.mapa" => Needs::AtLeast(90),
        "nvvm.cp.async.bulk.wait_group" | "nvvm.cp.async.bulk.tensor.shared.cluster.global" => Needs::AtLeast(90),
        "nvvm.clusterlaunchcontrol.try.cancel" | "nvvm.clusterlaunchcontrol.query.cancel" => Needs::AtLeast(100),
        "nvvm.wgmma.fence.aligned" | "nvvm.wgmma.commit.group.sync.aligned" => Needs::OneOf(&[90]),
        "nvvm.wgmma.wait.group.sync.aligned" => Needs::OneOf(&[90]),
        "nvvm.convert.f32x4.to.f8x4" | "nvvm.convert.f32x4.to.f6x4" => Needs::OneOf(&[100, 103]),
        "nvvm.convert.f32x4.to.f4x4" => Needs::OneOf(&[100, 103]),
        "nvvm.tcgen05.alloc" | "nvvm.tcgen05.dealloc" => Needs::OneOf(&[100, 101]),
        "nvvm.tcgen05.relinquish_alloc_permit" | "nvvm.tcgen05.fence" => Needs::OneOf(&[100, 101]),
        "nvvm.tcgen05.wait" | "nvvm.tcgen05.commit" | "nvvm.tcgen05.cp" => Needs::OneOf(&[100, 101]),
        "nvvm.tcgen05.ld" | "nvvm.tcgen05.st" => Needs::OneOf(&[100, 101]),
        "nvvm.tcgen05.shift" => Needs::OneOf(&[100, 101, 103]),
        "nvvm.tcgen05.mma" | "nvvm.tcgen05.mma.sp" => Needs::OneOf(&[100, 110]),
        "nvvm.tcgen05.mma.block_scale" | "nvvm.tcgen05.mma.sp.block_scale" => Needs::OneOf(&[100, 110]),
        "nvvm.tcgen05.mma.ws" | "nvvm.tcgen05.mma.ws.sp" => Needs::OneOf(&[100, 110]),
        _ => return None,
    })
}

/// The machines that a kernel's module is for have its instructions.
pub(super) fn targets(ir: &Ir, module: OpId) -> Check {
    let Some(Attr::Array(targets)) = ir.attr(module, "targets") else { return Ok(()) };
    targets.iter().try_for_each(|&target| match &ir[target] {
        Attr::Dialect { name, .. } if ir[*name] == *"nvvm.target" => compatible(ir, module, target),
        _ => Ok(()),
    })
}

fn compatible(ir: &Ir, module: OpId, target: AttrId) -> Check {
    let level = ir.field(target, "O").and_then(|level| ir[level].as_i64());
    ensure(ir, module, level.is_none_or(|level| (0..4).contains(&level)), || {
        "The optimization level must be a number between 0 and 3.".to_owned()
    })?;
    if ir.field(target, "verifyTarget").is_some_and(|flag| ir[flag] == Attr::Bool(false)) {
        return Ok(());
    }
    let Some(Attr::Str(chip)) = ir.field(target, "chip").map(|chip| &ir[chip]) else { return Ok(()) };
    let chip = &ir[*chip];
    let digits = chip.trim_start_matches("sm_").trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let Ok(version) = digits.parse::<u32>() else { return Ok(()) };
    for op in ir.walk(module) {
        let fits = match needs(ir.name(op)) {
            Some(Needs::AtLeast(least)) => version >= least,
            Some(Needs::OneOf(versions)) => chip.ends_with('a') && versions.contains(&version),
            None => true,
        };
        ensure(ir, op, fits, || format!("is not supported on {chip}"))?;
    }
    Ok(())
}
