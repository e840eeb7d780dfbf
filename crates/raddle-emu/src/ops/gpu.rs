//! What the lanes of a subgroup do together.

use num_bigint::BigInt;

use crate::fault::{Fault, Kind, Run, lanes};
use crate::inst::{Combine, Joint, LaneScan, Shuffle, Vote};
use crate::launch::Launch;
use crate::machine::{Failed, Machine, Subgroup};
use crate::ops::arith::with_combine;
use crate::ops::scan::{call, callee};
use crate::regs::{Bank, Num, Reg, Regs, by_bank};

/// All lanes that exist are on.
#[inline(never)]
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
#[inline(never)]
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
            *out = src[from].clone();
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
#[inline(never)]
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
    out.clone_from_slice(regs.get::<T>(src));
    let mut before = vec![T::default(); n];
    for out in out.chunks_exact_mut(n) {
        let mut distance = stride;
        while distance < size * stride {
            before.clone_from_slice(out);
            for (lane, out) in out.iter_mut().enumerate() {
                // The lower lane's number stands first, so that both sides compute the same even for NaN and zeros.
                let other = lane ^ distance;
                *out = f(before[lane.min(other)].clone(), before[lane.max(other)].clone());
            }
            distance *= 2;
        }
    }
    regs.put(dst, out);
}

/// Partial results from the first lane of each cluster to the last, one after the other; all lanes get the last one.
#[inline(never)]
pub(crate) fn lane_scan(machine: &mut Machine<'_>, s: &mut Subgroup, scan: &LaneScan) -> Result<(), Failed> {
    check_converged(s, "a subgroup scan")?;
    if (scan.size as usize) < s.regs.lanes {
        check_present(s, "a subgroup scan of clusters")?;
    }
    by_bank!(scan.dst.bank, scan_lanes::<_>(machine, s, scan))
}

fn scan_lanes<T: Num>(machine: &mut Machine<'_>, s: &mut Subgroup, scan: &LaneScan) -> Result<(), Failed> {
    let n = s.regs.lanes;
    let (size, stride) = (scan.size as usize, scan.stride as usize);
    let values = s.regs.get::<T>(scan.src).to_vec();
    let init = scan.init.map(|init| s.regs.get::<T>(init).to_vec());
    // A lane's cluster begins where its digit is zero.
    let first = |lane: usize| lane - lane / stride % size * stride;
    let (mut out, mut totals) = (vec![T::default(); n], vec![T::default(); n]);
    let mut body = match &scan.joint {
        Joint::Body(body) => Some((body, callee(s, body))),
        Joint::Combine(_) => None,
    };
    for place in 0..size {
        let here: Vec<usize> =
            (0..n).filter(|&lane| lane / stride % size == place && s.launched >> lane & 1 == 1).collect();
        for &lane in &here {
            if let Some(init) = &init {
                out[lane] = if place == 0 { &init[lane] } else { &totals[first(lane)] }.clone();
            }
        }
        let sums: Vec<T> = if place == 0 {
            here.iter().map(|&lane| values[lane].clone()).collect()
        } else {
            let pairs: Vec<(T, T)> =
                here.iter().map(|&lane| (totals[first(lane)].clone(), values[lane].clone())).collect();
            match (&scan.joint, &mut body) {
                (Joint::Combine(combine), _) => joined(*combine, scan.dst.bank, &pairs),
                (Joint::Body(_), Some((body, inner))) => {
                    for (&lane, (total, value)) in here.iter().zip(&pairs) {
                        T::bank_mut(&mut inner.regs)[body.args[0].at as usize][lane] = total.clone();
                        T::bank_mut(&mut inner.regs)[body.args[1].at as usize][lane] = value.clone();
                    }
                    call(machine, body, inner, here.iter().fold(0, |mask, lane| mask | 1 << lane))?;
                    let yielded = inner.regs.get::<T>(body.yielded[0]);
                    here.iter().map(|&lane| yielded[lane].clone()).collect()
                }
                (Joint::Body(_), None) => unreachable!("a body has its registers"),
            }
        };
        for (&lane, sum) in here.iter().zip(sums) {
            if init.is_none() {
                out[lane] = sum.clone();
            }
            totals[first(lane)] = sum;
        }
    }
    for lane in 0..n {
        totals[lane] = totals[first(lane)].clone();
    }
    s.regs.put(scan.dst, out);
    s.regs.put(scan.total, totals);
    Ok(())
}

/// Every pair combined.
fn joined<T: Num>(combine: Combine, bank: Bank, pairs: &[(T, T)]) -> Vec<T> {
    // Through the registers' own banks, whose numbers these are.
    let mut regs = Regs { lanes: pairs.len(), ..Regs::default() };
    let reg = |at| Reg { bank, at, n: 1 };
    for at in 0..3 {
        match bank {
            Bank::F32 => regs.f32s.push(vec![0.0; pairs.len()]),
            Bank::F64 => regs.f64s.push(vec![0.0; pairs.len()]),
            Bank::Wide => regs.wides.push(vec![BigInt::ZERO; pairs.len()]),
            _ => regs.ints.push(vec![0; pairs.len()]),
        }
        let column = &mut T::bank_mut(&mut regs)[at as usize];
        column.iter_mut().zip(pairs).for_each(|(out, pair)| *out = if at == 1 { &pair.1 } else { &pair.0 }.clone());
    }
    with_combine!(combine, bank, combine_into(&mut regs, reg(2), [reg(0), reg(1)]));
    regs.take::<T>(reg(2))
}

fn combine_into<T: Num, F: Fn(T, T) -> T>(regs: &mut Regs, dst: Reg, [a, b]: [Reg; 2], f: F) {
    let mut out = regs.take::<T>(dst);
    for ((out, a), b) in out.iter_mut().zip(regs.get::<T>(a)).zip(regs.get::<T>(b)) {
        *out = f(a.clone(), b.clone());
    }
    regs.put(dst, out);
}

/// A word with a bit for each lane that is on, or what the bits have in common.
#[inline(never)]
pub(crate) fn vote(s: &mut Subgroup, question: Vote, dst: Reg, src: Reg, takes_part: Option<Reg>) -> Run<()> {
    let bits = s.regs.get::<i64>(src);
    let word = (0..s.regs.lanes).fold(0u128, |word, lane| word | u128::from(bits[lane] & 1 == 1) << lane);
    let mut asked = s.mask;
    if let Some(named) = takes_part {
        let first = s.mask.trailing_zeros() as usize % s.regs.lanes;
        let named = u128::from(s.regs.int(named, first) as u32) & s.launched;
        if named & !s.mask != 0 {
            let missing = lanes(named & !s.mask);
            return Err(Fault::new(
                Kind::Barrier,
                None,
                format!("the vote names lanes {missing}, which are elsewhere"),
            )
            .help("name the lanes that are there"));
        }
        asked = named;
    }
    let word = word & asked;
    let answer = match question {
        Vote::Ballot => word as i64,
        Vote::Any => i64::from(word != 0),
        Vote::All => i64::from(word == asked),
        Vote::Uniform => i64::from(word == asked || word == 0),
    };
    i64::bank_mut(&mut s.regs)[dst.at as usize].fill(answer);
    Ok(())
}

/// One lane's value in all lanes.
#[inline(never)]
pub(crate) fn pick_lane<T: Num>(s: &mut Subgroup, dst: Reg, src: Reg, from: Option<Reg>) -> Run<()> {
    let n = s.regs.lanes;
    let first = s.mask.trailing_zeros() as usize % n;
    let lane = match from {
        None => first,
        Some(from) => {
            let lane = s.regs.int(from, first);
            if let Some(other) = (0..n).find(|&other| s.is_on(other) && s.regs.int(from, other) != lane) {
                return Err(Fault::new(
                    Kind::Undefined,
                    Some(other),
                    format!("lane {first} asks for the value of lane {lane}, and this lane for another"),
                ));
            }
            match usize::try_from(lane) {
                Ok(lane) if lane < n && s.is_on(lane) => lane,
                _ => {
                    return Err(Fault::new(
                        Kind::Barrier,
                        Some(first),
                        format!("the value of lane {lane} is asked for, which is not there"),
                    ));
                }
            }
        }
    };
    let mut out = s.regs.take::<T>(dst);
    for (out, src) in out.chunks_exact_mut(n).zip(s.regs.get::<T>(src).chunks_exact(n)) {
        out.fill(src[lane].clone());
    }
    s.regs.put(dst, out);
    Ok(())
}

/// Barriers that a number names (PTX ISA, "bar").
const N_BARRIERS: i64 = 16;

/// Barriers that are values have numbers of their own, above those of the hardware.
pub(crate) const BARRIER_VALUES: i64 = 1 << 32;

/// The number of a barrier and of its threads, the same in all lanes.
#[inline(never)]
pub(crate) fn named(s: &Subgroup, id: Reg, threads: Option<Reg>, launch: &Launch) -> Run<(i64, i64)> {
    let agreed = |reg: Reg, what: &str| {
        let values = s.regs.get::<i64>(reg);
        let first = values[s.mask.trailing_zeros() as usize % s.regs.lanes];
        match (0..s.regs.lanes).find(|&lane| s.is_on(lane) && values[lane] != first) {
            None => Ok(first),
            Some(lane) => Err(Fault::new(
                Kind::Barrier,
                Some(lane),
                format!("lanes of one subgroup name {what} {first} and {}", values[lane]),
            )),
        }
    };
    let all = i64::from(launch.threads());
    let id = agreed(id, "barrier")?;
    if !(0..N_BARRIERS).contains(&id) && id < BARRIER_VALUES {
        return Err(Fault::new(
            Kind::Barrier,
            None,
            format!("there is no barrier {id}: a workgroup has barriers 0 to {}", N_BARRIERS - 1),
        ));
    }
    let threads = threads.map_or(Ok(all), |threads| agreed(threads, "so many threads:"))?;
    let lanes = i64::from(launch.subgroup_size);
    if threads < 1 || threads > all || (threads % lanes != 0 && threads != all) {
        return Err(Fault::new(
            Kind::Undefined,
            None,
            format!("a barrier of {threads} threads in a workgroup of {all}, in subgroups of {lanes}"),
        )
        .help("a barrier is for whole subgroups of the workgroup"));
    }
    Ok((id, threads))
}

/// Checks what a matrix instruction needs.
pub(crate) fn check_matrix(s: &Subgroup) -> Run<()> {
    check_converged(s, "a matrix instruction")?;
    check_present(s, "a matrix instruction")
}
