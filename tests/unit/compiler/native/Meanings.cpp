// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/native/Meanings.h"

#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

using namespace tilescope::compiler::interpreter;

namespace tilescope::tests {

static bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

static constexpr Element kElements[] = {
    Element::I1,     Element::I8,     Element::I16,        Element::I32,        Element::I64,
    Element::F8E5M2, Element::F8E4M3, Element::F8E5M2FNUZ, Element::F8E4M3FNUZ, Element::F16,
    Element::BF16,   Element::F32,    Element::F64};

static bool isFloat8(Element element) { return isFloat(element) && memorySize(element) == 1; }

/// The type that the name of a cast ends with.
static Element castResult(std::string_view name) {
  for (const Element element : kElements)
    if (name.ends_with("." + std::string(elementName(element))))
      return element;
  throw std::runtime_error("a cast to an unknown type: " + std::string(name));
}

/// Bits of a number, without those that fill its memory.
static size_t widthOf(Element element) {
  return element == Element::I1 ? 1 : 8 * memorySize(element);
}

/// A cast; empty text: TTIR has none between these types.
static Meaning castOf(const ElementwiseEntry &row) {
  Meaning cast{row, {row.element}, castResult(row.name), {}, {}};
  const size_t from = widthOf(row.element), to = widthOf(cast.result);
  cast.operation = std::string(row.name.substr(0, row.name.find('.', row.name.find('.') + 1)));
  if (startsWith(row.name, "bitcast.")) {
    cast.operation = "tt.bitcast";
    cast.text = row.element == cast.result ? "" : "tt.bitcast %0 : $0 -> $r";
  } else if (startsWith(row.name, "tt.fp_to_fp.")) {
    const bool isTowardZero = startsWith(row.name, "tt.fp_to_fp.rtz.");
    if (row.element != cast.result && !(isTowardZero && to >= from))
      cast.text = std::string("tt.fp_to_fp %0") +
                  (to > from      ? ""
                   : isTowardZero ? ", rounding = rtz"
                                  : ", rounding = rtne") +
                  " : $0 -> $r";
  } else if ((cast.operation != "arith.truncf" || to < from) &&
             (cast.operation != "arith.extf" || to > from)) {
    cast.text = cast.operation + " %0 : $0 to $r";
  }
  return cast;
}

static bool isCast(std::string_view name) {
  for (const char *cast : {"arith.ext", "arith.trunc", "arith.sitofp", "arith.uitofp", "arith.fpto",
                           "tt.fp_to_fp", "bitcast"})
    if (startsWith(name, cast))
      return true;
  return false;
}

static size_t numOperandsOf(std::string_view name) {
  if (name == "math.fma" || startsWith(name, "tt.clampf"))
    return 3;
  const bool isBinary = name == "math.powf" || name == "math.atan2" || name == "math.copysign" ||
                        name == "tt.precise_divf" || name == "tt.mulhiui" ||
                        (startsWith(name, "arith.") && name != "arith.negf");
  return isBinary ? 2 : 1;
}

static Meaning meaningOf(const ElementwiseEntry &row) {
  const std::string name(row.name);
  if (isCast(name))
    return castOf(row);
  const Element element = row.element;
  if (name == "arith.select")
    return {row, {Element::I1, element, element}, element, name, "arith.select %0, %1, %2 : $c$1"};
  if (!row.operands.empty()) {
    std::string values, types;
    for (size_t i = 0; i < row.operands.size(); ++i) {
      values += (i ? ", %" : "%") + std::to_string(i);
      types += (i ? ", $" : "$") + std::to_string(i);
    }
    return {row,
            {row.operands.begin(), row.operands.end()},
            row.result,
            "tt.extern_elementwise",
            "tt.extern_elementwise " + values +
                " {libname = \"\", libpath = \"\", pure = true, symbol = \"" + name + "\"} : (" +
                types + ") -> $r"};
  }
  Meaning meaning{row, std::vector(numOperandsOf(name), element), element, name, {}};
  const std::string values = meaning.operands.size() == 3   ? "%0, %1, %2"
                             : meaning.operands.size() == 2 ? "%0, %1"
                                                            : "%0";
  const size_t dot = name.rfind('.');
  if (startsWith(name, "arith.cmp")) {
    meaning.operation = name.substr(0, dot);
    meaning.result = Element::I1;
    meaning.text = meaning.operation + " " + name.substr(dot + 1) + ", " + values + " : $0";
  } else if (startsWith(name, "tt.clampf.")) {
    meaning.operation = "tt.clampf";
    meaning.text = "tt.clampf " + values + ", propagateNan = " + name.substr(dot + 1) + " : $0";
  } else {
    meaning.text = name + " " + values + " : $0";
  }
  return meaning;
}

std::vector<Meaning> allMeanings() {
  std::vector<Meaning> all;
  for (const auto table :
       {integerFunctions(), floatFunctions(), mathFunctions(), castFunctions(), libraryFunctions()})
    for (const ElementwiseEntry &row : table) {
      // Addresses are made up by each that executes a kernel; Bessel functions take as many steps as their order says.
      if (row.element == Element::Pointer || row.name.ends_with(".ptr") ||
          startsWith(row.name, "__nv_jn") || startsWith(row.name, "__nv_yn"))
        continue;
      if (Meaning meaning = meaningOf(row); !meaning.text.empty())
        all.push_back(std::move(meaning));
    }
  return all;
}

/// Numbers of fp64 whose neighbors in narrower types are of interest.
static std::vector<double> edgeNumbers() {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> numbers = {0,
                                 inf,
                                 0x1p-1074,
                                 0x1p-1022,
                                 0x1.fffffffffffffp1023,
                                 0x1p-149,
                                 0x1.8p-149,
                                 0x1p-126,
                                 0x1.fffffep127,
                                 0x1.ffffffp127,
                                 0x1p-133,
                                 0x1.fep127,
                                 0x1.ffp127,
                                 0x1p-24,
                                 0x1p-14,
                                 65504,
                                 65520,
                                 0x1p-16,
                                 57344,
                                 61440,
                                 240,
                                 448,
                                 464,
                                 0x1p-9,
                                 0.1,
                                 0.5,
                                 1,
                                 1 + 0x1p-8,
                                 1 + 0x1p-11,
                                 1 + 0x1p-24,
                                 1.5,
                                 2.5,
                                 3,
                                 127.5,
                                 128,
                                 255.5,
                                 256,
                                 32767.5,
                                 32768,
                                 65535.5,
                                 0x1p31,
                                 0x1.fffffffcp30,
                                 0x1p32,
                                 0x1p63,
                                 0x1p64,
                                 3.141592653589793,
                                 88.72,
                                 103.97,
                                 710,
                                 1e-3,
                                 1e5};
  const size_t count = numbers.size();
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(-numbers[i]);
  numbers.push_back(std::numeric_limits<double>::quiet_NaN());
  return numbers;
}

static std::vector<uint64_t> edgeIntegers(size_t width) {
  const uint64_t top = uint64_t(1) << (width - 1);
  std::vector<uint64_t> values = {0,
                                  1,
                                  2,
                                  3,
                                  7,
                                  ~uint64_t(0),
                                  ~uint64_t(1),
                                  ~uint64_t(6),
                                  top,
                                  top + 1,
                                  top - 1,
                                  top - 2,
                                  width - 1,
                                  width,
                                  width + 1,
                                  uint64_t(1) << (width / 2),
                                  (uint64_t(1) << (width / 2)) - 1,
                                  0x5555555555555555,
                                  0xaaaaaaaaaaaaaaaa,
                                  100,
                                  ~uint64_t(99)};
  // Between two numbers of a float with 8, 11, 24, or 53 digits, and one more.
  for (const size_t digits : {8, 11, 24, 53})
    if (width > digits + 2) {
      const uint64_t between = (top >> 1) + (top >> (digits + 1));
      values.insert(values.end(), {between, between + 1, between - 1, ~between, top + between + 1});
    }
  return values;
}

/// Digits behind the first one.
static int mantissaBits(Element element) {
  switch (element) {
  case Element::F16:
    return 10;
  case Element::BF16:
    return 7;
  case Element::F32:
    return 23;
  case Element::F64:
    return 52;
  default:
    return 0;
  }
}

/// Whether it is a NaN of 16 bits or more.
static bool isNan(uint64_t bits, Element element) {
  if (!isFloat(element) || isFloat8(element))
    return false;
  const uint64_t sign = uint64_t(1) << (widthOf(element) - 1);
  const uint64_t infinity = (sign - 1) & ~((uint64_t(1) << mantissaBits(element)) - 1);
  return (bits & (sign - 1)) > infinity;
}

static void append(std::vector<uint8_t> &memory, uint64_t bits, size_t size) {
  for (size_t i = 0; i < size; ++i)
    memory.push_back(static_cast<uint8_t>(bits >> (8 * i)));
}

/// The edges of a type, and `numOthers` others, as memory; `isAll`: all numbers where they are bytes.
static std::vector<uint8_t> valuesOf(Element element, size_t numOthers, bool isAll,
                                     std::mt19937_64 &random) {
  const size_t size = memorySize(element);
  std::vector<uint8_t> memory;
  if (size == 1 && (isAll || element == Element::I1)) {
    for (unsigned bits = 0; bits < (element == Element::I1 ? 2 : 256); ++bits)
      memory.push_back(static_cast<uint8_t>(bits));
    return memory;
  }
  if (isInteger(element)) {
    for (const uint64_t value : edgeIntegers(integerWidth(element)))
      append(memory, value, size);
  } else {
    const ElementwiseFunction round =
        findElementwise("tt.fp_to_fp." + std::string(elementName(element)), Element::F64);
    for (const double number : edgeNumbers()) {
      std::byte held[8], written[8] = {};
      const std::byte *in[] = {reinterpret_cast<const std::byte *>(&number)};
      round(held, in, 1, 1);
      findWrite(element)(written, static_cast<int64_t>(size), held, true, 1);
      uint64_t bits = 0;
      std::memcpy(&bits, written, size);
      append(memory, bits, size);
    }
  }
  // Processors differ in what they make of signaling NaN.
  const uint64_t quiet =
      isFloat(element) && !isFloat8(element) ? uint64_t(1) << (mantissaBits(element) - 1) : 0;
  for (size_t i = 0; i < numOthers; ++i) {
    const uint64_t bits = random();
    append(memory, isNan(bits, element) ? bits | quiet : bits, size);
  }
  return memory;
}

Samples samplesOf(const std::vector<Element> &operands, size_t multiple) {
  constexpr size_t kNumOthers = 12, kMostPicked = 4096;
  std::mt19937_64 random(7);
  std::vector<std::vector<uint8_t>> values;
  for (const Element operand : operands)
    values.push_back(operands.size() == 1 ? valuesOf(operand, 8 * kNumOthers, true, random)
                                          : valuesOf(operand, kNumOthers, false, random));
  const auto numOf = [&](size_t i) { return values[i].size() / memorySize(operands[i]); };
  Samples samples;
  const bool isCrossed = operands.size() <= 2;
  samples.count = operands.size() == 1 ? numOf(0) : isCrossed ? numOf(0) * numOf(1) : kMostPicked;
  samples.count = (samples.count + multiple - 1) / multiple * multiple;
  samples.operands.resize(operands.size());
  for (size_t i = 0; i < samples.count; ++i)
    for (size_t k = 0; k < operands.size(); ++k) {
      const size_t size = memorySize(operands[k]);
      const size_t at = isCrossed ? (k == 0 ? i : i / numOf(0)) % numOf(k) : random() % numOf(k);
      samples.operands[k].insert(samples.operands[k].end(),
                                 values[k].begin() + static_cast<int64_t>(at * size),
                                 values[k].begin() + static_cast<int64_t>((at + 1) * size));
    }
  return samples;
}

std::vector<uint8_t> meantResults(const Meaning &meaning, const Samples &samples) {
  std::vector<std::vector<std::byte>> held;
  std::vector<const std::byte *> in;
  for (size_t k = 0; k < meaning.operands.size(); ++k) {
    const Element operand = meaning.operands[k];
    held.emplace_back(samples.count * storageSize(operand));
    findRead(operand)(held.back().data(),
                      reinterpret_cast<const std::byte *>(samples.operands[k].data()),
                      static_cast<int64_t>(memorySize(operand)), samples.count);
    in.push_back(held.back().data());
  }
  std::vector<std::byte> out(samples.count * storageSize(meaning.result));
  const auto allDense = static_cast<unsigned>((1U << in.size()) - 1);
  meaning.row.function(out.data(), in.data(), allDense, samples.count);
  std::vector<uint8_t> memory(samples.count * memorySize(meaning.result));
  findWrite(meaning.result)(reinterpret_cast<std::byte *>(memory.data()),
                            static_cast<int64_t>(memorySize(meaning.result)), out.data(), true,
                            samples.count);
  return memory;
}

double distance(uint64_t left, uint64_t right, Element element) {
  const double inf = std::numeric_limits<double>::infinity();
  if (left == right)
    return 0;
  if (!isFloat(element) || isFloat8(element))
    return inf;
  if (isNan(left, element) || isNan(right, element))
    return isNan(left, element) && isNan(right, element) ? 0 : inf;
  const uint64_t sign = uint64_t(1) << (widthOf(element) - 1);
  // In their order: negative numbers below.
  const auto place = [&](uint64_t bits) {
    const auto magnitude = static_cast<double>(bits & ~sign);
    return bits & sign ? -magnitude : magnitude;
  };
  return std::fabs(place(left) - place(right));
}

} // namespace tilescope::tests
