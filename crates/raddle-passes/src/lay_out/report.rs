//! Report: say the layout of every value as a remark, and write none of them down.
//!
//! The analysis runs as it does in `lay_out`, with one difference: no workgroup is known, so that every layout fits and
//! nothing is chosen where no anchor reaches. Conversions and copies stay in the program.

use raddle_ir::{Builder, Code, Diag, Ir, OpId, Opcode, ValueId, ValueMap};

use super::layouts::Layouts;
use super::{anchored, pack, resolve};
use crate::config::Launch;
use crate::facts::Facts;

/// More lanes and subgroups than any layout asks for.
const ENDLESS: Launch = Launch::along_x(1 << 40, 1 << 20);

/// Makes every change of layout that moves values between threads an operation of its own, in front of the anchor that
/// asks for it, and gives these.
pub fn conversions(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<Vec<OpId>, Diag> {
    let layouts = resolved(ir, func, facts)?;
    let mut conversions = Vec::new();
    for op in ir.walk(func) {
        if ir.opcode(op) != Opcode::IreeVectorExtToLayout {
            continue;
        }
        let value = ir.operand(op, 0);
        let (Some(from), Some(to)) = (layouts.get(value), layouts.get(ir.result(op, 0))) else { continue };
        if from.same_threads(to) {
            continue;
        }
        let conversion = if layouts.placed.contains(&op) {
            op
        } else {
            let conversion = Builder::before(ir, op).copy(op, &mut ValueMap::default());
            let held = ir.result(conversion, 0);
            ir.set_operand(op, 0, held);
            conversion
        };
        conversions.push(conversion);
    }
    Ok(conversions)
}

/// The layouts that anchors mean for the vectors of a function, the program changed so that they agree.
fn resolved(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<Layouts, Diag> {
    let ops = ir.walk(func);
    let mut layouts = Layouts::new(ir, &ops, facts.chip, ENDLESS);
    anchored(ir, &ops, &mut layouts, |_, _, _, _| Ok(()))?;
    for &op in &ops {
        resolve::resolve(ir, op, &mut layouts);
    }
    Ok(layouts)
}

/// Finds the layouts that anchors mean for the vectors of a function, and says each.
pub fn report(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let layouts = resolved(ir, func, facts)?;
    let packs = pack::spread(ir, &ir.walk(func));
    let text = |value: ValueId| match layouts.get(value) {
        Some(layout) if layout.rank() > 0 => Some(format!("#iree_vector_ext.{layout}")),
        Some(_) => None,
        None => packs.get(&value).map(|pack| format!("#iree_map.pack_layout<{pack}>")),
    };
    let mut remarks = facts.remarks.borrow_mut();
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::IreeVectorExtToLayout {
            continue;
        }
        for (i, value) in ir.results(op).enumerate() {
            if let Some(text) = text(value) {
                let message = format!("layout of result #{i} is {text}");
                remarks.push(Diag::error(Code::LayoutReport, ir.span(op), message).as_remark());
            }
        }
    }
    Ok(())
}
