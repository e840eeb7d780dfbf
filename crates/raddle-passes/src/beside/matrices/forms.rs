//! What a matrix of a subgroup becomes: a value of the operand's type, or each lane's part of it.

use raddle_ir::affine::BinOp;
use raddle_ir::{Expr, Float, Ir, Scalar, Type, TypeId};
use raddle_target::Operand;
use raddle_target::catalogue::{Instruction, Map, Place, Token};

/// The operand of an instruction that a vector becomes.
#[derive(Clone, Copy)]
pub struct Form {
    pub row: &'static Instruction,
    pub role: Operand,
    /// Whether the vector has the operand's columns as its rows.
    pub swapped: bool,
}

impl Form {
    /// Whether a value of one form is also one of the other.
    pub fn same(&self, other: &Form) -> bool {
        let place = |form: &Form| form.row.place(form.role);
        (self.role, self.swapped) == (other.role, other.swapped) && place(self) == place(other)
    }

    /// The form of the transposed vector.
    pub fn turned(self) -> Form {
        Form { swapped: !self.swapped, ..self }
    }

    /// Where the elements lie in lanes, if that is known.
    pub fn map(&self) -> Option<&'static Map> {
        match self.row.place(self.role) {
            Place::Registers(map) => Some(map),
            Place::Shared | Place::Opaque => None,
        }
    }

    /// The type of a value of this form.
    pub fn ty(&self, ir: &mut Ir, elem: TypeId) -> TypeId {
        if let Some(map) = self.map() {
            return ir.vector_type(&parts(map), elem);
        }
        let [rows, columns] = self.row.shape(self.role)[..] else { panic!("an operand is a matrix") };
        let name = Scalar::of(&ir[elem]).and_then(opaque_elem).expect("the plan takes elements that matrices have");
        let letter = self.role.name().to_uppercase();
        let name = ir.intern_str(&format!("gpu.mma_matrix<{rows}x{columns}x{name}, \"{letter}Op\">"));
        ir.intern_type(Type::Dialect(name))
    }
}

/// What `!gpu.mma_matrix` calls its elements, of which it has these only: GPU dialect, "MMAMatrixType".
pub fn opaque_elem(elem: Scalar) -> Option<&'static str> {
    match elem {
        Scalar::Float(Float::F16) => Some("f16"),
        Scalar::Float(Float::F32) => Some("f32"),
        Scalar::Float(Float::F64) => Some("f64"),
        Scalar::Int(8) => Some("si8"),
        Scalar::Int(32) => Some("i32"),
        Scalar::Float(_) | Scalar::Int(_) | Scalar::Index => None,
    }
}

/// Each lane's part: neighbours along one dimension, as many as have consecutive slots, and how many of such runs.
pub fn parts(map: &Map) -> [i64; 2] {
    let (_, run) = run(map);
    [map.n_slots() / run, run]
}

/// Along which dimension the slots of a lane have neighbours, and how many.
pub fn run(map: &Map) -> (usize, i64) {
    let dim = match map.slot.first() {
        Some(Token::Digit { dim, .. }) => *dim,
        Some(Token::Same | Token::Nothing) | None => 'n',
    };
    let is_next = |(i, token): &(u32, &Token)| **token == Token::bit(dim, *i);
    let bits = (0..).zip(&map.slot).take_while(is_next).count();
    (map.dims.chars().position(|letter| letter == dim).unwrap_or(1), 1 << bits)
}

/// The coordinates of a lane's first slot, as expressions of the lane's number, which is `Dim(0)`.
pub fn first(map: &Map) -> Vec<Expr> {
    let of = |op, lhs, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
    let digit = |stride: i64, extent: i64, bit: u32| {
        let number = of(BinOp::FloorDiv, Expr::Dim(0), stride);
        let whole = stride * extent == map.n_lanes();
        let digit = if whole { number } else { of(BinOp::Mod, number, extent) };
        of(BinOp::Mul, digit, 1 << bit)
    };
    let along = |letter: char| {
        let (mut sum, mut stride) = (Expr::Const(0), 1);
        // Neighbouring bits that stand for neighbouring bits are one digit.
        let mut open: Option<(i64, i64, u32)> = None;
        for token in &map.lane {
            let bit = match *token {
                Token::Digit { dim, bit, .. } if dim == letter => Some(bit),
                Token::Digit { .. } | Token::Same | Token::Nothing => None,
            };
            open = match (open, bit) {
                (Some((at, extent, low)), Some(bit)) if low + extent.ilog2() == bit => {
                    Some((at, extent * token.extent(), low))
                }
                (closed, bit) => {
                    if let Some((at, extent, low)) = closed {
                        sum = Expr::binary(BinOp::Add, sum.clone(), digit(at, extent, low));
                    }
                    bit.map(|bit| (stride, token.extent(), bit))
                }
            };
            stride *= token.extent();
        }
        match open {
            Some((at, extent, low)) => Expr::binary(BinOp::Add, sum, digit(at, extent, low)),
            None => sum,
        }
    };
    map.dims.chars().map(along).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
mod tests {
    use raddle_target::catalogue::{Family, instructions};

    use super::*;

    /// The expressions and the parts name the same element as the map does, for every lane and slot of every instruction.
    #[test]
    fn parts_are_where_the_map_says() {
        let maps = instructions().iter().filter(|row| row.family == Family::MmaSync && row.blocks == 1 && !row.sparse);
        let maps: Vec<&Map> = maps.flat_map(|row| Operand::ALL.map(|role| row.map(role).ok())).flatten().collect();
        assert!(maps.len() > 50);
        for map in maps {
            let ((along, run), [runs, width], first) = (run(map), parts(map), first(map));
            assert_eq!((runs * width, width), (map.n_slots(), run), "{map}");
            for (lane, slot) in (0..32).flat_map(|lane| (0..map.n_slots()).map(move |slot| (lane, slot))) {
                let start = map.coord(0, 0, slot / run * run).unwrap();
                let mut at: Vec<i64> =
                    first.iter().zip(start).map(|(expr, more)| expr.eval(&[lane], &[]).unwrap() + more).collect();
                at[along] += slot % run;
                assert_eq!(Some(at), map.coord(0, lane, slot), "{map}");
            }
        }
    }
}
