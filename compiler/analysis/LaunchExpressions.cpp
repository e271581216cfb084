// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LaunchExpressions.h"

#include "compiler/support/Text.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

namespace tilescope::compiler {

/// Whether a factor is a product of names and numbers, which needs no parentheses.
static bool isPlainProduct(llvm::StringRef factor) {
  return llvm::all_of(llvm::split(factor, " * "),
                      [](llvm::StringRef part) { return !part.contains(' '); });
}

std::string productOf(const std::vector<std::string> &factors, size_t from) {
  std::vector<std::string> rest;
  for (size_t i = from; i < factors.size(); ++i)
    if (factors[i] != "1")
      rest.push_back(factors[i]);
  if (rest.size() > 1)
    for (std::string &factor : rest)
      if (!isPlainProduct(factor))
        factor = "(" + factor + ")";
  return rest.empty() ? "1" : llvm::join(rest, " * ");
}

std::string timesProduct(int64_t times, const std::string &product) {
  return (times > 1 ? std::to_string(times) + " * " : "") + product;
}

bool isCalledStride(llvm::StringRef name) {
  return llvm::any_of(llvm::ArrayRef<const char *>{"stride", "pitch", "ld"},
                      [&](const char *word) { return name.contains_insensitive(word); });
}

std::string dimensionOfStride(llvm::StringRef name) {
  const auto [words, letters] = name.rsplit('_');
  const bool isOne = words.contains("stride") && !letters.empty() && letters.size() <= 2 &&
                     llvm::isAlpha(letters.back());
  return isOne ? std::string(1, llvm::toUpper(letters.back())) : std::string();
}

char letterOfStride(llvm::StringRef name) {
  static constexpr size_t kLongestShort = 4;
  const auto [words, letters] = name.rsplit('_');
  const bool isShort =
      letters.empty() ? name.size() > 1 && name.size() <= kLongestShort : letters.size() <= 2;
  return isShort && llvm::isAlpha(name.back()) ? llvm::toUpper(name.back()) : '\0';
}

char initialOf(llvm::StringRef extent) {
  if (!extent.consume_front_insensitive("n_"))
    extent.consume_front_insensitive("num_");
  return extent.empty() ? '\0' : llvm::toUpper(extent.front());
}

std::string numValues(llvm::StringRef pointer) {
  unsigned width = 0;
  const llvm::StringRef element = pointer.split(':').first.ltrim("*k");
  if (element.drop_front().getAsInteger(10, width) || width > 64)
    return {};
  const unsigned bits = std::min(element.starts_with("u") ? width : width - 1, 48U);
  return std::to_string(uint64_t{1} << bits);
}

std::vector<std::string> extentsWithin(const std::vector<AccessDim> &dims, size_t dim,
                                       const std::vector<std::string> &shape) {
  std::vector<std::string> between;
  for (size_t i = dim + 1; i < dims.size(); ++i)
    if (dims[i].step >= dims[dim].step || dims[dim].step == 1)
      between.push_back(shape[i]);
  return between;
}

void takeOut(const std::string &factor, std::vector<std::string> &factors) {
  if (const auto found = std::ranges::find(factors, factor); found != factors.end())
    factors.erase(found);
}

std::string namedExtent(int64_t extent, const std::map<std::string, std::string> &constexprs) {
  const std::string text = std::to_string(extent);
  std::string found = text;
  for (const auto &[name, value] : constexprs)
    if (value == text && (found == text || llvm::StringRef(found).starts_with_insensitive("block")))
      found = name;
  return found;
}

std::string namedMultiple(int64_t length, const std::map<std::string, std::string> &constexprs) {
  static constexpr int64_t kLargestFactor = 8;
  const std::string whole = namedExtent(length, constexprs);
  if (whole != std::to_string(length))
    return whole;
  for (int64_t factor = 2; factor <= kLargestFactor; ++factor)
    if (const std::string part = namedExtent(length / factor, constexprs);
        length % factor == 0 && part != std::to_string(length / factor))
      return std::to_string(factor) + " * " + part;
  return whole;
}

/// The value of a constexpr that is a number above 1; 0 for others.
static int64_t factorOf(const std::string &value) {
  int64_t number = 0;
  return llvm::StringRef(value).getAsInteger(10, number) || number < 2 ? 0 : number;
}

std::string namedProduct(int64_t number, const std::map<std::string, std::string> &constexprs) {
  const std::string whole = namedExtent(number, constexprs);
  if (constexprs.contains(whole))
    return whole;
  std::string square;
  for (const auto &[one, value] : constexprs)
    for (const auto &[other, second] : constexprs) {
      const int64_t factor = factorOf(value);
      if (factor == 0 || number % factor != 0 || factorOf(second) != number / factor)
        continue;
      if (one != other)
        return one + " * " + other;
      square = one + " * " + other;
    }
  return square.empty() ? std::to_string(number) : square;
}

std::string paddedBy(const std::string &extent, int64_t further,
                     const std::map<std::string, std::string> &constexprs) {
  static constexpr int64_t kMostTimes = 4;
  for (int64_t times = 1; times <= kMostTimes; ++times)
    for (const auto &[name, value] : constexprs)
      if (const int64_t factor = factorOf(value); factor > 0 && times * factor == further)
        return extent + " + " + timesProduct(times, name);
  // On both sides, each by its own: `n + LEFT + RIGHT`.
  for (const auto &[one, value] : constexprs)
    for (const auto &[other, second] : constexprs)
      if (one < other && factorOf(value) > 0 && factorOf(second) > 0 &&
          factorOf(value) + factorOf(second) == further)
        return extent + " + " + one + " + " + other;
  return movedOn(extent, further, constexprs);
}

std::string movedOn(const std::string &extent, int64_t further,
                    const std::map<std::string, std::string> &constexprs) {
  if (further <= 0)
    return extent;
  const std::string end = namedExtent(further + 1, constexprs);
  return extent + " + " +
         (end == std::to_string(further + 1) ? std::to_string(further) : end + " - 1");
}

std::string movedBack(const std::string &extent, int64_t less,
                      const std::map<std::string, std::string> &constexprs) {
  if (less <= 0)
    return extent;
  const std::string end = namedExtent(less + 1, constexprs);
  return extent + " - " + (end == std::to_string(less + 1) ? std::to_string(less) : end + " + 1");
}

std::string endOfAll(llvm::ArrayRef<std::string> ends, bool isSum) {
  if (isSum)
    return (ends.size() == 1 ? "2 * " : "") + llvm::join(ends, " + ") + " - " +
           std::to_string(std::max<size_t>(ends.size(), 2) - 1);
  std::string farthest = ends.front();
  for (const std::string &end : llvm::drop_begin(ends))
    farthest = "max(" + farthest + ", " + end + ")";
  return farthest;
}

bool isQuotient(const AccessDim &dim) {
  return dim.quotient.value_or(1) > 1 && dim.looped.empty() && dim.endShift == 0 &&
         dim.shift == 0 && dim.added.empty() && dim.free.empty() && !dim.isUnknown &&
         !dim.indexedBy && !dim.endsElsewhere && dim.endScale * dim.endFactor == 1 &&
         dim.endDivisor.value_or(1) == 1;
}

std::string timesGroups(int64_t times, const std::string &groups,
                        const std::map<std::string, std::string> &constexprs) {
  llvm::StringRef all = groups;
  return all.consume_back(" // " + namedExtent(times, constexprs)) ? all.str()
                                                                   : timesProduct(times, groups);
}

bool addsLoopBehind(const AccessDim &dim) {
  return !dim.masked.empty() && !dim.isInner && !dim.endsPartly && dim.loopsAdded == 1 &&
         dim.looped.size() == 1 && !dim.masked.contains(*dim.looped.begin());
}

int64_t shiftBehind(const AccessDim &dim) {
  // `2 * i + 1` ends where `2 * i` does.
  const int64_t shift = dim.leastShift < 0 ? 0 : dim.shift - (dim.endScale - 1);
  return std::max<int64_t>(shift, 0) + (dim.endsPartly ? 0 : dim.loopShift);
}

int64_t windowBehind(const AccessDim &dim) {
  // Windows that begin as far apart as they are long end where the last begins the next.
  return dim.hasOwnDistance && !dim.endsPartly
             ? std::max<int64_t>(dim.loopShift - (dim.endScale - 1), 0)
             : 0;
}

std::string scaledBy(const std::string &extent, int64_t factor, int64_t divisor,
                     const std::map<std::string, std::string> &constexprs) {
  if (factor % divisor == 0)
    return factor == divisor ? extent : namedExtent(factor / divisor, constexprs) + " * " + extent;
  const std::string part = extent + " // " + namedExtent(divisor, constexprs);
  return factor == 1 ? part : namedExtent(factor, constexprs) + " * (" + part + ")";
}

bool isDistance(const AccessDim &dim, const std::string &value, const std::string &argument,
                const std::map<std::string, std::string> &constexprs) {
  const bool isPart = dim.strideFactor == 1 &&
                      argument == productOf({value, namedExtent(dim.strideDivisor, constexprs)}, 0);
  return isPart || value == scaledBy(argument, dim.strideFactor, dim.strideDivisor, constexprs);
}

bool isCalledNumber(llvm::StringRef name) {
  return llvm::any_of(
      llvm::ArrayRef<const char *>{"n_", "num", "bins", "entries", "vocab", "classes", "size"},
      [&](const char *word) { return name.contains_insensitive(word); });
}

bool isCalledRows(llvm::StringRef name) {
  return llvm::any_of(llvm::ArrayRef<const char *>{"rows", "n_rows", "nrows", "num_rows", "m"},
                      [&](const char *word) { return name.equals_insensitive(word); });
}

bool isCalledColumns(llvm::StringRef name) {
  return llvm::any_of(
      llvm::ArrayRef<const char *>{"cols", "n_cols", "ncols", "num_cols", "columns", "n_columns"},
      [&](const char *word) { return name.equals_insensitive(word); });
}

bool readsNeighbors(const TensorAccess &access) {
  return access.dims.size() == 1 && access.dims.front().shift == 1 && access.dims.front().span == 1;
}

bool isNamed(const SuggestedLaunch &launch, const std::string &size) {
  const auto isIn = [&](const std::string &expression) { return hasWord(expression, size); };
  return std::ranges::any_of(launch.grid, isIn) ||
         std::ranges::any_of(launch.integers,
                             [&](const auto &integer) { return isIn(integer.second); }) ||
         std::ranges::any_of(launch.tensors, [&](const auto &tensor) {
           return isIn(tensor.second.indicesBelow) ||
                  std::ranges::any_of(tensor.second.shape, isIn);
         });
}

void readAsRows(const std::map<std::string, std::string> &constexprs, SuggestedLaunch &launch,
                std::vector<SizeNeeds> &sizes) {
  if (launch.grid.size() != 1)
    return;
  for (SizeNeeds &rows : sizes)
    for (const auto &[columns, value] : constexprs) {
      if (launch.grid.front() != "cdiv(" + rows.name + ", " + columns + ")" ||
          !llvm::StringRef(rows.name).contains_insensitive("row") ||
          !llvm::StringRef(columns).contains_insensitive("col"))
        continue;
      launch.grid.front() = rows.name;
      for (auto &[name, tensor] : launch.tensors)
        if (tensor.shape == std::vector{rows.name})
          tensor.shape.push_back(columns);
      rows.multipleOf = 1;
      rows.rank = 2;
      return;
    }
}

/// Whether programs share out another size than `size` in blocks of `block`.
static bool sharesOther(llvm::StringRef programs, llvm::StringRef size, llvm::StringRef block) {
  static constexpr llvm::StringRef kCall = "cdiv(";
  for (size_t at = programs.find(kCall); at != llvm::StringRef::npos;
       at = programs.find(kCall, at + 1)) {
    const llvm::StringRef arguments =
        programs.drop_front(at + kCall.size()).take_until([](char c) { return c == ')'; });
    const auto [divided, side] = arguments.rsplit(", ");
    if (side == block && divided != size)
      return true;
  }
  return false;
}

void passSharedBlocks(const SuggestedLaunch &launch,
                      const std::map<std::string, std::string> &constexprs,
                      std::vector<SizeNeeds> &sizes) {
  for (SizeNeeds &needs : sizes) {
    const std::string block = namedExtent(needs.atMost, constexprs);
    const bool isShared = constexprs.contains(block) &&
                          std::ranges::any_of(launch.grid, [&](const std::string &programs) {
                            return sharesOther(programs, needs.name, block);
                          });
    // As if a loop went over it.
    if (isShared)
      needs.loopStep = std::max(needs.loopStep, std::exchange(needs.atMost, 0));
  }
}

} // namespace tilescope::compiler
