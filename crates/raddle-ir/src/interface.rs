//! The interface of a kernel that came from an IREE dispatch: which binding, offset or constant each argument is.
//!
//! The function itself has one argument for each part of a binding that it reads and one result for each part that it
//! writes, as any other program. `raddle.interface` on it says what the launcher passes instead: the bindings in order,
//! and 32-bit constants behind them. Offsets and extents are maps of these constants, read without a sign.

use crate::affine::Map;
use crate::attrs::Attr;
use crate::diag::{Code, Diag};
use crate::ids::{AttrId, OpId};
use crate::ir::Ir;

/// The attribute of the function.
const NAME: &str = "raddle.interface";

/// What the launcher passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// The number of bindings.
    pub bindings: usize,
    /// The number of constants.
    pub constants: usize,
    /// What each argument of the function is.
    pub arguments: Vec<Slot>,
    /// What each result of the function is.
    pub results: Vec<Slot>,
}

/// One argument or result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Memory of a binding.
    Binding {
        /// Which one.
        binding: usize,
        /// The first byte, from the constants: one result.
        offset: Map,
        /// Each extent, from the constants.
        extents: Map,
    },
    /// A constant.
    Constant(usize),
}

impl Interface {
    /// The interface of a function, if it has one.
    pub fn of(ir: &Ir, func: OpId) -> Result<Option<Interface>, Diag> {
        let Some(attr) = ir.attr_id(func, NAME) else { return Ok(None) };
        let read = || {
            let number = |name| usize::try_from(ir[ir.dict_get(attr, name)?].as_i64()?).ok();
            let list = |name| {
                let Attr::Array(slots) = &ir[ir.dict_get(attr, name)?] else { return None };
                slots.iter().map(|&slot| Slot::of(ir, slot)).collect::<Option<Vec<_>>>()
            };
            Some(Interface {
                bindings: number("bindings")?,
                constants: number("constants")?,
                arguments: list("arguments")?,
                results: list("results")?,
            })
        };
        read().filter(|interface| interface.fits(ir, func)).map(Some).ok_or_else(|| {
            Diag::error(Code::BadAttribute, ir.span(func), format!("`{NAME}` does not describe this function"))
                .note("it says for each argument and result which binding or constant it is, as `admit` writes it")
        })
    }

    /// Writes it on the function.
    pub fn write(&self, ir: &mut Ir, func: OpId) {
        let list = |ir: &mut Ir, slots: &[Slot]| {
            let slots = slots.iter().map(|slot| slot.attr(ir)).collect();
            ir.intern(Attr::Array(slots))
        };
        let arguments = list(ir, &self.arguments);
        let results = list(ir, &self.results);
        let bindings = ir.i64_attr(self.bindings as i64);
        let constants = ir.i64_attr(self.constants as i64);
        let entries =
            [("arguments", arguments), ("bindings", bindings), ("constants", constants), ("results", results)];
        let attr = ir.dict(&entries);
        ir.set_attr(func, NAME, attr);
    }

    /// For each result the argument that lies in the same memory, if there is one.
    pub fn in_place(&self) -> impl Iterator<Item = Option<usize>> {
        self.results.iter().map(|result| self.arguments.iter().position(|argument| argument == result))
    }

    /// The memref arguments of a kernel that are the memory of an earlier one, with that one: results that lie where an
    /// argument lies.
    pub fn in_place_args(ir: &Ir, func: OpId) -> Result<Vec<(usize, usize)>, Diag> {
        let Some(interface) = Interface::of(ir, func)? else { return Ok(Vec::new()) };
        let n = interface.arguments.len();
        // A function on tensors still returns its results.
        let is_kernel = ir.signature(func).1.is_empty();
        let pairs = interface.in_place().enumerate().filter_map(|(result, argument)| Some((n + result, argument?)));
        Ok(pairs.filter(|_| is_kernel).collect())
    }

    /// Takes it off the function, whose arguments are then what a launcher passes.
    pub fn remove(ir: &mut Ir, func: OpId) {
        ir.remove_attr(func, NAME);
    }

    /// Whether numbers are in range and every argument is described; a kernel has its results as arguments.
    fn fits(&self, ir: &Ir, func: OpId) -> bool {
        let (inputs, results) = ir.signature(func);
        let slots = self.arguments.iter().chain(&self.results);
        let n = self.arguments.len() + self.results.len();
        let in_range = slots.clone().all(|slot| match slot {
            Slot::Binding { binding, offset, extents } => {
                *binding < self.bindings
                    && offset.results.len() == 1
                    && [offset, extents].iter().all(|map| map.dims == 0 && map.syms as usize <= self.constants)
            }
            Slot::Constant(at) => *at < self.constants,
        });
        // A lowered kernel takes extents besides.
        let extents = crate::extents::taken(ir, func).map_or(0, |extents| extents.len());
        let is_kernel = results.is_empty();
        in_range && n + extents == inputs.len() + results.len() && (is_kernel || self.results.len() == results.len())
    }
}

impl Slot {
    fn of(ir: &Ir, attr: AttrId) -> Option<Slot> {
        let number = |name| usize::try_from(ir[ir.dict_get(attr, name)?].as_i64()?).ok();
        let map = |name| match &ir[ir.dict_get(attr, name)?] {
            Attr::Map(map) => Some(map.clone()),
            _ => None,
        };
        if let Some(at) = number("constant") {
            return Some(Slot::Constant(at));
        }
        Some(Slot::Binding { binding: number("binding")?, offset: map("offset")?, extents: map("extents")? })
    }

    fn attr(&self, ir: &mut Ir) -> AttrId {
        match self {
            Slot::Constant(at) => {
                let at = ir.i64_attr(*at as i64);
                ir.dict(&[("constant", at)])
            }
            Slot::Binding { binding, offset, extents } => {
                let binding = ir.i64_attr(*binding as i64);
                let offset = ir.intern(Attr::Map(offset.clone()));
                let extents = ir.intern(Attr::Map(extents.clone()));
                ir.dict(&[("binding", binding), ("offset", offset), ("extents", extents)])
            }
        }
    }
}
