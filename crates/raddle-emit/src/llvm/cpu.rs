//! The dialect of CPUs: a workgroup is one thread, the grid is loops around it, and what GPUs share lies on the stack.
//!
//! A kernel is a function of C, which computes all workgroups: `NAME$part` computes those whose numbers lie in a range.
//! `NAME$packed` takes the same arguments by one array, and such a range, for programs that learn the signature when they
//! run: a pointer to each buffer, and to each scalar.

use raddle_ir::affine::BinOp;
use raddle_ir::{Diag, Expr, Ir, OpId, Opcode, ValueId};
use raddle_target::{Chip, Dot, Mma};

use super::convert::resize_int;
use super::dialect::{Dialect, Intrinsic, Source};
use super::memory::{LINE, WHOLE_LINES};
use super::module::{Instructions, expression_in, expression_of};
use super::value::{Cx, Label};
use crate::kernel;

/// A core; the triple and the processor are the chip's.
pub(super) static DIALECT: Dialect = Dialect {
    triple: "x86_64-unknown-linux-gnu",
    convention: "",
    global: 0,
    shared: 0,
    shared_is_global: false,
    thread_id,
    block_id,
    device_scope: "",
    workgroup_scope: "",
    barrier: None,
    shared_fence: "!{}",
    approximations: &[],
    module_flags: &["!{i32 8, !\"PIC Level\", i32 2}"],
    lane: |_| "0".to_owned(),
    fetch: |_, word, _: Source<'_>| word.to_owned(),
    ballot: |_, bit| bit.to_owned(),
    settle: |_, _, _| None,
    matrix,
    attributes,
};

/// The same for another architecture.
pub(super) static ARM: Dialect = Dialect { triple: "aarch64-unknown-linux-gnu", ..DIALECT };

/// What LLVM calls the processor.
pub(super) fn processor(chip: &'static Chip) -> &'static str {
    match chip.name {
        "aarch64" => "generic",
        "x86-64-v4-vnni" | "x86-64-v4-bf16" | "x86-64-v4-amx" => "x86-64-v4",
        name => name,
    }
}

/// Words of C and C++, and what stands outside of all functions of a program.
const WORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const \
    const_cast constexpr continue decltype default delete do double dynamic_cast else enum explicit export extern false \
    float for friend goto if inline int long main mutable namespace new noexcept not not_eq nullptr operator or or_eq \
    private protected public register reinterpret_cast requires restrict return short signed sizeof static static_assert \
    static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using \
    virtual void volatile wchar_t while xor xor_eq";

/// Functions of C's library on floats; those on `float` and `long double` have a letter more.
const MATH: &str = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 \
    fabs fdim floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 \
    logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round roundeven scalb \
    scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn cabs cacos cacosh carg casin casinh \
    catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh csqrt ctan ctanh";

/// Others of C's library that compilers know or that LLVM calls.
const LIBRARY: &str = "abort abs alloca atexit bcmp bcopy bzero calloc exit fprintf fputc fputs free fwrite getenv index \
    isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit labs llabs \
    imaxabs malloc memchr memcmp memcpy memmove mempcpy memset posix_memalign printf putchar puts rand read realloc \
    rindex scanf signbit snprintf sprintf sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strdup \
    strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr time toascii tolower \
    toupper vfprintf vprintf vscanf vsnprintf vsprintf vsscanf write";

/// Plain words of POSIX and C's library beside these, which lie in the same file: a program would call the kernel instead.
const SYSTEM: &str = "accept access acct alarm atof atoi basename bind brk bsearch chdir chmod chown clock clone close \
    connect creat crypt ctime daemon difftime dirname div dup dup2 encrypt environ errno exec execl execv execve fclose \
    fcntl ffs ffsl fileno flock flockfile fopen fork fread free fseek fstat ftell ftw getc getpid gets glob gmtime \
    hcreate hsearch insque ioctl kill ldiv lfind link listen localtime lockf lsearch lseek mblen mkdir mktime mmap mount \
    mprotect munmap nice open openat optarg optind pause perror pipe poll pread prctl profil putc pwrite qsort quick_exit \
    raise random readlink reboot recv remove remque rename rewind rmdir sbrk seed48 select send setenv setjmp shutdown \
    sigaction signal sleep socket splice srand srandom stat stderr stdin stdout stime strtod strtof strtol swab symlink \
    sync syscall sysconf sysinfo system tdelete tee tempnam tfind times tmpfile truncate tsearch ttyname twalk umask \
    umount uname ungetc unlink utime vfork wait waitpid wctomb";

/// Whether a name may be that of a function beside another one.
pub(super) fn is_beside(name: &str) -> bool {
    ["_parallel", "_initialize", "_workspace_bytes"].iter().any(|ending| name.ends_with(ending))
}

/// Whether C has another meaning for a name. Those with an underscore in front are its own altogether.
pub(super) fn is_taken(name: &str) -> bool {
    let is_one_of = |list: &str, name: &str| list.split_ascii_whitespace().any(|taken| taken == name);
    let shorter = name.strip_suffix(['f', 'l']);
    name.starts_with('_')
        || is_one_of(WORDS, name)
        || is_one_of(LIBRARY, name)
        || is_one_of(SYSTEM, name)
        || [Some(name), shorter].into_iter().flatten().any(|name| is_one_of(MATH, name))
}

fn thread_id(_: &mut Cx<'_>, _: &str) -> String {
    "0".to_owned()
}

fn block_id(cx: &mut Cx<'_>, dim: &str) -> String {
    let at = ["x", "y", "z"].iter().position(|&name| name == dim).expect("a grid has three dimensions");
    cx.workgroup[at].clone()
}

fn matrix(cx: &Cx<'_>, op: OpId, _: &Mma) -> Result<Intrinsic, Diag> {
    Err(cx.cannot(op, "the machine has no matrix instructions"))
}

fn attributes(cx: &Cx<'_>, _: Option<u32>) -> String {
    let chip = cx.lowered.chip();
    let bits = 32 * chip.native.map_or(4, |native| native.lanes);
    let features = if chip.native.is_some_and(|native| native.tiles) {
        " \"target-features\"=\"+avx512vnni,+avx512bf16,+amx-tile,+amx-int8,+amx-bf16\""
    } else if has(chip, Dot::Bf16) {
        " \"target-features\"=\"+avx512vnni,+avx512bf16\""
    } else if has(chip, Dot::Bytes) {
        " \"target-features\"=\"+avx512vnni\""
    } else {
        ""
    };
    format!("\"target-cpu\"=\"{}\"{features} \"prefer-vector-width\"=\"{bits}\"", processor(chip))
}

/// Whether a chip adds such products.
fn has(chip: &Chip, dot: Dot) -> bool {
    chip.native.is_some_and(|native| native.dots.contains(&dot))
}

/// Whether a maximum or minimum is that of AVX-512's registers. Of constants LLVM knows that they are no NaN.
pub(super) fn ranges(cx: &Cx<'_>, ty: &str, operands: &[String]) -> bool {
    let has = cx.lowered.chip().native.is_some_and(|native| native.machine == "avx512");
    has && matches!(ty, "<16 x float>" | "<8 x double>") && operands.iter().all(|name| name.starts_with('%'))
}

/// The maximum or minimum of two registers: `vrangeps` knows that 0 is more than -0, and gives the number where the other
/// operand is NaN (Intel SDM, volume 2); a sum is NaN where one is. LLVM 19 takes six instructions for the three.
pub(super) fn range(cx: &mut Cx<'_>, ty: &str, operands: &[String], most: bool) -> String {
    let (kind, mask) = if ty == "<16 x float>" { ("ps", "i16") } else { ("pd", "i8") };
    // The sign is that of what the comparison chooses.
    let choice = 4 + i32::from(most);
    let [a, b] = [0, 1].map(|at| format!("{ty} {}", operands[at]));
    let all = [a, b, format!("i32 {choice}"), format!("{ty} poison"), format!("{mask} -1"), "i32 4".to_owned()];
    let chosen = cx.call(ty, &format!("llvm.x86.avx512.mask.range.{kind}.512"), &all);
    let list = operands.join(", ");
    let sum = cx.compute(&format!("fadd {ty} {list}"));
    let none = cx.compute(&format!("fcmp uno {ty} {list}"));
    let flags = ty.replace("float", "i1").replace("double", "i1");
    cx.compute(&format!("select {flags} {none}, {ty} {sum}, {ty} {chosen}"))
}

/// `raddle.byte_dot`
pub(super) fn byte_dot(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (result, chip) = (cx.ir.result(op, 0), cx.lowered.chip());
    let ty = cx.type_of(result);
    if !has(chip, Dot::Bytes) || ty != "<16 x i32>" {
        return Err(cx.cannot(op, &format!("{} has no instruction for it on `{ty}`", chip.name)));
    }
    // The intrinsic has the sum first.
    let operands = [2, 0, 1].map(|at| format!("{ty} {}", cx.val(cx.ir.operand(op, at))));
    let name = cx.call(&ty, "llvm.x86.avx512.vpdpbusd.512", &operands);
    cx.bind(result, name);
    Ok(())
}

/// `raddle.pair_dot`
pub(super) fn pair_dot(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (result, chip) = (cx.ir.result(op, 0), cx.lowered.chip());
    let ty = cx.type_of(result);
    if !has(chip, Dot::Bf16) || ty != "<16 x float>" {
        return Err(cx.cannot(op, &format!("{} has no instruction for it on `{ty}`", chip.name)));
    }
    let pairs = [0, 1].map(|at| {
        let (words, from) = (cx.val(cx.ir.operand(op, at)), cx.type_of(cx.ir.operand(op, at)));
        let pairs = cx.compute(&format!("bitcast {from} {words} to <32 x bfloat>"));
        format!("<32 x bfloat> {pairs}")
    });
    let sum = format!("{ty} {}", cx.val(cx.ir.operand(op, 2)));
    let [a, b] = pairs;
    let name = cx.call(&ty, "llvm.x86.avx512bf16.dpbf16ps.512", &[sum, a, b]);
    cx.bind(result, name);
    Ok(())
}

/// `raddle.short_dot`
pub(super) fn short_dot(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (result, chip) = (cx.ir.result(op, 0), cx.lowered.chip());
    let ty = cx.type_of(result);
    let (n, name) = match &ty[..] {
        "<8 x i32>" if has(chip, Dot::Shorts) => (16, "llvm.x86.avx2.pmadd.wd"),
        "<16 x i32>" if has(chip, Dot::Shorts) => (32, "llvm.x86.avx512.pmaddw.d.512"),
        _ => return Err(cx.cannot(op, &format!("{} has no instruction for it on `{ty}`", chip.name))),
    };
    let mut factors = Vec::new();
    for at in [0, 1] {
        let words = cx.ir.operand(op, at);
        let (value, from) = (cx.val(words), cx.type_of(words));
        let shorts = if from == ty {
            cx.compute(&format!("bitcast {from} {value} to <{n} x i16>"))
        } else if from == format!("<{} x i16>", n / 2) {
            let bytes = cx.compute(&format!("bitcast {from} {value} to <{n} x i8>"));
            cx.compute(&format!("sext <{n} x i8> {bytes} to <{n} x i16>"))
        } else {
            return Err(cx.cannot(op, &format!("its words are of 32 or 16 bits, and here `{from}`")));
        };
        factors.push(format!("<{n} x i16> {shorts}"));
    }
    let products = cx.call(&ty, name, &factors);
    let sum = cx.val(cx.ir.operand(op, 2));
    let sum = cx.compute(&format!("add {ty} {products}, {sum}"));
    cx.bind(result, sum);
    Ok(())
}

/// Whether a kernel checks indices while it runs.
pub(crate) fn checks_indices(ir: &Ir, func: OpId) -> bool {
    ir.walk(func).into_iter().any(|op| ir.opcode(op) == Opcode::RaddleCheckIndex)
}

/// `raddle.check_index`: where the index is outside, the call ends.
pub(super) fn check_index(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (Some(fault), Some(done)) = (cx.fault.clone(), cx.grid_end) else {
        return Err(cx.cannot(op, "only CPUs check indices while code runs"));
    };
    let ty = cx.type_of(cx.ir.operand(op, 0));
    let [index, extent] = [0, 1].map(|at| cx.val(cx.ir.operand(op, at)));
    // An index below 0 is a large one without sign, and extents are not below 0.
    let inside = cx.compute(&format!("icmp ult {ty} {index}, {extent}"));
    let (outside, next) = (cx.new_block(), cx.new_block());
    cx.branch(&inside, next, outside);
    cx.begin(outside);
    let [index, extent] = [index, extent].map(|name| resize_int(cx, &name, &ty, "i64", true));
    let dim = cx.ir.attr(op, "dimension").and_then(|attr| attr.as_i64()).unwrap_or_default();
    let at = cx.ir.span(op).start;
    let line = match &cx.options.source {
        Some(text) => 1 + text.bytes().take(at as usize).filter(|&byte| byte == b'\n').count(),
        None => at as usize,
    };
    let callee = format!("{}$fault", cx.entry);
    cx.inst(&format!("call void @{callee}(ptr {fault}, i64 {index}, i64 {extent}, i32 {dim}, i32 {line})"));
    cx.jump(done);
    cx.begin(next);
    Ok(())
}

/// What a kernel that checks indices has beside it: its name, and the function that leaves what was outside, if nobody has
/// left anything yet. The members are those of `struct raddle_fault`: a pointer, two numbers of 64 bits and two of 32.
pub(super) fn fault(name: &str) -> String {
    let mut code = format!(
        "\n@{name}$name = private unnamed_addr constant [{} x i8] c\"{name}\\00\"\n\
         \ndefine internal void @{name}$fault(ptr %fault, i64 %index, i64 %extent, i32 %dimension, i32 %line) cold noinline nounwind {{\n  \
         %old = cmpxchg ptr %fault, ptr null, ptr @{name}$name monotonic monotonic\n  \
         %first = extractvalue {{ ptr, i1 }} %old, 1\n  br i1 %first, label %tell, label %end\n\ntell:\n",
        name.len() + 1
    );
    for (at, member) in ["i64 %index", "i64 %extent", "i32 %dimension", "i32 %line"].into_iter().enumerate() {
        let place = [8, 16, 24, 28][at];
        code.push_str(&format!("  %p{at} = getelementptr i8, ptr %fault, i64 {place}\n  store {member}, ptr %p{at}\n"));
    }
    code.push_str("  br label %end\n\nend:\n  ret void\n}\n");
    code
}

/// How many workgroups there are along x, y and z, as expressions of the parameters.
fn extents(cx: &Cx<'_>, func: OpId) -> Result<Vec<Expr>, Diag> {
    let known = cx.ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| cx.ir.ints(attr));
    match known {
        Some(known) => Ok(known.into_iter().map(Expr::Const).collect()),
        None => match kernel::grid_exprs(cx.ir, func)? {
            Some(extents) => Ok(extents),
            // Whoever does not ask for its number is alone.
            None if !cx.ir.walk(func).into_iter().any(|op| cx.ir.opcode(op) == Opcode::GpuBlockId) => Ok(Vec::new()),
            None => Err(cx
                .cannot(func, "nothing says how many workgroups there are")
                .help("state `gpu.known_grid_size = array<i32: x, y, z>` on the function")),
        },
    }
}

/// Opens the loops over the workgroups, x innermost; says where a workgroup goes when it is done.
pub(super) fn open_grid(cx: &mut Cx<'_>, func: OpId, types: &[String]) -> Result<Label, Diag> {
    let ty = cx.scalar_type(raddle_ir::Scalar::Index);
    let extents = extents(cx, func)?;
    let done = cx.new_block();
    let mut counts = Vec::new();
    for at in 0..3 {
        let extent = extents.get(at).unwrap_or(&Expr::Const(1));
        let parameter = |cx: &mut Cx<'_>, number: u32| {
            let name = format!("%arg{number}");
            resize_int(cx, &name, &types[number as usize], "i64", true)
        };
        counts.push(expression_in(cx, func, extent, &parameter)?);
    }
    let [x, y, z] = [&counts[0], &counts[1], &counts[2]];
    // Rows of workgroups along x, and the part of a row that is in the range.
    let total = multiply(cx, x, y);
    let total = multiply(cx, &total, z);
    let last = least(cx, LAST, &total);
    let row = at_least_one(cx, x);
    let (mut around, mut ids) = (done, [FIRST.to_owned(), "0".to_owned(), "0".to_owned()]);
    let (mut from, mut to) = (FIRST.to_owned(), last.clone());
    if y != "1" || z != "1" {
        let first_row = cx.compute(&format!("udiv i64 {FIRST}, {row}"));
        let raised = cx.compute(&format!("add i64 {last}, {row}"));
        let raised = cx.compute(&format!("sub i64 {raised}, 1"));
        let last_row = cx.compute(&format!("udiv i64 {raised}, {row}"));
        let number;
        (number, around) = open_loop(cx, &first_row, &last_row, around);
        let start = cx.compute(&format!("mul i64 {number}, {row}"));
        from = cx.compute(&format!("sub i64 {FIRST}, {start}"));
        let before = cx.compute(&format!("icmp slt i64 {from}, 0"));
        from = cx.compute(&format!("select i1 {before}, i64 0, i64 {from}"));
        to = cx.compute(&format!("sub i64 {last}, {start}"));
        to = least(cx, &to, x);
        if z == "1" {
            ids[1] = number;
        } else {
            let column = at_least_one(cx, y);
            ids[1] = cx.compute(&format!("urem i64 {number}, {column}"));
            ids[2] = cx.compute(&format!("udiv i64 {number}, {column}"));
        }
    }
    (ids[0], around) = open_loop(cx, &from, &to, around);
    for (at, id) in ids.into_iter().enumerate() {
        cx.workgroup[at] = if id.starts_with('%') { resize_int(cx, &id, "i64", &ty, true) } else { id };
    }
    cx.grid_end = Some(done);
    Ok(around)
}

/// Opens a loop that counts; its number, and where an iteration ends.
fn open_loop(cx: &mut Cx<'_>, from: &str, to: &str, around: Label) -> (String, Label) {
    let (top, body, next) = (cx.new_block(), cx.new_block(), cx.new_block());
    let counter = cx.phi(top, "i64".to_owned());
    cx.give(top, vec![from.to_owned()]);
    cx.jump(top);
    cx.begin(top);
    let more = cx.compute(&format!("icmp slt i64 {counter}, {to}"));
    cx.branch(&more, body, around);
    cx.begin(next);
    let step = cx.compute(&format!("add nuw nsw i64 {counter}, 1"));
    cx.give(top, vec![step]);
    cx.jump(top);
    cx.begin(body);
    (counter, next)
}

fn multiply(cx: &mut Cx<'_>, a: &str, b: &str) -> String {
    match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(a), Ok(b)) => a.saturating_mul(b).to_string(),
        (Ok(1), _) => b.to_owned(),
        (_, Ok(1)) => a.to_owned(),
        _ => cx.compute(&format!("mul i64 {a}, {b}")),
    }
}

fn least(cx: &mut Cx<'_>, a: &str, b: &str) -> String {
    let less = cx.compute(&format!("icmp slt i64 {a}, {b}"));
    cx.compute(&format!("select i1 {less}, i64 {a}, i64 {b}"))
}

/// An extent to divide by: where there are no workgroups, nothing is divided.
fn at_least_one(cx: &mut Cx<'_>, extent: &str) -> String {
    match extent.parse::<i64>() {
        Ok(extent) => extent.max(1).to_string(),
        Err(_) => {
            let some = cx.compute(&format!("icmp sgt i64 {extent}, 1"));
            cx.compute(&format!("select i1 {some}, i64 {extent}, i64 1"))
        }
    }
}

/// Ends the function behind its loops.
pub(super) fn close_grid(cx: &mut Cx<'_>) {
    let done = cx.grid_end.take().expect("the loops were opened");
    cx.begin(done);
    if cx.past_caches {
        // Whoever is told that the call is over sees what it has written.
        cx.call("void", "llvm.x86.sse.sfence", &[]);
    }
    cx.inst("ret void");
}

/// The parameters of a function that computes part of the workgroups, behind those of the kernel.
pub(super) const RANGE: &str = "i64 %first, i64 %last";
const FIRST: &str = "%first";
const LAST: &str = "%last";

/// The type of a parameter, without what is known of the value.
fn plain(ty: &str) -> &str {
    ty.split(' ').next().unwrap_or(ty)
}

/// The function that lets the caller's threads compute the workgroups: `NAME_parallel` has the parameters of `NAME`, and the
/// address of a `struct raddle_threads`, of which it calls the first member with the second.
pub(super) fn parallel(cx: &Cx<'_>, func: OpId, name: &str, types: &[String]) -> Result<String, Diag> {
    let mut out = Straight::new(types.iter().map(|ty| plain(ty).to_owned()));
    let mut params: Vec<String> = out.symbols.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
    params.push(format!("ptr {THREADS}"));
    let n = types.len().max(1);
    out.inst(&format!("%args = alloca [{n} x ptr], align 16"));
    for (at, ty) in types.iter().map(|ty| plain(ty)).enumerate() {
        let place = out.compute(&format!("getelementptr ptr, ptr %args, i64 {at}"));
        let address = match ty {
            "ptr" => format!("%arg{at}"),
            ty => {
                let slot = out.compute(&format!("alloca {ty}, align 8"));
                out.inst(&format!("store {ty} %arg{at}, ptr {slot}"));
                slot
            }
        };
        out.inst(&format!("store ptr {address}, ptr {place}"));
    }
    let total = extents(cx, func)?.into_iter().fold(Expr::Const(1), |n, extent| Expr::binary(BinOp::Mul, n, extent));
    let total = expression_of(&mut out, &total);
    let total = total.ok_or_else(|| cx.cannot(func, "the number of workgroups is one of the parameters'"))?;
    let run = out.compute(&format!("load ptr, ptr {THREADS}"));
    let second = out.compute(&format!("getelementptr ptr, ptr {THREADS}, i64 1"));
    let context = out.compute(&format!("load ptr, ptr {second}"));
    out.inst(&format!("call void {run}(ptr {context}, ptr @{name}$packed, ptr %args, i64 {total})"));
    let (list, code) = (params.join(", "), out.code);
    Ok(format!("\ndefine void @{}({list}) nounwind {{\n{code}  ret void\n}}\n", super::parallel_name(name)))
}

/// The caller's threads.
pub(super) const THREADS: &str = "%threads";

/// A function without branches.
#[derive(Clone)]
pub(super) struct Straight {
    pub code: String,
    n_values: usize,
    /// The type and the name of each symbol.
    pub symbols: Vec<(String, String)>,
}

impl Straight {
    /// No instructions yet, of parameters of these types.
    pub fn new(types: impl Iterator<Item = String>) -> Straight {
        let symbols = types.enumerate().map(|(at, ty)| (ty, format!("%arg{at}"))).collect();
        Straight { code: String::new(), n_values: 0, symbols }
    }

    pub fn inst(&mut self, inst: &str) {
        self.code.push_str("  ");
        self.code.push_str(inst);
        self.code.push('\n');
    }
}

impl Instructions for Straight {
    fn compute(&mut self, inst: &str) -> String {
        let name = format!("%v{}", self.n_values);
        self.n_values += 1;
        self.inst(&format!("{name} = {inst}"));
        name
    }

    fn symbol(&mut self, symbol: u32) -> String {
        let (ty, name) = self.symbols[symbol as usize].clone();
        if ty == "i64" { name } else { self.compute(&format!("sext {ty} {name} to i64")) }
    }
}

/// The arguments that a kernel writes by whole lines, past the caches, where they begin at one.
pub(super) fn written_by_lines(ir: &Ir, func: OpId) -> Vec<usize> {
    let args = ir.args(ir.entry(func));
    let writes = |arg: ValueId| {
        let is_it = |op: OpId| ir.opcode(op) == Opcode::VectorStore && ir.attr_id(op, WHOLE_LINES).is_some();
        ir.uses(arg).any(|(user, at)| at == 1 && is_it(user))
    };
    (0..args.len()).filter(|&number| writes(args[number])).collect()
}

/// The function that computes part of the workgroups of such a kernel: by one of two, as its arguments begin.
pub(super) fn by_lines(name: &str, list: &str, types: &[String], written: &[usize]) -> String {
    let mut code = format!("define internal void @{name}$part({list}) nounwind {{\n");
    let mut all = "0".to_owned();
    for at in written {
        code.push_str(&format!("  %p{at} = ptrtoint ptr %arg{at} to i64\n  %o{at} = or i64 {all}, %p{at}\n"));
        all = format!("%o{at}");
    }
    let mut args: Vec<String> = types.iter().enumerate().map(|(at, ty)| format!("{} %arg{at}", plain(ty))).collect();
    args.push(RANGE.to_owned());
    let args = args.join(", ");
    code.push_str(&format!("  %rest = and i64 {all}, {}\n  %begin = icmp eq i64 %rest, 0\n", LINE - 1));
    code.push_str("  br i1 %begin, label %lines, label %any\n");
    for part in ["lines", "any"] {
        code.push_str(&format!("\n{part}:\n  call void @{name}${part}({args})\n  ret void\n"));
    }
    code.push_str("}\n");
    code
}

/// The functions around the one that computes part of the workgroups: of C, and with arguments from an array.
pub(super) fn entries(name: &str, convention: &str, attributes: &str, types: &[String]) -> String {
    let list = |of: &dyn Fn(usize, &String) -> String| {
        types.iter().enumerate().map(|(at, ty)| of(at, ty)).collect::<Vec<String>>()
    };
    let params = list(&|at, ty| format!("{ty} %arg{at}")).join(", ");
    let mut args = list(&|at, ty| format!("{} %arg{at}", plain(ty)));
    args.extend(["i64 0".to_owned(), format!("i64 {}", i64::MAX)]);
    let mut code = format!(
        "define {convention} void @{name}({params}) nounwind {attributes} {{\n  call void @{name}$part({})\n  ret void\n}}\n",
        args.join(", ")
    );
    code.push_str(&format!("\ndefine void @{name}$packed(ptr %args, {RANGE}) nounwind {{\n"));
    let mut operands = Vec::new();
    for (at, ty) in types.iter().enumerate() {
        code.push_str(&format!("  %p{at} = getelementptr ptr, ptr %args, i64 {at}\n"));
        code.push_str(&format!("  %a{at} = load ptr, ptr %p{at}\n"));
        if ty.starts_with("ptr") {
            operands.push(format!("ptr %a{at}"));
        } else {
            code.push_str(&format!("  %v{at} = load {ty}, ptr %a{at}, align 1\n"));
            operands.push(format!("{ty} %v{at}"));
        }
    }
    operands.push(RANGE.to_owned());
    code.push_str(&format!("  call void @{name}$part({})\n  ret void\n}}\n", operands.join(", ")));
    code
}
