//! What the lanes of a subgroup do together.

use crate::fault::{Fault, Kind, Run, lanes};
use crate::inst::{Combine, Shuffle};
use crate::machine::Subgroup;
use crate::ops::arith::with_combine;
use crate::regs::{Num, Reg, Regs};

/// All lanes that exist are on.
pub(crate) fn check_converged(s: &Subgroup, what: &str) -> Run<()> {
    if s.mask == s.launched {
        return Ok(());
    }
    let missing = lanes(s.launched & !s.mask);
    Err(Fault::new(
        Kind::Barrier,
        None,
        format!("{what} is reached by lanes {} only; lanes {missing} are elsewhere", lanes(s.mask)),
    )
    .help("move it out of the branch or loop that only some lanes take"))
}

/// All lanes that the operation reads from exist.
fn check_present(s: &Subgroup, what: &str) -> Run<()> {
    if s.launched.count_ones() as usize == s.regs.lanes {
        return Ok(());
    }
    Err(Fault::new(
        Kind::Barrier,
        None,
        format!("{what} takes {} lanes, but this subgroup has lanes {} only", s.regs.lanes, lanes(s.launched)),
    )
    .help("make the workgroup size a multiple of the subgroup size"))
}

/// `gpu.shuffle`, with the meaning of PTX `shfl`: segments of `width` lanes, and a lane whose source lies outside its
/// segment keeps its own value and is told so.
pub(crate) fn shuffle<T: Num>(
    s: &mut Subgroup,
    mode: Shuffle,
    [dst, valid]: [Reg; 2],
    [src, offset, width]: [Reg; 3],
) -> Run<()> {
    check_converged(s, "a shuffle")?;
    let n = s.regs.lanes;
    let mut from = [0usize; 128];
    let mut inside = [false; 128];
    for lane in 0..n {
        let (offset, width) = (s.regs.int(offset, lane), s.regs.int(width, lane));
        let power = width > 0 && width.count_ones() == 1 && width as usize <= n.next_power_of_two();
        if s.is_on(lane) && !power {
            return Err(Fault::new(
                Kind::Undefined,
                Some(lane),
                format!("the width of a shuffle is {width}, and must be a power of two up to {n}"),
            ));
        }
        let width = if power { width } else { 1 };
        let lane_at = lane as i64;
        let first = lane_at & !(width - 1);
        let source = match mode {
            Shuffle::Xor => lane_at ^ offset,
            Shuffle::Idx => first | (offset & (width - 1)),
            Shuffle::Up => lane_at.wrapping_sub(offset),
            Shuffle::Down => lane_at.wrapping_add(offset),
        };
        inside[lane] = (first..first + width).contains(&source) && source < n as i64;
        from[lane] = if inside[lane] { source as usize } else { lane };
        if s.is_on(lane) && s.launched >> from[lane] & 1 == 0 {
            return Err(Fault::new(
                Kind::Barrier,
                Some(lane),
                format!("the shuffle reads from lane {}, which does not exist in this subgroup", from[lane]),
            ));
        }
    }
    let mut out = s.regs.take::<T>(dst);
    for (out, src) in out.chunks_exact_mut(n).zip(s.regs.get::<T>(src).chunks_exact(n)) {
        for (out, &from) in out.iter_mut().zip(&from) {
            *out = src[from];
        }
    }
    s.regs.put(dst, out);
    let mut flags = s.regs.take::<i64>(valid);
    flags.iter_mut().zip(inside).for_each(|(out, inside)| *out = i64::from(inside));
    s.regs.put(valid, flags);
    Ok(())
}

/// Combines the lanes of each cluster in a butterfly: first neighbours, then pairs of pairs. All lanes of a cluster get
/// the same bits, since each step combines the same two numbers on both sides.
pub(crate) fn subgroup_reduce(
    s: &mut Subgroup,
    dst: Reg,
    src: Reg,
    combine: Combine,
    size: usize,
    stride: usize,
) -> Run<()> {
    check_converged(s, "a subgroup reduction")?;
    check_present(s, "a subgroup reduction")?;
    with_combine!(combine, dst.bank, butterfly(&mut s.regs, dst, src, size, stride));
    Ok(())
}

fn butterfly<T: Num, F: Fn(T, T) -> T>(regs: &mut Regs, dst: Reg, src: Reg, size: usize, stride: usize, f: F) {
    let n = regs.lanes;
    let mut out = regs.take::<T>(dst);
    out.copy_from_slice(regs.get::<T>(src));
    let mut before = vec![T::default(); n];
    for out in out.chunks_exact_mut(n) {
        let mut distance = stride;
        while distance < size * stride {
            before.copy_from_slice(out);
            for (lane, out) in out.iter_mut().enumerate() {
                // The lower lane's number stands first, so that both sides compute the same even for NaN and zeros.
                let other = lane ^ distance;
                *out = f(before[lane.min(other)], before[lane.max(other)]);
            }
            distance *= 2;
        }
    }
    regs.put(dst, out);
}

/// Checks what a matrix instruction needs.
pub(crate) fn check_matrix(s: &Subgroup) -> Run<()> {
    check_converged(s, "a matrix instruction")?;
    check_present(s, "a matrix instruction")
}
