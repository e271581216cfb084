// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an operation on elements means is said once, by a function in the interpreter's tables. Here every row of
// these tables is executed on the edges of its types, as blocks and as scalars, by the interpreter, by native code
// without and with checks, and by native code that has the interpreter's bits; and each is held to the function: the
// interpreter to its bits, native code to what its rules state.
#include "tests/unit/compiler/interpreter/RunTtir.h"
#include "tests/unit/compiler/native/MeaningKernels.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace tilescope;
using namespace tilescope::compiler::interpreter;
using namespace tilescope::tests;

/// Operations of one kernel.
static constexpr size_t kMostRows = 16;

static std::string textOf(const Meaning &meaning, bool isBlock) {
  std::string text = meaning.text;
  for (size_t i = 0; i < meaning.operands.size(); ++i) {
    replaceAll(text, "$" + std::to_string(i), typeOf(meaning.operands[i], isBlock));
    replaceAll(text, "%" + std::to_string(i), "%v" + std::to_string(i));
  }
  replaceAll(text, "$r", typeOf(meaning.result, isBlock));
  replaceAll(text, "$c", isBlock ? typeOf(Element::I1, true) + ", " : "");
  return text;
}

/// A kernel that computes all rows, which have the same operands.
static std::string kernelOf(const std::vector<Meaning> &rows, bool isBlock) {
  std::string parameters, body = programOffsets(isBlock);
  const auto addParameter = [&](const std::string &name, Element element) {
    parameters += (parameters.empty() ? "%" : ", %") + name + "p: !tt.ptr<" +
                  std::string(elementName(element)) + ">";
    body += pointersTo(name, element, isBlock);
  };
  for (size_t i = 0; i < rows[0].operands.size(); ++i) {
    const std::string name = "v" + std::to_string(i);
    addParameter(name, rows[0].operands[i]);
    body += "  %" + name + " = tt.load %" + name +
            "q : " + pointerType(rows[0].operands[i], isBlock) + "\n";
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = "r" + std::to_string(i);
    addParameter(name, rows[i].result);
    body += "  %" + name + " = " + textOf(rows[i], isBlock) + "\n  tt.store %" + name + "q, %" +
            name + " : " + pointerType(rows[i].result, isBlock) + "\n";
  }
  return "tt.func public @k(" + parameters + ") {\n" + body + "  tt.return\n}\n";
}

/// How close native code must be.
static cpu::Closeness closenessOf(const Meaning &meaning) {
  if (const auto stated = cpu::closenessOf(meaning.operation))
    return *stated;
  // A function of the device's library may be one of `math`, by the same name.
  std::string name(meaning.row.name);
  if (name.starts_with("__nv_")) {
    name = "math." + name.substr(5);
    if (meaning.row.element == Element::F32 && name.ends_with("f"))
      name.pop_back();
  }
  return cpu::closenessOf(name).value_or(cpu::Closeness());
}

namespace {
/// A kernel's memory: that of its operands, then of its results, which say that nothing has written them.
struct Memory {
  Memory(const std::vector<Meaning> &rows, const Samples &samples) : arguments(samples.operands) {
    for (const Meaning &row : rows)
      arguments.emplace_back(samples.count * memorySize(row.result), 0xA5);
  }
  std::vector<uint64_t> words(bool areChecked) {
    std::vector<uint64_t> all;
    for (std::vector<uint8_t> &argument : arguments)
      all.push_back(word(argument));
    if (areChecked)
      for (const std::vector<uint8_t> &argument : arguments)
        all.push_back(argument.size());
    return all;
  }
  std::vector<std::vector<uint8_t>> arguments;
};
} // namespace

static void checkRows(const std::vector<Meaning> &rows, bool isBlock) {
  const Samples samples = samplesOf(rows[0].operands, kBlock);
  const std::string kernel = kernelOf(rows, isBlock);
  INFO(kernel);
  const auto numPrograms = static_cast<int32_t>(isBlock ? samples.count / kBlock : samples.count);
  const auto hold = [&](const Memory &memory, const std::string &who, auto closeness) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string fault =
          firstFault(rows[i], samples, meantResults(rows[i], samples),
                     memory.arguments[rows[0].operands.size() + i], closeness(rows[i]));
      INFO(who);
      CHECK(fault == "");
    }
  };
  const auto sameBits = [](const Meaning &) { return cpu::Closeness(); };
  Memory interpreted(rows, samples);
  compiler::InterpreterLaunch launch{{numPrograms, 1, 1}, {}};
  for (std::vector<uint8_t> &argument : interpreted.arguments)
    launch.arguments.push_back(memory("argument", argument));
  REQUIRE(runTtir(kernel, launch).completed);
  hold(interpreted, "the interpreter", sameBits);
  const auto checkNative = [&](const std::string &who, const native::NativeOptions &options) {
    Memory native(rows, samples);
    const NativeRun run =
        runNative(kernel, {numPrograms, 1, 1}, native.words(options.checkBounds), options);
    INFO(who << ": " << run.errors);
    CHECK(run.completed);
    if (!run.completed)
      return;
    if (options.isExact)
      hold(native, who, sameBits);
    else
      hold(native, who, closenessOf);
  };
  checkNative("native code", {});
  if (!isBlock)
    return;
  checkNative("checked native code", {.checkBounds = true});
  checkNative("exact native code", {.isExact = true});
}

/// Arithmetic on floats of 8 bits is the interpreter's alone; they are moved, chosen from, and cast.
static bool isLeftToInterpreter(const Meaning &meaning) {
  const Element element = meaning.row.element;
  return isFloat(element) && memorySize(element) == 1 && meaning.operation != "arith.select" &&
         meaning.text.find(" to $r") == std::string::npos &&
         meaning.text.find(" -> $r") == std::string::npos;
}

TEST_CASE("native code and the interpreter compute what the tables say", "[compiler][native]") {
  const bool isBlock = GENERATE(true, false);
  std::map<std::vector<Element>, std::vector<Meaning>> groups;
  for (const Meaning &meaning : allMeanings())
    if (!isLeftToInterpreter(meaning))
      groups[meaning.operands].push_back(meaning);
  for (const auto &[operands, rows] : groups)
    for (size_t first = 0; first < rows.size(); first += kMostRows)
      checkRows({rows.begin() + static_cast<int64_t>(first),
                 rows.begin() + static_cast<int64_t>(std::min(first + kMostRows, rows.size()))},
                isBlock);
}

TEST_CASE("only arithmetic on floats of 8 bits has no native code", "[compiler][native]") {
  size_t numLeft = 0;
  for (const Meaning &meaning : allMeanings())
    if (isLeftToInterpreter(meaning) && meaning.row.element == Element::F8E5M2) {
      const Samples samples = samplesOf(meaning.operands, kBlock);
      Memory memory({meaning}, samples);
      CHECK(runNative(kernelOf({meaning}, true), {1, 1, 1}, memory.words(false))
                .errors.find("not supported by the cpu target yet") != std::string::npos);
      ++numLeft;
    }
  CHECK(numLeft == 31);
}

TEST_CASE("every rule has a row", "[compiler][native]") {
  std::set<std::string> named;
  for (const Meaning &meaning : allMeanings())
    named.insert(meaning.operation);
  // How addresses are computed is told by their types, and `arith.bitcast` is `tt.bitcast`.
  named.insert({"tt.addptr", "tt.int_to_ptr", "tt.ptr_to_int", "arith.bitcast"});
  for (const std::string_view rule : cpu::ruleNames())
    CHECK(named.contains(std::string(rule)));
}
