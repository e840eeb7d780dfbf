//! What surrounds a dispatch, spelled as `iree-opt` 3.12.0 prints it.

mod common;

use raddle_ir::{PrintOptions, print};

use common::{complaint, read, stays};

/// A function of these arguments and lines, whatever their indentation.
fn function(args: &str, lines: &str) -> String {
    let lines: Vec<&str> = lines.lines().map(str::trim).collect();
    common::function(args, &lines.join("\n"))
}

fn unchanged(args: &str, lines: &str) {
    stays(&function(args, lines));
}

fn generic(args: &str, lines: &str) -> String {
    let options = PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() };
    print(&read(&function(args, lines)), &options)
}

/// Bits are named; a name that covers others stands behind them.
#[test]
fn bits() {
    unchanged(
        "%arg0: !hal.device, %arg1: i64",
        "%0 = hal.memory_type<\"DeviceVisible|DeviceLocal\"> : i32
         %1 = hal.memory_type<Optimal> : i32
         %2 = hal.buffer_usage<\"TransferSource|TransferTarget|Transfer\"> : i32
         %3 = hal.fence.create device(%arg0 : !hal.device) flags(\"None\") : !hal.fence
         %4 = hal.command_buffer.create device(%arg0 : !hal.device) mode(OneShot) \
         categories(\"Transfer|Dispatch\") affinity(%arg1) : !hal.command_buffer",
    );
    let text = generic("", "%0 = hal.memory_type<HostLocal> : i32\n%1 = hal.buffer_usage<\"Transfer\"> : i32");
    assert!(text.contains("<{type = 70 : i32}>") && text.contains("<{usage = 3 : i32}>"), "{text}");
    assert!(complaint(&function("", "%0 = hal.memory_type<Fast> : i32")).contains("expected some of Optimal"));
    let odd = "%0 = \"hal.memory_type\"() <{type = 1024 : i32}> : () -> i32";
    assert!(complaint(&function("", odd)).contains("cannot have this value for `type`"));
}

/// A tensor that comes from outside may have other elements there.
#[test]
fn tensors_from_outside() {
    unchanged(
        "%arg0: !hal.buffer_view, %arg1: index, %arg2: !hal.fence",
        "%0 = hal.tensor.import wait(%arg2) => %arg0 \"x\" : !hal.buffer_view -> tensor<?x3xf32> as tensor<?x3xi32>{%arg1}
         %1 = hal.tensor.import consume %arg0 : !hal.buffer_view -> tensor<4xf32>
         %2 = hal.tensor.export %0 : tensor<?x3xf32> as tensor<?x3xi32>{%arg1} -> !hal.buffer_view",
    );
    let text = generic("%arg0: !hal.buffer_view", "%0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4xf32>");
    assert!(text.contains("target_encoding = tensor<4xf32>"), "{text}");
    let missing = "%0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<?xf32>";
    assert!(complaint(&function("%arg0: !hal.buffer_view", missing)).contains("has 1 dynamic dimensions"));
}

/// What an encoding leaves open, what is looked up by name, and what may be given otherwise.
#[test]
fn queries() {
    unchanged(
        "%arg0: !hal.device, %arg1: !util.buffer, %arg2: i64",
        "%0:2 = hal.device.query<%arg0 : !hal.device> key(\"a\" :: \"b\") : i1, i32 = 7 : i32
         %1 = hal.encoding_type<dense_row_major> : i32
         %2 = flow.parameter.load %arg1::%arg1[%arg2] : tensor<4xf32>
         %3 = flow.parameter.load %arg1[%arg2] : tensor<4xf32>",
    );
}

/// Numbers, lists and texts of the host.
#[test]
fn values_of_the_host() {
    unchanged(
        "%arg0: index, %arg1: f32, %arg2: !util.buffer, %arg3: i32",
        "%0 = util.switch f32 from [%arg1, %arg1] at %arg0 else %arg1 : f32
         %1 = util.switch f32 from [] at %arg0 else %arg1 : f32
         %2 = util.list.construct [%arg1 : f32, %arg3 : i32] : !util.list<?>
         %3 = util.list.construct [] : !util.list<f32>
         %4 = util.buffer.subspan %arg2[%arg0] : !util.buffer{%arg0} -> !util.buffer{%arg0}
         %5 = util.string.format \"{}/{}\"(%arg0, %arg3) : (index, i32) -> !util.buffer",
    );
}

/// Checks of tensors have tolerances that go without saying.
#[test]
fn tolerances() {
    let args = "%arg0: tensor<2xf32>, %arg1: tensor<2xi32>";
    unchanged(
        args,
        "check.expect_eq_const(%arg1, dense<1> : tensor<2xi32>) : tensor<2xi32>
         check.expect_almost_eq(%arg0, %arg0, atol 5.000000e-01) : tensor<2xf32>",
    );
    let text = generic(args, "check.expect_almost_eq(%arg0, %arg0) : tensor<2xf32>");
    assert!(text.contains("<{atol = 9.99999974E-5 : f32, rtol = 0.000000e+00 : f32}>"), "{text}");
}

/// A text has a place for each of its arguments, and a list holds what its type says.
#[test]
fn texts_and_lists() {
    let format = |text: &str| {
        complaint(&function(
            "%arg0: index",
            &format!("%0 = util.string.format \"{text}\"(%arg0) : (index) -> !util.buffer"),
        ))
    };
    for right in ["{}", "{0}", "{{{}}}", "{0} and {0}"] {
        assert_eq!(format(right), "", "{right}");
    }
    for wrong in ["", "{}{}", "{1}", "{0}{}", "{", "}", "{4294967295}", "{x}"] {
        let message =
            "'util.string.format' op format string placeholder count does not match the 1 provided argument(s)";
        assert_eq!(format(wrong), message, "{wrong}");
    }
    let list = complaint(&function("%arg0: i64", "%0 = util.list.construct [%arg0 : i64] : !util.list<i32>"));
    assert!(list.ends_with("list[0] type 'i64' cannot be be cast to list type 'i32'"), "{list}");
}

/// A global is accessed as what it is.
#[test]
fn globals() {
    let access = |line: &str| {
        complaint(&format!(
            "util.global mutable @g : !hal.buffer\nutil.global @t : tensor<4xf32>\nutil.func @f(%b: !hal.buffer, %v: \
             !hal.buffer_view, %p: !util.ptr<!hal.buffer>) {{\n  {line}\n  util.return\n}}"
        ))
    };
    assert_eq!(access("util.global.store %b, @g : !hal.buffer"), "");
    assert_eq!(access("%0 = util.global.load @t : tensor<?xf32>"), "");
    assert_eq!(
        access("util.global.store %v, @g : !hal.buffer_view"),
        "'util.global.store' op global type mismatch; global \"g\" is '!hal.buffer' but store is '!hal.buffer_view'"
    );
    assert_eq!(access("%0 = util.global.load @h : i32"), "'util.global.load' op undefined global: @h");
    assert_eq!(access("util.global.store.indirect %b, %p : !hal.buffer -> !util.ptr<!hal.buffer>"), "");
    let message = access("util.global.store.indirect %v, %p : !hal.buffer_view -> !util.ptr<!hal.buffer>");
    assert!(message.ends_with("global pointer is '!hal.buffer' but store is '!hal.buffer_view'"), "{message}");
}

/// Assumptions stand in rows of one length, one for each operand.
#[test]
fn assumptions() {
    let assume = |rows: &str| {
        complaint(&function(
            "%arg0: index, %arg1: index",
            &format!(
                "%0:2 = \"util.assume.int\"(%arg0, %arg1) <{{assumptions = [{rows}]}}> : (index, index) -> (index, index)"
            ),
        ))
    };
    let case = "#util.int.assumption<umin = 1>";
    assert_eq!(assume(&format!("[{case}, {case}], [{case}]")), "");
    assert_eq!(
        assume(&format!("[{case}]")),
        "'util.assume.int' op expected 2 assumption rows to match number of operands"
    );
    assert_eq!(
        assume(&format!("[{case}, {case}, {case}], [{case}, {case}]")),
        "'util.assume.int' op expected operand #1 to have 3 assumptions but it has 2"
    );
    assert!(assume("[32], [32]").contains("failed to satisfy constraint"));
}

/// What leaves a region is what the operation around it gives, and a workload is what its entry point takes.
#[test]
fn dispatches() {
    let region = |line: &str| {
        complaint(&format!(
            "util.func @f(%a: tensor<1xf16>) {{\n  %d = flow.dispatch.region -> (tensor<32xf16>) {{\n    {line}\n  }}\n  \
             util.return\n}}"
        ))
    };
    assert!(region("flow.return").ends_with("number of results (1) does not match number of returned values (0)"));
    assert!(region("flow.return %a : tensor<1xf16>").ends_with("operand types do not match with parent results"));
    let dispatch = |workload: &str| {
        complaint(&format!(
            "flow.executable private @e {{\n  flow.executable.export public @d workgroups(%w: index) -> (index, index, \
             index) {{\n    flow.return %w, %w, %w : index, index, index\n  }}\n}}\nutil.func @f(%i: index) {{\n  \
             flow.dispatch @e::@d[{workload}](%i) : (index) -> ()\n  util.return\n}}"
        ))
    };
    assert_eq!(dispatch("%i"), "");
    assert!(dispatch("%i, %i").ends_with("entry point expects 1 arguments but dispatch provides 2"));
}

/// What is on a queue waits for one fence and signals another.
#[test]
fn queues() {
    let fill = |signal: &str| {
        complaint(&function(
            "%arg0: !hal.device, %arg1: i64, %arg2: !hal.fence, %arg3: !hal.fence",
            &format!(
                "hal.device.queue.barrier<%arg0 : !hal.device> affinity(%arg1) wait(%arg2) signal({signal}) flags(\"None\")"
            ),
        ))
    };
    assert_eq!(fill("%arg3"), "");
    assert!(fill("%arg2").ends_with("device queue operations cannot wait and signal on the same fence"));
}

/// Resources of streams, and the executables that are dispatched on them.
#[test]
fn streams() {
    unchanged(
        "%arg0: !stream.resource<*>, %arg1: index, %arg2: !stream.timepoint, %arg3: i32",
        "%0:2 = stream.resource.alloca uninitialized : !stream.resource<transient>{%arg1} => !stream.timepoint
         %1:2 = stream.resource.alloca uninitialized await(%arg2) => !stream.resource<transient>{%arg1} => \
         !stream.timepoint
         %2 = stream.async.fill %arg3, %arg0[%arg1 to %arg1 for %arg1] : i32 -> %arg0 as !stream.resource<*>{%arg1}
         %3 = stream.timepoint.join max(%0#1, %1#1) => !stream.timepoint
         %4 = stream.async.constant : !stream.resource<constant>{%arg1} = #stream.parameter.named<\"a\"::\"b\"> : \
         vector<4xi8>
         %5 = stream.tensor.sizeof tensor<?x4xf32>{%arg1} : index",
    );
    let executable = |results: &str, returned: &str| {
        complaint(&format!(
            "stream.executable private @e {{\n  stream.executable.export public @d workgroups(%w: index) -> {results} {{\n    \
             stream.return {returned}\n  }}\n  builtin.module {{\n    func.func @d(%b: !stream.binding, %o: index) {{\n      \
             %0 = stream.binding.subspan %b[%o] : !stream.binding -> memref<?xf32>{{%o}}\n      return\n    }}\n  }}\n}}"
        ))
    };
    assert_eq!(executable("(index, index, index)", "%w, %w, %w : index, index, index"), "");
    let message = "workgroup count region must return the XYZ dimension counts";
    assert_eq!(executable("(index, index)", "%w, %w : index, index"), message);
}

/// What a host has a device do, as `--compile-to=executable-sources` prints it around the executables.
#[test]
fn commands() {
    // Regions keep their indentation.
    stays(&common::function(
        "%arg0: !stream.resource<external>, %arg1: index, %arg2: !stream.timepoint, %arg3: i32",
        "\
%0 = stream.cmd.execute once on(#hal.device.affinity<@d>) await(%arg2) => with(%arg0 as %arg4: !stream.resource<external>{%arg1}) {
  stream.cmd.concurrent {
    stream.cmd.dispatch @e::@v::@x[%arg1](%arg3 : i32) {
      ro %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1},
      wo %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1}
    }
    stream.cmd.serial {
      stream.cmd.dispatch {@e::@v::@x, @e::@v::@y} {
        rw %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1}
      } attributes {x}
    }
  }
} => !stream.timepoint
%1:2 = stream.timepoint.await %0 => %arg0, %arg0 : !stream.resource<external>{%arg1}, !stream.resource<external>{%arg1}
%2 = stream.timepoint.await sync %0 => %arg0 : !stream.resource<external>{%arg1}",
    ));
    let one = "%0 = stream.cmd.execute with(%arg0 as %arg4: !stream.resource<external>{%arg1}) {
                 stream.cmd.dispatch @x { rw %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1} }
               } => !stream.timepoint";
    let text = generic("%arg0: !stream.resource<external>, %arg1: index", one);
    for part in
        ["resource_accesses = [3 : i32]", "operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>", "\"stream.yield\"()"]
    {
        assert!(text.contains(part), "`{part}` is missing in {text}");
    }
    let odd = one.replace("rw", "no");
    assert!(complaint(&function("%arg0: !stream.resource<external>, %arg1: index", &odd)).contains("is read (`ro`)"));
}

/// Calls of what `flow` declares, with the extents of tensors and the storage that results take over.
#[test]
fn calls_with_extents() {
    let text = "module {\n  flow.func private @g(%arg0: tensor<?xf32>, %arg1: i32) -> (%arg0 {a.b}, %arg1 as f32)\n  \
                func.func @f(%arg0: tensor<?xf32>, %arg1: index, %arg2: i32) {\n    %0:2 = flow.call @g(%arg0, %arg2) : \
                (tensor<?xf32>{%arg1}, i32) -> (%arg0{%arg1}, f32)\n    return\n  }\n}\n";
    let generic = stays(text);
    assert!(generic.contains("arg_attrs = [{}, {}]") && generic.contains("res_attrs = [{a.b}, {}]"), "{generic}");
}

/// What stands for a device has its type.
#[test]
fn devices() {
    let text = "module attributes {a.b = [#hal.device.target<\"x\">]} {\n}\n";
    let options = PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() };
    assert!(print(&read(text), &options).contains("#hal.device.target<\"x\"> : !hal.device"));
}

/// A block of constants computes 32 bits for each of its keys, from the device or from nothing.
#[test]
fn constant_blocks() {
    let block = |signature: &str, returned: &str| {
        complaint(&format!(
            "hal.executable @e {{\n  hal.executable.variant @v target(#hal.executable.target<\"a\", \"b\">) {{\n    \
             hal.executable.constant.block{signature} {{\n      %i = arith.constant 0 : i32\n      %x = arith.constant \
             0.0 : f32\n      hal.return {returned}\n    }}\n  }}\n}}"
        ))
    };
    for (signature, returned, message) in [
        ("(%d: !hal.device) -> i32 as \"a\"", "%i : i32", ""),
        ("(%d: !hal.device) -> (i32, i32) as (\"a\")", "%i, %i : i32, i32", "must have one key for every result"),
        ("() -> (i32, i32) as (\"a\", \"b\")", "%i : i32", "return must have the same number of operands"),
        ("() -> i32 as \"a\"", "%x : f32", "parent expected result 0 to be 'i32' but returning 'f32'"),
        ("(%d: i32) -> i32 as \"a\"", "%i : i32", "initializer must take a !hal.device or nothing"),
        ("() -> f32 as \"a\"", "%x : f32", "initializer must return only i32 values"),
    ] {
        let found = block(signature, returned);
        assert_eq!(message.is_empty(), found.is_empty(), "{found}");
        assert!(found.contains(message), "{found}");
    }
}

/// What a result takes the storage of is an argument.
#[test]
fn tied_results() {
    let func = |tied: &str| {
        complaint(&format!(
            "\"util.func\"() <{{function_type = (i32) -> i32, sym_name = \"f\", tied_operands = [{tied} : index]}}> \
             ({{\n^bb0(%a: i32):\n  \"util.return\"(%a) : (i32) -> ()\n}}) : () -> ()"
        ))
    };
    for right in ["-1", "0"] {
        assert_eq!(func(right), "");
    }
    for wrong in ["-2", "1"] {
        assert_eq!(func(wrong), format!("'util.func' op result #0 tied to invalid operand index {wrong}"));
    }
}
