// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LaunchSuggestion.h"

#include "compiler/analysis/CountedNames.h"
#include "compiler/analysis/DoubtfulShapes.h"
#include "compiler/analysis/GridExtents.h"
#include "compiler/analysis/GridLimit.h"
#include "compiler/analysis/IntegerRoles.h"
#include "compiler/analysis/LaunchExpressions.h"
#include "compiler/analysis/LoopSteps.h"
#include "compiler/analysis/MatrixSides.h"
#include "compiler/analysis/NamedRows.h"
#include "compiler/analysis/NumberParts.h"
#include "compiler/analysis/NumberPeers.h"
#include "compiler/analysis/PlaneSides.h"
#include "compiler/analysis/ProgramRows.h"
#include "compiler/analysis/SizeValues.h"
#include "compiler/analysis/SumPaths.h"
#include "compiler/analysis/TensorAccess.h"
#include "compiler/analysis/WindowDims.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/support/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {
namespace {

class Suggestion : CountedNames {
public:
  Suggestion(FunctionOpInterface kernel, const std::vector<KernelParameter> &parameters,
             const std::map<std::string, std::string> &constexprs)
      : CountedNames(kernel, parameters, constexprs) {}

  SuggestedLaunch run() {
    const std::map<unsigned, TensorAccess> accesses = tensorAccesses(m_kernel, m_bounds);
    nameScattered(accesses);
    m_hasStrides = llvm::any_of(
        accesses, [this](const auto &entry) { return passesStrides(entry.second, m_bounds); });
    nameNumbers(accesses);
    for (const auto &[tensor, access] : accesses)
      if (tensor < m_parameters.size())
        describe(tensor, access);
    for (const auto &[tensor, access] : accesses)
      for (size_t i = 0; i < access.dims.size(); ++i)
        if (const auto source = access.dims[i].indexedBy; source && tensor < m_parameters.size())
          nameIndices(*source, m_launch.tensors[nameOf(tensor)].shape[i], accesses);
    spreadMultiples(accesses);
    m_launch.grid =
        gridExtents(m_kernel, m_constexprs, m_bounds,
                    [this](Value number, int64_t side) { return nameOfCounted(number, side); });
    m_launch.isGridGuess |= (m_bounds.hasOtherEnd() && m_launch.grid.size() > 1) ||
                            readsAxisOfOne(m_kernel, m_launch.grid);
    nameShares();
    for (auto &[name, tensor] : m_launch.tensors)
      tensor.shape = m_planes.split(tensor.shape);
    decideIntegers();
    noteFewTurns(m_kernel, m_bounds, m_parameters, m_sizes);
    noteWindows(m_kernel, m_bounds, m_parameters, m_sizes);
    noteDivisors(m_kernel, m_bounds, m_parameters, m_sizes);
    // In the order of the arguments, as they are usually spoken of: `M`, `N`, `K`.
    std::ranges::stable_sort(m_sizes, {}, [this](const SizeNeeds &needs) {
      return std::ranges::find(m_parameters, needs.name, &KernelParameter::name);
    });
    noteLoopSteps(m_kernel, m_bounds, m_parameters, m_sizes);
    passSharedBlocks(m_launch, m_constexprs, m_sizes);
    readAsRows(m_constexprs, m_launch, m_sizes);
    std::erase_if(m_sizes,
                  [this](const SizeNeeds &needs) { return !isNamed(m_launch, needs.name); });
    m_launch.sizes = sizeValues(m_sizes);
    limitPrograms(m_launch, m_constexprs, m_sizes);
    doubtShapes(m_launch);
    return std::move(m_launch);
  }

private:
  /// The argument that says how long the rows of a matrix are: between rows lies nothing but them, and it is not called a stride. None where it
  /// is known as something else.
  std::optional<RowLength> lengthOfRows(const std::vector<AccessDim> &dims, size_t dim) const {
    if (dim == 0 || !endsRows(dims, dim) || dims[dim - 1].strides.size() != 1)
      return std::nullopt;
    const unsigned argument = dims[dim - 1].strides.front();
    const auto known = m_launch.integers.find(nameOf(argument));
    if (!IndexBounds::isArgument(argument))
      return std::nullopt;
    const bool isOther = (known != m_launch.integers.end() && known->second != nameOf(argument)) ||
                         dims[dim - 1].strideDivisor > 1;
    // Where another argument alone lies between elements, too, both are strides.
    const bool hasOthers = llvm::any_of(dims, [&](const AccessDim &other) {
      return other.strides.size() == 1 && other.strides.front() != argument;
    });
    const bool isOneOfStrides = m_hasStrides && !m_bounds.isEnd(argument);
    return isCalledStride(nameOf(argument)) || isOther || hasOthers || isOneOfStrides
               ? std::nullopt
               : std::optional(RowLength{argument, dims[dim - 1].strideFactor,
                                         dims[dim - 1].strideLess, dims[dim - 1].isStrideComputed});
  }

  /// Whether the last digit of a number of rows counts it: `kk` of `(c * 9 + kk) * n`.
  bool isDigit(const AccessDim &dim) const {
    return dim.rowLength > 0 && dim.free.size() == 1 &&
           rowsOf(dim.free.front()).radix == dim.rowLength;
  }

  /// Whether a row is as long as a sum says that lies between two, whatever is accessed of it: `row * (n + m) + n + c`.
  bool liesInSum(const std::vector<AccessDim> &dims, size_t dim) const {
    return dim > 0 && endsRows(dims, dim) && !dims[dim].sum && !dims[dim].masked.empty() &&
           dims[dim - 1].strides.size() == 1 && dims[dim - 1].step == 1 &&
           m_bounds.sumOf(dims[dim - 1].strides.front());
  }

  /// `isResult`: it is of a tensor that is only written.
  std::string extentOf(const AccessDim &dim, bool &isGuess, bool isResult,
                       std::optional<RowLength> rows = {}) {
    std::string extent;
    if (dim.rowLength > 0) {
      // Rows that overlap: the constexpr that says their length may have another value.
      isGuess |= dim.reach >= dim.rowLength;
      // Another end within the row: it lies no further than the row does.
      for (const unsigned end : dim.masked) {
        isGuess = true;
        SizeNeeds &needs = size(sizeOf(end));
        needs.rank = std::max<size_t>(needs.rank, 2);
        needs.endIn(dim.rowLength);
      }
      return isDigit(dim) ? namedProduct(dim.rowLength, m_constexprs)
                          : namedMultiple(dim.rowLength, m_constexprs);
    }
    // A part of what all parts end at says no more.
    if (dim.sum && !isPartOfEnd(dim)) {
      isGuess = true;
      LinearEnd sum = *dim.sum;
      for (const auto &[argument, times] : dim.added)
        sum.add(argument, times);
      return textOf(sum);
    }
    if (!dim.masked.empty() || !dim.looped.empty()) {
      const ArgumentSet &ends = dim.masked.empty() ? dim.looped : dim.masked;
      // A number of rows where columns end is there by mistake.
      if (rows && ends.size() == 1 && isCalledRows(nameOf(*ends.begin())) &&
          isCalledColumns(nameOf(rows->argument))) {
        isGuess = true;
        return sizeOf(rows->argument);
      }
      extent = endOfAll(llvm::map_to_vector<2>(ends, [this](unsigned end) { return sizeOf(end); }),
                        dim.masked.empty() && dim.loopsAdded > 1);
      if (ends.size() == 1) {
        // Counted from the end as well: `i` and `n - 1 - i` for `i < n // 2`.
        const bool isFromEnd = dim.endDivisor.value_or(1) > 1 && dim.added.contains(*ends.begin());
        isGuess |= isFromEnd;
        extent = scaledBy(extent, dim.endScale * dim.endFactor,
                          isFromEnd ? 1 : dim.endDivisor.value_or(1), m_constexprs);
        if (isQuotient(dim))
          return "cdiv(" + extent + ", " + divisorOf(dim) + ")";
        // Where nothing else is written, results are as many as there are.
        if (isResult)
          extent = movedBack(extent, dim.endLess.value_or(0), m_constexprs);
      }
      const int64_t parts = numParts(dim, ends, m_bounds);
      if (parts > 1)
        extent = std::to_string(parts) + " * " + extent;
      // Where it ends elsewhere, too, to count down from it is likely a mistake.
      const bool isMistake = dim.isReversed && llvm::any_of(ends, [this](unsigned end) {
                               return m_bounds.isEnd(end);
                             });
      extent = movedOn(extent, isMistake ? 0 : dim.endShift, m_constexprs);
      isGuess |= parts > 1 || dim.endShift > 0 || dim.isUnknown || dim.endsElsewhere ||
                 dim.indexedBy || (!dim.free.empty() && dim.freeScale == 1);
      SizeNeeds &needs = size(nameOf(*ends.begin()));
      needs.lacksMask |= dim.lacksMask;
      needs.isFew |= dim.isFraction;
      isGuess |= dim.lacksMask;
      if (dim.masked.empty())
        needs.multipleOf = std::max({needs.multipleOf, dim.span, dim.turn});
      else if (!dim.isRepeated && dim.block > 1)
        needs.endIn(std::max<int64_t>(dim.block / dim.endFactor, 1));
      // Windows that programs begin: `pid + k` for `k < n`.
      if (dim.masked.empty() && dim.loopsAdded == 1 && dim.free.size() == 1 && dim.freeScale == 1)
        extent = endOfAll({nameOfFree(dim.free.front(), 1), extent}, true);
      if (addsLoopBehind(dim))
        extent = endOfAll({extent, sizeOf(*dim.looped.begin())}, true);
      // What is added lies behind the end, unless the end is another number for that reason, as `n - 1` is.
      const bool endsBeside =
          llvm::any_of(ends, [this](unsigned end) { return m_bounds.endsBeside(end); });
      const int64_t behind = endsBeside ? 0 : shiftBehind(dim);
      const bool isStencil = dim.leastShift < 0 && dim.shift > 0 && !endsBeside;
      isGuess |= addsLoopBehind(dim) || behind > 0 || isStencil;
      // Rows that follow each other are as long as they lie apart.
      const int64_t moved = dim.isInner ? windowBehind(dim) : behind;
      return movedOn(extent, moved, m_constexprs);
    }
    if (!dim.product.empty()) {
      if (!dim.isRepeated && dim.block > 1 && dim.free.empty())
        endProductIn(dim.product, dim.block / dim.productTimes);
      isGuess |= dim.isUnknown || dim.indexedBy || !dim.free.empty() || dim.shift > 0;
      return movedOn(timesProduct(dim.productTimes, m_planes.add(sizesOf(dim.product), m_sizes)),
                     dim.shift, m_constexprs);
    }
    isGuess |= dim.isUnknown || dim.indexedBy || dim.free.size() > 1 || dim.endsElsewhere ||
               (!dim.free.empty() && m_bounds.hasOtherEnd());
    if (dim.indexedBy) {
      std::string &entries = m_entries[*dim.indexedBy];
      if (entries.empty())
        entries = unusedSize([](StringRef name) { return isCalledNumber(name); });
      if (entries.empty())
        entries = freshName({"n_entries"});
      // Of a loop over as many as one of them says there is more than one turn.
      size(entries).loopStep = std::max(size(entries).loopStep, dim.turn);
      const std::string name = size(entries).name;
      return dim.free.size() == 1 && dim.freeScale == 1
                 ? name + " + " + nameOfFree(dim.free.front(), 1)
                 : name;
    }
    if (!dim.free.empty()) {
      if (const std::string blocks = numBlocks(dim); !blocks.empty()) {
        // As many as a row is long that has one element of each.
        if (rows && rows->factor == 1 && !rows->isComputed && dim.shift == 0) {
          size(sizeOf(rows->argument)).isFew = true;
          return m_counted[dim.free.front()] = sizeOf(rows->argument);
        }
        isGuess |= dim.shift > 0;
        return movedOn(blocks, dim.shift, m_constexprs);
      }
      if (rows && rows->factor == 1 && dim.free.size() == 1 && !m_free.contains(dim.free.front()))
        m_free[dim.free.front()] = sizeOf(rows->argument);
      if (dim.freeTimes > 1)
        return timesGroups(dim.freeTimes, nameOfFree(dim.free.front(), 1, &dim), m_constexprs);
      extent = nameOfFree(dim.free.front(), dim.freeScale, &dim);
      const int64_t scale = std::max(dim.freeScale, dim.freeScale > 1 ? dim.span : 1);
      if (extent.find(' ') != std::string::npos)
        return dim.freeScale == 1 ? movedOn(extent, dim.span - 1 + dim.shift, m_constexprs)
                                  : extent;
      size(extent).multipleOf = std::max(size(extent).multipleOf, scale);
      // Rows that are shorter than what the programs count.
      if (rows && rows->less > 0 && extent == nameOf(rows->argument)) {
        isGuess = true;
        return movedBack(extent, rows->less, m_constexprs);
      }
      return dim.freeScale == 1 ? movedOn(extent, dim.span - 1 + dim.shift, m_constexprs) : extent;
    }
    const int64_t span = dim.span + std::max<int64_t>(dim.shift, 0);
    // Rows as long as their block would hide that a mask is missing.
    if (!rows || span <= 1)
      return span > 1 ? constantExtent(span) : "1";
    size(extent = sizeOf(rows->argument)).endIn(span);
    return scaledBy(extent, rows->factor, 1, m_constexprs);
  }

  void describe(unsigned number, const TensorAccess &access) {
    SuggestedTensor &tensor = m_launch.tensors[nameOf(number)];
    // Locks, counters and sums begin at zero, also where they are read.
    tensor.isRead = access.isRead && !access.isUpdated;
    tensor.isWritten = access.isWritten && !access.isUpdated;
    tensor.isPositive = access.isPositive;
    tensor.areLengths = access.areLengths;
    tensor.indicesBelow = valuesBelow(number, access);
    tensor.shape = matrixSides(access, m_constexprs);
    for (size_t i = 0; tensor.shape.size() < access.dims.size(); ++i)
      tensor.shape.push_back(liesInSum(access.dims, i)
                                 ? sizeOf(access.dims[i - 1].strides.front())
                                 : extentOf(access.dims[i], tensor.isGuess, !access.isRead,
                                            lengthOfRows(access.dims, i)));
    if (tensor.shape.empty())
      tensor.shape.push_back("1");
    // The three numbers of a pixel do not make an image one of many.
    const std::vector<std::string> sides = m_planes.split(tensor.shape);
    std::vector<std::string> named;
    llvm::copy_if(sides, std::back_inserter(named), [](llvm::StringRef extent) {
      return !llvm::all_of(extent, [](char c) { return llvm::isDigit(c); });
    });
    const size_t rank = std::min(sides.size(), std::max<size_t>(named.size(), 1));
    for (size_t i = 0; i < named.size(); ++i)
      for (SizeNeeds &needs : m_sizes)
        if (hasWord(llvm::StringRef(named[i]).split(" + ").first, needs.name)) {
          needs.rank = std::max(needs.rank, rank);
          needs.isOuter |= i + 2 < rank;
        }
    // A single factor says more than a product of several, which lies outside.
    for (size_t i = access.dims.size(); i-- > 0;)
      if (i + 1 == access.dims.size() || !isDigit(access.dims[i + 1]))
        giveStride(access.dims[i], extentsWithin(access.dims, i, tensor.shape), tensor);
  }

  /// Values that a vector of indices scatters go to places of their own, as many as there are indices.
  void nameScattered(const std::map<unsigned, TensorAccess> &accesses) {
    for (const auto &[tensor, access] : accesses) {
      const auto source = access.scatteredBy ? accesses.find(*access.scatteredBy) : accesses.end();
      // What is read first is added up there: places repeat.
      if (source == accesses.end() || access.isRead || source->second.dims.size() != 1 ||
          source->first >= m_parameters.size() || !source->second.isRead)
        continue;
      const AccessDim &dim = source->second.dims.front();
      if (dim.masked.size() != 1 || !dim.looped.empty() || dim.sum ||
          dim.endDivisor.value_or(1) > 1)
        continue;
      m_entries[source->first] = sizeOf(*dim.masked.begin());
      m_scattered.insert(source->first);
    }
  }

  void nameIndices(unsigned source, const std::string &extent,
                   const std::map<unsigned, TensorAccess> &accesses) {
    if (source >= m_parameters.size())
      return;
    SuggestedTensor &tensor = m_launch.tensors[nameOf(source)];
    // All of them, each once; which the block says by their end.
    if (m_scattered.contains(source)) {
      tensor.isAscending = true;
      return;
    }
    tensor.indicesBelow = extent;
    const auto access = accesses.find(source);
    tensor.isAscending = access != accesses.end() && readsNeighbors(access->second);
    if (const auto entries = std::ranges::find(m_sizes, extent, &SizeNeeds::name);
        tensor.isAscending && entries != m_sizes.end())
      entries->isDivided = true;
  }

  /// The rows that programs of one axis count are as many as these, also where they take turns in a
  /// loop: `SPLIT` results.
  void nameShares() {
    for (const auto &[blocks, shares] : loopShares(m_kernel, m_bounds)) {
      auto program = blocks.getDefiningOp<tt::GetProgramIdOp>();
      const auto counted = m_counted.find(blocks);
      if (!program || counted == m_counted.end())
        continue;
      for (auto &[name, tensor] : m_launch.tensors)
        std::ranges::replace(tensor.shape, counted->second,
                             m_launch.grid[static_cast<size_t>(program.getAxis())]);
    }
  }

  /// An array of which every so many elements are taken has those between them as well, unless their distance is called
  /// a stride, which is usually 1.
  void spreadMultiples(const std::map<unsigned, TensorAccess> &accesses) {
    for (const unsigned step : loneSteps(accesses, m_bounds)) {
      const auto given = m_launch.integers.find(nameOf(step));
      if (step >= m_parameters.size() || isCalledStride(nameOf(step)) ||
          given == m_launch.integers.end() || given->second != "1")
        continue;
      size(sizeOf(step)).isFew = true;
      for (const auto &[tensor, access] : accesses)
        if (access.dims.size() == 1 && access.dims.front().strides == std::vector{step}) {
          std::string &extent = m_launch.tensors[nameOf(tensor)].shape.front();
          extent = productOf({extent, nameOf(step)}, 0);
        }
    }
  }

  /// Those that neither end an index of a tensor nor lie between elements.
  void decideIntegers() {
    for (unsigned i = 0; i < m_parameters.size(); ++i) {
      const BlockArgument argument = m_kernel.getFunctionBody().getArgument(i);
      if (!argument.getType().isInteger() || m_launch.integers.contains(nameOf(i)))
        continue;
      if (m_bounds.isEnd(i)) {
        const std::string name = sizeOf(i);
        size(name).rank = std::max<size_t>(size(name).rank, 1);
        continue;
      }
      m_launch.integers[nameOf(i)] = usualValue(roleOf(argument));
      if (roleOf(argument) == IntegerRole::PartOfIndex)
        doubtAll(m_launch);
    }
  }

  /// Sizes that no argument holds, by the tensor of indices.
  std::map<unsigned, std::string> m_entries;
  /// Tensors of indices at which values are stored.
  ArgumentSet m_scattered;
  PlaneSides m_planes;
  /// Arrays are passed with their strides.
  bool m_hasStrides = false;
};

} // namespace

SuggestedLaunch suggestLaunch(FunctionOpInterface kernel,
                              const std::vector<KernelParameter> &parameters,
                              const std::map<std::string, std::string> &constexprs) {
  if (kernel.isExternal() || kernel.getNumArguments() < parameters.size() ||
      hasCountlessPaths(kernel))
    return {};
  return Suggestion(kernel, parameters, constexprs).run();
}

} // namespace tilescope::compiler
