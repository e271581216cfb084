// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LaunchSuggestion.h"

#include "compiler/analysis/DoubtfulShapes.h"
#include "compiler/analysis/GridExtents.h"
#include "compiler/analysis/GridLimit.h"
#include "compiler/analysis/IntegerRoles.h"
#include "compiler/analysis/LaunchExpressions.h"
#include "compiler/analysis/LoopSteps.h"
#include "compiler/analysis/MatrixSides.h"
#include "compiler/analysis/NamedRows.h"
#include "compiler/analysis/NamedSizes.h"
#include "compiler/analysis/NumberParts.h"
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

class Suggestion : NamedSizes {
public:
  Suggestion(FunctionOpInterface kernel, const std::vector<KernelParameter> &parameters,
             const std::map<std::string, std::string> &constexprs)
      : NamedSizes(kernel, parameters, constexprs) {}

  SuggestedLaunch run() {
    const std::map<unsigned, TensorAccess> accesses = tensorAccesses(m_kernel, m_bounds);
    nameScattered(accesses);
    for (const auto &[tensor, access] : accesses)
      if (tensor < m_parameters.size())
        describe(tensor, access);
    for (const auto &[tensor, access] : accesses)
      for (size_t i = 0; i < access.dims.size(); ++i)
        if (const auto source = access.dims[i].indexedBy; source && tensor < m_parameters.size())
          nameIndices(*source, m_launch.tensors[nameOf(tensor)].shape[i], accesses);
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
  /// What a number of programs, or a part of it, counts where no argument says so. An argument
  /// that serves for nothing was given for this.
  std::string nameOfFree(Value value, int64_t side, const AccessDim *dim = nullptr) {
    const auto known = m_free.find(value);
    if (known != m_free.end())
      return known->second;
    if (const std::optional<unsigned> end = rowsOf(value).end)
      return m_free[value] = endOfRows(*end);
    if (const ArgumentSet ends = endsOfNeighbors(value, m_bounds); ends.size() == 1)
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

  ProgramRows rowsOf(Value number) const {
    return number.getDefiningOp<tt::GetProgramIdOp>() ? programRows(number, m_bounds)
                                                      : ProgramRows();
  }

  /// Of an argument that already serves for a distance, what it was given.
  std::string endOfRows(unsigned argument) {
    const auto known = m_launch.integers.find(nameOf(argument));
    return known == m_launch.integers.end() ? sizeOf(argument) : known->second;
  }

  std::string constantExtent(int64_t extent) const { return namedExtent(extent, m_constexprs); }

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
    return isCalledStride(nameOf(argument)) || isOther || hasOthers
               ? std::nullopt
               : std::optional(RowLength{argument, dims[dim - 1].strideFactor});
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
      return namedMultiple(dim.rowLength, m_constexprs);
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
      return dim.isInner ? extent : movedOn(extent, behind, m_constexprs);
    }
    if (!dim.product.empty()) {
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
      const std::string name = size(entries).name;
      return dim.free.size() == 1 && dim.freeScale == 1
                 ? name + " + " + nameOfFree(dim.free.front(), 1)
                 : name;
    }
    if (!dim.free.empty()) {
      if (const std::string blocks = numBlocks(dim); !blocks.empty()) {
        isGuess |= dim.shift > 0;
        return movedOn(blocks, dim.shift, m_constexprs);
      }
      if (rows && rows->factor == 1 && dim.free.size() == 1 && !m_free.contains(dim.free.front()))
        m_free[dim.free.front()] = sizeOf(rows->argument);
      extent = nameOfFree(dim.free.front(), dim.freeScale, &dim);
      const int64_t scale = std::max(dim.freeScale, dim.freeScale > 1 ? dim.span : 1);
      if (extent.find(' ') != std::string::npos)
        return dim.freeScale == 1 ? movedOn(extent, dim.span - 1 + dim.shift, m_constexprs)
                                  : extent;
      size(extent).multipleOf = std::max(size(extent).multipleOf, scale);
      return dim.freeScale == 1 ? movedOn(extent, dim.span - 1 + dim.shift, m_constexprs) : extent;
    }
    const int64_t span = dim.span + std::max<int64_t>(dim.shift, 0);
    // Rows as long as their block would hide that a mask is missing.
    if (!rows || span <= 1)
      return span > 1 ? constantExtent(span) : "1";
    size(extent = sizeOf(rows->argument)).endIn(span);
    return scaledBy(extent, rows->factor, 1, m_constexprs);
  }

  /// `cdiv(n, BLOCK)` for one element of each program, where programs count blocks that end
  /// elsewhere; empty for all else.
  std::string numBlocks(const AccessDim &dim) {
    if (dim.free.size() != 1 || dim.freeScale != 1 || dim.span > 1)
      return {};
    const Value number = dim.free.front();
    const int64_t side = rowsOf(number).blockSide;
    return side > 1 ? m_counted[number] =
                          "cdiv(" + nameOfCounted(number, side) + ", " + constantExtent(side) + ")"
                    : std::string();
  }

  void describe(unsigned number, const TensorAccess &access) {
    SuggestedTensor &tensor = m_launch.tensors[nameOf(number)];
    // Locks, counters and sums begin at zero, also where they are read.
    tensor.isRead = access.isRead && !access.isUpdated;
    tensor.isWritten = access.isWritten && !access.isUpdated;
    tensor.isPositive = access.isPositive;
    tensor.areLengths = access.areLengths;
    if (access.isPacked)
      tensor.indicesBelow = numValues(m_parameters[number].type);
    tensor.shape = matrixSides(access, m_constexprs);
    for (size_t i = 0; tensor.shape.size() < access.dims.size(); ++i)
      tensor.shape.push_back(
          extentOf(access.dims[i], tensor.isGuess, !access.isRead, lengthOfRows(access.dims, i)));
    if (tensor.shape.empty())
      tensor.shape.push_back("1");
    // The three numbers of a pixel do not make an image one of many.
    const std::vector<std::string> sides = m_planes.split(tensor.shape);
    std::vector<std::string> named;
    llvm::copy_if(sides, std::back_inserter(named),
                  [](llvm::StringRef extent) { return !llvm::all_of(extent, llvm::isDigit); });
    const size_t rank = std::min(sides.size(), std::max<size_t>(named.size(), 1));
    for (size_t i = 0; i < named.size(); ++i)
      for (SizeNeeds &needs : m_sizes)
        if (hasWord(llvm::StringRef(named[i]).split(" + ").first, needs.name)) {
          needs.rank = std::max(needs.rank, rank);
          needs.isOuter |= i + 2 < rank;
        }
    // A single factor says more than a product of several, which lies outside.
    for (size_t i = access.dims.size(); i-- > 0;)
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

  /// What the blocks or rows that `number` counts are parts of.
  std::string nameOfCounted(Value number, int64_t side) {
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
      ends = m_bounds.comparedWith(waiting[i]);
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

  /// Sizes that no argument holds, by the number that counts them, and by the tensor of indices.
  llvm::DenseMap<Value, std::string> m_free;
  std::map<unsigned, std::string> m_entries;
  /// Tensors of indices at which values are stored.
  ArgumentSet m_scattered;
  PlaneSides m_planes;
  /// How many blocks there are where one element is of each, by the number that counts them.
  llvm::DenseMap<Value, std::string> m_counted;
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
