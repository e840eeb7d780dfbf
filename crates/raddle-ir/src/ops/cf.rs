//! Rows of `cf`: branches between blocks, and assertions.

use super::forms::*;

dialect! { Cf:
    /// Stops with a message if a condition does not hold.
    CfAssert "cf.assert" Opaque, form("arg i1 ->", "msg", "$arg `,` $msg attr-dict");
    /// Continues in another block.
    CfBr "cf.br" Opaque, by_hand("destOperands* any ->", "");
    /// Continues in one of two blocks, by a condition.
    CfCondBr "cf.cond_br" Opaque, by_hand(
        "condition i1, trueDestOperands* any, falseDestOperands* any ->",
        "branch_weights",
    );
    /// Continues in one of several blocks, by an integer.
    CfSwitch "cf.switch" Opaque, by_hand("flag any, defaultOperands* any, caseOperands* any ->", "case_values case_operand_segments");
}
