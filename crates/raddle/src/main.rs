//! The command line: `raddle <verb>`.

mod bug;
#[cfg(test)]
mod cases;
mod cli;

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use cli::Answer;
use raddle::Report;

/// Whether there was no standard output when the program began, as with `>&-`: Rust's runtime opens `/dev/null` in its
/// place before `main` runs, and what is written there would be lost without a word.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Runs in front of the runtime.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the section has the signature of functions that the system calls at the start")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = {
    extern "C" fn look() {
        let is_closed = rustix::io::fcntl_getfd(std::io::stdout()) == Err(rustix::io::Errno::BADF);
        IS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
    look
};

fn main() -> ExitCode {
    bug::install();
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let Answer { out, err, status } = cli::answer(std::env::args_os(), color);
    say(&err);
    match write(&out) {
        Ok(()) => ExitCode::from(status),
        // A reader that has seen enough, as in `raddle opt … | head`, is no reason to complain.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(status),
        Err(error) => {
            let report = Report::nowhere(cli::files::unwritten("the standard output", &error));
            say(&format!("{}\n", report.render(color)));
            ExitCode::from(cli::status(&report.diags).max(status))
        }
    }
}

/// Writes to the standard output.
fn write(out: &[u8]) -> std::io::Result<()> {
    if IS_CLOSED.load(Ordering::Relaxed) && !out.is_empty() {
        return Err(std::io::Error::other("it is closed"));
    }
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(out).and_then(|()| stdout.flush())
}

/// Writes to the standard error stream; there is no one to tell if that fails.
fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
