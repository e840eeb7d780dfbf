//! Reading and writing files: bounded, and with diagnostics that name the path.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use raddle::Report;
use raddle_ir::{Code, Diag};
use raddle_run::spec;

/// Bytes of text that are read at most.
const TEXT_BYTES_MAX: u64 = 256 << 20;
/// Bytes of a tensor file: the data, and a header that is far smaller than this.
const TENSOR_BYTES_MAX: u64 = spec::BYTES_MAX as u64 + (1 << 16);

/// A text with the name that diagnostics give it; `-` is standard input.
pub fn read_text(path: &str) -> Result<(String, String), Report> {
    let (name, bytes) = if path == "-" {
        ("<stdin>", read_bounded(io::stdin().lock(), path, TEXT_BYTES_MAX).map_err(Report::nowhere)?)
    } else {
        (path, read_file(path, TEXT_BYTES_MAX).map_err(Report::nowhere)?)
    };
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            // Editors on Windows put a mark in front that says that it is UTF-8.
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok((name.to_owned(), text))
        }
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let message = format!("`{name}` is not text: byte {at} is not UTF-8");
            let diag = Diag::nowhere(Code::BadFile, message);
            Err(Report::nowhere(match error.as_bytes() {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => diag.help("it begins as UTF-16 does: save it as UTF-8"),
                [b'M', b'L', 0xef, b'R', ..] => {
                    diag.help("it is MLIR's bytecode, which `mlir-opt` and `iree-opt` print as text")
                }
                _ => diag,
            }))
        }
    }
}

/// The text of a program, which is MLIR: texts of other languages are told by how they begin.
pub fn read_program(path: &str) -> Result<(String, String), Report> {
    let (name, text) = read_text(path)?;
    let is_space = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with("//");
    let first = text.lines().find(|line| !is_space(line)).unwrap_or_default().trim_start();
    let begins = |(starts, ..): &&(&[&str], &str, &str)| starts.iter().any(|start| first.starts_with(start));
    match OTHER_LANGUAGES.iter().find(begins) {
        Some((_, language, help)) => {
            let message = format!("`{name}` is {language}, and not the text of MLIR");
            Err(Report::nowhere(Diag::nowhere(Code::BadFile, message).help(*help)))
        }
        None => Ok((name, text)),
    }
}

/// How texts of other languages begin, which MLIR's never do; what they are called, and what to do with them.
const OTHER_LANGUAGES: &[(&[&str], &str, &str)] = &[
    (&[".version", ".target"], "PTX", "`raddle exec` executes it"),
    (
        &["HloModule"],
        "HLO of XLA",
        "`jax.jit(f).lower(…).as_text()` is StableHLO, and `iree-compile --compile-to=input` writes that with `linalg`",
    ),
    (
        &["; ModuleID", "source_filename", "target datalayout", "target triple", "define "],
        "LLVM IR",
        "raddle reads programs of `linalg`, `vector`, `gpu` and the like, as they are in front of it",
    ),
];

/// The bytes of a tensor file.
pub fn read_tensor(path: &str) -> Result<Vec<u8>, Diag> {
    read_file(path, TENSOR_BYTES_MAX)
}

/// Makes a folder, if it is not there.
pub fn make_folder(path: &str) -> Result<(), Diag> {
    fs::create_dir_all(path)
        .map_err(|error| Diag::nowhere(Code::BadFile, format!("cannot make the folder `{path}`: {}", plain(&error))))
}

/// Writes a file so that it is whole or as it was, also where the command is interrupted.
///
/// The bytes go into a file without a name, which then takes the place of the other one. Where that would be seen (the
/// file has several names, another owner, or stands in a folder that may not change), they go into the file itself.
pub fn write(path: &str, bytes: &[u8]) -> Result<(), Diag> {
    let failed = |error: io::Error| unwritten(&format!("`{path}`"), &error);
    let target = resolve(path);
    match fs::metadata(&target) {
        Ok(meta) if meta.is_dir() => {
            Err(Diag::nowhere(Code::BadFile, format!("cannot write `{path}`: it is a directory")))
        }
        // A device or a pipe cannot be replaced: write into it.
        Ok(meta) if !meta.is_file() => fs::write(&target, bytes).map_err(failed),
        Ok(meta) => {
            // A file that may not be written may not be replaced either.
            let file = File::options().write(true).open(&target).map_err(failed)?;
            match replace(&target, bytes, Some(&meta)) {
                Ok(true) => Ok(()),
                Ok(false) => overwrite(file, bytes).map_err(failed),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => overwrite(file, bytes).map_err(failed),
                Err(error) => Err(failed(error)),
            }
        }
        Err(_) => replace(&target, bytes, None).map(|_| ()).map_err(failed),
    }
}

/// Why nothing, or not all, was written there.
pub fn unwritten(place: &str, error: &io::Error) -> Diag {
    Diag::nowhere(Code::BadFile, format!("cannot write {place}: {}", plain(error)))
}

/// Whether two paths name one file.
pub fn is_same(a: &str, b: &str) -> bool {
    let place = |path: &str| {
        let target = resolve(path);
        let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        (fs::canonicalize(folder).ok(), target.file_name().map(ToOwned::to_owned))
    };
    a == b || place(a) == place(b)
}

/// The file that a path names behind all symbolic links, also where it does not exist yet.
fn resolve(path: &str) -> PathBuf {
    /// As many links as Linux follows.
    const LINKS_MAX: usize = 40;
    let mut target = PathBuf::from(path);
    for _ in 0..LINKS_MAX {
        match fs::read_link(&target) {
            Ok(link) => target = target.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => break,
        }
    }
    target
}

fn overwrite(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.set_len(0)?;
    file.write_all(bytes)
}

/// Puts a new file in the place of `old`; `false` where that would change more than the contents.
fn replace(target: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<bool> {
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    #[cfg(target_os = "linux")]
    if let Some(replaced) = unnamed::replace(directory, target, bytes, old)? {
        return Ok(replaced);
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // What an ordinary new file gets, less what the user's mask takes away.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".raddle").tempfile_in(directory)?;
    if !take_after(file.as_file(), old)? {
        return Ok(false);
    }
    file.write_all(bytes)?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(true)
}

/// Gives a file the mode of the one that it replaces; `false` where the owner or other names would be lost.
fn take_after(file: &File, old: Option<&Metadata>) -> io::Result<bool> {
    let Some(old) = old else { return Ok(true) };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let new = file.metadata()?;
        if old.nlink() > 1 || (old.uid(), old.gid()) != (new.uid(), new.gid()) {
            return Ok(false);
        }
    }
    file.set_permissions(old.permissions())?;
    Ok(true)
}

/// Files without a name, which Linux removes when the process ends, however it ends.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::{self, File, Metadata};
    use std::io::{self, Write};
    use std::os::fd::AsRawFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// Puts a new file in the place of `old`; `None` where this file system has no files without a name.
    pub fn replace(directory: &Path, target: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<Option<bool>> {
        // The kernel takes away from the mode what the user's mask says.
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let Ok(file) = open(directory, flags, Mode::from_raw_mode(0o666)) else { return Ok(None) };
        let mut file = File::from(file);
        if !super::take_after(&file, old)? {
            return Ok(Some(false));
        }
        file.write_all(bytes)?;
        let link = |name: &Path| {
            linkat(CWD, format!("/proc/self/fd/{}", file.as_raw_fd()), CWD, name, AtFlags::SYMLINK_FOLLOW)
        };
        if old.is_none() && link(target).is_ok() {
            return Ok(Some(true));
        }
        // A link does not replace a file, a rename does; both are done at once, with the data already there.
        let name = directory.join(format!(".raddle-{}", std::process::id()));
        if link(&name).is_err() {
            return Ok(None);
        }
        fs::rename(&name, target).inspect_err(|_| {
            // The rename's own error says more than a failure to clean up.
            let _ = fs::remove_file(&name);
        })?;
        Ok(Some(true))
    }
}

fn read_file(path: &str, bytes_max: u64) -> Result<Vec<u8>, Diag> {
    let failed = |error: &io::Error| {
        let diag = Diag::nowhere(Code::BadFile, format!("cannot read `{path}`: {}", plain(error)));
        match error.kind() {
            io::ErrorKind::NotFound => diag.help("check the path; it is relative to the current directory"),
            _ => diag,
        }
    };
    if Path::new(path).is_dir() {
        return Err(Diag::nowhere(Code::BadFile, format!("cannot read `{path}`: it is a directory")));
    }
    let file = File::open(path).map_err(|error| failed(&error))?;
    read_bounded(file, path, bytes_max)
}

fn read_bounded(source: impl Read, path: &str, bytes_max: u64) -> Result<Vec<u8>, Diag> {
    let mut bytes = Vec::new();
    source
        .take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Diag::nowhere(Code::BadFile, format!("cannot read `{path}`: {}", plain(&error))))?;
    if bytes.len() as u64 > bytes_max {
        let message = format!("`{path}` is larger than the limit of {} MiB", bytes_max >> 20);
        return Err(Diag::nowhere(Code::TooLarge, message));
    }
    Ok(bytes)
}

/// The system's message, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
