//! `raddle devices`: what programs can be run on, here.

use std::fmt::Write;

use raddle_run::cuda::DeviceInfo;
use raddle_run::{Device, Emulator};
use serde_json::{Value, json};

use super::run::{cpu, cpu_c, cuda, ptx_emu};
use super::{Answer, Outcome};

/// Flags of `raddle devices`.
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists the devices. That there is no GPU is not an error.
pub fn devices(args: &Args) -> Outcome {
    let found = cuda::open().and_then(|cuda| Ok((cuda.version(), cuda.devices()?)));
    let emulator = (Emulator.name(), Emulator.sentence());
    let built_in =
        [emulator, (ptx_emu::NAME, ptx_emu::SENTENCE), (cpu::NAME, cpu::SENTENCE), (cpu_c::NAME, cpu_c::SENTENCE)];
    if args.json {
        let mut list: Vec<Value> =
            built_in.iter().map(|(name, sentence)| json!({ "device": name, "what": sentence })).collect();
        let (driver, missing) = match &found {
            Ok((version, gpus)) => {
                list.extend(gpus.iter().map(gpu_json));
                (json!(format!("{}.{}", version.0, version.1)), Value::Null)
            }
            Err(diag) => (Value::Null, json!(diag.message)),
        };
        return Ok(Answer::json(&json!({ "devices": list, "cuda_driver": driver, "no_cuda": missing }), 0));
    }
    let mut out = String::new();
    for (name, sentence) in built_in {
        let _ = writeln!(out, "{name:8} {sentence}");
    }
    match found {
        Ok((version, gpus)) => {
            for gpu in gpus {
                let name = format!("{}:{}", cuda::NAME, gpu.number);
                let (major, minor) = gpu.capability;
                let _ = writeln!(
                    out,
                    "{name:8} {}: sm_{major}{minor}, {} multiprocessors at {} MHz, {} MiB at {:.0} GB/s, L2 {} MiB, up to {} KiB of shared memory for a workgroup",
                    gpu.name,
                    gpu.multiprocessors,
                    gpu.clock_khz / 1000,
                    gpu.memory >> 20,
                    gpu.memory_bytes_per_second as f64 / 1e9,
                    gpu.l2_bytes >> 20,
                    gpu.shared_bytes_max >> 10,
                );
            }
            let _ = writeln!(out, "the driver is for CUDA {}.{}", version.0, version.1);
        }
        Err(diag) => {
            let _ = writeln!(out, "no `{}`: {}", cuda::NAME, diag.message);
        }
    }
    Ok(Answer::good(out))
}

fn gpu_json(gpu: &DeviceInfo) -> Value {
    let (major, minor) = gpu.capability;
    json!({
        "device": format!("{}:{}", cuda::NAME, gpu.number),
        "what": gpu.name,
        "target": format!("sm_{major}{minor}"),
        "memory_bytes": gpu.memory,
        "multiprocessors": gpu.multiprocessors,
        "clock_khz": gpu.clock_khz,
        "memory_bytes_per_second": gpu.memory_bytes_per_second,
        "l2_bytes": gpu.l2_bytes,
        "shared_bytes_max": gpu.shared_bytes_max,
    })
}
