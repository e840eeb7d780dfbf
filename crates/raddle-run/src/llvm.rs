//! Machine code from LLVM IR, by libLLVM found at run time.
//!
//! The library is opened when somebody asks for machine code; nothing of it is needed to build or to start. A module is
//! parsed, verified and compiled in a context of its own, and what LLVM says on the way becomes a diagnostic.

#![allow(unsafe_code, reason = "each call passes pointers to libLLVM; the arguments are stated beside it")]

mod library;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::{ptr, slice};

use raddle_ir::{Code, Diag};

use library::{Handle, Library, Text};

/// The oldest version that takes the text that is written.
pub const VERSION_MIN: u32 = 19;
/// The newest version whose file is looked for by its number.
const VERSION_MAX: u32 = 30;
/// The package that brings the library on Debian and what is made of it.
pub const PACKAGE: &str = "install libLLVM 19 or newer: on Debian and Ubuntu `apt-get install libllvm19`";

/// `LLVMCodeGenLevelAggressive`, `LLVMRelocPIC`, `LLVMCodeModelDefault`, `LLVMReturnStatusAction`, `LLVMDSError`.
const LEVEL: c_int = 3;
const RELOCATION: c_int = 2;
const MODEL: c_int = 0;
const RETURN_STATUS: c_int = 2;
const SEVERITY_ERROR: c_int = 0;

/// What makes vectors of scalar loops. Checks that are the same in every iteration leave the loop, which has several ends
/// otherwise.
const PASSES: &str = "function(instcombine<no-verify-fixpoint>,loop-mssa(licm,simple-loop-unswitch),loop-mssa(licm),loop(indvars),loop-vectorize,instcombine<no-verify-fixpoint>,simplifycfg)";

/// The families of processors by the beginnings of their triples, and LLVM's names of them.
const FAMILIES: &[(&str, &str)] = &[("amdgcn", "AMDGPU"), ("x86_64", "X86"), ("aarch64", "AArch64")];

/// What a module becomes; the numbers are `LLVMCodeGenFileType`'s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Form {
    /// Assembly text.
    Assembly = 0,
    /// A relocatable object file.
    Object = 1,
}

/// The opened library.
pub struct Llvm {
    library: Library,
    version: u32,
    name: String,
}

impl Llvm {
    /// Opens libLLVM: the library of this name or path, or the newest one that is installed and new enough.
    ///
    /// # Errors
    ///
    /// `E0704` if there is none, or it is too old.
    pub fn open(name: Option<&str>) -> Result<Llvm, Diag> {
        let names = match name {
            Some(name) => vec![name.to_owned()],
            None => names((VERSION_MIN..=VERSION_MAX).rev()),
        };
        let mut why = Vec::new();
        for candidate in &names {
            match Library::open(candidate) {
                Ok(library) => return Llvm::start(library, candidate),
                Err(error) => {
                    let source =
                        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                    why.push((candidate, source));
                }
            }
        }
        let what = match name {
            Some(name) => format!("`{name}` is not libLLVM 19 or newer"),
            None => "there is no LLVM 19 or newer on this machine".to_owned(),
        };
        let diag = Diag::nowhere(Code::NoLlvm, what);
        // That a file is not there is said once; what is wrong with one that is there, of each.
        let is_missing = |error: &str| error.contains("No such file") || error.contains("not found");
        let broken = why.iter().filter(|(_, error)| !is_missing(error));
        let mut diag = match name {
            Some(_) => why.iter().fold(diag, |diag, (_, error)| diag.note(error.clone())),
            None => broken.fold(diag, |diag, (_, error)| diag.note(error.clone())),
        };
        if name.is_none()
            && let Some(old) = names_too_old().into_iter().find(|old| Library::is_there(old))
        {
            diag = diag.note(format!("`{old}` is too old"));
        }
        Err(diag.help(PACKAGE))
    }

    fn start(library: Library, name: &str) -> Result<Llvm, Diag> {
        let (mut version, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: writes three integers.
        unsafe { library.version(&mut version, &mut minor, &mut patch) };
        if version < VERSION_MIN {
            return Err(Diag::nowhere(
                Code::NoLlvm,
                format!("`{name}` is LLVM {version}.{minor}.{patch}, which is too old"),
            )
            .help(PACKAGE));
        }
        // SAFETY: the handler is a function of this program, which outlives the library.
        unsafe { library.install_fatal_handler(end) };
        Ok(Llvm { library, version, name: name.to_owned() })
    }

    /// The version, as in 19.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The library's name or path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Parses, verifies and compiles a module for a processor, which this version knows. One for a CPU that has no vectors
    /// is scalar loops, which LLVM's passes vectorize; others are compiled as they are written.
    ///
    /// # Errors
    ///
    /// `E0905` if LLVM refuses the module: that is our mistake.
    pub fn compile(&self, text: &str, triple: &str, cpu: &str, form: Form) -> Result<Vec<u8>, Diag> {
        let library = &self.library;
        let family = FAMILIES.iter().find(|row| triple.starts_with(row.0)).map(|row| row.1);
        if !family.is_some_and(|family| library.start_target(family)) {
            let message = format!("`{}` was built without the processors of {triple}", self.name);
            return Err(Diag::nowhere(Code::NoLlvm, message).help(PACKAGE));
        }
        let c_string = |text: &str| CString::new(text).map_err(|_| refused("a name has a zero byte", text));
        let (triple, cpu, empty) = (c_string(triple)?, c_string(cpu)?, c_string("")?);
        let mut said: Vec<String> = Vec::new();
        let mut heard = Heard { library, said: &mut said };
        // SAFETY: makes a context, which the guard disposes of after all that is made in it.
        let context = Owned {
            handle: unsafe { library.context_create() },
            dispose: |handle| unsafe { library.context_dispose(handle) },
        };
        // SAFETY: `heard` lives as long as the context, and no one else looks at it until then.
        unsafe { library.set_diagnostic_handler(context.handle, hear, (&raw mut heard).cast()) };
        // SAFETY: the text is copied, and the buffer belongs to the parser from then on.
        let buffer = unsafe { library.buffer_of(text.as_ptr().cast(), text.len(), empty.as_ptr()) };
        let (mut module, mut message): (Handle, Text) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: writes a module or a message.
        let failed = unsafe { library.parse(context.handle, buffer, &mut module, &mut message) };
        let message = self.take(message);
        if failed != 0 {
            return Err(refused("LLVM cannot read the program", &message));
        }
        // SAFETY: the module is alive, and is disposed of in front of its context.
        let module = Owned { handle: module, dispose: |handle| unsafe { library.module_dispose(handle) } };
        let mut message: Text = ptr::null_mut();
        // SAFETY: writes a message, and does not end the process.
        let failed = unsafe { library.verify(module.handle, RETURN_STATUS, &mut message) };
        let message = self.take(message);
        if failed != 0 {
            return Err(refused("LLVM's verifier refuses the program", &message));
        }
        let (mut target, mut message): (Handle, Text) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: writes a target, which the library keeps, or a message.
        let failed = unsafe { library.target_of(triple.as_ptr(), &mut target, &mut message) };
        let message = self.take(message);
        if failed != 0 {
            return Err(
                Diag::nowhere(Code::NoLlvm, format!("`{}` has no such machine: {message}", self.name)).help(PACKAGE)
            );
        }
        // SAFETY: the texts are alive during the call.
        let machine = unsafe {
            library.machine_create(target, triple.as_ptr(), cpu.as_ptr(), empty.as_ptr(), LEVEL, RELOCATION, MODEL)
        };
        // SAFETY: the machine is alive.
        let machine = Owned { handle: machine, dispose: |handle| unsafe { library.machine_dispose(handle) } };
        // SAFETY: machine and module are alive, and the module copies the layout.
        unsafe {
            let layout = library.machine_layout(machine.handle);
            library.set_layout(module.handle, layout);
            library.layout_dispose(layout);
        }
        if family != Some("AMDGPU") && !has_vectors(text) {
            let passes = c_string(PASSES)?;
            // SAFETY: module and machine are alive, and the options until they are disposed of.
            let error = unsafe {
                let options = library.pass_options_create();
                let error = library.run_passes(module.handle, passes.as_ptr(), machine.handle, options);
                library.pass_options_dispose(options);
                error
            };
            // A version that does not know one of the passes compiles what is written.
            if !error.is_null() {
                self.ended(error);
            }
        }
        let (mut code, mut message): (Handle, Text) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: writes a buffer or a message.
        let failed = unsafe { library.emit(machine.handle, module.handle, form as c_int, &mut message, &mut code) };
        let message = self.take(message);
        if failed != 0 {
            return Err(refused("LLVM cannot compile the program", &message));
        }
        // SAFETY: the buffer holds as many bytes as it says until it is disposed of.
        let bytes = unsafe {
            let bytes = slice::from_raw_parts(library.buffer_start(code).cast::<u8>(), library.buffer_size(code));
            let bytes = bytes.to_vec();
            library.buffer_dispose(code);
            bytes
        };
        drop((machine, module, context));
        match said.first() {
            None => Ok(bytes),
            Some(_) => Err(refused("LLVM cannot compile the program", &said.join("\n"))),
        }
    }

    /// Loads an object file for this machine into the process.
    ///
    /// # Errors
    ///
    /// `E0822` if LLVM refuses it.
    pub fn load(self, object: &[u8]) -> Result<Loaded, Diag> {
        let mut jit: Handle = ptr::null_mut();
        // SAFETY: writes a loader, or returns an error; no builder means the defaults for this machine.
        let error = unsafe { self.library.jit_create(&mut jit, ptr::null_mut()) };
        self.judge(error)?;
        let loaded = Loaded { llvm: self, jit };
        let library = &loaded.llvm.library;
        // SAFETY: the bytes are copied, and the buffer belongs to the loader from then on.
        let error = unsafe {
            let buffer = library.buffer_of(object.as_ptr().cast(), object.len(), c"kernels".as_ptr());
            library.jit_add(jit, library.jit_library(jit), buffer)
        };
        loaded.llvm.judge(error)?;
        Ok(loaded)
    }

    /// What an error of LLVM's loader says, if it is one.
    fn judge(&self, error: Handle) -> Result<(), Diag> {
        if error.is_null() {
            return Ok(());
        }
        Err(Diag::nowhere(Code::DeviceFault, "LLVM cannot load the program into the process").note(self.ended(error)))
    }

    /// What an error says, which is there no longer then.
    fn ended(&self, error: Handle) -> String {
        // SAFETY: the error is alive, asking for its text ends it, and the text is given back once.
        unsafe {
            let text = self.library.error_text(error);
            let said = CStr::from_ptr(text).to_string_lossy().trim().to_owned();
            self.library.error_text_dispose(text);
            said
        }
    }

    /// A message of LLVM's, which is given back.
    fn take(&self, message: Text) -> String {
        if message.is_null() {
            return String::new();
        }
        // SAFETY: LLVM's messages end with a zero, and are ours until they are given back, once.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().trim().to_owned();
            self.library.message_dispose(message);
            text
        }
    }
}

/// An object file in the memory of the process.
pub struct Loaded {
    llvm: Llvm,
    jit: Handle,
}

impl Loaded {
    /// Where a function of the object lies, for as long as this does.
    ///
    /// # Errors
    ///
    /// `E0822` if the object has no such function.
    pub fn address(&self, name: &str) -> Result<usize, Diag> {
        let name = CString::new(name).map_err(|_| refused("a name has a zero byte", name))?;
        let mut address = 0u64;
        // SAFETY: writes an address, or returns an error.
        let error = unsafe { self.llvm.library.jit_lookup(self.jit, &mut address, name.as_ptr()) };
        self.llvm.judge(error)?;
        Ok(address as usize)
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: nothing of the loader is used any more; an error of its end would have no one to go to.
        unsafe { self.llvm.library.jit_dispose(self.jit) };
    }
}

impl Library {
    /// Whether a file of this name can be opened, whatever it holds.
    fn is_there(name: &str) -> bool {
        // SAFETY: libLLVM's initializers fill its own tables and ask nothing of the process that opens it.
        unsafe { libloading::Library::new(name) }.is_ok()
    }
}

/// A handle that is disposed of when its owner goes.
struct Owned<F: Fn(Handle)> {
    handle: Handle,
    dispose: F,
}

impl<F: Fn(Handle)> Drop for Owned<F> {
    fn drop(&mut self) {
        (self.dispose)(self.handle);
    }
}

/// Where diagnostics of a context go.
struct Heard<'a> {
    library: &'a Library,
    said: &'a mut Vec<String>,
}

/// Keeps the errors of a context; without a handler LLVM would end the process.
extern "C" fn hear(info: Handle, heard: *mut c_void) {
    // SAFETY: the pointer is the one that was set with the handler, to something that outlives the context.
    let heard = unsafe { &mut *heard.cast::<Heard<'_>>() };
    // SAFETY: the diagnostic is alive during the call, and the text is given back once.
    unsafe {
        if heard.library.diagnostic_severity(info) == SEVERITY_ERROR {
            let text = heard.library.diagnostic_text(info);
            heard.said.push(CStr::from_ptr(text).to_string_lossy().into_owned());
            heard.library.message_dispose(text);
        }
    }
}

/// The last words in front of an end that LLVM does not return from.
extern "C" fn end(reason: *const c_char) {
    use std::io::Write;
    // SAFETY: LLVM's reason is a text that ends with a zero.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned();
    let diag = refused("LLVM gave up on the program", &reason);
    // There is no one left to return a diagnostic to.
    let _ = writeln!(std::io::stderr(), "error[{}]: {}\n  = note: {reason}", diag.code.number(), diag.message);
    std::process::exit(101);
}

/// Whether a module has values of vector types, as in `<16 x float>`.
fn has_vectors(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let behind = text[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
        behind.len() < text.len() - at - 1 && behind.starts_with(" x ")
    })
}

/// LLVM refuses what we wrote.
fn refused(what: &str, message: &str) -> Diag {
    Diag::nowhere(Code::BrokenPass, what)
        .note(message.to_owned())
        .note("this is a bug in raddle, not in the program; please report it with the input")
}

/// The names under which versions of the library are installed.
fn names(versions: impl Iterator<Item = u32>) -> Vec<String> {
    if cfg!(windows) {
        return vec!["LLVM-C.dll".to_owned()];
    }
    if cfg!(target_os = "macos") {
        return vec!["libLLVM.dylib".to_owned()];
    }
    versions.flat_map(|version| [format!("libLLVM.so.{version}.1"), format!("libLLVM-{version}.so")]).collect()
}

fn names_too_old() -> Vec<String> {
    (13..VERSION_MIN)
        .rev()
        .flat_map(|version| [format!("libLLVM-{version}.so.1"), format!("libLLVM-{version}.so")])
        .collect()
}
