//! The functions of the CUDA driver library, found at run time.
//!
//! Names, parameter orders and constants are those of the CUDA Driver API reference; a function with `_v2` is the one that
//! `cuda.h` has used since 64-bit addresses. Nothing here judges an answer: `super` turns results into diagnostics.

#![allow(unsafe_code, reason = "calls into the driver library cannot be checked by the compiler")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use libloading::Library;

/// What each function returns: 0, or the number of an error.
pub type Status = c_int;
/// A device by its number.
pub type DeviceId = c_int;
/// A pointer to something that only the driver looks into.
pub type Handle = *mut c_void;
/// An address in the device's memory.
pub type Address = u64;

/// `CUdevice_attribute`.
#[derive(Clone, Copy)]
#[repr(i32)]
pub enum DeviceAttribute {
    Multiprocessors = 16,
    ClockKhz = 13,
    MemoryClockKhz = 36,
    MemoryBusBits = 37,
    L2Bytes = 38,
    Major = 75,
    Minor = 76,
    SharedBytesMax = 97,
}

/// `CUfunction_attribute`.
#[derive(Clone, Copy)]
#[repr(i32)]
pub enum FunctionAttribute {
    LocalBytes = 3,
    Registers = 4,
    DynamicSharedBytesMax = 8,
}

/// `CUjit_option`: where the compiler of the driver writes its messages.
#[derive(Clone, Copy)]
#[repr(i32)]
pub enum JitOption {
    ErrorLog = 5,
    ErrorLogBytes = 6,
}

/// `CUlaunchAttribute`: a kernel may begin before the one in front of it in the stream is done, and waits for it itself.
#[repr(C, align(8))]
struct Early {
    /// `CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION`
    id: c_int,
    pad: c_int,
    value: c_int,
    rest: [c_int; 15],
}

/// `CUlaunchConfig`
#[repr(C)]
struct LaunchConfig {
    grid: [c_uint; 3],
    workgroup: [c_uint; 3],
    shared_bytes: c_uint,
    stream: Handle,
    attributes: *const Early,
    n_attributes: c_uint,
}

/// `cuLaunchKernelEx`, which drivers before CUDA 11.8 do not have.
type LaunchEarly = unsafe extern "C" fn(*const LaunchConfig, Handle, *mut *mut c_void, *mut *mut c_void) -> Status;

macro_rules! driver {
    ($($field:ident $symbol:literal ($($name:ident: $ty:ty),*);)*) => {
        /// The library, and its functions by their addresses.
        pub struct Driver {
            $($field: unsafe extern "C" fn($($ty),*) -> Status,)*
            launch_early: Option<LaunchEarly>,
            // Behind its functions, which must not be called once it is closed.
            _library: Library,
        }

        impl Driver {
            /// Opens the library of this name; the first thing that is missing is the error.
            pub fn open(name: &str) -> Result<Driver, libloading::Error> {
                // SAFETY: a driver library has no initializers that ask anything of the process that opens it.
                let library = unsafe { Library::new(name) }?;
                // SAFETY: each type is the one that the CUDA Driver API reference gives for the symbol, and the
                // addresses are kept no longer than the library.
                unsafe {
                    let launch_early = library.get(b"cuLaunchKernelEx\0").ok().map(|function| *function);
                    Ok(Driver { $($field: *library.get($symbol)?,)* launch_early, _library: library })
                }
            }

            $(
                /// Calls the function.
                ///
                /// # Safety
                ///
                /// Pointers are valid for what the CUDA Driver API reference says that the function reads or writes there.
                #[allow(clippy::too_many_arguments, reason = "as many as the driver's function has")]
                pub unsafe fn $field(&self, $($name: $ty),*) -> Status {
                    // SAFETY: the caller's pointers are valid.
                    unsafe { (self.$field)($($name),*) }
                }
            )*
        }
    };
}

driver! {
    init b"cuInit\0" (flags: c_uint);
    driver_version b"cuDriverGetVersion\0" (version: *mut c_int);
    device_count b"cuDeviceGetCount\0" (count: *mut c_int);
    device_get b"cuDeviceGet\0" (device: *mut DeviceId, number: c_int);
    device_name b"cuDeviceGetName\0" (name: *mut c_char, len: c_int, device: DeviceId);
    device_attribute b"cuDeviceGetAttribute\0" (value: *mut c_int, attribute: c_int, device: DeviceId);
    device_memory b"cuDeviceTotalMem_v2\0" (bytes: *mut usize, device: DeviceId);
    context_retain b"cuDevicePrimaryCtxRetain\0" (context: *mut Handle, device: DeviceId);
    context_release b"cuDevicePrimaryCtxRelease_v2\0" (device: DeviceId);
    context_current b"cuCtxSetCurrent\0" (context: Handle);
    memory_info b"cuMemGetInfo_v2\0" (free: *mut usize, total: *mut usize);
    module_load b"cuModuleLoadDataEx\0" (module: *mut Handle, image: *const c_void, n_options: c_uint, options: *mut c_int, values: *mut *mut c_void);
    module_unload b"cuModuleUnload\0" (module: Handle);
    module_function b"cuModuleGetFunction\0" (function: *mut Handle, module: Handle, name: *const c_char);
    function_get b"cuFuncGetAttribute\0" (value: *mut c_int, attribute: c_int, function: Handle);
    function_set b"cuFuncSetAttribute\0" (function: Handle, attribute: c_int, value: c_int);
    alloc b"cuMemAlloc_v2\0" (address: *mut Address, bytes: usize);
    free b"cuMemFree_v2\0" (address: Address);
    to_device b"cuMemcpyHtoD_v2\0" (to: Address, from: *const c_void, bytes: usize);
    to_host b"cuMemcpyDtoH_v2\0" (to: *mut c_void, from: Address, bytes: usize);
    fill b"cuMemsetD8_v2\0" (to: Address, byte: u8, bytes: usize);
    stream_create b"cuStreamCreate\0" (stream: *mut Handle, flags: c_uint);
    stream_wait b"cuStreamSynchronize\0" (stream: Handle);
    stream_destroy b"cuStreamDestroy_v2\0" (stream: Handle);
    event_create b"cuEventCreate\0" (event: *mut Handle, flags: c_uint);
    event_record b"cuEventRecord\0" (event: Handle, stream: Handle);
    event_wait b"cuEventSynchronize\0" (event: Handle);
    event_elapsed b"cuEventElapsedTime\0" (milliseconds: *mut f32, start: Handle, end: Handle);
    event_destroy b"cuEventDestroy_v2\0" (event: Handle);
    launch b"cuLaunchKernel\0" (
        function: Handle,
        grid_x: c_uint, grid_y: c_uint, grid_z: c_uint,
        block_x: c_uint, block_y: c_uint, block_z: c_uint,
        shared_bytes: c_uint, stream: Handle, params: *mut *mut c_void, extra: *mut *mut c_void
    );
    error_name b"cuGetErrorName\0" (status: Status, name: *mut *const c_char);
    error_string b"cuGetErrorString\0" (status: Status, text: *mut *const c_char);
}

impl Driver {
    /// Launches a kernel that waits itself for the one in front of it, if the driver knows how.
    ///
    /// # Safety
    ///
    /// As for `launch`.
    pub unsafe fn launch_early(
        &self,
        function: Handle,
        [grid, workgroup]: [[c_uint; 3]; 2],
        shared_bytes: c_uint,
        stream: Handle,
        params: *mut *mut c_void,
    ) -> Option<Status> {
        let launch = self.launch_early?;
        let early = Early { id: 6, pad: 0, value: 1, rest: [0; 15] };
        let config = LaunchConfig { grid, workgroup, shared_bytes, stream, attributes: &early, n_attributes: 1 };
        // SAFETY: the configuration outlives the call, and the caller's pointers are valid.
        Some(unsafe { launch(&config, function, params, std::ptr::null_mut()) })
    }

    /// The name and the sentence that the driver has for an error.
    pub fn describe(&self, status: Status) -> (String, String) {
        let text = |get: &dyn Fn(*mut *const c_char) -> Status| {
            let mut found: *const c_char = std::ptr::null();
            let known = get(&mut found) == 0 && !found.is_null();
            // SAFETY: what the driver writes is a text that lives as long as the library.
            known.then(|| unsafe { CStr::from_ptr(found) }.to_string_lossy().into_owned())
        };
        // SAFETY: both write one address.
        let name = text(&|found| unsafe { self.error_name(status, found) });
        // SAFETY: as above.
        let sentence = text(&|found| unsafe { self.error_string(status, found) });
        (name.unwrap_or_else(|| format!("error {status}")), sentence.unwrap_or_default())
    }
}
