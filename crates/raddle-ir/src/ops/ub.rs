//! Rows of `ub`: what nothing may be assumed of.

use super::forms::*;

dialect! { Ub:
    /// A value of which nothing may be assumed.
    UbPoison "ub.poison" Constant pure, form("-> result any", "value:of(ub.poison)=ub.poison", "attr-dict (`<` $value^ `>`)? `:` type($result)");
    /// Is never executed.
    UbUnreachable "ub.unreachable" Opaque stops, NULLARY;
}
