//! Panics, which are bugs of ours.
//!
//! The program is built to end at a panic, which makes it an eighth smaller than one that unwinds. What is left to do is
//! done by the hook: where [`caught`] waits for the thread, the hook says there what happened, and keeps the thread, with
//! all that it has, for good. Everywhere else it tells the user, and the program ends.

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// Exit status of a bug in raddle, as a panicking Rust program has it.
pub const STATUS: u8 = 101;

/// How the threads of [`caught`] are called, in front of a number. Threads that they start are called as they are.
const NAME: &str = "caught ";

/// Bytes of their stacks, as many as the first thread of a program has.
const STACK: usize = 8 << 20;

/// Says what happened to who waits for a thread.
type Tell = Box<dyn FnOnce(String) + Send>;

/// The threads of [`caught`] that run, by name.
static WAITING: Mutex<BTreeMap<String, Tell>> = Mutex::new(BTreeMap::new());

/// What is done before a bug ends the program.
static LAST: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Has panics do what stands above.
pub fn install() {
    std::panic::set_hook(Box::new(hook));
}

/// Has something done before a bug ends the program, in place of what was to be done.
pub fn set_last(last: Box<dyn FnOnce() + Send>) {
    *lock(&LAST) = Some(last);
}

/// Runs something on a thread of its own.
///
/// # Errors
///
/// What a panic says, on this thread or on one that it started.
pub fn caught<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = format!("{NAME}{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let (give, result) = mpsc::channel();
    let tell = give.clone();
    lock(&WAITING).insert(name.clone(), Box::new(move |bug| drop(tell.send(Err(bug)))));
    let work = move || {
        // A program that unwinds, as those of tests do, comes back from a panic.
        let done = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
        });
        drop(give.send(done));
    };
    let started = thread::Builder::new().name(name.clone()).stack_size(STACK).spawn(work);
    let result = match started {
        Ok(_) => result.recv().unwrap_or_else(|_| Err("a thread ended without a word".to_owned())),
        Err(error) => Err(format!("there is no thread to run on: {error}")),
    };
    lock(&WAITING).remove(&name);
    result
}

fn hook(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("no message");
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    if let Some(name) = thread::current().name().filter(|name| name.starts_with(NAME)) {
        let tell = lock(&WAITING).remove(name);
        // Of several threads that find the same bug, the first one says it.
        if let Some(tell) = tell {
            tell(format!("{message}{place}"));
        }
        loop {
            thread::park();
        }
    }
    let text = format!(
        "error: this is a bug in raddle: {message}{place}\n\
         Please report it with the command line and the input: {}/issues\n",
        env!("CARGO_PKG_REPOSITORY")
    );
    // There is no one to tell if that fails.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
    let last = lock(&LAST).take();
    if let Some(last) = last {
        last();
    }
    std::process::exit(STATUS.into());
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_panics_of_a_thread_come_back() {
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(caught(|| panic!("number {}", 8)), Err::<(), _>("number 8".to_owned()));
        assert_eq!(caught(|| thread::current().name().map(|name| name.starts_with(NAME))), Ok(Some(true)));
    }
}
