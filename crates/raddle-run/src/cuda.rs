//! NVIDIA GPUs through the CUDA driver library: devices, buffers, modules, launches and events.
//!
//! The library is opened when somebody asks for a device; nothing of it is needed to build or to start. Handles are freed
//! when their owners go, and every owner borrows the context, so that none outlives it.
//!
//! A kernel that accesses what it may not leaves the context unusable: everything after it fails with the same error, and
//! the diagnostic says so.

#![allow(unsafe_code, reason = "each call passes pointers to the driver; the arguments are stated beside it")]

mod driver;

use std::ffi::{CString, c_int, c_void};
use std::ptr;

use raddle_ir::{Code, Diag};

use driver::{Address, DeviceAttribute, DeviceId, Driver, FunctionAttribute, Handle, JitOption, Status};

/// Where the library is looked for, in this order.
const LIBRARIES: &[&str] =
    if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"] };

/// Bytes of the compiler's messages that are kept.
const LOG_BYTES: usize = 16 << 10;

/// The oldest driver whose compiler takes the PTX that is written: CUDA 12.4, for PTX 8.4.
const DRIVER_MIN: i32 = 12040;

/// What one device is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceInfo {
    /// The number under which the driver knows it.
    pub number: i32,
    /// As its maker calls it.
    pub name: String,
    /// `sm_90` is (9, 0).
    pub capability: (i32, i32),
    /// Bytes of its memory.
    pub memory: usize,
    /// Multiprocessors.
    pub multiprocessors: i32,
    /// Bytes of the L2 cache.
    pub l2_bytes: i32,
    /// Bytes of shared memory that one workgroup may have.
    pub shared_bytes_max: i32,
    /// The clock of the multiprocessors at most, in kHz.
    pub clock_khz: i32,
    /// Bytes that the memory moves in one second, at most.
    pub memory_bytes_per_second: u64,
}

/// The opened library.
pub struct Cuda {
    driver: Driver,
    version: i32,
}

impl Cuda {
    /// Opens the driver library: the one of this name or path, or the one that is installed.
    ///
    /// # Errors
    ///
    /// `E0821` if there is no library, no device, or the driver cannot start.
    pub fn open(library: Option<&str>) -> Result<Cuda, Diag> {
        let names = match &library {
            Some(name) => std::slice::from_ref(name),
            None => LIBRARIES,
        };
        let mut errors = Vec::new();
        let found = names.iter().find_map(|name| match Driver::open(name) {
            Ok(driver) => Some(driver),
            Err(error) => {
                let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                errors.push(why);
                None
            }
        });
        let Some(driver) = found else {
            let mut diag = Diag::nowhere(Code::NoDevice, "there is no CUDA driver on this machine");
            for error in errors {
                diag = diag.note(error);
            }
            return Err(diag
                .help("install the driver of the GPU; `--device=emu` and `--device=ptx-emu` run kernels without one"));
        };
        let mut cuda = Cuda { driver, version: 0 };
        // SAFETY: takes no pointers.
        cuda.check("start the driver", unsafe { cuda.driver.init(0) })?;
        let mut version = 0;
        // SAFETY: writes one integer.
        cuda.check("ask for the driver's version", unsafe { cuda.driver.driver_version(&mut version) })?;
        cuda.version = version;
        Ok(cuda)
    }

    /// The version of CUDA that the driver is for, as in (12, 4).
    pub fn version(&self) -> (i32, i32) {
        (self.version / 1000, self.version % 1000 / 10)
    }

    /// Every device.
    ///
    /// # Errors
    ///
    /// `E0822` if the driver fails.
    pub fn devices(&self) -> Result<Vec<DeviceInfo>, Diag> {
        let mut count = 0;
        // SAFETY: writes one integer.
        self.check("count devices", unsafe { self.driver.device_count(&mut count) })?;
        (0..count).map(|number| self.device(number)).collect()
    }

    /// The device of a number.
    fn device(&self, number: i32) -> Result<DeviceInfo, Diag> {
        let id = self.device_id(number)?;
        let mut name = [0; 256];
        // SAFETY: writes at most as many bytes as it is told, with a zero behind.
        self.check("ask for a device's name", unsafe {
            self.driver.device_name(name.as_mut_ptr(), name.len() as c_int, id)
        })?;
        let name: Vec<u8> = name.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect();
        let mut memory = 0;
        // SAFETY: writes one integer.
        self.check("ask for a device's memory", unsafe { self.driver.device_memory(&mut memory, id) })?;
        let attribute = |attribute: DeviceAttribute| {
            let mut value = 0;
            // SAFETY: writes one integer.
            let status = unsafe { self.driver.device_attribute(&mut value, attribute as c_int, id) };
            self.check("ask for a device's properties", status).map(|()| value)
        };
        let memory_khz = attribute(DeviceAttribute::MemoryClockKhz)? as u64;
        let bus_bits = attribute(DeviceAttribute::MemoryBusBits)? as u64;
        Ok(DeviceInfo {
            number,
            name: String::from_utf8_lossy(&name).into_owned(),
            capability: (attribute(DeviceAttribute::Major)?, attribute(DeviceAttribute::Minor)?),
            memory,
            multiprocessors: attribute(DeviceAttribute::Multiprocessors)?,
            l2_bytes: attribute(DeviceAttribute::L2Bytes)?,
            shared_bytes_max: attribute(DeviceAttribute::SharedBytesMax)?,
            clock_khz: attribute(DeviceAttribute::ClockKhz)?,
            // Two transfers for each period of the clock.
            memory_bytes_per_second: 2 * memory_khz * 1000 * bus_bits / 8,
        })
    }

    fn device_id(&self, number: i32) -> Result<DeviceId, Diag> {
        let mut id = 0;
        // SAFETY: writes one integer.
        self.check("find the device", unsafe { self.driver.device_get(&mut id, number) })?;
        Ok(id)
    }

    /// The device of a number, made ready for kernels.
    ///
    /// # Errors
    ///
    /// `E0821` if there is no such device.
    pub fn context(&self, number: i32) -> Result<Context<'_>, Diag> {
        let devices = self.devices()?;
        let Some(info) = usize::try_from(number).ok().and_then(|number| devices.get(number)) else {
            let message = format!("there is no CUDA device {number}");
            return Err(Diag::nowhere(Code::NoDevice, message)
                .note(format!("the driver knows {} of them, numbered from 0", devices.len())));
        };
        let id = self.device_id(number)?;
        let mut handle = ptr::null_mut();
        // SAFETY: writes one handle.
        self.check("make the device ready", unsafe { self.driver.context_retain(&mut handle, id) })?;
        Ok(Context { cuda: self, id, handle, info: info.clone() })
    }

    /// Whether a call was answered with success.
    fn check(&self, what: &str, status: Status) -> Result<(), Diag> {
        if status == 0 {
            return Ok(());
        }
        let (name, sentence) = self.driver.describe(status);
        let message = format!("the CUDA driver cannot {what}: {name}");
        let code = if matches!(status, status::NO_DEVICE | status::NOT_INITIALIZED | status::NOT_SUPPORTED) {
            Code::NoDevice
        } else {
            Code::DeviceFault
        };
        let mut diag = Diag::nowhere(code, message);
        if !sentence.is_empty() {
            diag = diag.note(format!("the driver says: {sentence}"));
        }
        if status == status::UNSUPPORTED_PTX || (self.version != 0 && self.version < DRIVER_MIN) {
            let (major, minor) = self.version();
            diag =
                diag.note(format!("the driver is for CUDA {major}.{minor}; PTX 8.4 needs one for CUDA 12.4 or newer"));
        }
        Err(match status {
            status::OUT_OF_MEMORY => diag.help("use smaller buffers, or end other programs that use the device"),
            status::ILLEGAL_ADDRESS | status::MISALIGNED | status::LAUNCH_FAILED | status::ILLEGAL_INSTRUCTION => {
                diag.help("`--device=ptx-emu` executes the same PTX and finds the access")
            }
            status::OUT_OF_RESOURCES => diag.help("the kernel needs fewer threads, registers or less shared memory"),
            _ => diag,
        })
    }
}

/// Errors of the driver that are told apart (`CUresult`).
mod status {
    pub const OUT_OF_MEMORY: i32 = 2;
    pub const NOT_INITIALIZED: i32 = 3;
    pub const NO_DEVICE: i32 = 100;
    pub const UNSUPPORTED_PTX: i32 = 222;
    pub const ILLEGAL_ADDRESS: i32 = 700;
    pub const OUT_OF_RESOURCES: i32 = 701;
    pub const ILLEGAL_INSTRUCTION: i32 = 715;
    pub const MISALIGNED: i32 = 716;
    pub const LAUNCH_FAILED: i32 = 719;
    pub const NOT_SUPPORTED: i32 = 801;
}

/// A device that is ready.
pub struct Context<'c> {
    cuda: &'c Cuda,
    id: DeviceId,
    handle: Handle,
    info: DeviceInfo,
}

impl Context<'_> {
    /// What the device is.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Bytes of the device's memory that nobody uses.
    pub fn free_bytes(&self) -> Result<usize, Diag> {
        let (mut free, mut total) = (0, 0);
        self.enter()?;
        // SAFETY: writes two integers.
        self.check("ask for free memory", unsafe { self.driver().memory_info(&mut free, &mut total) })?;
        Ok(free)
    }

    /// A buffer of so many bytes; its contents are not defined.
    pub fn alloc(&self, bytes: usize) -> Result<Buffer<'_>, Diag> {
        self.enter()?;
        let mut address = 0;
        // The driver refuses to allocate nothing, and an empty tensor has an address all the same.
        let status = unsafe {
            // SAFETY: writes one address.
            self.driver().alloc(&mut address, bytes.max(1))
        };
        let free = self.free_bytes();
        self.check(&format!("allocate {bytes} bytes"), status).map_err(|diag| match free {
            Ok(free) => diag.note(format!("{free} of {} bytes are free", self.info.memory)),
            Err(_) => diag,
        })?;
        Ok(Buffer { context: self, address, bytes })
    }

    /// A buffer with these contents.
    pub fn upload(&self, bytes: &[u8]) -> Result<Buffer<'_>, Diag> {
        let buffer = self.alloc(bytes.len())?;
        buffer.write(bytes)?;
        Ok(buffer)
    }

    /// Loads PTX text, which the driver compiles, or a compiled image.
    ///
    /// # Errors
    ///
    /// `E0822` with the log of the driver's compiler.
    pub fn module(&self, image: &[u8]) -> Result<Module<'_>, Diag> {
        self.enter()?;
        // Text ends with a zero; an image may be followed by one.
        let image = [image, &[0]].concat();
        let mut log = vec![0u8; LOG_BYTES];
        let mut options = [JitOption::ErrorLog as c_int, JitOption::ErrorLogBytes as c_int];
        // A number that fits a pointer is passed as one.
        let mut values = [log.as_mut_ptr().cast::<c_void>(), ptr::without_provenance_mut(LOG_BYTES)];
        let mut handle = ptr::null_mut();
        // SAFETY: the image ends with a zero, the log is as long as its option says, and the lists have two entries.
        let status = unsafe {
            self.driver().module_load(
                &mut handle,
                image.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let log: Vec<u8> = log.into_iter().take_while(|&byte| byte != 0).collect();
        self.check("load the kernel", status).map_err(|diag| {
            String::from_utf8_lossy(&log).lines().filter(|line| !line.trim().is_empty()).fold(diag, Diag::note)
        })?;
        let waiting = std::str::from_utf8(&image).map(waiting).unwrap_or_default();
        Ok(Module { context: self, handle, waiting })
    }

    /// A queue of launches that are executed in order.
    pub fn stream(&self) -> Result<Stream<'_>, Diag> {
        self.enter()?;
        let mut handle = ptr::null_mut();
        // SAFETY: writes one handle.
        self.check("make a stream", unsafe { self.driver().stream_create(&mut handle, 0) })?;
        Ok(Stream { context: self, handle })
    }

    /// A mark in a stream.
    pub fn event(&self) -> Result<Event<'_>, Diag> {
        self.enter()?;
        let mut handle = ptr::null_mut();
        // SAFETY: writes one handle.
        self.check("make an event", unsafe { self.driver().event_create(&mut handle, 0) })?;
        Ok(Event { context: self, handle })
    }

    /// Makes this the device of the calling thread.
    fn enter(&self) -> Result<(), Diag> {
        // SAFETY: the handle is kept until the context goes.
        self.check("choose the device", unsafe { self.driver().context_current(self.handle) })
    }

    fn driver(&self) -> &Driver {
        &self.cuda.driver
    }

    fn check(&self, what: &str, status: Status) -> Result<(), Diag> {
        self.cuda.check(what, status)
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: retained once, by `Cuda::context`. What cannot be released any more is the driver's.
        unsafe { self.driver().context_release(self.id) };
    }
}

/// Memory of a device.
pub struct Buffer<'c> {
    context: &'c Context<'c>,
    address: Address,
    bytes: usize,
}

impl Buffer<'_> {
    /// Where it is, as a kernel gets it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Copies into the buffer, from its start.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Diag> {
        assert!(bytes.len() <= self.bytes, "what is written fits the buffer");
        self.context.enter()?;
        // SAFETY: reads the slice, and the buffer has as many bytes.
        let status = unsafe { self.context.driver().to_device(self.address, bytes.as_ptr().cast(), bytes.len()) };
        self.context.check("copy to the device", status)
    }

    /// The contents, once everything launched before is done.
    pub fn read(&self) -> Result<Vec<u8>, Diag> {
        self.context.enter()?;
        let mut bytes = vec![0u8; self.bytes];
        // SAFETY: writes the slice, and the buffer has as many bytes.
        let status = unsafe { self.context.driver().to_host(bytes.as_mut_ptr().cast(), self.address, bytes.len()) };
        self.context.check("copy from the device", status)?;
        Ok(bytes)
    }

    /// Sets every byte.
    pub fn fill(&self, byte: u8) -> Result<(), Diag> {
        self.context.enter()?;
        // SAFETY: the buffer has as many bytes.
        self.context.check("fill a buffer", unsafe { self.context.driver().fill(self.address, byte, self.bytes) })
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated once, by `Context::alloc`.
        unsafe { self.context.driver().free(self.address) };
    }
}

/// Loaded code.
pub struct Module<'c> {
    context: &'c Context<'c>,
    handle: Handle,
    /// The kernels that wait themselves for what is in front of them in a stream.
    waiting: Vec<String>,
}

/// The kernels of a PTX text that wait for what is in front of them in a stream (PTX ISA, "griddepcontrol").
fn waiting(text: &str) -> Vec<String> {
    let entries = text.split(".entry ").skip(1).filter(|entry| entry.contains("griddepcontrol.wait"));
    entries.filter_map(|entry| Some(entry.split_once('(')?.0.trim().to_owned())).collect()
}

impl Module<'_> {
    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, Diag> {
        let missing = || Diag::nowhere(Code::UnknownName, format!("the module has no kernel `{name}`"));
        let spelled = CString::new(name).map_err(|_| missing())?;
        self.context.enter()?;
        let mut handle = ptr::null_mut();
        // SAFETY: writes one handle, and the name ends with a zero.
        let status = unsafe { self.context.driver().module_function(&mut handle, self.handle, spelled.as_ptr()) };
        self.context.check(&format!("find the kernel `{name}`"), status)?;
        let waits = self.waiting.iter().any(|waiting| waiting == name);
        Ok(Kernel { context: self.context, handle, waits })
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: loaded once, by `Context::module`; kernels borrow the module.
        unsafe { self.context.driver().module_unload(self.handle) };
    }
}

/// How many workgroups, of how many threads, with how much memory of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Workgroups along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a workgroup along x, y and z.
    pub workgroup: [u32; 3],
    /// Bytes of shared memory beside what the kernel declares.
    pub dynamic_shared_bytes: u32,
}

/// What a kernel gets.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    /// The address of a buffer, or an integer of 64 bits.
    Word(u64),
    /// Up to 8 bytes of a number, little-endian.
    Bytes([u8; 8]),
}

/// A function of a module that can be launched.
pub struct Kernel<'m> {
    context: &'m Context<'m>,
    handle: Handle,
    /// Whether it waits itself for what is in front of it in a stream.
    waits: bool,
}

impl Kernel<'_> {
    /// Registers of a thread.
    pub fn registers(&self) -> Result<i32, Diag> {
        self.attribute(FunctionAttribute::Registers)
    }

    /// Bytes of a thread's memory that are not registers: what was spilled, and arrays.
    pub fn local_bytes(&self) -> Result<i32, Diag> {
        self.attribute(FunctionAttribute::LocalBytes)
    }

    fn attribute(&self, attribute: FunctionAttribute) -> Result<i32, Diag> {
        self.context.enter()?;
        let mut value = 0;
        // SAFETY: writes one integer.
        let status = unsafe { self.context.driver().function_get(&mut value, attribute as c_int, self.handle) };
        self.context.check("ask for a kernel's properties", status)?;
        Ok(value)
    }

    /// Queues one launch. The parameters are copied before this returns; buffers must live until the stream is done.
    pub fn launch(&self, stream: &Stream<'_>, shape: &Shape, params: &[Param]) -> Result<(), Diag> {
        self.context.enter()?;
        let shared = shape.dynamic_shared_bytes;
        if shared > 0 {
            let bytes = c_int::try_from(shared).unwrap_or(c_int::MAX);
            let attribute = FunctionAttribute::DynamicSharedBytesMax as c_int;
            // SAFETY: takes no pointers.
            let status = unsafe { self.context.driver().function_set(self.handle, attribute, bytes) };
            self.context.check(&format!("give a workgroup {shared} bytes of shared memory"), status)?;
        }
        let mut words: Vec<[u8; 8]> = params
            .iter()
            .map(|param| match *param {
                Param::Word(word) => word.to_le_bytes(),
                Param::Bytes(bytes) => bytes,
            })
            .collect();
        let mut pointers: Vec<*mut c_void> = words.iter_mut().map(|word| word.as_mut_ptr().cast()).collect();
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.workgroup);
        let (driver, pointers) = (self.context.driver(), pointers.as_mut_ptr());
        let sides = [shape.grid, shape.workgroup];
        // SAFETY: there is a pointer for each parameter, to at least as many bytes as its type has; the driver copies
        // them before it returns.
        let early = || unsafe { driver.launch_early(self.handle, sides, shared, stream.handle, pointers) };
        // SAFETY: as above.
        let status = self.waits.then(early).flatten().unwrap_or_else(|| unsafe {
            driver.launch(self.handle, gx, gy, gz, bx, by, bz, shared, stream.handle, pointers, ptr::null_mut())
        });
        self.context.check(&format!("launch {gx} x {gy} x {gz} workgroups of {bx} x {by} x {bz} threads"), status)
    }
}

/// A queue of launches that are executed in order.
pub struct Stream<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

impl Stream<'_> {
    /// Waits until everything that was queued is done; what a kernel did wrong is said here.
    pub fn wait(&self) -> Result<(), Diag> {
        self.context.enter()?;
        // SAFETY: the handle is kept until the stream goes.
        self.context.check("finish the kernel", unsafe { self.context.driver().stream_wait(self.handle) })
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // SAFETY: made once, by `Context::stream`.
        unsafe { self.context.driver().stream_destroy(self.handle) };
    }
}

/// A mark in a stream, with the time when the device passed it.
pub struct Event<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

impl Event<'_> {
    /// Puts the mark behind what is queued.
    pub fn record(&self, stream: &Stream<'_>) -> Result<(), Diag> {
        self.context.enter()?;
        // SAFETY: both handles are kept until their owners go.
        let status = unsafe { self.context.driver().event_record(self.handle, stream.handle) };
        self.context.check("record an event", status)
    }

    /// Seconds from an earlier mark to this one, once the device has passed both.
    pub fn seconds_since(&self, start: &Event<'_>) -> Result<f64, Diag> {
        self.context.enter()?;
        let mut milliseconds = 0.0;
        // SAFETY: takes handles that are kept until their owners go, and writes one float.
        let status = unsafe {
            match self.context.driver().event_wait(self.handle) {
                0 => self.context.driver().event_elapsed(&mut milliseconds, start.handle, self.handle),
                failed => failed,
            }
        };
        self.context.check("measure the time", status)?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        // SAFETY: made once, by `Context::event`.
        unsafe { self.context.driver().event_destroy(self.handle) };
    }
}
