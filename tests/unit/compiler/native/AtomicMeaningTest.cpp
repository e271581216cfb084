// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What atomic operations make of a value is said by the rows of the interpreter's tables that `findAtomic` names. Every
// kind is executed on the edges of every type, as blocks and as scalars, with a mask and without one, by the interpreter
// and by native code, without checks, with them, and exact. Each element is updated once, so that no order decides.
// All have the function's bits, but for those of a NaN: what extremes of zeros are does not depend on how a
// kernel is executed.
#include "compiler/interpreter/kernels/AtomicFunctions.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"
#include "tests/unit/compiler/native/MeaningKernels.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace tilescope;
using namespace tilescope::compiler::interpreter;
using namespace tilescope::tests;

static constexpr Element kElements[] = {
    Element::I1,     Element::I8,     Element::I16,        Element::I32,        Element::I64,
    Element::F8E5M2, Element::F8E4M3, Element::F8E5M2FNUZ, Element::F8E4M3FNUZ, Element::F16,
    Element::BF16,   Element::F32,    Element::F64};
static constexpr const char *kKinds[] = {"and", "or",  "xor",  "add",  "fadd",
                                         "max", "min", "umax", "umin", "exch"};

/// Every kind on this type.
static std::vector<Meaning> kindsOf(Element element) {
  std::vector<Meaning> kinds;
  for (int kind = 1; kind <= 10; ++kind)
    if (const auto function = findAtomic(static_cast<AtomicKind>(kind), element)) {
      const char *name = kKinds[kind - 1];
      kinds.push_back({{name, element, function}, {element, element}, element, name, {}});
    }
  return kinds;
}

/// Truth values and arithmetic on floats of 8 bits are the interpreter's alone.
static bool isLeftToInterpreter(const Meaning &kind) {
  const bool isNarrowFloat = isFloat(kind.result) && memorySize(kind.result) == 1;
  return kind.result == Element::I1 || (isNarrowFloat && kind.operation != "exch");
}

namespace {
struct Variant {
  bool isBlock = true, isMasked = false;
};

/// A kernel's text: arguments %v (what each element is combined with), %m (a mask), and for each kind memory and what
/// the operation returns.
class KernelText {
public:
  explicit KernelText(Variant variant)
      : m_variant(variant), m_body(programOffsets(variant.isBlock)) {}

  void add(const std::string &name, Element element) {
    m_parameters += (m_parameters.empty() ? "%" : ", %") + name + "p: !tt.ptr<" +
                    std::string(elementName(element)) + ">";
    m_body += pointersTo(name, element, m_variant.isBlock);
  }
  void load(const std::string &name, Element element) {
    add(name, element);
    m_body += "  %" + name + " = tt.load %" + name +
              "q : " + pointerType(element, m_variant.isBlock) + "\n";
  }
  /// `operation` and its operands from `%c<i>q` to what `%r<i>` is stored as.
  void update(size_t i, Element element, const std::string &operation,
              const std::vector<std::string> &operands, bool hasMask) {
    const std::string number = std::to_string(i), type = typeOf(element, m_variant.isBlock);
    add("c" + number, element);
    add("r" + number, element);
    m_body += "  %r" + number + " = " + operation + " acq_rel, gpu, %c" + number + "q";
    std::string types = pointerType(element, m_variant.isBlock);
    for (const std::string &operand : operands) {
      m_body += ", " + operand;
      types += ", " + type;
    }
    if (hasMask) {
      m_body += ", %m";
      types += ", " + typeOf(Element::I1, m_variant.isBlock);
    }
    m_body += " : (" + types + ") -> " + type + "\n  tt.store %r" + number + "q, %r" + number +
              " : " + pointerType(element, m_variant.isBlock) + "\n";
  }
  std::string text() const {
    return "tt.func public @k(" + m_parameters + ") {\n" + m_body + "  tt.return\n}\n";
  }

private:
  Variant m_variant;
  std::string m_parameters, m_body;
};
} // namespace

/// Floats of 8 bits, with one NaN in place of all: which of two NaN their sum is, is not said.
static std::vector<uint8_t> withOneNan(std::vector<uint8_t> memory, Element element) {
  const unsigned largest = element == Element::F8E5M2 ? 0x7c : 0x7e;
  if (element == Element::F8E5M2 || element == Element::F8E4M3)
    for (uint8_t &each : memory)
      each = (each & 0x7f) > largest ? 0x7f : each;
  return memory;
}

using Arguments = std::vector<std::vector<uint8_t>>;

/// Executes the kernel in every way, and calls `check` with the arguments afterwards, and who executed it.
static void executeAll(const std::string &kernel, const Arguments &arguments, int32_t numPrograms,
                       bool isNative,
                       const std::function<void(const Arguments &, const char *who)> &check) {
  INFO(kernel);
  Arguments interpreted = arguments;
  compiler::InterpreterLaunch launch{{numPrograms, 1, 1}, {}};
  for (std::vector<uint8_t> &argument : interpreted)
    launch.arguments.push_back(memory("argument", argument));
  REQUIRE(runTtir(kernel, launch).completed);
  check(interpreted, "the interpreter");
  if (!isNative)
    return;
  const std::pair<const char *, native::NativeOptions> ways[] = {
      {"native code", {}},
      {"checked native code", {.checkBounds = true}},
      {"exact native code", {.isExact = true}}};
  for (const auto &[who, options] : ways) {
    Arguments native = arguments;
    std::vector<uint64_t> words;
    for (std::vector<uint8_t> &argument : native)
      words.push_back(word(argument));
    if (options.checkBounds)
      for (const std::vector<uint8_t> &argument : native)
        words.push_back(argument.size());
    const NativeRun run = runNative(kernel, {numPrograms, 1, 1}, words, options);
    INFO(who << ": " << run.errors);
    REQUIRE(run.completed);
    check(native, who);
  }
}

static int32_t numProgramsOf(const Samples &samples, Variant variant) {
  return static_cast<int32_t>(variant.isBlock ? samples.count / kBlock : samples.count);
}

static void checkKinds(const std::vector<Meaning> &kinds, Variant variant, bool isNative) {
  const Element element = kinds[0].result;
  const size_t size = memorySize(element);
  const Samples samples = samplesOf({element, element}, kBlock);
  KernelText kernel(variant);
  kernel.load("v", element);
  kernel.load("m", Element::I1);
  std::vector<uint8_t> mask(samples.count, 1);
  if (variant.isMasked)
    for (size_t i = 0; i < samples.count; i += 3)
      mask[i] = 0;
  Arguments arguments = {samples.operands[1], mask};
  for (size_t i = 0; i < kinds.size(); ++i) {
    kernel.update(i, element, "tt.atomic_rmw " + kinds[i].operation + ",", {"%v"},
                  variant.isMasked);
    arguments.push_back(samples.operands[0]);
    arguments.emplace_back(samples.count * size, 0xA5);
  }
  executeAll(kernel.text(), arguments, numProgramsOf(samples, variant), isNative,
             [&](const Arguments &found, const char *who) {
               for (size_t i = 0; i < kinds.size(); ++i) {
                 INFO(who);
                 std::vector<uint8_t> after = meantResults(kinds[i], samples),
                                      before = samples.operands[0];
                 for (size_t k = 0; k < samples.count * size; ++k)
                   if (!mask[k / size]) {
                     after[k] = before[k];
                     before[k] = 0;
                   }
                 CHECK(firstFault(kinds[i], samples, withOneNan(after, element),
                                  withOneNan(found[2 + 2 * i], element), {}) == "");
                 INFO("what it returns");
                 CHECK(firstFault(kinds[i], samples, before, found[3 + 2 * i], {}) == "");
               }
             });
}

TEST_CASE("atomic operations compute what the tables say", "[compiler][native]") {
  const Variant variant = GENERATE(Variant{true, false}, Variant{true, true}, Variant{false, false},
                                   Variant{false, true});
  for (const Element element : kElements) {
    std::vector<Meaning> natives, others;
    for (const Meaning &kind : kindsOf(element))
      (isLeftToInterpreter(kind) ? others : natives).push_back(kind);
    if (!natives.empty())
      checkKinds(natives, variant, true);
    if (!others.empty())
      checkKinds(others, variant, false);
  }
}

TEST_CASE("atomic exchanges compare bits", "[compiler][native]") {
  const Variant variant = GENERATE(Variant{true, false}, Variant{false, false});
  for (const Element element : kElements) {
    const size_t size = memorySize(element);
    // What is there, what is expected to be there, and, of the same values in another order, what replaces it.
    Samples samples = samplesOf({element, element}, kBlock);
    samples.operands.push_back(samples.operands[0]);
    std::rotate(samples.operands[2].begin(),
                samples.operands[2].begin() + static_cast<int64_t>(5 * size),
                samples.operands[2].end());
    const Meaning meaning{
        {"atomic_cas", element, nullptr}, {element, element, element}, element, {}, {}};
    KernelText kernel(variant);
    kernel.load("v", element);
    kernel.load("w", element);
    kernel.update(0, element, "tt.atomic_cas", {"%v", "%w"}, false);
    std::vector<uint8_t> after = samples.operands[0];
    for (size_t i = 0; i < samples.count; ++i)
      if (elementAt(samples.operands[0], i, size) == elementAt(samples.operands[1], i, size))
        std::memcpy(&after[i * size], &samples.operands[2][i * size], size);
    REQUIRE(after != samples.operands[0]);
    executeAll(kernel.text(),
               {samples.operands[1], samples.operands[2], samples.operands[0],
                std::vector<uint8_t>(samples.count * size, 0xA5)},
               numProgramsOf(samples, variant), element != Element::I1,
               [&](const Arguments &found, const char *who) {
                 INFO(who);
                 CHECK(firstFault(meaning, samples, after, found[2], {}) == "");
                 CHECK(firstFault(meaning, samples, samples.operands[0], found[3], {}) == "");
                 // Also the bits of each NaN.
                 CHECK((found[2] == after && found[3] == samples.operands[0]));
               });
  }
}

TEST_CASE("native code leaves atomic operations on truth values, and on floats of 8 bits, alone",
          "[compiler][native]") {
  for (const Element element : kElements)
    for (const Meaning &kind : kindsOf(element)) {
      if (!isLeftToInterpreter(kind))
        continue;
      KernelText kernel({});
      kernel.load("v", element);
      kernel.update(0, element, "tt.atomic_rmw " + kind.operation + ",", {"%v"}, false);
      std::vector<uint8_t> memory(kBlock);
      INFO(kernel.text());
      CHECK(runNative(kernel.text(), {1, 1, 1}, {word(memory), word(memory), word(memory)})
                .errors.find("not supported by the cpu target yet") != std::string::npos);
    }
}
