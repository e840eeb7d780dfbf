//! Barriers that count bytes, bulk copies that complete on them, tensor maps, addresses in a cluster, and clusters that
//! take the place of others.

use super::super::ast::{Operand, Space};
use super::super::inst::{
    Address, Bulk, Clear, Load, Op, PhaseKind, PhaseOp, PhaseWait, Side, Special, Store, StoreAsync, TryCancel,
};
use super::super::lane::{one, two};
use super::super::memory::RANK_SHIFT;
use super::super::tensormap::{FIELDS, MAP_BYTES};
use super::super::types::Ty;
use super::data::{has_policy, take_cache_words, take_space, update};
use super::{Decoded, Decoder, Form};

impl<'m> Decoder<'m> {
    pub(super) fn mbarrier(&mut self, mut form: Form<'m>) -> Decoded<()> {
        const WHAT: &[&str] = &[
            "init",
            "inval",
            "expect_tx",
            "complete_tx",
            "arrive",
            "arrive_drop",
            "test_wait",
            "try_wait",
            "pending_count",
        ];
        let what = form.words.take_any(WHAT).ok_or_else(|| form.unknown())?;
        let arrives = what.starts_with("arrive");
        let expects = arrives && form.words.take("expect_tx");
        let is_relaxed = form.words.take("relaxed");
        form.words.take_any(&["acquire", "release"]);
        while form.words.take_any(&["cta", "cluster"]).is_some() {}
        let by_parity = form.words.take("parity");
        form.words.take("noComplete");
        let has_space = form.words.take_any(&["shared", "shared::cta", "shared::cluster"]).is_some();
        form.words.take("b64");
        form.finish()?;
        if what == "pending_count" {
            let [dst, token] = form.operands()?;
            let (dst, src) = (self.destination(dst, &form)?, self.source(token, Ty::B64, &form)?);
            self.check_results([dst], 32, &form)?;
            let lanes = one(|token| token & 0xffff_ffff);
            return self.emit(Op::Lanes { lanes, dst, srcs: [src, 0, 0, 0], more: None }, form.span);
        }
        if what.ends_with("_wait") {
            // How long to wait at most is up to the machine.
            let [dst, address, phase, ..] = form.operands else {
                return Err(form.wrong("a predicate, a barrier and a phase are wanted"));
            };
            let wait = PhaseWait {
                address: self.shared_address(address, has_space, &form)?,
                dst: self.destination(dst, &form)?,
                phase: self.source(phase, if by_parity { Ty::U32 } else { Ty::B64 }, &form)?,
                by_parity,
                acquires: !is_relaxed,
            };
            return self.emit(Op::PhaseWait(Box::new(wait)), form.span);
        }
        let (dst, operands) = match form.operands {
            [first, rest @ ..] if arrives && !matches!(first, Operand::Address(..)) => (Some(first), rest),
            operands => (None, operands),
        };
        let [address, numbers @ ..] = operands else { return Err(form.wrong("a barrier is wanted")) };
        let address = self.shared_address(address, has_space, &form)?;
        let number = match numbers {
            [] => None,
            [number] => Some(self.source(number, Ty::U32, &form)?),
            _ => return Err(form.wrong("has too many operands")),
        };
        let kind = match (what, number) {
            ("init", Some(count)) => PhaseKind::Init { count },
            ("inval", None) => PhaseKind::End,
            ("expect_tx", Some(bytes)) => PhaseKind::Expect { bytes },
            ("complete_tx", Some(bytes)) => PhaseKind::Complete { bytes },
            (_, number) if arrives && (number.is_some() || !expects) => PhaseKind::Arrive {
                count: number.filter(|_| !expects),
                bytes: number.filter(|_| expects),
                drops: what == "arrive_drop",
                releases: !is_relaxed,
            },
            _ => return Err(form.wrong("has too few operands or too many")),
        };
        let dst = match dst {
            None | Some(Operand::Sink) => None,
            Some(dst) => Some(self.destination(dst, &form)?),
        };
        self.check_results(dst, 64, &form)?;
        self.emit(Op::Phase(Box::new(PhaseOp { address, kind, dst })), form.span)
    }

    /// `cp.async.bulk`, behind `async`.
    pub(super) fn bulk(&mut self, mut form: Form<'m>, reduces: bool) -> Decoded<()> {
        form.words.take("bulk");
        match form.words.take_any(&["commit_group", "wait_group", "prefetch"]) {
            Some("commit_group") => {
                form.finish()?;
                return self.emit(Op::CommitStores, form.span);
            }
            Some("wait_group") => {
                let reads = form.words.take("read");
                form.finish()?;
                let [Operand::Int(n)] = form.operands else {
                    return Err(form.wrong("a number of groups is wanted"));
                };
                return self.emit(Op::WaitStores { n: *n as u32, reads }, form.span);
            }
            Some(_) => return self.emit(Op::Nothing, form.span),
            None => {}
        }
        let is_tensor = form.words.take("tensor");
        let dims = ["1d", "2d", "3d", "4d", "5d"];
        let rank = if is_tensor { form.words.take_any(&dims) } else { None };
        let spaces = (take_space(&mut form.words), take_space(&mut form.words));
        let side = match spaces {
            (Some(Space::Shared), Some(Space::Global)) => Side::Load,
            (Some(Space::Global), Some(Space::Shared)) => Side::Store,
            (Some(Space::Shared), Some(Space::Shared)) if !is_tensor => Side::Share,
            _ => return Err(form.unknown()),
        };
        form.words.take("tile");
        let is_by_rows =
            rank == Some("2d") && form.words.take(if side == Side::Store { "tile::scatter4" } else { "tile::gather4" });
        let completes = if side == Side::Store { "bulk_group" } else { "mbarrier::complete_tx::bytes" };
        let is_multicast = side == Side::Load && form.words.take("multicast::cluster");
        let pairs =
            if is_tensor && side == Side::Load { form.words.take_any(&["cta_group::1", "cta_group::2"]) } else { None };
        let ignores = !is_tensor && side == Side::Load && !is_multicast && form.words.take("ignore_oob");
        let is_masked = !is_tensor && side == Side::Store && !reduces && form.words.take("cp_mask");
        if !form.words.take(completes) || is_tensor != rank.is_some() {
            return Err(form.unknown());
        }
        let policy = usize::from(has_policy(&form.words));
        take_cache_words(&mut form.words);
        let mut reduce = None;
        if reduces {
            let what = form.words.take_any(&["add", "min", "max", "inc", "dec", "and", "or", "xor"]);
            let ty = form.words.ty();
            let is_float = ty.is_some_and(|ty| ty.format().is_some());
            if side == Side::Load || ty.is_some() == is_tensor || is_float && side == Side::Share {
                return Err(form.unknown());
            }
            reduce = Some((what.ok_or_else(|| form.unknown())?, ty));
        }
        form.finish()?;
        let n = form.operands.len().saturating_sub(policy);
        // A mask of bytes stands behind the policy.
        let (operands, last) = form.operands.split_at(if is_masked { n.saturating_sub(1) } else { n });
        let mut operands = operands.iter();
        let mut next = |what: &str| operands.next().ok_or_else(|| form.wrong(&format!("{what} is wanted")));
        let mut bulk = Bulk {
            side,
            to: None,
            from: None,
            map: None,
            is_by_rows,
            size: None,
            ignored: None,
            bytes: None,
            barrier: None,
            multicast: None,
            is_paired: pairs == Some("cta_group::2"),
            reduce,
        };
        let (first, second) = (next("a destination")?, next("a source")?);
        let shared = Some(Space::Shared);
        if side == Side::Store {
            bulk.from = Some(self.address(second, shared, &form)?);
        } else {
            bulk.to = Some(self.address(first, shared, &form)?);
        }
        let global = if side == Side::Store { first } else { second };
        if is_tensor {
            let Operand::Address(base, coordinates) = global else {
                return Err(form.wrong("a tensor map and coordinates are wanted"));
            };
            let base = self.address(&Operand::Address(base.clone(), Vec::new()), None, &form)?;
            let [coordinates] = &coordinates[..] else {
                return Err(form.wrong("coordinates are wanted behind the tensor map"));
            };
            let coordinates = self.sources(coordinates, Ty::U32, &form)?;
            if is_by_rows && coordinates.len() != 5 {
                return Err(form.wrong("a column and four rows are wanted behind the tensor map"));
            }
            if !is_by_rows && dims.get(coordinates.len().wrapping_sub(1)).copied() != rank {
                return Err(form.wrong("the coordinates are not as many as the dimensions"));
            }
            bulk.map = Some((base, coordinates));
        } else {
            match side {
                Side::Load => bulk.from = Some(self.address(second, Some(Space::Global), &form)?),
                Side::Store => bulk.to = Some(self.address(first, Some(Space::Global), &form)?),
                Side::Share => bulk.from = Some(self.address(second, shared, &form)?),
            }
            bulk.size = Some(self.source(next("a number of bytes")?, Ty::U32, &form)?);
        }
        if ignores {
            let [front, back] = [next("a number of ignored bytes")?, next("a second number of ignored bytes")?];
            bulk.ignored = Some([self.source(front, Ty::U32, &form)?, self.source(back, Ty::U32, &form)?]);
        }
        if is_masked {
            let mask = last.last().ok_or_else(|| form.wrong("a mask of bytes is wanted"))?;
            bulk.bytes = Some(self.source(mask, Ty::B16, &form)?);
        }
        if side != Side::Store {
            bulk.barrier = Some(self.address(next("a barrier")?, shared, &form)?);
        }
        if is_multicast {
            bulk.multicast = Some(self.source(next("a mask of workgroups")?, Ty::U32, &form)?);
        }
        if operands.next().is_some() {
            return Err(form.wrong("has too many operands"));
        }
        self.emit(Op::Bulk(Box::new(bulk)), form.span)
    }

    /// `st.async` and `red.async`, behind the words that say how and where.
    pub(super) fn store_async(&mut self, mut form: Form<'m>, space: Option<Space>, n: usize) -> Decoded<()> {
        let reduces = form.opcode == "red";
        if space != Some(Space::Shared) || !form.words.take("mbarrier::complete_tx::bytes") {
            return Err(form.unknown());
        }
        let what = form.words.take_any(&["add", "min", "max", "inc", "dec", "and", "or", "xor"]);
        let ty = form.words.ty().filter(|ty| matches!(ty.width(), 32 | 64)).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let update = match what {
            Some(what) => Some(update(what, ty).filter(|_| ty.format().is_none()).ok_or_else(|| form.unknown())?),
            None => None,
        };
        if reduces != update.is_some() || n > 4 || ty.width() as usize * n > 128 {
            return Err(form.unknown());
        }
        let [to, value, barrier] = form.operands()?;
        let srcs = self.sources(value, ty, &form)?;
        if srcs.len() != n {
            return Err(form.wrong(&format!("{n} registers are wanted")));
        }
        let [to, barrier] = [to, barrier].map(|operand| self.address(operand, space, &form));
        let store = StoreAsync { to: to?, barrier: barrier?, bytes: ty.width() as usize / 8, srcs, update };
        self.emit(Op::StoreAsync(Box::new(store)), form.span)
    }

    /// `st.bulk`, behind `bulk`.
    pub(super) fn clear(&mut self, form: &Form<'m>, space: Option<Space>) -> Decoded<()> {
        if !matches!(space, None | Some(Space::Shared)) {
            return Err(form.unknown());
        }
        form.finish()?;
        let [address, size, Operand::Int(0)] = form.operands()? else {
            return Err(form.wrong("takes an address, a number of bytes and 0"));
        };
        let (address, size) = (self.address(address, space, form)?, self.source(size, Ty::B64, form)?);
        self.emit(Op::Clear(Box::new(Clear { address, size })), form.span)
    }

    /// `clusterlaunchcontrol`: a cluster that runs takes the place of one that has not begun.
    ///
    /// The 128 bits of an answer are opaque to programs. Here the low half has x and y of the first workgroup of the cluster
    /// that does not begin, and the high half whether there is one, and z.
    pub(super) fn launch_control(&mut self, mut form: Form<'m>) -> Decoded<()> {
        if form.words.take("try_cancel") {
            let known = form.words.take("async") && form.words.take("mbarrier::complete_tx::bytes");
            let space = take_space(&mut form.words);
            let tells_all = form.words.take("multicast::cluster::all");
            if !known || !form.words.take("b128") || !matches!(space, None | Some(Space::Shared)) {
                return Err(form.unknown());
            }
            form.finish()?;
            let [to, barrier] = form.operands()?;
            let (to, barrier) = (self.address(to, space, &form)?, self.address(barrier, space, &form)?);
            return self.emit(Op::TryCancel(Box::new(TryCancel { to, barrier, tells_all })), form.span);
        }
        const WHAT: &[&str] =
            &["is_canceled", "get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z", "get_first_ctaid"];
        let known = form.words.take("query_cancel");
        let what = form.words.take_any(WHAT).filter(|_| known).ok_or_else(|| form.unknown())?;
        let result = match what {
            "is_canceled" => form.words.take("pred"),
            "get_first_ctaid" => form.words.take("v4") && form.words.take("b32"),
            _ => form.words.take("b32"),
        };
        if !result || !form.words.take("b128") {
            return Err(form.unknown());
        }
        form.finish()?;
        let [dst, answer] = form.operands()?;
        let [low, high] = self.wide(answer, &form)?;
        let part = |what: &str| match what {
            "is_canceled" => (one(|high| high & 1), high),
            "get_first_ctaid::x" => (one(|low| low & 0xffff_ffff), low),
            "get_first_ctaid::y" => (one(|low| low >> 32), low),
            _ => (one(|high| high >> 32), high),
        };
        let (dsts, whats) = match what {
            "is_canceled" => (vec![Some(self.destination(dst, &form)?)], vec![what]),
            "get_first_ctaid" => (self.destinations(dst, &form)?, WHAT[1..4].to_vec()),
            _ => (self.destinations(dst, &form)?, vec![what]),
        };
        if dsts.len() != if what == "get_first_ctaid" { 4 } else { 1 } {
            return Err(form.wrong("has too few registers or too many"));
        }
        self.check_results(dsts.iter().flatten().copied(), if what == "is_canceled" { 1 } else { 32 }, &form)?;
        for (dst, what) in dsts.into_iter().zip(whats) {
            let Some(dst) = dst else { continue };
            let (lanes, src) = part(what);
            self.emit(Op::Lanes { lanes, dst, srcs: [src, 0, 0, 0], more: None }, form.span)?;
        }
        Ok(())
    }

    /// `cp.async.mbarrier.arrive`
    pub(super) fn copies_arrive(&mut self, mut form: Form<'m>) -> Decoded<()> {
        if !form.words.take("mbarrier") || !form.words.take("arrive") {
            return Err(form.unknown());
        }
        let adds = !form.words.take("noinc");
        let has_space = form.words.take_any(&["shared", "shared::cta"]).is_some();
        form.words.take("b64");
        form.finish()?;
        let [address] = form.operands()?;
        let address = self.shared_address(address, has_space, &form)?;
        self.emit(Op::CopyArrive { address, adds }, form.span)
    }

    /// Addresses of other workgroups' shared memory, and back.
    pub(super) fn in_cluster(&mut self, mut form: Form<'m>) -> Decoded<()> {
        form.words.take("shared::cluster");
        let ty = form.words.ty().filter(|ty| ty.width() >= 32).ok_or_else(|| form.unknown())?;
        form.finish()?;
        const RANKS: u64 = 0xff << RANK_SHIFT;
        let (dst, srcs, lanes) = if form.opcode == "mapa" {
            let [dst, address, rank] = form.operands()?;
            let (address, rank) = (self.source(address, ty, &form)?, self.source(rank, Ty::U32, &form)?);
            (dst, [address, rank, 0, 0], two(|address, rank| address & !RANKS | (rank.min(0xfe) + 1) << RANK_SHIFT))
        } else {
            let [dst, address] = form.operands()?;
            let own = self.special(Special::ClusterRank, form.span)?;
            let lanes = two(|address, own| match (address & RANKS) >> RANK_SHIFT {
                0 => own,
                rank => rank - 1,
            });
            (dst, [self.source(address, ty, &form)?, own, 0, 0], lanes)
        };
        let dst = self.destination(dst, &form)?;
        let bits = if form.opcode == "mapa" { ty.width() } else { 32 };
        self.check_results([dst], bits, &form)?;
        self.emit(Op::Lanes { lanes, dst, srcs, more: None }, form.span)
    }

    /// `barrier.cluster`
    pub(super) fn cluster_barrier(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let what = form.words.take_any(&["arrive", "wait"]).ok_or_else(|| form.unknown())?;
        let order = form.words.take_any(&["release", "relaxed", "acquire"]);
        form.words.take("aligned");
        form.finish()?;
        let [] = form.operands()?;
        let op =
            if what == "arrive" { Op::ClusterArrive { releases: order != Some("relaxed") } } else { Op::ClusterWait };
        self.emit(op, form.span)
    }

    /// `tensormap.replace` and `tensormap.cp_fenceproxy`
    pub(super) fn tensormap(&mut self, mut form: Form<'m>) -> Decoded<()> {
        if form.words.take("cp_fenceproxy") {
            let spaces = (take_space(&mut form.words), take_space(&mut form.words));
            const KNOWN: &[&str] =
                &["tensormap::generic", "release", "gpu", "cta", "cluster", "sys", "sync", "aligned"];
            while form.words.take_any(KNOWN).is_some() {}
            form.finish()?;
            let [to, from, Operand::Int(128)] = form.operands()? else {
                return Err(form.wrong("two addresses and 128 bytes are wanted"));
            };
            let (to, from) = (self.address(to, spaces.0, &form)?, self.address(from, spaces.1, &form)?);
            let mut rows = Vec::new();
            for _ in 0..4 {
                rows.push(self.new_row(64, form.span)?);
            }
            for part in (0..MAP_BYTES as u64).step_by(32) {
                let at = |address: Address| Address { offset: address.offset.wrapping_add(part), ..address };
                let dsts = rows.iter().map(|&row| Some(row)).collect();
                let load = Load { address: at(from), bytes: 8, dsts, extend: 0, width: 64, is_strong: false };
                self.emit(Op::Load(Box::new(load)), form.span)?;
                let store = Store { address: at(to), bytes: 8, srcs: rows.clone(), is_strong: false };
                self.emit(Op::Store(Box::new(store)), form.span)?;
            }
            // The copy is the warp's, whichever of its threads uses the map.
            let members = self.source(&Operand::Int(0xffff_ffff), Ty::B32, &form)?;
            return self.emit(Op::WarpSync { members }, form.span);
        }
        let known = form.words.take("replace") && form.words.take("tile");
        let field = form.words.take_map(|word| FIELDS.iter().find(|field| field.0 == word));
        let space = take_space(&mut form.words);
        form.words.take("b1024");
        form.words.ty();
        form.finish()?;
        let Some(&(name, offset, bytes)) = field.filter(|_| known) else { return Err(form.unknown()) };
        let is_list = name.ends_with("_dim") || name.ends_with("_stride");
        let (address, at, value) = match form.operands {
            [address, value] if !is_list => (address, 0, value),
            [address, Operand::Int(at @ 0..=4), value] if is_list => (address, *at as u64, value),
            _ => return Err(form.wrong("takes an address, a dimension where the field has several, and a value")),
        };
        let mut address = self.address(address, space, &form)?;
        address.offset = address.offset.wrapping_add(offset + at * bytes as u64);
        let value = self.source(value, if bytes == 8 { Ty::B64 } else { Ty::B32 }, &form)?;
        let store = Store { address, bytes, srcs: vec![value], is_strong: false };
        self.emit(Op::Store(Box::new(store)), form.span)
    }
}
