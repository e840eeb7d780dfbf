//! What an execution may use: work, memory, time, threads. Reaching a limit is exit status 3.

use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use raddle_run::{Needs, Options, Progress, Stop};

use super::progress::Bar;

/// Enough for a matrix multiplication of 1024 in each direction, lane by lane; about a second of work.
const FUEL: u64 = 4_000_000_000;

/// Flags that limit an execution.
#[derive(Clone, clap::Args)]
pub struct Limits {
    /// Work after which an execution is given up, in about additions of one lane
    #[arg(long, value_name = "N", default_value_t = FUEL)]
    fuel: u64,
    /// Memory of an execution, in bytes or as `512M`, `2G`; the whole command then needs little more
    #[arg(long, value_name = "BYTES", default_value = "192M", value_parser = bytes)]
    pub memory: usize,
    /// Seconds after which everything is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
    /// Threads that run workgroups; all cores if missing. The results are the same for any number
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Elements of a result that are printed
    #[arg(
        long = "output_max_element_count",
        alias = "output-max-element-count",
        value_name = "N",
        default_value_t = 1024
    )]
    pub elements: usize,
}

impl Limits {
    /// These limits as options of an execution. `start` is when the command began; `bar` shows how far it is.
    pub fn options(&self, start: Instant, bar: Arc<Bar>) -> Options {
        let time = Duration::try_from_secs_f64(self.time).unwrap_or(if self.time < 0.0 {
            Duration::ZERO
        } else {
            Duration::MAX
        });
        Options {
            fuel: self.fuel,
            memory_max: self.memory,
            stop: Some(Stop(Arc::new(move |done| {
                bar.show(start.elapsed(), done);
                start.elapsed() > time
            }))),
            threads: self.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)),
            ..Options::default()
        }
    }
}

/// Fuel that one thread of a slow machine uses up in a second, about.
const FUEL_PER_SECOND: f64 = 1e8;

impl Limits {
    /// The flags with which a run with these needs is not given up, those that it would have met later as well.
    pub fn flags_for(&self, needs: Needs) -> String {
        let mut flags = Vec::new();
        // What is known before the run is the least: loops may be longer, and threads make copies.
        let memory = needs.memory.saturating_add(needs.memory / 4);
        if memory > self.memory {
            flags.push(format!("--memory={}", size(memory)));
        }
        let fuel = needs.fuel.saturating_add(needs.fuel / 2);
        if fuel > self.fuel {
            flags.push(format!("--fuel={}", rounded(fuel)));
        }
        if flags.is_empty() {
            // It is not known what the run met: more of all.
            flags.push(format!("--memory={}", size(self.memory.saturating_mul(4))));
            flags.push(format!("--fuel={}", rounded(self.fuel.saturating_mul(4))));
        }
        let seconds = fuel as f64 / FUEL_PER_SECOND;
        if seconds > self.time {
            flags.push(format!("--time={}", rounded(seconds as u64)));
        }
        flags.join(" ")
    }

    /// The flag for a run that has done so many of all its workgroups in its time.
    pub fn time_for(&self, Progress { done, all }: Progress) -> String {
        let times = if done == 0 { 10.0 } else { 2.0 * all as f64 / done as f64 };
        format!("--time={}", rounded((self.time * times).max(1.0) as u64))
    }

    /// Whether the time is over.
    pub fn is_late(&self, start: Instant) -> bool {
        start.elapsed().as_secs_f64() > self.time
    }
}

/// A number with two digits and zeros, not smaller.
fn rounded(number: u64) -> u64 {
    let unit = 10u64.pow(number.max(1).ilog10().saturating_sub(1));
    number.div_ceil(unit).saturating_mul(unit)
}

/// `3G`, not smaller.
fn size(bytes: usize) -> String {
    match bytes {
        0..0x1000_0000 => format!("{}M", bytes.div_ceil(1 << 20)),
        _ => format!("{}G", bytes.div_ceil(1 << 30)),
    }
}

/// `512M`
fn bytes(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1usize),
    };
    let number: usize = digits.parse().map_err(|_| format!("`{text}` is not a number of bytes; write it as `512M`"))?;
    number.checked_mul(unit).ok_or_else(|| format!("`{text}` is more than this machine can name"))
}

#[cfg(test)]
mod tests {
    use super::{bytes, rounded, size};

    /// What is suggested is never less than what is needed, and is read back.
    #[test]
    fn suggestions_are_enough() {
        for number in [0, 1, 9, 10, 11, 99, 101, 999, 12_345, 4_000_000_001, u64::MAX / 2] {
            assert!(rounded(number) >= number && rounded(number) <= number.saturating_add(number / 10 + 1), "{number}");
            let number = number as usize;
            assert!(bytes(&size(number)).is_ok_and(|read| read >= number), "{number}");
        }
    }

    /// Sizes have units of 1024.
    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("256M"), Ok(256 << 20));
        assert_eq!(bytes("3"), Ok(3));
        assert!(bytes("G").is_err() && bytes("-1").is_err() && bytes("99999999999G").is_err() && bytes("").is_err());
    }
}
