// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/FillerTrial.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/Deadline.h"
#include "compiler/interpreter/PreparedKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>

using namespace mlir;

namespace tilescope::compiler {

static constexpr size_t kMostFillers = 4;
static constexpr size_t kMostCopiedBytes = size_t{256} << 20;
static constexpr std::chrono::milliseconds kLongestRun(500);

namespace {
enum class Filling {
  /// The reductions take in what leaves them as they are.
  Neutral,
  /// So does everything else that uses the load.
  NeutralForAll,
  /// The reductions take in what they must not see.
  Unfit
};

/// What the arguments hold after a run, by number; nothing of those without memory.
using Memory = std::vector<std::vector<std::byte>>;

/// What is made of a load, made anew of another one.
class RemadeValues {
public:
  void put(Value value, Value other) { m_remade[value.getAsOpaquePointer()] = other; }

  Value remade(Value value) {
    if (const auto known = m_remade.find(value.getAsOpaquePointer()); known != m_remade.end())
      return known->second;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() > 0 || !isMemoryEffectFree(op))
      return value;
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(remade(operand));
    if (llvm::equal(operands, op->getOperands()))
      return m_remade[value.getAsOpaquePointer()] = value;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    for (auto [result, other] : llvm::zip_equal(op->getResults(), copy->getResults()))
      put(result, other);
    return m_remade[value.getAsOpaquePointer()];
  }

private:
  std::map<void *, Value> m_remade;
};
} // namespace

static double numberOf(Filler filler) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (filler) {
  case Filler::Zero:
    return 0;
  case Filler::One:
    return 1;
  case Filler::MinusInfinity:
  case Filler::LeastUnsigned:
    return -kInfinity;
  default:
    return kInfinity;
  }
}

/// What a reduction must not see: nothing where the `other` of the kernel is that. For a maximum it is more than most
/// elements are, and not so much that what is left of the exponentials of the others rounds to 0.
static std::optional<double> unfitNumber(const UnfitReduction &unfit) {
  constexpr double kLarge = 30;
  auto load = cast<tt::LoadOp>(unfit.load);
  if (!isInfinite(fillerOf(unfit.reduction)) ||
      isa<IntegerType>(getElementTypeOrSelf(load.getType())))
    return std::nullopt;
  return unfit.needed == Filler::MinusInfinity ? kLarge : -kLarge;
}

static TypedAttr numberAttribute(OpBuilder &builder, Type type, double number) {
  return builder.getFloatAttr(type, number);
}

static TypedAttr numberAttribute(OpBuilder &builder, Type type, Filler filler) {
  if (const auto integer = dyn_cast<IntegerType>(type))
    return builder.getIntegerAttr(type, integerFor(filler, integer.getWidth()));
  return numberAttribute(builder, type, numberOf(filler));
}

/// `number`: a number of a load of floats, or a `Filler`.
template <typename T> static void setOther(tt::LoadOp load, T number) {
  OpBuilder builder(load);
  const Type type = load.getOther().getType();
  const TypedAttr element = numberAttribute(builder, getElementTypeOrSelf(type), number);
  TypedAttr value = element;
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, element);
  load.getOtherMutable().assign(arith::ConstantOp::create(builder, load.getLoc(), value));
}

/// Changes what a reduction takes in for what the mask of the load leaves out, and nothing else.
template <typename T> static void refill(tt::LoadOp load, Operation *reduction, T number) {
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  auto copy = cast<tt::LoadOp>(builder.clone(*load));
  setOther(copy, number);
  RemadeValues values;
  values.put(load.getResult(), copy.getResult());
  for (OpOperand &operand : reduction->getOpOperands())
    operand.set(values.remade(operand.get()));
}

static OwningOpRef<ModuleOp> refilled(ModuleOp module, const CountedFiller &filler,
                                      Filling filling) {
  IRMapping mapping;
  OwningOpRef<ModuleOp> changed(cast<ModuleOp>(module->clone(mapping)));
  for (const UnfitReduction &unfit : filler.unfit) {
    auto load = cast<tt::LoadOp>(mapping.lookup(unfit.load));
    Operation *reduction = mapping.lookup(unfit.reduction);
    const std::optional<double> number = unfitNumber(unfit);
    if (filling == Filling::NeutralForAll)
      setOther(load, unfit.needed);
    else if (filling == Filling::Neutral)
      refill(load, reduction, unfit.needed);
    else if (number)
      refill(load, reduction, *number);
  }
  return changed;
}

namespace {
/// The programs of a launch that are run, and on what.
struct Sample {
  InterpreterLaunch launch;
  InterpreterOptions options;
  std::vector<uint64_t> programs;
};
} // namespace

/// The programs at the corners of the grid: padding is at the ends of rows and columns.
static std::vector<uint64_t> cornerPrograms(const std::array<int32_t, 3> &grid) {
  std::set<uint64_t> corners;
  for (const int64_t z : {0, grid[2] - 1})
    for (const int64_t y : {0, grid[1] - 1})
      for (const int64_t x : {0, grid[0] - 1})
        corners.insert(static_cast<uint64_t>(x + grid[0] * (y + grid[1] * z)));
  return {corners.begin(), corners.end()};
}

/// Nothing: some programs alone tell nothing, or there is too much memory.
static std::optional<Sample> sampleOf(tt::FuncOp kernel, ModuleOp module,
                                      const InterpreterLaunch &launch,
                                      const InterpreterOptions &options) {
  if (!kernel || kernel.getNumArguments() != launch.arguments.size() ||
      std::ranges::any_of(launch.grid, [](int32_t extent) { return extent < 1; }))
    return std::nullopt;
  const std::vector<interpreter::ArgumentUse> uses = interpreter::argumentUses(kernel, module);
  size_t bytes = 0;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (uses[i].isAwaited || uses[i].isLookedAt)
      return std::nullopt;
    bytes += launch.arguments[i].sizeBytes;
  }
  if (bytes > kMostCopiedBytes)
    return std::nullopt;
  Sample sample{launch, options, cornerPrograms(launch.grid)};
  sample.launch.watches.clear();
  for (InterpreterArgument &argument : sample.launch.arguments)
    argument.countUnwritten = false;
  sample.options.findRaces = sample.options.findUndefined = false;
  sample.options.maxPrints = 0;
  sample.options.progress = nullptr;
  sample.options.repeats = 0;
  return sample;
}

/// What the programs leave; nothing where one does not come to its end.
static std::optional<Memory> leaveMemory(ModuleOp module, const Sample &sample) {
  InterpreterLaunch launch = sample.launch;
  Memory memory(launch.arguments.size());
  // Two arguments may share memory.
  std::map<std::byte *, std::byte *> copies;
  for (size_t i = 0; i < memory.size(); ++i) {
    InterpreterArgument &argument = launch.arguments[i];
    if (!argument.data)
      continue;
    const auto [copy, isNew] = copies.try_emplace(argument.data, nullptr);
    if (isNew) {
      memory[i].assign(argument.data, argument.data + argument.sizeBytes);
      copy->second = memory[i].data();
    }
    argument.data = copy->second;
  }
  InterpreterOptions options = sample.options;
  const interpreter::Deadline deadline(sample.options.stop, kLongestRun);
  options.stop = deadline.token();
  const Interpretation run = interpretPrograms(module, launch, options, sample.programs);
  if (!run.completed)
    return std::nullopt;
  return memory;
}

static double floatAt(std::span<const std::byte> bytes, size_t index, FloatType type) {
  const size_t size = type.getWidth() / 8;
  uint64_t bits = 0;
  std::copy_n(bytes.data() + index * size, size, reinterpret_cast<std::byte *>(&bits));
  return llvm::APFloat(type.getFloatSemantics(), llvm::APInt(type.getWidth(), bits))
      .convertToDouble();
}

/// Whether floats are further apart than sums of other roundings; nothing where those of the first run are none.
static std::optional<bool> floatsDiffer(std::span<const std::byte> left,
                                        std::span<const std::byte> right, FloatType type) {
  const double tolerance = type.getWidth() < 32 ? 2e-2 : 1e-4;
  const size_t size = type.getWidth() / 8;
  double largest = 0, apart = 0;
  for (size_t i = 0; i < left.size() / size; ++i) {
    if (std::ranges::equal(left.subspan(i * size, size), right.subspan(i * size, size)))
      continue;
    const double a = floatAt(left, i, type), b = floatAt(right, i, type);
    if (!std::isfinite(a))
      return std::nullopt;
    if (!std::isfinite(b))
      return true;
    largest = std::max({largest, std::abs(a), std::abs(b)});
    apart = std::max(apart, std::abs(a - b));
  }
  return apart > tolerance * largest;
}

/// Of other types: elements that are equal but for their last digits may be found in another order.
static bool wordsDiffer(std::span<const std::byte> before, std::span<const std::byte> left,
                        std::span<const std::byte> right, size_t size) {
  constexpr int64_t kLeastShare = 20;
  int64_t numDifferent = 0, numWritten = 0;
  for (size_t begin = 0; begin + size <= left.size(); begin += size) {
    const auto word = left.subspan(begin, size);
    numWritten += !std::ranges::equal(before.subspan(begin, size), word);
    numDifferent += !std::ranges::equal(right.subspan(begin, size), word);
  }
  return numDifferent > 0 && kLeastShare * numDifferent >= numWritten;
}

/// Whether two runs leave different results; nothing where that cannot be told.
static std::optional<bool> differ(tt::FuncOp kernel, const Sample &sample, const Memory &left,
                                  const Memory &right) {
  bool areDifferent = false;
  for (size_t i = 0; i < left.size(); ++i) {
    auto pointer = dyn_cast<tt::PointerType>(kernel.getArgument(i).getType());
    if (!pointer || left[i] == right[i])
      continue;
    const Type element = pointer.getPointeeType();
    auto type = dyn_cast<FloatType>(element);
    if (type && type.getWidth() >= 16) {
      const std::optional<bool> floats = floatsDiffer(left[i], right[i], type);
      if (!floats)
        return std::nullopt;
      areDifferent |= *floats;
      continue;
    }
    const InterpreterArgument &argument = sample.launch.arguments[i];
    const size_t size = element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 1;
    areDifferent |= wordsDiffer({argument.data, argument.sizeBytes}, left[i], right[i], size);
  }
  return areDifferent;
}

static bool isInDoubt(const CountedFiller &filler) {
  return !filler.isCertain && !filler.unfit.empty() &&
         std::ranges::all_of(filler.unfit, [](const UnfitReduction &unfit) {
           const Type element =
               getElementTypeOrSelf(cast<tt::LoadOp>(unfit.load).getOther().getType());
           return element.isIntOrFloat() &&
                  element.getIntOrFloatBitWidth() >= (isa<FloatType>(element) ? 16u : 8u);
         });
}

static void tryFiller(ModuleOp module, tt::FuncOp kernel, const Sample &sample,
                      CountedFiller &filler) {
  const auto left = [&](Filling filling) {
    const OwningOpRef<ModuleOp> changed = refilled(module, filler, filling);
    return leaveMemory(*changed, sample);
  };
  const std::optional<Memory> neutral = left(Filling::Neutral), unfit = left(Filling::Unfit);
  if (!neutral || !unfit || !differ(kernel, sample, *neutral, *unfit).value_or(false))
    return;
  filler.isCertain = true;
  if (!filler.neutral.empty() || filler.needs.size() != 1)
    return;
  // Of the other reductions it is not known what they need.
  const std::optional<Memory> forAll = left(Filling::NeutralForAll);
  if (forAll && !differ(kernel, sample, *neutral, *forAll).value_or(true))
    filler.neutral = *filler.needs.begin();
}

void tryFillers(ModuleOp module, const InterpreterLaunch &launch, const InterpreterOptions &options,
                std::vector<CountedFiller> &fillers) {
  if (std::ranges::none_of(fillers, isInDoubt))
    return;
  tt::FuncOp kernel = interpreter::findKernel(module, options.kernel);
  const std::optional<Sample> sample = sampleOf(kernel, module, launch, options);
  if (!sample)
    return;
  size_t numTried = 0;
  for (CountedFiller &filler : fillers)
    if (isInDoubt(filler) && !options.stop.stop_requested() && ++numTried <= kMostFillers)
      tryFiller(module, kernel, *sample, filler);
}

bool dependsOnOther(ModuleOp module, const InterpreterLaunch &launch,
                    const InterpreterOptions &options, Operation *load, Filler filler) {
  tt::FuncOp kernel = interpreter::findKernel(module, options.kernel);
  const std::optional<Sample> sample = sampleOf(kernel, module, launch, options);
  if (!sample)
    return false;
  IRMapping mapping;
  const OwningOpRef<ModuleOp> changed(cast<ModuleOp>(module->clone(mapping)));
  setOther(cast<tt::LoadOp>(mapping.lookup(load)), filler);
  const std::optional<Memory> other = leaveMemory(*changed, *sample);
  const std::optional<Memory> own = other ? leaveMemory(module, *sample) : std::nullopt;
  return own && differ(kernel, *sample, *other, *own).value_or(false);
}

} // namespace tilescope::compiler
