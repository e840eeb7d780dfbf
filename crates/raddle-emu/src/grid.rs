//! The grid: workgroups in order, or on several threads of the emulator with the same outcome.
//!
//! The run begins in order. When it proves long, what is left of the grid is cut into one stretch for each thread. The
//! first stretch goes on in place, as if there were no others; each other one works on a copy of what the program
//! writes. Afterwards the copies are joined element by element. In a program without races no workgroup sees what
//! another one writes, so that the joined state is that of a run in order. Wherever that is not sure (an element that
//! one stretch wrote was touched by another, a finding in a later stretch, the sum of the fuel), the caller starts
//! again, in order.

use std::panic::resume_unwind;
use std::thread;

use raddle_ir::Diag;

use crate::fault::Kind;
use crate::machine::{Machine, Shuffled, Subgroup};

/// Fuel after which a run is long: about a millisecond.
const LONG: u64 = 1 << 22;

/// How a grid ends that does not end well.
pub(crate) enum Failed {
    /// As it would in order.
    Told(Box<Diag>),
    /// The outcome depends on the order: run it in order.
    Unsure,
}

/// Runs the whole grid.
pub(crate) fn run(machine: &mut Machine<'_>, subgroups: &mut [Subgroup]) -> Result<(), Failed> {
    let n = machine.launch.grid.iter().map(|&extent| u64::from(extent)).product::<u64>();
    let order = Shuffled::new(n, machine.options.seed);
    let before = machine.fuel_left();
    let mut turn = 0;
    while turn < n {
        let used = before - machine.fuel_left();
        let rest = (used / turn.max(1)).saturating_mul(n - turn);
        if machine.options.threads > 1 && !machine.code.atomic && used >= LONG && rest >= 4 * LONG && n - turn > 1 {
            let workers = n_workers(machine, n - turn);
            if workers > 1 {
                return split(machine, subgroups, order, turn..n, workers);
            }
        }
        machine.workgroup(subgroups, order.at(turn), turn).map_err(Failed::Told)?;
        turn += 1;
    }
    Ok(())
}

/// The place in the grid of a workgroup; x runs fastest.
pub(crate) fn place([x, y, _]: [u32; 3], workgroup: u32) -> [u32; 3] {
    [workgroup % x, workgroup / x % y, workgroup / x / y]
}

/// How many threads the workgroups and the memory are enough for.
fn n_workers(machine: &Machine<'_>, n_workgroups: u64) -> usize {
    let shared = machine.shared.iter().flatten().map(|buffer| buffer.fork_bytes(true)).sum::<usize>();
    let global = machine.globals.iter().zip(&machine.code.written).map(|(buffer, &written)| buffer.fork_bytes(written));
    let each = (global.sum::<usize>() + shared + machine.code.bytes).max(1);
    let most = machine.options.threads.min(usize::try_from(n_workgroups).unwrap_or(usize::MAX));
    most.min(1 + machine.memory_left / each)
}

fn split(
    machine: &mut Machine<'_>,
    subgroups: &mut [Subgroup],
    order: Shuffled,
    turns: std::ops::Range<u64>,
    workers: usize,
) -> Result<(), Failed> {
    let n = turns.end - turns.start;
    let cut = |worker: usize| turns.start + (u128::from(n) * worker as u128 / workers as u128) as u64;
    let fuel = machine.fuel_left();
    let code = machine.code;
    machine.memory_left /= workers;
    let mut forks: Vec<(Machine<'_>, Vec<Subgroup>)> =
        (1..workers).map(|_| (machine.fork(&code.written), subgroups.to_vec())).collect();
    let stretch = |machine: &mut Machine<'_>, subgroups: &mut [Subgroup], worker: usize| {
        (cut(worker)..cut(worker + 1)).try_for_each(|turn| machine.workgroup(subgroups, order.at(turn), turn))
    };
    let first = thread::scope(|scope| {
        let stretch = &stretch;
        // A panic is one of the thread that all of them belong to.
        let name = thread::current().name().unwrap_or_default().to_owned();
        let handles: Vec<_> = forks
            .iter_mut()
            .zip(1..)
            .map_while(|((machine, subgroups), worker)| {
                let thread = thread::Builder::new().name(name.clone());
                thread.spawn_scoped(scope, move || stretch(machine, subgroups, worker)).ok()
            })
            .collect();
        let first = stretch(machine, subgroups, 0);
        let others: Vec<_> =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic))).collect();
        first.map(|()| others)
    });
    if machine.stopped || forks.iter().any(|(fork, _)| fork.stopped) {
        return match first {
            Err(diag) => Err(Failed::Told(diag)),
            Ok(others) => Err(others.into_iter().find_map(Result::err).map_or(Failed::Unsure, Failed::Told)),
        };
    }
    match first {
        // A limit on memory was lower than the run's.
        Err(diag) if diag.code == Kind::Limit.code() && machine.fuel_left() > 0 => return Err(Failed::Unsure),
        Err(diag) => return Err(Failed::Told(diag)),
        // The system had too few threads.
        Ok(others) if others.len() + 1 < workers => return Err(Failed::Unsure),
        Ok(others) if others.iter().any(Result::is_err) => return Err(Failed::Unsure),
        Ok(_) => {}
    }
    let mut left = machine.fuel_left();
    for (fork, _) in &forks {
        left = left.checked_sub(fuel - fork.fuel_left()).ok_or(Failed::Unsure)?;
        machine.join(fork).ok_or(Failed::Unsure)?;
    }
    (machine.fuel, machine.reserve) = (0, left);
    Ok(())
}
