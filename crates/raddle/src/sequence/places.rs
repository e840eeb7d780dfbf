//! Places: where the buffers of a sequence lie in its workspace, by the time from their first step to their last.

use std::collections::HashMap;

use raddle_emit::sequence::{Argument, Base, Place, Step};
use raddle_ir::affine::BinOp;
use raddle_ir::{Diag, Expr, OpId};

use super::{Builder, Draft, Passed, aligned, refuse, room};

/// A buffer: where it lies, once that is known.
pub struct Buffer {
    pub place: Option<Place>,
    /// It is a part of this one, from a byte on.
    pub within: Option<(usize, Expr)>,
    pub bytes: Expr,
    /// Whether a step writes it.
    pub is_written: bool,
    /// Whether it is what a round of the loop that is drafted begins with.
    pub is_carried: bool,
}

/// The first and the last step that uses a buffer.
#[derive(Clone, Copy)]
struct Life {
    first: usize,
    last: usize,
}

/// The lives of buffers that have no place yet.
#[derive(Default)]
struct Lives {
    /// In the order in which they begin.
    all: Vec<(usize, Life)>,
    /// The place of each in the list.
    number: HashMap<usize, usize>,
    /// Steps so far.
    time: usize,
}

impl Builder<'_> {
    pub(super) fn buffer_of(&mut self, bytes: Expr, place: Option<Place>) -> usize {
        self.buffers.push(Buffer { place, within: None, bytes, is_written: false, is_carried: false });
        self.buffers.len() - 1
    }

    /// A part of a buffer.
    pub(super) fn part(&mut self, of: usize, byte: Expr, bytes: Expr) -> usize {
        self.buffers.push(Buffer { place: None, within: Some((of, byte)), bytes, is_written: true, is_carried: false });
        self.buffers.len() - 1
    }

    /// The buffer that this one is a part of in the end.
    pub(super) fn root(&self, mut buffer: usize) -> usize {
        while let Some((of, _)) = self.buffers[buffer].within {
            buffer = of;
        }
        buffer
    }

    fn live(&self, drafts: &[Draft], lives: &mut Lives) {
        for draft in drafts {
            let first = lives.time;
            for buffer in draft.buffers().into_iter().map(|buffer| self.root(buffer)) {
                if self.buffers[buffer].place.is_some() {
                    continue;
                }
                let index = *lives.number.entry(buffer).or_insert_with(|| {
                    lives.all.push((buffer, Life { first, last: first }));
                    lives.all.len() - 1
                });
                lives.all[index].1.last = first;
            }
            lives.time += 1;
            for inner in draft.inner() {
                self.live(inner, lives);
            }
            if let Draft::Loop { .. } = draft {
                // What is there before the first round, and used in one, is used in all.
                for (_, life) in lives.all.iter_mut().filter(|(_, life)| life.first < first && life.last > first) {
                    life.last = lives.time;
                }
                lives.time += 1;
            }
        }
    }

    /// Finds places in the workspace for the buffers of these steps that have none yet; its size.
    ///
    /// # Errors
    ///
    /// `E0701` where numbers that steps set decide how large a buffer is.
    pub(super) fn place(&mut self, op: OpId, steps: &[Draft]) -> Result<Expr, Diag> {
        let mut lives = Lives::default();
        self.live(steps, &mut lives);
        let lives = lives.all;
        if lives.iter().any(|&(buffer, _)| self.depends_on_steps(&self.buffers[buffer].bytes)) {
            return Err(refuse(&self.host.ir, op, "data decide how large a temporary is"));
        }
        let mut end = self.place_known(&lives);
        // Behind those of known sizes, one that only the run knows shares with others of its size.
        let mut open: Vec<(Expr, Expr, usize)> = Vec::new();
        for (buffer, life) in &lives {
            if self.buffers[*buffer].place.is_some() {
                continue;
            }
            let bytes = self.buffers[*buffer].bytes.clone();
            let free = open.iter_mut().find(|(size, _, last)| *size == bytes && *last < life.first);
            let start = match free {
                Some((_, start, last)) => {
                    *last = life.last;
                    start.clone()
                }
                None => {
                    let start = end.clone();
                    end = Expr::binary(BinOp::Add, end, aligned(&bytes)).simplified();
                    open.push((bytes, start.clone(), life.last));
                    start
                }
            };
            self.buffers[*buffer].place = Some(Place { base: Base::Workspace, byte: start });
        }
        Ok(end)
    }

    /// The same for buffers of known sizes, from the largest on, each at the first place that none of its time has.
    fn place_known(&mut self, lives: &[(usize, Life)]) -> Expr {
        let size = |buffer: usize| match self.buffers[buffer].bytes {
            Expr::Const(bytes) => Some(room(bytes)),
            _ => None,
        };
        let mut order: Vec<(usize, Life, u64)> =
            lives.iter().filter_map(|&(buffer, life)| Some((buffer, life, size(buffer)?))).collect();
        order.sort_by_key(|&(_, life, bytes)| (std::cmp::Reverse(bytes), life.first));
        let mut placed: Vec<(u64, u64, Life)> = Vec::new();
        let mut end = 0;
        for (buffer, life, bytes) in order {
            let mut start = 0;
            // In the order of their beginnings.
            for &(from, to, other) in &placed {
                let overlaps = life.first <= other.last && other.first <= life.last;
                if overlaps && start < to && from < start + bytes {
                    start = to;
                }
            }
            let at = placed.partition_point(|&(from, ..)| from < start);
            placed.insert(at, (start, start + bytes, life));
            end = end.max(start + bytes);
            self.buffers[buffer].place = Some(Place { base: Base::Workspace, byte: Expr::Const(start as i64) });
        }
        Expr::Const(end as i64)
    }

    /// Where a buffer lies.
    fn place_of(&self, buffer: usize) -> Place {
        match &self.buffers[buffer].within {
            None => self.buffers[buffer].place.clone().expect("every buffer has a place"),
            Some((of, byte)) => {
                let Place { base, byte: first } = self.place_of(*of);
                Place { base, byte: Expr::binary(BinOp::Add, first, byte.clone()).simplified() }
            }
        }
    }

    pub(super) fn steps(&self, drafts: Vec<Draft>) -> Vec<Step> {
        drafts.into_iter().filter_map(|draft| self.step(draft)).collect()
    }

    fn step(&self, draft: Draft) -> Option<Step> {
        Some(match draft {
            Draft::Begin(_) => return None,
            Draft::Copy { from, to, bytes, rows } => {
                Step::Copy { from: self.place_of(from), to: self.place_of(to), bytes, rows }
            }
            Draft::Call { kernel, arguments } => {
                let argument = |passed: Passed| match passed {
                    Passed::Buffer(buffer) => Argument::Buffer(self.place_of(buffer)),
                    Passed::Other(argument) => argument,
                };
                Step::Call { kernel, arguments: arguments.into_iter().map(argument).collect() }
            }
            Draft::Fill { to, with } => {
                Step::Fill { to: self.place_of(to), bytes: self.buffers[to].bytes.clone(), with }
            }
            Draft::Set { number, to } => Step::Set { number, to },
            Draft::Read { number, from, elem } => Step::Read { number, from: self.place_of(from), elem },
            Draft::Write { number, to, elem } => Step::Write { number, to: self.place_of(to), elem },
            Draft::If { flag, then, otherwise } => {
                Step::If { flag, then: self.steps(then), otherwise: self.steps(otherwise) }
            }
            Draft::Loop { before, flag, after } => {
                Step::Loop { before: self.steps(before), flag, after: self.steps(after) }
            }
        })
    }

    /// Leaves out the constants that no step uses.
    pub(super) fn drop_unused_constants(&mut self) {
        let sequence = &mut self.sequence;
        let mut used = vec![false; sequence.constants.len()];
        for steps in [&mut sequence.once, &mut sequence.steps] {
            bases(steps, &mut |base| {
                if let Base::Constant(at) = base {
                    used[*at] = true;
                }
            });
        }
        let mut is_used = used.iter();
        sequence.constants.retain(|_| is_used.next() == Some(&true));
        let number = |at: usize| used[..at].iter().filter(|&&is_used| is_used).count();
        for steps in [&mut sequence.once, &mut sequence.steps] {
            bases(steps, &mut |base| {
                if let Base::Constant(at) = base {
                    *at = number(*at);
                }
            });
        }
    }
}

/// Goes through all memory that steps use.
fn bases(steps: &mut [Step], visit: &mut dyn FnMut(&mut Base)) {
    for step in steps {
        match step {
            Step::Call { arguments, .. } => {
                for argument in arguments {
                    if let Argument::Buffer(place) = argument {
                        visit(&mut place.base);
                    }
                }
            }
            Step::Copy { from, to, .. } => [from, to].into_iter().for_each(|place| visit(&mut place.base)),
            Step::Fill { to: place, .. } | Step::Read { from: place, .. } | Step::Write { to: place, .. } => {
                visit(&mut place.base);
            }
            Step::Set { .. } => {}
            Step::If { then: first, otherwise: second, .. } | Step::Loop { before: first, after: second, .. } => {
                bases(first, visit);
                bases(second, visit);
            }
        }
    }
}
