//! Which operation made a kernel one that does not compile.

use raddle_ir::{Diag, OpId};

/// Of groups each of which is the one in front of it and more, the first of which are known to fit: the first that is refused
/// behind one that fits, where the last one is refused; and why.
///
/// A long kernel may be refused for what joined early. Asked one after the other, from the end, there would be as many
/// trials as pairs of its operations.
pub fn first_refused(
    joined: &[(Vec<OpId>, OpId)],
    n_known: usize,
    fits: &mut dyn FnMut(&Vec<OpId>) -> Result<(), Diag>,
) -> Option<(Vec<OpId>, OpId, Diag)> {
    let mut bad = joined.len().checked_sub(1)?;
    let mut diag = fits(&joined[bad].0).err()?;
    // All in front of `good` fit. Where what joins a kernel is refused, what joins in its place often is, too; else it is most
    // often the last that is too much: steps backward grow, and then halve.
    let (mut good, mut step) = (n_known, if n_known == 0 { 1 } else { bad - n_known });
    while good < bad {
        let at = bad.saturating_sub(step).max(good);
        match fits(&joined[at].0) {
            Ok(()) => good = at + 1,
            Err(earlier) => (bad, diag) = (at, earlier),
        }
        step = if good == 0 { 2 * step } else { (bad - good).div_ceil(2) };
    }
    let (group, last) = joined[bad].clone();
    Some((group, last, diag))
}

#[cfg(test)]
mod tests {
    use raddle_ir::{Code, Ir, Span};

    use super::*;

    /// Of each chain of up to 40 groups, the first that is refused is found, with at most twice as many trials as the
    /// binary logarithm of their number, and a few.
    #[test]
    fn the_first_refused_group_is_found_in_few_trials() {
        let op = Ir::default().module();
        for n in 1..=40usize {
            let joined: Vec<(Vec<OpId>, OpId)> = (1..=n).map(|size| (vec![op; size], op)).collect();
            for least in 1..=n + 1 {
                let mut trials = 0;
                let mut fits = |ops: &Vec<OpId>| {
                    trials += 1;
                    if ops.len() < least {
                        Ok(())
                    } else {
                        Err(Diag::error(Code::KernelChoice, Span::default(), ops.len().to_string()))
                    }
                };
                let found = first_refused(&joined, 0, &mut fits);
                let expected = (least <= n).then(|| (least, least.to_string()));
                assert_eq!(found.map(|(ops, _, diag)| (ops.len(), diag.message)), expected, "{n} groups");
                assert!(trials <= 2 * n.ilog2() + 3, "{trials} trials of {n} groups for {least}");
            }
        }
    }
}
