//! Artifacts: compiled kernels as data, with all that a program needs to start them, also as JSON.

use raddle_emit::ptx;
use raddle_ir::extents;
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Attr, Class, Diag, Expr, Float, Ir, OpId, Scalar, Type, ValueId, parse_attr};
use raddle_run::Launch;
use raddle_target::Lowered;
use serde_json::{Value, json};

use crate::Emit;

/// The version of the form of [`Artifact::json`]; it grows when a field changes what it means.
const VERSION: u32 = 1;

/// A compiled function: one kernel, or several and who calls them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Artifact {
    /// The code of all kernels, in the form that was asked for.
    pub text: String,
    /// The function's name.
    pub function: String,
    /// The chip that it is for.
    pub target: &'static str,
    /// How the first kernel is started; for a function that is one kernel, the only one.
    pub launch: Launch,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The function that calls the kernels, as MLIR text; `None` for a function that is one kernel, which takes its
    /// arguments and then its results.
    pub host: Option<String>,
    /// What is done once for all calls of `host`, as MLIR text: globals, and the initializer that writes them.
    pub initializers: Vec<String>,
    /// What `host` and `initializers` name besides, as MLIR text: the kernels without their bodies, functions that the host
    /// carries out, and globals with their values, or with the parameters that give these.
    pub declarations: Vec<String>,
}

/// One kernel of an artifact.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Kernel {
    /// Its name, as the host spells it.
    pub name: String,
    /// The name that the code has for it.
    pub entry: String,
    /// What it is called with, in order.
    pub parameters: Vec<Parameter>,
    /// How it is started.
    pub launch: Launch,
    /// Whether the function states its grid in numbers; otherwise `launch` has 1 x 1 x 1.
    pub grid_is_known: bool,
    /// Workgroups along x, y and z as expressions of the parameters, where they depend on these; a grid with a 0 is not
    /// launched. Where neither is known, the caller chooses.
    pub grid_of: Option<Vec<String>>,
    /// Bytes of shared memory.
    pub shared_bytes: u32,
    /// How many of them the launch has to ask for.
    pub dynamic_shared_bytes: u32,
    /// Whether it checks indices while it runs: then it takes the address of a `struct raddle_fault` behind its parameters.
    pub bounds_checks: bool,
    /// What it takes of the machine, where an assembler has said so.
    pub resources: Option<Resources>,
}

/// What a thread takes of the machine.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Resources {
    /// 32-bit registers.
    pub registers: u32,
    /// Registers that the threads of a subgroup share.
    pub scalar_registers: u32,
    /// Registers whose contents go through memory for want of room.
    pub spilled_registers: u32,
    /// Bytes of memory of its own.
    pub scratch_bytes: u32,
}

/// What one argument is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name in the code.
    pub name: String,
    /// The type of a scalar, or of each element of a buffer.
    pub elem: Scalar,
    /// The extents of a buffer, -1 for one that is open; `None` for a scalar.
    pub shape: Option<Vec<i64>>,
    /// Whether the kernel reads the buffer; false for a number.
    pub is_read: bool,
    /// Whether the kernel writes the buffer, which then overlaps no other one; false for a number.
    pub is_written: bool,
    /// Of a number that is an extent of a buffer: which parameter, and which of its dimensions.
    pub extent_of: Option<(usize, usize)>,
}

impl Artifact {
    /// Who calls the kernels, as a module of MLIR that can be read: `declarations`, `initializers` and `host`. `None` for a
    /// function that is one kernel.
    pub fn plan(&self) -> Option<String> {
        let host = self.host.as_ref()?;
        Some(self.declarations.iter().chain(&self.initializers).chain([host]).map(|text| format!("{text}\n")).collect())
    }

    /// All but the code, as JSON; docs/launch-data.md says what the fields are.
    pub fn json(&self) -> Value {
        Artifact::json_of(&[self])
    }

    /// The same, of several functions whose kernels are in one module for one chip.
    pub fn json_of(artifacts: &[&Artifact]) -> Value {
        let kernels: Vec<Value> = artifacts.iter().flat_map(|artifact| &artifact.kernels).map(Kernel::json).collect();
        let hosts: Vec<&String> = artifacts.iter().filter_map(|artifact| artifact.host.as_ref()).collect();
        let initializers: Vec<&String> = artifacts.iter().flat_map(|artifact| &artifact.initializers).collect();
        // Functions of one program may share some.
        let all = artifacts.iter().flat_map(|artifact| &artifact.declarations);
        let mut declarations: Vec<&String> = Vec::new();
        for declaration in all {
            if !declarations.contains(&declaration) {
                declarations.push(declaration);
            }
        }
        json!({
            "version": VERSION,
            "target": artifacts.first().map(|artifact| artifact.target),
            "kernels": kernels,
            "hosts": hosts,
            "initializers": initializers,
            "declarations": declarations,
        })
    }
}

/// What kernels that check their indices leave.
const FAULT: &str = "\
/* What an index outside of a buffer leaves. All is 0 in front of a call; where the kernel's name is not null behind it,
   the call has ended early, and its results are not complete. Calls may share one. */
#ifndef RADDLE_FAULT
#define RADDLE_FAULT
struct raddle_fault {
  const char *kernel;       /* whose index it is */
  int64_t index, extent;    /* the index, which is below 0 or not below the extent */
  int32_t dimension, line;  /* the dimension of the buffer, from 0; the line of the program, from 1 */
};
#endif
";

/// The header of an object file for a CPU: a C function for each kernel.
pub fn header(artifacts: &[&Artifact]) -> String {
    header_of(artifacts.iter().flat_map(|artifact| &artifact.kernels))
}

/// The same, of kernels.
pub fn header_of<'a>(kernels: impl IntoIterator<Item = &'a Kernel>) -> String {
    let mut text = String::from(
        "/* Functions on buffers that do not overlap where one of them is written, aligned to 16 bytes.\n   \
         i1 and formats below 16 bits take a byte; bf16, and f16 in buffers, are passed by their bits. */\n\
         #pragma once\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
    );
    let kernels: Vec<&Kernel> = kernels.into_iter().collect();
    if kernels.iter().any(|kernel| kernel.bounds_checks) {
        text = text.replacen("#ifdef __cplusplus\n", &format!("{FAULT}#ifdef __cplusplus\n"), 1);
    }
    for kernel in kernels {
        let mut parameters: Vec<String> = kernel.parameters.iter().map(Parameter::declaration).collect();
        if kernel.bounds_checks {
            parameters.push("struct raddle_fault *fault".to_owned());
        }
        let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        text.push_str(&format!("void {}({list});\n", kernel.entry));
    }
    text.push_str("#ifdef __cplusplus\n}\n#endif\n");
    text
}

impl Kernel {
    /// Workgroups along x, y and z for one call.
    ///
    /// `numbers` has one for each parameter, in order: the value of a scalar, and of an extent how many elements the buffer
    /// of [`Parameter::extent_of`] has along that dimension. Those of buffers are not looked at. A grid with a 0 is not
    /// launched. On a CPU a call of the entry computes the whole grid.
    ///
    /// `None` where the caller chooses the grid, and where the numbers give none.
    ///
    /// ```
    /// let text = "
    ///     func.func @f(%x: tensor<?x128xf32>, %y: tensor<?x128xf32>) -> tensor<?x128xf32> {
    ///       %0 = linalg.exp ins(%x : tensor<?x128xf32>) outs(%y : tensor<?x128xf32>) -> tensor<?x128xf32>
    ///       return %0 : tensor<?x128xf32>
    ///     }";
    /// let artifact = raddle::compile(text, &raddle::Options::default())?;
    /// let kernel = &artifact.kernels[0];
    /// // Two arguments and the result.
    /// let shapes = [[1000, 128]; 3];
    /// let number = |parameter: &raddle::Parameter| match parameter.extent_of {
    ///     Some((buffer, dimension)) => shapes[buffer][dimension],
    ///     None => 0,
    /// };
    /// let numbers: Vec<i64> = kernel.parameters.iter().map(number).collect();
    /// let [x, y, z] = kernel.grid(&numbers).expect("the kernel states its grid");
    /// assert!(x > 1 && (y, z) == (1, 1));
    /// # Ok::<(), raddle::Report>(())
    /// ```
    pub fn grid(&self, numbers: &[i64]) -> Option<[u32; 3]> {
        let Some(axes) = &self.grid_of else { return self.grid_is_known.then_some(self.launch.grid) };
        let is_number = |(parameter, _): &(&Parameter, &i64)| {
            parameter.shape.is_none() && !matches!(parameter.elem, Scalar::Float(_))
        };
        let (names, values): (Vec<&str>, Vec<i64>) =
            (self.parameters.iter().zip(numbers).filter(is_number)).map(|(p, &n)| (p.name.as_str(), n)).unzip();
        let axis = |text: &String| u32::try_from(evaluate(text, &names, &values)?).ok();
        axes.iter().map(axis).collect::<Option<Vec<u32>>>()?.try_into().ok()
    }

    /// A kernel that LLVM IR is written of, from what is left of it when its buffers are linear: of how many elements,
    /// their extents do not say.
    pub fn of_lowered(ir: &Ir, lowered: &Lowered) -> Result<Kernel, Diag> {
        Kernel::of(ir, lowered, Emit::Llvm, &shapes(ir, lowered.func()))
    }

    /// What launching a lowered kernel takes; `shapes` are those of its buffers before they became linear.
    pub(crate) fn of(ir: &Ir, lowered: &Lowered, emit: Emit, shapes: &[Option<Vec<i64>>]) -> Result<Kernel, Diag> {
        let func = lowered.func();
        let name = ir.symbol_name(func).unwrap_or_default().to_owned();
        let shared_bytes = lowered.shared_bytes();
        let (entry, dynamic_shared_bytes) = match emit {
            Emit::Ptx => (raddle_emit::entry_name(&name), ptx::dynamic_shared_bytes(lowered)),
            Emit::Llvm => (raddle_emit::llvm::entry_name(lowered.chip(), &name), 0),
            Emit::Ir => (name.clone(), 0),
        };
        Ok(Kernel {
            name,
            entry,
            parameters: parameters(ir, func, shapes)?,
            launch: Launch::without_grid(ir, func)?,
            grid_of: raddle_emit::grid(ir, lowered)?,
            grid_is_known: ir.attr_id(func, "gpu.known_grid_size").is_some(),
            shared_bytes,
            dynamic_shared_bytes,
            bounds_checks: raddle_emit::llvm::checks_indices(ir, func),
            resources: None,
        })
    }

    fn json(&self) -> Value {
        let Launch { grid, workgroup_size, subgroup_size, .. } = self.launch;
        let resource = |of: fn(&Resources) -> u32| self.resources.as_ref().map(of);
        json!({
            "name": self.name,
            "entry": self.entry,
            "parameters": self.parameters.iter().map(Parameter::json).collect::<Vec<_>>(),
            "grid": match &self.grid_of {
                Some(expressions) => json!(expressions),
                None if self.grid_is_known => json!(grid),
                None => Value::Null,
            },
            "workgroup": workgroup_size,
            "subgroup": subgroup_size,
            "shared_bytes": self.shared_bytes,
            "dynamic_shared_bytes": self.dynamic_shared_bytes,
            "bounds_checks": self.bounds_checks,
            "registers": resource(|found| found.registers),
            "scalar_registers": resource(|found| found.scalar_registers),
            "spilled_registers": resource(|found| found.spilled_registers),
            "scratch_bytes": resource(|found| found.scratch_bytes),
        })
    }
}

/// The value of an expression of [`Kernel::grid_of`], or of a `grid` in launch data, for the values of the parameters with
/// these names; `None` if it has none.
pub fn evaluate(text: &str, names: &[&str], values: &[i64]) -> Option<i64> {
    let mut ir = Ir::new();
    let attr = parse_attr(&format!("affine_map<({}) -> ({text})>", names.join(", ")), &mut ir).ok()?;
    let Attr::Map(map) = &ir[attr] else { return None };
    match map.eval(values, &[])?[..] {
        [value] => Some(value),
        _ => None,
    }
}

impl Parameter {
    /// Bytes that the address of each buffer is a multiple of.
    pub const ALIGNMENT: u32 = 16;

    /// The type of the scalar, or of each element of the buffer, as C spells it.
    pub fn c_type(&self) -> String {
        let bytes = self.elem.bytes();
        match self.elem {
            Scalar::Float(Float::F64) => "double".to_owned(),
            Scalar::Float(Float::F32 | Float::TF32) => "float".to_owned(),
            Scalar::Float(Float::F16) if self.shape.is_none() => "_Float16".to_owned(),
            Scalar::Float(_) => format!("uint{}_t", 8 * bytes),
            Scalar::Index => "int64_t".to_owned(),
            Scalar::Int(1) => "uint8_t".to_owned(),
            Scalar::Int(_) => format!("int{}_t", 8 * bytes),
        }
    }

    /// As C spells it.
    fn declaration(&self) -> String {
        let ty = self.c_type();
        match (&self.shape, self.is_written) {
            (None, _) => format!("{ty} {}", self.name),
            (Some(_), true) => format!("{ty} *{}", self.name),
            (Some(_), false) => format!("const {ty} *{}", self.name),
        }
    }

    fn json(&self) -> Value {
        match &self.shape {
            None => match self.extent_of {
                None => json!({ "name": self.name, "kind": "scalar", "type": self.elem.to_string() }),
                Some((argument, dim)) => json!({
                    "name": self.name,
                    "kind": "extent",
                    "type": self.elem.to_string(),
                    "of": format!("arg{argument}"),
                    "dimension": dim,
                }),
            },
            Some(shape) => {
                let access = match (self.is_read, self.is_written) {
                    (_, false) => "read",
                    (false, true) => "write",
                    (true, true) => "read_write",
                };
                json!({
                    "name": self.name,
                    "kind": "buffer",
                    "type": self.elem.to_string(),
                    "shape": shape,
                    "access": access,
                    "alignment": Parameter::ALIGNMENT,
                })
            }
        }
    }
}

/// The extents of each argument that is a buffer, before they become linear memory.
pub(crate) fn shapes(ir: &Ir, func: OpId) -> Vec<Option<Vec<i64>>> {
    let args = ir.body(func, 0).map(|block| ir.args(block).to_vec()).unwrap_or_default();
    args.into_iter()
        .map(|arg| match ir.ty(arg) {
            Type::MemRef { shape, .. } => Some(shape.to_vec()),
            _ => None,
        })
        .collect()
}

/// What a lowered kernel is called with: its arguments, or what the interface of an IREE dispatch passes instead.
fn parameters(ir: &Ir, func: OpId, shapes: &[Option<Vec<i64>>]) -> Result<Vec<Parameter>, Diag> {
    let extents = extents::taken(ir, func)?;
    let arguments = arguments(ir, func, shapes, &extents);
    let Some(interface) = Interface::of(ir, func)? else { return Ok(arguments) };
    let slots: Vec<(&Slot, &Parameter)> =
        interface.arguments.iter().chain(&interface.results).zip(&arguments).collect();
    let of = |number: usize| -> Vec<(&Slot, &Parameter)> {
        let is = |slot: &Slot| match slot {
            Slot::Binding { binding, .. } => *binding == number,
            Slot::Constant(at) => interface.bindings + at == number,
        };
        slots.iter().copied().filter(|(slot, _)| is(slot)).collect()
    };
    let parameter = |number: usize| {
        let (places, parts): (Vec<&Slot>, Vec<&Parameter>) = of(number).into_iter().unzip();
        let is_binding = number < interface.bindings;
        Parameter {
            name: format!("arg{number}"),
            elem: parts.first().map_or(Scalar::Int(if is_binding { 8 } else { 32 }), |part| part.elem),
            // Several arguments are parts of one buffer.
            shape: match (&places[..], &parts[..]) {
                ([slot], [part]) => part.shape.clone().map(|shape| with_front(slot, shape, part.elem)),
                _ => is_binding.then(|| vec![-1]),
            },
            is_read: parts.iter().any(|part| part.is_read),
            is_written: parts.iter().any(|part| part.is_written),
            extent_of: None,
        }
    };
    Ok((0..interface.bindings + interface.constants).map(parameter).collect())
}

/// The extents of a buffer that has a part of some extents at its end, and before it what the kernel does not touch.
fn with_front(slot: &Slot, shape: Vec<i64>, elem: Scalar) -> Vec<i64> {
    let Slot::Binding { offset, .. } = slot else { return shape };
    let front = match offset.results[..] {
        [Expr::Const(bytes)] => bytes.checked_div(elem.bytes() as i64),
        _ => None,
    };
    match front {
        Some(0) => shape,
        Some(front) if !shape.contains(&-1) => vec![shape.iter().product::<i64>().saturating_add(front)],
        _ => vec![-1],
    }
}

fn arguments(ir: &Ir, func: OpId, shapes: &[Option<Vec<i64>>], extents: &[(usize, usize)]) -> Vec<Parameter> {
    let args = ir.args(ir.entry(func)).to_vec();
    let n_stated = args.len() - extents.len();
    let parameter = |(number, arg): (usize, ValueId)| {
        let ty = match ir.ty(arg) {
            Type::MemRef { elem, .. } => *elem,
            _ => ir.type_of(arg),
        };
        let is_buffer = matches!(ir.ty(arg), Type::MemRef { .. });
        let uses: Vec<Class> = ir.uses(arg).map(|(user, _)| ir.class(user)).collect();
        Parameter {
            name: format!("arg{number}"),
            elem: Scalar::of(&ir[ty]).expect("a lowered kernel takes scalars and buffers of scalars"),
            shape: shapes.get(number).cloned().flatten().map(|shape| shape.into_iter().map(|n| n.max(-1)).collect()),
            // Operations that are not writes may be reads.
            is_read: is_buffer && uses.iter().any(|&class| class != Class::Write),
            is_written: is_buffer && raddle_emit::is_written(ir, arg),
            extent_of: number.checked_sub(n_stated).map(|at| extents[at]),
        }
    };
    args.into_iter().enumerate().map(parameter).collect()
}
