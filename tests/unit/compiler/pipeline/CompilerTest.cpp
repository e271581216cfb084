// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compiler.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::compiler;
namespace fs = std::filesystem;

static constexpr const char *kLlvmIr = R"(
define ptx_kernel void @k(ptr addrspace(1) %p, float %a) {
  %s = fadd float %a, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}
)";

static constexpr const char *kLlvmDialect = R"(module {
  llvm.func @k(%p: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
    %s = llvm.fadd %a, %a : f32
    llvm.store %s, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
)";

static constexpr const char *kPtx = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.b64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  st.global.b32 [%rd1], %r1;
  ret;
}
)";

static CompileRequest request(StageId entry, const char *text, StageId stopAfter = StageId::Ptx) {
  CompileRequest result;
  result.path = "/kernels/k.ir";
  result.text = text;
  result.entry = entry;
  result.stopAfter = stopAfter;
  return result;
}

static std::string problems(const CompileResult &result) {
  std::string text;
  for (const Diagnostic &diagnostic : result.diagnostics)
    text += diagnostic.message + "\n";
  return text;
}

/// The lines of a stage that come from line `source` of the document.
static std::string linesFrom(const CompileResult &result, StageId id, uint32_t source) {
  const Stage &stage = *result.stage(id);
  std::vector<std::string> lines{""};
  for (char c : stage.text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  std::string text;
  for (const LineMapping &mapping : stage.sourceMap.lines)
    for (const SourceRange &range : mapping.sources)
      if (range.file == 0 && range.begin.line == source)
        text += lines.at(mapping.line) + "\n";
  return text;
}

TEST_CASE("LLVM IR compiles onward and every PTX line knows its place", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request(StageId::LlvmIr, kLlvmIr)).result;
  INFO(problems(result));
  REQUIRE(result.ok);
  CHECK(result.kernel == "k");
  CHECK(result.metadata.name == "k");
  CHECK(result.stage(StageId::LlvmIr)->text == kLlvmIr);
  CHECK(linesFrom(result, StageId::Ptx, 2).find("add.") != std::string::npos);
  CHECK(linesFrom(result, StageId::Ptx, 3).find("st.global") != std::string::npos);
}

TEST_CASE("the LLVM dialect compiles onward with its places", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request(StageId::LlvmIr, kLlvmDialect)).result;
  INFO(problems(result));
  REQUIRE(result.ok);
  CHECK(result.kernel == "k");
  CHECK(result.stage(StageId::Ptx)->text.find(".reqntid 128") != std::string::npos);
  CHECK(linesFrom(result, StageId::Ptx, 2).find("add.") != std::string::npos);
  CHECK(linesFrom(result, StageId::Ptx, 3).find("st.global") != std::string::npos);
}

TEST_CASE("the same request returns the same bits, the second time from the cache", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileResult first = compiler.compile(request(StageId::LlvmIr, kLlvmDialect)).result;
  const CompileResult second = compiler.compile(request(StageId::LlvmIr, kLlvmDialect)).result;
  REQUIRE(first.ok);
  REQUIRE(first.stages.size() == second.stages.size());
  for (size_t i = 0; i < first.stages.size(); ++i) {
    CHECK(first.stages[i].text == second.stages[i].text);
    CHECK(first.stages[i].sourceMap == second.stages[i].sourceMap);
  }
  CHECK_FALSE(first.stage(StageId::Ptx)->cached);
  CHECK(second.stage(StageId::Ptx)->cached);
  CHECK(first.metadata == second.metadata);
}

TEST_CASE("passes are recorded with the IR they leave", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  CompileRequest wanted = request(StageId::LlvmIr, kLlvmDialect);
  wanted.recordPassIr = true;
  const CompileResult result = compiler.compile(wanted).result;
  REQUIRE(result.ok);
  std::vector<std::string> names;
  for (const PassRecord &record : result.passes)
    names.push_back(record.name);
  CHECK(names == std::vector<std::string>{"tilescope-debug-scopes", "translate-to-llvm-ir",
                                          "llvm-optimize", "nvptx-codegen"});
  CHECK(result.passes[0].changed);
  CHECK(result.passes[1].ir.find("define ") != std::string::npos);
  CHECK(result.passes[2].ir.find("define ") != std::string::npos);
  CHECK(result.passes[2].ir != result.passes[1].ir);
  CHECK(result.passes[3].ir == result.stage(StageId::Ptx)->text);
  CHECK(result.passes[0].ir.find("llvm.fadd") != std::string::npos);
  CHECK_FALSE(result.passes[0].irMap.lines.empty());
}

TEST_CASE("broken IR is a diagnostic at its line", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileResult llvm =
      compiler.compile(request(StageId::LlvmIr, "define void @k() {\n  %x = nope\n}\n")).result;
  CHECK_FALSE(llvm.ok);
  REQUIRE(llvm.diagnostics.size() == 1);
  CHECK(llvm.diagnostics[0].kind == DiagnosticKind::IrInvalid);
  CHECK(llvm.diagnostics[0].range.begin.line == 1);

  const CompileResult mlir =
      compiler
          .compile(request(StageId::LlvmIr, "module {\n  llvm.func @k() {\n    llvm.nope\n  }\n}"))
          .result;
  CHECK_FALSE(mlir.ok);
  REQUIRE_FALSE(mlir.diagnostics.empty());
  CHECK(mlir.diagnostics[0].kind == DiagnosticKind::IrInvalid);
  CHECK(mlir.diagnostics[0].range.begin.line == 2);
  // The compiler goes on with the next request.
  CHECK(compiler.compile(request(StageId::LlvmIr, kLlvmIr)).result.ok);
}

TEST_CASE("unknown targets and impossible options are diagnostics", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  CompileRequest wanted = request(StageId::LlvmIr, kLlvmIr);
  wanted.selection.target = "cuda:1";
  CompileResult result = compiler.compile(wanted).result;
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].kind == DiagnosticKind::TargetUnsupported);
  wanted.selection.target = "cuda:80";
  wanted.selection.options["num_warps"] = "5";
  result = compiler.compile(wanted).result;
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].kind == DiagnosticKind::OptionInvalid);
}

TEST_CASE("the configuration that is assumed decides the number of warps", "[compiler]") {
  const char *text =
      "import triton\nimport triton.language as tl\n\n"
      "@triton.autotune(configs=[triton.Config({\"B\": 256}, num_warps=2),\n"
      "                          triton.Config({\"B\": 512}, num_warps=8)], key=[])\n"
      "@triton.jit\ndef k(x_ptr, B: tl.constexpr):\n"
      "    tl.store(x_ptr + tl.arange(0, B), 1.0)\n";
  Compiler compiler({});
  CompileResult result = compiler.compile(request(StageId::Ast, text)).result;
  INFO(problems(result));
  CHECK(result.metadata.numWarps == 2);
  CHECK(result.stage(StageId::Ttgir)->text.find("\"ttg.num-warps\" = 2") != std::string::npos);
  CHECK(result.stage(StageId::Ptx)->text.find(".reqntid 64") != std::string::npos);
  // The request takes precedence.
  CompileRequest chosen = request(StageId::Ast, text);
  chosen.selection.options["num_warps"] = "4";
  result = compiler.compile(chosen).result;
  CHECK(result.stage(StageId::Ptx)->text.find(".reqntid 128") != std::string::npos);
}

TEST_CASE("a stop request ends the compilation before the next stage", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  std::stop_source source;
  CompileHooks hooks;
  hooks.stop = source.get_token();
  hooks.stageFinished = [&](const CompileResult &, const Stage &) { source.request_stop(); };
  const CompileOutcome outcome = compiler.compile(request(StageId::LlvmIr, kLlvmIr), hooks);
  CHECK(outcome.cancelled);
  CHECK_FALSE(outcome.result.ok);
  CHECK(outcome.result.stage(StageId::Ptx) == nullptr);
}

TEST_CASE("a stop request ends a tool that is running, and is no fault of the kernel",
          "[compiler]") {
  const fs::path tool = fs::temp_directory_path() / ("slow-ptxas-" + std::to_string(getpid()));
  std::ofstream(tool) << "#!/bin/sh\nexec sleep 60\n";
  fs::permissions(tool, fs::perms::owner_all);
  CudaToolkit toolkit;
  toolkit.ptxas = tool;
  Compiler compiler{toolkit};
  std::stop_source source;
  std::jthread stopper;
  CompileHooks hooks;
  hooks.stop = source.get_token();
  hooks.stageStarted = [&](StageId stage) {
    if (stage == StageId::Cubin)
      stopper = std::jthread([&source] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        source.request_stop();
      });
  };
  const auto begin = std::chrono::steady_clock::now();
  const CompileOutcome outcome =
      compiler.compile(request(StageId::LlvmIr, kLlvmIr, StageId::Sass), hooks);
  fs::remove(tool);
  CHECK(outcome.cancelled);
  CHECK(outcome.result.diagnostics.empty());
  CHECK(outcome.result.stage(StageId::Cubin) == nullptr);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("without an assembler the result ends at PTX with a note", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileResult result =
      compiler.compile(request(StageId::LlvmIr, kLlvmIr, StageId::Sass)).result;
  CHECK(result.ok);
  CHECK(result.stages.back().id == StageId::Ptx);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].kind == DiagnosticKind::ToolMissing);
  CHECK(result.diagnostics[0].severity == Severity::Note);
  CHECK(result.diagnostics[0].notes.at(0).find("CUDA Toolkit") != std::string::npos);
}

TEST_CASE("values of a document in IR keep their names in the stages after it", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler
                                   .compile(request(StageId::Ttir, R"(module {
  tt.func public @k(%x_ptr: !tt.ptr<f32>, %n: i32) {
    %lanes_7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %0 = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %places = tt.addptr %0, %lanes_7 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %nibble = tt.load %places : tensor<64x!tt.ptr<f32>>
    tt.store %places, %nibble : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
)",
                                                    StageId::Ttgir))
                                   .result;
  INFO(problems(result));
  REQUIRE(result.stage(StageId::Ttgir));
  const std::string &text = result.stage(StageId::Ttgir)->text;
  INFO(text);
  for (const char *definition : {"%lanes = tt.make_range", "%places = tt.addptr",
                                 "%nibble = tt.load", "%x_ptr: !tt.ptr<f32>"})
    CHECK(text.find(definition) != std::string::npos);
}

TEST_CASE("PTX is assembled, and SASS lines map to the document", "[compiler]") {
  Compiler compiler{findCudaToolkit()};
  if (!compiler.toolkit().hasAssembler()) {
    WARN("skipped: this machine has neither nvJitLink nor ptxas");
    return;
  }
  for (int round = 0; round < 2; ++round) {
    const CompileResult result =
        compiler.compile(request(StageId::Ptx, kPtx, StageId::Sass)).result;
    INFO(problems(result));
    REQUIRE(result.ok);
    CHECK(result.stage(StageId::Cubin)->cached == (round == 1));
    CHECK(result.resources.registers > 0);
    CHECK(result.resources.spillBytes == 0);
    if (!compiler.toolkit().nvdisasm.empty()) {
      REQUIRE(result.stage(StageId::Sass));
      CHECK(linesFrom(result, StageId::Sass, 9).find("STG") != std::string::npos);
    }
  }
}

TEST_CASE("what the assembler refuses is reported at the line of the PTX document", "[compiler]") {
  Compiler compiler{findCudaToolkit()};
  if (!compiler.toolkit().hasAssembler()) {
    WARN("skipped: this machine has neither nvJitLink nor ptxas");
    return;
  }
  std::string text(kPtx);
  text.replace(text.find("%tid.x"), 6, "%nope");
  const CompileResult result =
      compiler.compile(request(StageId::Ptx, text.c_str(), StageId::Sass)).result;
  CHECK_FALSE(result.ok);
  REQUIRE_FALSE(result.diagnostics.empty());
  CHECK(result.diagnostics[0].kind == DiagnosticKind::AssemblerFailed);
  CHECK(result.diagnostics[0].range.begin.line == 8);
}

TEST_CASE("`maxnreg` is a directive of the kernel", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  CompileRequest limited = request(StageId::Ast, R"(import triton
import triton.language as tl


@triton.jit
def k(p):
    i = tl.arange(0, 64)
    tl.store(p + i, tl.load(p + i) + 1.0)
)");
  limited.path = "/kernels/k.py";
  limited.selection.signature = {{"p", "*fp32"}};
  limited.selection.options = {{"maxnreg", "64"}};
  const CompileResult result = compiler.compile(limited).result;
  INFO(problems(result));
  REQUIRE(result.ok);
  const std::string &ptx = result.stage(StageId::Ptx)->text;
  CHECK(ptx.find(".maxnreg 64") != std::string::npos);
  CHECK(ptx.find(".minnctapersm") == std::string::npos);
}
