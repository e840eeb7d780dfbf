//! What later steps find room for: rings and rows in shared memory, elements in a thread's vectors, tiles in its registers.

use raddle_target::Processors;

use crate::facts::Facts;

/// Elements of one thread's vector. Eight times what the largest register file holds, so that only mistakes meet it.
pub const ELEMENTS_MAX: i64 = 4096;

/// Slots of a ring, where nothing else is asked for: as many as a processor of the chip has for two workgroups, of these.
const SLOTS: [i64; 2] = [3, 4];

/// The same where instructions read the ring themselves: as many as one workgroup of a processor has room for, of these.
pub const SHARED_SLOTS: [i64; 2] = [3, 6];

/// How many slots a ring of so many bytes for each is worth, where nothing else is asked for.
pub fn ring_slots(bytes: i64, facts: &Facts) -> i64 {
    let [few, many] = SLOTS;
    let shared = facts.chip.processors.map_or(0, |processors| i64::from(processors.shared_bytes));
    if 2 * many * bytes <= shared { many } else { few }
}

/// Slots of a ring whose copies memory is waited for, at most.
const STREAM_SLOTS: i64 = 8;

/// How often slots must come round that iterations are unrolled, or that there are many.
pub const ROUNDS_MIN: i64 = 4;

/// Clocks from a read to its arrival, when others are under way, and how many times what memory gives meanwhile should be
/// under way.
const LATENCY: i64 = 1500;
const AHEAD: i64 = 2;

/// Bytes that a chip should have under way, so that memory never waits.
pub fn bytes_under_way(processors: Processors) -> i64 {
    i64::from(processors.memory_bytes) * LATENCY * AHEAD
}

/// Bytes of the tiles of two factors that no other workgroup asks for: where one tile has all rows of its factor, those of
/// the other.
pub fn streamed(has_all_rows: [bool; 2], bytes: [i64; 2]) -> i64 {
    match has_all_rows {
        [true, false] => bytes[1],
        [false, true] => bytes[0],
        [true, true] | [false, false] => 0,
    }
}

/// How many slots of so many bytes a ring is worth, `streamed` of which come from memory for one workgroup alone, where there
/// are so many workgroups: as many as have enough under way, if these come round often in so many iterations.
pub fn stream_slots([bytes, streamed]: [i64; 2], workgroups: i64, trips: i64, facts: &Facts) -> i64 {
    let slots = ring_slots(bytes, facts);
    let Some(processors) = facts.chip.processors.filter(|_| streamed > 0 && workgroups > 0) else { return slots };
    let count = i64::from(processors.count);
    let ahead = (bytes_under_way(processors) - 1) / streamed.saturating_mul(workgroups) + 1;
    let held = (workgroups - 1) / count + 1;
    let free = i64::from(processors.shared_bytes) / held - RESERVED;
    let wanted = ((ahead + 1) as u64).next_power_of_two() as i64;
    let wanted = wanted.min(STREAM_SLOTS);
    if wanted * bytes <= free && wanted * ROUNDS_MIN <= trips { slots.max(wanted) } else { slots }
}

/// The part of a thread's registers that sums, fragments of a step and tiles which wait in registers may take: the rest is
/// for addresses, and for fragments on their way.
const PREFETCH_PART: [i64; 2] = [2, 3];

/// The registers of a thread for sums, fragments of a step and tiles that wait for the next one.
pub fn prefetch_registers(facts: &Facts) -> i64 {
    let [part, whole] = PREFETCH_PART;
    i64::from(facts.chip.registers_max) * part / whole
}

/// Bytes that the sums of subgroups and the like take beside rows.
pub const BESIDE: i64 = 4096;

/// What the hardware takes of a processor's shared memory for each workgroup: CUDA C++ Programming Guide, "Compute
/// Capability 8.x".
const RESERVED: i64 = 1024;

/// Workgroups that a processor should have room for, where rows are or may be short.
const WORKGROUPS: i64 = 2;

/// Bytes of rows that a workgroup has room for.
pub fn bytes_for_rows(facts: &Facts) -> i64 {
    i64::from(facts.chip.shared_bytes_max) - BESIDE
}

/// The same where another workgroup of the processor keeps as much.
pub fn bytes_for_rows_beside(facts: &Facts) -> i64 {
    let half = |processors: Processors| i64::from(processors.shared_bytes) / WORKGROUPS - RESERVED - BESIDE;
    facts.chip.processors.map_or(bytes_for_rows(facts), half).min(bytes_for_rows(facts))
}
