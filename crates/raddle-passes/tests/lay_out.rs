//! What layout analysis decides, and what it says about it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_ir::{Attr, Code, Diag, Ir, OpId, Opcode, parse, print, verify};
use raddle_passes::{Facts, PASSES};
use raddle_target::chip;

/// Two layouts of 16x64 for 32 lanes: neighbours along a row, and rows of their own.
const LAYOUTS: &str = "\
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
";

fn kernel(args: &str, body: &str) -> String {
    format!(
        "{LAYOUTS}#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel({args}) attributes {{translation_info = #launch}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
{body}
  return
}}"
    )
}

fn pass(name: &str, text: &str) -> Result<(Ir, Vec<Diag>), Diag> {
    let mut ir = parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    let facts = Facts::new(chip("sm_80").unwrap());
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    (pass.run)(&mut ir, func, &facts)?;
    let problems = verify(&ir);
    assert!(problems.is_empty(), "{problems:?}\n{}", print(&ir, &Default::default()));
    Ok((ir, facts.remarks.into_inner()))
}

fn lay_out(text: &str) -> (Ir, Vec<Diag>) {
    pass("lay-out", text).unwrap_or_else(|diag| panic!("{diag:?}\n{text}"))
}

fn all(ir: &Ir, opcode: Opcode) -> Vec<OpId> {
    ir.walk(ir.funcs()[0]).into_iter().filter(|&op| ir.opcode(op) == opcode).collect()
}

/// The text of the layouts on an operation.
fn layouts(ir: &Ir, op: OpId) -> String {
    raddle_ir::print_attr(ir, ir.attr_id(op, "layouts").unwrap())
}

/// Values are converted while they are narrow, whichever side the anchors stand on.
#[test]
fn conversions_go_where_elements_are_narrow() {
    let wide = kernel(
        "%in: memref<16x64xf16>, %out: memref<16x64xf32>",
        "  %zero = arith.constant 0.0 : f16
  %v = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x64xf16>, vector<16x64xf16>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf16>
  %w = arith.extf %a : vector<16x64xf16> to vector<16x64xf32>
  %s = arith.addf %w, %w : vector<16x64xf32>
  %b = iree_vector_ext.to_layout %s to layout(#b) : vector<16x64xf32>
  vector.transfer_write %b, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>",
    );
    let narrow = kernel(
        "%in: memref<16x64xf32>, %out: memref<16x64xf16>",
        "  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf32>
  %s = arith.addf %a, %a : vector<16x64xf32>
  %w = arith.truncf %s : vector<16x64xf32> to vector<16x64xf16>
  %b = iree_vector_ext.to_layout %w to layout(#b) : vector<16x64xf16>
  vector.transfer_write %b, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf16>, memref<16x64xf16>",
    );
    for text in [wide, narrow] {
        let (ir, _) = lay_out(&text);
        let layout = |value| match ir.def_op(value).and_then(|op| ir.attr(op, "layouts")) {
            Some(Attr::Array(list)) => list[0],
            _ => panic!("every vector comes from an operation with a layout"),
        };
        let moving: Vec<OpId> = all(&ir, Opcode::IreeVectorExtToLayout)
            .into_iter()
            .filter(|&op| layout(ir.operand(op, 0)) != layout(ir.result(op, 0)))
            .collect();
        assert_eq!(moving.len(), 1, "{}", print(&ir, &Default::default()));
        assert_eq!(raddle_ir::print_type(&ir, ir.type_of(ir.result(moving[0], 0))), "vector<16x64xf16>");
    }
}

/// What costs little is made again, what costs much is converted, and the remark says what each would have cost.
#[test]
fn the_cheapest_way_is_taken_and_told() {
    let text = kernel(
        "%in: memref<16x64xf32>, %out: memref<16x64xf32>, %n: index",
        "  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf32>
  %m = vector.create_mask %c4, %n : vector<16x64xi1>
  %x = arith.mulf %a, %a : vector<16x64xf32>
  %s = arith.select %m, %x, %a : vector<16x64xi1>, vector<16x64xf32>
  %b = iree_vector_ext.to_layout %x to layout(#b) : vector<16x64xf32>
  %t = arith.select %m, %b, %b : vector<16x64xi1>, vector<16x64xf32>
  vector.transfer_write %s, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
  vector.transfer_write %t, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>",
    );
    let (ir, remarks) = lay_out(&text);
    let masks: Vec<String> = all(&ir, Opcode::VectorCreateMask).into_iter().map(|op| layouts(&ir, op)).collect();
    assert_eq!(masks.len(), 2, "{}", print(&ir, &Default::default()));
    assert_ne!(masks[0], masks[1]);
    let again = remarks.iter().find(|remark| remark.message.contains("`vector.create_mask` is made again")).unwrap();
    let costs = again.notes.iter().find(|note| note.contains("costs")).unwrap();
    assert!(costs.starts_with("making it again costs") && costs.contains("converting it costs"), "{costs}");
    let number = |text: &str| text.split("costs ").nth(1).unwrap().split(',').next().unwrap().parse::<i64>().unwrap();
    let (made, converted) = costs.split_once(", ").unwrap();
    assert!(number(made) < number(converted), "{costs}");
}

/// Layouts go around loops with a condition and along jumps between blocks, in whichever place the anchor stands; what
/// arrives from elsewhere in another layout is converted in front of the edge.
#[test]
fn layouts_follow_control() {
    let read = "%v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>";
    let write = |value: &str| {
        format!(
            "vector.transfer_write {value}, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<16x64xf32>, memref<16x64xf32>"
        )
    };
    let loops = format!(
        "  {read}
  %r:2 = scf.while (%x = %v, %i = %c0) : (vector<16x64xf32>, index) -> (vector<16x64xf32>, index) {{
    %more = arith.cmpi slt, %i, %c4 : index
    %y = arith.mulf %x, %x : vector<16x64xf32>
    scf.condition(%more) %y, %i : vector<16x64xf32>, index
  }} do {{
  ^bb0(%z: vector<16x64xf32>, %j: index):
    %k = arith.addi %j, %c1 : index
    %w = arith.negf %z : vector<16x64xf32>
    scf.yield %w, %k : vector<16x64xf32>, index
  }}
  %b = iree_vector_ext.to_layout %r#0 to layout(#b) : vector<16x64xf32>
  {}",
        write("%b")
    );
    let jumps = format!(
        "  {read}
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf32>
  %c = arith.cmpi slt, %n, %c4 : index
  cf.cond_br %c, ^one(%a : vector<16x64xf32>), ^two
^one(%x: vector<16x64xf32>):
  %y = arith.negf %x : vector<16x64xf32>
  cf.br ^end(%y : vector<16x64xf32>)
^two:
  {}
  %b = iree_vector_ext.to_layout %other to layout(#b) : vector<16x64xf32>
  cf.br ^end(%b : vector<16x64xf32>)
^end(%e: vector<16x64xf32>):
  {}",
        read.replace("%v", "%other"),
        write("%e")
    );
    let args = "%in: memref<16x64xf32>, %out: memref<16x64xf32>, %n: index";
    let (ir, _) = lay_out(&kernel(args, &loops));
    let of = |opcode: Opcode| all(&ir, opcode).into_iter().map(|op| layouts(&ir, op)).collect::<Vec<_>>();
    let b = of(Opcode::IreeVectorExtToLayout);
    assert_eq!(b.len(), 1, "{}", print(&ir, &Default::default()));
    for opcode in [Opcode::VectorTransferRead, Opcode::ArithMulf, Opcode::ArithNegf] {
        assert_eq!(of(opcode), b, "{opcode:?}");
    }
    let (ir, _) = lay_out(&kernel(args, &jumps));
    // The two anchors, and one conversion in front of a jump: both sides come together in one layout.
    assert_eq!(all(&ir, Opcode::IreeVectorExtToLayout).len(), 3, "{}", print(&ir, &Default::default()));
    let sides: Vec<String> =
        all(&ir, Opcode::CfBr).into_iter().map(|op| layouts(&ir, ir.def_op(ir.operand(op, 0)).unwrap())).collect();
    assert_eq!(sides[0], sides[1]);
}

/// A configuration whose bases name digits in another order than the loops, and digits that no loop has.
#[test]
fn bases_may_name_any_digits() {
    let config = "lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1, 1], [0, 1, 2]], \
                  lane_basis = [[2, 4, 2, 2], [2, 0, 1]], thread = [1, 2, 0]}>";
    let text = kernel(
        "%in: memref<2x4x8xf32>, %out: memref<2x4x8xf32>",
        &format!(
            "  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {{in_bounds = [true, true, true], {config}}} : memref<2x4x8xf32>, vector<2x4x8xf32>
  vector.transfer_write %v, %out[%c0, %c0, %c0] {{in_bounds = [true, true, true]}} : vector<2x4x8xf32>, memref<2x4x8xf32>"
        ),
    );
    let (ir, _) = lay_out(&text);
    let found = layouts(&ir, all(&ir, Opcode::VectorTransferRead)[0]);
    // Loop 0 has the digit of 2 with two places behind it, loop 1 the digit of 2 in front, loop 2 that of 4; the last
    // digit belongs to nobody.
    assert!(found.contains("thread_tile = [2, 2, 4]"), "{found}");
    assert!(found.contains("thread_strides = [2, 16, 4]"), "{found}");
    assert!(found.contains("batch_tile = [1, 1, 2]"), "{found}");
    for (bad, why) in [
        ("lane_basis = [[2, 4], [0, 0, 1]]", "lane_basis"),
        ("lane_basis = [[2, 4], [0, 1, 2]]", "lane_basis"),
        ("lane_basis = [[2, 16], [0, 1]]", "3 loops"),
        ("lane_basis = [[32, 1, 1], [0, 1, 2]]", "do not divide"),
    ] {
        // What no operation could have is refused by the verifier, what this one cannot have by the pass.
        let text = text.replace("lane_basis = [[2, 4, 2, 2], [2, 0, 1]]", bad);
        let said = match parse(&text) {
            Err(diags) => format!("{diags:?}"),
            Ok(_) => format!("{:?}", pass("lay-out", &text).map(|_| ()).unwrap_err()),
        };
        assert!(said.contains(why), "{bad}: {said}");
    }
}

/// The report says the layout of each value once, chooses nothing, and writes nothing down.
#[test]
fn a_report_is_not_a_decision() {
    let text = kernel(
        "%in: memref<16x64xf32>, %out: memref<16x64xf32>",
        "  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf32>
  %t = vector.transpose %a, [1, 0] : vector<16x64xf32> to vector<64x16xf32>
  %lone = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  vector.transfer_write %lone, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>",
    );
    let (ir, remarks) = pass("report-layouts", &text).unwrap();
    assert!(ir.walk(ir.funcs()[0]).into_iter().all(|op| ir.attr_id(op, "layouts").is_none()));
    assert!(remarks.iter().all(|remark| remark.code == Code::LayoutReport));
    let said: Vec<&str> = remarks.iter().map(|remark| remark.message.as_str()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("layout of result #0") && said[0].contains("thread_tile = [1, 32]"), "{said:?}");
    assert!(said[1].contains("thread_tile = [32, 1]"), "{said:?}");
}
