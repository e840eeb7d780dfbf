//! Run a plan on integers, as the machine would: what each step reads must have been written.

use std::fmt;

use super::{Access, Exchange, Form, Offsets, Plan, Scope, Shuffle, Side, Step};

/// What went wrong in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A step needs more slots, lanes or subgroups than there are, or a place outside the memory.
    Shape {
        /// Which step.
        step: usize,
    },
    /// Two lanes write different values to one place of memory.
    Race {
        /// The offset.
        offset: i64,
    },
    /// A matrix's row does not lie together.
    Askew {
        /// The offset of its first element.
        offset: i64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Shape { step } => write!(f, "step {step} does not fit the registers"),
            Fault::Race { offset } => write!(f, "different values are written at offset {offset}"),
            Fault::Askew { offset } => write!(f, "the row at offset {offset} does not lie together"),
        }
    }
}

impl std::error::Error for Fault {}

/// The registers of a workgroup: subgroups, lanes, slots, row-major.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registers {
    /// How many subgroups.
    pub n_subgroups: usize,
    /// How many lanes each has.
    pub n_lanes: usize,
    /// How many slots each has.
    pub n_slots: usize,
    /// What the slots hold.
    pub values: Vec<Option<i64>>,
}

impl Registers {
    /// Empty registers.
    pub fn empty(n_subgroups: usize, n_lanes: usize, n_slots: usize) -> Registers {
        Registers { n_subgroups, n_lanes, n_slots, values: vec![None; n_subgroups * n_lanes * n_slots] }
    }

    fn place(&self, subgroup: usize, lane: usize, slot: usize) -> usize {
        (subgroup * self.n_lanes + lane) * self.n_slots + slot
    }

    fn get(&self, subgroup: usize, lane: usize, slot: usize) -> Option<i64> {
        self.values[self.place(subgroup, lane, slot)]
    }

    /// Registers of `n_slots` filled from these by a function of subgroup, lane and slot.
    fn refill(&self, n_slots: usize, value: impl Fn(usize, usize, usize) -> Option<i64>) -> Registers {
        let mut after = Registers::empty(self.n_subgroups, self.n_lanes, n_slots);
        for subgroup in 0..self.n_subgroups {
            for lane in 0..self.n_lanes {
                for slot in 0..n_slots {
                    let place = after.place(subgroup, lane, slot);
                    after.values[place] = value(subgroup, lane, slot);
                }
            }
        }
        after
    }
}

impl Plan {
    /// What the registers hold after all steps.
    pub fn run(&self, registers: &Registers) -> Result<Registers, Fault> {
        let mut now = registers.clone();
        for (index, step) in self.steps.iter().enumerate() {
            let shape = Fault::Shape { step: index };
            now = match step {
                Step::Slots { from } => {
                    if from.iter().any(|&slot| slot >= now.n_slots) {
                        return Err(shape);
                    }
                    now.refill(from.len(), |subgroup, lane, slot| now.get(subgroup, lane, from[slot]))
                }
                Step::Turn { by } => now.refill(now.n_slots, |subgroup, lane, slot| {
                    let from = slot ^ by.at(lane, subgroup) as usize;
                    if from < now.n_slots { now.get(subgroup, lane, from) } else { None }
                }),
                Step::Shuffle(shuffle) => shuffle.run(&now).ok_or(shape)?,
                Step::Transpose { words } => {
                    if now.n_lanes != 32 || now.n_slots != 2 * words {
                        return Err(shape);
                    }
                    now.refill(now.n_slots, |subgroup, lane, slot| {
                        let (row, column) = (2 * (lane % 4) + slot % 2, lane / 4);
                        now.get(subgroup, 4 * row + column / 2, slot / 2 * 2 + column % 2)
                    })
                }
                Step::Exchange(exchange) => exchange.run(&now, &shape)?,
            };
        }
        Ok(now)
    }
}

impl Shuffle {
    fn run(&self, before: &Registers) -> Option<Registers> {
        let mut after = Registers::empty(before.n_subgroups, before.n_lanes, self.n_slots);
        for round in &self.rounds {
            for subgroup in 0..before.n_subgroups {
                for lane in 0..before.n_lanes {
                    if self.only.at(lane, subgroup) != round.only {
                        continue;
                    }
                    let from = (self.from.at(lane, subgroup) ^ round.from) as usize;
                    if from >= before.n_lanes || round.stays && from != lane {
                        // Only lanes whose result nobody wants may go astray.
                        continue;
                    }
                    let send = (round.send ^ self.send.at(from, subgroup)) as usize;
                    let receive = (round.receive ^ self.receive.at(lane, subgroup)) as usize;
                    for index in 0..self.width {
                        // The bits of a word may be turned by the lanes: the sender's and the receiver's.
                        let (source, target) = (send ^ index, receive ^ index);
                        if source >= before.n_slots || target >= self.n_slots {
                            return None;
                        }
                        let place = after.place(subgroup, lane, target);
                        after.values[place] = before.get(subgroup, from, source);
                    }
                }
            }
        }
        Some(after)
    }
}

impl Exchange {
    fn run(&self, before: &Registers, shape: &Fault) -> Result<Registers, Fault> {
        let memories = if self.scope == Scope::Subgroup { before.n_subgroups } else { 1 };
        let mut after = Registers::empty(before.n_subgroups, before.n_lanes, self.n_slots);
        for round in 0..self.rounds {
            let mut memory = vec![vec![None; self.size as usize]; memories];
            self.store.each(self.turn(round), before, before.n_slots, shape, |subgroup, lane, slot, offset| {
                let Some(value) = before.get(subgroup, lane, slot) else { return Ok(()) };
                let cell = memory[subgroup.min(memories - 1)].get_mut(offset as usize).ok_or(shape.clone())?;
                if cell.is_some_and(|old| old != value) {
                    return Err(Fault::Race { offset });
                }
                *cell = Some(value);
                Ok(())
            })?;
            self.load.each(self.turn(round), before, self.n_slots, shape, |subgroup, lane, slot, offset| {
                let cell = memory[subgroup.min(memories - 1)].get(offset as usize).ok_or(shape.clone())?;
                let place = after.place(subgroup, lane, slot);
                after.values[place] = *cell;
                Ok(())
            })?;
        }
        Ok(after)
    }
}

impl Exchange {
    fn turn(&self, round: usize) -> Turn {
        Turn { round, window: self.size }
    }
}

/// A round, and the offsets that memory holds in it.
#[derive(Clone, Copy)]
struct Turn {
    round: usize,
    window: i64,
}

impl Side {
    /// Every element of one round: subgroup, lane, slot, offset.
    fn each(
        &self,
        Turn { round, window }: Turn,
        registers: &Registers,
        n_slots: usize,
        shape: &Fault,
        mut visit: impl FnMut(usize, usize, usize, i64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for access in self.accesses.iter().filter(|access| access.round == round) {
            if access.slot + self.width > n_slots {
                return Err(shape.clone());
            }
            for subgroup in 0..registers.n_subgroups {
                if subgroup as u64 & self.subgroups_without != 0 {
                    continue;
                }
                self.check_rows(access, subgroup, registers.n_lanes)?;
                for lane in 0..registers.n_lanes {
                    let now = self.only.at(lane, subgroup) == access.only;
                    if lane as u64 & self.lanes_without != 0 || !now {
                        continue;
                    }
                    for index in 0..self.width {
                        let Some(offset) = self.offset(access, subgroup, lane, index) else { continue };
                        let offset = match &self.offsets {
                            Offsets::Bits(_) => offset,
                            Offsets::Digits { .. } if offset / window != round as i64 => continue,
                            Offsets::Digits { .. } => offset % window,
                        };
                        visit(subgroup, lane, access.slot + index, offset)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn offset(&self, access: &Access, subgroup: usize, lane: usize, index: usize) -> Option<i64> {
        match &self.offsets {
            Offsets::Bits(of) => {
                let first = of.at(lane, subgroup) ^ access.offset;
                let offset = match self.form {
                    Form::Plain | Form::Matrix => first ^ index as u64,
                    Form::Transposed(step) => first ^ if index & 1 == 1 { step } else { 0 },
                };
                Some(offset as i64 + access.base)
            }
            Offsets::Digits { layout, strides } => {
                let coord = layout.coord(subgroup as i64, lane as i64, access.slot as i64)?;
                Some(coord.iter().zip(strides).map(|(c, stride)| c * stride).sum::<i64>() + index as i64)
            }
        }
    }

    /// The hardware takes a matrix's rows from eight addresses: what lanes share them must lie where it looks.
    fn check_rows(&self, access: &Access, subgroup: usize, n_lanes: usize) -> Result<(), Fault> {
        let at = |lane: usize, index: usize| self.offset(access, subgroup, lane, index).unwrap_or(-1);
        if self.form != Form::Plain && n_lanes != 32 {
            return Err(Fault::Askew { offset: 0 });
        }
        match self.form {
            Form::Plain => {
                let vectors = (0..n_lanes).find(|&lane| match &self.offsets {
                    Offsets::Bits(of) => (of.at(lane, subgroup) ^ access.offset) & (self.width as u64 - 1) != 0,
                    Offsets::Digits { .. } => false,
                });
                vectors.map_or(Ok(()), |lane| Err(Fault::Askew { offset: at(lane, 0) }))
            }
            Form::Matrix => (0..8).try_for_each(|row| {
                let first = at(4 * row, 0);
                let together =
                    (0..4 * self.width).all(|i| at(4 * row + i / self.width, i % self.width) == first + i as i64);
                if together { Ok(()) } else { Err(Fault::Askew { offset: first }) }
            }),
            Form::Transposed(_) => (0..8).try_for_each(|row| {
                let first = at(row / 2, row % 2);
                let together = (0..8).all(|column| at(4 * column + row / 2, row % 2) == first + column as i64);
                if together && first % 8 == 0 { Ok(()) } else { Err(Fault::Askew { offset: first }) }
            }),
        }
    }
}
