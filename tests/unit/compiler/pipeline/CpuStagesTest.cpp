// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The stages of kernels for processors.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <algorithm>

using namespace tilescope;
using namespace tilescope::compiler;

static constexpr const char *kText = R"(import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
)";

static CompileRequest requestFor(const std::string &target) {
  CompileRequest request;
  request.path = "/kernels/add.py";
  request.text = kText;
  request.selection.target = target;
  request.selection.signature = {
      {"x_ptr", "*fp32"}, {"y_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}};
  request.selection.constexprs = {{"BLOCK", "1024"}};
  return request;
}

static std::vector<StageId> idsOf(const CompileResult &result) {
  std::vector<StageId> ids;
  for (const Stage &stage : result.stages)
    if (stage.ok)
      ids.push_back(stage.id);
  return ids;
}

static std::string_view lineOf(const std::string &text, uint32_t number) {
  std::string_view rest = text;
  for (; number > 0; --number)
    rest.remove_prefix(rest.find('\n') + 1);
  return rest.substr(0, rest.find('\n'));
}

/// The lines of the source from which instructions with this name come, counted from 0.
static std::vector<uint32_t> sourcesOf(const Stage &stage, std::string_view instruction) {
  std::vector<uint32_t> lines;
  for (const LineMapping &mapping : stage.sourceMap.lines)
    if (lineOf(stage.text, mapping.line).find(instruction) != std::string_view::npos)
      lines.push_back(mapping.sources.front().begin.line);
  return lines;
}

TEST_CASE("kernels for processors have stages of their own", "[compiler]") {
  const std::string target = GENERATE("cpu:native", "cpu:x86-64-v3", "cpu:x86-64-v4",
                                      "cpu:sapphirerapids", "cpu:neoverse-v1");
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(requestFor(target)).result;
  for (const Diagnostic &diagnostic : result.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  CHECK(result.ok);
  CHECK(result.target == target);
  CHECK(idsOf(result) == std::vector{StageId::Ast, StageId::Ttir, StageId::CpuIr, StageId::LlvmIr,
                                     StageId::Assembly});
  // The same again, without making it.
  const CompileResult again = compiler.compile(requestFor(target)).result;
  CHECK(idsOf(again) == idsOf(result));
  CHECK(again.stage(StageId::Assembly)->cached);
  CHECK(again.stage(StageId::Assembly)->text == result.stage(StageId::Assembly)->text);
}

TEST_CASE("`cpu` is the processor of this machine", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  CHECK(compiler.compile(requestFor("cpu")).result.target == "cpu:native");
}

TEST_CASE("each line of a processor's stages has its place in the source", "[compiler]") {
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(requestFor("cpu:x86-64-v4")).result;
  REQUIRE(result.ok);
  constexpr uint32_t kSum = 10;
  const auto allAre = [](const std::vector<uint32_t> &lines, uint32_t line) {
    return !lines.empty() &&
           std::ranges::all_of(lines, [&](uint32_t each) { return each == line; });
  };
  CHECK(allAre(sourcesOf(*result.stage(StageId::CpuIr), "arith.addf"), kSum));
  CHECK(allAre(sourcesOf(*result.stage(StageId::LlvmIr), "fadd <32 x float>"), kSum));
  const Stage &assembly = *result.stage(StageId::Assembly);
  CHECK(allAre(sourcesOf(assembly, "vaddps"), kSum));
  CHECK(assembly.text.find("zmm") != std::string::npos);
  // What only assemblers and debuggers read is not shown.
  CHECK(assembly.text.find(".loc") == std::string::npos);
  CHECK(assembly.text.find(".cfi") == std::string::npos);
  CHECK(assembly.text.find(".debug") == std::string::npos);
}

TEST_CASE("passes to code for processors are recorded", "[compiler]") {
  CompileRequest request = requestFor("cpu:x86-64-v3");
  request.recordPassIr = true;
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request).result;
  const auto find = [&](StageId stage, const char *name) {
    return std::ranges::find_if(result.passes, [&](const PassRecord &pass) {
      return pass.stage == stage && pass.name == name;
    });
  };
  const auto lowering = find(StageId::CpuIr, "tilescope-tt-to-cpu");
  REQUIRE(lowering != result.passes.end());
  CHECK(lowering->ir.find("vector<16xf32>") != std::string::npos);
  CHECK_FALSE(lowering->irMap.lines.empty());
  CHECK(find(StageId::LlvmIr, "llvm-optimize") != result.passes.end());
  CHECK(find(StageId::Assembly, "codegen") != result.passes.end());
}

TEST_CASE("what a processor's target lacks fails at its line, and stages before stay",
          "[compiler]") {
  CompileRequest request = requestFor("cpu:native");
  request.text += "    tl.inline_asm_elementwise(\"no.such.f32 $0, $1;\", \"=f,f\", [x], "
                  "dtype=tl.float32, is_pure=False, pack=1)\n";
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request).result;
  CHECK_FALSE(result.ok);
  CHECK(idsOf(result) == std::vector{StageId::Ast, StageId::Ttir});
  REQUIRE_FALSE(result.diagnostics.empty());
  CHECK(result.diagnostics.back().message ==
        "not supported by the cpu target yet: `tt.elementwise_inline_asm`: the assembly cannot be "
        "executed on the CPU: `no.such.f32` is not known");
  CHECK(result.diagnostics.back().range.begin.line == 11);
}

TEST_CASE("a document in TTIR goes on for a processor, one with layouts does not", "[compiler]") {
  CompileRequest request;
  request.path = "/kernels/k.ttir";
  request.entry = StageId::Ttir;
  request.selection.target = "cpu:x86-64-v3";
  request.text = R"(module {
  tt.func public @k(%p: !tt.ptr<f32>) {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.addf %x, %x : f32
    tt.store %p, %y : !tt.ptr<f32>
    tt.return
  }
}
)";
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request).result;
  CHECK(idsOf(result) ==
        std::vector{StageId::Ttir, StageId::CpuIr, StageId::LlvmIr, StageId::Assembly});
  request.entry = StageId::Ttgir;
  const CompileResult refused = compiler.compile(request).result;
  REQUIRE_FALSE(refused.diagnostics.empty());
  CHECK(refused.diagnostics.front().message == "kernels for `cpu:x86-64-v3` have no form of TTGIR");
}
