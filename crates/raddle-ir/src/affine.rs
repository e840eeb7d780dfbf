//! Affine expressions and maps: integer arithmetic on dimensions and symbols.

use std::fmt;

/// An affine expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// Dimension `d<i>`.
    Dim(u32),
    /// Symbol `s<i>`.
    Sym(u32),
    /// A constant.
    Const(i64),
    /// `a + b`
    Add(Box<Expr>, Box<Expr>),
    /// `a * b`
    Mul(Box<Expr>, Box<Expr>),
    /// `a mod b`, never negative for positive `b`.
    Mod(Box<Expr>, Box<Expr>),
    /// `a floordiv b`
    FloorDiv(Box<Expr>, Box<Expr>),
    /// `a ceildiv b`
    CeilDiv(Box<Expr>, Box<Expr>),
}

/// Rounds of [`Expr::simplified`].
const SETTLE_MAX: usize = 8;

/// The operators of [`Expr`] with two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinOp {
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
}

impl Expr {
    /// Builds `lhs op rhs` in the form that MLIR gives it: constants are folded, sums and products keep what is constant
    /// on the right, and what divides evenly is divided.
    pub fn binary(op: BinOp, lhs: Expr, rhs: Expr) -> Expr {
        use Expr::Const;
        if let (Const(a), Const(b)) = (&lhs, &rhs)
            && let Some(value) = eval_binary(op, *a, *b)
        {
            return Const(value);
        }
        let simpler = match op {
            BinOp::Add => simpler_sum(&lhs, &rhs),
            BinOp::Mul => simpler_product(&lhs, &rhs),
            BinOp::Mod => simpler_remainder(&lhs, &rhs),
            BinOp::FloorDiv | BinOp::CeilDiv => simpler_quotient(op, &lhs, &rhs),
        };
        if let Some(simpler) = simpler {
            return simpler;
        }
        let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
        match op {
            BinOp::Add => Expr::Add(lhs, rhs),
            BinOp::Mul => Expr::Mul(lhs, rhs),
            BinOp::Mod => Expr::Mod(lhs, rhs),
            BinOp::FloorDiv => Expr::FloorDiv(lhs, rhs),
            BinOp::CeilDiv => Expr::CeilDiv(lhs, rhs),
        }
    }

    /// The expression that its own text reads as, and that of which, until both are one: sums are read from the left,
    /// and what stands side by side then may become simpler.
    pub fn simplified(self) -> Expr {
        let mut expr = self;
        // Each round removes a term or is the last; no sum that people write takes more than two.
        for _ in 0..SETTLE_MAX {
            let next = expr.reread();
            if next == expr {
                break;
            }
            expr = next;
        }
        expr
    }

    fn reread(&self) -> Expr {
        let two = |op, a: &Expr, b: &Expr| Expr::binary(op, a.reread(), b.reread());
        match self {
            Expr::Dim(_) | Expr::Sym(_) | Expr::Const(_) => self.clone(),
            Expr::Add(a, b) => {
                let mut terms = Vec::new();
                a.terms(&mut terms);
                b.terms(&mut terms);
                let mut terms = terms.into_iter().map(Expr::reread);
                let first = terms.next().unwrap_or(Expr::Const(0));
                terms.fold(first, |sum, term| Expr::binary(BinOp::Add, sum, term))
            }
            Expr::Mul(a, b) => two(BinOp::Mul, a, b),
            Expr::Mod(a, b) => two(BinOp::Mod, a, b),
            Expr::FloorDiv(a, b) => two(BinOp::FloorDiv, a, b),
            Expr::CeilDiv(a, b) => two(BinOp::CeilDiv, a, b),
        }
    }

    /// The terms of a sum in the order of print.
    fn terms<'e>(&'e self, out: &mut Vec<&'e Expr>) {
        match self {
            Expr::Add(a, b) => {
                a.terms(out);
                b.terms(out);
            }
            term => out.push(term),
        }
    }

    /// A number that divides every value, as large as is seen at once; 0 divides only 0.
    fn divisor(&self) -> i64 {
        match self {
            Expr::Dim(_) | Expr::Sym(_) => 1,
            Expr::Const(c) => c.checked_abs().unwrap_or(1),
            Expr::Mul(a, b) => a.divisor().checked_mul(b.divisor()).unwrap_or(1),
            Expr::Add(a, b) | Expr::Mod(a, b) => gcd(a.divisor(), b.divisor()),
            Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => match **b {
                Expr::Const(c) if c > 0 && a.divisor() % c == 0 => a.divisor() / c,
                _ => 1,
            },
        }
    }

    /// The expression with each dimension and symbol replaced.
    pub fn replaced(&self, dims: &[Expr], syms: &[Expr]) -> Expr {
        let two = |op, a: &Expr, b: &Expr| Expr::binary(op, a.replaced(dims, syms), b.replaced(dims, syms));
        match self {
            Expr::Dim(i) => dims[*i as usize].clone(),
            Expr::Sym(i) => syms[*i as usize].clone(),
            Expr::Const(value) => Expr::Const(*value),
            Expr::Add(a, b) => two(BinOp::Add, a, b),
            Expr::Mul(a, b) => two(BinOp::Mul, a, b),
            Expr::Mod(a, b) => two(BinOp::Mod, a, b),
            Expr::FloorDiv(a, b) => two(BinOp::FloorDiv, a, b),
            Expr::CeilDiv(a, b) => two(BinOp::CeilDiv, a, b),
        }
    }

    /// Whether every value is seen at once to be a multiple of a positive number.
    pub fn is_multiple(&self, of: i64) -> bool {
        self.divisor() % of == 0
    }

    /// Whether a dimension occurs.
    pub fn has_dim(&self) -> bool {
        self.names(&|_| true)
    }

    /// Whether a dimension occurs that is one of these.
    pub fn names(&self, is_one: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Expr::Dim(d) => is_one(*d as usize),
            Expr::Sym(_) | Expr::Const(_) => false,
            Expr::Add(a, b) | Expr::Mul(a, b) | Expr::Mod(a, b) | Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => {
                a.names(is_one) || b.names(is_one)
            }
        }
    }

    /// The value for the given dimensions and symbols; `None` on overflow or division by a number below 1.
    pub fn eval(&self, dims: &[i64], syms: &[i64]) -> Option<i64> {
        let two = |op, a: &Expr, b: &Expr| eval_binary(op, a.eval(dims, syms)?, b.eval(dims, syms)?);
        match self {
            Expr::Dim(i) => dims.get(*i as usize).copied(),
            Expr::Sym(i) => syms.get(*i as usize).copied(),
            Expr::Const(c) => Some(*c),
            Expr::Add(a, b) => two(BinOp::Add, a, b),
            Expr::Mul(a, b) => two(BinOp::Mul, a, b),
            Expr::Mod(a, b) => two(BinOp::Mod, a, b),
            Expr::FloorDiv(a, b) => two(BinOp::FloorDiv, a, b),
            Expr::CeilDiv(a, b) => two(BinOp::CeilDiv, a, b),
        }
    }

    /// The constant of a sum, and the factor of each of its `dims` dimensions and, behind these, symbols; those behind the
    /// last one that is in it are left out. `None` if it is not such a sum, or a number overflows.
    pub fn linear(&self, dims: usize) -> Option<(i64, Vec<i64>)> {
        let one = |operand: usize| {
            let mut factors = vec![0; operand + 1];
            factors[operand] = 1;
            Some((0, factors))
        };
        match self {
            Expr::Const(value) => Some((*value, Vec::new())),
            Expr::Dim(d) => one(*d as usize),
            Expr::Sym(s) => one(dims + *s as usize),
            Expr::Add(a, b) => {
                let ((constant, mut factors), (other, more)) = (a.linear(dims)?, b.linear(dims)?);
                factors.resize(factors.len().max(more.len()), 0);
                for (factor, more) in factors.iter_mut().zip(more) {
                    *factor = factor.checked_add(more)?;
                }
                Some((constant.checked_add(other)?, factors))
            }
            Expr::Mul(a, b) => {
                let ((x, left), (y, right)) = (a.linear(dims)?, b.linear(dims)?);
                let (factor, constant, mut factors) = match (left.is_empty(), right.is_empty()) {
                    (_, true) => (y, x, left),
                    (true, false) => (x, y, right),
                    (false, false) => return None,
                };
                for n in &mut factors {
                    *n = n.checked_mul(factor)?;
                }
                Some((constant.checked_mul(factor)?, factors))
            }
            Expr::Mod(..) | Expr::FloorDiv(..) | Expr::CeilDiv(..) => None,
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether two dimensions, or two symbols, stand in the other order than MLIR gives them.
fn out_of_order(lhs: &Expr, rhs: &Expr) -> bool {
    match (lhs, rhs) {
        (Expr::Dim(a), Expr::Dim(b)) | (Expr::Sym(a), Expr::Sym(b)) => a > b,
        _ => false,
    }
}

/// `x` and `c` of `x * c`; any other expression is itself times 1.
fn scaled(expr: &Expr) -> (&Expr, i64) {
    match expr {
        Expr::Mul(x, c) => match **c {
            Expr::Const(c) => (x, c),
            _ => (expr, 1),
        },
        _ => (expr, 1),
    }
}

fn simpler_sum(lhs: &Expr, rhs: &Expr) -> Option<Expr> {
    use Expr::{Add, Const, FloorDiv, Mul};
    let add = |a: &Expr, b: &Expr| Expr::binary(BinOp::Add, a.clone(), b.clone());
    // What has a dimension in it stands on the left, and a constant on the right.
    let moves = matches!(lhs, Const(_)) && !matches!(rhs, Const(_)) || !lhs.has_dim() && rhs.has_dim();
    if moves || out_of_order(lhs, rhs) {
        return Some(add(rhs, lhs));
    }
    match (lhs, rhs) {
        (x, Const(0)) => return Some(x.clone()),
        // (x + a) + b == x + (a + b)
        (Add(x, a), Const(b)) => {
            if let Const(a) = **a {
                return Some(add(x, &Const(a.checked_add(*b)?)));
            }
        }
        _ => {}
    }
    // x * a + x * b == x * (a + b)
    let ((x, a), (y, b)) = (scaled(lhs), scaled(rhs));
    if x == y {
        return Some(Expr::binary(BinOp::Mul, x.clone(), Const(a.checked_add(b)?)));
    }
    // (x + a) + y == (x + y) + a
    if let Add(x, a) = lhs
        && matches!(**a, Const(_))
    {
        return Some(add(&add(x, rhs), a));
    }
    // x - (x floordiv q) * q == x mod q
    if let Mul(product, c) = rhs
        && **c == Const(-1)
        && let Mul(quotient, q) = &**product
        && matches!(&**quotient, FloorDiv(x, d) if **x == *lhs && d == q)
    {
        return Some(Expr::binary(BinOp::Mod, lhs.clone(), (**q).clone()));
    }
    if let Mul(quotient, c) = rhs
        && let FloorDiv(x, d) = &**quotient
    {
        // x + (x floordiv c) * -c == x mod c
        if let (Const(c), Const(d)) = (&**c, &**d)
            && x.as_ref() == lhs
            && d.checked_neg() == Some(*c)
            && *d > 0
        {
            return Some(Expr::binary(BinOp::Mod, lhs.clone(), Const(*d)));
        }
        // The quotient joins the last term of a sum, where the two become simpler.
        if let Add(first, last) = lhs
            && let Some(joined) = simpler_sum(last, rhs)
        {
            return Some(Add(first.clone(), Box::new(joined)));
        }
    }
    None
}

fn simpler_product(lhs: &Expr, rhs: &Expr) -> Option<Expr> {
    use Expr::{Const, Mul};
    let mul = |a: &Expr, b: &Expr| Expr::binary(BinOp::Mul, a.clone(), b.clone());
    let moves = matches!(lhs, Const(_)) && !matches!(rhs, Const(_)) || !lhs.has_dim() && rhs.has_dim();
    if moves || out_of_order(lhs, rhs) {
        return Some(mul(rhs, lhs));
    }
    match (lhs, rhs) {
        (x, Const(1)) => Some(x.clone()),
        (_, Const(0)) => Some(Const(0)),
        (Mul(x, a), y) => match (&**a, y) {
            (Const(a), Const(b)) => Some(mul(x, &Const(a.checked_mul(*b)?))),
            // (x * 2) * y == (x * y) * 2
            (Const(_), y) => Some(mul(&mul(x, y), a)),
            _ => None,
        },
        _ => None,
    }
}

fn simpler_quotient(op: BinOp, lhs: &Expr, rhs: &Expr) -> Option<Expr> {
    let &Expr::Const(c) = rhs else { return (lhs == rhs).then_some(Expr::Const(1)) };
    if c < 1 {
        return None;
    }
    if c == 1 {
        return Some(lhs.clone());
    }
    match lhs {
        // x * 6 floordiv 3 == x * 2
        Expr::Mul(x, a) => match **a {
            Expr::Const(a) if a % c == 0 => Some(Expr::binary(BinOp::Mul, (**x).clone(), Expr::Const(a / c))),
            _ => None,
        },
        // What divides evenly may leave the sum.
        Expr::Add(a, b) if op == BinOp::FloorDiv && (a.divisor() % c == 0 || b.divisor() % c == 0) => {
            let part = |x: &Expr| Expr::binary(op, x.clone(), Expr::Const(c));
            Some(Expr::binary(BinOp::Add, part(a), part(b)))
        }
        _ => None,
    }
}

fn simpler_remainder(lhs: &Expr, rhs: &Expr) -> Option<Expr> {
    let &Expr::Const(c) = rhs else { return (lhs == rhs).then_some(Expr::Const(0)) };
    if c < 1 {
        return None;
    }
    if lhs.divisor() % c == 0 {
        return Some(Expr::Const(0));
    }
    let of = |x: &Expr| Expr::binary(BinOp::Mod, x.clone(), Expr::Const(c));
    match lhs {
        Expr::Add(a, b) if a.divisor() % c == 0 => Some(of(b)),
        Expr::Add(a, b) if b.divisor() % c == 0 => Some(of(a)),
        // (x mod 8) mod 4 == x mod 4
        Expr::Mod(x, d) => match **d {
            Expr::Const(d) if d > 0 && d % c == 0 => Some(of(x)),
            _ => None,
        },
        _ => None,
    }
}

/// Floor division and its relatives with the meaning that affine maps give them.
fn eval_binary(op: BinOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Mod => (b > 0).then(|| a.rem_euclid(b)),
        BinOp::FloorDiv => (b > 0).then(|| a.div_euclid(b)),
        BinOp::CeilDiv => (b > 0).then(|| a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0)),
    }
}

/// `(d0, …)[s0, …] -> (results)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Map {
    /// The number of dimensions.
    pub dims: u32,
    /// The number of symbols.
    pub syms: u32,
    /// One expression for each result.
    pub results: Vec<Expr>,
}

impl Map {
    /// `(d0, …, dn-1) -> (d0, …, dn-1)`.
    pub fn identity(n: usize) -> Map {
        Map::of_dims(n, &(0..n).collect::<Vec<_>>())
    }

    /// The map whose results are the given dimensions out of `n`.
    pub fn of_dims(n: usize, results: &[usize]) -> Map {
        assert!(results.iter().all(|&d| d < n), "a result names a dimension that the map does not have");
        Map { dims: n as u32, syms: 0, results: results.iter().map(|&d| Expr::Dim(d as u32)).collect() }
    }

    /// The dimensions that the results name, if every result is a plain dimension.
    pub fn as_dims(&self) -> Option<Vec<usize>> {
        self.results
            .iter()
            .map(|expr| match expr {
                Expr::Dim(d) => Some(*d as usize),
                _ => None,
            })
            .collect()
    }

    /// Whether the map is `(d0, …) -> (d0, …)`, whatever symbols it has.
    pub fn is_identity(&self) -> bool {
        self.results.len() == self.dims as usize
            && self.as_dims().is_some_and(|dims| dims.iter().enumerate().all(|(i, &d)| i == d))
    }

    /// The values of all results.
    pub fn eval(&self, dims: &[i64], syms: &[i64]) -> Option<Vec<i64>> {
        self.results.iter().map(|expr| expr.eval(dims, syms)).collect()
    }
}

/// How tightly an expression binds, for brackets in print.
fn precedence(expr: &Expr) -> u8 {
    match expr {
        Expr::Add(..) => 0,
        Expr::Mul(..) | Expr::Mod(..) | Expr::FloorDiv(..) | Expr::CeilDiv(..) => 1,
        Expr::Dim(_) | Expr::Sym(_) | Expr::Const(_) => 2,
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |f: &mut fmt::Formatter<'_>, expr: &Expr, least: u8| {
            if precedence(expr) < least { write!(f, "({expr})") } else { write!(f, "{expr}") }
        };
        let two = |f: &mut fmt::Formatter<'_>, a: &Expr, op: &str, b: &Expr| {
            side(f, a, 2)?;
            write!(f, " {op} ")?;
            side(f, b, 2)
        };
        match self {
            Expr::Dim(i) => write!(f, "d{i}"),
            Expr::Sym(i) => write!(f, "s{i}"),
            Expr::Const(c) => write!(f, "{c}"),
            Expr::Add(a, b) => {
                write!(f, "{a}")?;
                // MLIR prints x + y * -1 as x - y, and x + -3 as x - 3.
                match &**b {
                    Expr::Const(c) if *c < 0 => write!(f, " - {}", c.unsigned_abs()),
                    Expr::Mul(y, c) if **c == Expr::Const(-1) => {
                        write!(f, " - ")?;
                        side(f, y, 1)
                    }
                    Expr::Mul(y, c) if matches!(**c, Expr::Const(i64::MIN..-1)) => {
                        let Expr::Const(c) = **c else { return Ok(()) };
                        write!(f, " - ")?;
                        side(f, y, 2)?;
                        write!(f, " * {}", c.unsigned_abs())
                    }
                    b => write!(f, " + {b}"),
                }
            }
            Expr::Mul(a, b) if **b == Expr::Const(-1) => {
                write!(f, "-")?;
                side(f, a, 2)
            }
            Expr::Mul(a, b) => two(f, a, "*", b),
            Expr::Mod(a, b) => two(f, a, "mod", b),
            Expr::FloorDiv(a, b) => two(f, a, "floordiv", b),
            Expr::CeilDiv(a, b) => two(f, a, "ceildiv", b),
        }
    }
}

impl fmt::Display for Map {
    /// `(d0, d1)[s0] -> (d0 + s0, d1)`, without the `affine_map<…>` around it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |prefix: char, n: u32| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
        write!(f, "({})", list('d', self.dims))?;
        if self.syms > 0 {
            write!(f, "[{}]", list('s', self.syms))?;
        }
        let results: Vec<String> = self.results.iter().map(Expr::to_string).collect();
        write!(f, " -> ({})", results.join(", "))
    }
}
