//! `#iree_map.pack_layout<shape : stride>` in the form that IREE gives it: each mode of the two tuples is flat, and
//! neighbouring leaves of a mode that run on in memory are one.

/// The normal form of the text in the brackets; `None` if it is not a pair of tuples of numbers.
pub(super) fn normal(text: &str) -> Option<String> {
    let (shape, stride) = text.split_once(':')?;
    let (shape, stride) = (modes(shape)?, modes(stride)?);
    if shape.len() != stride.len() {
        return None;
    }
    let merged: Vec<Vec<Leaf>> = shape.into_iter().zip(stride).map(|(shape, stride)| merge(&shape, &stride)).collect();
    Some(format!("{} : {}", tuple(&merged, |leaf| leaf.0), tuple(&merged, |leaf| leaf.1)))
}

/// Extent and stride.
type Leaf = (i64, i64);

/// The leaves of each element of a tuple, however deep they nest there.
fn modes(text: &str) -> Option<Vec<Vec<i64>>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut modes = vec![Vec::new()];
    let mut depth = 0usize;
    for piece in inner.split_inclusive(['(', ')', ',']) {
        let (word, end) = match piece.char_indices().next_back()? {
            (at, c @ ('(' | ')' | ',')) => (&piece[..at], Some(c)),
            _ => (piece, None),
        };
        if !word.trim().is_empty() {
            modes.last_mut()?.push(word.trim().parse().ok()?);
        }
        match end {
            Some('(') => depth += 1,
            Some(')') => depth = depth.checked_sub(1)?,
            Some(_) if depth == 0 => modes.push(Vec::new()),
            Some(_) | None => {}
        }
    }
    (depth == 0).then_some(modes)
}

/// Joins leaves, the last one fastest: `(2, 4) : (4, 1)` is `8 : 1`. An extent of 1 has no stride to speak of.
fn merge(shape: &[i64], stride: &[i64]) -> Vec<Leaf> {
    let mut merged: Vec<Leaf> = Vec::new();
    for (&extent, &stride) in shape.iter().zip(stride).rev() {
        match merged.last_mut() {
            None => merged.push((extent, stride)),
            Some(_) if extent == 1 => {}
            Some(last) if last.0 == 1 => *last = (extent, stride),
            Some(last) if last.0.checked_mul(last.1) == Some(stride) && last.0.checked_mul(extent).is_some() => {
                last.0 *= extent;
            }
            Some(_) => merged.push((extent, stride)),
        }
    }
    merged.reverse();
    merged.into_iter().map(|(extent, stride)| (extent, if extent == 1 { 0 } else { stride })).collect()
}

fn tuple(modes: &[Vec<Leaf>], part: impl Fn(&Leaf) -> i64) -> String {
    let mode = |leaves: &Vec<Leaf>| {
        let parts: Vec<String> = leaves.iter().map(|leaf| part(leaf).to_string()).collect();
        if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
    };
    format!("({})", modes.iter().map(mode).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn leaves_join_inside_their_mode() {
        for (text, expected) in [
            ("((2, 4), 8) : ((4, 1), 8)", Some("(8, 8) : (1, 8)")),
            ("(((2, 2), 4), 8) : (((1, 4), 16), 2)", Some("((2, 2, 4), 8) : ((1, 4, 16), 2)")),
            ("(1, 8) : (7, 1)", Some("(1, 8) : (0, 1)")),
            ("((1, 4), 8) : ((9, 2), 1)", Some("(4, 8) : (2, 1)")),
            ("(4, 8) : (0, 1)", Some("(4, 8) : (0, 1)")),
            ("(4, 8)", None),
            ("((4, 8) : (1", None),
            ("(a) : (1)", None),
        ] {
            assert_eq!(normal(text).as_deref(), expected, "{text}");
        }
    }
}
