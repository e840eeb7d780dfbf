//! What the PTX tests share: small lowered kernels built by hand, and the assembler when it is there.
#![allow(clippy::unwrap_used, dead_code, reason = "a test fails by panicking, and each test file uses a part of this")]
#![allow(clippy::print_stderr, reason = "a test that could not check says so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_emit::ptx;
use raddle_ir::{Attr, Body, Builder, Diag, Float, Ir, OpId, Opcode, Span, Type, TypeId, ValueId, keyword_attr};
use raddle_target::{Lowered, chip};

/// A kernel under construction.
pub struct Kernel {
    pub ir: Ir,
    pub func: OpId,
}

impl Kernel {
    /// A function with arguments of these types, in a workgroup of this many threads.
    pub fn new(name: &str, args: impl FnOnce(&mut Ir) -> Vec<TypeId>, threads: i64) -> Kernel {
        let mut ir = Ir::new();
        let args = args(&mut ir);
        let sym_name = ir.str_attr(name);
        let function_type = ir.intern_type(Type::Function { inputs: args.clone(), results: Vec::new() });
        let function_type = ir.intern(Attr::Type(function_type));
        let size = ir.i64_array(&[threads, 1, 1]);
        let (info, field) = (ir.intern_str("iree_codegen.translation_info"), ir.intern_str("workgroup_size"));
        let info = ir.intern(Attr::Dialect { name: info, body: Body::Fields(vec![(field, size)]) });
        let attrs = [("sym_name", sym_name), ("function_type", function_type), ("translation_info", info)];
        let module = ir.module_block();
        let func = Builder::at_end(&mut ir, module, Span::default()).op(Opcode::FuncFunc, &[], &[], &attrs);
        let region = ir.add_region(func);
        ir.add_block(region, &args);
        Kernel { ir, func }
    }

    /// Builds the body; the return is added.
    pub fn body(mut self, body: impl FnOnce(&mut Builder<'_>, &[ValueId])) -> Kernel {
        let block = self.ir.entry(self.func);
        let args = self.ir.args(block).to_vec();
        let mut builder = Builder::at_end(&mut self.ir, block, Span::default());
        body(&mut builder, &args);
        builder.op(Opcode::FuncReturn, &[], &[], &[]);
        self
    }

    /// The PTX text for sm_80.
    pub fn emit(&self) -> Result<String, Diag> {
        self.emit_for("sm_80")
    }

    /// The PTX text for a chip.
    pub fn emit_for(&self, name: &str) -> Result<String, Diag> {
        self.emit_with(name, &ptx::Options::default())
    }

    /// The PTX text for a chip, with choices.
    pub fn emit_with(&self, name: &str, options: &ptx::Options) -> Result<String, Diag> {
        let lowered = Lowered::check(&self.ir, self.func, chip(name).unwrap())?;
        ptx::emit_with(&self.ir, &lowered, options)
    }
}

/// `memref<n x elem>`
pub fn global(ir: &mut Ir, n: i64, elem: TypeId) -> TypeId {
    ir.memref_type(&[n], elem, None)
}

/// `memref.alloc() : memref<n x elem, #gpu.address_space<workgroup>>`
pub fn shared(b: &mut Builder<'_>, n: i64, elem: TypeId) -> ValueId {
    let space = keyword_attr(b.ir, "gpu.address_space", "workgroup");
    let ty = b.ir.memref_type(&[n], elem, Some(space));
    let sizes = b.ir.segment_sizes(&[0, 0]);
    b.value(Opcode::MemrefAlloc, &[], ty, &[("operandSegmentSizes", sizes)])
}

pub fn f16(ir: &mut Ir) -> TypeId {
    ir.float_type(Float::F16)
}

pub fn f32(ir: &mut Ir) -> TypeId {
    ir.float_type(Float::F32)
}

pub fn thread_id(b: &mut Builder<'_>) -> ValueId {
    let dim = b.keyword_attr("gpu.dim", "x");
    let index = b.ir.index_type();
    b.value(Opcode::GpuThreadId, &[], index, &[("dimension", dim)])
}

pub fn block_id(b: &mut Builder<'_>, dim: &str) -> ValueId {
    let dim = b.keyword_attr("gpu.dim", dim);
    let index = b.ir.index_type();
    b.value(Opcode::GpuBlockId, &[], index, &[("dimension", dim)])
}

/// `op lhs, constant` on indices.
pub fn with(b: &mut Builder<'_>, opcode: Opcode, lhs: ValueId, constant: i64) -> ValueId {
    let rhs = b.index(constant);
    b.binary(opcode, lhs, rhs)
}

pub fn load(b: &mut Builder<'_>, base: ValueId, index: ValueId) -> ValueId {
    let elem = b.ir.elem_of(base);
    b.value(Opcode::MemrefLoad, &[base, index], elem, &[])
}

pub fn store(b: &mut Builder<'_>, value: ValueId, base: ValueId, index: ValueId) {
    b.op(Opcode::MemrefStore, &[value, base, index], &[], &[]);
}

pub fn vector_load(b: &mut Builder<'_>, base: ValueId, index: ValueId, n: i64) -> ValueId {
    let elem = b.ir.elem_of(base);
    let ty = b.ir.vector_type(&[n], elem);
    b.value(Opcode::VectorLoad, &[base, index], ty, &[])
}

pub fn vector_store(b: &mut Builder<'_>, value: ValueId, base: ValueId, index: ValueId) {
    b.op(Opcode::VectorStore, &[value, base, index], &[], &[]);
}

pub fn from_elements(b: &mut Builder<'_>, elements: &[ValueId], shape: &[i64]) -> ValueId {
    let elem = b.ir.type_of(elements[0]);
    let ty = b.ir.vector_type(shape, elem);
    b.value(Opcode::VectorFromElements, elements, ty, &[])
}

pub fn to_elements(b: &mut Builder<'_>, vector: ValueId) -> Vec<ValueId> {
    let n: i64 = b.ir.shape_of(vector).iter().product();
    let elem = b.ir.elem_of(vector);
    let op = b.op(Opcode::VectorToElements, &[vector], &vec![elem; n as usize], &[]);
    b.ir.results(op).collect()
}

/// `gpu.shuffle mode value, offset, width`
pub fn shuffle(b: &mut Builder<'_>, mode: &str, value: ValueId, offset: i64, width: i64) -> (ValueId, ValueId) {
    let (i1, i32) = (b.ir.int_type(1), b.ir.int_type(32));
    let mode = b.keyword_attr("gpu.shuffle_mode", mode);
    let (offset, width) = (b.int(offset, i32), b.int(width, i32));
    let ty = b.ir.type_of(value);
    let op = b.op(Opcode::GpuShuffle, &[value, offset, width], &[ty, i1], &[("mode", mode)]);
    (b.ir.result(op, 0), b.ir.result(op, 1))
}

/// `arith.cmpi predicate`
pub fn compare(b: &mut Builder<'_>, predicate: i64, lhs: ValueId, rhs: ValueId) -> ValueId {
    let predicate = b.ir.i64_attr(predicate);
    let i1 = b.ir.int_type(1);
    b.value(Opcode::ArithCmpi, &[lhs, rhs], i1, &[("predicate", predicate)])
}

/// `scf.if condition` without results.
pub fn if_then(b: &mut Builder<'_>, condition: ValueId, body: impl FnOnce(&mut Builder<'_>)) {
    let op = b.op(Opcode::ScfIf, &[condition], &[], &[]);
    let region = b.ir.add_region(op);
    b.ir.add_region(op);
    let block = b.ir.add_block(region, &[]);
    let mut inner = Builder::at_end(b.ir, block, b.span);
    body(&mut inner);
    inner.op(Opcode::ScfYield, &[], &[], &[]);
}

/// NVIDIA's assembler, if it is here: named by `RADDLE_PTXAS`, or installed under `target/validators`.
pub fn find_ptxas() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("RADDLE_PTXAS") {
        return Some(path.into());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/validators/lib");
    let mut found: Vec<PathBuf> = children(&root)
        .flat_map(|python| children(&python.join("site-packages/nvidia")))
        .map(|package| package.join("bin/ptxas"))
        .filter(|path| path.exists())
        .collect();
    found.sort();
    found.pop()
}

fn children(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Assembles the text for sm_80.
pub fn assemble(name: &str, text: &str) {
    assemble_for("sm_80", name, text);
}

/// Assembles the text for a chip and asks for no spilled registers and no warnings. Without an assembler it says so, and
/// fails where a missing one is a failure.
pub fn assemble_for(chip: &str, name: &str, text: &str) {
    let Some(ptxas) = find_ptxas() else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "ptxas not found, and CI must check with it");
        eprintln!("not checked: ptxas not found ({name})");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, target) = (folder.join(format!("{name}.ptx")), folder.join(format!("{name}.cubin")));
    std::fs::write(&source, text).unwrap();
    let output = Command::new(&ptxas)
        .arg(format!("-arch={chip}"))
        .args(["-v", "-o"])
        .arg(&target)
        .arg(&source)
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let numbered: String = text.lines().enumerate().map(|(i, line)| format!("{:4} {line}\n", i + 1)).collect();
    assert!(output.status.success(), "ptxas rejects {name}:\n{said}\n{numbered}");
    assert!(!said.to_lowercase().contains("warning"), "ptxas warns about {name}:\n{said}\n{numbered}");
    assert!(said.contains("0 bytes spill stores, 0 bytes spill loads"), "{name} spills:\n{said}");
}
