//! What can go wrong while a program runs, and how it is told.

use raddle_ir::Code;

use crate::memory::{Access, Element};

/// The kinds of findings; a message begins with the kind's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Bounds,
    Uninitialised,
    Race,
    Misaligned,
    Barrier,
    Deadlock,
    Async,
    Freed,
    Undefined,
    Limit,
    Unsupported,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Bounds => "bounds",
            Kind::Uninitialised => "uninitialised",
            Kind::Race => "race",
            Kind::Misaligned => "misaligned",
            Kind::Barrier => "barrier",
            Kind::Deadlock => "deadlock",
            Kind::Async => "async",
            Kind::Freed => "freed",
            Kind::Undefined => "undefined",
            Kind::Limit => "limit",
            Kind::Unsupported => "unsupported",
        }
    }

    pub(crate) fn code(self) -> Code {
        match self {
            Kind::Bounds => Code::OutOfBounds,
            Kind::Uninitialised => Code::Uninitialised,
            Kind::Race => Code::Race,
            Kind::Misaligned => Code::Misaligned,
            Kind::Barrier => Code::Divergent,
            Kind::Deadlock => Code::Deadlock,
            Kind::Async => Code::Async,
            Kind::Freed => Code::Freed,
            Kind::Undefined => Code::Undefined,
            Kind::Limit => Code::LimitHit,
            Kind::Unsupported => Code::CannotExecute,
        }
    }
}

/// A finding, before the machine adds the operation and the place in the grid.
#[derive(Debug)]
pub(crate) struct Fault {
    pub kind: Kind,
    pub lane: Option<usize>,
    pub message: String,
    /// The two sides of a race; the message calls them `{who}` and `{earlier}`.
    pub race: Option<Race>,
    /// The element of a race, or of a read of what nobody has written.
    pub element: Option<Element>,
    /// The argument and the flat index of an access outside it.
    pub outside: Option<(u32, i64)>,
    pub help: Option<&'static str>,
}

/// Two accesses that do not wait for one another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub who: Access,
    pub earlier: Access,
    /// `read`, `wrote`, `freed`, or what an asynchronous copy does.
    pub did: &'static str,
}

/// Findings are rare: the way without one carries a pointer only.
pub(crate) type Run<T> = Result<T, Box<Fault>>;

impl Fault {
    #[cold]
    pub(crate) fn new(kind: Kind, lane: Option<usize>, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { kind, lane, message: message.into(), race: None, element: None, outside: None, help: None })
    }

    pub(crate) fn help(mut self: Box<Fault>, help: &'static str) -> Box<Fault> {
        self.help = Some(help);
        self
    }
}

/// Lanes as ranges: `0-3, 7`.
pub(crate) fn lanes(mask: u128) -> String {
    let mut ranges = Vec::new();
    let mut lane = 0;
    while lane < 128 {
        if mask >> lane & 1 == 0 {
            lane += 1;
            continue;
        }
        let first = lane;
        while lane < 128 && mask >> lane & 1 == 1 {
            lane += 1;
        }
        ranges.push(if lane - first == 1 { format!("{first}") } else { format!("{first}-{}", lane - 1) });
    }
    ranges.join(", ")
}

#[cfg(test)]
mod tests {
    /// Neighbouring lanes are named as one range, up to the last lane there can be.
    #[test]
    fn lanes_are_named_as_ranges() {
        assert_eq!(super::lanes(0b1000_1111), "0-3, 7");
        assert_eq!(super::lanes(u128::MAX), "0-127");
        assert_eq!(super::lanes(0), "");
    }
}
