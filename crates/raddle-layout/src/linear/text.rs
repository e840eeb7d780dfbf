//! Linear layouts as text: `slot = [(0, 1), (8, 0)], lane = [(0, 2)] -> dim0 16 x dim1 8`.

use std::str::FromStr;

use super::{Linear, LinearError};

impl FromStr for Linear {
    type Err = LinearError;

    fn from_str(text: &str) -> Result<Linear, LinearError> {
        let broken = |what: &str| LinearError::Text(what.to_owned());
        let (ins, outs) = text.split_once("->").ok_or_else(|| broken("`->` is missing"))?;
        let mut dims = Vec::new();
        for (name, extent) in dims_of(outs).map_err(LinearError::Text)? {
            if extent.count_ones() != 1 {
                return Err(LinearError::Text(format!("extent {extent} is not a power of two")));
            }
            dims.push((name, extent.trailing_zeros() as usize));
        }
        let mut sources: Vec<(&str, Vec<Vec<u64>>)> = Vec::new();
        let mut rest = ins.trim();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=').ok_or_else(|| broken("`=` is missing"))?;
            let after = after.trim_start().strip_prefix('[').ok_or_else(|| broken("`[` is missing"))?;
            let (list, after) = after.split_once(']').ok_or_else(|| broken("`]` is missing"))?;
            let vectors = list.split('(').skip(1).map(|vector| {
                let numbers = vector.split(')').next().unwrap_or_default();
                let number = |word: &str| {
                    word.trim().parse().map_err(|_| LinearError::Text(format!("`{word}` is not a number")))
                };
                numbers.split(',').filter(|word| !word.trim().is_empty()).map(number).collect()
            });
            sources.push((name.trim(), vectors.collect::<Result<_, LinearError>>()?));
            rest = after.trim_start().trim_start_matches(',').trim_start();
        }
        let slices: Vec<Vec<&[u64]>> =
            sources.iter().map(|(_, vectors)| vectors.iter().map(Vec::as_slice).collect()).collect();
        let ins: Vec<(&str, &[&[u64]])> =
            sources.iter().zip(&slices).map(|((name, _), vectors)| (*name, vectors.as_slice())).collect();
        Linear::new(&ins, &dims)
    }
}

/// Names and extents of dimensions, `m 16 x n 8`, or what is wrong with them.
pub fn dims_of(text: &str) -> Result<Vec<(&str, i64)>, String> {
    // A dimension may be called `x`, too.
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut dims = Vec::new();
    for part in words.chunks(3) {
        let (name, extent) = match *part {
            [name, extent] | [name, extent, "x"] => (name, extent),
            _ => return Err("a dimension is a name and an extent, with an `x` before the next one".to_owned()),
        };
        match extent.parse() {
            Ok(extent @ 1..) => dims.push((name, extent)),
            _ => return Err(format!("`{extent}` is not an extent")),
        }
    }
    if dims.is_empty() { Err("a dimension is a name and an extent".to_owned()) } else { Ok(dims) }
}
