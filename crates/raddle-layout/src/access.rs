//! Count what an access of memory costs: bank conflicts of shared memory, segments of global memory.
//!
//! The lanes of one instruction are served in phases. Within a phase each bank delivers one word at a time, to as many
//! lanes as ask for it; the wavefronts of a phase are the words that the busiest bank has to deliver.

use std::fmt;

/// The banks of shared memory, and which lanes are served together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Banks {
    /// How many there are.
    pub count: i64,
    /// Bytes of a bank's word.
    pub word_bytes: i64,
    /// Bytes that one lane accesses in one instruction, at most.
    pub access_bytes_max: i64,
    /// Lanes that are served together, for accesses of a number of bytes where it is not consecutive lanes whose
    /// bytes fill all banks once. Each group is a list of lanes.
    pub phases: Vec<(i64, Vec<Vec<usize>>)>,
}

impl Banks {
    /// Banks of four bytes with accesses of up to 16 bytes, whose phases are consecutive lanes.
    pub fn words(count: i64) -> Banks {
        Banks { count, word_bytes: 4, access_bytes_max: 16, phases: vec![] }
    }

    /// Bytes that all banks deliver at once.
    pub fn row_bytes(&self) -> i64 {
        self.count * self.word_bytes
    }

    /// The lanes of a phase for accesses of this many bytes, of `n_lanes`.
    pub fn phases(&self, bytes: i64, n_lanes: usize) -> Vec<Vec<usize>> {
        if let Some((_, groups)) = self.phases.iter().find(|(width, _)| *width == bytes) {
            let present = |group: &Vec<usize>| group.iter().copied().filter(|&lane| lane < n_lanes).collect();
            return groups.iter().map(present).filter(|group: &Vec<usize>| !group.is_empty()).collect();
        }
        let lanes = self.phase_lanes(bytes, n_lanes);
        (0..n_lanes).step_by(lanes).map(|first| (first..(first + lanes).min(n_lanes)).collect()).collect()
    }

    fn phase_lanes(&self, bytes: i64, n_lanes: usize) -> usize {
        let fill = self.row_bytes() / bytes.max(self.word_bytes);
        (fill.max(1) as usize).min(n_lanes.max(1))
    }
}

/// What one or more accesses of shared memory cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wavefronts {
    /// How often the banks deliver.
    pub count: i64,
    /// How often they would if words were spread evenly.
    pub ideal: i64,
    /// Two lanes that wait for each other, with the bank that both need.
    pub conflict: Option<Conflict>,
}

/// Two lanes that need different words of one bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// A lane.
    pub first: usize,
    /// Another lane.
    pub second: usize,
    /// The bank.
    pub bank: i64,
}

impl fmt::Display for Wavefronts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} wavefronts, {} without conflicts", self.count, self.ideal)?;
        match self.conflict {
            Some(Conflict { first, second, bank }) => write!(f, "; lanes {first} and {second} meet in bank {bank}"),
            None => Ok(()),
        }
    }
}

/// The wavefronts of one instruction: each lane accesses `bytes` from its address on, lanes without one do nothing.
pub fn wavefronts(addresses: &[Option<i64>], bytes: i64, banks: &Banks) -> Wavefronts {
    let mut total = Wavefronts::default();
    let mut add = |phase: &[usize], words: &mut Vec<(i64, i64, usize)>| {
        words.clear();
        for &lane in phase {
            let Some(address) = addresses.get(lane).copied().flatten() else { continue };
            let (first, last) = (address / banks.word_bytes, (address + bytes - 1) / banks.word_bytes);
            words.extend((first..=last).map(|word| (word % banks.count, word, lane)));
        }
        words.sort_unstable();
        words.dedup_by_key(|entry| (entry.0, entry.1));
        let (mut worst, mut start) = (0, 0);
        for index in 0..words.len() {
            if words[index].0 != words[start].0 {
                start = index;
            }
            let waits = index - start + 1;
            worst = worst.max(waits);
            if waits == 2 && total.conflict.is_none() && words.len() as i64 <= banks.count {
                let (bank, _, first) = words[start];
                total.conflict = Some(Conflict { first, second: words[index].2, bank });
            }
        }
        total.count += worst as i64;
        total.ideal += (words.len() as i64 + banks.count - 1) / banks.count;
    };
    let mut words = Vec::with_capacity(64);
    if banks.phases.is_empty() {
        let lanes: Vec<usize> = (0..addresses.len()).collect();
        for phase in lanes.chunks(banks.phase_lanes(bytes, addresses.len())) {
            add(phase, &mut words);
        }
    } else {
        for phase in banks.phases(bytes, addresses.len()) {
            add(&phase, &mut words);
        }
    }
    total
}

/// What one or more accesses of global memory fetch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Segments {
    /// Segments touched.
    pub count: i64,
    /// Segments that the same bytes would need side by side.
    pub ideal: i64,
    /// Different bytes that are used.
    pub bytes: i64,
}

/// The segments of `segment_bytes` that one instruction touches.
pub fn segments(addresses: &[Option<i64>], bytes: i64, segment_bytes: i64) -> Segments {
    let mut ranges: Vec<(i64, i64)> = addresses.iter().flatten().map(|&address| (address, address + bytes)).collect();
    ranges.sort_unstable();
    let (mut total, mut end, mut last) = (Segments::default(), i64::MIN, i64::MIN);
    for (start, stop) in ranges {
        total.bytes += (stop - start.max(end)).max(0);
        end = end.max(stop);
        let (first, final_segment) = (start.div_euclid(segment_bytes), (stop - 1).div_euclid(segment_bytes));
        total.count += (final_segment - first.max(last.saturating_add(1)) + 1).max(0);
        last = last.max(final_segment);
    }
    total.ideal = (total.bytes + segment_bytes - 1) / segment_bytes;
    total
}
