// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/FakeResult.h"

#include <algorithm>
#include <stdexcept>

namespace tilescope::tests {

using namespace tilescope::compiler;

std::string sampleSource() {
  return R"py("""Adds two vectors, element by element."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "vector_add"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 98432
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# y_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# BLOCK = 1024
# [options]
# num_warps = 4
# ///


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
)py";
}

SourceRange rangeOf(const std::string &text, const std::string &snippet) {
  const size_t at = text.find(snippet);
  if (at == std::string::npos)
    throw std::invalid_argument("the text has no " + snippet);
  auto position = [&](size_t offset) {
    const auto line = static_cast<uint32_t>(
        std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
    const size_t start = line == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    return Position{line, static_cast<uint32_t>(offset - start)};
  };
  return {position(at), position(at + snippet.size()), 0};
}

/// Text in which `@@snippet` at a line's end says which piece of the source the line came from.
static Stage makeStage(StageId id, int64_t durationNs, const std::string &marked) {
  Stage stage;
  stage.id = id;
  stage.ok = true;
  stage.durationNs = durationNs;
  const std::string source = sampleSource();
  uint32_t line = 0;
  for (size_t at = 0; at < marked.size(); ++line) {
    const size_t end = marked.find('\n', at);
    std::string content = marked.substr(at, end - at);
    at = end + 1;
    const size_t mark = content.find("@@");
    if (mark != std::string::npos) {
      stage.sourceMap.lines.push_back({line, {rangeOf(source, content.substr(mark + 2))}});
      content.resize(content.find_last_not_of(' ', mark - 1) + 1);
    }
    stage.text += content + "\n";
  }
  return stage;
}

static const char *const kAst = R"(Module
  FunctionDef name='vector_add'
    Assign target='pid'           @@pid = tl.program_id(0)
      Call tl.program_id          @@tl.program_id(0)
    Assign target='offsets'       @@offsets = pid * BLOCK + tl.arange(0, BLOCK)
    Assign target='mask'          @@mask = offsets < n
)";
static const char *const kTtir = R"(module {
  tt.func public @vector_add(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<f32>, %out_ptr: !tt.ptr<f32>, %n: i32) attributes {noinline = false} {
    %c1024_i32 = arith.constant 1024 : i32   @@pid * BLOCK
    %pid = tt.get_program_id x : i32   @@tl.program_id(0)
    %offsets = arith.muli %pid, %c1024_i32 : i32   @@pid * BLOCK
    %offsets_0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>   @@tl.arange(0, BLOCK)
    %offsets_1 = tt.splat %offsets : i32 -> tensor<1024xi32>   @@pid * BLOCK + tl.arange(0, BLOCK)
    %offsets_2 = arith.addi %offsets_1, %offsets_0 : tensor<1024xi32>   @@pid * BLOCK + tl.arange(0, BLOCK)
    %mask = arith.cmpi slt, %offsets_2, %n : tensor<1024xi32>   @@offsets < n
    %x = tt.addptr %x_ptr, %offsets_2 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>   @@x_ptr + offsets
    %x_3 = tt.load %x, %mask : tensor<1024x!tt.ptr<f32>>   @@tl.load(x_ptr + offsets, mask=mask)
    %y = tt.addptr %y_ptr, %offsets_2 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>   @@y_ptr + offsets
    %y_4 = tt.load %y, %mask : tensor<1024x!tt.ptr<f32>>   @@tl.load(y_ptr + offsets, mask=mask)
    %0 = arith.addf %x_3, %y_4 : tensor<1024xf32>   @@x + y
    %1 = tt.addptr %out_ptr, %offsets_2 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>   @@out_ptr + offsets
    tt.store %1, %0, %mask : tensor<1024x!tt.ptr<f32>>   @@tl.store(out_ptr + offsets, x + y, mask=mask)
    tt.return
  }
}
)";
static const char *const kTtgir =
    R"(#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @vector_add(%x_ptr: !tt.ptr<f32>, %y_ptr: !tt.ptr<f32>, %out_ptr: !tt.ptr<f32>, %n: i32) {
    %pid = tt.get_program_id x : i32   @@tl.program_id(0)
    %offsets_0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>   @@tl.arange(0, BLOCK)
    %offsets_2 = arith.addi %offsets_1, %offsets_0 : tensor<1024xi32, #blocked>   @@pid * BLOCK + tl.arange(0, BLOCK)
    %mask = arith.cmpi slt, %offsets_2, %n : tensor<1024xi32, #blocked>   @@offsets < n
    %x_3 = tt.load %x, %mask : tensor<1024x!tt.ptr<f32>, #blocked>   @@tl.load(x_ptr + offsets, mask=mask)
    %y_4 = tt.load %y, %mask : tensor<1024x!tt.ptr<f32>, #blocked>   @@tl.load(y_ptr + offsets, mask=mask)
    %0 = arith.addf %x_3, %y_4 : tensor<1024xf32, #blocked>   @@x + y
    tt.store %1, %0, %mask : tensor<1024x!tt.ptr<f32>, #blocked>   @@tl.store(out_ptr + offsets, x + y, mask=mask)
    tt.return
  }
}
)";
static const char *const kPtx = R"(.version 8.7
.target sm_90a
.visible .entry vector_add(
	.param .u64 vector_add_param_0,
	.param .u32 vector_add_param_3
)
{
	.reg .pred 	%p<5>;
	.reg .b32 	%r<33>;
	mov.u32 	%r1, %ctaid.x;   @@tl.program_id(0)
	shl.b32 	%r2, %r1, 10;   @@pid * BLOCK
	setp.lt.s32 	%p1, %r10, %r9;   @@offsets < n
	mov.u32 	%r11, 0x0;   @@tl.load(x_ptr + offsets, mask=mask)
	@%p1 ld.global.v4.b32 { %r11, %r12, %r13, %r14 }, [ %rd1 + 0 ];   @@tl.load(x_ptr + offsets, mask=mask)
	@%p1 ld.global.v4.b32 { %r15, %r16, %r17, %r18 }, [ %rd2 + 0 ];   @@tl.load(y_ptr + offsets, mask=mask)
	add.f32 	%f1, %f2, %f3;   @@x + y
	@%p1 st.global.v4.b32 [ %rd3 + 0 ], { %r19, %r20, %r21, %r22 };   @@tl.store(out_ptr + offsets, x + y, mask=mask)
	ret;
}
)";

static LayoutFacts blockedLayout(const std::string &value, const std::string &op, uint32_t line,
                                 const std::string &snippet) {
  LayoutFacts facts;
  facts.value = value;
  facts.op = op;
  facts.type = "tensor<1024xf32, #blocked>";
  facts.encoding =
      "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
  facts.shape = {1024};
  facts.elementType = "f32";
  facts.elementBits = 32;
  facts.layout = {{"register", {{1}, {2}, {512}}},
                  {"lane", {{4}, {8}, {16}, {32}, {64}}},
                  {"warp", {{128}, {256}}}};
  facts.stageLine = line;
  facts.source = rangeOf(sampleSource(), snippet);
  return facts;
}

std::shared_ptr<CompileResult> sampleResult() {
  auto result = std::make_shared<CompileResult>();
  const std::string source = sampleSource();
  result->ok = true;
  result->kernel = "vector_add";
  result->kernels = {"vector_add"};
  result->target = "cuda:90";
  result->options = {{"num_warps", "4"}, {"num_stages", "3"}};
  result->constexprs = {{"BLOCK", "1024"}};
  result->files = {{"vector_add.py", source}};
  result->stages = {
      makeStage(StageId::Ast, 210'000, kAst), makeStage(StageId::Ttir, 1'400'000, kTtir),
      makeStage(StageId::Ttgir, 2'100'000, kTtgir), makeStage(StageId::Ptx, 9'300'000, kPtx)};
  PassRecord inlined{StageId::Ttir, "inline", 90'000, true, false, kTtir, {}};
  inlined.ir = result->stages[1].text + "// before\n";
  PassRecord canonicalized{StageId::Ttir,
                           "canonicalize",
                           410'000,
                           true,
                           false,
                           result->stages[1].text,
                           result->stages[1].sourceMap};
  PassRecord cse{StageId::Ttir, "cse", 60'000, false, false, "", {}};
  PassRecord coalesce{StageId::Ttgir,         "tritongpu-coalesce",       320'000, true, false,
                      result->stages[2].text, result->stages[2].sourceMap};
  result->passes = {inlined, canonicalized, cse, coalesce};
  result->layouts = {blockedLayout("%x_3", "tt.load", 7, "tl.load(x_ptr + offsets, mask=mask)"),
                     blockedLayout("%0", "arith.addf", 9, "x + y")};
  result->values = {{rangeOf(source, "pid"), "int32", false},
                    {rangeOf(source, "offsets"), "int32[1024]", true},
                    {rangeOf(source, "x = ").begin < rangeOf(source, "y = ").begin
                         ? SourceRange{rangeOf(source, "x = ").begin,
                                       {rangeOf(source, "x = ").begin.line,
                                        rangeOf(source, "x = ").begin.column + 1},
                                       0}
                         : SourceRange{},
                     "fp32[1024]", true}};
  result->metadata.name = "vector_add";
  result->metadata.target = "cuda:90";
  result->metadata.parameters = {
      {"x_ptr", "*fp32"}, {"y_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}};
  result->resources = {32, 0, 0, 128};
  return result;
}

std::shared_ptr<CompileResult> brokenResult() {
  auto result = sampleResult();
  result->ok = false;
  result->stages.resize(1);
  Stage failed;
  failed.id = StageId::Ttir;
  result->stages.push_back(failed);
  result->layouts.clear();
  result->passes.clear();
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Error;
  diagnostic.message = "`offsets` has shape [1024], `n` has no shape";
  diagnostic.range = rangeOf(sampleSource(), "offsets < n");
  diagnostic.notes = {"both sides of a comparison must broadcast"};
  diagnostic.labels = {{rangeOf(sampleSource(), "tl.arange(0, BLOCK)"), "made here"}};
  diagnostic.fixes = {{rangeOf(sampleSource(), "offsets < n"), "offsets <= n", "Use `<=`"}};
  result->diagnostics = {diagnostic};
  return result;
}

} // namespace tilescope::tests
