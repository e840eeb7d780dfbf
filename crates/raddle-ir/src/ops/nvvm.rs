//! Rows of `nvvm` that passes and emitters name; the others are in `raddle-dialects`.

use super::forms::*;

dialect! { Nvvm:
    NvvmBarrier "nvvm.barrier" Opaque, form(
        "barrierId? i32, numberOfThreads? i32 ->",
        "aligned:bool=?true",
        "(`id` `=` $barrierId^)? (`number_of_threads` `=` $numberOfThreads^)? attr-dict",
    );
    NvvmBarrierArrive "nvvm.barrier.arrive" Opaque, form(
        "barrierId? i32, numberOfThreads i32 ->",
        "aligned:bool=true",
        "(`id` `=` $barrierId^)? `number_of_threads` `=` $numberOfThreads attr-dict",
    );
    NvvmVoteSync "nvvm.vote.sync" Opaque, form(
        "mask i32, pred i1 -> res any",
        "kind:nvvm.vote_sync_kind",
        "$kind $mask `,` $pred attr-dict `->` type($res)",
    );
    NvvmCpAsyncCommitGroup "nvvm.cp.async.commit.group" Opaque waits, NULLARY;
    NvvmCpAsyncWaitGroup "nvvm.cp.async.wait.group" Opaque waits, form("->", "n:i32", "$n attr-dict");

    NvvmFenceProxy "nvvm.fence.proxy" Opaque, form(
        "->",
        "kind:<nvvm.proxy_kind> space:<nvvm.shared_space>",
        "attr-dict",
    );
    NvvmWgmmaFenceAligned "nvvm.wgmma.fence.aligned" Opaque, NULLARY;
    NvvmWgmmaCommitGroupSyncAligned "nvvm.wgmma.commit.group.sync.aligned" Opaque, NULLARY;
    NvvmWgmmaWaitGroupSyncAligned "nvvm.wgmma.wait.group.sync.aligned" Opaque, form(
        "->",
        "group:i64",
        "attr-dict $group",
    );
}
