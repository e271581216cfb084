// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reductions and scans combine elements with operations whose meaning the interpreter's tables say; what they add is an
// order, which the interpreter states (RegionOperations.cpp). Here each combination that kernels are made of is folded in
// that order in plain C++ (Folds.h): the interpreter and exact native code must have the same bits. Other native code may
// combine in any order, so it is held to what every order has.
#include "tests/unit/compiler/interpreter/RunTtir.h"
#include "tests/unit/compiler/native/Folds.h"
#include "tests/unit/compiler/native/MeaningKernels.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler::interpreter;
using namespace tilescope::tests;

namespace {
/// Where the elements that are combined lie: along a dimension of a block of `kFoldRows` rows, or in a block of their own.
enum class Along { Rows, Columns, Whole };
struct Sizes {
  Along along;
  size_t extent;
};
} // namespace

static std::string shapeOf(Sizes sizes) {
  const std::string n = std::to_string(sizes.extent), rows = std::to_string(kFoldRows);
  return sizes.along == Along::Rows      ? rows + "x" + n + "x"
         : sizes.along == Along::Columns ? n + "x" + rows + "x"
                                         : n + "x";
}

/// Pointers `%<name>q` into memory from `%<name>p` on, at the offsets `%<offsets>` of this shape.
static std::string pointersAt(const std::string &name, const std::string &offsets,
                              const std::string &shape, const std::string &element) {
  const std::string pointer = "!tt.ptr<" + element + ">", block = "tensor<" + shape + pointer + ">";
  return "  %" + name + "s = tt.splat %" + name + "p : " + pointer + " -> " + block + "\n  %" +
         name + "q = tt.addptr %" + name + "s, %" + offsets + " : " + block + ", tensor<" + shape +
         "i32>\n";
}

/// Defines `%o`, offsets of the block, `%i`, indices along the axis, and `%k`, offsets of the results of a reduction.
static std::string offsetsOf(Sizes sizes) {
  std::string text;
  if (sizes.along == Along::Whole)
    text = R"(
  %k = tt.get_program_id x : i32
  %n = arith.constant EXTENT : i32
  %first = arith.muli %k, %n : i32
  %i = tt.make_range {end = EXTENT : i32, start = 0 : i32} : tensor<EXTENTxi32>
  %firsts = tt.splat %first : i32 -> tensor<EXTENTxi32>
  %o = arith.addi %firsts, %i : tensor<EXTENTxi32>
)";
  else
    text = R"(
  %r = tt.make_range {end = HEIGHT : i32, start = 0 : i32} : tensor<HEIGHTxi32>
  %c = tt.make_range {end = WIDTH : i32, start = 0 : i32} : tensor<WIDTHxi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<HEIGHTxi32> -> tensor<HEIGHTx1xi32>
  %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<WIDTHxi32> -> tensor<1xWIDTHxi32>
  %r2 = tt.broadcast %r1 : tensor<HEIGHTx1xi32> -> tensor<HEIGHTxWIDTHxi32>
  %c2 = tt.broadcast %c1 : tensor<1xWIDTHxi32> -> tensor<HEIGHTxWIDTHxi32>
  %w = arith.constant dense<WIDTH> : tensor<HEIGHTxWIDTHxi32>
  %b = arith.muli %r2, %w : tensor<HEIGHTxWIDTHxi32>
  %o = arith.addi %b, %c2 : tensor<HEIGHTxWIDTHxi32>
)";
  const std::string n = std::to_string(sizes.extent), rows = std::to_string(kFoldRows);
  const bool ofRows = sizes.along == Along::Rows;
  replaceAll(text, "EXTENT", n);
  replaceAll(text, "HEIGHT", ofRows ? rows : n);
  replaceAll(text, "WIDTH", ofRows ? n : rows);
  return text;
}

static std::string kernelOf(const std::vector<Combination> &combinations, Element element,
                            Sizes sizes) {
  const std::string shape = shapeOf(sizes), rows = std::to_string(kFoldRows) + "x",
                    type(elementName(element)), axis = sizes.along == Along::Rows ? "1" : "0";
  const bool isWhole = sizes.along == Along::Whole;
  const std::string indices = isWhole                      ? "%i"
                              : sizes.along == Along::Rows ? "%c2"
                                                           : "%r2",
                    results = sizes.along == Along::Rows ? "r" : "c";
  std::string parameters = "%xp: !tt.ptr<" + type + ">",
              body = offsetsOf(sizes) + pointersAt("x", "o", shape, type) +
                     "  %x = tt.load %xq : tensor<" + shape + "!tt.ptr<" + type + ">>\n";
  const auto store = [&](const std::string &name, const std::string &value, const std::string &of,
                         bool isReduced) {
    parameters += ", %" + name + "p: !tt.ptr<" + of + ">";
    const std::string pointer = "!tt.ptr<" + of + ">";
    if (isReduced && isWhole) {
      body += "  %" + name + "q = tt.addptr %" + name + "p, %k : " + pointer +
              ", i32\n  tt.store %" + name + "q, " + value + " : " + pointer + "\n";
      return;
    }
    const std::string block = isReduced ? rows : shape;
    body += pointersAt(name, isReduced ? results : "o", block, of) + "  tt.store %" + name + "q, " +
            value + " : tensor<" + block + pointer + ">\n";
  };
  for (size_t i = 0; i < combinations.size(); ++i)
    for (const Fold fold : kFolds) {
      const Combination &combination = combinations[i];
      const bool isReduced = fold == Fold::Reduce, hasIndex = combination.hasIndex;
      const std::string name = (isReduced            ? "a"
                                : fold == Fold::Scan ? "b"
                                                     : "c") +
                               std::to_string(i) + "_";
      const std::string source = "tensor<" + shape + type + ">", index = "tensor<" + shape + "i32>";
      const auto resultOf = [&](const std::string &of) {
        return !isReduced ? "tensor<" + shape + of + ">"
               : isWhole  ? of
                          : "tensor<" + rows + of + ">";
      };
      std::string region = combination.region;
      // Names of a region are other ones than those around it.
      replaceAll(region, "%", "\1in");
      replaceAll(region, "\1", "%");
      replaceAll(region, "TYPE", type);
      replaceAll(region, "RETURN", isReduced ? "tt.reduce.return" : "tt.scan.return");
      const std::string outcome = isReduced            ? ""
                                  : fold == Fold::Scan ? ", reverse = false"
                                                       : ", reverse = true";
      body +=
          "  %" + name + (hasIndex ? ":2" : "") + " = \"" + (isReduced ? "tt.reduce" : "tt.scan") +
          "\"(%x" + (hasIndex ? ", " + indices : "") + ") <{axis = " + axis + " : i32" + outcome +
          "}> ({\n" + region + "  }) : (" + source + (hasIndex ? ", " + index : "") + ") -> " +
          (hasIndex ? "(" + resultOf(type) + ", " + resultOf("i32") + ")" : resultOf(type)) + "\n";
      store(name + "v", "%" + name + (hasIndex ? "#0" : ""), type, isReduced);
      if (hasIndex)
        store(name + "i", "%" + name + "#1", "i32", isReduced);
    }
  return "tt.func public @k(" + parameters + ") {" + body + "  tt.return\n}\n";
}

/// Where element `i` of a row is in memory.
static size_t placeOf(Sizes sizes, size_t row, size_t i) {
  return sizes.along == Along::Columns ? i * kFoldRows + row : row * sizes.extent + i;
}

using Arguments = std::vector<std::vector<uint8_t>>;

static Arguments argumentsOf(const std::vector<Combination> &combinations,
                             const std::vector<FoldRow> &rows, Element element, Sizes sizes) {
  Arguments arguments(1);
  arguments[0].resize(kFoldRows * sizes.extent * memorySize(element));
  for (size_t row = 0; row < kFoldRows; ++row)
    for (size_t i = 0; i < sizes.extent; ++i)
      toMemory(arguments[0], placeOf(sizes, row, i), element, rows[row][i].value);
  for (const Combination &combination : combinations)
    for (const Fold fold : kFolds) {
      const size_t count = kFoldRows * (fold == Fold::Reduce ? 1 : sizes.extent);
      arguments.emplace_back(count * memorySize(element), 0xA5);
      if (combination.hasIndex)
        arguments.emplace_back(count * 4, 0xA5);
    }
  return arguments;
}

/// Compares what a kernel has written with the folds; empty: it is as it must be.
static std::string faultOf(const std::vector<Combination> &combinations,
                           const std::vector<FoldRow> &rows, Element element, Sizes sizes,
                           const Arguments &found, bool hasOrder) {
  size_t argument = 1;
  for (const Combination &combination : combinations)
    for (const Fold fold : kFolds) {
      const bool isReduced = fold == Fold::Reduce;
      const std::vector<uint8_t> &values = found[argument++];
      const std::vector<uint8_t> *indices = combination.hasIndex ? &found[argument++] : nullptr;
      for (size_t row = 0; row < kFoldRows; ++row) {
        FoldRow results;
        for (size_t i = 0; i < (isReduced ? 1 : sizes.extent); ++i) {
          const size_t place = isReduced ? row : placeOf(sizes, row, i);
          Folded &result = results.emplace_back();
          result.value = fromMemory(values, place, element);
          if (indices)
            result.index = elementAt(*indices, place, 4);
        }
        const std::string fault =
            foldFault(combination, fold, element, rows[row], results, hasOrder);
        if (!fault.empty())
          return combination.name + " of " + std::string(elementName(element)) + ", row " +
                 std::to_string(row) + ": " + fault;
      }
    }
  return "";
}

static void checkFolds(Element element, Sizes sizes) {
  const std::vector<Combination> combinations = combinationsOf(element);
  const std::vector<FoldRow> rows = foldRows(element, sizes.extent);
  const std::string kernel = kernelOf(combinations, element, sizes);
  INFO(kernel);
  const int32_t numPrograms = sizes.along == Along::Whole ? kFoldRows : 1;
  const Arguments arguments = argumentsOf(combinations, rows, element, sizes);
  Arguments interpreted = arguments;
  compiler::InterpreterLaunch launch{{numPrograms, 1, 1}, {}};
  for (std::vector<uint8_t> &argument : interpreted)
    launch.arguments.push_back(memory("argument", argument));
  REQUIRE(runTtir(kernel, launch).completed);
  CHECK(faultOf(combinations, rows, element, sizes, interpreted, true) == "");
  for (const bool isExact : {true, false}) {
    Arguments native = arguments;
    std::vector<uint64_t> words;
    for (std::vector<uint8_t> &argument : native)
      words.push_back(word(argument));
    const NativeRun run = runNative(kernel, {numPrograms, 1, 1}, words, {.isExact = isExact});
    INFO((isExact ? "exact native code " : "native code ") << run.errors);
    REQUIRE(run.completed);
    CHECK(faultOf(combinations, rows, element, sizes, native, isExact) == "");
  }
}

TEST_CASE("reductions and scans combine elements as the tables say", "[compiler][native]") {
  const Element element =
      GENERATE(Element::I1, Element::I8, Element::I16, Element::I32, Element::I64, Element::F16,
               Element::BF16, Element::F32, Element::F64);
  for (const Sizes sizes : {Sizes{Along::Rows, 1},
                            {Along::Rows, 64},
                            {Along::Columns, 2},
                            {Along::Columns, 256},
                            {Along::Whole, 256}})
    checkFolds(element, sizes);
}
