//! `--parameters`: what globals hold whose values stand beside the program, as iree-turbine exports models with external
//! weights.
//!
//! Before: `util.global private @w = #flow.parameter.named<"model"::"fc.weight"> : tensor<8x4xf32>`
//! After:  the same with the numbers that a file has under that name
//!
//! Files are IREE's archives (`.irpa`) and `.safetensors`. Without files, parameters are random, as inputs are that
//! nobody gives, and those of which roots are taken, as the variances of a norm are, are not negative. Constants whose
//! data is a resource that the text does not have, as IREE dumps dispatches, are random, too. Elements of less than a byte,
//! which these files pack, and parts of files that lie in other files are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use raddle::pipeline;
use raddle_ir::{Attr, Code, Diag, Ir, OpId, Opcode, Scalar, TypeId, print_attr};
use raddle_run::random;
use raddle_target::Chip;
use serde_json::Value;

use super::files;
use super::indices::is_radicand;

/// Streams of random numbers behind those of inputs.
const STREAM: u64 = 1 << 32;
/// What stands in front of the names of a parameter.
const NAMED: &str = "#flow.parameter.named<";
/// What stands in front of the name of a resource.
const RESOURCE: &str = "dense_resource<";

/// The files that were named.
pub struct Parameters {
    files: Vec<Archive>,
    seed: u64,
    /// Bytes of all parameters together, at most.
    memory: usize,
}

struct Archive {
    /// What it is called in front of `=`; one without a scope is asked for the parameters of all scopes.
    scope: Option<String>,
    path: String,
    bytes: Vec<u8>,
    entries: BTreeMap<String, Entry>,
}

#[derive(PartialEq, Debug)]
enum Entry {
    /// Bytes of the file.
    Stored(Range<usize>),
    /// Bytes that repeat up to a length.
    Splat(Vec<u8>, u64),
    /// In another file, or for nobody.
    Elsewhere,
}

impl Parameters {
    /// Reads the files that `--parameters=[SCOPE=]FILE` names.
    pub fn read(specs: &[String], seed: u64, memory: usize) -> Result<Parameters, Diag> {
        let read = |spec: &String| {
            let (scope, path) = match spec.split_once('=') {
                Some((scope, path)) => (Some(scope.to_owned()), path),
                None => (None, spec.as_str()),
            };
            let bytes = files::read_tensor(path)?;
            let entries = entries(&bytes).map_err(|why| {
                Diag::nowhere(Code::BadFile, format!("`{path}` is not a file of parameters: {why}"))
                    .help("parameters are read from `.irpa`, as IREE writes them, and from `.safetensors`")
            })?;
            Ok(Archive { scope, path: path.to_owned(), bytes, entries })
        };
        Ok(Parameters { files: specs.iter().map(read).collect::<Result<_, Diag>>()?, seed, memory })
    }

    /// Reads a program whose globals have what the files say.
    pub fn open(&self, text: &str, chip: &'static Chip) -> Result<Ir, Vec<Diag>> {
        self.open_counted(text, chip).map(|(ir, _)| ir)
    }

    /// The same, with the number of globals and constants whose data is random.
    pub fn open_counted(&self, text: &str, chip: &'static Chip) -> Result<(Ir, usize), Vec<Diag>> {
        let mut n_invented = 0;
        let mut ir = pipeline::open(text, chip)?;
        let is_global = |&op: &OpId| ir.opcode(op) == Opcode::UtilGlobal;
        let globals: Vec<OpId> = ir.block_ops(ir.module_block()).filter(is_global).collect();
        let mut total = 0;
        let radicands = if self.files.is_empty() { radicands(&ir) } else { BTreeSet::new() };
        for (at, global) in globals.into_iter().enumerate() {
            let is_radicand = ir.symbol_name(global).is_some_and(|name| radicands.contains(name));
            let is_filled = self.fill(&mut ir, global, STREAM + at as u64, is_radicand, &mut total);
            n_invented += usize::from(is_filled.map_err(|diag| vec![diag])? && self.files.is_empty());
        }
        let is_elsewhere = |ir: &Ir, op: OpId| matches!(ir.attr(op, "value"), Some(Attr::Dialect { .. }));
        for (at, op) in ir.walk(ir.module()).into_iter().enumerate() {
            if !is_elsewhere(&ir, op) {
                continue;
            }
            ir.take_resources(op).map_err(|diag| vec![diag])?;
            let is_invented = self.invent(&mut ir, op, 2 * STREAM + at as u64, &mut total);
            n_invented += usize::from(is_invented.map_err(|diag| vec![diag])?);
        }
        Ok((ir, n_invented))
    }

    /// Makes data for a constant that is still a resource; says whether it is one.
    fn invent(&self, ir: &mut Ir, op: OpId, stream: u64, total: &mut usize) -> Result<bool, Diag> {
        let Some(value) = ir.attr_id(op, "value") else { return Ok(false) };
        let (true, &[result]) = (print_attr(ir, value).starts_with(RESOURCE), &ir.results(op).collect::<Vec<_>>()[..])
        else {
            return Ok(false);
        };
        let ty = ir.type_of(result);
        let Some((elem, _)) = self.size(ir, op, ty, total)? else { return Ok(false) };
        let bytes = random::normal(elem, ir[ty].shape().unwrap_or_default(), self.seed, stream).bytes;
        let data = ir.intern(Attr::Dense { ty, splat: false, bytes });
        ir.set_attr(op, "value", data);
        Ok(true)
    }

    /// The elements of a type, and its bytes, which are added to those of the others; nothing if it is not a tensor of
    /// numbers with a shape.
    fn size(&self, ir: &Ir, op: OpId, ty: TypeId, total: &mut usize) -> Result<Option<(Scalar, usize)>, Diag> {
        let Some(elem) = ir[ty].elem().and_then(|elem| Scalar::of(&ir[elem])) else { return Ok(None) };
        let times = |n: usize, &extent: &i64| n.checked_mul(usize::try_from(extent).ok()?);
        let Some(length) = ir[ty].shape().unwrap_or_default().iter().try_fold(elem.bytes(), times) else {
            return Ok(None);
        };
        *total = total.saturating_add(length);
        if *total > self.memory {
            let message = format!("parameters of {total} bytes and more are larger than the limit of {}", self.memory);
            return Err(
                Diag::error(Code::TooLarge, ir.span(op), message).help("raise it with `--memory`, as in `--memory=4G`")
            );
        }
        Ok(Some((elem, length)))
    }

    /// Gives a global what a file has under the name of its parameter, or random data; says whether it names one.
    fn fill(&self, ir: &mut Ir, global: OpId, stream: u64, is_radicand: bool, total: &mut usize) -> Result<bool, Diag> {
        let (Some(value), Some(&Attr::Type(ty))) = (ir.attr_id(global, "initial_value"), ir.attr(global, "type"))
        else {
            return Ok(false);
        };
        if matches!(ir[value], Attr::Dense { .. }) {
            return Ok(false);
        }
        let Some((scope, key)) = names(&print_attr(ir, value)) else { return Ok(false) };
        let Some((elem, length)) = self.size(ir, global, ty, total)? else {
            let message = format!("the parameter `{key}` is not a tensor of numbers with a shape");
            return Err(Diag::error(Code::TypeMismatch, ir.span(global), message));
        };
        let error = |code: Code, message: String| Diag::error(code, ir.span(global), message);
        let shape = ir[ty].shape().unwrap_or_default().to_vec();
        let bytes = if self.files.is_empty() {
            let tensor = random::normal(elem, &shape, self.seed, stream);
            if is_radicand { random::without_signs(&tensor).bytes } else { tensor.bytes }
        } else {
            let asked = |file: &&Archive| file.scope.is_none() || file.scope == scope;
            let found = self.files.iter().filter(asked).find_map(|file| Some((file, file.entries.get(&key)?)));
            let Some((file, entry)) = found else {
                let of = scope.map_or(String::new(), |scope| format!(" of scope `{scope}`"));
                return Err(error(Code::BadInput, format!("no file of parameters has `{key}`{of}"))
                    .help("name another one, as in `--parameters=model=weights.irpa`"));
            };
            let stored = match entry {
                Entry::Stored(range) => (range.len() == length).then(|| file.bytes[range.clone()].to_vec()),
                Entry::Splat(pattern, stated) => {
                    (*stated == length as u64).then(|| pattern.iter().copied().cycle().take(length).collect())
                }
                Entry::Elsewhere => None,
            };
            stored.filter(|_| elem.bits() >= 8 || elem.bits() == 1).ok_or_else(|| {
                let ty = raddle_ir::print_type(ir, ty);
                error(Code::BadInput, format!("what `{}` has as `{key}` is not the elements of `{ty}`", file.path))
            })?
        };
        let data = ir.intern(Attr::Dense { ty, splat: false, bytes });
        ir.set_attr(global, "initial_value", data);
        Ok(true)
    }
}

/// The names of the globals of which square roots are taken.
fn radicands(ir: &Ir) -> BTreeSet<String> {
    let name = |load: OpId| match ir.attr(load, "global") {
        Some(Attr::Symbol(path)) => path.last().map(|&name| ir[name].to_string()),
        _ => None,
    };
    let loads = ir.walk(ir.module()).into_iter().filter(|&op| ir.opcode(op) == Opcode::UtilGlobalLoad);
    loads.filter(|&load| is_radicand(ir, ir.result(load, 0))).filter_map(name).collect()
}

/// The scope and the key of a parameter that an attribute names.
fn names(attr: &str) -> Option<(Option<String>, String)> {
    let mut rest = attr.strip_prefix(NAMED)?;
    let mut found = Vec::new();
    loop {
        let (mut name, mut chars) = (String::new(), rest.strip_prefix('"')?.char_indices());
        let end = loop {
            match chars.next()? {
                (_, '\\') => name.push(chars.next()?.1),
                (at, '"') => break at,
                (_, other) => name.push(other),
            }
        };
        found.push(name);
        rest = &rest[end + 2..];
        match rest.strip_prefix("::") {
            Some(more) => rest = more,
            None => break,
        }
    }
    let key = found.pop()?;
    Some((found.pop(), key))
}

/// What a file has under which name.
fn entries(bytes: &[u8]) -> Result<BTreeMap<String, Entry>, String> {
    if bytes.starts_with(b"IRPA") { of_archive(bytes) } else { of_safetensors(bytes) }
}

/// Numbers and parts of a file that may be shorter than it says.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&self, at: usize) -> Result<u64, String> {
        let bytes = at.checked_add(8).and_then(|end| self.0.get(at..end)).ok_or("it ends too early")?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("these are eight bytes")))
    }

    /// The range that two numbers give, from `base` on.
    fn range(&self, at: usize, base: usize) -> Result<Range<usize>, String> {
        let (offset, length) = (self.number(at)?, self.number(at + 8)?);
        let start = usize::try_from(offset).ok().and_then(|offset| base.checked_add(offset));
        let end = start.and_then(|start| start.checked_add(usize::try_from(length).ok()?));
        match (start, end) {
            (Some(start), Some(end)) if end <= self.0.len() => Ok(start..end),
            _ => Err("it names bytes behind its end".to_owned()),
        }
    }
}

/// IREE's archives, as `iree/schemas/parameter_archive.h` describes them; of several in a row, the first.
fn of_archive(bytes: &[u8]) -> Result<BTreeMap<String, Entry>, String> {
    /// Where the numbers of a header stand.
    const COUNT: usize = 32;
    const ENTRIES: usize = 40;
    const METADATA: usize = 56;
    const STORAGE: usize = 72;
    let file = Reader(bytes);
    let count = file.number(COUNT)?;
    let (entries, metadata, storage) = (file.range(ENTRIES, 0)?, file.range(METADATA, 0)?, file.range(STORAGE, 0)?);
    let (mut found, mut at) = (BTreeMap::new(), entries.start);
    for _ in 0..count {
        let size = usize::try_from(file.number(at)?).map_err(|_| "an entry is too long")?;
        if size < 60 || entries.end.checked_sub(60).is_none_or(|last| at > last) {
            return Err("an entry ends too early".to_owned());
        }
        let kind = file.number(at + 8)? as u32;
        let name = file.range(at + 20, metadata.start)?;
        let name = String::from_utf8_lossy(&bytes[name]).into_owned();
        let entry = match kind {
            1 => {
                let pattern = bytes.get(at + 68..at + 85).ok_or("it ends too early")?;
                let length = usize::from(pattern[16]);
                let pattern = pattern.get(..length).filter(|_| (1..=16).contains(&length));
                Entry::Splat(pattern.ok_or("a pattern has no length")?.to_vec(), file.number(at + 60)?)
            }
            2 => Entry::Stored(file.range(at + 60, storage.start)?),
            _ => Entry::Elsewhere,
        };
        found.insert(name, entry);
        // Entries begin at multiples of 16 bytes.
        at = at.checked_add(size).and_then(|end| end.checked_next_multiple_of(16)).ok_or("an entry is too long")?;
    }
    Ok(found)
}

/// The length of a header, the header, which is JSON, and the data.
fn of_safetensors(bytes: &[u8]) -> Result<BTreeMap<String, Entry>, String> {
    let file = Reader(bytes);
    let base = usize::try_from(file.number(0)?).ok().and_then(|length| length.checked_add(8));
    let base = base.filter(|&base| base <= bytes.len()).ok_or("its header is longer than the file")?;
    let header: Value = serde_json::from_slice(&bytes[8..base]).map_err(|_| "its header is not JSON")?;
    let mut found = BTreeMap::new();
    for (name, tensor) in header.as_object().ok_or("its header is not an object")? {
        let Some(offsets) = tensor.get("data_offsets") else { continue };
        let offset = |i: usize| offsets.get(i).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
        let of = |i: usize| offset(i).and_then(|at| at.checked_add(base)).filter(|&at| at <= bytes.len());
        match (of(0), of(1)) {
            (Some(start), Some(end)) if start <= end => found.insert(name.clone(), Entry::Stored(start..end)),
            _ => return Err("it names bytes behind its end".to_owned()),
        };
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(list: &[u64]) -> Vec<u8> {
        list.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// An archive with eight stored bytes `w`, a splat `s` of twelve, and an entry of another file.
    fn archive() -> Vec<u8> {
        let entry = |size: u64, kind: u32, name: u64, rest: &[u8]| {
            let head = [&words(&[size])[..], &kind.to_le_bytes(), &words(&[0, name, 1, 0, 0, 1]), rest].concat();
            let length = head.len().next_multiple_of(16);
            [head, vec![0; length]].concat()[..length].to_vec()
        };
        let splat = [&words(&[12])[..], &[1, 2, 3, 4], &[0; 12], &[4]].concat();
        let entries = [entry(76, 2, 0, &words(&[4, 8])), entry(85, 1, 1, &splat), entry(92, 3, 2, &[0; 32])].concat();
        let n = entries.len() as u64;
        let header = [&b"IRPA\0\0\0\0"[..], &words(&[88, 0, 0, 3, 96, n, 96 + n, 3, 99 + n, 12]), &[0; 8]].concat();
        [header, entries, b"wse".to_vec(), (0..12).collect()].concat()
    }

    fn safetensors() -> Vec<u8> {
        let header = br#"{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        [&words(&[header.len() as u64])[..], header, &[7; 8]].concat()
    }

    /// Both kinds of files say where the numbers of a parameter are.
    #[test]
    fn files_say_where_parameters_are() {
        let (file, found) = (archive(), entries(&archive()).expect("it is an archive"));
        let Entry::Stored(range) = &found["w"] else { panic!("it is stored") };
        assert_eq!(file[range.clone()], [4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(found["s"], Entry::Splat(vec![1, 2, 3, 4], 12));
        assert_eq!(found["e"], Entry::Elsewhere);
        let (file, found) = (safetensors(), entries(&safetensors()).expect("it is a file of safetensors"));
        assert_eq!(found.keys().collect::<Vec<_>>(), ["w"]);
        assert_eq!(found["w"], Entry::Stored(file.len() - 8..file.len()));
    }

    /// A file that ends early, or whose bytes are other ones, is refused or says something else: nothing panics, and no
    /// range lies outside of the file.
    #[test]
    fn damaged_files_do_not_panic() {
        let check = |bytes: &[u8]| {
            for entry in entries(bytes).unwrap_or_default().values() {
                if let Entry::Stored(range) = entry {
                    assert!(bytes.get(range.clone()).is_some(), "a range lies in the file");
                }
            }
        };
        for file in [archive(), safetensors()] {
            for end in 0..file.len() {
                assert!(entries(&file[..end]).is_err(), "{end} of {} bytes", file.len());
            }
            for at in 0..file.len() {
                for byte in [0, 1, 0x7f, 0xff] {
                    let mut other = file.clone();
                    other[at] = byte;
                    check(&other);
                }
            }
        }
    }

    /// Names are string literals with two colons between the scope and the key.
    #[test]
    fn attributes_name_scope_and_key() {
        let named = |text: &str| names(text);
        assert_eq!(named(r#"#flow.parameter.named<"a"::"b.c"> : i32"#), Some((Some("a".into()), "b.c".into())));
        assert_eq!(named(r#"#flow.parameter.named<"x\"y">"#), Some((None, "x\"y".into())));
        assert_eq!(named(r#"dense<"a">"#), None);
    }
}
