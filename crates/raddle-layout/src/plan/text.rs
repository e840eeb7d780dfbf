//! Plans as text: a line for each step, then the cost and what was not chosen.

use std::fmt;

use super::{Cost, Form, OfPlace, Offsets, Plan, Scope, Side, Step};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.way, self.cost)?;
        for step in &self.steps {
            writeln!(f, "  {step}")?;
        }
        if !self.rejected.is_empty() {
            let rejected: Vec<String> = self.rejected.iter().map(|(way, cost)| format!("{way} {cost}")).collect();
            writeln!(f, "  rather than {}", rejected.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let counts = [
            (self.shuffles, "shuffle"),
            (self.selects, "select"),
            (self.permutes, "permute"),
            (self.transposes, "transpose"),
            (self.stores, "store"),
            (self.loads, "load"),
            (self.barriers, "barrier"),
            (self.subgroup_barriers, "subgroup barrier"),
        ];
        for (count, noun) in counts.into_iter().filter(|(count, _)| *count > 0) {
            parts.push(format!("{count} {noun}{}", if count == 1 { "" } else { "s" }));
        }
        if self.wavefronts > 0 {
            let conflicts = self.wavefronts - self.wavefronts_ideal;
            parts.push(format!("{} wavefronts ({conflicts} of conflicts)", self.wavefronts));
            parts.push(format!("{} bytes", self.shared_bytes));
        }
        write!(f, "cost {}", self.total)?;
        if !parts.is_empty() {
            write!(f, "; {}", parts.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Slots { from } => {
                let shown: Vec<String> = from.iter().take(16).map(usize::to_string).collect();
                let more = if from.len() > 16 { format!(" … ({} in all)", from.len()) } else { String::new() };
                write!(f, "slots {}{more}", shown.join(" "))
            }
            Step::Turn { by } => write!(f, "turn slots by {by}"),
            Step::Shuffle(shuffle) => {
                let kept = shuffle.rounds.iter().filter(|round| round.stays).count();
                write!(f, "shuffle {} rounds of {} slots", shuffle.rounds.len(), shuffle.width)?;
                if kept > 0 {
                    write!(f, ", {kept} of which stay")?;
                }
                let names = shuffle.rounds.iter().filter(|round| !round.stays).map(|round| round.with);
                let names: std::collections::BTreeSet<&str> = names.filter(|&name| name != "shuffle").collect();
                if !names.is_empty() {
                    write!(f, " by {}", names.into_iter().collect::<Vec<&str>>().join(", "))?;
                }
                write!(f, "; send {}, from {}, receive {}", shuffle.send, shuffle.from, shuffle.receive)?;
                if !shuffle.only.is_zero() {
                    write!(f, ", only {}", shuffle.only)?;
                }
                Ok(())
            }
            Step::Transpose { words } => write!(f, "transpose {words} matrices"),
            Step::Exchange(exchange) => {
                let scope = match exchange.scope {
                    Scope::Subgroup => "subgroup",
                    Scope::Workgroup => "workgroup",
                };
                let bytes = exchange.element_bytes;
                write!(f, "exchange in the {scope}, {} elements of {bytes} bytes", exchange.size)?;
                if exchange.rounds > 1 {
                    write!(f, ", {} times", exchange.rounds)?;
                }
                write!(f, "; store {}; load {}", Text(&exchange.store, bytes), Text(&exchange.load, bytes))
            }
        }
    }
}

/// One side with the bytes of an element.
struct Text<'a>(&'a Side, i64);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Text(side, bytes) = self;
        match side.form {
            Form::Plain => write!(f, "{} x {} bytes", side.instructions, side.width as i64 * bytes)?,
            Form::Matrix => write!(f, "{} matrices in {}", side.accesses.len(), side.instructions)?,
            Form::Transposed(_) => write!(f, "{} matrices transposed in {}", side.accesses.len(), side.instructions)?,
        }
        match &side.offsets {
            Offsets::Bits(of) => write!(f, " at {of}"),
            Offsets::Digits { strides, .. } => write!(f, " at strides {strides:?}"),
        }
    }
}

impl fmt::Display for OfPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return write!(f, "0");
        }
        let list = |images: &[u64]| images.iter().map(u64::to_string).collect::<Vec<String>>().join(" ");
        write!(f, "lane[{}]", list(&self.lane))?;
        if self.subgroup.iter().any(|&image| image != 0) {
            write!(f, " subgroup[{}]", list(&self.subgroup))?;
        }
        Ok(())
    }
}
