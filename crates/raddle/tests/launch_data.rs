//! What a launch takes stands beside the code, and in the artifact.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle::emit::sequence::{Argument, Base, Place, Step};
use raddle::ir::Expr;
use raddle::{Emit, Options, Parameter, compile};

use crate::common;

/// The sizes, buffers and what is done with them, of a kernel made from tensors.
#[test]
fn beside_the_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.ptx");
    common::raddle_with(&["build", "-", "-o", path.to_str().unwrap()], &common::matmul(64, 128, 96)).says(0, &[]);
    let data = std::fs::read_to_string(folder.path().join("k.json")).unwrap();
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    assert_eq!(data["version"], 1);
    assert_eq!(data["target"], "sm_80");
    let kernel = &data["kernels"][0];
    assert_eq!(kernel["entry"], "matmul");
    let parameters = kernel["parameters"].as_array().unwrap();
    let of = |field: &str| parameters.iter().map(|parameter| parameter[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("type"), ["f16", "f16", "f32"]);
    assert_eq!(of("access"), ["read", "read", "write"]);
    assert_eq!(serde_json::Value::from(of("shape")).to_string(), "[[64,96],[96,128],[64,128]]");
    // The code says the same.
    let code = std::fs::read_to_string(&path).unwrap();
    let by = |field: &str| {
        let sizes: Vec<String> = kernel[field].as_array().unwrap().iter().map(ToString::to_string).collect();
        sizes
    };
    assert!(code.contains(&format!("// grid: {}", by("grid").join(" x "))), "{code}");
    assert!(code.contains(&format!(".reqntid {}", by("workgroup").join(", "))), "{code}");
    assert!(code.contains(&format!("// shared memory: {} bytes", kernel["shared_bytes"])), "{code}");
}

/// A buffer that is read and written, a scalar, shared memory that the launch asks for, and a grid that nobody states.
#[test]
fn of_a_lowered_kernel() {
    let text = "
func.func @\"a.b\"(%x: memref<64xf32>, %n: i32) attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [32, 2, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<16384xf32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %s[%t] : memref<16384xf32, #gpu.address_space<workgroup>>
  memref.store %v, %x[%t] : memref<64xf32>
  return
}";
    let artifact = compile(text, &Options::default()).unwrap();
    let only = &artifact.kernels[0];
    assert_eq!((only.name.as_str(), only.entry.as_str()), ("a.b", "a$2Eb"));
    assert_eq!((only.shared_bytes, only.dynamic_shared_bytes), (65536, 65536));
    let kernel = &artifact.json()["kernels"][0];
    assert_eq!(kernel["parameters"][0]["access"], "read_write");
    assert_eq!(kernel["parameters"][1]["kind"], "scalar");
    assert_eq!(kernel["grid"], serde_json::Value::Null);
    assert_eq!(kernel["workgroup"].to_string(), "[32,2,1]");
}

/// A pipeline of tensor cores keeps its workgroup and its depth from the text to the launch, and PTX gives what the
/// program gives: both pipelines, on whole numbers, whose products of 128 are exact.
#[test]
fn of_a_tensor_core_pipeline() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(common::root().join("examples/tensor_core_matmul.mlir")).unwrap();
    for pipeline in ["LLVMGPUMatmulTensorCore", "LLVMGPUMatmulTensorCoreMmaSync"] {
        let text = text.replace("LLVMGPUMatmulTensorCore", pipeline).replace("512", "64");
        let code = path("k.ptx");
        common::raddle_with(&["build", "-", "-o", &code], &text).says(0, &[]);
        let data = std::fs::read_to_string(path("k.json")).unwrap();
        let data: serde_json::Value = serde_json::from_str(&data).unwrap();
        assert_eq!(data["kernels"][0]["workgroup"].to_string(), "[64,2,1]");
        // Three slots of 32x16 and of 16x32 halves.
        assert_eq!(data["kernels"][0]["shared_bytes"], 3 * 2 * (32 * 16 + 16 * 32));
        let code = std::fs::read_to_string(&code).unwrap();
        assert!(code.contains(".reqntid 64, 2, 1") && code.contains("%tid.y") && code.contains("cp.async"), "{code}");
        let whole = |n: usize, m: usize| (0..n).map(move |i| (i % m) as i64 - 1);
        let (a, b, c) = (64 * 128, 128 * 64, 64 * 64);
        let list = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let [a, b, c]: [Vec<i64>; 3] = [(a, 3), (b, 4), (c, 5)].map(|(n, m)| whole(n, m).collect());
        let sum = |i: usize, j: usize| (0..128).map(|k| a[i * 128 + k] * b[k * 64 + j]).sum::<i64>() + c[i * 64 + j];
        let d: Vec<i64> = (0..64 * 64).map(|at| sum(at / 64, at % 64)).collect();
        assert!(d.iter().all(|value| value.abs() < 2048));
        let inputs = [
            format!("--input=64x128xf16={}", list(&a)),
            format!("--input=128x64xf16={}", list(&b)),
            format!("--input=64x64xf16={}", list(&c)),
            format!("--expected_output=64x64xf16={}", list(&d)),
            "--expected_f16_threshold=0".to_owned(),
        ];
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        for more in [&["--device=ptx-emu"][..], &["--device=ptx-emu", "--async=eager", "--seed=5"], &["--at=pipelined"]]
        {
            let args = [&["run", "-"], &inputs[..], more].concat();
            common::raddle_with(&args, &text).says(0, &["correct"]);
        }
    }
}

/// Programs, options and what comes of them go from thread to thread, and threads do not get into each other's way.
#[test]
fn many_threads_compile_at_once() {
    fn goes_anywhere<T: Send + Sync>() {}
    goes_anywhere::<(raddle::Artifact, raddle::Report, Options)>();
    goes_anywhere::<(raddle::ir::Ir, raddle::ir::Diag, raddle::run::Tensor, raddle::Launch)>();
    let (text, options) = (common::matmul(64, 64, 64), Options::default());
    let compiled = || compile(&text, &options).map(|artifact| artifact.text).unwrap();
    let first = compiled();
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..4).map(|_| scope.spawn(compiled)).collect();
        assert!(others.into_iter().all(|other| other.join().unwrap() == first));
    });
}

/// The grid of a call follows from its numbers; where these give none, there is none.
#[test]
fn grids_are_evaluated() {
    let text = "func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }";
    let open = compile(text, &Options::default()).unwrap();
    let kernel = &open.kernels[0];
    assert_eq!(kernel.parameters.iter().filter(|parameter| parameter.extent_of.is_some()).count(), 3);
    assert!(kernel.parameters.iter().all(|parameter| parameter.shape.is_some() || !parameter.is_read));
    let grid = |n: i64| kernel.grid(&[0, 0, 0, n, n, n]);
    let [one, many] = [1, 1 << 20].map(|n| grid(n).unwrap()[0]);
    assert!(one == 1 && many > 1000, "{one} {many}");
    assert_eq!((grid(0), grid(-1 << 20)), (Some([0, 1, 1]), None));
    let known = compile(&common::matmul(64, 64, 64), &Options::default()).unwrap();
    assert_eq!(known.kernels[0].grid(&[]), Some(known.launch.grid));
}

/// What the host names is there: kernels, globals with their values or parameters, and functions that it carries out.
#[test]
fn plans_are_modules() {
    let text = "
      util.global private @w = dense<2.0> : tensor<8x8xf32>
      util.global private @p = #flow.parameter.named<\"model\"::\"w\"> : tensor<8x8xf32>
      func.func private @twice(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
        %zero = arith.constant 0.0 : f32
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %e = tensor.empty() : tensor<8x8xf32>
        %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<8x8xf32> {
          %z = linalg.matmul ins(%y, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>)
              -> tensor<8x8xf32>
          scf.yield %z : tensor<8x8xf32>
        }
        return %r : tensor<8x8xf32>
      }
      func.func @f(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
        %w = util.global.load @w : tensor<8x8xf32>
        %p = util.global.load @p : tensor<8x8xf32>
        %0 = call @twice(%x, %w, %n) : (tensor<8x8xf32>, tensor<8x8xf32>, index) -> tensor<8x8xf32>
        %1 = call @twice(%0, %p, %n) : (tensor<8x8xf32>, tensor<8x8xf32>, index) -> tensor<8x8xf32>
        return %1 : tensor<8x8xf32>
      }";
    let options = Options { function: Some("f".to_owned()), ..Options::default() };
    let artifact = compile(text, &options).unwrap();
    let plan = artifact.plan().unwrap();
    for part in ["@w = dense<2.0", "named<\"model\"::\"w\">", "func.func private @twice(", "func.func @f("] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
    let ir = raddle::ir::parse(&plan).unwrap_or_else(|diags| panic!("{}: {plan}", diags[0]));
    assert_eq!(raddle::ir::verify(&ir), Vec::new(), "{plan}");
    for kernel in &artifact.kernels {
        assert_eq!(plan.matches(&format!("func.func private @{}(", kernel.name)).count(), 1, "{plan}");
    }
    let known = compile(&common::matmul(64, 64, 64), &Options::default()).unwrap();
    assert_eq!(known.plan(), None);
}

/// A function of several kernels as data: its calls, what lies where, and sizes as expressions of what it is called with.
#[test]
fn functions_of_several_kernels_are_sequences() {
    let text = "
      util.global private @p = #flow.parameter.named<\"model\"::\"w\"> : tensor<128x64xf32>
      func.func @f(%x: tensor<?x128xf32>, %w: tensor<128x128xf32>) -> tensor<?x64xf32> {
        %zero = arith.constant 0.0 : f32
        %c0 = arith.constant 0 : index
        %n = tensor.dim %x, %c0 : tensor<?x128xf32>
        %e1 = tensor.empty(%n) : tensor<?x128xf32>
        %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x128xf32>) -> tensor<?x128xf32>
        %h = linalg.matmul ins(%x, %w : tensor<?x128xf32>, tensor<128x128xf32>) outs(%f1 : tensor<?x128xf32>) -> tensor<?x128xf32>
        %v = util.global.load @p : tensor<128x64xf32>
        %e2 = tensor.empty(%n) : tensor<?x64xf32>
        %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x64xf32>) -> tensor<?x64xf32>
        %r = linalg.matmul ins(%h, %v : tensor<?x128xf32>, tensor<128x64xf32>) outs(%f2 : tensor<?x64xf32>) -> tensor<?x64xf32>
        return %r : tensor<?x64xf32>
      }";
    for target in ["sm_80", "x86-64-v3"] {
        let emit = if target == "sm_80" { Emit::Ptx } else { Emit::Llvm };
        let artifact = compile(text, &Options { target: target.to_owned(), emit, ..Options::default() }).unwrap();
        let sequence = artifact.sequence.as_ref().unwrap();
        assert_eq!(artifact.no_sequence, None);
        // x, w, the result, and how many rows x has.
        assert_eq!(sequence.parameters.len(), 4);
        assert_eq!(sequence.parameters[3].extent_of, Some((0, 0)));
        let symbols = sequence.symbols(&[0, 0, 0, 7]).unwrap();
        let values =
            |extents: &[Expr]| extents.iter().map(|extent| extent.eval(&[], &symbols).unwrap()).collect::<Vec<_>>();
        assert_eq!(values(sequence.parameters[2].extents.as_ref().unwrap()), [7, 64]);
        assert_eq!(values(std::slice::from_ref(&sequence.workspace_bytes)), [7 * 128 * 4]);
        assert_eq!(sequence.weights(), [0]);
        let calls: Vec<(usize, &[Argument])> = (sequence.steps.iter())
            .map(|step| match step {
                Step::Call { kernel, arguments } => (*kernel, &arguments[..]),
                step => panic!("it only calls kernels: {step:?}"),
            })
            .collect();
        let [(0, first), (1, second)] = calls[..] else { panic!("{calls:?}") };
        let temporary = Argument::Buffer(Base::Workspace.into());
        assert!(first.contains(&temporary) && second.contains(&temporary));
        assert!(second.contains(&Argument::Buffer(Base::Constant(0).into())));
        assert!(second.contains(&Argument::Buffer(Base::Parameter(2).into())));
        // Kernels say of their results what the function says of its own.
        for kernel in &artifact.kernels {
            let open: Vec<&Parameter> =
                kernel.parameters.iter().filter(|parameter| parameter.extents.is_some()).collect();
            assert!(open.len() == 1 && open[0].is_written, "{:?}", kernel.parameters);
        }
        let json = artifact.json();
        assert_eq!(json["sequences"][0]["workspace_bytes"], "arg3 * 512");
        assert_eq!(json["sequences"][0]["constants"][0]["name"], "model::w");
        assert_eq!(json["sequences"][0]["entry"].is_null(), target == "sm_80");
    }
}

/// What kernels make for a tensor of several pieces is written where it belongs; what no kernel makes is copied there, and so
/// is a piece that is there twice.
#[test]
fn pieces_are_written_where_they_belong() {
    let products = "
      func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<32x64xf16>) -> tensor<TYPE> {
        %z = arith.constant 0.0 : f16
        %e = tensor.empty() : tensor<64x64xf16>
        %f = linalg.fill ins(%z : f16) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
        %p = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf16>) -> tensor<64x64xf16>
        %q = linalg.matmul ins(%b, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf16>) -> tensor<64x64xf16>
        PIECES
        return %r : tensor<TYPE>
      }";
    let concat = "%r = tensor.concat dim(0) %c, %p, %q
      : (tensor<32x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<160x64xf16>";
    let inserted = "%0 = tensor.empty() : tensor<192x64xf16>
      %1 = tensor.insert_slice %p into %0[128, 0] [64, 64] [1, 1] : tensor<64x64xf16> into tensor<192x64xf16>
      %2 = tensor.insert_slice %q into %1[0, 0] [64, 64] [1, 1] : tensor<64x64xf16> into tensor<192x64xf16>
      %r = tensor.insert_slice %p into %2[64, 0] [64, 64] [1, 1] : tensor<64x64xf16> into tensor<192x64xf16>";
    // Where the products lie in rows of the result, and where copies do.
    for (pieces, rows, products_at, copies_at) in
        [(concat, 160, [32, 96], vec![0]), (inserted, 192, [128, 0], vec![64])]
    {
        let text = products.replace("PIECES", pieces).replace("TYPE", &format!("{rows}x64xf16"));
        let artifact = compile(&text, &Options::default()).unwrap();
        let sequence = artifact.sequence.as_ref().unwrap();
        let row = |place: &Place| {
            assert_eq!(place.base, Base::Parameter(3));
            place.byte.eval(&[], &[]).unwrap() / 128
        };
        let (mut written, mut copied) = (Vec::new(), Vec::new());
        for step in &sequence.steps {
            match step {
                Step::Call { arguments, .. } => match arguments.last() {
                    Some(Argument::Buffer(place)) => written.push(row(place)),
                    other => panic!("a kernel writes a buffer: {other:?}"),
                },
                Step::Copy { to, .. } => copied.push(row(to)),
                step => panic!("{step:?}"),
            }
        }
        assert_eq!((&written[..], copied), (&products_at[..], copies_at), "{:?}", sequence.steps);
        assert_eq!(sequence.workspace_bytes, Expr::Const(0));
    }
}
