//! Reading and writing files: bounded, and with diagnostics that name the path.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

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
        Ok(text) => Ok((name.to_owned(), text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let message = format!("`{name}` is not text: byte {at} is not UTF-8");
            Err(Report::nowhere(Diag::nowhere(Code::BadFile, message)))
        }
    }
}

/// The bytes of a tensor file.
pub fn read_tensor(path: &str) -> Result<Vec<u8>, Diag> {
    read_file(path, TENSOR_BYTES_MAX)
}

/// Makes a folder, if it is not there.
pub fn make_folder(path: &str) -> Result<(), Diag> {
    fs::create_dir_all(path)
        .map_err(|error| Diag::nowhere(Code::BadFile, format!("cannot make the folder `{path}`: {}", plain(&error))))
}

/// Writes a file so that it is whole or not there: a temporary file in the same directory, then a rename.
pub fn write(path: &str, bytes: &[u8]) -> Result<(), Diag> {
    let target = Path::new(path);
    let failed = |error: &io::Error| Diag::nowhere(Code::BadFile, format!("cannot write `{path}`: {}", plain(error)));
    // A device or a pipe cannot be replaced: write into it.
    if fs::metadata(target).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        return fs::write(target, bytes).map_err(|error| failed(&error));
    }
    if target.is_dir() {
        return Err(Diag::nowhere(Code::BadFile, format!("cannot write `{path}`: it is a directory")));
    }
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // What an ordinary new file gets, less what the user's mask takes away.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".raddle").tempfile_in(directory).map_err(|error| failed(&error))?;
    file.write_all(bytes).map_err(|error| failed(&error))?;
    file.persist(target).map_err(|error| failed(&error.error))?;
    Ok(())
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
