//! `smt`: what constraints on tile sizes are written with.

use raddle_ir::form::form;
use raddle_ir::ops::OpInfo;

pub(crate) static ROWS: &[OpInfo] = raddle_ir::rows! {
    "smt.int.constant" Opaque pure, form(
        "-> result !smt.int",
        "value:digits",
        "$value attr-dict",
    );
    "smt.int.add" Opaque pure, form(
        "inputs* !smt.int -> result !smt.int",
        "",
        "$inputs attr-dict",
    );
    "smt.int.mul" Opaque pure, form(
        "inputs* !smt.int -> result !smt.int",
        "",
        "$inputs attr-dict",
    );
    "smt.int.sub" Opaque pure, form(
        "lhs !smt.int, rhs !smt.int -> result !smt.int",
        "",
        "$lhs `,` $rhs attr-dict",
    );
    "smt.int.div" Opaque pure, form(
        "lhs !smt.int, rhs !smt.int -> result !smt.int",
        "",
        "$lhs `,` $rhs attr-dict",
    );
    "smt.int.mod" Opaque pure, form(
        "lhs !smt.int, rhs !smt.int -> result !smt.int",
        "",
        "$lhs `,` $rhs attr-dict",
    );
    "smt.int.abs" Opaque pure, form(
        "input !smt.int -> result !smt.int",
        "",
        "$input attr-dict",
    );
    "smt.int.neg" Opaque pure, form(
        "input !smt.int -> result !smt.int",
        "",
        "$input attr-dict",
    );
    "smt.int.cmp" Opaque pure, form(
        "lhs !smt.int, rhs !smt.int -> result !smt.bool",
        "pred:@smtcmp",
        "$pred $lhs `,` $rhs attr-dict",
    );
    "smt.eq" Opaque pure, form(
        "T any; lhs T, rhs T -> result !smt.bool",
        "",
        "$lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    "smt.distinct" Opaque pure, form(
        "T any; lhs T, rhs T -> result !smt.bool",
        "",
        "$lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    "smt.and" Opaque pure, form(
        "inputs* !smt.bool -> result !smt.bool",
        "",
        "$inputs attr-dict",
    );
    "smt.or" Opaque pure, form(
        "inputs* !smt.bool -> result !smt.bool",
        "",
        "$inputs attr-dict",
    );
    "smt.xor" Opaque pure, form(
        "inputs* !smt.bool -> result !smt.bool",
        "",
        "$inputs attr-dict",
    );
    "smt.not" Opaque pure, form(
        "input !smt.bool -> result !smt.bool",
        "",
        "$input attr-dict",
    );
    "smt.implies" Opaque pure, form(
        "lhs !smt.bool, rhs !smt.bool -> result !smt.bool",
        "",
        "$lhs `,` $rhs attr-dict",
    );
    "smt.ite" Opaque pure, form(
        "T any; cond !smt.bool, thenValue T, elseValue T -> result T",
        "",
        "$cond `,` $thenValue `,` $elseValue attr-dict `:` type($result)",
    );
    "smt.declare_fun" Opaque, form(
        "-> result any",
        "namePrefix:str",
        "($namePrefix^)? attr-dict `:` type($result)",
    );
    "smt.assert" Opaque, form(
        "input !smt.bool ->",
        "",
        "$input attr-dict",
    );
};
