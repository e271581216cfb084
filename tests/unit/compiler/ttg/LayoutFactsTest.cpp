// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutFactsOf.h"

#include "mlir/Parser/Parser.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace mlir;
using namespace tilescope;

TEST_CASE("the layout of every block is found under its printed name", "[compiler][ttg]") {
  MLIRContext context;
  context.loadDialect<ttg::TTGDialect>();
  auto module = parseSourceString<ModuleOp>(R"(
    #b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
    #s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    module attributes {"ttg.num-warps" = 1 : i32} {
      tt.func @f(%p: tensor<64x!tt.ptr<f32>, #b>, %n: i32) {
        %c = arith.constant 0 : i32
        %v = tt.load %p : tensor<64x!tt.ptr<f32>, #b>
        %m = ttg.local_alloc %v : (tensor<64xf32, #b>) -> !ttg.memdesc<64xf32, #s, #ttg.shared_memory>
        tt.return
      }
    })",
                                            &context);
  REQUIRE(module);
  AsmState::LocationMap lines;
  AsmState state(*module, {}, &lines);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, state);
  auto nameOf = [&](Value value) {
    std::string name;
    llvm::raw_string_ostream os(name);
    value.printAsOperand(os, state);
    return name;
  };
  auto typeText = [&](Type type) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    type.print(os, state);
    return printed;
  };
  auto lineOf = [&](Value value) {
    Operation *owner = value.getDefiningOp();
    return owner ? uint32_t(lines.lookup(owner).first - 1) : 0;
  };
  auto noSource = [](Value) { return SourceRange(); };
  std::vector<compiler::LayoutFacts> facts =
      ttg::layoutFactsOf(*module, {nameOf, typeText, lineOf, noSource});

  REQUIRE(facts.size() == 3);
  CHECK(facts[0].value == "%arg0");
  CHECK(facts[0].op == "tt.func");
  CHECK(facts[0].elementBits == 64);
  CHECK(facts[1].value == "%0");
  CHECK(facts[1].op == "tt.load");
  CHECK(facts[1].type == "tensor<64xf32, #blocked>");
  CHECK(
      facts[1].encoding ==
      "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>");
  CHECK(facts[1].shape == std::vector<int64_t>{64});
  CHECK(facts[1].elementType == "f32");
  CHECK_FALSE(facts[1].shared);
  // The example of the type's documentation.
  REQUIRE(facts[1].layout.size() == 4);
  CHECK(facts[1].layout[0] == compiler::LayoutBases{"register", {{1}}});
  CHECK(facts[1].layout[1] == compiler::LayoutBases{"lane", {{2}, {4}, {8}, {16}, {32}}});
  CHECK(facts[1].layout[2] == compiler::LayoutBases{"warp", {}});
  CHECK(facts[2].shared);
  CHECK(facts[2].layout[0].input == "offset");
  CHECK(facts[2].layout[0].bases.size() == 6);

  // The line is the one on which the name is defined.
  std::istringstream printed(text);
  std::string line;
  for (uint32_t i = 0; i <= facts[1].stageLine; ++i)
    std::getline(printed, line);
  CHECK(line.find("%0 = tt.load") != std::string::npos);
}

TEST_CASE("a stack of buffers shows one of them, however many there are", "[compiler][ttg]") {
  MLIRContext context;
  context.loadDialect<ttg::TTGDialect>();
  for (const char *encoding :
       {"#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
        "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = "
        "16}>"}) {
    const std::string text = std::string("#s = ") + encoding + R"(
      module attributes {"ttg.num-warps" = 1 : i32} {
        tt.func @f() {
          %m = ttg.local_alloc : () -> !ttg.memdesc<3x32x64xf16, #s, #ttg.shared_memory, mutable>
          tt.return
        }
      })";
    auto module = parseSourceString<ModuleOp>(text, &context);
    REQUIRE(module);
    const auto facts = ttg::layoutFactsOf(
        *module, {[](Value) { return std::string("%m"); }, [](Type) { return std::string(); },
                  [](Value) { return 0u; }, [](Value) { return SourceRange(); }});
    REQUIRE(facts.size() == 1);
    CHECK(facts[0].shape == std::vector<int64_t>{32, 64});
    REQUIRE(!facts[0].layout.empty());
    // 2048 elements, one after another.
    CHECK(facts[0].layout[0].input == "offset");
    REQUIRE(facts[0].layout[0].bases.size() == 11);
    CHECK(facts[0].layout[0].bases[0] == std::vector<int32_t>{0, 1});
  }
}
