//! Functions of the CUDA system that are PTX here: a text that only declares one gets its body.

use super::super::ast::{Function, Module};
use super::super::lex::lex;
use super::{Parsed, Parser};

/// The barrier of all workgroups counts in the memory that a cooperative launch has for it, behind its size and the
/// barrier that programs keep there themselves.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "cudaCGGetIntrinsicHandle",
        ".func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope) {
  .reg .pred %is_grid;
  .reg .b32 %scope;
  .reg .b64 %handle;
  ld.param.b32 %scope, [scope];
  setp.eq.u32 %is_grid, %scope, 1;
  selp.b64 %handle, 1, 0, %is_grid;
  st.param.b64 [handle], %handle;
  ret;
}",
    ),
    (
        "cudaCGSynchronize",
        ".func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags) {
  .reg .pred %is_other, %waits;
  .reg .b32 %high, %low, %x, %y, %z, %all, %now, %goal;
  .reg .b64 %count;
  bar.sync 0;
  mov.b32 %x, %tid.x;
  mov.b32 %y, %tid.y;
  mov.b32 %z, %tid.z;
  or.b32 %x, %x, %y;
  or.b32 %x, %x, %z;
  setp.ne.u32 %is_other, %x, 0;
  @%is_other bra DONE;
  mov.b32 %high, %envreg1;
  mov.b32 %low, %envreg2;
  mov.b64 %count, {%low, %high};
  mov.b32 %x, %nctaid.x;
  mov.b32 %y, %nctaid.y;
  mov.b32 %z, %nctaid.z;
  mul.lo.u32 %all, %x, %y;
  mul.lo.u32 %all, %all, %z;
  fence.acq_rel.gpu;
  atom.add.relaxed.gpu.global.u32 %now, [%count + 8], 1;
  div.u32 %goal, %now, %all;
  mad.lo.u32 %goal, %goal, %all, %all;
WAIT:
  ld.relaxed.gpu.global.u32 %now, [%count + 8];
  setp.lt.u32 %waits, %now, %goal;
  @%waits bra WAIT;
  fence.acq_rel.gpu;
DONE:
  bar.sync 0;
  st.param.b32 [error], 0;
  ret;
}",
    ),
];

/// Adds the bodies of functions that the module declares and nobody defines. What is wrong in them is told at the
/// declaration.
pub(super) fn define(module: &mut Module) -> Parsed<()> {
    let is_missing = |function: &&Function| {
        let same = |other: &Function| other.name == function.name && other.body.is_some();
        function.body.is_none() && !module.functions.iter().any(same)
    };
    let mut found = Vec::new();
    for function in module.functions.iter().filter(is_missing) {
        let Some((_, text)) = FUNCTIONS.iter().find(|(name, _)| *name == function.name) else { continue };
        let tokens: Vec<_> = lex(text)?.into_iter().map(|(token, _)| (token, function.span)).collect();
        found.append(&mut Parser::new(tokens, function.span).module()?.functions);
    }
    module.functions.append(&mut found);
    Ok(())
}
