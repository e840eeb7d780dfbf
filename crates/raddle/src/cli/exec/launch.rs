//! Launch data of `raddle exec`: `k.json` beside `k.ptx` says which kernel a text has, how it is launched and what it
//! takes (docs/launch-data.md).
//!
//! Inputs are given for all parameters, or for all but the extents, which follow from the shapes of the buffers, or
//! also without the buffers that the kernel only writes, which are then made.

use std::path::Path;

use raddle::{Report, evaluate};
use raddle_ir::{Code, DYNAMIC, Diag, Scalar};
use raddle_run::Tensor;
use raddle_run::spec::{n_elements, shape_text};
use serde_json::Value;

use super::super::files;
use super::sequence::Sequence;

/// A kernel as launch data describes it.
pub struct Kernel {
    /// The file that says so.
    pub path: String,
    /// The function's name in the program, and in the code.
    pub name: String,
    pub entry: String,
    pub parameters: Vec<Parameter>,
    /// Workgroups along x, y, z, each a number or an expression of parameters; `None` if the caller chooses.
    grid: Option<Vec<Value>>,
    pub workgroup: Option<[u32; 3]>,
    pub dynamic_shared_bytes: usize,
}

/// A parameter of a kernel.
pub struct Parameter {
    pub name: String,
    pub elem: Scalar,
    pub kind: Kind,
}

/// What a parameter is.
#[derive(PartialEq, Eq)]
pub enum Kind {
    /// The extents, `DYNAMIC` where one is open, whether the kernel reads and writes it, and what its open extents are.
    Buffer {
        shape: Vec<i64>,
        is_read: bool,
        is_written: bool,
        /// Expressions of the extents, where some are open and follow from other parameters.
        extents: Option<Vec<String>>,
    },
    Scalar,
    /// An extent of a parameter, along a dimension.
    Extent {
        of: String,
        dim: usize,
    },
}

/// What launch data describes.
pub enum Described {
    Kernel(Kernel),
    /// A function of several kernels.
    Sequence(Sequence),
}

impl Described {
    /// What is called, with its parameters.
    pub fn callee(&self) -> &Kernel {
        match self {
            Described::Kernel(kernel) => kernel,
            Described::Sequence(sequence) => &sequence.callee,
        }
    }
}

/// The kernel or function that launch data describes: of the file that is named, or of the one beside the code, if there is
/// one.
pub fn find(code: &str, named: Option<&str>, entry: Option<&str>) -> Result<Option<Described>, Report> {
    let beside = Path::new(code).with_extension("json");
    let path = match (named, beside.to_str()) {
        (Some(path), _) => path,
        (None, Some(path)) if code.ends_with(".ptx") && beside.is_file() => path,
        (None, _) => return Ok(None),
    };
    let (_, text) = files::read_text(path)?;
    described(path, &text, named.is_some(), entry).map_err(Report::nowhere)
}

/// What a text describes, which has to be launch data if somebody said so: another file may have the same name.
fn described(path: &str, text: &str, is_named: bool, entry: Option<&str>) -> Result<Option<Described>, Diag> {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return Err(bad(path, &format!("it is not JSON: {error}"))),
    };
    let Some(kernels) = value.get("kernels").and_then(Value::as_array) else {
        return if is_named { Err(bad(path, "it has no list of `kernels`")) } else { Ok(None) };
    };
    // Code for another machine may have the same name, as `k.o` beside `k.ptx`.
    let target = value.get("target").and_then(Value::as_str);
    if let Some(target) = target.filter(|target| !target.starts_with("sm_")) {
        return if is_named { Err(bad(path, &format!("it is for `{target}`, which has no PTX"))) } else { Ok(None) };
    }
    if value.get("version").and_then(Value::as_u64) != Some(1) {
        return Err(bad(path, "its `version` is not 1"));
    }
    let name = |kernel: &Value| kernel.get("entry").and_then(Value::as_str).unwrap_or_default().to_owned();
    let sequences = value.get("sequences").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let title = |sequence: &Value| sequence.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let called = |kernels: &[Value]| {
        kernels.iter().map(|kernel| Kernel::of(kernel, path)).collect::<Result<Vec<Kernel>, Diag>>()
    };
    let found = match entry {
        Some(entry) => {
            if let Some(sequence) = sequences.iter().find(|sequence| title(sequence) == entry) {
                return Sequence::of(sequence, called(kernels)?, path).map(|found| Some(Described::Sequence(found)));
            }
            kernels.iter().find(|kernel| name(kernel) == entry)
        }
        // Kernels that are all called by one function.
        None if sequences.len() == 1 && Sequence::calls_all(&sequences[0], kernels) => {
            return Sequence::of(&sequences[0], called(kernels)?, path).map(|found| Some(Described::Sequence(found)));
        }
        None if kernels.len() == 1 => kernels.first(),
        None => {
            let names = sequences.iter().map(title).chain(kernels.iter().map(name));
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            return Err(Diag::nowhere(Code::UnknownName, format!("`{path}` describes several kernels"))
                .note(format!("they are {}", names.join(", ")))
                .help("name one with `--entry=`"));
        }
    };
    match (found, entry) {
        (Some(kernel), _) => Kernel::of(kernel, path).map(|kernel| Some(Described::Kernel(kernel))),
        (None, Some(entry)) if is_named => Err(bad(path, &format!("it does not describe `{entry}`"))),
        (None, _) => Ok(None),
    }
}

pub fn bad(path: &str, why: &str) -> Diag {
    Diag::nowhere(Code::BadFile, format!("`{path}` is not launch data: {why}"))
        .help("docs/launch-data.md describes the form; `--launch=k.json` names a file that has it")
}

impl Kernel {
    pub fn of(kernel: &Value, path: &str) -> Result<Kernel, Diag> {
        let missing = |what: &str| bad(path, &format!("a kernel has no {what}"));
        let [entry, name] = ["entry", "name"].map(|name| kernel.get(name).and_then(Value::as_str));
        let entry = entry.or(name).ok_or_else(|| missing("`entry`"))?;
        let parameters = kernel.get("parameters").and_then(Value::as_array).ok_or_else(|| missing("`parameters`"))?;
        let parameters = parameters.iter().map(|parameter| {
            Parameter::of(parameter).ok_or_else(|| bad(path, &format!("`{parameter}` is not a parameter")))
        });
        let axes = |name: &str| match kernel.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(axes)) if axes.len() == 3 => Ok(Some(axes.clone())),
            Some(other) => Err(bad(path, &format!("`{other}` is not a `{name}` along x, y and z"))),
        };
        let workgroup = match axes("workgroup")? {
            Some(sizes) => {
                let mut workgroup = [1; 3];
                for (size, value) in workgroup.iter_mut().zip(&sizes) {
                    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
                    *size = number.ok_or_else(|| bad(path, &format!("`{value}` is not a number of threads")))?;
                }
                Some(workgroup)
            }
            None => None,
        };
        let shared = kernel.get("dynamic_shared_bytes").and_then(Value::as_u64).unwrap_or(0);
        Ok(Kernel {
            path: path.to_owned(),
            name: name.unwrap_or(entry).to_owned(),
            entry: entry.to_owned(),
            parameters: parameters.collect::<Result<_, Diag>>()?,
            grid: axes("grid")?,
            workgroup,
            dynamic_shared_bytes: usize::try_from(shared).unwrap_or(usize::MAX),
        })
    }

    /// The parameters that `n` inputs are given for, in order.
    pub fn given(&self, n: usize) -> Result<Vec<usize>, Diag> {
        let all = || 0..self.parameters.len();
        let stated = || all().filter(|&at| !matches!(self.parameters[at].kind, Kind::Extent { .. }));
        let read = || {
            let is_made = |kind: &Kind| matches!(kind, Kind::Buffer { is_read: false, .. });
            stated().filter(move |&at| !is_made(&self.parameters[at].kind))
        };
        if n == all().count() {
            return Ok(all().collect());
        }
        if n == stated().count() {
            return Ok(stated().collect());
        }
        if n == read().count() {
            return Ok(read().collect());
        }
        let names = |list: Vec<usize>| list.iter().map(|&at| self.parameters[at].text()).collect::<Vec<_>>().join(", ");
        let message = format!("`{}` takes {} inputs, and {n} are given", self.entry, stated().count());
        let mut diag = Diag::nowhere(Code::BadInput, message).note(format!("they are {}", names(stated().collect())));
        if read().count() < stated().count() {
            diag = diag.note(format!("without the buffers that it only writes: {}", names(read().collect())));
        }
        Err(diag)
    }

    /// The tensors of all parameters, from those that are given; and which of them the run makes.
    pub fn complete(&self, given: Vec<(usize, Tensor)>) -> Result<(Vec<Tensor>, Vec<usize>), Diag> {
        let mut tensors: Vec<Option<Tensor>> = vec![None; self.parameters.len()];
        for (at, tensor) in given {
            self.parameters[at].accept(&tensor)?;
            tensors[at] = Some(tensor);
        }
        // Those of the inputs, by which results may be as large as they are, and then those of the results.
        self.state_extents(&mut tensors)?;
        let made = self.make(&mut tensors)?;
        self.state_extents(&mut tensors)?;
        let passed = |(parameter, tensor): (&Parameter, Option<Tensor>)| {
            let mut tensor = tensor.expect("inputs are given for all scalars");
            // A number without extents is passed by its value, unless the kernel takes its address.
            if matches!(parameter.kind, Kind::Buffer { .. }) && tensor.shape.is_empty() {
                tensor.shape = vec![1];
            }
            tensor
        };
        Ok((self.parameters.iter().zip(tensors).map(passed).collect(), made))
    }

    /// Makes the buffers that nobody gave; says which these are.
    fn make(&self, tensors: &mut [Option<Tensor>]) -> Result<Vec<usize>, Diag> {
        let known = tensors.iter().zip(&self.parameters).filter_map(|(tensor, parameter)| {
            let is_number = !matches!(parameter.elem, Scalar::Float(_));
            let tensor = tensor.as_ref().filter(|tensor| is_number && tensor.shape.is_empty())?;
            Some((parameter.name.as_str(), tensor.to_i64()[0]))
        });
        let (names, values): (Vec<&str>, Vec<i64>) = known.unzip();
        let mut made = Vec::new();
        for (at, parameter) in self.parameters.iter().enumerate() {
            let (None, Kind::Buffer { shape, extents, .. }) = (&tensors[at], &parameter.kind) else { continue };
            let stated = extents.as_ref().and_then(|extents| {
                extents.iter().map(|text| evaluate(text, &names, &values).filter(|&extent| extent >= 0)).collect()
            });
            let shape: Vec<i64> = if shape.contains(&DYNAMIC) { stated.unwrap_or_default() } else { shape.clone() };
            if shape.is_empty() && parameter.like().is_none() {
                let message = format!("the extents of `{}` are not known: give an input for it", parameter.text());
                return Err(Diag::nowhere(Code::BadInput, message));
            }
            n_elements(&shape, parameter.elem).map_err(|error| bad(&self.path, &error.to_string()))?;
            tensors[at] = Some(Tensor::zeros(parameter.elem, &shape));
            made.push(at);
        }
        Ok(made)
    }

    /// Gives parameters that are extents of buffers their values, where the buffers are known.
    fn state_extents(&self, tensors: &mut [Option<Tensor>]) -> Result<(), Diag> {
        for (at, parameter) in self.parameters.iter().enumerate() {
            let (None, Kind::Extent { of, dim }) = (&tensors[at], &parameter.kind) else { continue };
            let nothing =
                || bad(&self.path, &format!("`{}` is an extent of something else than a buffer", parameter.name));
            let buffer = self.parameters.iter().position(|parameter| parameter.name == *of).ok_or_else(nothing)?;
            if let Some(tensor) = &tensors[buffer] {
                let extent = tensor.shape.get(*dim).copied().ok_or_else(nothing)?;
                tensors[at] = Some(Tensor::from_i64(parameter.elem, &[], &[extent]));
            }
        }
        Ok(())
    }

    /// Workgroups along x, y, z for these arguments.
    pub fn grid(&self, args: &[Tensor]) -> Result<[u32; 3], Diag> {
        let Some(axes) = &self.grid else {
            return Err(Diag::nowhere(Code::BadLaunch, format!("`{}` leaves the grid to the caller", self.path))
                .help("say it, as in `--grid=8,4`"));
        };
        let numbers = self.parameters.iter().zip(args).filter(|(parameter, arg)| {
            !matches!(parameter.kind, Kind::Buffer { .. })
                && !matches!(parameter.elem, Scalar::Float(_))
                && arg.shape.is_empty()
        });
        let (names, values): (Vec<&str>, Vec<i64>) =
            numbers.map(|(parameter, arg)| (parameter.name.as_str(), arg.to_i64()[0])).unzip();
        let mut grid = [1; 3];
        for (size, axis) in grid.iter_mut().zip(axes) {
            let value = match axis {
                Value::String(text) => evaluate(text, &names, &values),
                number => number.as_i64(),
            };
            *size = value.and_then(|value| u32::try_from(value).ok()).ok_or_else(|| {
                bad(&self.path, &format!("`{axis}` gives no number of workgroups for these parameters"))
            })?;
        }
        Ok(grid)
    }
}

impl Parameter {
    fn of(value: &Value) -> Option<Parameter> {
        let text = |name: &str| value.get(name)?.as_str();
        let elem = Scalar::from_keyword(text("type")?)?;
        let extent = |extent: &Value| extent.as_i64().map(|extent| if extent == -1 { DYNAMIC } else { extent });
        let kind = match text("kind")? {
            "buffer" | "tensor_map" => Kind::Buffer {
                shape: value.get("shape")?.as_array()?.iter().map(extent).collect::<Option<_>>()?,
                is_read: text("access") != Some("write"),
                is_written: text("access") != Some("read"),
                extents: value
                    .get("extents")
                    .and_then(Value::as_array)
                    .and_then(|extents| extents.iter().map(|extent| extent.as_str().map(str::to_owned)).collect()),
            },
            "scalar" => Kind::Scalar,
            "extent" => Kind::Extent {
                of: text("of")?.to_owned(),
                dim: usize::try_from(value.get("dimension")?.as_u64()?).ok()?,
            },
            _ => return None,
        };
        Some(Parameter { name: text("name")?.to_owned(), elem, kind })
    }

    /// The shape and type that an input has to have, where they are known.
    pub fn like(&self) -> Option<(&[i64], Scalar)> {
        match &self.kind {
            Kind::Buffer { shape, .. } => (!shape.contains(&DYNAMIC)).then_some((shape, self.elem)),
            Kind::Scalar | Kind::Extent { .. } => Some((&[], self.elem)),
        }
    }

    fn text(&self) -> String {
        match &self.kind {
            Kind::Buffer { shape, .. } => format!("{} ({} of {})", self.name, shape_text(shape), self.elem),
            Kind::Scalar | Kind::Extent { .. } => format!("{} ({})", self.name, self.elem),
        }
    }

    /// Whether a tensor can be passed.
    fn accept(&self, tensor: &Tensor) -> Result<(), Diag> {
        let fits = match &self.kind {
            Kind::Buffer { shape, .. } => {
                shape.len() == tensor.shape.len()
                    && shape.iter().zip(&tensor.shape).all(|(&stated, &extent)| stated == DYNAMIC || stated == extent)
            }
            Kind::Scalar | Kind::Extent { .. } => tensor.shape.is_empty(),
        };
        if fits && tensor.elem == self.elem {
            return Ok(());
        }
        let given = match tensor.shape[..] {
            [] => format!("an {}", tensor.elem),
            _ => format!("a {} of {}", shape_text(&tensor.shape), tensor.elem),
        };
        Err(Diag::nowhere(Code::BadInput, format!("the kernel takes {}, and the input is {given}", self.text())))
    }
}
