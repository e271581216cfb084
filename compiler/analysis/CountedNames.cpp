// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/CountedNames.h"

#include "compiler/analysis/LaunchExpressions.h"
#include "compiler/analysis/NumberParts.h"
#include "compiler/analysis/NumberPeers.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

void CountedNames::nameNumbers(const std::map<unsigned, TensorAccess> &accesses) {
  for (const auto &[tensor, access] : accesses)
    if (passesStrides(access, m_bounds))
      for (const AccessDim &dim : access.dims)
        nameByStride(dim);
  nameByRows(accesses);
  for (const auto &[tensor, access] : accesses)
    for (const AccessDim &dim : access.dims)
      nameElements(dim);
  for (const auto &[tensor, access] : accesses)
    for (const AccessDim &dim : access.dims)
      if (access.isRead && !access.isWritten)
        nameGroups(dim);
  for (const auto &[tensor, access] : accesses)
    for (const AccessDim &dim : access.dims)
      nameBlocks(dim);
  namePadded(accesses);
}

void CountedNames::namePadded(const std::map<unsigned, TensorAccess> &accesses) {
  m_kernel->walk([&](tt::GetProgramIdOp program) {
    const std::optional<LinearEnd> end = paddedNumber(program, m_bounds);
    if (!end || m_free.contains(program))
      return;
    // An array that ends where the argument says has no padding.
    for (const auto &[tensor, access] : accesses)
      for (const AccessDim &dim : access.dims)
        if (!dim.masked.empty() && llvm::is_contained(dim.free, program.getResult()))
          return;
    m_launch.isGridGuess = true;
    m_free[program] = textOf(*end);
  });
}

/// `S` of `seq_len` and of `sqs`, `H` of `n_heads` and of `stride_qh`.
void CountedNames::nameByStride(const AccessDim &dim) {
  if (dim.strides.size() != 1 || dim.free.size() != 1 || dim.freeScale != 1 || dim.span != 1)
    return;
  const char letter = letterOfStride(nameOf(dim.strides.front()));
  const Value number = dim.free.front();
  if (letter == '\0' || m_free.contains(number) || rowsOf(number).end)
    return;
  const std::string name = unusedSize([&](StringRef size) { return initialOf(size) == letter; });
  if (!name.empty())
    m_free[number] = name;
}

/// `N` of what counts the columns of `b + k * K + j` and of `c + i * N + j`, where a loop ends at `K`: rows that are
/// all as long as the loop is would hide that one of the two is there by mistake.
void CountedNames::nameByRows(const std::map<unsigned, TensorAccess> &accesses) {
  llvm::DenseMap<Value, ArgumentSet> lengths;
  ArgumentSet looped;
  for (const auto &[tensor, access] : accesses)
    for (const AccessDim &dim : access.dims)
      looped.insert(dim.looped.begin(), dim.looped.end());
  for (const auto &[tensor, access] : accesses)
    for (size_t i = 1; i < access.dims.size(); ++i) {
      const AccessDim &rows = access.dims[i - 1], &columns = access.dims[i];
      if (rows.strides.size() == 1 && IndexBounds::isArgument(rows.strides.front()) &&
          columns.strides.empty() && columns.free.size() == 1 && columns.masked.empty())
        lengths[columns.free.front()].insert(rows.strides.front());
    }
  for (const auto &[number, arguments] : lengths) {
    const auto isEnd = [&](unsigned argument) { return looped.contains(argument); };
    if (arguments.size() == 2 && llvm::count_if(arguments, isEnd) == 1)
      m_free.try_emplace(number, sizeOf(*llvm::find_if_not(arguments, isEnd)));
  }
}

/// Whether an index ends at one argument, and nothing is added to it on the way.
static bool isWhole(const AccessDim &dim) {
  return dim.masked.size() == 1 && dim.looped.empty() && !dim.sum && dim.endFactor == 1 &&
         dim.endDivisor.value_or(1) == 1 && dim.endShift == 0 && dim.shift == 0 &&
         !dim.endsPartly && !dim.isUnknown;
}

/// As many programs as an array has elements that is read as a whole, too: `x_ptr + number`, `x_ptr + columns`.
void CountedNames::nameElements(const AccessDim &dim) {
  if (!isWhole(dim) || !dim.alone || dim.free.size() != 1 || dim.free.front() != dim.alone)
    return;
  const ProgramRows rows = rowsOf(dim.alone);
  if (!m_free.contains(dim.alone) && !rows.end && rows.blockSide <= 1)
    m_free[dim.alone] = sizeOf(*dim.masked.begin());
}

/// As many blocks as the argument has where a mask asks of the places in a block what it should ask of the whole index:
/// `x_ptr + number * BLOCK + i` for `i < n`. With fewer nobody would see that.
void CountedNames::nameBlocks(const AccessDim &dim) {
  if (!isWhole(dim) || dim.free.size() != 1 || dim.block <= 1 || dim.freeScale != dim.block ||
      !dim.strides.empty() || dim.free.front() == dim.alone ||
      !dim.free.front().getDefiningOp<tt::GetProgramIdOp>())
    return;
  if (m_free.try_emplace(dim.free.front(), sizeOf(*dim.masked.begin())).second)
    m_launch.isGridGuess = true;
}

void CountedNames::nameGroups(const AccessDim &dim) {
  if (dim.freeTimes <= 1 || dim.free.size() != 1 || m_free.contains(dim.free.front()) ||
      rowsOf(dim.free.front()).end)
    return;
  const std::string name = unusedSize([](StringRef) { return true; });
  if (name.empty())
    return;
  size(name).multipleOf = std::max(size(name).multipleOf, dim.freeTimes);
  m_free[dim.free.front()] = name + " // " + constantExtent(dim.freeTimes);
}

std::string CountedNames::nameOfFree(Value value, int64_t side, const AccessDim *dim) {
  const auto known = m_free.find(value);
  if (known != m_free.end())
    return known->second;
  if (const std::optional<unsigned> end = rowsOf(value).end)
    return m_free[value] = endOfRows(*end);
  if (const ArgumentSet ends = endsOfNeighbors(value, m_bounds); ends.size() == 1)
    return m_free[value] = endOfRows(*ends.begin());
  if (const ArgumentSet ends = endsOfPeers(value, m_bounds); ends.size() == 1)
    return m_free[value] = endOfRows(*ends.begin());
  if (const std::optional<LinearEnd> sum = m_bounds.paddedEnd(value))
    return m_free[value] = textOf(*sum);
  // Of `number % heads` there are several times as many.
  if (const std::optional<unsigned> part = dividesNumber(value, m_bounds)) {
    size(sizeOf(*part)).isFew = true;
    return m_free[value] = "2 * " + nameOf(*part);
  }
  // A number of rows that lies between rows is there by mistake: as their length it would hide that.
  if (dim && dim->strides.size() == 1 && isCalledRows(nameOf(dim->strides.front())) &&
      !m_bounds.isEnd(dim->strides.front()) &&
      !m_launch.integers.contains(nameOf(dim->strides.front())))
    return m_free[value] = sizeOf(dim->strides.front());
  std::string name = unusedSize([](StringRef) { return true; });
  if (name.empty() && dim)
    name = nameAfterStride(*dim);
  if (name.empty())
    name = side > 1 ? freshName({"size"}) : freshName({"n_rows", "n_groups", "n_batches"});
  return m_free[value] = size(name).name;
}

ProgramRows CountedNames::rowsOf(Value number) const {
  return number.getDefiningOp<tt::GetProgramIdOp>() ? programRows(number, m_bounds) : ProgramRows();
}

std::string CountedNames::endOfRows(unsigned argument) {
  const auto known = m_launch.integers.find(nameOf(argument));
  return known == m_launch.integers.end() ? sizeOf(argument) : known->second;
}

std::string CountedNames::divisorOf(const AccessDim &dim) {
  if (!dim.quotientArgument)
    return constantExtent(*dim.quotient);
  const auto known = m_launch.integers.find(nameOf(*dim.quotientArgument));
  if (known != m_launch.integers.end())
    return known->second;
  const std::string name = sizeOf(*dim.quotientArgument);
  size(name).isFew = true;
  return name;
}

std::string CountedNames::valuesBelow(unsigned tensor, const TensorAccess &access) {
  if (access.isPacked)
    return numValues(m_parameters[tensor].type);
  if (access.places.size() == 1)
    return sizeOf(*access.places.begin());
  return access.bins > 0 ? constantExtent(access.bins) : std::string();
}

std::string CountedNames::numBlocks(const AccessDim &dim) {
  if (dim.free.size() != 1 || dim.freeScale != 1 || dim.span > 1)
    return {};
  const Value number = dim.free.front();
  if (const auto known = m_counted.find(number); known != m_counted.end())
    return known->second;
  const ProgramRows rows = rowsOf(number);
  const int64_t side = rows.blockSide;
  if (side > 1 && rows.radix > 1)
    return m_counted[number] = namedProduct(rows.radix, m_constexprs);
  return side > 1 ? m_counted[number] =
                        "cdiv(" + nameOfCounted(number, side) + ", " + constantExtent(side) + ")"
                  : std::string();
}

std::string CountedNames::nameOfCounted(Value number, int64_t side) {
  // Rows of so many elements as there are blocks, each with one of them.
  if (const auto blocks = m_counted.find(number); blocks != m_counted.end()) {
    if (side == 1)
      return blocks->second;
    if (!StringRef(blocks->second).starts_with("cdiv("))
      return blocks->second + " * " + std::to_string(side);
  }
  const ProgramRows rows = rowsOf(number);
  if (rows.radix <= 1)
    return nameOfEnd(number, side);
  // Of the blocks that it counts elsewhere there is more than one.
  if (rows.blockSide > 1)
    nameOfEnd(number, rows.blockSide);
  return namedProduct(rows.radix, m_constexprs);
}

std::string CountedNames::nameOfEnd(Value number, int64_t side) {
  if (const std::optional<Quotient> parts = partsCountedBy(number, m_bounds)) {
    if (parts->divisorArgument) {
      size(sizeOf(*parts->divisorArgument)).isFew = true;
      size(sizeOf(parts->argument)).divisor = nameOf(*parts->divisorArgument);
      return nameOf(*parts->divisorArgument);
    }
    SizeNeeds &whole = size(sizeOf(parts->argument));
    whole.multipleOf = std::max(whole.multipleOf, parts->divisor);
    return constantExtent(parts->divisor);
  }
  SmallVector<Value> waiting = {number};
  llvm::DenseSet<Value> seen;
  ArgumentSet ends = endsOfCounted(number, m_bounds);
  int64_t factor = 1;
  for (size_t i = 0; i < waiting.size() && ends.empty(); ++i) {
    ends = m_bounds.comparedInStores(waiting[i]);
    factor = m_bounds.endFactor(waiting[i]);
    m_launch.isGridGuess |= !ends.empty() && m_bounds.endsElsewhere(waiting[i]);
    if (const auto factors = m_bounds.comparedWithProduct(waiting[i]); !factors.empty()) {
      const int64_t times = m_bounds.productTimes(waiting[i]);
      size(sizeOf(factors.front())).leavesRest |= times > 1;
      return timesProduct(times, productOf(sizesOf(factors), 0));
    }
    if (const auto sum = m_bounds.paddedEnd(waiting[i])) {
      m_launch.isGridGuess = true;
      shareOut(*sum, side);
      return textOf(*sum);
    }
    if (const auto sum = m_bounds.farthestSum(waiting[i])) {
      shareOut(*sum, side);
      return textOf(*sum);
    }
    if (!ends.empty() || !seen.insert(waiting[i]).second)
      break;
    for (OpOperand &use : waiting[i].getUses())
      followCounted(use, m_bounds, waiting, ends);
  }
  if (const auto free = m_free.find(number); free != m_free.end())
    return free->second;
  if (!ends.empty())
    shareOut(*ends.begin(), side);
  return ends.empty() ? nameOfFree(number, side)
                      : scaledBy(sizeOf(*ends.begin()), factor, 1, m_constexprs);
}

} // namespace tilescope::compiler
