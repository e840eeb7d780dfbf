//! Types in print. A type that was printed before is copied from where it stands.

use std::fmt::Write as _;

use super::Printer;
use crate::ids::{OpId, TypeId, ValueId};
use crate::types::{DYNAMIC, Sign, Type};

impl Printer<'_> {
    pub fn types(&mut self, types: &[TypeId]) {
        for (i, &ty) in types.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.ty(ty);
        }
    }

    /// Types of values with commas.
    pub fn types_of(&mut self, values: impl IntoIterator<Item = ValueId>) {
        let types: Vec<TypeId> = values.into_iter().map(|value| self.ir.type_of(value)).collect();
        self.types(&types);
    }

    /// ` -> (T, U)`, or nothing where there are no results.
    pub fn arrow_types(&mut self, op: OpId) {
        if self.ir.results(op).len() > 0 {
            self.out.push_str(" -> (");
            self.types_of(self.ir.results(op));
            self.out.push(')');
        }
    }

    /// One type alone, or several in brackets; a function type alone is bracketed, too.
    pub fn type_list(&mut self, types: &[TypeId]) {
        match types {
            &[ty] if !matches!(self.ir[ty], Type::Function { .. }) => self.ty(ty),
            types => {
                self.out.push('(');
                self.types(types);
                self.out.push(')');
            }
        }
    }

    pub fn ty(&mut self, ty: TypeId) {
        // Most types were printed before: their text is copied.
        if let Some(&(start, end)) = self.types.get(ty.index())
            && end > 0
            && self.aside == 0
        {
            self.out.extend_from_within(start as usize..end as usize);
            return;
        }
        let (start, marks) = (self.out.len(), self.marks.len());
        self.fresh_type(ty);
        if self.marks.len() == marks && self.aside == 0 && self.out.len() < u32::MAX as usize {
            if self.types.len() <= ty.index() {
                self.types.resize(ty.index() + 1, (0, 0));
            }
            self.types[ty.index()] = (start as u32, self.out.len() as u32);
        }
    }

    fn fresh_type(&mut self, ty: TypeId) {
        let ir = self.ir;
        match &ir[ty] {
            Type::Integer { width, sign } => {
                let prefix = match sign {
                    Sign::Signless => "i",
                    Sign::Signed => "si",
                    Sign::Unsigned => "ui",
                };
                let _ = write!(self.out, "{prefix}{width}");
            }
            Type::Index => self.out.push_str("index"),
            Type::Float(float) => self.out.push_str(float.keyword()),
            Type::None => self.out.push_str("none"),
            Type::Complex(elem) => {
                self.out.push_str("complex<");
                self.ty(*elem);
                self.out.push('>');
            }
            Type::Tuple(types) => {
                self.out.push_str("tuple<");
                self.types(types);
                self.out.push('>');
            }
            Type::Function { inputs, results } => {
                self.out.push('(');
                self.types(inputs);
                self.out.push_str(") -> ");
                self.type_list(results);
            }
            Type::Vector { shape, scalable, elem } => {
                self.out.push_str("vector<");
                for (i, extent) in shape.iter().enumerate() {
                    if scalable.get(i) == Some(&true) {
                        let _ = write!(self.out, "[{extent}]x");
                    } else {
                        let _ = write!(self.out, "{extent}x");
                    }
                }
                self.ty(*elem);
                self.out.push('>');
            }
            Type::Tensor { shape, elem, encoding } => {
                self.out.push_str("tensor<");
                self.extents(shape);
                self.ty(*elem);
                if let Some(encoding) = encoding {
                    self.out.push_str(", ");
                    self.attr(*encoding);
                }
                self.out.push('>');
            }
            Type::UnrankedTensor(elem) => {
                self.out.push_str("tensor<*x");
                self.ty(*elem);
                self.out.push('>');
            }
            Type::MemRef { shape, elem, layout, space } => {
                self.out.push_str("memref<");
                self.extents(shape);
                self.ty(*elem);
                for attr in layout.iter().chain(space) {
                    self.out.push_str(", ");
                    self.attr_or_alias(*attr, true);
                }
                self.out.push('>');
            }
            Type::UnrankedMemRef { elem, space } => {
                self.out.push_str("memref<*x");
                self.ty(*elem);
                if let Some(space) = space {
                    self.out.push_str(", ");
                    self.attr_or_alias(*space, true);
                }
                self.out.push('>');
            }
            Type::Dialect(text) => {
                self.out.push('!');
                self.out.push_str(&ir[*text]);
            }
        }
    }

    fn extents(&mut self, shape: &[i64]) {
        for &extent in shape {
            self.number(extent);
            self.out.push('x');
        }
    }

    /// A number, `?` for [`DYNAMIC`].
    pub fn number(&mut self, value: i64) {
        match u64::try_from(value) {
            Ok(value) => self.decimal(value),
            Err(_) if value == DYNAMIC => self.out.push('?'),
            Err(_) => {
                let _ = write!(self.out, "{value}");
            }
        }
    }

    /// `[1, 2]`
    pub fn int_list(&mut self, values: &[i64]) {
        let _ = write!(self.out, "{values:?}");
    }
}
