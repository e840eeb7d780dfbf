//! Random jumps between blocks: forward, around a diamond, back to a loop's head, and to one of several cases.

use super::{Program, Value};

impl Program {
    /// Control flow of several blocks; where a region may have one block only, inside of `scf.execute_region`.
    pub(super) fn jumps(&mut self, depth: usize) {
        let (a, b) = (self.any(), self.any());
        if self.many_blocks {
            let (a, b) = self.jump(depth, &a, &b);
            self.keep(b);
            self.keep(a);
            return;
        }
        let (result, types) = (self.name(), format!("{}, {}", a.ty(), b.ty()));
        self.line(&format!("{result}:2 = scf.execute_region -> ({types}) {{"));
        self.region(|program| {
            program.many_blocks = true;
            let (a, b) = program.jump(depth, &a, &b);
            format!("scf.yield {}, {} : {types}", a.name, b.name)
        });
        self.line("}");
        self.keep(Value { name: format!("{result}#1"), ..b });
        self.keep(Value { name: format!("{result}#0"), ..a });
    }

    /// Goes some way to a block that takes two values, and returns them.
    fn jump(&mut self, depth: usize, a: &Value, b: &Value) -> (Value, Value) {
        match self.rng.below(4) {
            0 => self.around(depth, a, b),
            1 => self.diamond(depth, a, b),
            2 => self.cases(depth, a, b),
            _ => self.back(depth, a, b),
        }
    }

    fn label(&mut self) -> String {
        self.n_names += 1;
        format!("^b{}", self.n_names)
    }

    /// Opens a block that takes values like these.
    fn open(&mut self, label: &str, a: &Value, b: &Value) -> (Value, Value) {
        let [a, b] = [a, b].map(|like| Value { name: self.name(), ..like.clone() });
        self.line(&format!("{label}({} : {}, {} : {}):", a.name, a.ty(), b.name, b.ty()));
        (a, b)
    }

    /// What a jump to a block passes on: values like these.
    fn to(&mut self, label: &str, a: &Value, b: &Value) -> String {
        let (a, b) = (self.like(a), self.like(b));
        format!("{label}({}, {} : {}, {})", a.name, b.name, a.ty(), b.ty())
    }

    /// A block that takes two values or nothing, does something, and goes on to `join`.
    fn arm(&mut self, depth: usize, label: &str, takes: bool, a: &Value, b: &Value, join: &str) {
        if takes {
            let (a, b) = self.open(label, a, b);
            self.region(|program| {
                program.keep(b.clone());
                program.keep(a.clone());
                program.arm_body(depth, &a, &b, join)
            });
        } else {
            self.line(&format!("{label}:"));
            self.region(|program| program.arm_body(depth, a, b, join));
        }
    }

    fn arm_body(&mut self, depth: usize, a: &Value, b: &Value, join: &str) -> String {
        // The region that this block is in has others.
        self.many_blocks = true;
        let n = self.rng.below(4);
        self.statements(n, depth + 1);
        format!("cf.br {}", self.to(join, a, b))
    }

    /// Over a block, or through it.
    fn around(&mut self, depth: usize, a: &Value, b: &Value) -> (Value, Value) {
        let (condition, through, join) = (self.flag(), self.label(), self.label());
        let over = self.to(&join, a, b);
        self.line(&format!("cf.cond_br {condition}, {through}, {over}"));
        self.arm(depth, &through, false, a, b, &join);
        self.open(&join, a, b)
    }

    /// Through one of two blocks; either may take values.
    fn diamond(&mut self, depth: usize, a: &Value, b: &Value) -> (Value, Value) {
        let (condition, join) = (self.flag(), self.label());
        let sides = [self.label(), self.label()].map(|label| (label, self.rng.chance(50)));
        let targets = sides.clone().map(|(label, takes)| if takes { self.to(&label, a, b) } else { label });
        self.line(&format!("cf.cond_br {condition}, {}, {}", targets[0], targets[1]));
        for (label, takes) in &sides {
            self.arm(depth, label, *takes, a, b, &join);
        }
        self.open(&join, a, b)
    }

    /// Through one of several blocks by a number, or straight on.
    fn cases(&mut self, depth: usize, a: &Value, b: &Value) -> (Value, Value) {
        let (number, join) = (self.number(), self.label());
        let flag = self.define(&format!("arith.index_cast {number} : index to i32"));
        let n = 1 + self.rng.below(3);
        let sides: Vec<(String, bool)> = (0..n).map(|_| (self.label(), self.rng.chance(50))).collect();
        let mut ways = vec![format!("default: {}", self.to(&join, a, b))];
        for (i, (label, takes)) in sides.iter().enumerate() {
            let to = if *takes { self.to(label, a, b) } else { label.clone() };
            ways.push(format!("{}: {to}", [0, 7, -2][i]));
        }
        self.line(&format!("cf.switch {flag} : i32, [{}]", ways.join(", ")));
        for (label, takes) in &sides {
            self.arm(depth, label, *takes, a, b, &join);
        }
        self.open(&join, a, b)
    }

    /// A loop: its head tests, its body goes back. What the head computes is there in the body and behind the loop.
    fn back(&mut self, depth: usize, a: &Value, b: &Value) -> (Value, Value) {
        let [head, body, join] = [(); 3].map(|()| self.label());
        let iv = self.name();
        let end = if self.rng.chance(70) { "%c2".to_owned() } else { self.position(4) };
        let types = format!("{}, {}", a.ty(), b.ty());
        let first = (self.like(a), self.like(b));
        self.line(&format!("cf.br {head}(%c0, {}, {} : index, {types})", first.0.name, first.1.name));
        let [acc, other] = [a, b].map(|like| Value { name: self.name(), ..like.clone() });
        self.line(&format!("{head}({iv} : index, {} : {}, {} : {}):", acc.name, acc.ty(), other.name, other.ty()));
        self.keep(other);
        self.keep(acc);
        let n = self.rng.below(3);
        // No blocks of its own: what it computes is used behind it.
        self.many_blocks = false;
        self.statements(n, depth + 1);
        self.many_blocks = true;
        let again = self.define(&format!("arith.cmpi slt, {iv}, {end} : index"));
        let out = self.to(&join, a, b);
        self.line(&format!("cf.cond_br {again}, {body}, {out}"));
        self.line(&format!("{body}:"));
        self.region(|program| {
            program.many_blocks = true;
            program.counters.push(iv.clone());
            let n = 1 + program.rng.below(3);
            program.statements(n, depth + 1);
            let next = program.define(&format!("arith.addi {iv}, %c1 : index"));
            let (a, b) = (program.like(a), program.like(b));
            format!("cf.br {head}({next}, {}, {} : index, {types})", a.name, b.name)
        });
        self.open(&join, a, b)
    }
}
