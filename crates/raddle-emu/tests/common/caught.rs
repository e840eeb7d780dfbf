//! Panics as values: the tests of a binary share one panic hook, so none of them may set one for itself.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// The message of the last panic, where this thread runs what may panic.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What a function returns, or place and message of its panic, of which nothing is printed.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let other = take_hook();
        set_hook(Box::new(move |info| {
            let is_caught = MESSAGE
                .with_borrow_mut(|message| message.as_mut().map(|message| *message = info.to_string()).is_some());
            if !is_caught {
                other(info);
            }
        }));
    });
    let outer = MESSAGE.replace(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(run));
    let message = MESSAGE.replace(outer).unwrap_or_default();
    result.map_err(|_| message)
}
