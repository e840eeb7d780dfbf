//! Registers: structure of arrays, one array for each value, laid out [element][lane].

use num_bigint::BigInt;
use raddle_ir::{Float, Scalar, float};

use crate::tensor::Tensor;

/// Which bank a register is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Bank {
    /// Floats of at most 32 bits.
    F32,
    /// f64, and every float at wide precision.
    F64,
    /// Integers of at most 64 bits, and indices.
    Int,
    /// Wider integers.
    Wide,
    /// Complex numbers, whatever the type of their parts.
    Complex,
    /// Memrefs.
    View,
}

/// A register: a value with `n` elements for each lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reg {
    pub bank: Bank,
    pub at: u32,
    pub n: u32,
}

impl Reg {
    pub(crate) fn len(self) -> usize {
        self.n as usize
    }
}

/// A buffer seen through offset, extents and strides. Only the offset may differ between lanes.
#[derive(Clone, Default, Debug)]
pub(crate) struct View {
    pub space: Space,
    /// The type of the elements, where the buffer holds the bytes of such: then offset and strides count bytes.
    pub elem: Option<Scalar>,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
    pub offset: Vec<i64>,
    /// The elements of the buffer, where the view has places outside of it: then each access is compared with it.
    pub limit: Option<i64>,
}

/// Which buffer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Hash)]
pub(crate) enum Space {
    /// No buffer yet.
    #[default]
    Nowhere,
    /// An argument of the kernel.
    Global(u32),
    /// Memory of the workgroup.
    Shared(u32),
    /// Memory of one lane.
    Private(u32),
}

impl View {
    /// A whole buffer, row-major.
    pub(crate) fn whole(space: Space, shape: &[i64], lanes: usize) -> View {
        let strides = row_major(shape);
        View { space, elem: None, shape: shape.to_vec(), strides, offset: vec![0; lanes], limit: None }
    }

    /// Whether the buffer has an element at this address, which the view's extents allow.
    #[inline(always)]
    pub(crate) fn has(&self, address: i64) -> bool {
        self.limit.is_none_or(|limit| (0..limit).contains(&address))
    }

    /// How the elements lie in the buffer's.
    #[inline(always)]
    pub(crate) fn cast(&self, lanes: usize) -> Option<Cast> {
        let step = if let Space::Private(_) = self.space { lanes } else { 1 };
        self.elem.map(|elem| Cast { elem, step })
    }
}

/// Numbers that a buffer of bytes holds, low byte first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Cast {
    pub elem: Scalar,
    /// From one byte of a number to the next: lanes' copies of private memory lie side by side.
    step: usize,
}

/// The elements of the buffer that an element at an address covers.
#[inline(always)]
pub(crate) fn covered(address: usize, cast: Option<Cast>) -> impl Iterator<Item = usize> {
    let (n, step) = cast.map_or((1, 1), |cast| (cast.elem.bytes(), cast.step));
    (0..n).map(move |at| address + at * step)
}

/// The number at an address.
#[inline(always)]
pub(crate) fn number_at<T: Num>(data: &Data, address: usize, cast: Option<Cast>) -> T {
    const BANK: &str = "the decoder compared the banks of register and memref";
    match cast {
        None => T::data(data).expect(BANK)[address].clone(),
        cast @ Some(Cast { elem, .. }) => {
            let bytes = i64::data(data).expect("views of other types are of bytes");
            let word = covered(address, cast)
                .enumerate()
                .fold(0, |word, (at, address)| word | u64::from(bytes[address] as u8) << (8 * at));
            T::of_word(elem, word)
        }
    }
}

/// Puts a number at an address.
#[inline(always)]
pub(crate) fn put_number<T: Num>(data: &mut Data, address: usize, cast: Option<Cast>, value: T) {
    const BANK: &str = "the decoder compared the banks of register and memref";
    match cast {
        None => T::data_mut(data).expect(BANK)[address] = value,
        cast @ Some(Cast { elem, .. }) => {
            let bytes = i64::data_mut(data).expect("views of other types are of bytes");
            for (at, byte) in covered(address, cast).zip(value.word(elem).to_le_bytes()) {
                // Registers hold integers with their sign.
                bytes[at] = i64::from(byte as i8);
            }
        }
    }
}

/// The strides of a dense row-major shape.
pub(crate) fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for d in (1..shape.len()).rev() {
        strides[d - 1] = strides[d].wrapping_mul(shape[d]);
    }
    strides
}

/// The coordinates of the `at`-th element of a row-major shape.
pub(crate) fn coordinates(shape: &[i64], at: usize) -> Vec<i64> {
    let mut rest = at as i64;
    let mut coords = vec![0; shape.len()];
    for d in (0..shape.len()).rev() {
        let extent = shape[d].max(1);
        coords[d] = rest % extent;
        rest /= extent;
    }
    coords
}

/// Registers of one subgroup.
#[derive(Clone, Default)]
pub(crate) struct Regs {
    pub lanes: usize,
    pub f32s: Vec<Vec<f32>>,
    pub f64s: Vec<Vec<f64>>,
    pub ints: Vec<Vec<i64>>,
    pub wides: Vec<Vec<BigInt>>,
    pub complexes: Vec<Vec<Complex>>,
    pub views: Vec<View>,
}

/// A complex number, whose parts hold values of their type.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Complex {
    pub re: f64,
    pub im: f64,
}

/// A number that a bank holds.
pub(crate) trait Num: Clone + Default + PartialEq + 'static {
    fn bank(regs: &Regs) -> &[Vec<Self>];
    fn bank_mut(regs: &mut Regs) -> &mut [Vec<Self>];
    fn data(data: &Data) -> Option<&Vec<Self>>;
    fn data_mut(data: &mut Data) -> Option<&mut Vec<Self>>;
    /// The number that bits of a type mean.
    fn of_word(elem: Scalar, word: u64) -> Self;
    /// The bits of the number in a type.
    fn word(&self, elem: Scalar) -> u64;
}

fn float_of(elem: Scalar) -> Float {
    match elem {
        Scalar::Float(float) => float,
        Scalar::Int(_) | Scalar::Index => unreachable!("the bank is one of floats"),
    }
}

/// Numbers of one bank, as memory and tensors hold them.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    F32(Vec<f32>),
    F64(Vec<f64>),
    Int(Vec<i64>),
    Wide(Vec<BigInt>),
    Complex(Vec<Complex>),
}

const NO_WORD: &str = "buffers hold no complex numbers";

macro_rules! num {
    ($ty:ty, $field:ident, $variant:ident, $of_word:expr, $word:expr) => {
        impl Num for $ty {
            fn of_word(elem: Scalar, word: u64) -> $ty {
                $of_word(elem, word)
            }

            fn word(&self, elem: Scalar) -> u64 {
                $word(elem, self)
            }

            fn bank(regs: &Regs) -> &[Vec<$ty>] {
                &regs.$field
            }

            fn bank_mut(regs: &mut Regs) -> &mut [Vec<$ty>] {
                &mut regs.$field
            }

            fn data(data: &Data) -> Option<&Vec<$ty>> {
                if let Data::$variant(values) = data { Some(values) } else { None }
            }

            fn data_mut(data: &mut Data) -> Option<&mut Vec<$ty>> {
                if let Data::$variant(values) = data { Some(values) } else { None }
            }
        }
    };
}
num!(
    f32,
    f32s,
    F32,
    |elem, word| match float_of(elem) {
        Float::F32 => f32::from_bits(word as u32),
        float => float::decode(float, word) as f32,
    },
    |elem, value: &f32| match float_of(elem) {
        Float::F32 => value.to_bits().into(),
        float => float::encode(float, f64::from(*value)),
    }
);
num!(f64, f64s, F64, |elem, word| float::decode(float_of(elem), word), |elem, value: &f64| float::encode(
    float_of(elem),
    *value
));
num!(
    i64,
    ints,
    Int,
    |elem: Scalar, word: u64| {
        let unused = 64 - elem.bits().min(64);
        (word << unused) as i64 >> unused
    },
    |_, value: &i64| *value as u64
);
// The decoder gives no memref such elements.
num!(Complex, complexes, Complex, |_, _| unreachable!("{NO_WORD}"), |_, _: &Complex| unreachable!("{NO_WORD}"));
num!(BigInt, wides, Wide, |_, word| BigInt::from(word), |_, value: &BigInt| {
    value.iter_u64_digits().next().unwrap_or(0)
});

/// The complex numbers of a tensor whose last dimension has their parts.
pub(crate) fn pairs(tensor: &Tensor) -> impl Iterator<Item = Complex> {
    let parts = tensor.to_f64();
    (0..parts.len() / 2).map(move |at| Complex { re: parts[2 * at], im: parts[2 * at + 1] })
}

impl Regs {
    /// The numbers of a register.
    #[inline(always)]
    pub(crate) fn get<T: Num>(&self, reg: Reg) -> &[T] {
        &T::bank(self)[reg.at as usize]
    }

    /// Takes a register's array out, to fill it while others are read; [`Regs::put`] returns it.
    #[inline(always)]
    pub(crate) fn take<T: Num>(&mut self, reg: Reg) -> Vec<T> {
        std::mem::take(&mut T::bank_mut(self)[reg.at as usize])
    }

    #[inline(always)]
    pub(crate) fn put<T: Num>(&mut self, reg: Reg, values: Vec<T>) {
        T::bank_mut(self)[reg.at as usize] = values;
    }

    /// The view in a register.
    pub(crate) fn view(&self, reg: Reg) -> &View {
        &self.views[reg.at as usize]
    }

    /// One integer of one lane.
    pub(crate) fn int(&self, reg: Reg, lane: usize) -> i64 {
        self.ints[reg.at as usize][lane]
    }

    /// One element of a vector of integers of one lane.
    pub(crate) fn int_at(&self, reg: Reg, element: usize, lane: usize) -> i64 {
        self.ints[reg.at as usize][element * self.lanes + lane]
    }
}

impl Bank {
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Bank::F32 | Bank::F64)
    }

    /// All that hold numbers.
    pub(crate) const NUMBERS: [Bank; 5] = [Bank::F32, Bank::F64, Bank::Int, Bank::Wide, Bank::Complex];

    /// Bytes of one number, where wide ones have so many bits.
    pub(crate) fn bytes(self, bits: u32) -> usize {
        match self {
            Bank::F32 => 4,
            Bank::F64 | Bank::Int => 8,
            Bank::Complex => size_of::<Complex>(),
            // Arithmetic keeps as much again in reserve.
            Bank::Wide => size_of::<BigInt>() + 2 * bits.div_ceil(8) as usize,
            Bank::View => 0,
        }
    }
}

impl Default for Data {
    fn default() -> Data {
        Data::Int(Vec::new())
    }
}

impl Data {
    /// How many numbers.
    pub(crate) fn len(&self) -> usize {
        match self {
            Data::F32(values) => values.len(),
            Data::F64(values) => values.len(),
            Data::Int(values) => values.len(),
            Data::Wide(values) => values.len(),
            Data::Complex(values) => values.len(),
        }
    }

    pub(crate) fn bank(&self) -> Bank {
        match self {
            Data::F32(_) => Bank::F32,
            Data::F64(_) => Bank::F64,
            Data::Int(_) => Bank::Int,
            Data::Wide(_) => Bank::Wide,
            Data::Complex(_) => Bank::Complex,
        }
    }

    /// Takes one number over from another run of the same length and bank.
    pub(crate) fn copy_element(&mut self, from: &Data, at: usize) {
        match (self, from) {
            (Data::F32(to), Data::F32(from)) => to[at] = from[at],
            (Data::F64(to), Data::F64(from)) => to[at] = from[at],
            (Data::Int(to), Data::Int(from)) => to[at] = from[at],
            (Data::Wide(to), Data::Wide(from)) => to[at].clone_from(&from[at]),
            (Data::Complex(to), Data::Complex(from)) => to[at] = from[at],
            (Data::F32(_) | Data::F64(_) | Data::Int(_) | Data::Wide(_) | Data::Complex(_), _) => {
                unreachable!("a fork has the bank of its origin")
            }
        }
    }

    /// `n` numbers, all zero.
    pub(crate) fn zeros(bank: Bank, n: usize) -> Data {
        match bank {
            Bank::F32 => Data::F32(vec![0.0; n]),
            Bank::F64 => Data::F64(vec![0.0; n]),
            Bank::Int => Data::Int(vec![0; n]),
            Bank::Wide => Data::Wide(vec![BigInt::ZERO; n]),
            Bank::Complex => Data::Complex(vec![Complex::default(); n]),
            Bank::View => unreachable!("a buffer holds numbers"),
        }
    }

    /// The contents of a tensor, in the bank that the element type has.
    pub(crate) fn of_tensor(tensor: &Tensor, bank: Bank) -> Data {
        match bank {
            Bank::F32 => Data::F32(tensor.to_f32s()),
            Bank::F64 => Data::F64(tensor.to_f64()),
            Bank::Int => Data::Int(tensor.to_i64()),
            Bank::Wide => Data::Wide(tensor.to_integers()),
            Bank::Complex => Data::Complex(pairs(tensor).collect()),
            Bank::View => unreachable!("a buffer holds numbers"),
        }
    }
}

/// Calls a function that is generic over the bank of a register; memrefs have no numbers.
macro_rules! by_bank {
    ($bank:expr, $call:ident :: <_> ($($arg:expr),* $(,)?)) => {
        match $bank {
            $crate::regs::Bank::F32 => $call::<f32>($($arg),*),
            $crate::regs::Bank::F64 => $call::<f64>($($arg),*),
            $crate::regs::Bank::Int => $call::<i64>($($arg),*),
            $crate::regs::Bank::Wide => $call::<num_bigint::BigInt>($($arg),*),
            $crate::regs::Bank::Complex => $call::<$crate::regs::Complex>($($arg),*),
            $crate::regs::Bank::View => unreachable!("the decoder gives this operation numbers"),
        }
    };
}
pub(crate) use by_bank;
