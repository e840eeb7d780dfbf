//! A stand-in for the CUDA driver library, for tests: one device whose memory is the host's. It loads any text that begins
//! with `.version` or a comment, and has two kernels, which it runs itself: `axpy(y, x, a, n)`, and `sum(x, y, out)` for as
//! many elements as `out` has.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::Mutex;

type Status = c_int;

/// Live allocations: address and bytes.
static HEAP: Mutex<Vec<(u64, usize)>> = Mutex::new(Vec::new());
static SHARED_MAX: Mutex<u32> = Mutex::new(48 << 10);

const MEMORY: usize = 1 << 20;
const INVALID: Status = 1;
const OUT_OF_MEMORY: Status = 2;
const INVALID_PTX: Status = 218;
const NOT_FOUND: Status = 500;
const ILLEGAL_ADDRESS: Status = 700;

fn within(address: u64, bytes: usize) -> bool {
    HEAP.lock().unwrap().iter().any(|&(at, len)| at <= address && address + bytes as u64 <= at + len as u64)
}

macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),*) $body:block)*) => {
        $(#[unsafe(no_mangle)] pub unsafe extern "C" fn $name($($arg: $ty),*) -> Status { unsafe { $body } })*
    };
}

functions! {
    cuInit(_flags: c_uint) { 0 }
    cuDriverGetVersion(version: *mut c_int) { *version = 12040; 0 }
    cuDeviceGetCount(count: *mut c_int) { *count = 1; 0 }
    cuDeviceGet(device: *mut c_int, number: c_int) { *device = 40 + number; 0 }
    cuDeviceGetName(name: *mut c_char, len: c_int, _device: c_int) {
        for (at, &byte) in b"Mock\0".iter().enumerate().take(len as usize) { *name.add(at) = byte as c_char; }
        0
    }
    cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) {
        if device != 40 { return INVALID; }
        *value = match attribute { 16 => 4, 13 => 1_000_000, 36 => 1_000_000, 37 => 512, 38 => 1 << 20, 75 => 8, 76 => 0, 97 => 100 << 10, _ => return INVALID };
        0
    }
    cuDeviceTotalMem_v2(bytes: *mut usize, _device: c_int) { *bytes = MEMORY; 0 }
    cuDevicePrimaryCtxRetain(context: *mut *mut c_void, _device: c_int) { *context = std::ptr::without_provenance_mut(7); 0 }
    cuDevicePrimaryCtxRelease_v2(_device: c_int) { 0 }
    cuCtxSetCurrent(context: *mut c_void) { if context.addr() == 7 { 0 } else { INVALID } }
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        *total = MEMORY;
        *free = MEMORY - HEAP.lock().unwrap().iter().map(|block| block.1).sum::<usize>();
        0
    }
    cuModuleLoadDataEx(module: *mut *mut c_void, image: *const c_void, n: c_uint, options: *mut c_int, values: *mut *mut c_void) {
        let text = CStr::from_ptr(image.cast()).to_bytes();
        if text.starts_with(b".version") || text.starts_with(b"//") { *module = std::ptr::without_provenance_mut(11); return 0; }
        for at in 0..n as usize {
            if *options.add(at) == 5 {
                let log = (*values.add(at)).cast::<u8>();
                for (i, &byte) in b"line 1: syntax error\0".iter().enumerate() { *log.add(i) = byte; }
            }
        }
        INVALID_PTX
    }
    cuModuleUnload(_module: *mut c_void) { 0 }
    cuModuleGetFunction(function: *mut *mut c_void, _module: *mut c_void, name: *const c_char) {
        let number = match CStr::from_ptr(name).to_bytes() { b"axpy" => 13, b"sum" => 14, _ => return NOT_FOUND };
        *function = std::ptr::without_provenance_mut(number);
        0
    }
    cuFuncGetAttribute(value: *mut c_int, attribute: c_int, _function: *mut c_void) {
        *value = if attribute == 4 { 24 } else { 0 };
        0
    }
    cuFuncSetAttribute(_function: *mut c_void, attribute: c_int, value: c_int) {
        if attribute != 8 || value > 100 << 10 { return INVALID; }
        *SHARED_MAX.lock().unwrap() = value as u32;
        0
    }
    cuMemAlloc_v2(address: *mut u64, bytes: usize) {
        let mut heap = HEAP.lock().unwrap();
        if bytes == 0 { return INVALID; }
        if heap.iter().map(|block| block.1).sum::<usize>() + bytes > MEMORY { return OUT_OF_MEMORY; }
        let block = Box::leak(vec![0xCDu8; bytes].into_boxed_slice());
        *address = block.as_mut_ptr().expose_provenance() as u64;
        heap.push((*address, bytes));
        0
    }
    cuMemFree_v2(address: u64) {
        let mut heap = HEAP.lock().unwrap();
        let Some(at) = heap.iter().position(|block| block.0 == address) else { return INVALID };
        heap.remove(at);
        0
    }
    cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) {
        if !within(to, bytes) { return INVALID; }
        std::ptr::copy_nonoverlapping(from.cast::<u8>(), std::ptr::with_exposed_provenance_mut(to as usize), bytes);
        0
    }
    cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) {
        if !within(from, bytes) { return INVALID; }
        std::ptr::copy_nonoverlapping(std::ptr::with_exposed_provenance::<u8>(from as usize), to.cast(), bytes);
        0
    }
    cuMemsetD8_v2(to: u64, byte: u8, bytes: usize) {
        if !within(to, bytes) { return INVALID; }
        std::ptr::write_bytes(std::ptr::with_exposed_provenance_mut::<u8>(to as usize), byte, bytes);
        0
    }
    cuStreamCreate(stream: *mut *mut c_void, _flags: c_uint) { *stream = std::ptr::without_provenance_mut(17); 0 }
    cuStreamSynchronize(_stream: *mut c_void) { 0 }
    cuStreamDestroy_v2(_stream: *mut c_void) { 0 }
    cuEventCreate(event: *mut *mut c_void, _flags: c_uint) { *event = std::ptr::without_provenance_mut(19); 0 }
    cuEventRecord(_event: *mut c_void, _stream: *mut c_void) { 0 }
    cuEventSynchronize(_event: *mut c_void) { 0 }
    cuEventElapsedTime(milliseconds: *mut f32, _start: *mut c_void, _end: *mut c_void) { *milliseconds = 250.0; 0 }
    cuEventDestroy_v2(_event: *mut c_void) { 0 }
    cuLaunchKernel(
        function: *mut c_void, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint,
        shared: c_uint, _stream: *mut c_void, params: *mut *mut c_void, _extra: *mut *mut c_void
    ) {
        if shared > *SHARED_MAX.lock().unwrap() || bx * by * bz > 1024 { return INVALID; }
        let word = |at: usize| (*params.add(at)).cast::<u64>().read();
        let float = |base: u64, i: usize| std::ptr::with_exposed_provenance_mut::<f32>(base as usize).add(i);
        if function.addr() == 14 {
            let (x, y, out) = (word(0), word(1), word(2));
            let bytes = HEAP.lock().unwrap().iter().find(|block| block.0 == out).map_or(0, |block| block.1);
            if !within(x, bytes) || !within(y, bytes) { return ILLEGAL_ADDRESS; }
            for i in 0..bytes / 4 {
                float(out, i).write_unaligned(float(x, i).read_unaligned() + float(y, i).read_unaligned());
            }
            return 0;
        }
        let (y, x, n) = (word(0), word(1), (*params.add(3)).cast::<u32>().read() as usize);
        let a = (*params.add(2)).cast::<f32>().read();
        if !within(y, 4 * n) || !within(x, 4 * n) { return ILLEGAL_ADDRESS; }
        let threads = (gx * gy * gz * bx * by * bz) as usize;
        for i in 0..n.min(threads) {
            float(y, i).write_unaligned(float(y, i).read_unaligned() + a * float(x, i).read_unaligned());
        }
        0
    }
    cuGetErrorName(status: Status, name: *mut *const c_char) {
        *name = match status {
            OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
            INVALID_PTX => c"CUDA_ERROR_INVALID_PTX",
            NOT_FOUND => c"CUDA_ERROR_NOT_FOUND",
            ILLEGAL_ADDRESS => c"CUDA_ERROR_ILLEGAL_ADDRESS",
            _ => return INVALID,
        }.as_ptr();
        0
    }
    cuGetErrorString(_status: Status, text: *mut *const c_char) { *text = c"as the mock says".as_ptr(); 0 }
}
