//! The functions of libLLVM's C interface, found at run time.
//!
//! Names and parameters are those of `llvm-c/Core.h`, `TargetMachine.h`, `IRReader.h`, `Analysis.h` and
//! `ErrorHandling.h`, unchanged from LLVM 19 on. Nothing here judges an answer: `super` turns results into diagnostics.

#![allow(unsafe_code, reason = "calls into libLLVM cannot be checked by the compiler")]

use std::ffi::{c_char, c_int, c_uint, c_void};

use libloading::Library as File;

/// A pointer to something that only LLVM looks into.
pub type Handle = *mut c_void;
/// A text of LLVM's that ends with a zero.
pub type Text = *mut c_char;
/// Told of each diagnostic of a context.
pub type DiagnosticHandler = extern "C" fn(Handle, *mut c_void);
/// Told of an error behind which LLVM ends the process.
pub type FatalHandler = extern "C" fn(*const c_char);

macro_rules! library {
    ($($field:ident $symbol:literal ($($name:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// The library, and its functions by their addresses.
        pub struct Library {
            $($field: unsafe extern "C" fn($($ty),*) -> $result,)*
            // Behind its functions, which must not be called once it is closed.
            file: File,
        }

        impl Library {
            /// Opens the library of this name; the first thing that is missing is the error.
            pub fn open(name: &str) -> Result<Library, libloading::Error> {
                // SAFETY: libLLVM's initializers fill its own tables and ask nothing of the process that opens it.
                let file = unsafe { File::new(name) }?;
                // SAFETY: each type is the one of the C header for the symbol, and the addresses are kept no longer
                // than the library.
                unsafe { Ok(Library { $($field: *file.get($symbol)?,)* file }) }
            }

            /// Fills the tables of a family of processors, as in `AMDGPU`; `false` if the library was built without it.
            pub fn start_target(&self, family: &str) -> bool {
                ["TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser"].iter().all(|part| {
                    let symbol = format!("LLVMInitialize{family}{part}\0");
                    // SAFETY: the C header declares these functions without parameters or results, and they may be
                    // called more than once.
                    unsafe {
                        match self.file.get::<unsafe extern "C" fn()>(symbol.as_bytes()) {
                            Ok(start) => {
                                start();
                                true
                            }
                            Err(_) => false,
                        }
                    }
                })
            }

            $(
                /// Calls the function.
                ///
                /// # Safety
                ///
                /// Handles are LLVM's own and alive, and pointers valid for what the C header says is done with them.
                #[allow(clippy::too_many_arguments, reason = "as many as LLVM's function has")]
                pub unsafe fn $field(&self, $($name: $ty),*) -> $result {
                    // SAFETY: the caller's pointers are valid.
                    unsafe { (self.$field)($($name),*) }
                }
            )*
        }
    };
}

library! {
    version b"LLVMGetVersion\0" (major: *mut c_uint, minor: *mut c_uint, patch: *mut c_uint) -> ();
    install_fatal_handler b"LLVMInstallFatalErrorHandler\0" (handler: FatalHandler) -> ();
    context_create b"LLVMContextCreate\0" () -> Handle;
    context_dispose b"LLVMContextDispose\0" (context: Handle) -> ();
    set_diagnostic_handler b"LLVMContextSetDiagnosticHandler\0" (context: Handle, handler: DiagnosticHandler, data: *mut c_void) -> ();
    diagnostic_severity b"LLVMGetDiagInfoSeverity\0" (info: Handle) -> c_int;
    diagnostic_text b"LLVMGetDiagInfoDescription\0" (info: Handle) -> Text;
    buffer_of b"LLVMCreateMemoryBufferWithMemoryRangeCopy\0" (data: *const c_char, length: usize, name: *const c_char) -> Handle;
    buffer_start b"LLVMGetBufferStart\0" (buffer: Handle) -> *const c_char;
    buffer_size b"LLVMGetBufferSize\0" (buffer: Handle) -> usize;
    buffer_dispose b"LLVMDisposeMemoryBuffer\0" (buffer: Handle) -> ();
    parse b"LLVMParseIRInContext\0" (context: Handle, buffer: Handle, module: *mut Handle, message: *mut Text) -> c_int;
    verify b"LLVMVerifyModule\0" (module: Handle, action: c_int, message: *mut Text) -> c_int;
    module_dispose b"LLVMDisposeModule\0" (module: Handle) -> ();
    message_dispose b"LLVMDisposeMessage\0" (message: Text) -> ();
    target_of b"LLVMGetTargetFromTriple\0" (triple: *const c_char, target: *mut Handle, message: *mut Text) -> c_int;
    machine_create b"LLVMCreateTargetMachine\0" (target: Handle, triple: *const c_char, cpu: *const c_char, features: *const c_char, level: c_int, relocation: c_int, model: c_int) -> Handle;
    machine_dispose b"LLVMDisposeTargetMachine\0" (machine: Handle) -> ();
    machine_layout b"LLVMCreateTargetDataLayout\0" (machine: Handle) -> Handle;
    set_layout b"LLVMSetModuleDataLayout\0" (module: Handle, layout: Handle) -> ();
    layout_dispose b"LLVMDisposeTargetData\0" (layout: Handle) -> ();
    jit_create b"LLVMOrcCreateLLJIT\0" (jit: *mut Handle, builder: Handle) -> Handle;
    jit_dispose b"LLVMOrcDisposeLLJIT\0" (jit: Handle) -> Handle;
    jit_library b"LLVMOrcLLJITGetMainJITDylib\0" (jit: Handle) -> Handle;
    jit_add b"LLVMOrcLLJITAddObjectFile\0" (jit: Handle, library: Handle, object: Handle) -> Handle;
    jit_lookup b"LLVMOrcLLJITLookup\0" (jit: Handle, address: *mut u64, name: *const c_char) -> Handle;
    error_text b"LLVMGetErrorMessage\0" (error: Handle) -> Text;
    error_text_dispose b"LLVMDisposeErrorMessage\0" (text: Text) -> ();
    pass_options_create b"LLVMCreatePassBuilderOptions\0" () -> Handle;
    pass_options_dispose b"LLVMDisposePassBuilderOptions\0" (options: Handle) -> ();
    run_passes b"LLVMRunPasses\0" (module: Handle, passes: *const c_char, machine: Handle, options: Handle) -> Handle;
    emit b"LLVMTargetMachineEmitToMemoryBuffer\0" (machine: Handle, module: Handle, form: c_int, message: *mut Text, buffer: *mut Handle) -> c_int;
}
