//! A program of its own for one operation of a module.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::attrs::Attr;
use crate::ids::{AttrId, BlockId, OpId, RegionId, StrId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;

/// What became of operations, blocks and values of a program in another one.
#[derive(Default)]
struct Copies {
    /// In the order of the program.
    ops: Vec<(OpId, OpId)>,
    blocks: FxHashMap<BlockId, BlockId>,
    values: FxHashMap<ValueId, ValueId>,
}

impl Ir {
    /// A program whose module holds one operation of this one's module and nothing else, and what each operation inside
    /// became: what is done to it then takes as long as that operation is large. Types, attributes and source ranges are
    /// those of this program. `None` where symbols name what stands outside of the operation.
    pub fn extract(&self, op: OpId) -> Option<(Ir, FxHashMap<OpId, OpId>)> {
        assert_eq!(self.parent_op(op), Some(self.module()), "an operation of the module is extracted");
        if self.names_others(op) {
            return None;
        }
        let mut ir = self.without_ops();
        let (module, mut copies) = (ir.module(), Copies::default());
        ir.set_attr_dict(module, self.attr_dict(self.module()));
        let block = ir.module_block();
        copies.op(self, &mut ir, op, block);
        for &(from, to) in &copies.ops {
            let operands: Vec<ValueId> = self.operands(from).iter().map(|value| copies.values[value]).collect();
            ir.set_operands(to, &operands);
            let successors: Vec<BlockId> = self.successors(from).iter().map(|block| copies.blocks[block]).collect();
            if !successors.is_empty() {
                ir.set_successors(to, &successors);
            }
        }
        Some((ir, copies.ops.into_iter().collect()))
    }

    /// Whether a symbol inside an operation is not the name of anything inside.
    fn names_others(&self, op: OpId) -> bool {
        let ops = [vec![op], self.walk(op)].concat();
        let own: FxHashSet<&str> = ops.iter().filter_map(|&op| self.symbol_name(op)).collect();
        let mut roots: FxHashSet<StrId> = FxHashSet::default();
        let mut seen: FxHashSet<AttrId> = FxHashSet::default();
        let mut waiting: Vec<AttrId> = ops.iter().map(|&op| self.attr_dict(op)).collect();
        while let Some(attr) = waiting.pop() {
            if !seen.insert(attr) {
                continue;
            }
            match &self[attr] {
                Attr::Symbol(path) => roots.extend(path.first()),
                Attr::Array(items) => waiting.extend(items),
                Attr::Dict(entries) => waiting.extend(entries.iter().map(|entry| entry.1)),
                _ => {}
            }
        }
        roots.into_iter().any(|root| !own.contains(&self[root]))
    }
}

impl Copies {
    /// Copies an operation to the end of a block. Operands and successors, which may come later, are set in the end.
    fn op(&mut self, from: &Ir, to: &mut Ir, op: OpId, block: BlockId) {
        let results: Vec<TypeId> = from.results(op).map(|value| from.type_of(value)).collect();
        let (attrs, span) = (from.attr_dict(op), from.span(op));
        let copy = match from.opcode(op) {
            Opcode::Unregistered => to.create_named(from.name(op), &[], &results, attrs, span),
            opcode => to.create_with(opcode, &[], &results, attrs, span),
        };
        to.append(block, copy);
        self.ops.push((op, copy));
        self.values.extend(from.results(op).zip(to.results(copy)));
        for &region in from.regions(op) {
            let new = to.add_region(copy);
            self.region(from, to, region, new);
        }
    }

    fn region(&mut self, from: &Ir, to: &mut Ir, region: RegionId, new: RegionId) {
        for &block in from.blocks(region) {
            let copy = to.add_block(new, &[]);
            self.blocks.insert(block, copy);
            for &arg in from.args(block) {
                let value = to.add_block_arg(copy, from.type_of(arg));
                if let Some(span) = from.arg_span(arg) {
                    to.set_arg_span(value, span);
                }
                self.values.insert(arg, value);
            }
            for op in from.block_ops(block) {
                self.op(from, to, op, copy);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::text::{parse, print};

    /// What is extracted prints as it does among others, and what names others is not extracted.
    #[test]
    fn a_function_is_a_program() {
        let function = |name: &str| {
            format!(
                "func.func @{name}(%n: index, %x: vector<4xf32>) -> vector<4xf32> {{
                  %c0 = arith.constant 0 : index
                  %sum = scf.for %i = %c0 to %n step %n iter_args(%s = %x) -> (vector<4xf32>) {{
                    %t = arith.addf %s, %x : vector<4xf32>
                    scf.yield %t : vector<4xf32>
                  }}
                  cf.br ^end(%sum : vector<4xf32>)
                ^end(%y: vector<4xf32>):
                  %z = arith.mulf %y, %y : vector<4xf32>
                  return %z : vector<4xf32>
                }}"
            )
        };
        let caller = "func.func @c(%n: index, %x: vector<4xf32>) {
          func.call @a(%n, %x) : (index, vector<4xf32>) -> vector<4xf32>
          return
        }";
        let options = crate::text::PrintOptions::default();
        let all = parse(&format!("{}\n{}\n{caller}", function("a"), function("b"))).expect("the text is right");
        for (func, name) in all.funcs().into_iter().zip(["a", "b"]) {
            let (alone, ops) = all.extract(func).expect("it names nothing");
            assert_eq!(alone.symbol_name(ops[&func]), Some(name));
            assert!(crate::verify(&alone).is_empty());
            assert_eq!(print(&alone, &options), print(&parse(&function(name)).expect("the text is right"), &options));
        }
        assert!(all.extract(all.funcs()[2]).is_none());
    }
}
