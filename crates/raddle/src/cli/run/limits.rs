//! What an execution may use: work, memory, time, threads. Reaching a limit is exit status 3.

use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use raddle_run::{Options, Stop};

use super::progress::Bar;

/// Enough for a matrix multiplication of 1024 in each direction, lane by lane; about a second of work.
const FUEL: u64 = 4_000_000_000;

/// Flags that limit an execution.
#[derive(clap::Args)]
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
    use super::bytes;

    /// Sizes have units of 1024.
    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("256M"), Ok(256 << 20));
        assert_eq!(bytes("3"), Ok(3));
        assert!(bytes("G").is_err() && bytes("-1").is_err() && bytes("99999999999G").is_err() && bytes("").is_err());
    }
}
