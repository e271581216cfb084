// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/native/Folds.h"

#include "compiler/conversion/tt_to_cpu/Closeness.h"
#include "compiler/interpreter/kernels/Elementwise.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <span>

using namespace tilescope::compiler::interpreter;

namespace tilescope::tests {

void toMemory(std::vector<uint8_t> &memory, size_t index, Element element, uint64_t held) {
  const size_t size = memorySize(element);
  findWrite(element)(reinterpret_cast<std::byte *>(&memory[index * size]),
                     static_cast<int64_t>(size), reinterpret_cast<const std::byte *>(&held), true,
                     1);
}

uint64_t fromMemory(const std::vector<uint8_t> &memory, size_t index, Element element) {
  const size_t size = memorySize(element);
  uint64_t held = 0;
  findRead(element)(reinterpret_cast<std::byte *>(&held),
                    reinterpret_cast<const std::byte *>(&memory[index * size]),
                    static_cast<int64_t>(size), 1);
  return held;
}

static double numberOf(uint64_t held, Element element) {
  double number = 0;
  float narrow = 0;
  if (element == Element::F64)
    std::memcpy(&number, &held, sizeof number);
  else
    std::memcpy(&narrow, &held, sizeof narrow);
  return element == Element::F64 ? number : narrow;
}

/// Of the element nearest to a number.
static uint64_t heldOf(double number, Element element) {
  uint64_t held = 0;
  const std::byte *in[] = {reinterpret_cast<const std::byte *>(&number)};
  findElementwise("tt.fp_to_fp." + std::string(elementName(element)),
                  Element::F64)(reinterpret_cast<std::byte *>(&held), in, 1, 1);
  return held;
}

// Combinations
// --------------------------------------------------------------------------------

static Combination oneOperation(const std::string &name, Element element) {
  const ElementwiseFunction function = findElementwise(name, element);
  return {name,
          "  ^bb0(%l: TYPE, %r: TYPE):\n    %s = " + name +
              " %l, %r : TYPE\n    RETURN %s : TYPE\n",
          false, [function](const Folded &left, const Folded &right) {
            Folded result;
            const std::byte *in[] = {reinterpret_cast<const std::byte *>(&left.value),
                                     reinterpret_cast<const std::byte *>(&right.value)};
            function(reinterpret_cast<std::byte *>(&result.value), in, 3, 1);
            return result;
          }};
}

/// -1, 0, 1; with NaN none of them.
static int compare(uint64_t left, uint64_t right, Element element) {
  constexpr int kUnordered = 2;
  if (!isFloat(element)) {
    const unsigned unused = 64 - integerWidth(element);
    const auto a = static_cast<int64_t>(left << unused), b = static_cast<int64_t>(right << unused);
    return a < b ? -1 : a > b;
  }
  const double a = numberOf(left, element), b = numberOf(right, element);
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : kUnordered;
}

/// As `tl.argmax` and the like combine: `breaksTies` has the first index of equal numbers win.
static Combination picking(bool largest, bool breaksTies, Element element) {
  const std::string suffix = isFloat(element) ? "f" : "i",
                    beyond =
                        isFloat(element) ? (largest ? "ogt" : "olt") : (largest ? "sgt" : "slt"),
                    equal = isFloat(element) ? "oeq" : "eq";
  std::string region = "  ^bb0(%lv: TYPE, %li: i32, %rv: TYPE, %ri: i32):\n    %g = arith.cmp" +
                       suffix + " " + beyond + ", %lv, %rv : TYPE\n";
  if (breaksTies)
    region += "    %e = arith.cmp" + suffix + " " + equal +
              ", %lv, %rv : TYPE\n    %b = arith.cmpi slt, %li, %ri : i32\n"
              "    %f = arith.andi %e, %b : i1\n    %h = arith.ori %g, %f : i1\n";
  const std::string isFirst = breaksTies ? "%h" : "%g";
  region += "    %v = arith.select " + isFirst + ", %lv, %rv : TYPE\n    %i = arith.select " +
            isFirst + ", %li, %ri : i32\n    RETURN %v, %i : TYPE, i32\n";
  return {std::string(largest ? "argmax" : "argmin") + (breaksTies ? "" : " of any"), region, true,
          [=](const Folded &left, const Folded &right) {
            const int order = compare(left.value, right.value, element);
            const bool isTied = breaksTies && order == 0 && left.index < right.index;
            return order == (largest ? 1 : -1) || isTied ? left : right;
          }};
}

std::vector<Combination> combinationsOf(Element element) {
  std::vector<const char *> names = {"arith.addi",  "arith.muli",  "arith.maxsi",
                                     "arith.minsi", "arith.maxui", "arith.minui",
                                     "arith.andi",  "arith.ori",   "arith.xori"};
  if (element == Element::I1)
    names = {"arith.andi", "arith.ori", "arith.xori"};
  else if (isFloat(element))
    names = {"arith.addf",     "arith.mulf",    "arith.maximumf",
             "arith.minimumf", "arith.maxnumf", "arith.minnumf"};
  std::vector<Combination> all;
  for (const char *name : names)
    all.push_back(oneOperation(name, element));
  if (element == Element::I32 || element == Element::I64 || element == Element::F32 ||
      element == Element::F64)
    for (const bool largest : {true, false})
      for (const bool breaksTies : {true, false})
        all.push_back(picking(largest, breaksTies, element));
  return all;
}

// Rows
// --------------------------------------------------------------------------------

namespace {
struct FloatLimits {
  double largest, smallest, smallestNormal, step;
};
} // namespace

static FloatLimits limitsOf(Element element) {
  switch (element) {
  case Element::F16:
    return {65504, 0x1p-24, 0x1p-14, 0x1p-10};
  case Element::BF16:
    return {0x1.fep127, 0x1p-133, 0x1p-126, 0x1p-7};
  case Element::F32:
    return {FLT_MAX, 0x1p-149, FLT_MIN, FLT_EPSILON};
  default:
    return {DBL_MAX, 0x1p-1074, DBL_MIN, DBL_EPSILON};
  }
}

/// Element `i` of `extent` in a row of kind 0 to 15.
static double floatOf(size_t kind, size_t i, size_t extent, Element element,
                      std::mt19937_64 &random) {
  const double inf = HUGE_VAL, nan = std::nan(""),
               usual = std::normal_distribution<double>()(random);
  const size_t third = extent / 3;
  const double sign = random() % 2 ? 1 : -1;
  switch (kind) {
  case 1:
    return i == third ? nan : usual;
  case 2:
    return nan;
  case 3:
    return i == third ? inf : usual;
  case 4:
    return i == third ? inf : i == extent - 1 ? -inf : usual;
  case 5:
    return -0.0;
  case 6:
    return i % 3 ? 0.0 : -0.0;
  case 7:
    return sign * static_cast<double>(random() % 9) * limitsOf(element).smallest;
  case 8:
    return i == 0 ? nan : usual;
  case 9:
    return i == extent - 1 ? nan : usual;
  case 10:
    return static_cast<double>(random() % 5) - 2;
  case 11:
    return 0.75;
  case 12:
    return -inf;
  case 13:
    return std::ldexp(usual, static_cast<int>(random() % 16) - 8);
  case 14:
    return -std::fabs(usual);
  case 15:
    return sign * (i == third ? limitsOf(element).smallestNormal : i % 8 == 1 ? 0.5 : 1);
  default:
    return usual;
  }
}

static uint64_t integerOf(size_t kind, size_t i, size_t extent, Element element,
                          std::mt19937_64 &random) {
  const unsigned width = integerWidth(element);
  const uint64_t all = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1,
                 top = uint64_t(1) << (width - 1);
  const uint64_t edges[] = {0, 1, all, top, top - 1, top + 1};
  const bool isThird = i == extent / 3;
  switch (kind) {
  case 1:
    return isThird ? top : all;
  case 2:
    return isThird ? 1 : 0;
  case 3:
    return isThird ? 0 : all;
  case 4:
    return (random() % 5 - 2) & all;
  case 5:
    return (random() | 1) & all;
  case 6:
    return edges[random() % std::size(edges)] & all;
  case 7:
    return top - 1;
  default:
    return random() & all;
  }
}

std::vector<FoldRow> foldRows(Element element, size_t extent) {
  std::mt19937_64 random(extent);
  std::vector<FoldRow> rows(kFoldRows);
  for (size_t kind = 0; kind < kFoldRows; ++kind)
    for (size_t i = 0; i < extent; ++i)
      rows[kind].push_back({isFloat(element)
                                ? heldOf(floatOf(kind, i, extent, element, random), element)
                                : integerOf(kind, i, extent, element, random),
                            i});
  return rows;
}

// Folds
// --------------------------------------------------------------------------------

static Folded reduced(const Combination &combination, FoldRow row) {
  for (size_t half = row.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      row[i] = combination.hasIndex ? combination.combine(row[2 * i], row[2 * i + 1])
                                    : combination.combine(row[i], row[i + half]);
  return row[0];
}

static FoldRow scanned(const Combination &combination, FoldRow row) {
  for (size_t distance = 1; distance < row.size(); distance *= 2)
    for (size_t i = row.size(); i-- > distance;)
      row[i] = combination.combine(row[i - distance], row[i]);
  return row;
}

static FoldRow folded(const Combination &combination, Fold fold, FoldRow row) {
  if (fold == Fold::Reduce)
    return {reduced(combination, std::move(row))};
  if (fold == Fold::Scan)
    return scanned(combination, std::move(row));
  std::ranges::reverse(row);
  row = scanned(combination, std::move(row));
  std::ranges::reverse(row);
  return row;
}

namespace {
/// What was combined, in any order.
struct Members {
  Element element;
  std::span<const Folded> elements;

  bool haveNan() const {
    return isFloat(element) && std::ranges::any_of(elements, [&](const Folded &each) {
             return std::isnan(numberOf(each.value, element));
           });
  }
};
} // namespace

static bool haveSameBits(uint64_t left, uint64_t right, Element element) {
  return left == right || (isFloat(element) && std::isnan(numberOf(left, element)) &&
                           std::isnan(numberOf(right, element)));
}

/// Each order rounds as often as there are elements, at no more than the sum of their magnitudes.
static bool isSum(const Members &members, double expected, double found) {
  const FloatLimits limits = limitsOf(members.element);
  double magnitude = 0;
  bool hasSpecial = false;
  for (const Folded &each : members.elements) {
    const double number = numberOf(each.value, members.element);
    hasSpecial |= !std::isfinite(number);
    magnitude += std::isfinite(number) ? std::fabs(number) : 0;
  }
  // One order may pass beyond the largest number.
  if (magnitude >= limits.largest / 2)
    return true;
  if (hasSpecial)
    return found == expected || (std::isnan(found) && std::isnan(expected));
  if (magnitude == 0)
    return found == 0 && std::signbit(found) == std::signbit(expected);
  const double count = static_cast<double>(members.elements.size());
  return std::fabs(found - expected) <= 2 * count * limits.step * magnitude;
}

/// The same, and parts of a product may be denormal numbers, whose error the others multiply.
static bool isProduct(const Members &members, double expected, double found) {
  const FloatLimits limits = limitsOf(members.element);
  double above = 1, below = 1;
  bool hasZero = false, hasInfinity = false;
  for (const Folded &each : members.elements) {
    const double number = std::fabs(numberOf(each.value, members.element));
    hasZero |= number == 0;
    hasInfinity |= std::isinf(number);
    if (std::isfinite(number) && number != 0)
      (number > 1 ? above : below) *= number;
  }
  if (members.haveNan() || (hasZero && hasInfinity))
    return std::isnan(found);
  // One order may pass beyond the largest number, or below the smallest.
  if (above >= limits.largest / 2 || ((hasInfinity || hasZero) && below < limits.smallestNormal))
    return true;
  if (hasInfinity || hasZero)
    return found == expected && std::signbit(found) == std::signbit(expected);
  const double count = static_cast<double>(members.elements.size());
  return std::fabs(found - expected) <=
         2 * count * (limits.step * std::fabs(expected) + limits.smallest * above);
}

/// Whether some order has the result.
static bool isOfSomeOrder(const Combination &combination, const Members &members,
                          const Folded &expected, const Folded &found) {
  const Element element = members.element;
  if (combination.hasIndex) {
    // Which of them stays depends on what it is compared with.
    if (members.elements.size() > 1 && members.haveNan())
      return true;
    if (compare(found.value, expected.value, element) != 0 &&
        !haveSameBits(found.value, expected.value, element))
      return false;
    if (found.index == expected.index)
      return haveSameBits(found.value, expected.value, element);
    return combination.name.ends_with(" of any") &&
           std::ranges::any_of(members.elements, [&](const Folded &each) {
             return each.index == found.index && each.value == found.value;
           });
  }
  if (haveSameBits(found.value, expected.value, element))
    return true;
  if (!isFloat(element))
    return false;
  const double left = numberOf(expected.value, element), right = numberOf(found.value, element);
  if (combination.name == "arith.addf")
    return isSum(members, left, right);
  if (combination.name == "arith.mulf")
    return isProduct(members, left, right);
  return left == 0 && right == 0 && cpu::closenessOf(combination.name)->eitherZero;
}

std::string foldFault(const Combination &combination, Fold fold, Element element,
                      const FoldRow &row, const FoldRow &results, bool hasOrder) {
  const FoldRow expected = folded(combination, fold, row);
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::span<const Folded> all(row);
    const Members members{element, fold == Fold::Reduce ? all
                                   : fold == Fold::Scan ? all.first(i + 1)
                                                        : all.subspan(i)};
    const bool isRight = hasOrder
                             ? haveSameBits(results[i].value, expected[i].value, element) &&
                                   (!combination.hasIndex || results[i].index == expected[i].index)
                             : isOfSomeOrder(combination, members, expected[i], results[i]);
    if (isRight)
      continue;
    char text[160];
    std::snprintf(text, sizeof text, "result %zu of fold %d is %llx (index %llu), not %llx (%llu)",
                  i, static_cast<int>(fold), static_cast<unsigned long long>(results[i].value),
                  static_cast<unsigned long long>(results[i].index),
                  static_cast<unsigned long long>(expected[i].value),
                  static_cast<unsigned long long>(expected[i].index));
    return text;
  }
  return "";
}

} // namespace tilescope::tests
