//! PTX that is executed: text of any producer, on the machine's own model of warps, memory and barriers.
//!
//! Text becomes tokens, statements, and one dense array of instructions with every name resolved and every call
//! inlined, but those of functions that may call themselves. A warp executes an instruction for all lanes at once, over
//! registers that are rows of 32 words; paths that part meet again at the immediate postdominator. Memory is bytes, with
//! a shadow that finds races, reads of what nobody wrote and accesses outside. An instruction that is not known is an
//! error at its line.
//!
//! It shares nothing with the emitter that writes PTX here. Approximate instructions are computed correctly rounded.

mod access;
mod ast;
mod bulk;
mod calls;
mod clock;
mod decode;
mod exec;
mod flight;
mod float;
mod flow;
mod fragments;
mod group;
mod heap;
mod inst;
mod lane;
mod lex;
mod machine;
mod matrix;
mod matrix_rows;
mod memory;
mod parse;
mod phase;
mod print;
mod races;
mod scale;
mod sparse;
mod tensormap;
mod traffic;
mod turns;
mod types;
mod unknown;
mod waits;
mod warp;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use raddle_ir::{Code, Diag};

pub use ast::Module;
pub use parse::parse;
pub use tensormap::{ELEMS, Swizzle, TensorMap};
pub use traffic::MemoryTraffic;

use crate::tensor::{Tensor, n_elements};
use crate::{Counters, Options};
use inst::{Param, Program};
use machine::{Machine, Shape};
use memory::{Buffer, PARAM_BUFFER, Scope, address_of};
use races::Races;
use tensormap::MAP_BYTES;

/// How a kernel is launched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The kernel's name; `None` for the only one.
    pub entry: Option<String>,
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a workgroup along x, y, z; `None` for what the kernel requires.
    pub workgroup: Option<[u32; 3]>,
    /// Workgroups of a cluster along x, y, z; `None` for what the kernel requires, or no clusters.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of shared memory that the launch adds.
    pub shared_bytes: usize,
}

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The arguments as they stand after the run; scalars as they were.
    pub args: Vec<Tensor>,
    /// What the run did.
    pub counters: Counters,
    /// What its accesses to memory took, with [`Options::banks`].
    pub traffic: Option<MemoryTraffic>,
}

/// Threads of a workgroup, at most.
const THREADS_MAX: u64 = 1024;
/// Shared memory of a workgroup, at most.
const SHARED_MAX: usize = 1 << 20;

/// Runs a kernel. A tensor of rank 0 is passed as its bytes, any other as the address of a buffer that holds it.
pub fn run(module: &Module, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
    run_with_maps(module, args, &BTreeMap::new(), launch, options)
}

/// How arguments are passed that are neither a number nor the address of a buffer; arguments are named by position.
#[derive(Clone, Default, Debug)]
pub struct Passing {
    /// Tensor maps of buffers.
    pub maps: BTreeMap<usize, TensorMap>,
    /// Structures that are passed by value: the first member, and how many members there are. They lie as in C, each at
    /// a multiple of its own size.
    pub structures: BTreeMap<usize, usize>,
    /// The structures, by their first members, that lie in memory: the kernel is given their address.
    pub addressed: BTreeSet<usize>,
    /// Arguments that are an address in the buffer of another one: that argument, and the bytes in front of the address.
    pub inside: BTreeMap<usize, (usize, u64)>,
}

/// The same, where some arguments (by position) are passed as tensor maps of their buffers.
pub fn run_with_maps(
    module: &Module,
    args: &[Tensor],
    maps: &BTreeMap<usize, TensorMap>,
    launch: &Launch,
    options: &Options,
) -> Result<Outcome, Diag> {
    run_passing(module, args, &Passing { maps: maps.clone(), ..Passing::default() }, launch, options)
}

/// The same, where some arguments are passed in other ways.
pub fn run_passing(
    module: &Module,
    args: &[Tensor],
    passing: &Passing,
    launch: &Launch,
    options: &Options,
) -> Result<Outcome, Diag> {
    let entry = entry(module, launch.entry.as_deref())?;
    let program = decode::decode(module, entry)?;
    let shape = shape(&program, launch, entry.span)?;
    let params = &program.params;
    let mut groups = Vec::new();
    while groups.last().map_or(0, |group: &Range<usize>| group.end) < args.len() {
        let first = groups.last().map_or(0, |group: &Range<usize>| group.end);
        let n = passing.structures.get(&first).map_or(1, |&n| n.max(1));
        groups.push(first..(first + n).min(args.len()));
    }
    if params.len() != groups.len() {
        let names: Vec<String> = params.iter().map(|param| format!("{} (.{})", param.name, param.ty)).collect();
        let message = format!("`{}` takes {} parameters, and {} are given", entry.name, params.len(), groups.len());
        let diag = Diag::error(Code::BadInput, entry.span, message).note(format!("they are {}", names.join(", ")));
        return Err(diag.help("give one for each, in order: `64xf32=@a.npy` for a pointer, `i32=5` for a number"));
    }

    let limit = |message: String| Diag::error(Code::LimitHit, entry.span, format!("limit: {message}"));
    let n_warps = shape.n_warps() * shape.cluster_size();
    let each = program.rows * size_of::<lane::Row>() + program.local_bytes * lane::LANES;
    let mut bytes = n_warps.saturating_mul(each);
    bytes =
        bytes.saturating_add(Buffer::bytes(program.shared_bytes + shape.dynamic_shared, true) * shape.cluster_size());
    for tensor in args {
        bytes = bytes.saturating_add(Buffer::bytes(tensor.bytes.len(), options.sanitize));
    }
    if bytes > options.memory_max {
        let message = format!("registers and buffers need {bytes} bytes, and the run has {}", options.memory_max);
        return Err(limit(message).help("raise the memory limit"));
    }

    let (globals, buffers) = globals(&program, entry, &groups, args, passing, options)?;
    let shared = Buffer::bytes(program.shared_bytes + shape.dynamic_shared, true) * shape.cluster_size();
    let cluster = n_warps.saturating_mul(each).saturating_add(shared);
    let start = |globals: Vec<Buffer>, options, races: Races| {
        let mut machine = Machine::new(&program, shape.clone(), options, globals);
        machine.races = races;
        machine.races.noted_max = (options.memory_max - bytes) / races::NOTED_BYTES;
        machine.calls_max = (options.memory_max - bytes) / n_warps;
        machine.heap.left = heap::HEAP_BYTES.min((options.memory_max - bytes) / 2 / Buffer::bytes(1, true));
        machine.aside_max = (options.memory_max - bytes) / 2 / cluster.max(1);
        let ran = machine.run();
        (machine, ran)
    };
    let (mut machine, mut ran) = start(globals, options, Races::default());
    // Some reads turned out to race when they were over: a second run knows them, and prints nothing.
    let quiet = Options { print: None, ..options.clone() };
    if let Some(races) = std::mem::take(&mut machine.races).again() {
        drop(machine);
        let (globals, _) = self::globals(&program, entry, &groups, args, passing, options)?;
        (machine, ran) = start(globals, &quiet, races);
    }
    ran.map_err(|diag| *diag)?;
    let mut args = args.to_vec();
    for (at, buffer) in buffers {
        args[at].bytes.clone_from(&machine.memory.globals[buffer].data);
    }
    let traffic = options.banks.map(|_| machine.traffic);
    Ok(Outcome { args, counters: machine.counters, traffic })
}

/// Arguments that have a buffer, and which one.
type ArgBuffers = Vec<(usize, usize)>;

/// Memory as a launch finds it, parameters first, and where arguments are in it.
fn globals(
    program: &Program,
    entry: &ast::Function,
    groups: &[Range<usize>],
    args: &[Tensor],
    passing: &Passing,
    options: &Options,
) -> Result<(Vec<Buffer>, ArgBuffers), Diag> {
    let params = &program.params;
    let mut block = vec![0; program.param_bytes];
    let mut globals = vec![Buffer::new("the parameters".into(), Vec::new(), Scope::Global, true, false)];
    for (name, data, read_only) in &program.variables {
        let mut buffer = Buffer::new(format!("`{name}`"), data.clone(), Scope::Global, true, options.sanitize);
        buffer.read_only = *read_only;
        globals.push(buffer);
    }
    let mut buffers = Vec::new();
    // Where addresses are that other arguments have: the buffer, and the bytes in front of them.
    let mut inside = Vec::new();
    for (number, (param, group)) in params.iter().zip(groups).enumerate() {
        let wrong = |message: String| {
            Diag::error(
                Code::BadInput,
                entry.span,
                format!("parameter {number}, `{}` (.{}), {message}", param.name, param.ty),
            )
        };
        let is_structure = passing.structures.contains_key(&group.start);
        let is_addressed = passing.addressed.contains(&group.start);
        let (mut bytes, mut align) = (Vec::new(), 1);
        let first_inside = inside.len();
        for at in group.clone() {
            let tensor = &args[at];
            let member = if let Some(&(of, offset)) = passing.inside.get(&at) {
                if param.bytes != 8 && !is_structure {
                    return Err(wrong(format!("has {} bytes: it is not a pointer", param.bytes)).help(help_for(param)));
                }
                inside.push((PARAM_BUFFER, param.offset + bytes.len().next_multiple_of(8), at, of, offset));
                vec![0; 8]
            } else if tensor.shape.is_empty() {
                if tensor.bytes.len() != param.bytes && !is_structure {
                    let message = format!("has {} bytes, and the input is an {}", param.bytes, tensor.elem);
                    return Err(wrong(message).help(help_for(param)));
                }
                tensor.bytes.clone()
            } else {
                let map = passing.maps.get(&at);
                if let Some(Err(why)) = map.map(TensorMap::check) {
                    return Err(wrong(format!("has a wrong tensor map: {why}")));
                }
                // A map lies among the parameters, or in memory that a pointer leads to.
                let fits = param.bytes == 8 || map.is_some() && param.bytes == MAP_BYTES;
                if !fits && !is_structure {
                    let what = if map.is_some() { "tensor map" } else { "pointer" };
                    return Err(wrong(format!("has {} bytes: it is no {what}", param.bytes)).help(help_for(param)));
                }
                assert_eq!(
                    tensor.bytes.len(),
                    n_elements(&tensor.shape) * tensor.elem.bytes(),
                    "a tensor has as many bytes as its shape asks for"
                );
                let earlier = options.in_place.iter().find(|(arg, _)| *arg == at).map(|(_, earlier)| *earlier);
                let known = earlier.and_then(|earlier| buffers.iter().find(|(other, _)| *other == earlier));
                let buffer = known.map_or(globals.len(), |&(_, buffer)| buffer);
                if known.is_none() {
                    let initialised = options.allows_unwritten || !options.uninitialised_args.contains(&at);
                    let name = format!("argument {at}");
                    globals.push(Buffer::new(name, tensor.bytes.clone(), Scope::Global, initialised, options.sanitize));
                }
                buffers.push((at, buffer));
                let address = address_of(buffer);
                match map {
                    Some(map) if param.bytes == 8 => {
                        let (name, data) = (format!("the tensor map of argument {at}"), map.encode(address).to_vec());
                        let mut lies = Buffer::new(name, data, Scope::Global, true, false);
                        lies.read_only = true;
                        globals.push(lies);
                        address_of(globals.len() - 1).to_le_bytes().to_vec()
                    }
                    Some(map) => map.encode(address).to_vec(),
                    None => address.to_le_bytes().to_vec(),
                }
            };
            // A tensor map is a structure of words of 64 bytes.
            let own = if member.len() == MAP_BYTES { 64 } else { member.len() };
            align = align.max(own);
            bytes.resize(bytes.len().next_multiple_of(own), 0);
            bytes.extend(member);
        }
        bytes.resize(bytes.len().next_multiple_of(align), 0);
        if is_addressed {
            if param.bytes != 8 {
                return Err(wrong(format!("has {} bytes: it is no pointer", param.bytes)).help(help_for(param)));
            }
            let buffer = globals.len();
            for (of, place, ..) in &mut inside[first_inside..] {
                (*of, *place) = (buffer, *place - param.offset);
            }
            let name = format!("the structure of argument {}", group.start);
            globals.push(Buffer::new(name, bytes, Scope::Global, true, options.sanitize));
            bytes = address_of(buffer).to_le_bytes().to_vec();
        }
        if bytes.len() != param.bytes {
            let message = format!("has {} bytes, and the members that are given take {}", param.bytes, bytes.len());
            return Err(wrong(message).help(help_for(param)));
        }
        block[param.offset..param.offset + param.bytes].copy_from_slice(&bytes);
    }
    globals[PARAM_BUFFER].data = block;
    for (holder, place, at, of, offset) in inside {
        let wrong = |message: String| Diag::error(Code::BadInput, entry.span, format!("argument {at} {message}"));
        let Some(&(_, buffer)) = buffers.iter().find(|(arg, _)| *arg == of) else {
            let message = format!("is an address in argument {of}, which is not a buffer");
            return Err(wrong(message).help("name the argument that is given as a tensor"));
        };
        let n = globals[buffer].data.len() as u64;
        if offset > n {
            return Err(wrong(format!("is {offset} bytes behind the start of argument {of}, which has {n} bytes")));
        }
        globals[holder].data[place..place + 8].copy_from_slice(&(address_of(buffer) + offset).to_le_bytes());
    }
    globals[PARAM_BUFFER].read_only = true;
    Ok((globals, buffers))
}

/// What may be given for a parameter.
fn help_for(param: &Param) -> &'static str {
    match param.bytes {
        8 => {
            "give a buffer, as in `64xf32=@a.npy`, an address in one, as in `arg0+16`, a number of 8 bytes, as in `i64=5`, \
             a tensor map that it points to, or a structure or an array of pointers, as in `&{64xf32=@a.npy; arg0+16}`"
        }
        1 | 2 | 4 => "give a number of the same size with its type, as in `i32=5` or `f32=1.5`",
        MAP_BYTES => "give a tensor map, as in `map[box=64x32]:256x256xf16=@a.npy`, or the members of a structure",
        _ => "give the members of the structure, as in `{64xf32=@a.npy; i32=5; f32=1.5}`",
    }
}

/// The kernel that is meant.
fn entry<'m>(module: &'m Module, name: Option<&str>) -> Result<&'m ast::Function, Diag> {
    let names = || module.entries().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut entries = module.functions.iter().filter(|function| function.is_entry);
    match name {
        Some(name) => entries.find(|entry| entry.name == name).ok_or_else(|| {
            Diag::nowhere(Code::UnknownName, format!("there is no kernel `{name}`"))
                .note(format!("there are {}", names()))
        }),
        None => match (entries.next(), entries.next()) {
            (Some(entry), None) => Ok(entry),
            (Some(_), Some(_)) => Err(Diag::nowhere(Code::UnknownName, "the text has several kernels")
                .note(format!("they are {}", names()))
                .help("name one with `--entry=`")),
            (None, _) => Err(Diag::nowhere(Code::UnknownName, "the text has no kernel: there is no `.entry`")),
        },
    }
}

fn shape(program: &Program, launch: &Launch, span: raddle_ir::Span) -> Result<Shape, Diag> {
    let bad = |message: String| Diag::error(Code::BadLaunch, span, message);
    let workgroup = match (launch.workgroup, program.workgroup) {
        (Some(asked), Some(required)) if asked != required => {
            return Err(bad(format!("the kernel requires workgroups of {required:?} threads, not {asked:?}")));
        }
        (Some(size), _) | (None, Some(size)) => size,
        // Producers state the size that they launch with as the largest one.
        (None, None) => program.workgroup_max.ok_or_else(|| {
            bad("the kernel does not say how many threads a workgroup has".into())
                .help("say it, as in `--workgroup=128,1,1`")
        })?,
    };
    let threads = workgroup.iter().map(|&n| u64::from(n)).product::<u64>();
    if threads == 0 || threads > THREADS_MAX {
        return Err(bad(format!("a workgroup has 1 to {THREADS_MAX} threads, not {threads}")));
    }
    if let Some(max) = program.workgroup_max
        && threads > max.iter().map(|&n| u64::from(n)).product::<u64>()
    {
        return Err(bad(format!("the kernel allows workgroups of {max:?} threads, not of {workgroup:?}")));
    }
    let cluster = match (launch.cluster, program.cluster) {
        (Some(asked), Some(required)) if asked != required => {
            return Err(bad(format!("the kernel requires clusters of {required:?} workgroups, not {asked:?}")));
        }
        (asked, required) => asked.or(required).unwrap_or([1; 3]),
    };
    let size = cluster.iter().map(|&n| u64::from(n)).product::<u64>();
    if size == 0 || size > 16 {
        return Err(bad(format!("a cluster has 1 to 16 workgroups, not {size}")));
    }
    let workgroups = launch.grid.iter().map(|&n| u128::from(n)).product::<u128>();
    if workgroups == 0 || workgroups > 1 << 40 {
        return Err(bad("a grid has at least one workgroup, and at most 2^40".into()));
    }
    if launch.grid.iter().zip(&cluster).any(|(&grid, &cluster)| grid % cluster != 0) {
        return Err(bad(format!("the grid {:?} is not made of clusters of {cluster:?}", launch.grid)));
    }
    if program.shared_bytes.saturating_add(launch.shared_bytes) > SHARED_MAX {
        return Err(bad(format!("a workgroup has at most {SHARED_MAX} bytes of shared memory")));
    }
    Ok(Shape { grid: launch.grid, workgroup, cluster, dynamic_shared: launch.shared_bytes })
}
