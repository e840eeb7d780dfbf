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
    /// Builds `lhs op rhs`, folding what is constant and the neutral elements.
    pub fn binary(op: BinOp, lhs: Expr, rhs: Expr) -> Expr {
        use Expr::Const;
        if let (Const(a), Const(b)) = (&lhs, &rhs)
            && let Some(value) = eval_binary(op, *a, *b)
        {
            return Const(value);
        }
        // What has a dimension in it stands on the left.
        let (lhs, rhs) = match op {
            BinOp::Add | BinOp::Mul if !lhs.has_dim() && rhs.has_dim() => (rhs, lhs),
            _ => (lhs, rhs),
        };
        match (op, lhs, rhs) {
            // x + 0 == x; constants stand on the right.
            (BinOp::Add, x, Const(0)) | (BinOp::Add, Const(0), x) => x,
            (BinOp::Add, Const(c), x) => Expr::Add(Box::new(x), Box::new(Const(c))),
            // x * 1 == x, x * 0 == 0.
            (BinOp::Mul, x, Const(1)) | (BinOp::Mul, Const(1), x) => x,
            (BinOp::Mul, _, Const(0)) | (BinOp::Mul, Const(0), _) => Const(0),
            (BinOp::Mul, Const(c), x) => Expr::Mul(Box::new(x), Box::new(Const(c))),
            // x mod 1 == 0, x floordiv 1 == x ceildiv 1 == x.
            (BinOp::Mod, _, Const(1)) => Const(0),
            (BinOp::FloorDiv | BinOp::CeilDiv, x, Const(1)) => x,
            (BinOp::Add, x, y) => Expr::Add(Box::new(x), Box::new(y)),
            (BinOp::Mul, x, y) => Expr::Mul(Box::new(x), Box::new(y)),
            (BinOp::Mod, x, y) => Expr::Mod(Box::new(x), Box::new(y)),
            (BinOp::FloorDiv, x, y) => Expr::FloorDiv(Box::new(x), Box::new(y)),
            (BinOp::CeilDiv, x, y) => Expr::CeilDiv(Box::new(x), Box::new(y)),
        }
    }

    /// Whether a dimension occurs.
    pub fn has_dim(&self) -> bool {
        match self {
            Expr::Dim(_) => true,
            Expr::Sym(_) | Expr::Const(_) => false,
            Expr::Add(a, b) | Expr::Mul(a, b) | Expr::Mod(a, b) | Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => {
                a.has_dim() || b.has_dim()
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

    /// Whether the map is `(d0, …) -> (d0, …)`.
    pub fn is_identity(&self) -> bool {
        self.syms == 0
            && self.results.len() == self.dims as usize
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
