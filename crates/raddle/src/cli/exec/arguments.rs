//! The arguments of a kernel as they are spelled: tensors, numbers, addresses, tensor maps, structures.

use std::collections::BTreeMap;

use raddle_ir::{Code, Diag, Scalar};
use raddle_run::spec::{Spec, shape_text};
use raddle_run::{Tensor, ptx, random};

use super::super::files;
use super::launch::Kernel;

/// How many arrays of each file were read.
pub type Taken = BTreeMap<String, usize>;

/// All arguments of a launch.
pub struct Arguments {
    pub tensors: Vec<Tensor>,
    /// Those that nobody gave, and that the kernel writes.
    pub made: Vec<usize>,
    pub passing: ptx::Passing,
}

impl Arguments {
    /// Reads the arguments that were given, with what launch data say of a kernel.
    pub fn read(inputs: &[String], kernel: Option<&Kernel>, taken: &mut Taken) -> Result<Arguments, Diag> {
        let (mut given, mut passing) = (Vec::new(), ptx::Passing::default());
        let (specs, structures) = members(inputs)?;
        let places = match kernel {
            Some(kernel) => kernel.given(specs.len())?,
            None => (0..specs.len()).collect(),
        };
        for structure in structures {
            let first = places[structure.first];
            passing.structures.insert(first, structure.n);
            if structure.is_addressed {
                passing.addressed.insert(first);
            }
        }
        for (number, (&at, text)) in places.iter().zip(specs).enumerate() {
            let what = format!("input {number}");
            let like = kernel.and_then(|kernel| kernel.parameters[at].like());
            if let Some(inside) = address_in(text, &what)? {
                if kernel.is_some() {
                    let message = format!("{what}, `{text}`: launch data say what tensor each argument is");
                    return Err(Diag::nowhere(Code::BadInput, message).help("give a tensor, as in `@a.npy`"));
                }
                passing.inside.insert(at, inside);
                // Memory has the address; this is a place for it among the arguments.
                given.push((at, Tensor::from_i64(Scalar::Int(64), &[], &[0])));
                continue;
            }
            let map = text.strip_prefix("map[").and_then(|text| text.split_once("]:"));
            let input = tensor(map.map_or(text, |(_, text)| text), &what, like, Some(at as u64), taken)?;
            if let Some((map, _)) = map {
                passing.maps.insert(at, tensor_map(map, &input, &what)?);
            }
            given.push((at, input));
        }
        let (tensors, made) = match kernel {
            Some(kernel) => kernel.complete(given)?,
            None => (given.into_iter().map(|(_, tensor)| tensor).collect(), Vec::new()),
        };
        Ok(Arguments { tensors, made, passing })
    }
}

/// Members of a structure.
struct Structure {
    first: usize,
    n: usize,
    /// It is passed by its address.
    is_addressed: bool,
}

/// The spellings of all arguments, of which the members of a structure are some.
fn members(inputs: &[String]) -> Result<(Vec<&str>, Vec<Structure>), Diag> {
    let (mut specs, mut structures) = (Vec::new(), Vec::new());
    for input in inputs {
        let value = input.strip_prefix('&').unwrap_or(input);
        let Some(members) = value.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else {
            specs.push(input.as_str());
            continue;
        };
        let first = specs.len();
        specs.extend(members.split(';').map(str::trim).filter(|member| !member.is_empty()));
        if specs.len() == first {
            return Err(Diag::nowhere(Code::BadInput, format!("the structure `{input}` has no members"))
                .help("write it as `{64xf32=@a.npy; i32=5}`"));
        }
        structures.push(Structure { first, n: specs.len() - first, is_addressed: value != input });
    }
    Ok((specs, structures))
}

/// Spellings by argument: `arg2=…`.
pub fn named<'t>(flag: &str, spellings: &'t [String], inputs: &[Tensor]) -> Result<Vec<(usize, &'t str)>, Diag> {
    let part = |text: &'t String| {
        let (number, rest) = text.strip_prefix("arg")?.split_once('=')?;
        Some((number.parse::<usize>().ok()?, rest))
    };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for text in spellings {
        let bad = |message: String| Err(Diag::nowhere(Code::BadInput, message));
        let Some((at, rest)) = part(text) else {
            return Err(Diag::nowhere(Code::BadInput, format!("`--{flag}={text}` does not name an argument"))
                .help(format!("write it as `--{flag}=arg2=@c.npy`")));
        };
        if inputs.get(at).is_none_or(|input| input.shape.is_empty()) {
            return bad(format!("`--{flag}={text}`: argument {at} is not a buffer"));
        }
        if found.iter().any(|before| before.0 == at) {
            return bad(format!("`--{flag}={text}` is the second one for argument {at}"));
        }
        found.push((at, rest));
    }
    Ok(found)
}

/// `arg0+16`: an argument whose buffer an address is in, and bytes; `None` for other spellings.
fn address_in(text: &str, what: &str) -> Result<Option<(usize, u64)>, Diag> {
    let Some(rest) = text.strip_prefix("arg") else {
        return Ok(None);
    };
    let (number, bytes) = rest.split_once('+').unwrap_or((rest, "0"));
    match (number.trim().parse(), bytes.trim().parse()) {
        (Ok(number), Ok(bytes)) => Ok(Some((number, bytes))),
        _ => Err(Diag::nowhere(Code::BadInput, format!("{what}, `{text}`, is not an address in an argument"))
            .help("write it as `arg0` or, with bytes, `arg0+16`")),
    }
}

/// A tensor map from its spelling, `box=64x32,swizzle=64`; numbers are in the order of the tensor's shape.
fn tensor_map(text: &str, tensor: &Tensor, what: &str) -> Result<ptx::TensorMap, Diag> {
    let bad = |message: String| {
        Diag::nowhere(Code::BadInput, format!("{what}, `map[{text}]`: {message}"))
            .help("write it as `map[box=64x32,swizzle=64]:256x256xf16=@a.npy`")
    };
    let numbers = |text: &str| text.split('x').map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>();
    let small = |numbers: Vec<u64>| numbers.into_iter().map(|n| u32::try_from(n).ok()).collect::<Option<Vec<u32>>>();
    let (mut block, mut steps, mut strides, mut swizzle, mut fills_nan) = (None, None, None, ptx::Swizzle::None, false);
    for part in text.split(',') {
        let (name, value) = part.trim().split_once('=').ok_or_else(|| bad(format!("`{part}` has no value")))?;
        let wrong = || bad(format!("`{value}` is not a value of `{name}`"));
        match name {
            "box" => block = Some(numbers(value).and_then(small).ok_or_else(wrong)?),
            "steps" => steps = Some(numbers(value).and_then(small).ok_or_else(wrong)?),
            "strides" => strides = Some(numbers(value).ok_or_else(wrong)?),
            "swizzle" => {
                swizzle = value.parse().ok().and_then(ptx::Swizzle::of_bytes).ok_or_else(wrong)?;
            }
            "fill" if value == "nan" || value == "0" => fills_nan = value == "nan",
            "fill" => return Err(wrong()),
            _ => return Err(bad(format!("`{name}` is not known"))),
        }
    }
    let block = block.ok_or_else(|| bad("it states no box".into()))?;
    let map = ptx::TensorMap::of(tensor.elem, &tensor.shape, &block);
    let mut map = map.ok_or_else(|| bad(format!("elements of {} cannot be copied so", tensor.elem)))?;
    if let Some(steps) = steps {
        map.steps = steps.into_iter().rev().collect();
    }
    if let Some(strides) = strides {
        map.strides = strides.into_iter().rev().collect();
    }
    (map.swizzle, map.fills_nan) = (swizzle, fills_nan);
    map.check().map_err(|why| bad(why.into()))?;
    Ok(map)
}

/// A tensor from its spelling, of this shape and type; random numbers are of this stream, where they may be.
pub fn tensor(
    text: &str,
    what: &str,
    like: Option<(&[i64], Scalar)>,
    stream: Option<u64>,
    taken: &mut Taken,
) -> Result<Tensor, Diag> {
    let bad = |error: raddle_run::spec::Error| {
        let diag = Diag::nowhere(Code::BadInput, format!("{what}, `{text}`: {error}"));
        match (error.help(), like) {
            (_, Some(([], elem))) => diag.note(format!("the argument is an {elem}")),
            (_, Some((shape, elem))) => diag.note(format!("the argument is a {} of {elem}", shape_text(shape))),
            (Some(help), None) => diag.help(help),
            (None, None) => diag,
        }
    };
    let spec = Spec::parse(text).map_err(bad)?;
    if let (Some((shape, elem)), Some(stream)) = (spec.random(like).map_err(bad)?, stream) {
        return Ok(random::normal(elem, &shape, 0, stream));
    }
    let (file, n) = match spec.path() {
        Some(path) => {
            let taken = taken.entry(path.to_owned()).or_default();
            *taken += 1;
            (files::read_tensor(path)?, *taken - 1)
        }
        None => (Vec::new(), 0),
    };
    spec.nth_tensor(&file, n, like).map_err(bad)
}
