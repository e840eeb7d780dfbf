//! Rows of `scf`: loops and branches with regions.

use super::forms::*;

dialect! { Scf:
    /// A loop from a lower to an upper bound; carried values pass from iteration to iteration.
    ScfFor "scf.for" Loop, by_hand(
        "T intlike; lowerBound T, upperBound T, step T, initArgs* any -> results* any {scf.yield}",
        "unsignedCmp:unit",
    );
    /// A loop whose iterations are independent; a mapping says which workgroups, subgroups or threads execute them.
    ScfForall "scf.forall" Loop, by_hand(
        "dynamicLowerBound* index, dynamicUpperBound* index, dynamicStep* index, outputs* any -> results* any {scf.forall.in_parallel}",
        "staticLowerBound staticUpperBound staticStep mapping",
    );
    /// Puts together what the iterations of an `scf.forall` made.
    ScfForallInParallel "scf.forall.in_parallel" Yield, by_hand("-> {}", "");
    /// Executes one of two regions, by a condition.
    ScfIf "scf.if" Branch, by_hand("condition i1 -> results* any {scf.yield}{?scf.yield}", "");
    /// Leaves a region of a loop or a branch with values.
    ScfYield "scf.yield" Yield, YIELD;
    /// Executes its second region as long as its first region says so.
    ScfWhile "scf.while" Loop, by_hand("inits* any -> results* any {scf.condition}{scf.yield}", "");
    /// Ends the first region of an `scf.while`: whether to go on, and the values that are passed.
    ScfCondition "scf.condition" Opaque, form("condition i1, args* any ->", "", "`(` $condition `)` attr-dict ($args^ `:` type($args))?");
    /// Executes a region once.
    ScfExecuteRegion "scf.execute_region" Branch, by_hand("-> results* any {*scf.yield}", "no_inline:unit");
    /// A loop nest whose iterations are independent, with reductions.
    ScfParallel "scf.parallel" Opaque, by_hand(
        "lowerBound* index, upperBound* index, step* index, initVals* any -> results* any {~scf.reduce}",
        "",
    );
    /// Combines values of the iterations of an `scf.parallel`.
    ScfReduce "scf.reduce" Opaque, by_hand("operands* any -> {+scf.reduce.return}", "");
    /// Leaves a region of an `scf.reduce` with the combined value.
    ScfReduceReturn "scf.reduce.return" Opaque, form("result any ->", "", "$result attr-dict `:` type($result)");
    /// Executes one of several regions, by an index.
    ScfIndexSwitch "scf.index_switch" Branch, by_hand("arg index -> results* any {+~scf.yield}", "cases");
}
