// SPDX-License-Identifier: Apache-2.0
//! A reader in Rust: stacks that gdb printed, the profile of those who have nothing else.
//!
//!     for i in $(seq 100); do gdb -batch -ex 'thread apply all backtrace' -p PID; done >stacks.gdb
//!     gprofx --plugin=./input-gdb.so stacks.gdb
//!
//! Each backtrace is one stack that weighs one sample; its frames have names, so no program is needed.
//! The structs are those of <gprofx/plugin.h> and <gprofx/reader.h>.  What the host passes is declared
//! as far as this reader looks at it; what it passes itself is whole, and states its size.
use std::ffi::{c_char, c_int, c_void, CString};
use std::mem::size_of;
use std::panic::catch_unwind;
use std::ptr::null;

type Unused = *const c_void;

#[repr(C)]
pub struct Host {
    size: u32,
    abi: [u16; 2],
    memory: [Unused; 3],
    fail: unsafe extern "C" fn(*mut Handle, *const Diagnostic, *const c_char, ...) -> c_int,
}

#[repr(C)]
pub struct Handle {
    host: *const Host,
}

#[repr(C)]
pub struct Diagnostic {
    size: u32,
    id: *const c_char,
    file: *const c_char,
    place: c_int,
    offset: u64,
    line: u32,
    column: u32,
    system_error: c_int,
    hint: *const c_char,
    number: [u64; 3],
    text: [*const c_char; 2],
}

#[repr(C)]
pub struct File {
    size: u32,
    name: *const c_char,
    bytes: *const u8,
    length: u64,
}

#[repr(C)]
struct Place {
    function: *const c_char,
    file: *const c_char,
    line: u32,
    flags: u32,
}

#[repr(C)]
struct Stacks {
    size: u32,
    count: u32,
    first: *const u32,
    place: *const u32,
    address: *const u64,
    weight: *const u64,
    rate: u32,
    dimension: [u8; 16],
    abbreviation: u8,
}

#[repr(C)]
pub struct Builder {
    size: u32,
    others: [Unused; 8],
    places: unsafe extern "C" fn(*mut Handle, *mut Profile, *const Place, u32, *mut u32),
    stacks: unsafe extern "C" fn(*mut Handle, *mut Profile, *const File, Unused, *const Stacks) -> c_int,
}

#[repr(C)]
pub struct Profile {
    builder: *const Builder,
}

#[repr(C)]
pub struct Reader {
    size: u32,
    format: *const c_char,
    probe: extern "C" fn(*const u8, usize) -> c_int,
    read: unsafe extern "C" fn(*mut Handle, *const File, Unused, *mut Profile, Unused) -> c_int,
    weigh: Unused,
    carries_names: bool,
    programs: Unused,
    takes_symbol_list: bool,
}

#[repr(C)]
pub struct Plugin {
    size: u32,
    abi: [u16; 2],
    name: *const c_char,
    version: *const c_char,
    summary: *const c_char,
    options: Unused,
    option_sizes: [u32; 3],
    reader: *const Reader,
    other_kinds: [Unused; 5],
}

// Nothing changes them.
unsafe impl Sync for Reader {}
unsafe impl Sync for Plugin {}

const OK: c_int = 0;
const FAILED: c_int = -1;

macro_rules! text {
    ($words:expr) => {
        concat!($words, "\0").as_ptr() as *const c_char
    };
}

/// A function with its file and line, as gdb prints "#1  0x0401 in f<int> (x=1) at dir/f.c:12".
struct Frame<'a> {
    number: u32,
    function: &'a str,
    file: Option<(&'a str, u32)>,
}

/// The arguments begin behind the first blank that is in no template argument; "<<" is none.
fn name_of(text: &str) -> &str {
    let (bytes, mut at, mut depth) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"operator") {
            at += "operator".len();
            at += bytes[at..].iter().take_while(|byte| b"<>-=".contains(byte)).count();
            continue;
        }
        match bytes[at] {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b' ' if depth <= 0 && bytes[at..].starts_with(b" (") => return &text[..at],
            _ => {}
        }
        at += 1;
    }
    text
}

fn frame_of(line: &str) -> Option<Frame<'_>> {
    let (number, rest) = line.strip_prefix('#')?.split_once(' ')?;
    let number = number.parse().ok()?;
    let rest = rest.trim_start();
    let called = match rest.split_once(" in ") {
        Some((address, called)) if address.starts_with("0x") => called,
        _ => rest,
    };
    let file = rest.rsplit_once(" at ").and_then(|(_, place)| {
        let (file, line) = place.trim_end().rsplit_once(':')?;
        Some((file, line.parse().ok()?))
    });
    Some(Frame { number, function: name_of(called), file })
}

extern "C" fn probe(head: *const u8, bytes: usize) -> c_int {
    if head.is_null() {
        return 0;
    }
    // The host passes as many bytes as it says.
    let head = unsafe { std::slice::from_raw_parts(head, bytes) };
    let is_one = |line: &[u8]| line.starts_with(b"#0  ");
    if head.split(|&byte| byte == b'\n').any(is_one) { 60 } else { 0 }
}

/// Hands all stacks over at once.
unsafe fn add(gx: *mut Handle, profile: *mut Profile, file: *const File, text: &str) -> Option<c_int> {
    let frames: Vec<Frame> = text.lines().filter_map(frame_of).filter(|f| !f.function.is_empty()).collect();
    if frames.is_empty() {
        return None;
    }
    // Texts from a file have no NUL, or the name ends there.
    let keep = |text: &str| CString::new(text.split('\0').next().unwrap_or("?")).unwrap_or_default();
    let names: Vec<(CString, Option<CString>)> =
        frames.iter().map(|f| (keep(f.function), f.file.map(|(name, _)| keep(name)))).collect();
    let rows: Vec<Place> = frames.iter().zip(&names)
        .map(|(frame, (function, file))| Place {
            function: if function.as_bytes().is_empty() { text!("?") } else { function.as_ptr() },
            file: file.as_ref().map_or(null(), |file| file.as_ptr()),
            line: frame.file.map_or(0, |(_, line)| line),
            flags: 0,
        })
        .collect();
    let mut numbers = vec![0u32; rows.len()];
    let builder = &*(*profile).builder;
    (builder.places)(gx, profile, rows.as_ptr(), rows.len() as u32, numbers.as_mut_ptr());

    // The frame with the number 0 is the innermost one of the next stack.
    let mut first: Vec<u32> = (0..frames.len() as u32).filter(|&i| i == 0 || frames[i as usize].number == 0).collect();
    let weights = vec![1u64; first.len()];
    first.push(frames.len() as u32);
    let stacks = Stacks {
        size: size_of::<Stacks>() as u32,
        count: weights.len() as u32,
        first: first.as_ptr(),
        place: numbers.as_ptr(),
        address: null(),
        weight: weights.as_ptr(),
        rate: 1,
        dimension: *b"samples\0\0\0\0\0\0\0\0\0",
        abbreviation: 0,
    };
    Some((builder.stacks)(gx, profile, file, null(), &stacks))
}

unsafe fn fail(gx: *mut Handle, file: *const File, id: *const c_char, words: *const c_char) -> c_int {
    let diagnostic = Diagnostic {
        size: size_of::<Diagnostic>() as u32,
        id,
        file: (*file).name,
        place: 0,
        offset: 0,
        line: 0,
        column: 0,
        system_error: 0,
        hint: text!("name a file that the command \"backtrace\" of gdb printed"),
        number: [0; 3],
        text: [null(); 2],
    };
    ((*(*gx).host).fail)(gx, &diagnostic, words)
}

unsafe extern "C" fn read(gx: *mut Handle, file: *const File, _: Unused, profile: *mut Profile, _: Unused) -> c_int {
    let length = (*file).length as usize;
    let bytes = if length == 0 { &[] } else { std::slice::from_raw_parts((*file).bytes, length) };
    let text = String::from_utf8_lossy(bytes);
    // A panic must not reach the host, which is C.
    match catch_unwind(|| add(gx, profile, file, &text)) {
        Ok(Some(OK)) => OK,
        Ok(Some(_)) => FAILED,
        Ok(None) => fail(gx, file, text!("gdb.no-stacks"), text!("expected frames of gdb, found none")),
        Err(_) => fail(gx, file, text!("gdb.defect"), text!("the reader has a defect: it panicked")),
    }
}

static READER: Reader = Reader {
    size: size_of::<Reader>() as u32,
    format: text!("gdb"),
    probe,
    read,
    weigh: null(),
    carries_names: true,
    programs: null(),
    takes_symbol_list: false,
};

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static gprofx_plugin_1: Plugin = Plugin {
    size: size_of::<Plugin>() as u32,
    abi: [1, 0],
    name: text!("input-gdb"),
    version: text!("1.0"),
    summary: text!("Stacks that gdb printed"),
    options: null(),
    option_sizes: [0; 3],
    reader: &READER,
    other_kinds: [null(); 5],
};
