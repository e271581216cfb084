// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a document that enters at a later stage says about its kernel.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Parameters = std::vector<KernelParameter>;

static CompileResult enter(StageId entry, const char *text, const Selection &selection = {}) {
  CompileRequest request;
  request.path = "k.txt";
  request.text = text;
  request.entry = entry;
  request.stopAfter = entry;
  request.selection = selection;
  Compiler compiler{CudaToolkit{}};
  return compiler.compile(request).result;
}

static constexpr const char *kPtx = R"(.version 8.7
.target sm_89
.visible .entry first(.param .u64 first_param_0) .reqntid 64 { ret; }
.visible .entry second(
	.param .u64 .ptr .global .align 1 second_param_0,
	.param .f32 second_param_1,
	.param .u64 second_param_2,
	.param .u64 second_param_3
)
.reqntid 256
{ ret; }
)";

TEST_CASE("PTX names its kernels, target, threads and parameters", "[compiler]") {
  Selection selection;
  selection.kernel = "second";
  selection.options = {{"shared", "1024"}, {"global_scratch_size", "128"}};
  const CompileResult result = enter(StageId::Ptx, kPtx, selection);
  REQUIRE(result.ok);
  CHECK(result.kernels == std::vector<std::string>{"first", "second"});
  CHECK(result.metadata.name == "second");
  CHECK(result.metadata.target == "cuda:89");
  CHECK(result.metadata.numWarps == 8);
  CHECK(result.metadata.sharedBytes == 1024);
  CHECK(result.metadata.globalScratchBytes == 128);
  // The last two are the scratch pointers.
  CHECK(result.metadata.parameters == Parameters{{"arg0", "*i8"}, {"arg1", "fp32"}});
  CHECK(enter(StageId::Ptx, kPtx).metadata.name == "first");
  selection.target = "cuda:90";
  CHECK(enter(StageId::Ptx, kPtx, selection).metadata.target == "cuda:90");
}

TEST_CASE("LLVM IR names its kernel, threads and parameters", "[compiler]") {
  const CompileResult result = enter(StageId::LlvmIr, R"(
declare void @helper()
define ptx_kernel void @k(ptr addrspace(1) %p, bfloat %b, i1 %f, i64 %0, ptr %s, ptr %t) #0 {
  ret void
}
attributes #0 = { "nvvm.reqntid"="64" "target-cpu"="sm_100a" }
)");
  REQUIRE(result.ok);
  CHECK(result.metadata.name == "k");
  CHECK(result.metadata.target == "cuda:100");
  CHECK(result.metadata.numWarps == 2);
  CHECK(result.metadata.parameters ==
        Parameters{{"p", "*i8"}, {"b", "bf16"}, {"f", "u1"}, {"arg3", "i64"}});
}

TEST_CASE("IR keeps the names of its arguments", "[compiler]") {
  const CompileResult result = enter(StageId::Ttir, R"(#loc = loc("k.py":1:0)
module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "cuda:80"} {
  tt.func private @helper(%a: f32) -> f32 attributes {noinline = true} { tt.return %a : f32 }
  tt.func public @k(%x_ptr: !tt.ptr<f16> loc("x_ptr"(#loc)), %0: i32, %flag: i1) attributes {noinline = false} {
    tt.return
  } loc(#loc)
})");
  REQUIRE(result.ok);
  CHECK(result.kernels == std::vector<std::string>{"k"});
  CHECK(result.metadata.target == "cuda:80");
  CHECK(result.metadata.numWarps == 2);
  CHECK(result.metadata.parameters ==
        Parameters{{"x_ptr", "*fp16"}, {"arg1", "i32"}, {"flag", "u1"}});
}

TEST_CASE("the values of a document have types and layouts where the document names them",
          "[compiler]") {
  const CompileResult result = enter(
      StageId::Ttgir,
      R"(#flat = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%x_ptr: !tt.ptr<f32>) attributes {noinline = false} {
    %lanes = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #flat>
    %7 = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #flat>
    %8 = tt.addptr %7, %lanes : tensor<64x!tt.ptr<f32>, #flat>, tensor<64xi32, #flat>
    tt.return
  }
})");
  for (const Diagnostic &diagnostic : result.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(result.ok);
  REQUIRE(result.layouts.size() == 3);
  const LayoutFacts &lanes = result.layouts[0];
  CHECK(lanes.value == "%lanes");
  CHECK(lanes.op == "tt.make_range");
  CHECK(lanes.stageLine == 3);
  CHECK(lanes.source == SourceRange{{3, 4}, {3, 10}, 0});
  CHECK(lanes.layout[0] == LayoutBases{"register", {{1}}});
  CHECK(result.layouts[1].value == "%7");
  CHECK(result.layouts[2].stageLine == 5);

  const auto typeAt = [&](Position at) {
    std::vector<std::string> types;
    for (const ValueFacts &value : result.values)
      if (value.range.contains(at))
        types.push_back(value.type);
    return types;
  };
  const std::string numbers =
      "int32[64] · #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], "
      "warpsPerCTA = [1], order = [0]}>";
  // Where it is defined, and where it is used.
  CHECK(typeAt({3, 5}) == std::vector<std::string>{numbers});
  CHECK(typeAt({5, 24}) == std::vector<std::string>{numbers});
  CHECK(typeAt({2, 22}) == std::vector<std::string>{"pointer<fp32>"});
  CHECK(typeAt({4, 20}) == std::vector<std::string>{"pointer<fp32>"});
  CHECK(typeAt({5, 12}).empty());
}

TEST_CASE("a target that is not known does not stop a document", "[compiler]") {
  CHECK(enter(StageId::Ptx, ".version 8.0\n.target sm_75\n.entry k() { ret; }").target ==
        "cuda:90");
}

TEST_CASE("operations of other dialects are named with their place", "[compiler]") {
  const CompileResult result =
      enter(StageId::Ttgir, "module {\n  tt.func @k() {\n    amdg.fence {a = 1 : i32}\n    "
                            "tt.return\n  }\n}");
  CHECK_FALSE(result.ok);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].kind == DiagnosticKind::IrInvalid);
  CHECK(result.diagnostics[0].message ==
        "`amdg.fence` belongs to the dialect `amdg`, which cannot be read");
  CHECK(result.diagnostics[0].range.begin == Position{2, 4});
  CHECK(result.diagnostics[0].notes.size() == 1);
  const CompileResult attribute =
      enter(StageId::Ttgir, "#t = #other.kind<a = 1>\nmodule attributes {x = #t} {}");
  REQUIRE(attribute.diagnostics.size() == 1);
  CHECK(attribute.diagnostics[0].message ==
        "`other.kind` belongs to the dialect `other`, which cannot be read");
}

TEST_CASE("the kernels of a file share its syntax tree", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  CompileRequest request;
  request.path = "k.py";
  request.text = "import triton\nimport triton.language as tl\n"
                 "@triton.jit\ndef a(p):\n    tl.store(p, 1.0)\n"
                 "@triton.jit\ndef b(p):\n    tl.store(p, 2.0)\n";
  request.stopAfter = StageId::Ttir;
  for (const char *kernel : {"a", "b"}) {
    request.selection.kernel = kernel;
    const CompileResult result = compiler.compile(request).result;
    REQUIRE(result.ok);
    CHECK(result.kernel == kernel);
    CHECK(result.kernels == std::vector<std::string>{"a", "b"});
    CHECK(result.stage(StageId::Ast)->cached == (result.kernel == "b"));
    CHECK(result.stage(StageId::Ast)->text.find("FunctionDef") != std::string::npos);
  }
}
