//! Pack layouts, `#iree_map.pack_layout<shape : stride>`: which thread holds what, as nested tuples.
//!
//! Each dimension of the vector is a list of digits, the last one fastest. A digit with a stride is a digit of the
//! thread's number, one without counts through what a thread holds. Transposing permutes the dimensions, reshaping reads
//! the same digits in other groups, and both are exact.

use std::collections::VecDeque;
use std::fmt;

use raddle_ir::{Attr, Body, Class, Code, Def, Diag, Ir, OpId, Opcode, ValueId};
use raddle_layout::Nested;
use rustc_hash::FxHashMap;

use super::flow;
use crate::config::Launch;

/// A pack layout: for each dimension its digits, each an extent and a stride, slowest first, neighbours merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pack {
    dims: Vec<Vec<(i64, i64)>>,
}

impl Pack {
    /// Reads `((2, 4), 8) : ((0, 1), 4)`.
    fn parse(text: &str) -> Option<Pack> {
        let (shape, stride) = text.split_once(':')?;
        let (shape, stride) = (leaves(shape)?, leaves(stride)?);
        let same = shape.len() == stride.len() && shape.iter().zip(&stride).all(|(a, b)| a.len() == b.len());
        let extents = shape.concat();
        extents.iter().try_fold(1i64, |product, &extent| product.checked_mul(extent))?;
        extents
            .iter()
            .zip(stride.concat())
            .try_fold((), |(), (&extent, stride)| extent.checked_mul(stride).map(|_| ()))?;
        let zipped = shape.into_iter().zip(stride).map(|(shape, stride)| shape.into_iter().zip(stride).collect());
        same.then(|| Pack { dims: zipped.map(merged).collect() })
    }

    /// The extent of each dimension.
    pub fn shape(&self) -> Vec<i64> {
        self.dims.iter().map(|digits| digits.iter().map(|digit| digit.0).product()).collect()
    }

    /// For each dimension its digits, each an extent and a stride, slowest first.
    pub fn digits(&self) -> &[Vec<(i64, i64)>] {
        &self.dims
    }

    fn permute(&self, perm: &[usize]) -> Pack {
        Pack { dims: perm.iter().map(|&d| self.dims[d].clone()).collect() }
    }

    /// The same digits for another shape; `None` where one would have to be cut in a way that leaves no digits.
    pub fn reshape(&self, shape: &[i64]) -> Option<Pack> {
        let mut digits = merged(self.dims.concat());
        let mut dims = Vec::new();
        for &extent in shape.iter().rev() {
            let (mut left, mut dim) = (extent, Vec::new());
            while left > 1 {
                let (count, stride) = digits.pop()?;
                let part = count.min(left);
                if count % part != 0 || left % part != 0 {
                    return None;
                }
                dim.push((part, stride));
                if count > part {
                    digits.push((count / part, stride * part));
                }
                left /= part;
            }
            dim.reverse();
            dims.push(merged(dim));
        }
        dims.reverse();
        digits.iter().all(|digit| digit.0 == 1).then_some(Pack { dims })
    }
}

/// The nested layout that is this one on subgroups of `subgroup_size` lanes: along each dimension at most one digit of
/// the subgroup's number, then what a thread counts through, then one of the lane's, then elements.
fn nested(pack: &Pack, subgroup_size: i64) -> Option<Nested> {
    let rank = pack.dims.len();
    let [mut subgroup, mut batch, mut lane, mut element] = [(); 4].map(|()| vec![1; rank]);
    let [mut subgroup_strides, mut lane_strides] = [(); 2].map(|()| vec![0; rank]);
    for (d, digits) in pack.dims.iter().enumerate() {
        let mut rest = &digits[..];
        if let Some((&(extent, stride), others)) = rest.split_first()
            && stride > 0
            && stride % subgroup_size == 0
        {
            (subgroup[d], subgroup_strides[d], rest) = (extent, stride / subgroup_size, others);
        }
        let threads = rest.iter().filter(|digit| digit.1 > 0).count();
        let at = rest.iter().position(|digit| digit.1 > 0).unwrap_or(0);
        let product = |digits: &[(i64, i64)]| digits.iter().map(|digit| digit.0).product::<i64>();
        match threads {
            0 => element[d] = product(rest),
            1 => {
                batch[d] = product(&rest[..at]);
                (lane[d], lane_strides[d]) = rest[at];
                element[d] = product(&rest[at + 1..]);
            }
            _ => return None,
        }
    }
    Nested::new(subgroup, batch, vec![1; rank], lane, element, subgroup_strides, lane_strides).ok()
}

/// Turns the pack layouts of a function's anchors into the nested ones that they are.
pub fn nest(ir: &mut Ir, func: OpId, launch: Launch) -> Result<(), Diag> {
    for op in ir.walk(func) {
        let Some(pack) = anchor(ir, op) else { continue };
        let Some(nested) = nested(&pack, launch.subgroup_size) else {
            let message = format!("the layout of `{}` is not a nested layout", ir.name(op));
            return Err(Diag::error(Code::LayoutMisfit, ir.span(op), message)
                .note(format!("it is #iree_map.pack_layout<{pack}>"))
                .note("a dimension may have one digit of the subgroup's number, what each thread counts through, one of the lane's, and elements, in this order")
                .help("anchor the vector with the nested layout that is nearest, and convert where the other is needed"));
        };
        let layout = ir.intern(Attr::Layout(nested.into()));
        ir.set_attr(op, "layout", layout);
    }
    Ok(())
}

/// The numbers of each element of a tuple, however deep they nest.
fn leaves(text: &str) -> Option<Vec<Vec<i64>>> {
    let (mut depth, mut dims, mut number) = (0u32, Vec::<Vec<i64>>::new(), None::<i64>);
    let mut fresh = true;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(i64::from(digit))?);
            continue;
        }
        if let Some(number) = number.take() {
            if fresh {
                dims.push(Vec::new());
                fresh = false;
            }
            dims.last_mut()?.push(number);
        }
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 1 => fresh = true,
            ',' => {}
            c if c.is_whitespace() => {}
            _ => return None,
        }
    }
    (depth == 0 && number.is_none()).then_some(dims)
}

/// Neighbours that count as one digit become one.
fn merged(digits: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> = Vec::new();
    for (extent, stride) in digits.into_iter().filter(|digit| digit.0 != 1) {
        match all.last_mut() {
            Some(last) if Some(last.1) == stride.checked_mul(extent) => *last = (last.0 * extent, stride),
            _ => all.push((extent, stride)),
        }
    }
    all
}

impl fmt::Display for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tuple = |unit: i64, pick: fn(&(i64, i64)) -> i64| {
            let dims = self.dims.iter().map(|digits| match &digits[..] {
                [] => unit.to_string(),
                [digit] => pick(digit).to_string(),
                digits => format!("({})", digits.iter().map(|d| pick(d).to_string()).collect::<Vec<_>>().join(", ")),
            });
            format!("({})", dims.collect::<Vec<_>>().join(", "))
        };
        write!(f, "{} : {}", tuple(1, |digit| digit.0), tuple(0, |digit| digit.1))
    }
}

/// The layout that a `to_layout` states, if it is a pack layout that fits its vector.
fn anchor(ir: &Ir, op: OpId) -> Option<Pack> {
    let Attr::Dialect { name, body: Body::Text(text) } = ir.attr(op, "layout")? else { return None };
    let pack = Pack::parse(&ir[*text]).filter(|_| &ir[*name] == "iree_map.pack_layout")?;
    (ir.opcode(op) == Opcode::IreeVectorExtToLayout && pack.shape() == ir.shape_of(ir.result(op, 0))).then_some(pack)
}

/// The pack layouts of a function's vectors; none where no anchor has one.
pub fn packs(ir: &Ir, func: OpId) -> FxHashMap<ValueId, Pack> {
    spread(ir, &ir.walk(func))
}

/// The pack layouts that anchors mean for the values around them; who is nearer to an anchor has the say.
pub fn spread(ir: &Ir, ops: &[OpId]) -> FxHashMap<ValueId, Pack> {
    let mut found = FxHashMap::default();
    let mut fresh = VecDeque::new();
    let offer = |value: ValueId, pack: Pack, fresh: &mut VecDeque<ValueId>, found: &mut FxHashMap<_, _>| {
        if ir.ty(value).is_vector() && !found.contains_key(&value) {
            found.insert(value, pack);
            fresh.push_back(value);
        }
    };
    for &op in ops {
        if let Some(pack) = anchor(ir, op) {
            offer(ir.result(op, 0), pack, &mut fresh, &mut found);
        }
    }
    while let Some(value) = fresh.pop_front() {
        let pack = found[&value].clone();
        for (op, operand) in ir.uses(value) {
            for target in flow::targets(ir, op, operand) {
                offer(target, pack.clone(), &mut fresh, &mut found);
            }
            if let Some(pack) = passed(ir, op, &pack, true) {
                for result in ir.results(op) {
                    offer(result, pack.clone(), &mut fresh, &mut found);
                }
            }
        }
        for (op, operand) in flow::sources(ir, value) {
            offer(ir.operand(op, operand), pack.clone(), &mut fresh, &mut found);
        }
        if let Def::Result { op, .. } = ir.def(value) {
            let pack = if anchor(ir, op).is_some() { Some(pack) } else { passed(ir, op, &pack, false) };
            for &operand in pack.iter().flat_map(|_| ir.operands(op)) {
                offer(operand, pack.clone().expect("there are operands only with a layout"), &mut fresh, &mut found);
            }
        }
    }
    found
}

/// A layout on the other side of an operation that keeps elements where they are: of the results, or of the operands.
fn passed(ir: &Ir, op: OpId, pack: &Pack, forward: bool) -> Option<Pack> {
    match ir.class(op) {
        Class::Elementwise => Some(pack.clone()),
        Class::Transpose => {
            let perm = super::rules::permutation(ir, op);
            let inverse = || (0..perm.len()).filter_map(|d| perm.iter().position(|&p| p == d)).collect::<Vec<_>>();
            Some(pack.permute(&if forward { perm } else { inverse() }))
        }
        Class::Reshape => {
            let other = if forward { ir.result(op, 0) } else { ir.operand(op, 0) };
            pack.reshape(ir.shape_of(other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    /// Every point of a layout: the thread and the place among what it holds.
    fn points(pack: &Pack) -> Vec<(i64, i64)> {
        let digits: Vec<(i64, i64)> = pack.dims.concat();
        let n: i64 = digits.iter().map(|digit| digit.0).product();
        let at = |mut number: i64| {
            let (mut thread, mut held, mut step) = (0, 0, 1);
            for &(extent, stride) in digits.iter().rev() {
                let digit = number % extent;
                number /= extent;
                thread += digit * stride;
                if stride == 0 {
                    held += digit * step;
                    step *= extent;
                }
            }
            (thread, held)
        };
        (0..n).map(at).collect()
    }

    /// A reshape gives each thread the same elements in the same order, whatever the groups.
    #[test]
    fn a_reshape_moves_nothing() {
        let pack = Pack::parse("((2, 4), (4, 8), 2) : ((0, 1), (0, 4), 0)").unwrap();
        for shape in [vec![512], vec![8, 32, 2], vec![2, 2, 2, 8, 8], vec![4, 128], vec![16, 2, 16]] {
            let other = pack.reshape(&shape).unwrap();
            assert_eq!((other.shape(), points(&other)), (shape, points(&pack)));
            assert_eq!(other.reshape(&pack.shape()), Some(pack.clone()));
        }
        assert_eq!(pack.reshape(&[512, 2]), None);
    }

    /// What is printed reads as the same, and neighbours that are one digit are one.
    #[test]
    fn text_is_merged() {
        let pack = Pack::parse("((8, (2, 2), 4), 3) : ((1, (0, 0), 8), 0)").unwrap();
        assert_eq!(pack.to_string(), "((8, 4, 4), 3) : ((1, 0, 8), 0)");
        assert_eq!(Pack::parse(&pack.to_string()), Some(pack));
        for bad in ["(4", "(4) : (1, 2)", "(4))(", "(x) : (1)"] {
            assert_eq!(Pack::parse(bad), None, "{bad}");
        }
    }
}
