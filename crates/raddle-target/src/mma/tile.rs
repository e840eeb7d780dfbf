//! Tiles: what threads hold of the operands of `iree_codegen.inner_tiled`, for every kind.
//!
//! ```text
//! C of MFMA_F32_32x32x8_F16    m = 4 (slots) x 2 (lanes, 32 apart) x 4 (slots),   n = 32 (lanes, 1 apart)
//! ```
//!
//! Each dimension of a tile is a number with several digits, and each digit is counted by slots, by instructions, or by
//! threads. Memory has the digits too: one dimension of memory may be a whole dimension of the tile, or some of its
//! digits, and data-tiled kinds have digits in an order of their own. Which digits and whose they are comes from the
//! rows of the instructions; nothing is said twice.
//!
//! Threads are numbered by (subgroup of m, of n, of k, lane). Where subgroups share k, the sum goes through all of them.

use std::fmt;

use raddle_ir::{Attr, AttrId, Body, Ir, Scalar};
use raddle_layout::sort::sort_by_key;

use super::catalogue::{Instruction, Named, Place, UnknownName, lookup};
use super::elem::Elem;
use super::map::{Map, Token};
use super::virtuals::Lowering;
use super::{Fragment, Mma, Operand, mma};

/// The dimension of the product that a digit counts along.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names of the dimensions")]
pub enum Along {
    Block,
    M,
    N,
    K,
}

/// What counts a digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Slots of one instruction's operand in one thread.
    Slots,
    /// Instructions that one thread takes part in.
    Instructions,
    /// Threads: neighbours are `stride` apart. A digit of extent 1 with stride 0 is there for its dimension of memory.
    Threads {
        /// Threads from one value to the next.
        stride: i64,
    },
}

/// A digit of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its dimension of the product.
    pub along: Along,
    /// How many values it has.
    pub extent: i64,
    /// What counts it.
    pub held: Held,
}

/// One operand's tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    /// The digits; of one dimension, the slowest first.
    pub parts: Vec<Part>,
    /// For each dimension of memory, its digits, slowest first.
    pub memory: Vec<Vec<usize>>,
}

/// What a `kind` attribute says.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The name of the instruction.
    pub name: String,
    /// What the name stands for.
    pub named: Named,
    /// It is a string: the catalogue's name, for operands as the hardware has them in its registers.
    pub is_bare: bool,
    /// The types of A and B where the kind says them: of scaled instructions.
    factors: Option<[Scalar; 2]>,
    /// The product is that of the transposed factors, so that C is transposed.
    pub col_major: bool,
    /// For a data-tiled kind, how it repeats the instruction.
    pub repeat: Option<Repeat>,
}

/// How a data-tiled kind repeats its instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repeat {
    /// Instructions of one subgroup along m, n and k.
    pub intrinsics: [i64; 3],
    /// Subgroups along m, n and k.
    pub subgroups: [i64; 3],
    /// For each of m, n and k, the operands whose instructions lie inside of the innermost digit of threads.
    interleaved: [Vec<i64>; 3],
    /// Operands whose digits lie in the order of their dimensions.
    unswizzled: Vec<i64>,
}

/// Why a kind has no tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KindError {
    /// It names no instruction.
    Nameless,
    /// Nothing has the name.
    Unknown(UnknownName),
    /// No instruction of this name has these types of factors.
    Types(String),
    /// An operand is not in the registers of one subgroup, or nobody knows where.
    Places(String),
    /// Its numbers are not positive, or too large.
    Size(String),
    /// Data-tiled factors of 8 bits that are scaled: lanes have two runs of k there, and memory has one.
    Runs(String),
}

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KindError::Nameless => write!(f, "its kind names no matrix instruction"),
            KindError::Unknown(unknown) => unknown.fmt(f),
            KindError::Types(name) => write!(f, "`{name}` does not have these element types"),
            KindError::Places(name) => {
                write!(f, "the operands of `{name}` are not all in known registers of one subgroup")
            }
            KindError::Size(name) => write!(f, "the counts of instructions and subgroups of `{name}` are out of range"),
            KindError::Runs(name) => write!(
                f,
                "each lane of `{name}` has two runs of 16 of an 8-bit factor's k, and scales belong to blocks of 32, so \
                 that one run of 32 would be scaled wrongly"
            ),
        }
    }
}

impl std::error::Error for KindError {}

/// Instructions or subgroups that a kind may count along one dimension.
const REPEAT_MAX: i64 = 1 << 10;

impl Kind {
    /// Reads a `kind`: `#iree_gpu.mma_layout<…>` and its family, or the catalogue's name of an instruction as a string.
    pub fn of(ir: &Ir, attr: AttrId) -> Result<Kind, KindError> {
        let (word, fields) = match &ir[attr] {
            Attr::Str(name) => (Some(&ir[*name]), &[][..]),
            Attr::Dialect { body: Body::Keyword(word), .. } => (Some(&ir[*word]), &[][..]),
            Attr::Dialect { body: Body::Fields(fields), .. } => {
                (fields.first().and_then(|&(_, name)| ir.keyword(name)), &fields[..])
            }
            _ => (None, &[][..]),
        };
        let name = word.ok_or(KindError::Nameless)?.to_owned();
        let named = lookup(&name).map_err(KindError::Unknown)?;
        // A type that is a single word is read as one.
        let scalar = |name: &str| match (&ir[ir.field(attr, name)?], ir.keyword(ir.field(attr, name)?)) {
            (Attr::Type(ty), _) => Scalar::of(&ir[*ty]),
            (_, Some(word)) => Scalar::from_keyword(word),
            _ => None,
        };
        let factors = scalar("lhs_elem_type").zip(scalar("rhs_elem_type")).map(|(a, b)| [a, b]);
        let col_major = ir.field(attr, "col_major").is_some_and(|flag| ir[flag] == Attr::Bool(true));
        let is_data_tiled = !fields.is_empty()
            && matches!(&ir[attr], Attr::Dialect { name, .. } if ir[*name].starts_with("iree_gpu.data_tiled"));
        let is_bare = matches!(ir[attr], Attr::Str(_));
        let kind = Kind { name, named, is_bare, factors, col_major, repeat: None };
        if !is_data_tiled {
            return Ok(kind);
        }
        let number = |name: String| ir.field(attr, &name).map_or(Some(1), |n| ir[n].as_i64());
        let list = |name: String| ir.field(attr, &name).and_then(|list| ir.ints(list)).unwrap_or_default();
        let counts = |what: &str| ["m", "n", "k"].map(|d| number(format!("{what}_{d}")));
        let fits = |n: Option<i64>| n.filter(|n| (1..=REPEAT_MAX).contains(n));
        let [intrinsics, subgroups] = ["intrinsics", "subgroups"].map(counts);
        let all: Option<Vec<i64>> = intrinsics.into_iter().chain(subgroups).map(fits).collect();
        let Some([im, i_n, ik, sm, sn, sk]) = all.and_then(|all| <[i64; 6]>::try_from(all).ok()) else {
            return Err(KindError::Size(kind.name));
        };
        let interleaved = ["m", "n", "k"].map(|d| list(format!("operands_interleaving_intrinsics_{d}")));
        let unswizzled = list("unswizzled_operands".to_owned());
        let repeat = Repeat { intrinsics: [im, i_n, ik], subgroups: [sm, sn, sk], interleaved, unswizzled };
        Ok(Kind { repeat: Some(repeat), ..kind })
    }

    /// The catalogue's row of the instruction that is issued, where it has one.
    pub fn row(&self) -> Result<Option<&'static Instruction>, KindError> {
        match self.named {
            Named::Instruction(row) => Ok(Some(row)),
            Named::Virtual(row) => Ok(row.base_row()),
            Named::Scaled(scaled) => {
                let elem = |scalar: Scalar| Elem::all().find(|elem| elem.scalar() == Some(scalar));
                let factors = self.factors.map(|factors| factors.map(elem));
                match factors {
                    Some([Some(a), Some(b)]) => scaled.row(a, b),
                    _ => None,
                }
                .map(Some)
                .ok_or_else(|| KindError::Types(self.name.clone()))
            }
        }
    }

    /// Lanes of a subgroup.
    pub fn subgroup_size(&self) -> i64 {
        match self.named {
            Named::Instruction(row) => i64::from(row.threads),
            // All are AMD's, for subgroups of 64 lanes.
            Named::Virtual(_) | Named::Scaled(_) => 64,
        }
    }

    /// Threads that hold a tile together.
    pub fn threads(&self) -> i64 {
        let subgroups = self.repeat.as_ref().map_or(1, |repeat| repeat.subgroups.iter().product());
        self.subgroup_size() * subgroups
    }

    /// The element types of the operands, in their order; `None` where the language does not have it, or several fit.
    pub fn types(&self) -> Vec<Option<Scalar>> {
        match self.named {
            Named::Instruction(row) => match fragments(&self.name) {
                Some(mma) => mma.types.map(Some).to_vec(),
                None => row.types.map(Elem::scalar).to_vec(),
            },
            Named::Virtual(row) => {
                let chip = if row.fnuz { "gfx942" } else { "" };
                row.types.map(|elem| elem.scalar_on(chip)).to_vec()
            }
            Named::Scaled(_) => {
                let [a, b] = self.factors.map_or([None; 2], |factors| factors.map(Some));
                let scale = Elem::UE8M0.scalar();
                vec![a, b, scale, scale, Elem::F32.scalar()]
            }
        }
    }

    /// How many digits along k count the elements that share a scale: their dimension is a tile's last one.
    fn scale_block(&self) -> Option<i64> {
        match self.named {
            Named::Scaled(scaled) => Some(scaled.block),
            Named::Instruction(_) | Named::Virtual(_) => None,
        }
    }

    /// The tiles of the operands, in their order: A, B, the scales of A and of B where there are some, C.
    pub fn tiles(&self) -> Result<Vec<Tile>, KindError> {
        let dims = self.dims()?;
        let Some(repeat) = &self.repeat else {
            return Ok(dims.iter().map(|dims| Tile::whole(dims)).collect());
        };
        if let Some(block) = self.scale_block()
            && dims[..2].iter().any(|dims| run(dims) != block)
        {
            return Err(KindError::Runs(self.name.clone()));
        }
        if dims.iter().flatten().flatten().any(|part| part.along == Along::Block) {
            return Err(KindError::Places(self.name.clone()));
        }
        let size = self.subgroup_size();
        Ok(dims.into_iter().enumerate().map(|(at, dims)| swizzled(dims, at as i64, repeat, size)).collect())
    }

    /// For each slot of operand `at` as the hardware counts them, its number among those that one thread holds of the tile;
    /// `None` where these are the same, and for data-tiled kinds.
    pub fn slot_order(&self, at: usize, tile: &Tile) -> Option<Vec<usize>> {
        let operand = *Operand::ALL.get(at)?;
        let Named::Instruction(row) = self.named else { return None };
        let n: i64 = tile.held_shape().iter().product();
        let fragments = fragments(&self.name);
        let hardware = |slot: i64| -> Option<[i64; 4]> {
            let mut coord = [0; 4];
            let (dims, places) = match (fragments, row.place(operand)) {
                (Some(mma), _) => (operand.dims().concat(), mma.fragment(operand).coord(0, slot).to_vec()),
                (None, Place::Registers(map)) => (map.dims.to_owned(), map.coord(0, 0, slot)?),
                (None, Place::Shared | Place::Opaque) => return None,
            };
            for (letter, place) in dims.chars().zip(places) {
                coord[along(letter) as usize] = place;
            }
            if self.col_major && operand == Operand::C {
                coord.swap(Along::M as usize, Along::N as usize);
            }
            Some(coord)
        };
        let held: Vec<[i64; 4]> = (0..n).map(|slot| tile.coord_of(0, slot)).collect();
        let place = |slot| {
            let wanted = hardware(slot)?;
            held.iter().position(|coord| *coord == wanted)
        };
        let order: Vec<usize> = (0..n).map(place).collect::<Option<_>>()?;
        let differs = order.iter().enumerate().any(|(slot, &place)| slot != place);
        (self.repeat.is_none() && differs).then_some(order)
    }

    /// The dimensions of each operand's tile for one instruction, and their digits.
    fn dims(&self) -> Result<Vec<Vec<Vec<Part>>>, KindError> {
        let places = || KindError::Places(self.name.clone());
        let of_map = |place: &Place| match place {
            Place::Registers(map) if map.n_subgroups() == 1 && !map.is_masked() => Ok(digits(map, self.scale_block())),
            Place::Registers(_) | Place::Shared | Place::Opaque => Err(places()),
        };
        let mut all = match self.named {
            Named::Instruction(row) => match fragments(&self.name) {
                Some(mma) => Operand::ALL.map(|operand| of_fragment(mma.fragment(operand), operand, 1)).to_vec(),
                None if row.sparse || row.scales.is_some() => return Err(places()),
                None => row.places.iter().map(of_map).collect::<Result<_, _>>()?,
            },
            Named::Virtual(row) => {
                // Lanes that share a row of a sparse factor have the halves of its run.
                let halves = |operand| match row.lowering {
                    Lowering::Sparse if operand == Operand::A => row.lanes_per_thread,
                    Lowering::Sparse | Lowering::Unroll => 1,
                };
                let of = |operand| of_fragment(&row.fragments[operand as usize], operand, halves(operand));
                Operand::ALL.map(of).to_vec()
            }
            Named::Scaled(_) => {
                let row = self.row()?.ok_or_else(places)?;
                let scales = row.scales.as_ref().ok_or_else(places)?;
                let [a, b, c] = [0, 1, 2].map(|at: usize| of_map(&row.places[at]));
                let [of_a, mut of_b] = [0, 1].map(|at: usize| digits(&scales.maps[at], None));
                // A scale of B has the place of its block in front, as B has.
                of_b.reverse();
                vec![a?, b?, of_a, of_b, c?]
            }
        };
        if self.col_major
            && let Some(c) = all.last_mut()
        {
            let n = c.len();
            c.swap(n - 2, n - 1);
            c[n - 2].iter_mut().for_each(|part| part.along = Along::M);
            c[n - 1].iter_mut().for_each(|part| part.along = Along::N);
        }
        Ok(all)
    }
}

/// The row of the compiler's table whose fragments are all of the operands: those of several blocks have more.
fn fragments(name: &str) -> Option<&'static Mma> {
    mma(name).filter(|mma| mma.blocks.is_none())
}

/// Neighbours along the last dimension of A or B's blocks that one lane has.
fn run(dims: &[Vec<Part>]) -> i64 {
    let block = dims.iter().rev().find(|dim| dim.iter().all(|part| part.along == Along::K) && !dim.is_empty());
    block.map_or(1, |dim| dim.iter().filter(|part| part.held == Held::Slots).map(|part| part.extent).product())
}

/// The digits of a fragment's two dimensions; `halves` lanes share what it gives to one along k.
fn of_fragment(fragment: &Fragment, operand: Operand, halves: i64) -> Vec<Vec<Part>> {
    let along = match operand {
        Operand::A => [Along::M, Along::K],
        Operand::B => [Along::K, Along::N],
        Operand::C => [Along::M, Along::N],
    };
    let dim = |d: usize| {
        let halves = if along[d] == Along::K { halves } else { 1 };
        let stride = fragment.strides[d];
        let parts = [
            (fragment.outer[d], Held::Slots),
            (fragment.thread[d], Held::Threads { stride }),
            // The lanes that share a row are neighbours.
            (halves, Held::Threads { stride: 1 }),
            (fragment.element[d] / halves, Held::Slots),
        ];
        let is_there = |&(extent, held): &(i64, Held)| extent > 1 || held == Held::Threads { stride: 0 };
        parts.into_iter().filter(is_there).map(|(extent, held)| Part { along: along[d], extent, held }).collect()
    };
    vec![dim(0), dim(1)]
}

/// The digits of a map's dimensions. With blocks of k that share a scale, those inside of a block are the next dimension.
fn digits(map: &Map, block: Option<i64>) -> Vec<Vec<Part>> {
    let mut dims = Vec::new();
    for letter in map.dims.chars() {
        let along = along(letter);
        // (bit, extent, who), the slowest first.
        let mut found: Vec<(u32, i64, Held)> = Vec::new();
        let mut stride = 1;
        for (tokens, in_lane) in [(&map.lane, true), (&map.slot, false)] {
            for token in tokens {
                if let Token::Digit { dim, bit, extent } = *token
                    && dim == letter
                {
                    found.push((bit, extent, if in_lane { Held::Threads { stride } } else { Held::Slots }));
                }
                stride *= if in_lane { token.extent() } else { 1 };
            }
        }
        sort_by_key(&mut found, |found| std::cmp::Reverse(found.0));
        let split = block.filter(|_| letter == 'k').map(|block| block.trailing_zeros());
        let (outer, inner): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|found| split.is_none_or(|at| found.0 >= at));
        dims.push(merged(along, &outer));
        if split.is_some() {
            dims.push(merged(along, &inner));
        }
    }
    dims
}

/// The dimension of the product that a letter of a map stands for.
fn along(letter: char) -> Along {
    match letter {
        'b' => Along::Block,
        'm' => Along::M,
        'n' => Along::N,
        // `s` counts blocks along k.
        _ => Along::K,
    }
}

/// Neighbouring digits that count as one.
fn merged(along: Along, found: &[(u32, i64, Held)]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for &(_, extent, held) in found {
        if let Some(last) = parts.last_mut() {
            match (last.held, held) {
                (Held::Slots, Held::Slots) => {
                    last.extent *= extent;
                    continue;
                }
                (Held::Threads { stride: slow }, Held::Threads { stride }) if slow == stride * extent => {
                    (last.extent, last.held) = (last.extent * extent, held);
                    continue;
                }
                _ => {}
            }
        }
        parts.push(Part { along, extent, held });
    }
    parts
}

/// A data-tiled operand. Its rows are A's or C's, or B's columns; memory has the digits in an order of its own.
fn swizzled(mut dims: Vec<Vec<Part>>, operand: i64, repeat: &Repeat, lanes: i64) -> Tile {
    let along = |dims: &[Vec<Part>], d: usize, none: Along| dims[d].first().map_or(none, |part| part.along);
    if along(&dims, 0, Along::K) == Along::K {
        dims.rotate_right(1);
    }
    let of_product = |along: Along| match along {
        Along::Block | Along::M => 0,
        Along::N => 1,
        Along::K => 2,
    };
    let [_, of_n, of_k] = repeat.subgroups;
    let strides = [of_n * of_k, of_k, 1].map(|subgroups| lanes * subgroups);
    let dimensions = [1, 0].map(|d| (d, along(&dims, d, Along::K)));
    let mut digits = Digits::of_instruction(&dims);
    for (d, along) in dimensions {
        let extent = repeat.intrinsics[of_product(along)];
        if extent > 1 {
            digits.add(d, Part { along, extent, held: Held::Instructions });
            if repeat.interleaved[of_product(along)].contains(&operand) {
                digits.sink();
            }
        }
    }
    for (d, along) in dimensions {
        let (extent, stride) = (repeat.subgroups[of_product(along)], strides[of_product(along)]);
        if extent > 1 {
            digits.add(d, Part { along, extent, held: Held::Threads { stride } });
        }
    }
    if repeat.unswizzled.contains(&operand) {
        digits.order.sort_unstable();
    }
    Tile { parts: digits.dims.concat(), memory: digits.order.into_iter().map(|part| vec![part]).collect() }
}

/// The digits of a data-tiled operand, while they become more.
struct Digits {
    /// For each dimension, the slowest digit first.
    dims: Vec<Vec<Part>>,
    /// The digits of the first dimension, of the second and so on, in the order of memory.
    order: Vec<usize>,
}

impl Digits {
    /// Those of one instruction: neighbours of one lane are innermost, around them the lanes, those that are neighbours
    /// inside of the others, and outermost what repeats the lanes.
    fn of_instruction(dims: &[Vec<Part>]) -> Digits {
        let mut digits = Digits { dims: vec![Vec::new(); dims.len()], order: Vec::new() };
        let stride = |part: &Part| match part.held {
            Held::Threads { stride } => Some(stride),
            Held::Slots | Held::Instructions => None,
        };
        let lanes: Vec<Option<usize>> =
            dims.iter().map(|dim| dim.iter().position(|part| stride(part).is_some())).collect();
        for (d, dim) in dims.iter().enumerate().rev() {
            let inner = lanes[d].map_or(0, |at| at + 1);
            dim[inner..].iter().rev().for_each(|&part| digits.add(d, part));
        }
        let mut spread: Vec<(usize, Part)> = Vec::new();
        for (d, dim) in dims.iter().enumerate() {
            spread.extend(lanes[d].map(|at| (d, dim[at])));
        }
        spread.iter().for_each(|&(d, part)| digits.add(d, part));
        if let [(_, slow), (_, fast)] = spread[..]
            && stride(&slow) > stride(&fast)
            && slow.extent > 1
            && fast.extent > 1
        {
            digits.order.swap(0, 1);
        }
        for (d, dim) in dims.iter().enumerate() {
            dim[..lanes[d].unwrap_or(0)].iter().for_each(|&part| digits.add(d, part));
        }
        digits
    }

    /// A new slowest digit of a dimension, which is the slowest in memory too.
    fn add(&mut self, dim: usize, part: Part) {
        let at = self.dims[..dim].iter().map(Vec::len).sum();
        self.dims[dim].insert(0, part);
        self.order.iter_mut().filter(|part| **part >= at).for_each(|part| *part += 1);
        self.order.insert(0, at);
    }

    /// Moves the slowest digit inside of the fastest one that threads count.
    fn sink(&mut self) {
        let all = self.dims.concat();
        let counted = |&part: &usize| matches!(all[part].held, Held::Threads { .. });
        let innermost = self.order.iter().rposition(counted).unwrap_or(0);
        self.order[..=innermost].rotate_left(1);
    }
}

impl Tile {
    /// A tile of dimensions that nobody shares.
    pub fn plain(dims: &[(Along, i64)]) -> Tile {
        let dim = |&(along, extent): &(Along, i64)| vec![Part { along, extent, held: Held::Slots }];
        Tile::whole(&dims.iter().map(dim).collect::<Vec<_>>())
    }

    /// A tile whose dimensions lie in memory as they are.
    fn whole(dims: &[Vec<Part>]) -> Tile {
        let mut next = 0..;
        let memory = dims.iter().map(|dim| next.by_ref().take(dim.len()).collect()).collect();
        Tile { parts: dims.concat(), memory }
    }

    /// The same with memory dimensions whose first digit repeats the grid of lanes cut in two behind it.
    pub fn expanded(&self) -> Tile {
        let memory = self.memory.iter().flat_map(|group| match group[..] {
            [first, second, ..]
                if self.parts[first].held == Held::Slots && matches!(self.parts[second].held, Held::Threads { .. }) =>
            {
                vec![vec![first], group[1..].to_vec()]
            }
            _ => vec![group.clone()],
        });
        Tile { parts: self.parts.clone(), memory: memory.collect() }
    }

    /// The same with dimension `order[i]` as the `i`-th one of memory.
    pub fn permuted(&self, order: &[usize]) -> Tile {
        Tile { parts: self.parts.clone(), memory: order.iter().map(|&d| self.memory[d].clone()).collect() }
    }

    /// The extents of memory.
    pub fn shape(&self) -> Vec<i64> {
        self.memory.iter().map(|group| group.iter().map(|&part| self.parts[part].extent).product()).collect()
    }

    /// For each dimension of memory, how many elements of it one thread holds.
    pub fn held_shape(&self) -> Vec<i64> {
        let own = |&part: &usize| match self.parts[part].held {
            Held::Slots | Held::Instructions => self.parts[part].extent,
            Held::Threads { .. } => 1,
        };
        self.memory.iter().map(|group| group.iter().map(own).product()).collect()
    }

    /// The extents along blocks, m, n and k.
    pub fn extents(&self) -> [i64; 4] {
        let mut extents = [1; 4];
        for part in &self.parts {
            extents[part.along as usize] *= part.extent;
        }
        extents
    }

    /// The place along blocks, m, n and k of an element of memory, counted row-major.
    pub fn coord(&self, element: i64) -> [i64; 4] {
        let mut values = vec![0; self.parts.len()];
        let mut rest = element;
        for &part in self.memory.iter().flatten().rev() {
            values[part] = rest % self.parts[part].extent;
            rest /= self.parts[part].extent;
        }
        self.join(&values)
    }

    /// The place of what a thread holds: `slot` counts its elements in the order of memory.
    pub fn coord_of(&self, thread: i64, slot: i64) -> [i64; 4] {
        let mut values = vec![0; self.parts.len()];
        let mut rest = slot;
        for &at in self.memory.iter().flatten().rev() {
            let Part { extent, held, .. } = self.parts[at];
            values[at] = match held {
                Held::Slots | Held::Instructions => {
                    let value = rest % extent;
                    rest /= extent;
                    value
                }
                Held::Threads { stride: 0 } => 0,
                Held::Threads { stride } => thread / stride % extent,
            };
        }
        self.join(&values)
    }

    fn join(&self, values: &[i64]) -> [i64; 4] {
        let mut coord = [0; 4];
        for (part, value) in self.parts.iter().zip(values) {
            let along = &mut coord[part.along as usize];
            *along = *along * part.extent + value;
        }
        coord
    }
}
