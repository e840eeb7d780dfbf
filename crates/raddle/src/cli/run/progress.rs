//! A bar on the terminal while an execution is long; nothing where no one looks.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Duration;

use raddle_run::Progress;

/// Runs that are shorter have none.
const LONG: Duration = Duration::from_millis(500);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// Characters of the whole bar.
const WIDTH: u64 = 30;

/// The bar, and when it was drawn.
pub struct Bar {
    is_on: bool,
    drawn: Mutex<Option<Duration>>,
    last: Mutex<Progress>,
}

impl Bar {
    /// A bar where the standard error stream is a terminal, if it is `wanted`.
    pub fn new(wanted: bool) -> Bar {
        Bar {
            is_on: wanted && std::io::stderr().is_terminal(),
            drawn: Mutex::default(),
            last: Mutex::new(Progress { done: 0, all: 0 }),
        }
    }

    /// Draws how far the run is, now and then.
    pub fn show(&self, elapsed: Duration, progress: Progress) {
        if let Ok(mut last) = self.last.lock() {
            *last = progress;
        }
        let Ok(mut drawn) = self.drawn.lock() else { return };
        if !self.is_on || elapsed < LONG || drawn.is_some_and(|drawn| elapsed.saturating_sub(drawn) < PAUSE) {
            return;
        }
        *drawn = Some(elapsed);
        say(&format!("\r{}\u{1b}[K", picture(elapsed, progress)));
    }

    /// How far the run was when it last looked at the clock.
    pub fn last(&self) -> Progress {
        self.last.lock().map_or(Progress { done: 0, all: 0 }, |last| *last)
    }

    /// Takes the bar away, for what comes next on the terminal.
    pub fn clear(&self) {
        if let Ok(mut drawn) = self.drawn.lock()
            && drawn.take().is_some()
        {
            say("\r\u{1b}[K");
        }
    }
}

/// `[=====>      ] 12 of 64 workgroups, 3.1 s`
fn picture(elapsed: Duration, Progress { done, all }: Progress) -> String {
    let full = (u128::from(done) * u128::from(WIDTH) / u128::from(all.max(1))) as usize;
    let bar: String = (0..WIDTH as usize)
        .map(|at| match at.cmp(&full) {
            std::cmp::Ordering::Less => '=',
            std::cmp::Ordering::Equal => '>',
            std::cmp::Ordering::Greater => ' ',
        })
        .collect();
    format!("[{bar}] {done} of {all} workgroups, {:.1} s", elapsed.as_secs_f64())
}

/// There is no one to tell if the terminal is gone.
fn say(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bar is as full as the run is done, and never leaves its frame.
    #[test]
    fn the_bar_fills() {
        let shown = |done, all| picture(Duration::from_millis(1250), Progress { done, all });
        assert_eq!(shown(0, 4), "[>                             ] 0 of 4 workgroups, 1.2 s");
        assert_eq!(shown(2, 4), "[===============>              ] 2 of 4 workgroups, 1.2 s");
        assert_eq!(shown(4, 4), format!("[{}] 4 of 4 workgroups, 1.2 s", "=".repeat(30)));
        assert_eq!(shown(u64::MAX, u64::MAX).matches('=').count(), 30);
    }
}
