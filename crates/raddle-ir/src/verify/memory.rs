//! The rules of `memref` and `bufferization`: layouts that follow from operands, sizes, indices, what may be cast to
//! what. Messages have MLIR's words.

use super::iree::alike;
use super::parts::Parts;
use super::tensors::{dim, dynamic_sizes, extents_text, groups, incompatible, plus, product, times};
use super::wording::{ensure, quoted, wrong};
use super::{Check, types_of};
use crate::affine::Expr;
use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::Diag;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::{Class, Opcode};
use crate::text::{print_attr, print_type};
use crate::types::{DYNAMIC, Type};

/// The rule of an operation on memory; none where its row says it all.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    match ir.opcode(op) {
        Opcode::MemrefAlloc | Opcode::MemrefAlloca | Opcode::GpuAlloc => allocation(&at),
        Opcode::MemrefAssumeAlignment => alignment(&at),
        Opcode::MemrefAtomicRmw => atomic(&at),
        Opcode::MemrefGenericAtomicRmw => generic_atomic(&at),
        Opcode::MemrefAtomicYield => atomic_yield(ir, op),
        Opcode::MemrefCast => cast(&at),
        Opcode::MemrefCollapseShape | Opcode::MemrefExpandShape => reshape_groups(&at),
        Opcode::MemrefCopy => copy(&at),
        Opcode::MemrefDim => dim(ir, op, "memref"),
        Opcode::MemrefDmaStart => dma_start(ir, op),
        Opcode::MemrefDmaWait => {
            let (rank, found) = (at.rank("tagMemRef"), at.all("tagIndices").len());
            at.ensure_with(rank == found, || {
                format!("expected tagIndices to have the same number of elements as the tagMemRef rank, expected {rank}, but got {found}")
            })
        }
        Opcode::MemrefTranspose => transpose(&at),
        Opcode::MemrefDistinctObjects => at.ensure(!ir.operands(op).is_empty(), "expected at least one operand"),
        Opcode::MemrefGlobal => global(ir, op),
        Opcode::MemrefReshape => reshape(&at),
        Opcode::MemrefPrefetch => prefetch(&at),
        Opcode::MemrefRealloc => realloc(&at),
        Opcode::MemrefReinterpretCast => reinterpret(&at),
        Opcode::MemrefView => view(&at),
        Opcode::BufferizationAllocTensor => alloc_tensor(&at),
        Opcode::BufferizationDealloc => dealloc(&at),
        Opcode::BufferizationMaterializeInDestination => materialize(&at),
        Opcode::BufferizationToBuffer | Opcode::BufferizationToTensor => same_contents(ir, op),
        _ => Ok(()),
    }
}

fn result(at: &Parts<'_>) -> TypeId {
    at.ir.type_of(at.ir.result(at.op, 0))
}

// ---- layouts

/// Where the elements of a memref lie: how far neighbours are apart along each dimension, and where the first one is.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Strided {
    pub strides: Vec<i64>,
    pub offset: i64,
}

impl Strided {
    /// Of a shape row by row.
    pub fn rows(shape: &[i64]) -> Strided {
        let strides = (0..shape.len()).map(|d| product(&shape[d + 1..])).collect();
        Strided { strides, offset: 0 }
    }

    /// Of a memref; `None` where its layout is not a sum of multiples.
    pub fn of(ir: &Ir, ty: TypeId) -> Option<Strided> {
        let Type::MemRef { shape, layout, .. } = &ir[ty] else { return None };
        let Some(layout) = layout else { return Some(Strided::rows(shape)) };
        match &ir[*layout] {
            Attr::Strided { strides, offset } => Some(Strided { strides: strides.clone(), offset: *offset }),
            Attr::Map(map) => {
                let [expr] = &map.results[..] else { return None };
                let mut found = Strided { strides: vec![0; shape.len()], offset: 0 };
                found.add(expr, 1)?;
                Some(found)
            }
            _ => None,
        }
    }

    /// Adds a multiple of an expression.
    fn add(&mut self, expr: &Expr, factor: i64) -> Option<()> {
        match expr {
            Expr::Dim(d) => {
                let stride = self.strides.get_mut(*d as usize)?;
                *stride = plus(*stride, factor);
            }
            Expr::Sym(_) => self.offset = DYNAMIC,
            Expr::Const(n) => self.offset = plus(self.offset, times(factor, *n)),
            Expr::Add(a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)?;
            }
            Expr::Mul(a, b) => {
                let fixed = |expr: &Expr| match expr {
                    Expr::Const(n) => Some(*n),
                    expr => (!expr.has_dim()).then_some(DYNAMIC),
                };
                match (fixed(a), fixed(b)) {
                    (_, Some(n)) => self.add(a, times(factor, n))?,
                    (Some(n), None) => self.add(b, times(factor, n))?,
                    (None, None) => return None,
                }
            }
            expr if !expr.has_dim() => self.offset = DYNAMIC,
            _ => return None,
        }
        Some(())
    }

    /// `strided<[?, 1], offset: 4>`
    pub fn layout(&self) -> String {
        let number = |n: i64| if n == DYNAMIC { "?".to_owned() } else { n.to_string() };
        let strides: Vec<String> = self.strides.iter().map(|&stride| number(stride)).collect();
        let offset = if self.offset == 0 { String::new() } else { format!(", offset: {}", number(self.offset)) };
        format!("strided<[{}]{offset}>", strides.join(", "))
    }

    /// A memref with this layout, as text.
    pub fn text(&self, ir: &Ir, shape: &[i64], like: TypeId) -> String {
        let elem = ir[like].elem().map(|elem| print_type(ir, elem)).unwrap_or_default();
        let space = space(ir, like).map(|space| format!(", {}", print_attr(ir, space))).unwrap_or_default();
        format!("'memref<{}{elem}, {}{space}>'", extents_text(shape), self.layout())
    }
}

pub(super) fn space(ir: &Ir, ty: TypeId) -> Option<AttrId> {
    match ir[ty] {
        Type::MemRef { space, .. } | Type::UnrankedMemRef { space, .. } => space,
        _ => None,
    }
}

fn elem(ir: &Ir, ty: TypeId) -> Option<TypeId> {
    match ir[ty] {
        Type::UnrankedMemRef { elem, .. } | Type::UnrankedTensor(elem) => Some(elem),
        ref ty => ty.elem(),
    }
}

/// Whether elements lie row by row by the type's own word.
fn is_plain(ir: &Ir, ty: TypeId) -> bool {
    match &ir[ty] {
        Type::MemRef { shape, layout: Some(layout), .. } => {
            let one = Attr::Strided { strides: vec![1], offset: 0 };
            shape.len() == 1 && ir[*layout] == one
        }
        _ => true,
    }
}

/// A memref that another one is seen as is in the same memory.
fn same_space(at: &Parts<'_>, from: TypeId, to: TypeId, [a, b]: [&str; 2]) -> Check {
    let ir = at.ir;
    at.ensure_with(space(ir, from) == space(ir, to), || {
        format!("different memory spaces specified for {a} type {} and {b} type {}", quoted(ir, from), quoted(ir, to))
    })
}

// ---- memref

fn allocation(at: &Parts<'_>) -> Check {
    let (ir, op) = (at.ir, at.op);
    let ty = result(at);
    dynamic_sizes(ir, op, ty, at.all("dynamicSizes").len())?;
    let expected = match &ir[ty] {
        Type::MemRef { layout: Some(layout), .. } => match &ir[*layout] {
            // Rows need no symbols, whatever their map names.
            Attr::Map(map) if map.results == crate::Map::identity(map.dims as usize).results => 0,
            Attr::Map(map) => map.syms as usize,
            Attr::Strided { strides, offset } => {
                strides.iter().chain([offset]).filter(|&&number| number == DYNAMIC).count()
            }
            _ => 0,
        },
        _ => 0,
    };
    let found = at.all("symbolOperands").len();
    at.ensure_with(found == expected, || {
        format!("symbol operand count does not equal memref symbol count: expected {expected}, got {found}")
    })?;
    if ir.opcode(op) != Opcode::MemrefAlloca {
        return Ok(());
    }
    // Some operation that is known ends the life of what is allocated on a stack.
    let mut around = std::iter::successors(ir.parent_op(op), |&outer| ir.parent_op(outer));
    let scoped = around.any(|outer| !matches!(ir.opcode(outer), Opcode::Unregistered | Opcode::BuiltinModule));
    at.ensure(scoped, "requires an ancestor op with AutomaticAllocationScope trait")
}

fn alignment(at: &Parts<'_>) -> Check {
    let alignment = at.int("alignment");
    at.ensure(alignment & (alignment - 1) == 0, "alignment must be power of 2")
}

fn atomic(at: &Parts<'_>) -> Check {
    let (ir, value) = (at.ir, at.ir.type_of(at.one("value")));
    let (rank, found) = (at.rank("memref"), at.all("indices").len());
    at.ensure(rank == found, "expects the number of subscripts to be equal to memref rank")?;
    let kind = at.row.inherent("kind").and_then(|attr| match attr.spelling {
        crate::form::Spelling::Cases(cases) => cases.words.get(usize::try_from(at.int("kind")).ok()?),
        _ => None,
    });
    let kind = kind.copied().unwrap_or_default();
    let (fits, wanted) = match kind {
        "addf" | "maximumf" | "minimumf" | "mulf" => (matches!(ir[value], Type::Float(_)), "a floating-point type"),
        "addi" | "maxs" | "maxu" | "mins" | "minu" | "muli" | "ori" | "xori" | "andi" => {
            (at.is_int(value), "an integer type")
        }
        _ => return Ok(()),
    };
    at.ensure_with(fits, || format!("with kind '{kind}' expects {wanted}"))
}

fn generic_atomic(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let args = at.args();
    at.ensure(args.len() == 1, "expected single number of entry block arguments")?;
    at.ensure(args[0] == result(at), "expected block argument of the same type result type")?;
    let touches = |inner: OpId| {
        matches!(ir.class(inner), Class::Read | Class::Write | Class::Alloc | Class::Barrier | Class::Call)
            && !ir.opcode(inner).info().is_pure()
    };
    match ir.walk(at.op).into_iter().find(|&inner| touches(inner)) {
        None => Ok(()),
        Some(inner) => {
            let message = "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects";
            Err(Box::new(Diag::error(Code::BadOperation, ir.span(inner), message)))
        }
    }
}

fn atomic_yield(ir: &Ir, op: OpId) -> Check {
    let parent = ir.parent_op(op).and_then(|parent| ir.results(parent).next()).map(|value| ir.type_of(value));
    let found = ir.type_of(ir.operand(op, 0));
    ensure(ir, op, parent.is_none_or(|parent| parent == found), || {
        let parent = parent.map(|parent| quoted(ir, parent)).unwrap_or_default();
        format!("types mismatch between yield op: {} and its parent: {parent}", quoted(ir, found))
    })
}

fn cast(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (from, to) = (ir.type_of(at.one("source")), result(at));
    let meets = |a: i64, b: i64| a == b || a == DYNAMIC || b == DYNAMIC;
    let fits = match (&ir[from], &ir[to]) {
        (Type::MemRef { shape: a, layout: x, .. }, Type::MemRef { shape: b, layout: y, .. }) => {
            let layouts = x == y
                || Strided::of(ir, from)
                    .zip(Strided::of(ir, to))
                    .is_some_and(|(a, b)| meets(a.offset, b.offset) && alike(&a.strides, &b.strides));
            layouts && alike(a, b)
        }
        (Type::MemRef { .. }, Type::UnrankedMemRef { .. }) | (Type::UnrankedMemRef { .. }, Type::MemRef { .. }) => true,
        _ => false,
    };
    let fits = fits && elem(ir, from) == elem(ir, to) && space(ir, from) == space(ir, to);
    at.ensure_with(fits, || incompatible(ir, from, to))
}

fn copy(at: &Parts<'_>) -> Check {
    let (ir, from, to) = (at.ir, at.ir.type_of(at.one("source")), at.ir.type_of(at.one("target")));
    at.ensure(elem(ir, from) == elem(ir, to), "requires the same element type for all operands")?;
    let fits = ir[from].shape().zip(ir[to].shape()).is_none_or(|(a, b)| alike(a, b));
    at.ensure(fits, "requires the same shape for all operands")
}

/// A source, a destination and a tag, each a memref and its indices, with the number of elements in front of the tag;
/// then perhaps how far apart groups of elements are, and how large each is.
fn dma_start(ir: &Ir, op: OpId) -> Check {
    let types = types_of(ir, ir.operands(op));
    let index = |&ty: &TypeId| ir[ty] == Type::Index;
    let (mut at, mut least) = (0, 4);
    let enough = |least: usize| ensure(ir, op, types.len() >= least, || format!("expected at least {least} operands"));
    enough(least)?;
    for what in ["source", "destination", "tag"] {
        if what == "tag" {
            ensure(ir, op, index(&types[at]), || "expected num elements to be of index type".to_owned())?;
            at += 1;
        }
        let Type::MemRef { shape, .. } = &ir[types[at]] else {
            return Err(wrong(ir, op, format!("expected {what} to be of memref type")));
        };
        least += shape.len();
        enough(least)?;
        let indices = &types[at + 1..][..shape.len()];
        ensure(ir, op, indices.iter().all(index), || format!("expected {what} indices to be of index type"))?;
        at += 1 + shape.len();
    }
    let strides = &types[at..];
    ensure(ir, op, matches!(strides.len(), 0 | 2), || "incorrect number of operands".to_owned())?;
    ensure(ir, op, strides.iter().all(index), || {
        "expected stride and num elements per stride to be of type index".to_owned()
    })
}

/// Dimensions change places, and take their strides with them.
fn transpose(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (from, to) = (ir.type_of(at.one("in")), result(at));
    let Some(map) = ir.map(at.op, "permutation") else {
        return Err(wrong(ir, at.op, "requires attribute 'permutation'"));
    };
    let rank = map.dims as usize;
    let dims = map.as_dims().filter(|dims| dims.len() == rank && (0..rank).all(|d| dims.contains(&d)));
    let Some(dims) = dims.filter(|_| map.syms == 0) else {
        return Err(wrong(ir, at.op, "expected a permutation map"));
    };
    let shape = ir[from].shape().unwrap_or(&[]);
    at.ensure(shape.len() == rank, "expected a permutation map of same rank as the input")?;
    let Some(layout) = Strided::of(ir, from) else {
        return Err(wrong(ir, at.op, format!("operand #0 must be strided memref, but got {}", quoted(ir, from))));
    };
    let shape: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
    let strides = dims.iter().map(|&d| layout.strides[d]).collect();
    let expected = Strided { strides, offset: layout.offset };
    let fits = ir[to].shape() == Some(&shape[..])
        && Strided::of(ir, to).as_ref() == Some(&expected)
        && elem(ir, from) == elem(ir, to)
        && space(ir, from) == space(ir, to);
    at.ensure_with(fits, || {
        let (found, expected) = (quoted(ir, to), expected.text(ir, &shape, from));
        format!("result type {found} is not equivalent to the canonical transposed input type {expected}")
    })
}

fn prefetch(at: &Parts<'_>) -> Check {
    at.ensure(at.rank("memref") == at.all("indices").len(), "too few indices")
}

fn realloc(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (from, to) = (ir.type_of(at.one("source")), result(at));
    let quote = |ty| quoted(ir, ty);
    for (ty, what) in [(from, "source"), (to, "result")] {
        at.ensure_with(ir[ty].shape().map(<[i64]>::len) == Some(1), || {
            format!("takes and gives memrefs of one dimension, not {}", quote(ty))
        })?;
        at.ensure_with(is_plain(ir, ty), || format!("unsupported layout for {what} memref type {}", quote(ty)))?;
    }
    same_space(at, from, to, ["source memref", "result memref"])?;
    at.ensure_with(elem(ir, from) == elem(ir, to), || {
        format!(
            "different element types specified for source memref type {} and result memref type {}",
            quote(from),
            quote(to)
        )
    })?;
    let (open, given) = (ir[to].shape() == Some(&[DYNAMIC]), at.find("dynamicResultSize").is_some());
    at.ensure_with(given || !open, || format!("missing dimension operand for result type {}", quote(to)))?;
    at.ensure_with(open || !given, || format!("unnecessary dimension operand for result type {}", quote(to)))
}

fn reinterpret(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (from, to) = (ir.type_of(at.one("source")), result(at));
    let (offsets, sizes, strides) = (at.ints("static_offsets"), at.ints("static_sizes"), at.ints("static_strides"));
    at.ensure_with(sizes.len() == strides.len(), || {
        let (sizes, strides) = (sizes.len(), strides.len());
        format!("expected mixed sizes rank to match mixed strides rank ({sizes} vs {strides}) so the rank of the result type is well-formed")
    })?;
    let &[offset] = &offsets[..] else {
        return Err(wrong(ir, at.op, format!("expected 1 offset values, got {}", offsets.len())));
    };
    let Some(shape) = ir[to].shape() else { return Err(wrong(ir, at.op, "gives a ranked memref")) };
    at.ensure_with(shape.len() == sizes.len(), || {
        format!("expected {} size values, got {}", shape.len(), sizes.len())
    })?;
    same_space(at, from, to, ["source", "result memref"])?;
    at.ensure_with(elem(ir, from) == elem(ir, to), || {
        let (from, to) = (quoted(ir, from), quoted(ir, to));
        format!("different element types specified for source type {from} and result memref type {to}")
    })?;
    // What the type leaves open may be anything.
    let agree = |what: &str, stated: i64, typed: i64, place: Option<usize>| {
        at.ensure_with(typed == DYNAMIC || typed == stated, || {
            let stated = if stated == DYNAMIC { "dynamic".to_owned() } else { stated.to_string() };
            let place = place.map(|d| format!(" in dim = {d}")).unwrap_or_default();
            format!("expected result type with {what} = {stated} instead of {typed}{place}")
        })
    };
    for (d, (&size, &extent)) in sizes.iter().zip(shape).enumerate() {
        agree("size", size, extent, Some(d))?;
    }
    let Some(layout) = Strided::of(ir, to) else {
        let message = format!("expected result type to have strided layout but found {}", quoted(ir, to));
        return Err(wrong(ir, at.op, message));
    };
    agree("offset", offset, layout.offset, None)?;
    for (d, (&stated, &stride)) in strides.iter().zip(&layout.strides).enumerate() {
        agree("stride", stated, stride, Some(d))?;
    }
    Ok(())
}

fn reshape(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (from, to) = (ir.type_of(at.one("source")), result(at));
    at.ensure(
        elem(ir, from) == elem(ir, to),
        "element types of source and destination memref types should be the same",
    )?;
    at.ensure(is_plain(ir, from), "source memref type should have identity affine map")?;
    let Some(shape) = ir[to].shape() else { return Ok(()) };
    at.ensure(is_plain(ir, to), "result memref type should have identity affine map")?;
    let n = at.shape("shape").first().copied().unwrap_or(0);
    at.ensure(
        n != DYNAMIC,
        "cannot use shape operand with dynamic length to reshape to statically-ranked memref type",
    )?;
    at.ensure(n == shape.len() as i64, "length of shape operand differs from the result's memref rank")
}

fn view(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (from, to) = (ir.type_of(at.one("source")), result(at));
    for (ty, what) in [(from, "base"), (to, "result")] {
        at.ensure_with(is_plain(ir, ty), || format!("unsupported map for {what} memref type {}", quoted(ir, ty)))?;
    }
    same_space(at, from, to, ["base memref", "view memref"])?;
    dynamic_sizes(ir, at.op, to, at.all("sizes").len())
}

/// `memref.expand_shape` and `memref.collapse_shape`
fn reshape_groups(at: &Parts<'_>) -> Check {
    let (ir, op) = (at.ir, at.op);
    let expands = ir.opcode(op) == Opcode::MemrefExpandShape;
    let (from, to) = (ir.type_of(at.one("src")), result(at));
    let (Some(source), Some(target)) = (ir[from].shape(), ir[to].shape()) else {
        return Err(wrong(ir, op, "takes and gives ranked memrefs"));
    };
    let (a, b) = (source.len(), target.len());
    at.ensure_with(if expands { a <= b } else { a >= b }, || {
        let (what, sign) = if expands { ("an expansion", '>') } else { ("a collapse", '<') };
        format!("has source rank {a} and result rank {b}. This is not {what} ({a} {sign} {b}).")
    })?;
    let groups = groups(ir, op)?;
    let (expanded, collapsed) = if expands { (target, source) } else { (source, target) };
    cover(at, &groups, expanded, collapsed)?;
    let (verb, plain) = (if expands { "expanded" } else { "collapsed" }, is_plain(ir, from));
    let expected = if plain { Some(Strided::rows(target)) } else { reshaped(ir, from, &groups, target, expands) };
    let Some(expected) = expected else {
        let what = if expands { "" } else { " or collapsing non-contiguous dims" };
        return Err(wrong(ir, op, format!("invalid source layout map{what}")));
    };
    let like = elem(ir, from) == elem(ir, to) && space(ir, from) == space(ir, to);
    let fits = if plain { is_plain(ir, to) } else { Strided::of(ir, to).as_ref() == Some(&expected) };
    at.ensure_with(like && fits, || {
        let text = if plain {
            let elem = elem(ir, from).map(|elem| print_type(ir, elem)).unwrap_or_default();
            let space = space(ir, from).map(|space| format!(", {}", print_attr(ir, space))).unwrap_or_default();
            format!("'memref<{}{elem}{space}>'", extents_text(target))
        } else {
            expected.text(ir, target, from)
        };
        format!("expected {verb} type to be {text} but found {}", quoted(ir, to))
    })?;
    if !expands {
        return Ok(());
    }
    let stated = at.ints("static_output_shape");
    at.ensure_with(stated.len() == b, || {
        let n = stated.len();
        format!(
            "expected number of static shape bounds to be equal to the output rank ({b}) but found {n} inputs instead"
        )
    })?;
    let odd = target.iter().zip(&stated).position(|(&extent, &stated)| extent != DYNAMIC && extent != stated);
    at.ensure_with(odd.is_none(), || format!("invalid output shape provided at pos {}", odd.unwrap_or(0)))
}

/// The groups take all dimensions in order, and the product of each is an extent of the collapsed shape.
fn cover(at: &Parts<'_>, groups: &[Vec<i64>], expanded: &[i64], collapsed: &[i64]) -> Check {
    at.ensure_with(collapsed.len() == groups.len(), || {
        format!("invalid number of reassociation groups: found {}, expected {}", groups.len(), collapsed.len())
    })?;
    let mut next = 0;
    for (d, (group, &extent)) in groups.iter().zip(collapsed).enumerate() {
        let first = next;
        for &dim in group {
            at.ensure(dim == next as i64, "reassociation indices must be contiguous")?;
            at.ensure_with(next < expanded.len(), || format!("reassociation index {dim} is out of bounds"))?;
            next += 1;
        }
        let size = product(&expanded[first..next]);
        at.ensure_with((extent == DYNAMIC) == (size == DYNAMIC), || {
            format!("collapsed dim ({d}) must be dynamic if and only if reassociation group is dynamic")
        })?;
        at.ensure_with(extent == size, || {
            format!("collapsed dim size ({extent}) must equal reassociation group size ({size})")
        })?;
    }
    if collapsed.is_empty() {
        let ones = expanded.iter().all(|&extent| extent == 1);
        return at.ensure(ones, "rank 0 memrefs can only be extended/collapsed with/from ones");
    }
    at.ensure_with(next == expanded.len(), || {
        let rank = expanded.len();
        format!("expanded rank ({rank}) inconsistent with number of reassociation indices ({next})")
    })
}

/// The layout behind an expansion or collapse; `None` where there is none.
fn reshaped(ir: &Ir, from: TypeId, groups: &[Vec<i64>], target: &[i64], expands: bool) -> Option<Strided> {
    let layout = Strided::of(ir, from)?;
    let source = ir[from].shape()?;
    let mut strides = Vec::new();
    if expands {
        for (group, &stride) in groups.iter().zip(&layout.strides) {
            let last = group.last().map_or(0, |&dim| dim as usize + 1);
            strides.extend(group.iter().map(|&dim| times(stride, product(&target[dim as usize + 1..last]))));
        }
        // What a memref without dimensions becomes has one element.
        strides.resize(target.len(), 1);
        return Some(Strided { strides, offset: layout.offset });
    }
    for group in groups {
        let dims: Vec<usize> = group.iter().map(|&dim| dim as usize).collect();
        let (&first, _) = dims.split_first()?;
        // A dimension of extent 1 may have any stride.
        let last = dims.iter().rev().copied().find(|&dim| source[dim] != 1).unwrap_or(first);
        let known = source[last] != DYNAMIC || last == first;
        let stride = if known { layout.strides[last] } else { DYNAMIC };
        let mut expected = stride;
        for &dim in dims[1..].iter().rev() {
            expected = times(expected, source[dim]);
            let found = layout.strides[dim - 1];
            if source[dim - 1] != 1 && expected != DYNAMIC && found != DYNAMIC && expected != found {
                return None;
            }
        }
        strides.push(stride);
    }
    Some(Strided { strides, offset: layout.offset })
}

/// The layout that the lists of `memref.subview` give, which have as many numbers as the base has dimensions.
pub(super) fn subview(ir: &Ir, op: OpId, [offsets, _, strides]: [&[i64]; 3]) -> Result<Strided, Box<Diag>> {
    let at = Parts::of(ir, op);
    let (from, to) = (ir.type_of(at.one("source")), result(&at));
    same_space(&at, from, to, ["base memref", "subview memref"])?;
    let Some(base) = Strided::of(ir, from) else {
        return Err(wrong(ir, op, format!("base type {} is not strided", quoted(ir, from))));
    };
    let offset =
        offsets.iter().zip(&base.strides).fold(base.offset, |sum, (&at, &stride)| plus(sum, times(at, stride)));
    let strides = base.strides.iter().zip(strides).map(|(&a, &b)| times(a, b)).collect();
    Ok(Strided { strides, offset })
}

/// The type of a subview has its layout. Dimensions of extent 1 may be dropped, and take their strides with them.
pub(super) fn subview_layout(ir: &Ir, op: OpId, sizes: &[i64], expected: &Strided) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    let extents = ir[ty].shape().unwrap_or(&[]);
    let found = Strided::of(ir, ty).filter(|found| found.offset == expected.offset);
    let fits = found.is_some_and(|found| {
        let mut rest = extents.iter().zip(&found.strides).peekable();
        let taken = sizes.iter().zip(&expected.strides).all(|pair| rest.next_if_eq(&pair).is_some() || *pair.0 == 1);
        taken && rest.next().is_none()
    });
    ensure(ir, op, fits, || {
        let (expected, found) = (expected.text(ir, sizes, ir.type_of(ir.operand(op, 0))), quoted(ir, ty));
        format!(
            "expected result type to be {expected} or a rank-reduced version. (mismatch of result layout), but got {found}"
        )
    })
}

fn global(ir: &Ir, op: OpId) -> Check {
    let Some(&Attr::Type(ty)) = ir.attr(op, "type") else { return Err(wrong(ir, op, "needs a type")) };
    let known = matches!(&ir[ty], Type::MemRef { shape, .. } if !shape.contains(&DYNAMIC));
    ensure(ir, op, known, || format!("type should be static shaped memref, but got {}", quoted(ir, ty)))?;
    let Some(value) = ir.attr_id(op, "initial_value") else { return Ok(()) };
    let contents = match &ir[value] {
        Attr::Unit => return Ok(()),
        Attr::Dense { ty, .. } => *ty,
        // Other elements say their type only to the dialect that they come from.
        Attr::Dialect { .. } => return Ok(()),
        _ => {
            let value = print_attr(ir, value);
            return Err(wrong(
                ir,
                op,
                format!("initial value should be a unit or elements attribute, but got {value}"),
            ));
        }
    };
    let (Some(wanted), Some(found)) = (elem(ir, ty), elem(ir, contents)) else { return Ok(()) };
    ensure(ir, op, wanted == found, || {
        let (wanted, found) = (quoted(ir, wanted), quoted(ir, found));
        format!("initial value element expected to be of type {wanted}, but was of type {found}")
    })?;
    let (wanted, found) = (ir[ty].shape().unwrap_or(&[]), ir[contents].shape().unwrap_or(&[]));
    ensure(ir, op, wanted == found, || {
        let text = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        format!("initial value shape expected to be {} but was {}", text(wanted), text(found))
    })
}

/// Every `memref.get_global` names a global of its type, the nearest of that name around it.
pub(super) fn globals(ir: &Ir, diags: &mut Vec<Diag>) {
    for op in ir.walk(ir.module()).into_iter().filter(|&op| ir.opcode(op) == Opcode::MemrefGetGlobal) {
        let Some(Attr::Symbol(path)) = ir.attr(op, "name") else { continue };
        let name = &ir[path[0]];
        let mut around = std::iter::successors(Some(op), |&outer| ir.parent_op(outer));
        let named = around.find_map(|outer| {
            let block = ir.parent_block(outer)?;
            ir.block_ops(block).find(|&other| ir.symbol_name(other) == Some(name))
        });
        let global = named.filter(|&named| ir.opcode(named) == Opcode::MemrefGlobal);
        let found = ir.type_of(ir.result(op, 0));
        match global.map(|global| (global, ir.attr(global, "type"))) {
            Some((global, Some(&Attr::Type(ty)))) if ty != found => {
                let message = format!(
                    "result type {} does not match type {} of the global memref @{name}",
                    quoted(ir, found),
                    quoted(ir, ty)
                );
                diags.push(wrong(ir, op, message).related(ir.span(global), "declared here"));
            }
            Some(_) => {}
            None => diags.push(*wrong(ir, op, format!("'{name}' does not reference a valid global memref"))),
        }
    }
}

// ---- bufferization

fn alloc_tensor(at: &Parts<'_>) -> Check {
    let n = at.all("dynamic_sizes").len();
    match at.find("copy") {
        Some(_) => at.ensure(n == 0, "dynamic sizes not needed when copying a tensor"),
        None => dynamic_sizes(at.ir, at.op, result(at), n),
    }
}

fn dealloc(at: &Parts<'_>) -> Check {
    let [memrefs, conditions, retained] = ["memrefs", "conditions", "retained"].map(|name| at.all(name).len());
    at.ensure(memrefs == conditions, "must have the same number of conditions as memrefs to deallocate")?;
    at.ensure(
        at.ir.results(at.op).len() == retained,
        "must have the same number of updated conditions (results) as retained operands",
    )
}

fn materialize(at: &Parts<'_>) -> Check {
    let (ir, dest) = (at.ir, at.ir.type_of(at.one("dest")));
    let source = ir.type_of(at.one("source"));
    let results: Vec<TypeId> = types_of(ir, &ir.results(at.op).collect::<Vec<_>>());
    let tensor = matches!(ir[dest], Type::Tensor { .. } | Type::UnrankedTensor(_));
    let buffer = matches!(ir[dest], Type::MemRef { .. } | Type::UnrankedMemRef { .. });
    let has = |name: &str| ir.attr_id(at.op, name).is_some();
    at.ensure(tensor || buffer, "'dest' must be a tensor or a memref")?;
    if tensor {
        at.ensure(results.len() == 1, "tensor 'dest' implies exactly one tensor result")?;
        at.ensure(results == [dest], "result and 'dest' types must match")?;
    }
    at.ensure(!buffer || results.is_empty(), "memref 'dest' implies zero results")?;
    at.ensure(!has("restrict") || buffer, "'restrict' is valid only for memref destinations")?;
    at.ensure(
        has("writable") == buffer,
        "'writable' must be specified if and only if the destination is of memref type",
    )?;
    let shapes = (ir[source].shape(), ir[dest].shape());
    if let (Some(a), Some(b)) = shapes {
        at.ensure(a.len() == b.len(), "rank mismatch between source and destination shape")?;
    }
    let fits = match shapes {
        (Some(a), Some(b)) => alike(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    at.ensure(fits, "source/destination shapes are incompatible")
}

/// A tensor and the buffer of its contents.
fn same_contents(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let what = |why: &str| {
        let message = "failed to verify that specified tensor and buffer types match";
        Box::new(wrong(ir, op, message).note(why))
    };
    match (ir[from].shape(), ir[to].shape()) {
        (a, b) if a != b => Err(what("shapes do not match")),
        _ if elem(ir, from) != elem(ir, to) => Err(what("element types do not match")),
        _ => Ok(()),
    }
}

/// What `bufferization` says about an argument of a function.
pub(super) fn argument(ir: &Ir, func: OpId, name: &str, value: AttrId) -> Check {
    match (name, &ir[value]) {
        ("bufferization.writable", Attr::Bool(_)) => {
            ensure(ir, func, ir.body(func, 0).is_some(), || format!("'{name}' is invalid on external functions"))
        }
        ("bufferization.writable", _) => {
            Err(wrong(ir, func, format!("'{name}' is expected to be a boolean attribute")))
        }
        ("bufferization.access", Attr::Str(word)) => {
            ensure(ir, func, matches!(&ir[*word], "none" | "read" | "write" | "read-write"), || {
                format!("invalid value for '{name}'")
            })
        }
        ("bufferization.access", _) => Err(wrong(ir, func, format!("'{name}' is expected to be a string attribute"))),
        _ => Ok(()),
    }
}
