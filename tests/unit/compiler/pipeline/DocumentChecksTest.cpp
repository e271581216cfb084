// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents that would bring down passes or code generation are errors of theirs, at a place.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

static CompileResult compileDocument(StageId entry, const std::string &text,
                                     const Selection &selection = {},
                                     StageId stopAfter = StageId::Ptx) {
  CompileRequest request;
  request.path = entry == StageId::Ast ? "k.py" : "k.txt";
  request.text = text;
  request.entry = entry;
  request.stopAfter = stopAfter;
  request.selection = selection;
  Compiler compiler{CudaToolkit{}};
  return compiler.compile(request).result;
}

/// The only error of a document that is refused; `line` counts from 1.
static void refuses(StageId entry, const std::string &text, uint32_t line, const char *message,
                    DiagnosticKind kind = DiagnosticKind::IrInvalid) {
  const CompileResult result = compileDocument(entry, text);
  INFO(text.substr(0, 500));
  CHECK_FALSE(result.ok);
  REQUIRE(result.diagnostics.size() == 1);
  INFO(result.diagnostics[0].message);
  CHECK(result.diagnostics[0].message.find(message) != std::string::npos);
  CHECK(result.diagnostics[0].kind == kind);
  CHECK(result.diagnostics[0].range.begin.line + 1 == line);
  REQUIRE(result.stage(entry));
}

static std::string repeat(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += part;
  return text;
}

TEST_CASE("a document without a kernel says so", "[compiler]") {
  const auto noKernel = [](StageId entry, const char *text) {
    refuses(entry, text, 1, "the document has no kernel", DiagnosticKind::NoKernel);
  };
  noKernel(StageId::Ttir, "");
  noKernel(StageId::Ttgir, "");
  noKernel(StageId::Ttir, "module { tt.func private @f() }");
  noKernel(StageId::LlvmIr, "");
  noKernel(StageId::LlvmIr, "define void @f() {\n  ret void\n}\n");
  noKernel(StageId::Ptx, "");
  noKernel(StageId::Ptx, ".version 8.0\n.target sm_90\n");
}

TEST_CASE("blocks have few dimensions, and those of TTGIR a layout", "[compiler]") {
  refuses(StageId::Ttir,
          "module {\ntt.func public @k(%x: tensor<" + repeat("1x", 10000) +
              "i32>) {\n  tt.return\n}\n}\n",
          2, "has a block of 10000 dimensions; the most allowed is 32");
  refuses(StageId::Ttgir,
          "module attributes {\"ttg.num-warps\" = 4 : i32} {\ntt.func public @k() {\n"
          "  %a = arith.constant dense<0> : tensor<128xi32>\n  tt.return\n}\n}\n",
          3, "has a block without a layout: 'tensor<128xi32>'");
}

TEST_CASE("deep text is refused before it is parsed", "[compiler]") {
  const std::string type = repeat("tuple<", 100000) + "i32" + repeat(">", 100000);
  const std::string text = "module {\n  tt.func public @k(%p: " + type + ") { tt.return }\n}\n";
  for (StageId entry : {StageId::Ttir, StageId::Ttgir})
    refuses(entry, text, 2, "nested too deeply");
  refuses(StageId::LlvmIr, "\n%T = type " + repeat("{", 100000) + repeat("}", 100000), 2,
          "nested too deeply");
  refuses(StageId::LlvmIr, "llvm.func @k() {\n" + repeat("[", 100000), 2, "nested too deeply");
  refuses(StageId::Ptx, ".entry k() {\n" + repeat("{", 100000), 2, "nested too deeply");
}

static std::string ttgir(const std::string &attributes) {
  return "module attributes {" + attributes + "} {\n  tt.func public @k() { tt.return }\n}\n";
}

TEST_CASE("a module with layouts says how many warps run it", "[compiler]") {
  refuses(StageId::Ttgir, "module {\n tt.func public @k() { tt.return }\n}\n", 1,
          "does not say how many warps run it");
  refuses(StageId::Ttgir, ttgir("\"ttg.num-warps\" = 64 : i32"), 1, "must be at most 32");
  refuses(StageId::Ttgir, ttgir("\"ttg.num-warps\" = 3 : i32"), 1, "to be a power of two");
  refuses(StageId::Ttgir, ttgir("\"ttg.num-warps\" = 4 : i32, \"ttg.threads-per-warp\" = 64 : i32"),
          1, "a warp has 32 threads");
  CHECK(compileDocument(StageId::Ttgir, ttgir("\"ttg.num-warps\" = 4 : i32")).ok);
}

TEST_CASE("blocks that no program can hold are refused in any operation", "[compiler]") {
  const auto block = [](const char *type) {
    return std::string("module {\n  tt.func public @k() {\n    %c = arith.constant dense<1.0> : ") +
           type + "\n    tt.return\n  }\n}\n";
  };
  refuses(StageId::Ttir, block("tensor<1099511627776xf32>"), 3, "the most allowed is 1048576");
  refuses(StageId::Ttir, block("tensor<4294967296x4294967296x4xf32>"), 3, "more than 2^63");
  refuses(StageId::Ttir, block("tensor<100xf32>"), 3, "not a power of two");
  CHECK(compileDocument(StageId::Ttir, block("tensor<128xf32>")).ok);
}

TEST_CASE("LLVM IR that would bring down code generation is refused", "[compiler]") {
  const auto kernel = [](const char *body) {
    return std::string("define ptx_kernel void @k(ptr addrspace(1) %p) {\n") + body +
           "\n  ret void\n}\n";
  };
  refuses(StageId::LlvmIr, kernel("  %a = add i32 %b, 1\n  %b = add i32 %a, 1"), 1,
          "does not dominate");
  refuses(StageId::LlvmIr,
          kernel("  %x = call <4 x float> @llvm.x86.sse.rcp.ps(<4 x float> zeroinitializer)") +
              "declare <4 x float> @llvm.x86.sse.rcp.ps(<4 x float>)\n",
          2, "`llvm.x86.sse.rcp.ps` is an instruction of another architecture");
  refuses(StageId::LlvmIr, kernel("  store i8388607 1, ptr addrspace(1) %p"), 2,
          "more than 4096 bits");
  CHECK(compileDocument(StageId::LlvmIr, kernel("  store i128 1, ptr addrspace(1) %p")).ok);
}

TEST_CASE("constraints of inline assembly fit its operands, or are refused where they stand",
          "[compiler]") {
  Selection selection;
  selection.signature = {{"p", "*i32"}};
  const auto compileWith = [&](const std::string &constraints,
                               const std::string &text = "mov.b32 $0, $1;") {
    return compileDocument(
        StageId::Ast,
        "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(p):\n"
        "    i = tl.arange(0, 128)\n    x = tl.load(p + i)\n"
        "    y = tl.inline_asm_elementwise('" +
            text + "', '" + constraints +
            "', [x], dtype=tl.int32, is_pure=True, pack=1)\n    tl.store(p + i, y)\n",
        selection);
  };
  CHECK(compileWith("=r,r").ok);
  CHECK(compileWith(" =r, r ").ok);
  for (const char *constraints : {"", "=", "=r,", "@", "=r,@$4", "r", "=r,r,r,r", "=&&r,r", "=r,9",
                                  "=r,r,~{memory", "=r,{}", "=X,X", "=r,m"}) {
    const CompileResult result = compileWith(constraints);
    INFO(constraints);
    CHECK_FALSE(result.ok);
    REQUIRE_FALSE(result.diagnostics.empty());
    INFO(result.diagnostics.back().message);
    CHECK(result.diagnostics.back().severity == Severity::Error);
    CHECK(result.diagnostics.back().range.begin.line == 7);
  }
  for (const char *constraints : {"=r,@$4", "=r,@9a", "=r,^", "=r,^a"})
    refuses(StageId::LlvmIr,
            "define ptx_kernel void @k() {\n  %x = call i32 asm sideeffect \"\", \"" +
                std::string(constraints) + "\"(i32 1)\n  ret void\n}",
            2, "LLVM cannot read the constraints of this inline assembly");
}

TEST_CASE("the kernel that was chosen is the one that is compiled", "[compiler]") {
  const std::string text = "define ptx_kernel void @a(i32 %x, ptr %s, ptr %t) {\n  ret void\n}\n"
                           "define ptx_kernel void @b(float %y, ptr %s, ptr %t) {\n  ret void\n}\n";
  Selection selection;
  selection.kernel = "b";
  const CompileResult result = compileDocument(StageId::LlvmIr, text, selection);
  REQUIRE(result.ok);
  CHECK(result.kernels == std::vector<std::string>{"a", "b"});
  CHECK(result.metadata.name == "b");
  CHECK(result.metadata.parameters == std::vector<KernelParameter>{{"y", "fp32"}});
  CHECK(compileDocument(StageId::LlvmIr, text).metadata.name == "a");
}

TEST_CASE("names that PTX cannot say are refused where they stand", "[compiler]") {
  const auto named = [](const std::string &symbol) {
    return "define ptx_kernel void @" + symbol + "() {\n  ret void\n}\n";
  };
  const auto refusesName = [&](const std::string &symbol) {
    const CompileResult result = compileDocument(StageId::LlvmIr, "\n" + named(symbol));
    INFO(symbol.substr(0, 100));
    CHECK_FALSE(result.ok);
    REQUIRE(result.diagnostics.size() == 1);
    CHECK(result.diagnostics[0].message.starts_with("PTX cannot name `"));
    CHECK(result.diagnostics[0].range.begin.line == 1);
  };
  for (const char *symbol : {"\"/tmp/x\"", "\"..\"", "\"a b\"", "\"a\\22b\"", "\"a\\0Ab\"",
                             "\"gr\\C3\\B6\\C3\\9Fe\"", "\"1k\"", "\"_\"", "\"%k\""})
    refusesName(symbol);
  refusesName(repeat("a", 2000));
  for (const char *symbol : {"k", "_k", "$k", "k1$_"})
    CHECK(compileDocument(StageId::LlvmIr, named(symbol)).ok);

  const CompileResult python =
      compileDocument(StageId::Ast, "import triton\nimport triton.language as "
                                    "tl\n\n@triton.jit\ndef größe(p):\n    tl.store(p, 1.0)\n");
  REQUIRE(python.diagnostics.size() == 1);
  CHECK(python.diagnostics[0].message.starts_with("PTX cannot name `größe`"));
  CHECK(python.diagnostics[0].range.begin.line == 4);
}
