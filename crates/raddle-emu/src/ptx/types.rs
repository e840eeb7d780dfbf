//! The fundamental types of PTX, as instructions and declarations spell them.

use super::float::Format;

/// What the bits of an element mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Pred,
    Bits,
    Unsigned,
    Signed,
    Float(Format),
}

/// A type: elements of a kind, one or more in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ty {
    pub kind: Kind,
    /// Bits of an element.
    pub bits: u32,
    /// Elements side by side: 2 for `.f16x2`.
    pub packed: u32,
}

impl Ty {
    pub(super) const PRED: Ty = Ty { kind: Kind::Pred, bits: 1, packed: 1 };
    pub(super) const B16: Ty = Ty { kind: Kind::Bits, bits: 16, packed: 1 };
    pub(super) const B32: Ty = Ty { kind: Kind::Bits, bits: 32, packed: 1 };
    pub(super) const B64: Ty = Ty { kind: Kind::Bits, bits: 64, packed: 1 };
    pub(super) const U32: Ty = Ty { kind: Kind::Unsigned, bits: 32, packed: 1 };

    /// The type that a word names.
    pub(super) fn of(word: &str) -> Option<Ty> {
        let (word, packed) = match word.strip_suffix("x2") {
            Some(word) => (word, 2),
            None => match word.strip_suffix("x4") {
                Some(word) => (word, 4),
                None => (word, 1),
            },
        };
        let float = |format: Format| (Kind::Float(format), format.bits());
        let (kind, bits) = match word {
            "pred" if packed == 1 => (Kind::Pred, 1),
            "f16" => float(Format::F16),
            "bf16" => float(Format::BF16),
            "tf32" => float(Format::TF32),
            "f32" => float(Format::F32),
            "f64" => float(Format::F64),
            "e4m3" => float(Format::E4M3),
            "e5m2" => float(Format::E5M2),
            // Six bits occupy a byte.
            "e2m3" => (Kind::Float(Format::E2M3), 8),
            "e3m2" => (Kind::Float(Format::E3M2), 8),
            "e2m1" => float(Format::E2M1),
            "ue8m0" => float(Format::UE8M0),
            _ => {
                let kind = match word.as_bytes().first()? {
                    b'b' => Kind::Bits,
                    b'u' => Kind::Unsigned,
                    b's' => Kind::Signed,
                    _ => return None,
                };
                let bits = match word.get(1..)? {
                    "1" if kind == Kind::Bits => 1,
                    "2" => 2,
                    "4" => 4,
                    "8" => 8,
                    "16" => 16,
                    "32" => 32,
                    "64" => 64,
                    "128" if kind == Kind::Bits => 128,
                    _ => return None,
                };
                (kind, bits)
            }
        };
        // A register has at most 64 bits of several elements, or 128 of one.
        (packed == 1 || bits * packed <= 64).then_some(Ty { kind, bits, packed })
    }

    /// Bits of all elements.
    pub(super) fn width(self) -> u32 {
        self.bits * self.packed
    }

    pub(super) fn is_signed(self) -> bool {
        self.kind == Kind::Signed
    }

    pub(super) fn format(self) -> Option<Format> {
        match self.kind {
            Kind::Float(format) => Some(format),
            Kind::Pred | Kind::Bits | Kind::Unsigned | Kind::Signed => None,
        }
    }
}

/// The lowest `bits` bits.
#[inline(always)]
pub(super) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The lowest `bits` bits as a signed number.
#[inline(always)]
pub(super) fn signed(x: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    (x << shift) as i64 >> shift
}
