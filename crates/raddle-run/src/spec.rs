//! Input spellings, as `iree-run-module` has them: `512x128xf16=@a.npy`, `2x3xf32=1 2 3 4 5 6`, `4xf32=0`, `f32=1.5`,
//! `@a.npy`; `+a.npy` for the next array in a file of several; `1.5` for a number. Ours alone: `512x128xf16=random`, or
//! `random` for an argument that is not given.
//!
//! A spelling without data (`4xf32`) means zeros; one number fills the whole tensor; `@file` without `.npy` at its end is
//! raw little-endian data. Brackets and commas between numbers are spaces.
//!
//! Complex numbers are `2xcomplex<f32>=1+2j 3`, or pairs in parentheses, `2xcomplex<f32>=(1,2) (3,0)`. The tensor has
//! their parts in a last dimension of two.

use std::fmt;

use num_bigint::BigInt;
use raddle_emu::Tensor;
use raddle_ir::{DYNAMIC, Scalar};

use crate::npy;

/// The word for data that whoever runs the program chooses.
const RANDOM: &str = "random";

/// Bytes that one tensor may take: a wrong extent is refused before it is allocated.
pub const BYTES_MAX: usize = 1 << 30;

/// A spelling, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// As it was written.
    pub text: String,
    /// The stated shape and element type; a scalar has an empty shape.
    pub ty: Option<(Vec<i64>, Scalar)>,
    /// Whether the elements are parts of complex numbers, which have the last dimension.
    pub is_complex: bool,
    /// Where the elements come from.
    pub data: Data,
}

/// Where the elements of a tensor come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Data {
    /// A file with this path.
    File(String),
    /// The array behind those that were read from this file before.
    Next(String),
    /// The numbers themselves.
    Numbers(Vec<String>),
    /// Whoever runs the program chooses them.
    Random,
}

/// What is wrong with a spelling, or with the data that it names.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// It is not a spelling of a tensor.
    Syntax(String),
    /// A word that is not a number of the element type.
    Number(String, Scalar),
    /// Neither one number nor as many as the shape has elements.
    Count {
        /// Numbers in the text.
        found: usize,
        /// Elements of the shape.
        expected: usize,
    },
    /// The `.npy` file cannot be read.
    Npy(npy::Error),
    /// The file is a good one, but of another shape.
    Shape {
        /// In the file, or in the spelling.
        found: Vec<i64>,
        /// In the spelling, or in the function.
        expected: Vec<i64>,
    },
    /// The spelling states another element type than the function.
    Type {
        /// In the spelling.
        found: Scalar,
        /// In the function.
        expected: Scalar,
    },
    /// More than [`BYTES_MAX`].
    TooLarge(Vec<i64>, Scalar),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(what) => f.write_str(what),
            Error::Number(word, elem) => write!(f, "`{word}` is not a number of type {elem}"),
            Error::Count { found, expected } => write!(f, "{found} numbers for {expected} elements"),
            Error::Npy(error) => error.fmt(f),
            Error::Shape { found, expected } => {
                write!(f, "the shape is {}, not {}", shape_text(found), shape_text(expected))
            }
            Error::Type { found, expected } => write!(f, "the element type is {found}, not {expected}"),
            Error::TooLarge(shape, elem) => {
                let mib = BYTES_MAX >> 20;
                write!(f, "a tensor of {} of {elem} is larger than the limit of {mib} MiB", shape_text(shape))
            }
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Error::Syntax(_) => {
                Some("write it as `4x8xf32=@file.npy`, `4x8xf32=0`, `3xf32=1 2 3`, `f32=1.5` or `@file.npy`".to_owned())
            }
            Error::Count { .. } => Some("give one number to fill the tensor, or all of them".to_owned()),
            Error::Npy(error) => error.help(),
            Error::Number(..) | Error::Shape { .. } | Error::Type { .. } | Error::TooLarge(..) => None,
        }
    }
}

impl Spec {
    /// Takes a spelling apart.
    pub fn parse(text: &str) -> Result<Spec, Error> {
        if let Some(path) = text.strip_prefix('@') {
            return Ok(Spec { text: text.to_owned(), ty: None, is_complex: false, data: Data::File(non_empty(path)?) });
        }
        if let Some(path) = text.strip_prefix('+') {
            return Ok(Spec { text: text.to_owned(), ty: None, is_complex: false, data: Data::Next(non_empty(path)?) });
        }
        if is_number(text) {
            return Ok(Spec {
                text: text.to_owned(),
                ty: None,
                is_complex: false,
                data: Data::Numbers(vec![text.to_owned()]),
            });
        }
        if text == RANDOM {
            return Ok(Spec { text: text.to_owned(), ty: None, is_complex: false, data: Data::Random });
        }
        if text.ends_with(".npy") && !text.contains('=') {
            return Err(Error::Syntax(format!("a file is named behind `@`, as in `@{text}`")));
        }
        let (ty, data) = text.split_once('=').unwrap_or((text, "0"));
        let (ty, is_complex) = parse_type(ty)?;
        let data = match data.trim().strip_prefix('@') {
            Some(path) => Data::File(non_empty(path)?),
            None if data.trim() == RANDOM => Data::Random,
            None => {
                let words = data.split(is_space).filter(|word| !word.is_empty());
                Data::Numbers(if is_complex { parts(data)? } else { words.map(str::to_owned).collect() })
            }
        };
        Ok(Spec { text: text.to_owned(), ty: Some(ty), is_complex, data })
    }

    /// The file that the spelling names.
    pub fn path(&self) -> Option<&str> {
        match &self.data {
            Data::File(path) | Data::Next(path) => Some(path),
            Data::Numbers(_) | Data::Random => None,
        }
    }

    /// The extents and the type that random data is to have, if it is asked for; `want` is what the function takes at this
    /// place.
    pub fn random(&self, want: Option<(&[i64], Scalar)>) -> Result<Option<(Vec<i64>, Scalar)>, Error> {
        if self.data != Data::Random {
            return Ok(None);
        }
        self.check_type(want)?;
        let stated = self.ty.as_ref().map(|(shape, elem)| (&shape[..], *elem));
        let Some((shape, elem)) = stated.or(want).filter(|(shape, _)| !shape.contains(&DYNAMIC)) else {
            return Err(Error::Syntax(format!("`{RANDOM}` needs a type with all extents in front of it")));
        };
        n_elements(shape, elem)?;
        Ok(Some((shape.to_vec(), elem)))
    }

    /// Whether the stated type is what the function takes.
    fn check_type(&self, want: Option<(&[i64], Scalar)>) -> Result<(), Error> {
        let (Some((shape, elem)), Some((want_shape, want_elem))) = (&self.ty, want) else { return Ok(()) };
        if *elem != want_elem {
            return Err(Error::Type { found: *elem, expected: want_elem });
        }
        check_shape(shape, want_shape)
    }

    /// The tensor: `file` holds the bytes of [`Spec::path`], and `want` is what the function takes at this place
    /// ([`DYNAMIC`] extents take anything).
    pub fn tensor(&self, file: &[u8], want: Option<(&[i64], Scalar)>) -> Result<Tensor, Error> {
        self.nth_tensor(file, 0, want)
    }

    /// The same, where so many arrays of the file have been read before.
    pub fn nth_tensor(&self, file: &[u8], n: usize, want: Option<(&[i64], Scalar)>) -> Result<Tensor, Error> {
        self.check_type(want)?;
        let elem = self.ty.as_ref().map(|ty| ty.1).or(want.map(|want| want.1));
        let tensor = match (&self.data, &self.ty) {
            (Data::Numbers(words), Some((shape, elem))) => {
                from_words(words, shape, *elem, if self.is_complex { 2 } else { 1 })?
            }
            (Data::Numbers(words), None) if want.is_some_and(|want| want.0.is_empty()) => {
                from_words(words, &[], elem.unwrap_or(Scalar::Index), 1)?
            }
            (Data::Random, _) => return Err(Error::Syntax(format!("`{RANDOM}` is for inputs"))),
            (Data::Numbers(_), None) => return Err(Error::Syntax("numbers need a type in front of them".to_owned())),
            (Data::File(path), Some((shape, elem))) if !path.ends_with(".npy") => raw(file, shape, *elem)?,
            (Data::File(path), None) if path.ends_with(".npz") => {
                let why = format!("`{path}` is an archive of arrays: `np.save('a.npy', array)` writes one alone");
                return Err(Error::Syntax(why));
            }
            (Data::File(path), None) if !path.ends_with(".npy") => {
                let ty = want.map_or_else(|| "4x8xf32".to_owned(), |(shape, elem)| type_text(shape, elem));
                return Err(Error::Syntax(format!("`{path}` is raw data and needs a type, as in `{ty}=@{path}`")));
            }
            (Data::File(_), _) => npy::read(file, elem).map_err(Error::Npy)?,
            (Data::Next(_), _) => npy::read_nth(file, n, elem).map_err(Error::Npy)?,
        };
        if let Some((shape, _)) = &self.ty {
            check_shape(&tensor.shape, shape)?;
        }
        if let Some((shape, _)) = want {
            check_shape(&tensor.shape, shape)?;
        }
        Ok(tensor)
    }
}

/// Whether a spelling is one number, which takes the type of its argument.
fn is_number(text: &str) -> bool {
    let first = text.trim_start_matches(['-', '+']).chars().next();
    first.is_some_and(|c| c.is_ascii_digit() || c == '.')
        && (text.parse::<f64>().is_ok()
            || text
                .strip_prefix("0x")
                .is_some_and(|hex| !hex.is_empty() && hex.bytes().all(|digit| digit.is_ascii_hexdigit())))
}

/// The number of elements of a static shape, if a tensor of that size may be made.
pub fn n_elements(shape: &[i64], elem: Scalar) -> Result<usize, Error> {
    let too_large = || Error::TooLarge(shape.to_vec(), elem);
    let product = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?));
    let n = product.ok_or_else(too_large)?;
    let bytes = n.checked_mul(elem.bytes()).ok_or_else(too_large)?;
    if bytes > BYTES_MAX { Err(too_large()) } else { Ok(n) }
}

/// `512x128xf16`, or `f16` for no dimension.
fn type_text(shape: &[i64], elem: Scalar) -> String {
    if shape.is_empty() { elem.to_string() } else { format!("{}x{elem}", shape_text(shape)) }
}

/// `512x128`, or `a scalar` for no dimension.
pub fn shape_text(shape: &[i64]) -> String {
    if shape.is_empty() {
        return "a scalar".to_owned();
    }
    let extents: Vec<String> =
        shape.iter().map(|&extent| if extent == DYNAMIC { "?".to_owned() } else { extent.to_string() }).collect();
    extents.join("x")
}

fn check_shape(found: &[i64], expected: &[i64]) -> Result<(), Error> {
    let fits = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, &expected)| expected == DYNAMIC || *found == expected);
    if fits { Ok(()) } else { Err(Error::Shape { found: found.to_vec(), expected: expected.to_vec() }) }
}

fn non_empty(path: &str) -> Result<String, Error> {
    if path.is_empty() { Err(Error::Syntax("no file behind `@`".to_owned())) } else { Ok(path.to_owned()) }
}

/// What stands between numbers.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '[' | ']')
}

/// The parts of complex numbers, `1+2j` or `(1,2)` each.
fn parts(data: &str) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut rest = data.trim_start_matches(is_space);
    while !rest.is_empty() {
        rest = match rest.strip_prefix('(') {
            Some(inner) => {
                let wrong = || Error::Syntax(format!("`{rest}` does not begin with two parts, as in `(1,2)`"));
                let (pair, after) = inner.split_once(')').ok_or_else(wrong)?;
                let both: Vec<&str> = pair.split(is_space).filter(|part| !part.is_empty()).collect();
                let [re, im] = both[..] else { return Err(wrong()) };
                found.extend([re.to_owned(), im.to_owned()]);
                after
            }
            None => {
                let (word, after) = rest.split_at(rest.find(|c| is_space(c) || c == '(').unwrap_or(rest.len()));
                found.extend(both_parts(word));
                after
            }
        }
        .trim_start_matches(is_space);
    }
    Ok(found)
}

/// `1+2j` or `1-2.5e3i` as its parts; of another word, the imaginary part is zero.
fn both_parts(word: &str) -> [String; 2] {
    let Some(number) = word.strip_suffix(['i', 'j']) else { return [word.to_owned(), "0".to_owned()] };
    // The sign between the parts is not that of an exponent.
    let bytes = number.as_bytes();
    let is_sign = |&at: &usize| matches!(bytes[at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E');
    let (re, im) = (1..bytes.len()).rev().find(is_sign).map_or(("0", number), |at| number.split_at(at));
    let is_one = matches!(im, "" | "+" | "-");
    [re.to_owned(), if is_one { format!("{im}1") } else { im.to_owned() }]
}

/// `512x128xf16`, with a last dimension of two for complex elements; and whether they are complex.
fn parse_type(text: &str) -> Result<((Vec<i64>, Scalar), bool), Error> {
    let syntax = || Error::Syntax(format!("`{text}` is not a shape and an element type"));
    // Extents are numbers, and an element type starts with a letter: the last `x` in front of it separates them.
    let mut shape = Vec::new();
    let mut rest = text.trim();
    while rest.starts_with(|c: char| c.is_ascii_digit()) {
        let (extent, tail) = rest.split_once('x').ok_or_else(syntax)?;
        shape.push(extent.parse().map_err(|_| syntax())?);
        rest = tail;
    }
    let part = rest.strip_prefix("complex<").and_then(|rest| rest.strip_suffix('>'));
    let elem = Scalar::from_keyword(part.unwrap_or(rest)).filter(|elem| is_held(*elem)).ok_or_else(syntax)?;
    if part.is_some() {
        shape.push(2);
        if !matches!(elem, Scalar::Float(_)) {
            return Err(syntax());
        }
    }
    Ok(((shape, elem), part.is_some()))
}

/// Whether tensors hold such numbers: integers of any width, and floats of at most 64 bits.
pub fn is_held(elem: Scalar) -> bool {
    match elem {
        Scalar::Int(width) => (1..1 << 24).contains(&width),
        Scalar::Index => true,
        Scalar::Float(float) => float.bits() <= 64,
    }
}

/// So many words fill the tensor, or all its elements are there.
fn from_words(words: &[String], shape: &[i64], elem: Scalar, fills: usize) -> Result<Tensor, Error> {
    let n = n_elements(shape, elem)?;
    if words.len() != fills && words.len() != n {
        return Err(Error::Count { found: words.len(), expected: n });
    }
    let mut bytes = Vec::with_capacity(n * elem.bytes());
    for word in words {
        bytes.extend(number(word, elem).ok_or_else(|| Error::Number(word.clone(), elem))?);
    }
    if words.len() == fills {
        bytes = bytes.repeat(n / fills);
    }
    Ok(Tensor { elem, shape: shape.to_vec(), bytes })
}

/// The bytes of one number.
fn number(word: &str, elem: Scalar) -> Option<Vec<u8>> {
    match elem {
        Scalar::Float(_) => Some(Tensor::from_f64(elem, &[], &[word.parse().ok()?]).bytes),
        Scalar::Int(1) if word == "true" => Some(vec![1]),
        Scalar::Int(1) if word == "false" => Some(vec![0]),
        Scalar::Int(_) | Scalar::Index => {
            let value = match word.strip_prefix("0x") {
                Some(digits) => BigInt::parse_bytes(digits.as_bytes(), 16)?,
                None => word.parse::<BigInt>().ok()?,
            };
            // Signless: both -128 and 255 are eight bits.
            let bits = elem.bits();
            let fits = value >= -(BigInt::from(1) << (bits - 1)) && value < BigInt::from(1) << bits;
            fits.then(|| Tensor::from_integers(elem, &[], [value]).bytes)
        }
    }
}

fn raw(file: &[u8], shape: &[i64], elem: Scalar) -> Result<Tensor, Error> {
    let needed = n_elements(shape, elem)? * elem.bytes();
    if file.len() != needed {
        let shape = shape.to_vec();
        return Err(Error::Npy(npy::Error::DataLength { shape, needed, present: file.len() }));
    }
    Ok(Tensor { elem, shape: shape.to_vec(), bytes: file.to_vec() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        Spec::parse(text).unwrap().tensor(&[], None).unwrap().to_f64()
    }

    #[test]
    fn numbers_are_read_in_every_spelling() {
        assert_eq!(values("2x3xf32=1 2 3 4 5 6"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(values("2x2xf16=[[1,2],[-3, 0.5]]"), [1.0, 2.0, -3.0, 0.5]);
        assert_eq!(values("4xf32=0"), [0.0; 4]);
        assert_eq!(values("4xf32"), [0.0; 4]);
        assert_eq!(values("f32=1.5"), [1.5]);
        assert_eq!(values("2xi8=-128 0x7f"), [-128.0, 127.0]);
        assert_eq!(values("2xi200=-3 0x10000000000000000000000000"), [-3.0, 2f64.powi(100)]);
        assert_eq!(values("0x4xf32=0"), []);
    }

    /// Complex numbers are written with a suffix or as pairs, and one of them fills the tensor.
    #[test]
    fn complex_numbers_are_pairs() {
        assert_eq!(values("3xcomplex<f32>=1+2j -3 0.5i"), [1.0, 2.0, -3.0, 0.0, 0.0, 0.5]);
        assert_eq!(values("2xcomplex<f64>=(1,-2) (3,4)"), [1.0, -2.0, 3.0, 4.0]);
        assert_eq!(values("2xcomplex<f32>=[1e-1-2.5e+1j, -1-1j]"), [f64::from(0.1f32), -25.0, -1.0, -1.0]);
        assert_eq!(values("2xcomplex<f32>=1-1j"), [1.0, -1.0, 1.0, -1.0]);
        assert_eq!(values("complex<f32>=2"), [2.0, 0.0]);
        assert_eq!(Spec::parse("4x2xcomplex<f32>").unwrap().tensor(&[], None).unwrap().shape, [4, 2, 2]);
        assert_eq!(values("3xcomplex<f32>=[(1,2), 3-j (4 5)]"), [1.0, 2.0, 3.0, -1.0, 4.0, 5.0]);
        assert_eq!(values("complex<f32>=j"), [0.0, 1.0]);
        for text in ["(1,2", "(1,2,3) 0", "() 1", "1 2)", "((1,2),3)"] {
            let spec = Spec::parse(&format!("2xcomplex<f32>={text}"));
            assert!(spec.and_then(|spec| spec.tensor(&[], None)).is_err(), "{text}");
        }
        assert!(Spec::parse("2xcomplex<i32>=1").is_err());
        assert!(Spec::parse("2xcomplex<f32>=1 2 3").unwrap().tensor(&[], None).is_err());
    }

    #[test]
    fn files_are_named_behind_an_at_sign() {
        assert_eq!(Spec::parse("@a.npy").unwrap().path(), Some("a.npy"));
        let spec = Spec::parse("512x128xf16=@dir/a=b.npy").unwrap();
        assert_eq!(spec.path(), Some("dir/a=b.npy"));
        assert_eq!(spec.ty, Some((vec![512, 128], Scalar::from_keyword("f16").unwrap())));
        let raw = Spec::parse("2xi16=@a.bin").unwrap();
        assert_eq!(raw.tensor(&[1, 0, 2, 0], None).unwrap().to_f64(), [1.0, 2.0]);
        assert!(raw.tensor(&[1, 0, 2], None).is_err());
    }

    /// A number takes the type of the argument, if that is a number; arrays of one file are read in turn.
    #[test]
    fn numbers_and_further_arrays_need_their_place() {
        let f32 = Scalar::from_keyword("f32").unwrap();
        let number = |text: &str, shape: &[i64]| Spec::parse(text).unwrap().tensor(&[], Some((shape, f32)));
        assert_eq!(number("-1.5", &[]).unwrap().to_f64(), [-1.5]);
        assert_eq!(number("2", &[]).unwrap().to_f64(), [2.0]);
        assert!(matches!(number("2", &[4]), Err(Error::Syntax(_))));
        let [first, second] = [1.0, 2.0].map(|x| npy::write(&Tensor::from_f64(f32, &[1], &[x])));
        let file = [first, second].concat();
        let next = Spec::parse("+a.npy").unwrap();
        assert_eq!(next.path(), Some("a.npy"));
        assert_eq!(Spec::parse("@a.npy").unwrap().tensor(&file, None).unwrap().to_f64(), [1.0]);
        assert_eq!(next.nth_tensor(&file, 1, None).unwrap().to_f64(), [2.0]);
        assert!(next.nth_tensor(&file, 2, None).is_err());
    }

    /// Random data has the extents that are stated, or those of the argument.
    #[test]
    fn random_data_has_all_extents() {
        let f16 = Scalar::from_keyword("f16").unwrap();
        let of = |text: &str, want: &[i64]| Spec::parse(text).unwrap().random(Some((want, f16)));
        assert_eq!(of("37x8xf16=random", &[DYNAMIC, 8]), Ok(Some((vec![37, 8], f16))));
        assert_eq!(of("random", &[2, 8]), Ok(Some((vec![2, 8], f16))));
        assert_eq!(of("2x8xf16=1", &[2, 8]), Ok(None));
        assert!(matches!(of("random", &[DYNAMIC, 8]), Err(Error::Syntax(_))));
        assert!(matches!(of("37x9xf16=random", &[DYNAMIC, 8]), Err(Error::Shape { .. })));
        assert!(matches!(of("37x8xf32=random", &[DYNAMIC, 8]), Err(Error::Type { .. })));
        assert!(Spec::parse("4xf16=random").unwrap().tensor(&[], None).is_err());
    }

    #[test]
    fn wrong_spellings_are_refused() {
        for text in [
            "",
            "=",
            "@",
            "4x",
            "4xf33",
            "x4xf32",
            "-4xf32",
            "4xf32=@",
            "4xi0",
            "4xi16777216",
            "abc",
            "4 x f32",
            "99999999999999999999xf32",
        ] {
            assert!(matches!(Spec::parse(text), Err(Error::Syntax(_))), "{text}");
        }
        let err = |text: &str| Spec::parse(text).unwrap().tensor(&[], None).err().unwrap();
        assert!(matches!(err("2xf32=1 2 3"), Error::Count { found: 3, expected: 2 }));
        assert!(matches!(err("2xf32=one two"), Error::Number(..)));
        assert!(matches!(err("2xi8=256"), Error::Number(..)));
        assert!(matches!(err("4000000000x4000000000xf32"), Error::TooLarge(..)));
        assert!(matches!(err("4000000000xf32"), Error::TooLarge(..)));
    }

    /// What the function takes is checked against what is stated, and against what the file holds.
    #[test]
    fn the_function_has_the_last_word() {
        let f32 = Scalar::from_keyword("f32").unwrap();
        let f16 = Scalar::from_keyword("f16").unwrap();
        let err =
            |text: &str, file: &[u8], shape: &[i64]| Spec::parse(text).unwrap().tensor(file, Some((shape, f32))).err();
        let file = npy::write(&Tensor { elem: f32, shape: vec![2, 3], bytes: vec![0; 24] });
        assert_eq!(err("2x3xf32", &[], &[2, 3]), None);
        assert_eq!(err("2x3xf32", &[], &[2, DYNAMIC]), None);
        assert!(matches!(err("2x3xf32", &[], &[3, 2]), Some(Error::Shape { .. })));
        assert_eq!(err("2x3xf16", &[], &[2, 3]), Some(Error::Type { found: f16, expected: f32 }));
        assert_eq!(err("@a.npy", &file, &[2, 3]), None);
        assert!(matches!(err("@a.npy", &file, &[6]), Some(Error::Shape { .. })));
        assert!(err("2x3xf32=@a.npy", &file, &[2, 3]).is_none());
        assert!(matches!(err("6xf32=@a.npy", &file, &[6]), Some(Error::Shape { .. })));
    }
}
