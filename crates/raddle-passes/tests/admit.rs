//! Dispatches become functions: what they compute stays, and the interface says where it lies.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Options, Tensor};
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Code, Diag, Ir, OpId, Scalar, parse, print, verify};
use raddle_passes::{Facts, PASSES};
use raddle_target::chip;

const F32: Scalar = Scalar::Float(raddle_ir::Float::F32);

fn run_pass(ir: &mut Ir, name: &str, op: OpId) -> Result<(), Diag> {
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    pass.run(ir, op, &Facts::new(chip("sm_80").unwrap()))?;
    let problems = verify(ir);
    assert!(problems.is_empty(), "{problems:?}\n{}", print(ir, &Default::default()));
    Ok(())
}

/// The function of a text, taken out of what is around it, with arguments and results.
fn admitted(text: &str) -> Result<(Ir, OpId), Diag> {
    let mut ir = parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let module = ir.module();
    run_pass(&mut ir, "hoist-dispatches", module)?;
    let func = ir.funcs()[0];
    run_pass(&mut ir, "admit", func)?;
    Ok((ir, func))
}

fn results(ir: &Ir, func: OpId, args: &[Tensor]) -> Vec<Vec<f64>> {
    let launch = Launch::of(ir, func).unwrap();
    let ran = raddle_emu::run(ir, func, args, &launch, &Options::default()).unwrap_or_else(|diag| panic!("{diag}"));
    ran.results.iter().map(Tensor::to_f64).collect()
}

fn counted(shape: &[i64]) -> Tensor {
    let n = shape.iter().product::<i64>();
    Tensor::from_f64(F32, shape, &(0..n).map(|i| i as f64).collect::<Vec<_>>())
}

/// Binding and first byte of a slot whose offset is a number.
fn place(slot: &Slot) -> (usize, i64) {
    match slot {
        Slot::Binding { binding, offset, .. } => (*binding, offset.eval(&[], &[]).unwrap()[0]),
        Slot::Constant(at) => panic!("constant {at} is not memory"),
    }
}

/// A function body with `#layout` of three bindings and two constants; `DIALECT` is the one of dispatch tensors.
fn dispatch(body: &str, dialect: &str) -> String {
    format!(
        "#layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>
         func.func @f() {{ {body} return }}"
    )
    .replace("DIALECT", dialect)
}

/// A part that is contiguous is an argument at its own offset, any other one a slice; arguments are in the order of the
/// bindings, whatever order the program names them in. In both spellings.
#[test]
fn parts_of_bindings_are_arguments() {
    let body = "
        %at = arith.constant 256 : index
        %row = hal.interface.binding.subspan layout(#layout) binding(2) offset(%at) : !DIALECT.dispatch.tensor<readonly:tensor<4x8xf32>>
        %square = hal.interface.binding.subspan layout(#layout) binding(0) : !DIALECT.dispatch.tensor<readonly:tensor<4x16xf32>>
        %to = hal.interface.binding.subspan layout(#layout) binding(1) : !DIALECT.dispatch.tensor<writeonly:tensor<2x8xf32>>
        %r = DIALECT.dispatch.tensor.load %row, offsets = [2, 0], sizes = [1, 8], strides = [1, 1] : !DIALECT.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<8xf32>
        %s = DIALECT.dispatch.tensor.load %square, offsets = [1, 4], sizes = [2, 8], strides = [2, 1] : !DIALECT.dispatch.tensor<readonly:tensor<4x16xf32>> -> tensor<2x8xf32>
        %e = tensor.empty() : tensor<2x8xf32>
        %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
            iterator_types = [\"parallel\", \"parallel\"]} ins(%r, %s : tensor<8xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %c = arith.addf %a, %b : f32
          linalg.yield %c : f32
        } -> tensor<2x8xf32>
        DIALECT.dispatch.tensor.store %sum, %to, offsets = [0, 0], sizes = [2, 8], strides = [1, 1] : tensor<2x8xf32> -> !DIALECT.dispatch.tensor<writeonly:tensor<2x8xf32>>";
    for dialect in ["iree_tensor_ext", "flow"] {
        let (ir, func) = admitted(&dispatch(body, dialect)).unwrap();
        let interface = Interface::of(&ir, func).unwrap().unwrap();
        assert_eq!((interface.bindings, interface.constants), (3, 2));
        let places: Vec<_> = interface.arguments.iter().map(place).collect();
        assert_eq!(places, [(0, 0), (2, 256 + 2 * 8 * 4)]);
        assert_eq!(interface.results.iter().map(place).collect::<Vec<_>>(), [(1, 0)]);
        let sum = results(&ir, func, &[counted(&[4, 16]), counted(&[8])]);
        let expected: Vec<f64> =
            (0..2).flat_map(|i| (0..8).map(move |j| (j + (1 + 2 * i) * 16 + 4 + j) as f64)).collect();
        assert_eq!(sum, [expected]);
    }
}

/// What is written beside a part stays: the part is put into the previous contents, which are at the same place.
#[test]
fn a_part_that_is_not_contiguous_is_put_into_what_was_there() {
    let body = "
        %a = hal.interface.binding.subspan layout(#layout) binding(0) : !DIALECT.dispatch.tensor<readonly:tensor<2x4xf32>>
        %b = hal.interface.binding.subspan layout(#layout) binding(1) : !DIALECT.dispatch.tensor<writeonly:tensor<2x12xf32>>
        %t = DIALECT.dispatch.tensor.load %a, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !DIALECT.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        DIALECT.dispatch.tensor.store %t, %b, offsets = [0, 4], sizes = [2, 4], strides = [1, 1] : tensor<2x4xf32> -> !DIALECT.dispatch.tensor<writeonly:tensor<2x12xf32>>";
    let (ir, func) = admitted(&dispatch(body, "iree_tensor_ext")).unwrap();
    let interface = Interface::of(&ir, func).unwrap().unwrap();
    assert_eq!(interface.arguments.iter().map(place).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    assert_eq!(place(&interface.results[0]), (1, 0));
    let before = Tensor::from_f64(F32, &[2, 12], &[-1.0; 24]);
    let mut expected = vec![-1.0; 24];
    for i in 0..2 {
        for j in 0..4 {
            expected[i * 12 + 4 + j] = (i * 4 + j) as f64;
        }
    }
    assert_eq!(results(&ir, func, &[counted(&[2, 4]), before]), [expected]);
}

/// Both halves of a 64-bit number are constants; offsets and extents follow from them, and what is assumed stays.
#[test]
fn offsets_and_extents_follow_from_constants() {
    let body = "
        %c32 = arith.constant 32 : i64
        %0 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
        %1 = hal.interface.constant.load layout(#layout) ordinal(1) : i32
        %l = arith.extui %0 : i32 to i64
        %h = arith.extui %1 : i32 to i64
        %s = arith.shli %h, %c32 : i64
        %w = arith.ori %l, %s : i64
        %i = arith.index_castui %w : i64 to index
        %n = util.assume.int %i<umin = 64, umax = 4096, udiv = 64> : index
        %a = hal.interface.binding.subspan layout(#layout) binding(0) offset(%n) : !DIALECT.dispatch.tensor<readonly:tensor<?x8xf32>>{%n}
        %b = hal.interface.binding.subspan layout(#layout) binding(1) : !DIALECT.dispatch.tensor<writeonly:tensor<?x8xf32>>{%n}
        %t = DIALECT.dispatch.tensor.load %a, offsets = [0, 0], sizes = [%n, 8], strides = [1, 1] : !DIALECT.dispatch.tensor<readonly:tensor<?x8xf32>>{%n} -> tensor<?x8xf32>
        %e = tensor.empty(%n) : tensor<?x8xf32>
        %r = linalg.exp ins(%t : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
        DIALECT.dispatch.tensor.store %r, %b, offsets = [0, 0], sizes = [%n, 8], strides = [1, 1] : tensor<?x8xf32> -> !DIALECT.dispatch.tensor<writeonly:tensor<?x8xf32>>{%n}";
    let (ir, func) = admitted(&dispatch(body, "iree_tensor_ext")).unwrap();
    let interface = Interface::of(&ir, func).unwrap().unwrap();
    let [Slot::Binding { offset, extents, .. }] = &interface.arguments[..] else { panic!("{interface:?}") };
    assert_eq!(offset.eval(&[], &[192, 2]), Some(vec![192 + (2 << 32)]));
    assert_eq!(extents.eval(&[], &[192, 2]), Some(vec![192 + (2 << 32), 8]));
    let text = print(&ir, &Default::default());
    for kept in ["tensor.dim %", "udiv = 64"] {
        assert!(text.contains(kept), "`{kept}` is missing in {text}");
    }
}

/// Memory that other operations use stays memory.
#[test]
fn memrefs_become_arguments() {
    let body = "
        %c1 = arith.constant 1 : index
        %a = hal.interface.binding.subspan layout(#layout) binding(1) : memref<4xf32, strided<[1], offset: ?>>
        %b = hal.interface.binding.subspan layout(#layout) binding(0) : memref<4xf32>
        %x = memref.load %a[%c1] : memref<4xf32, strided<[1], offset: ?>>
        memref.store %x, %b[%c1] : memref<4xf32>";
    let (ir, func) = admitted(&dispatch(body, "iree_tensor_ext")).unwrap();
    let ran = raddle_emu::run(
        &ir,
        func,
        &[counted(&[4]), Tensor::from_f64(F32, &[4], &[5.0, 6.0, 7.0, 8.0])],
        &Launch::of(&ir, func).unwrap(),
        &Options::default(),
    );
    assert_eq!(ran.unwrap().buffers[0].to_f64(), [0.0, 6.0, 2.0, 3.0]);
}

/// A function of the `util` dialect that computes is a function like others; what the host does with buffers stays.
#[test]
fn functions_of_util_are_functions() {
    let text = "util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
                  %b = util.optimization_barrier %a : tensor<4xf32>
                  util.return %b : tensor<4xf32>
                }
                util.func public @host(%a: !hal.buffer_view) { util.return }";
    let (ir, func) = admitted(text).unwrap();
    assert_eq!(results(&ir, func, &[counted(&[4])]), [[0.0, 1.0, 2.0, 3.0]]);
    let text = print(&ir, &Default::default());
    assert!(text.contains("util.func public @host") && !text.contains("optimization_barrier"), "{text}");
}

/// Functions come out of executables; of several variants, the one for the chip.
#[test]
fn functions_come_out_of_executables() {
    let variant = |arch: &str, value: i32| {
        format!(
            "hal.executable.variant public @{arch} target(<\"cuda\", \"cuda-nvptx-fb\", {{arch = \"{arch}\"}}>) {{
               hal.executable.export public @f ordinal(0) layout(#layout) count(%d: !hal.device) -> (index, index, index) {{
                 %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
                 hal.return %x, %y, %z : index, index, index
               }}
               builtin.module {{ func.func @f() {{ %c = arith.constant {value} : i32 return }} }}
             }}"
        )
    };
    let layout = "#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>";
    let text = format!("{layout} hal.executable private @e {{ {} {} }}", variant("sm_90", 1), variant("sm_80", 2));
    let (ir, _) = admitted(&text).unwrap();
    let text = print(&ir, &Default::default());
    assert!(!text.contains("hal.executable") && text.contains("constant 2"), "{text}");
    let twice = format!(
        "{layout} hal.executable private @e {{ {} }} hal.executable private @g {{ {} }}",
        variant("sm_80", 1),
        variant("sm_80", 2)
    );
    assert_eq!(admitted(&twice).err().unwrap().code, Code::CannotAdmit);
}
