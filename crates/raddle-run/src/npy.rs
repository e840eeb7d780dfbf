//! `.npy` files: NumPy's format for one array, read from bytes and written to bytes.
//!
//! Read: format versions 1 to 3, little-endian, C or Fortran order, booleans, integers, f16, f32, f64, and complex numbers
//! of f32 and f64, whose parts become a last dimension of two. A format that
//! NumPy does not have (bf16, f8, i4) is stored as raw bytes, `V2` or `V1`, as the `ml_dtypes` package does; the caller
//! says which one it is. `ml_dtypes` calls f8E5M2 `f1`, and integers of a few bits may also be stored as whole bytes.
//! Written: version 1, C order.
//!
//! The header is read here and not by a crate because it comes from outside: its length, its nesting and the product of
//! its shape are bounded before anything is allocated.

use std::fmt;

use raddle_emu::Tensor;
use raddle_ir::{Float, Scalar};

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy itself refuses longer headers unless asked.
const HEADER_BYTES_MAX: usize = 10_000;
const RANK_MAX: usize = 32;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// It does not start like a `.npy` file.
    NotNpy,
    /// A format version that does not exist yet.
    Version(u8, u8),
    /// It ends inside the header, or the header is longer than any array needs.
    HeaderLength {
        /// What the file says.
        stated: usize,
        /// What follows.
        present: usize,
    },
    /// The header is not the dictionary that NumPy writes.
    Header(String),
    /// The bytes of each number are in big-endian order.
    BigEndian(String),
    /// A dtype that has no counterpart here: strings, objects, records.
    Dtype(String),
    /// The dtype is fine, but not what is asked for.
    WrongType {
        /// The dtype in the file.
        found: String,
        /// The element type asked for.
        expected: Scalar,
    },
    /// Raw bytes, and nobody said of which type.
    Untyped(String),
    /// A stored integer is not a number of the narrow integer type asked for.
    OutOfRange {
        /// The number.
        found: i64,
        /// The element type asked for.
        expected: Scalar,
    },
    /// The file has fewer or more bytes of data than its shape needs.
    DataLength {
        /// Extents in the header.
        shape: Vec<i64>,
        /// Bytes that the shape needs.
        needed: usize,
        /// Bytes in the file.
        present: usize,
    },
    /// The shape's product does not fit the address space.
    TooLarge(Vec<i64>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotNpy => write!(f, "this is not a .npy file: it does not start with the bytes `\\x93NUMPY`"),
            Error::Version(major, minor) => write!(f, "unknown .npy version {major}.{minor}"),
            Error::HeaderLength { stated, present } if stated > present => {
                write!(f, "the file is truncated: its header has {stated} bytes, of which {present} are there")
            }
            Error::HeaderLength { stated, .. } => {
                write!(f, "the header has {stated} bytes; an array needs at most {HEADER_BYTES_MAX}")
            }
            Error::Header(what) => write!(f, "the header is not a .npy header: {what}"),
            Error::BigEndian(descr) => write!(f, "the data is big-endian (dtype `{descr}`)"),
            Error::Dtype(descr) => write!(f, "dtype `{descr}` has no counterpart in a tensor"),
            Error::WrongType { found, expected } => write!(f, "the file holds dtype `{found}`, not {expected}"),
            Error::Untyped(descr) => write!(f, "the file holds raw bytes (dtype `{descr}`), and no type is stated"),
            Error::OutOfRange { found, expected } => {
                write!(f, "the file holds {found}, which is not a number of type {expected}")
            }
            Error::DataLength { shape, needed, present } if present < needed => {
                write!(f, "the file is truncated: shape {shape:?} needs {needed} bytes of data, {present} are there")
            }
            Error::DataLength { shape, needed, present } => {
                write!(f, "shape {shape:?} needs {needed} bytes of data, but the file has {present}")
            }
            Error::TooLarge(shape) => write!(f, "shape {shape:?} is larger than any memory"),
        }
    }
}

impl Error {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Error::BigEndian(descr) => {
                Some(format!("convert it in NumPy: `np.save(path, a.astype('<{}'))`", descr.trim_start_matches('>')))
            }
            Error::WrongType { expected, .. } => match numpy_name(*expected) {
                Some(name) => Some(format!("convert it in NumPy: `np.save(path, a.astype(np.{name}))`")),
                None => Some(format!(
                    "NumPy has no {expected}: save an array of the `ml_dtypes` package or, if `a` holds the bits as integers, \
                     `np.save(path, a.view('V{}'))`",
                    expected.bytes()
                )),
            },
            Error::Untyped(_) => Some("state the type, as in `--input=16x16xbf16=@a.npy`".to_owned()),
            Error::DataLength { .. } | Error::HeaderLength { .. } => Some("write the file again".to_owned()),
            Error::NotNpy => Some("write it with `np.save(path, array)`".to_owned()),
            Error::Version(..) | Error::Header(_) | Error::Dtype(_) | Error::OutOfRange { .. } | Error::TooLarge(_) => {
                None
            }
        }
    }
}

impl std::error::Error for Error {}

/// Reads an array; `want` is the element type to see the data as, or `None` for what the file says.
pub fn read(file: &[u8], want: Option<Scalar>) -> Result<Tensor, Error> {
    read_nth(file, 0, want)
}

/// Reads one of several arrays that stand one behind the other in a file; the first is number 0.
pub fn read_nth(file: &[u8], n: usize, want: Option<Scalar>) -> Result<Tensor, Error> {
    let mut rest = file;
    for _ in 0..n {
        // What is in front may have any type.
        let (header, data) = split(rest)?;
        rest = Header::parse(header)?.split(data)?.1;
    }
    let (header, data) = split(rest)?;
    let header = Header::parse(header)?;
    // A complex number is a pair of floats.
    let (parts, descr) = match header.descr.as_str() {
        "<c8" | ">c8" => (2, header.descr.replace("c8", "f4")),
        "<c16" | ">c16" => (2, header.descr.replace("c16", "f8")),
        _ => (1, header.descr.clone()),
    };
    let (elem, is_raw) = element(&descr, want)?;
    let (data, _) = header.split(data)?;
    let Header { fortran, mut shape, .. } = header;
    let mut bytes = if fortran { transposed(data, &shape, parts * elem.bytes()) } else { data.to_vec() };
    shape.extend((parts > 1).then_some(2));
    if elem == Scalar::Int(1) {
        // A NumPy bool is any byte; here it is 0 or 1.
        bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    } else if let Some(width) = padded(elem) {
        for chunk in bytes.chunks_exact_mut(elem.bytes()) {
            let (word, number) = (word(chunk), signed(word(chunk), width));
            // Bits beyond the width mean nothing in raw bytes; in an integer they are part of the number.
            let stored = signed(word, 8 * elem.bytes() as u32);
            if !is_raw && stored != number && word >> width != 0 {
                return Err(Error::OutOfRange { found: stored, expected: elem });
            }
            set_word(chunk, word & ((1 << width) - 1));
        }
    }
    Ok(Tensor { elem, shape, bytes })
}

/// The width of integers that leave bits of their bytes free.
fn padded(elem: Scalar) -> Option<u32> {
    match elem {
        Scalar::Int(width @ 2..64) if u64::from(width) < 8 * elem.bytes() as u64 => Some(width),
        Scalar::Int(_) | Scalar::Float(_) | Scalar::Index => None,
    }
}

/// An element of at most 8 bytes.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn set_word(bytes: &mut [u8], word: u64) {
    bytes.iter_mut().zip(word.to_le_bytes()).for_each(|(byte, new)| *byte = new);
}

/// The lower bits of a word as a number with a sign.
fn signed(word: u64, width: u32) -> i64 {
    (word << (64 - width)) as i64 >> (64 - width)
}

/// Writes an array of complex numbers, whose parts are the last dimension of a tensor; NumPy has none of f16.
pub fn write_complex(tensor: &Tensor) -> Vec<u8> {
    let descr = match (tensor.elem, tensor.shape.split_last()) {
        (Scalar::Float(Float::F32), Some((2, shape))) => Some(("<c8", shape)),
        (Scalar::Float(Float::F64), Some((2, shape))) => Some(("<c16", shape)),
        _ => None,
    };
    match descr {
        Some((descr, shape)) => array(descr, shape, &tensor.bytes),
        None => write(tensor),
    }
}

/// Writes an array.
pub fn write(tensor: &Tensor) -> Vec<u8> {
    let mut data = tensor.bytes.clone();
    if let Some(width) = padded(tensor.elem) {
        // A whole integer has the sign in all its bits.
        data.chunks_exact_mut(tensor.elem.bytes()).for_each(|chunk| set_word(chunk, signed(word(chunk), width) as u64));
    }
    array(&descr(tensor.elem), &tensor.shape, &data)
}

/// A header, and the data behind it.
fn array(descr: &str, shape: &[i64], data: &[u8]) -> Vec<u8> {
    let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", extents.join(", "));
    // Magic, version and length take 10 bytes; the data starts at a multiple of 64, behind a newline.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    while header.len() + 1 < padded {
        header.push(' ');
    }
    header.push('\n');
    let length = u16::try_from(header.len()).expect("a rank of at most 32 makes a short header");
    [MAGIC, &[1, 0], &length.to_le_bytes(), header.as_bytes(), data].concat()
}

/// The header's text, and what follows it.
fn split(file: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    let rest = file.strip_prefix(MAGIC).ok_or(Error::NotNpy)?;
    let (&[major, minor], rest) = rest.split_first_chunk().ok_or(Error::NotNpy)?;
    let no_length = Error::HeaderLength { stated: 2, present: rest.len() };
    let (length, rest) = match major {
        1 => {
            let (length, rest) = rest.split_first_chunk().ok_or(no_length)?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk().ok_or(no_length)?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        _ => return Err(Error::Version(major, minor)),
    };
    if length > rest.len() || length > HEADER_BYTES_MAX {
        return Err(Error::HeaderLength { stated: length, present: rest.len() });
    }
    Ok(rest.split_at(length))
}

/// `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`
struct Header {
    descr: String,
    fortran: bool,
    shape: Vec<i64>,
}

impl Header {
    fn parse(text: &[u8]) -> Result<Header, Error> {
        let text = std::str::from_utf8(text).map_err(|_| Error::Header("it is not text".to_owned()))?;
        let mut cursor = Cursor { rest: text };
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        cursor.expect("{")?;
        while !cursor.eat("}") {
            let key = cursor.string()?;
            cursor.expect(":")?;
            match key {
                "descr" if cursor.rest.trim_start().starts_with('[') => {
                    return Err(Error::Dtype("a structured record".to_owned()));
                }
                "descr" => descr = Some(cursor.string()?.to_owned()),
                "fortran_order" if cursor.eat("True") => fortran = Some(true),
                "fortran_order" if cursor.eat("False") => fortran = Some(false),
                "shape" => shape = Some(cursor.tuple()?),
                key => return Err(Error::Header(format!("the entry `{key}` cannot be read"))),
            }
            if !cursor.eat(",") {
                cursor.expect("}")?;
                break;
            }
        }
        if !cursor.rest.trim().is_empty() {
            return Err(Error::Header("text follows the dictionary".to_owned()));
        }
        let missing = |key: &str| Error::Header(format!("the entry `{key}` is missing"));
        Ok(Header {
            descr: descr.ok_or_else(|| missing("descr"))?,
            fortran: fortran.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }

    /// The data of the array, and what is behind it: nothing, or another array.
    fn split<'a>(&self, data: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), Error> {
        let size = self.descr.trim_start_matches(|c: char| !c.is_ascii_digit());
        let size: usize = size.parse().map_err(|_| Error::Dtype(self.descr.clone()))?;
        let needed = self
            .shape
            .iter()
            .try_fold(size, |bytes, &extent| bytes.checked_mul(usize::try_from(extent).ok()?))
            .ok_or_else(|| Error::TooLarge(self.shape.clone()))?;
        match data.split_at_checked(needed) {
            Some((own, rest)) if rest.is_empty() || rest.starts_with(MAGIC) => Ok((own, rest)),
            _ => Err(Error::DataLength { shape: self.shape.clone(), needed, present: data.len() }),
        }
    }
}

/// The part of the header that is still to be read.
struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), Error> {
        if self.eat(token) { Ok(()) } else { Err(Error::Header(format!("`{token}` is missing"))) }
    }

    /// `'text'` or `"text"`, without escapes: neither a key nor a dtype has any.
    fn string(&mut self) -> Result<&'a str, Error> {
        let rest = self.rest.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
        let parts = quote.and_then(|quote| rest[1..].split_once(quote));
        let (text, rest) = parts.ok_or_else(|| Error::Header("a string is missing".to_owned()))?;
        self.rest = rest;
        Ok(text)
    }

    /// `(3, 4)`, `(3,)`, `()`
    fn tuple(&mut self) -> Result<Vec<i64>, Error> {
        self.expect("(")?;
        let mut extents = Vec::new();
        while !self.eat(")") {
            let rest = self.rest.trim_start();
            let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
            let extent = digits.parse().map_err(|_| Error::Header("an extent is not a number".to_owned()))?;
            extents.push(extent);
            if extents.len() > RANK_MAX {
                return Err(Error::Header(format!("it has more than {RANK_MAX} dimensions")));
            }
            // Python 2 wrote long integers as `3L`.
            self.rest = rest[digits.len()..].trim_start_matches('L');
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(extents)
    }
}

/// The element type that a dtype stands for, if it can be seen as `want`, and whether the dtype says nothing but a size.
fn element(descr: &str, want: Option<Scalar>) -> Result<(Scalar, bool), Error> {
    let unsupported = || Error::Dtype(descr.to_owned());
    let mut chars = descr.chars();
    let (order, kind) = (chars.next().ok_or_else(unsupported)?, chars.next().ok_or_else(unsupported)?);
    let size: u32 = chars.as_str().parse().map_err(|_| unsupported())?;
    if !matches!(order, '<' | '|' | '>') {
        return Err(unsupported());
    }
    let own = match (kind, size) {
        ('b', 1) => Scalar::Int(1),
        ('i' | 'u', 1 | 2 | 4 | 8) => Scalar::Int(size * 8),
        ('f', 2) => Scalar::Float(Float::F16),
        ('f', 4) => Scalar::Float(Float::F32),
        ('f', 8) => Scalar::Float(Float::F64),
        ('f', 1) => Scalar::Float(Float::F8E5M2),
        ('V', 1..) => match want {
            Some(want) if numpy_name(want).is_none() && want.bytes() == size as usize => want,
            Some(expected) => return Err(Error::WrongType { found: descr.to_owned(), expected }),
            None => return Err(Error::Untyped(descr.to_owned())),
        },
        _ => return Err(unsupported()),
    };
    if order == '>' && size > 1 {
        return Err(Error::BigEndian(descr.to_owned()));
    }
    let is_raw = kind == 'V';
    match want {
        None => Ok((own, is_raw)),
        Some(want) if want == own => Ok((own, is_raw)),
        // An index is stored as a 64-bit integer, and an integer of another width as the next larger one.
        Some(Scalar::Index) if own == Scalar::Int(64) => Ok((Scalar::Index, is_raw)),
        Some(want) if padded(want).is_some() && own == Scalar::Int(8 * want.bytes() as u32) => Ok((want, is_raw)),
        Some(expected) => Err(Error::WrongType { found: descr.to_owned(), expected }),
    }
}

/// The dtype that an element type is written as.
fn descr(elem: Scalar) -> String {
    match elem {
        Scalar::Float(Float::F16) => "<f2".to_owned(),
        Scalar::Float(Float::F32) => "<f4".to_owned(),
        Scalar::Float(Float::F64) => "<f8".to_owned(),
        Scalar::Float(_) => format!("|V{}", elem.bytes()),
        Scalar::Int(1) => "|b1".to_owned(),
        // NumPy has no such integers: their bytes.
        Scalar::Int(65..) => format!("|V{}", elem.bytes()),
        Scalar::Int(_) | Scalar::Index if elem.bytes() == 1 => "|i1".to_owned(),
        Scalar::Int(_) | Scalar::Index => format!("<i{}", elem.bytes()),
    }
}

/// NumPy's name of an element type.
fn numpy_name(elem: Scalar) -> Option<&'static str> {
    Some(match elem {
        Scalar::Float(Float::F16) => "float16",
        Scalar::Float(Float::F32) => "float32",
        Scalar::Float(Float::F64) => "float64",
        Scalar::Int(1) => "bool_",
        Scalar::Int(8) => "int8",
        Scalar::Int(16) => "int16",
        Scalar::Int(32) => "int32",
        Scalar::Int(64) | Scalar::Index => "int64",
        Scalar::Float(_) | Scalar::Int(_) => return None,
    })
}

/// The bytes in C order of an array that is stored with its first dimension fastest.
fn transposed(data: &[u8], shape: &[i64], size: usize) -> Vec<u8> {
    let strides: Vec<usize> = shape
        .iter()
        .scan(size, |stride, &extent| {
            let this = *stride;
            *stride *= extent as usize;
            Some(this)
        })
        .collect();
    let mut at = vec![0; shape.len()];
    let mut out = Vec::with_capacity(data.len());
    while out.len() < data.len() {
        let start: usize = at.iter().zip(&strides).map(|(&i, stride)| i as usize * stride).sum();
        out.extend_from_slice(&data[start..start + size]);
        for d in (0..shape.len()).rev() {
            at[d] += 1;
            if at[d] < shape[d] {
                break;
            }
            at[d] = 0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), data].concat()
    }

    const F32: Scalar = Scalar::Float(Float::F32);

    /// What is written is read back, for every rank and element type that NumPy has.
    #[test]
    fn writing_then_reading_is_the_identity() {
        for elem in [
            "f16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "index", "bf16", "f8E4M3FN", "i100", "i4", "i2",
            "f8E5M2",
        ] {
            let elem = Scalar::from_keyword(elem).unwrap();
            for shape in [vec![], vec![5], vec![2, 3], vec![0, 3], vec![1, 2, 3, 4]] {
                let n = shape.iter().product::<i64>() as usize * elem.bytes();
                let tensor = Tensor { elem, shape, bytes: (0..n).map(|i| (i % 2) as u8).collect() };
                let file = write(&tensor);
                assert_eq!((file.len() - tensor.bytes.len()) % 64, 0, "NumPy aligns the data to 64 bytes");
                let back = read(&file, Some(elem)).unwrap();
                assert_eq!((back.elem, back.shape, back.bytes), (tensor.elem, tensor.shape, tensor.bytes));
            }
        }
    }

    /// The spellings of `ml_dtypes`: f8E5M2 is a float of one byte, and i4 raw bytes or whole integers.
    #[test]
    fn spellings_of_ml_dtypes_are_read() {
        let read_as = |descr: &str, elem: &str, data: &[u8]| {
            let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({},), }}", data.len());
            read(&file(&header, data), Scalar::from_keyword(elem)).map(|tensor| tensor.to_f64())
        };
        assert_eq!(read_as("<f1", "f8E5M2", &[0x3c, 0xbc]), Ok(vec![1.0, -1.0]));
        assert_eq!(read_as("|V1", "f8E5M2", &[0x3c, 0xbc]), Ok(vec![1.0, -1.0]));
        assert!(matches!(read_as("<f1", "f8E4M3FN", &[0x3c]), Err(Error::WrongType { .. })));
        // -1 and 7, with and without the sign in the upper half of the byte.
        assert_eq!(read_as("|V1", "i4", &[0xff, 0x0f, 7]), Ok(vec![-1.0, -1.0, 7.0]));
        assert_eq!(read_as("|i1", "i4", &[0xff, 0x0f, 0xf8, 7]), Ok(vec![-1.0, -1.0, -8.0, 7.0]));
        assert_eq!(read_as("|u1", "i2", &[3, 1]), Ok(vec![-1.0, 1.0]));
        let minus_one = Tensor::from_f64(Scalar::Int(4), &[1], &[-1.0]);
        assert_eq!(write(&minus_one).last(), Some(&0xff), "NumPy reads what is written as -1, too");
        for (byte, elem) in [(100, "i4"), (0xf7, "i4"), (4, "i2"), (0xfd, "i2")] {
            assert!(matches!(read_as("|i1", elem, &[byte]), Err(Error::OutOfRange { .. })), "{byte} {elem}");
        }
        assert!(matches!(read_as("|V2", "i4", &[]), Err(Error::WrongType { .. })));
    }

    /// Complex numbers are pairs of floats, in either order of the elements.
    #[test]
    fn complex_numbers_have_a_dimension_for_their_parts() {
        let numbers = [1.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        for (elem, descr) in [(F32, "<c8"), (Scalar::Float(Float::F64), "<c16")] {
            let tensor = Tensor::from_f64(elem, &[2, 2, 2], &numbers);
            let written = write_complex(&tensor);
            let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2, 2), }}");
            assert!(String::from_utf8_lossy(&written).contains(&header));
            let back = read(&written, Some(elem)).unwrap();
            assert_eq!((back.shape, back.bytes), (tensor.shape, tensor.bytes.clone()));
            let header = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': (2, 2), }}");
            let turned = read(&file(&header, &tensor.bytes), None).unwrap();
            assert_eq!(turned.to_f64(), [1.0, -2.0, 5.0, 6.0, 3.0, 4.0, 7.0, 8.0]);
        }
        // NumPy has no complex numbers of 16 bits: their parts.
        let half = Tensor::from_f64(Scalar::Float(Float::F16), &[1, 2], &[1.0, 2.0]);
        assert_eq!(read(&write_complex(&half), None).unwrap(), half);
    }

    /// Arrays of one file may have different types, those without a name among them.
    #[test]
    fn arrays_of_a_file_have_types_of_their_own() {
        let tensors = ["f32", "bf16", "i1", "i64"]
            .map(|elem| Tensor::from_f64(Scalar::from_keyword(elem).unwrap(), &[3], &[1.0, 0.0, 1.0]));
        let complex = write_complex(&Tensor::from_f64(F32, &[1, 2], &[1.0, 2.0]));
        let all = [complex, tensors.iter().flat_map(write).collect()].concat();
        for (n, tensor) in tensors.iter().enumerate() {
            assert_eq!(read_nth(&all, n + 1, Some(tensor.elem)).as_ref(), Ok(tensor));
        }
    }

    /// Fortran order is only another order of the same elements.
    #[test]
    fn fortran_order_is_transposed() {
        let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
        let tensor = read(&file(header, &[0, 3, 1, 4, 2, 5]), None).unwrap();
        assert_eq!(tensor.bytes, [0, 1, 2, 3, 4, 5]);
    }

    /// Each way in which a file can be wrong has its own name.
    #[test]
    fn wrong_files_are_refused_by_name() {
        let header =
            |descr: &str, shape: &str| format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
        let good = file(&header("'<f4'", "(2,)"), &[0; 8]);
        assert!(read(&good, Some(F32)).is_ok());
        let err = |bytes: &[u8], want| read(bytes, want).err().unwrap();
        assert_eq!(err(b"", None), Error::NotNpy);
        assert_eq!(err(b"PK\x03\x04", None), Error::NotNpy);
        assert!(matches!(err(&good[..9], None), Error::HeaderLength { .. }));
        assert!(matches!(err(&good[..40], None), Error::HeaderLength { .. }));
        assert!(matches!(err(&good[..good.len() - 1], None), Error::DataLength { needed: 8, present: 7, .. }));
        assert!(matches!(err(&[&good[..], &[0]].concat(), None), Error::DataLength { needed: 8, present: 9, .. }));
        assert!(matches!(err(&good, Scalar::from_keyword("f16")), Error::WrongType { .. }));
        assert!(matches!(err(&file(&header("'>f4'", "(2,)"), &[0; 8]), None), Error::BigEndian(_)));
        assert!(matches!(err(&file(&header("'|O'", "(2,)"), &[0; 8]), None), Error::Dtype(_)));
        assert!(matches!(err(&file(&header("[('a', '<f4')]", "(2,)"), &[0; 8]), None), Error::Dtype(_)));
        assert!(matches!(err(&file(&header("'<V2'", "(2,)"), &[0; 4]), None), Error::Untyped(_)));
        let huge = header("'<f4'", "(4611686018427387904, 4611686018427387904)");
        assert!(matches!(err(&file(&huge, &[]), None), Error::TooLarge(_)));
        for shape in ["(-1,)", "(1e3,)", "((((", "(99999999999999999999,)", "(1 2)"] {
            assert!(matches!(err(&file(&header("'<f4'", shape), &[]), None), Error::Header(_)), "{shape}");
        }
    }

    /// No prefix and no changed byte of a file makes the reader panic.
    #[test]
    fn mangled_files_do_not_panic() {
        let good = write(&Tensor { elem: F32, shape: vec![2, 3], bytes: vec![0; 24] });
        for end in 0..good.len() {
            let _ = read(&good[..end], Some(F32));
        }
        for at in 0..good.len() {
            for byte in [0, b'(', b'\'', b'9', 0xff] {
                let mut bad = good.clone();
                bad[at] = byte;
                let _ = read(&bad, None);
            }
        }
    }
}
