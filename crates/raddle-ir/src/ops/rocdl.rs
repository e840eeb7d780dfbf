//! Rows of `rocdl` that passes and emitters name; the others are in `raddle-dialects`.

use super::forms::*;

dialect! { Rocdl:
    RocdlBallot "rocdl.ballot" Opaque, form("pred i1 -> res any", "", "$pred attr-dict `:` type($res)");
    RocdlAsyncmark "rocdl.asyncmark" Opaque waits, NULLARY;
    RocdlWaitAsyncmark "rocdl.wait.asyncmark" Opaque waits, form("->", "count:i16", "$count attr-dict");
    RocdlBarrier "rocdl.barrier" Opaque waits, NULLARY;
    RocdlSBarrier "rocdl.s.barrier" Opaque waits, NULLARY;
    RocdlSchedBarrier "rocdl.sched.barrier" Opaque waits, form("->", "mask:i32", "$mask attr-dict");
    RocdlSSetprio "rocdl.s.setprio" Opaque waits, form("->", "priority:i16", "$priority attr-dict");
}
