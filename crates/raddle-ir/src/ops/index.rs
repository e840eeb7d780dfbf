//! Rows of `index`: arithmetic on indices.

use super::forms::*;

dialect! { Index:
    /// The sum of two indices.
    IndexAdd "index.add" Opaque pure commutative, INDEX_BINARY;
    /// The bitwise and.
    IndexAnd "index.and" Opaque pure commutative, INDEX_BINARY;
    /// The signed quotient, rounded up.
    IndexCeildivs "index.ceildivs" Opaque pure divides(signed), INDEX_BINARY;
    /// The unsigned quotient, rounded up.
    IndexCeildivu "index.ceildivu" Opaque pure divides(unsigned), INDEX_BINARY;
    /// The signed quotient, rounded towards zero.
    IndexDivs "index.divs" Opaque pure divides(signed), INDEX_BINARY;
    /// The unsigned quotient, rounded down.
    IndexDivu "index.divu" Opaque pure divides(unsigned), INDEX_BINARY;
    /// The signed quotient, rounded down.
    IndexFloordivs "index.floordivs" Opaque pure divides(signed), INDEX_BINARY;
    /// The larger of two signed indices.
    IndexMaxs "index.maxs" Opaque pure commutative, INDEX_BINARY;
    /// The larger of two unsigned indices.
    IndexMaxu "index.maxu" Opaque pure commutative, INDEX_BINARY;
    /// The smaller of two signed indices.
    IndexMins "index.mins" Opaque pure commutative, INDEX_BINARY;
    /// The smaller of two unsigned indices.
    IndexMinu "index.minu" Opaque pure commutative, INDEX_BINARY;
    /// The product of two indices.
    IndexMul "index.mul" Opaque pure commutative, INDEX_BINARY;
    /// The bitwise or.
    IndexOr "index.or" Opaque pure commutative, INDEX_BINARY;
    /// The signed remainder; it has the sign of the dividend.
    IndexRems "index.rems" Opaque pure divides(signed), INDEX_BINARY;
    /// The unsigned remainder.
    IndexRemu "index.remu" Opaque pure divides(unsigned), INDEX_BINARY;
    /// Shifts bits to the left.
    IndexShl "index.shl" Opaque pure, INDEX_BINARY;
    /// Shifts bits to the right and repeats the sign.
    IndexShrs "index.shrs" Opaque pure, INDEX_BINARY;
    /// Shifts bits to the right and fills with zeros.
    IndexShru "index.shru" Opaque pure, INDEX_BINARY;
    /// The difference of two indices.
    IndexSub "index.sub" Opaque pure, INDEX_BINARY;
    /// The bitwise exclusive or.
    IndexXor "index.xor" Opaque pure commutative, INDEX_BINARY;
    /// Converts between `index` and an integer, as signed numbers.
    IndexCasts "index.casts" Opaque pure, RETYPE;
    /// Converts between `index` and an integer, as unsigned numbers.
    IndexCastu "index.castu" Opaque pure, RETYPE;
    /// Compares two indices by a predicate.
    IndexCmp "index.cmp" Opaque pure, form(
        "lhs index, rhs index -> result i1",
        "pred:index.cmp_predicate",
        "$pred `(` $lhs `,` $rhs `)` attr-dict",
    );
    /// An index known at compile time.
    IndexConstant "index.constant" Opaque pure, form("-> result index", "value:index", "attr-dict $value");
    /// A condition known at compile time.
    IndexBoolConstant "index.bool.constant" Opaque pure, form("-> result i1", "value:bool", "attr-dict $value");
    /// The width of `index` in bits.
    IndexSizeof "index.sizeof" Opaque pure, form("-> result index", "", "attr-dict");
}
