//! Rules of `nvgpu`: what the lanes hold of a matrix, copies to shared memory, descriptors of tensors in memory.
//!
//! They ask for attributes and types alone: operations that are alike in these are checked once.

use super::Check;
use super::gpu::{is_workgroup, unit_stride};
use super::parts::Parts;
use super::wording::{ensure, quoted, wrong};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{parse_type, print_type, split_at_depth};
use crate::types::{DYNAMIC, Float, Scalar, Type};
use crate::views::Matrices;

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    match ir.opcode(op) {
        Opcode::NvgpuMmaSync => mma_sync(&at, 1),
        Opcode::NvgpuMmaSpSync => {
            at.ensure((0..2).contains(&at.int("sparsitySelector")), "sparsity selector should be 0 or 1")?;
            mma_sync(&at, 2)
        }
        Opcode::NvgpuLdmatrix => ld_matrix(&at).and_then(|()| tiles(ir, op)),
        Opcode::NvgpuStmatrix => tiles(ir, op),
        Opcode::NvgpuDeviceAsyncCopy => async_copy(&at),
        Opcode::NvgpuTmaCreateDescriptor => {
            coordinates(&at, "boxDimensions")?;
            let tensor = Descriptor::of(ir, ir.type_of(ir.result(op, 0)));
            tensor.map_or(Ok(()), |tensor| tensor.check(&at))
        }
        Opcode::NvgpuTmaAsyncLoad => tma_copy(&at, "dst"),
        Opcode::NvgpuTmaAsyncStore => tma_copy(&at, "src"),
        _ => Ok(()),
    }
}

fn bits(ir: &Ir, ty: TypeId) -> i64 {
    Scalar::of(&ir[ty]).map_or(0, |scalar| scalar.bits().into())
}

// ---- matrices

/// The lanes of a subgroup.
const LANES: i64 = 32;

/// The rows of A and the columns of B and of one tile.
const TILE: i64 = 8;

/// What a lane holds of A, B and C: tiles of 8 rows and 16 bytes, of which it has 4 bytes; doubles have tiles of 4 columns.
/// Upstream has neither bits nor floats of 8 bits here; the machines do, the latter in two formats that may meet.
/// Of `stored_of` elements along k A has one.
fn mma_sync(at: &Parts<'_>, stored_of: i64) -> Check {
    let ir = at.ir;
    let shape: Option<[i64; 3]> = at.ints("mmaShape").try_into().ok();
    let positive = shape.filter(|shape| shape.iter().all(|extent| *extent > 0));
    let Some([m, n, k]) = positive else {
        return ensure(ir, at.op, false, || "needs three positive extents for `mmaShape`".to_owned());
    };
    let [a, b] = ["matrixA", "matrixB"].map(|name| at.elem(name));
    let is_byte = |elem| matches!(ir[elem], Type::Float(_)) && bits(ir, elem) == 8;
    let are_factors = a == b || [a, b].into_iter().all(is_byte);
    at.ensure(are_factors, "failed to verify that matrixA and matrixB have same element type")?;
    let (tile_k, per_lane) = match (&ir[a], bits(ir, a)) {
        (Type::Float(Float::F64), _) => (4, 1),
        (Type::Float(_), bits @ (8 | 16 | 32)) | (Type::Integer { .. }, bits @ (1 | 4 | 8)) => (128 / bits, 32 / bits),
        _ => {
            let message = "expected input data type (i4,i8,f16,bf16,tf32,f64) supported by nvgpu.mma.sync";
            return Err(wrong(ir, at.op, message));
        }
    };
    let (rows, columns, steps) = (m / TILE, n / TILE, k / tile_k);
    let matrix = |(a, b): (i64, i64), (tiles, of): (i64, i64), per_lane: i64| {
        (a.saturating_mul(b), [tiles.saturating_mul(of), per_lane])
    };
    let matrices = [
        ("A", "matrixA", matrix((m, k / stored_of), (rows, steps / stored_of), per_lane)),
        ("B", "matrixB", matrix((k, n), (steps, columns), per_lane)),
        ("C", "matrixC", matrix((m, n), (rows, columns), 2)),
    ];
    for (_, name, ..) in matrices {
        at.ensure_with(at.rank(name) == 2, || format!("{name} must be 2 dimensional vector"))?;
    }
    for (letter, name, (count, _)) in matrices {
        let found = at.shape(name).iter().fold(LANES, |n, &extent| n.saturating_mul(extent));
        at.ensure_with(found == count, || format!("expected {count} warp-wide matrix {letter} elements"))?;
    }
    let tf32 = ir.attr_id(at.op, "tf32Enabled").is_some();
    at.ensure(!tf32 || ir[a] == Type::Float(Float::F32), "expected tf32 tensor cores only for F32 operands")?;
    for (letter, name, (_, [n_tiles, per_lane])) in matrices {
        at.ensure_with(at.shape(name) == [n_tiles, per_lane], || {
            format!("expected matrix {letter} to be shaped ({n_tiles} x {per_lane})")
        })?;
    }
    Ok(())
}

fn ld_matrix(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (memory, result) = (at.one("srcMemref"), ir.result(at.op, 0));
    let elem = ir.elem_of(result);
    at.ensure(ir.elem_of(memory) == elem, "failed to verify that srcMemref and res have same element type")?;
    at.ensure(is_workgroup(ir, ir.type_of(memory)), "expected nvgpu.ldmatrix srcMemref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)")?;
    let (bits, shape) = (bits(ir, elem), ir.shape_of(result));
    at.ensure((1..=32).contains(&bits), "nvgpu.ldmatrix works for 32b or lower")?;
    let transposes = ir.attr(at.op, "transpose") == Some(&Attr::Bool(true));
    // Upstream has 16 bits alone; pairs of bytes are ours.
    at.ensure(!transposes || matches!(bits, 8 | 16), "nvgpu.ldmatrix transpose works only at 16b granularity")?;
    let &[n_tiles, per_lane] = shape else { return Err(wrong(ir, at.op, "results must be 2 dimensional vector")) };
    at.ensure_with(per_lane == 32 / bits, || format!("expected vector register shape[1] = {}", 32 / bits))?;
    at.ensure(n_tiles == at.int("numTiles"), "expected vector register shape[0] and numTiles to match")
}

/// What emulator and emitter can take apart.
fn tiles(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, Matrices::of(ir, op).is_some(), || {
        "needs one, two or four tiles of 32 bits of the memref's elements in each lane, and at most 16 bits to transpose"
            .to_owned()
    })
}

// ---- copies

fn async_copy(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (source, target) = (at.one("src"), at.one("dst"));
    unit_stride(at, "src", "source")?;
    unit_stride(at, "dst", "destination")?;
    at.ensure(
        is_workgroup(ir, ir.type_of(target)),
        "destination memref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)",
    )?;
    at.ensure(ir.elem_of(source) == ir.elem_of(target), "source and destination must have the same element type")?;
    for (name, indices, what) in [("src", "srcIndices", "source"), ("dst", "dstIndices", "destination")] {
        let (rank, found) = (at.rank(name), at.all(indices).len());
        at.ensure_with(rank == found, || format!("expected {rank} {what} indices, got {found}"))?;
    }
    let (count, width) = (at.int("dstElements"), bits(ir, ir.elem_of(target)));
    let bytes = count.saturating_mul(width) / 8;
    at.ensure_with(matches!(bytes, 4 | 8 | 16), || {
        let fits = [32, 64, 128].into_iter().filter(|bits| width > 0 && bits / width > 0);
        let counts: Vec<String> = fits.map(|bits| (bits / width).to_string()).collect();
        let counts = counts.join(", ");
        format!("Requested copy elements is {count} with width {width}. But copy elements could be one of {counts}.")
    })?;
    let bypasses = ir.attr_id(at.op, "bypassL1").is_some();
    at.ensure_with(!bypasses || bytes == 16, || {
        let (ty, wanted) = (quoted(ir, ir.type_of(target)), 128 / width);
        format!(
            "bypassL1 does not satify alignment for {ty} with destination element {count}. Unset bypassL1, or set destination element to {wanted}"
        )
    })
}

/// The largest number of dimensions of a tensor that is copied, and the largest extent.
const RANK_MAX: usize = 5;
const EXTENT_MAX: i64 = 256;

fn coordinates(at: &Parts<'_>, name: &str) -> Check {
    let found = at.all(name).len();
    at.ensure_with(found <= RANK_MAX, || format!("Maximum {RANK_MAX} coordinates are supported."))
}

/// Boxes of a tensor go to shared memory, or come from there.
fn tma_copy(at: &Parts<'_>, name: &str) -> Check {
    let ir = at.ir;
    let Some(tensor) = Descriptor::of(ir, ir.type_of(at.one("tensorMapDescriptor"))) else { return Ok(()) };
    tensor.check(at)?;
    let memory = ir.type_of(at.one(name));
    let (Some(found), Some(wanted)) = (ir[memory].shape(), tensor.ir[tensor.ty].shape()) else { return Ok(()) };
    at.ensure(
        print_type(ir, at.elem(name)) == tensor.elem(),
        "the element type of tensor map descriptor and memref must be same",
    )?;
    at.ensure(
        is_workgroup(ir, memory),
        "the destination memref has incorrect address space, it must be shared memory address space.",
    )?;
    at.ensure(!found.contains(&DYNAMIC), "the destination memref must be static shaped")?;
    at.ensure(found.len() == wanted.len(), "the shape of tensor map descriptor and memref must have same rank")?;
    at.ensure_with(found == wanted, || {
        let (found, wanted) = (quoted(ir, memory), quoted(&tensor.ir, tensor.ty));
        format!("memref and tensor map shapes mismatch {wanted} != {found}")
    })?;
    at.ensure(
        tensor.row_bytes() % 16 == 0,
        "the bytes in the last dimension of the tensor map must be a multiple of 16",
    )?;
    coordinates(at, "coordinates")?;
    at.ensure(
        at.all("coordinates").len() == wanted.len(),
        "number of coordinates do not match with the rank of tensor descriptor map.",
    )
}

/// `!nvgpu.tensormap.descriptor<tensor = memref<64x32xf16, 3>, swizzle = swizzle_64b, …>`: its parameters, of which the
/// type of a box is read apart from the program, since a program that is verified stays as it is.
struct Descriptor<'t> {
    ir: Ir,
    ty: TypeId,
    swizzle: &'t str,
    interleave: &'t str,
}

impl<'t> Descriptor<'t> {
    fn of(ir: &'t Ir, ty: TypeId) -> Option<Descriptor<'t>> {
        let Type::Dialect(text) = &ir[ty] else { return None };
        let inside = ir[*text].strip_prefix("nvgpu.tensormap.descriptor<")?.strip_suffix('>')?;
        let parameters: Vec<(&str, &str)> =
            split_at_depth(inside, ",").into_iter().filter_map(|part| part.split_once('=')).collect();
        let find = |name: &str| parameters.iter().find(|part| part.0.trim() == name).map(|part| part.1.trim());
        let mut ir = Ir::new();
        let ty = parse_type(find("tensor")?, &mut ir).ok()?;
        Some(Descriptor { ir, ty, swizzle: find("swizzle")?, interleave: find("interleave")? })
    }

    fn elem(&self) -> String {
        self.ir[self.ty].elem().map(|elem| print_type(&self.ir, elem)).unwrap_or_default()
    }

    /// The bytes of the innermost dimension.
    fn row_bytes(&self) -> i64 {
        let extent = self.ir[self.ty].shape().and_then(|shape| shape.last()).copied().unwrap_or(1);
        extent.saturating_mul(self.ir[self.ty].elem().map_or(0, |elem| bits(&self.ir, elem))) / 8
    }

    fn check(&self, at: &Parts<'_>) -> Check {
        at.ensure(matches!(self.interleave, "none" | "interleave_none"), "Interleave options are not supported yet.")?;
        at.ensure(
            is_workgroup(&self.ir, self.ty),
            "the tensor map descriptor has incorrect address space, it must be shared memory address space.",
        )?;
        let shape = self.ir[self.ty].shape().unwrap_or(&[]);
        at.ensure(!shape.contains(&DYNAMIC), "the tensor map descriptor must be static shaped")?;
        if let Some(odd) = shape.iter().find(|extent| !(1..=EXTENT_MAX).contains(*extent)) {
            let message =
                format!("the tensor map descriptor must have dimensions between 1 and {EXTENT_MAX} but it is {odd}");
            return Err(wrong(at.ir, at.op, message));
        }
        let expected = match self.swizzle {
            "swizzle_32b" => 32,
            "swizzle_64b" => 64,
            "swizzle_128b" => 128,
            _ => return Ok(()),
        };
        let found = self.row_bytes();
        at.ensure_with(shape.len() < 2 || found == expected, || {
            format!("the tensormap descriptor must have last dimension of {expected} bytes but it is {found} bytes")
        })
    }
}
