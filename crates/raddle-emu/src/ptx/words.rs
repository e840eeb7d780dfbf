//! The words behind an opcode, taken one by one: what is left over at the end is not known.

use super::float::Rounding;
use super::types::Ty;

/// The words of `add.rn.ftz.f32` behind `add`.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    left: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(super) fn new(words: &'a [String]) -> Words<'a> {
        Words { left: words.iter().map(String::as_str).collect() }
    }

    /// Whether a word is there; it is taken.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let at = self.left.iter().position(|&left| left == word);
        if let Some(at) = at {
            self.left.remove(at);
        }
        at.is_some()
    }

    /// Whether a word is there; it stays.
    pub(super) fn has(&self, word: &str) -> bool {
        self.left.contains(&word)
    }

    /// The first of these words that is there.
    pub(super) fn take_any(&mut self, words: &[&'static str]) -> Option<&'static str> {
        self.take_map(|left| words.iter().find(|&&word| word == left).copied())
    }

    /// The first word for which there is something.
    pub(super) fn take_map<T>(&mut self, find: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        let (at, found) = self.left.iter().enumerate().find_map(|(at, word)| Some((at, find(word)?)))?;
        self.left.remove(at);
        Some(found)
    }

    /// Every word for which there is something.
    pub(super) fn take_all<T>(&mut self, find: impl Fn(&'a str) -> Option<T>) -> Vec<T> {
        std::iter::from_fn(|| self.take_map(&find)).collect()
    }

    /// The first type.
    pub(super) fn ty(&mut self) -> Option<Ty> {
        self.take_map(Ty::of)
    }

    /// `rn`, `rz`, …
    pub(super) fn rounding(&mut self) -> Option<Rounding> {
        self.take_map(|word| match word {
            "rn" => Some(Rounding::Nearest),
            "rna" => Some(Rounding::Away),
            "rz" => Some(Rounding::Zero),
            "rm" => Some(Rounding::Down),
            "rp" => Some(Rounding::Up),
            _ => None,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }
}
