//! Artifacts: compiled kernels as data, with all that a program needs to start them, also as JSON.

use raddle_emit::llvm::Callee;
use raddle_emit::{Parameter, Sequence, ptx, sequence};
use raddle_ir::extents::{self, Known, Sizes};
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Attr, Diag, Expr, Ir, OpId, Scalar, Type, ValueId, parse_attr};
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
    /// The calls of `host` as data, where they follow from the arguments' extents; in code for CPUs, a function of C carries
    /// them out.
    pub sequence: Option<Sequence>,
    /// Why `host` is not a sequence of calls.
    pub no_sequence: Option<Diag>,
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
            "sequences": artifacts.iter().filter_map(|artifact| artifact.sequence_json()).collect::<Vec<_>>(),
        })
    }

    fn sequence_json(&self) -> Option<Value> {
        let sequence = self.sequence.as_ref()?;
        let is_native = raddle_target::chip(self.target).is_some_and(|chip| chip.native.is_some());
        let mut json = crate::sequence::json(sequence, &self.kernels);
        json["entry"] = if is_native { json!(sequence.entry) } else { Value::Null };
        Some(json)
    }
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

    /// Says of the results which extents follow from the arguments, as they do by these sizes.
    pub(crate) fn state_extents(&mut self, sizes: &[Option<Sizes>]) {
        let n_results = sizes.len();
        let n_numbers = self.parameters.iter().filter(|parameter| parameter.extent_of.is_some()).count();
        let Some(first) = (self.parameters.len() - n_numbers).checked_sub(n_results) else { return };
        for (at, sizes) in sizes.iter().enumerate() {
            let is_open = |parameter: &Parameter| parameter.shape.as_ref().is_some_and(|shape| shape.contains(&-1));
            let Some(sizes) = sizes.as_ref().filter(|_| is_open(&self.parameters[first + at])) else { continue };
            let symbol = |&known: &Known| match known {
                Known::Number(argument) => Some(argument),
                Known::Extent(argument, dim) => {
                    self.parameters.iter().position(|parameter| parameter.extent_of == Some((argument, dim)))
                }
            };
            let symbols =
                sizes.of.iter().map(|known| Some(Expr::Sym(symbol(known)? as u32))).collect::<Option<Vec<_>>>();
            let Some(symbols) = symbols else { continue };
            let extents = sizes.map.results.iter().map(|extent| extent.replaced(&[], &symbols).simplified());
            self.parameters[first + at].extents = Some(extents.collect());
        }
    }

    /// The kernel as code that calls it sees it.
    pub fn callee(&self) -> Callee<'_> {
        Callee { entry: &self.entry, parameters: &self.parameters, takes_fault: self.bounds_checks }
    }

    fn json(&self) -> Value {
        let text = |expr: &Expr| sequence::with_names(expr, &|at| self.parameters[at].name.clone());
        let Launch { grid, workgroup_size, subgroup_size, .. } = self.launch;
        let resource = |of: fn(&Resources) -> u32| self.resources.as_ref().map(of);
        json!({
            "name": self.name,
            "entry": self.entry,
            "parameters": self.parameters.iter().map(|parameter| parameter_json(parameter, &text)).collect::<Vec<_>>(),
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
    // Symbols may be multiplied by each other.
    let attr = parse_attr(&format!("affine_map<()[{}] -> ({text})>", names.join(", ")), &mut ir).ok()?;
    let Attr::Map(map) = &ir[attr] else { return None };
    match map.eval(&[], values)?[..] {
        [value] => Some(value),
        _ => None,
    }
}

/// A parameter as JSON; `text` writes expressions.
pub(crate) fn parameter_json(parameter: &Parameter, text: &dyn Fn(&Expr) -> String) -> Value {
    let Parameter { name, elem, shape, is_read, is_written, extent_of, extents, .. } = parameter;
    let elem = elem.to_string();
    match (shape, extent_of) {
        (None, None) => json!({ "name": name, "kind": "scalar", "type": elem }),
        (None, Some((argument, dim))) => {
            json!({ "name": name, "kind": "extent", "type": elem, "of": format!("arg{argument}"), "dimension": dim })
        }
        (Some(shape), _) => {
            let access = match (is_read, is_written) {
                (_, false) => "read",
                (false, true) => "write",
                (true, true) => "read_write",
            };
            let mut json = json!({
                "name": name,
                "kind": "buffer",
                "type": elem,
                "shape": shape,
                "access": access,
                "alignment": Parameter::ALIGNMENT,
            });
            if let Some(extents) = extents {
                json["extents"] = extents.iter().map(text).collect();
            }
            json
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
        let elem = parts.first().map_or(Scalar::Int(if is_binding { 8 } else { 32 }), |part| part.elem);
        // Several arguments are parts of one buffer.
        let shape = match (&places[..], &parts[..]) {
            ([slot], [part]) => part.shape.clone().map(|shape| with_front(slot, shape, part.elem)),
            _ => is_binding.then(|| vec![-1]),
        };
        let mut parameter = Parameter::new(format!("arg{number}"), elem, shape);
        parameter.is_read = parts.iter().any(|part| part.is_read);
        parameter.is_written = parts.iter().any(|part| part.is_written);
        parameter
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
        let elem = Scalar::of(&ir[ty]).expect("a lowered kernel takes scalars and buffers of scalars");
        let shape = shapes.get(number).cloned().flatten().map(|shape| shape.into_iter().map(|n| n.max(-1)).collect());
        let mut parameter = Parameter::new(format!("arg{number}"), elem, shape);
        parameter.is_read = is_buffer && raddle_emit::is_read(ir, arg);
        parameter.is_written = is_buffer && raddle_emit::is_written(ir, arg);
        parameter.extent_of = number.checked_sub(n_stated).map(|at| extents[at]);
        parameter
    };
    args.into_iter().enumerate().map(parameter).collect()
}
