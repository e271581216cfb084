// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CombineOrder.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/IrText.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <optional>
#include <random>
#include <string>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// Numbers that the function is tried on at once.
constexpr int64_t kTrials = 64;
/// Of a float of 16 bits, and more than rounding in another order makes of a few numbers.
constexpr double kTolerance = 1e-2;

/// Of the operands that are flags, 0 or 1, a bit each. Functions know which of their operands are, also among floats.
using FlagSet = uint32_t;
/// With more operands, only whole numbers may be flags, all at once.
constexpr size_t kMostSets = 16;

/// Where a trial's numbers lie, one block behind another, for each operand of the function: those that are combined, and
/// what becomes of them.
enum Part { kA, kB, kC, kLeftFirst, kRightFirst, kExchanged, kInOrder, kNumParts };

using Numbers = std::vector<std::array<uint32_t, kTrials * kNumParts>>;

struct Difference {
  bool isCommutativity = false;
  /// Which numbers are combined, of which operand the result differs.
  size_t trial = 0, operand = 0;
};

} // namespace

static bool isFloat(Type type) { return isa<FloatType>(type); }

static bool isTried(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() >= 16);
}

static Value converted(OpBuilder &b, Location loc, Value value, Type element) {
  const auto from = cast<RankedTensorType>(value.getType());
  const auto to = RankedTensorType::get(from.getShape(), element);
  const unsigned had = from.getElementTypeBitWidth(), has = element.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (isFloat(element))
    return has < had ? arith::TruncFOp::create(b, loc, to, value).getResult()
                     : arith::ExtFOp::create(b, loc, to, value).getResult();
  return has < had ? arith::TruncIOp::create(b, loc, to, value).getResult()
                   : arith::ExtSIOp::create(b, loc, to, value).getResult();
}

/// In memory all numbers have 32 bits.
static Type storedType(OpBuilder &b, Type element) {
  return isFloat(element) ? Type(b.getF32Type()) : Type(b.getI32Type());
}

namespace {
/// A kernel of one program that combines numbers in several orders with the function of a reduction or a scan.
class Trial {
public:
  Trial(Region &function, ArrayRef<Type> elements)
      : m_function(function), m_elements(elements), m_loc(function.getLoc()),
        m_builder(function.getContext()) {}

  /// Null: the function needs more than its operands and constants.
  OwningOpRef<ModuleOp> make();

private:
  Value pointers(size_t operand, Part part);
  SmallVector<Value> load(Part part);
  void store(Part part, ArrayRef<Value> values);
  SmallVector<Value> combine(ArrayRef<Value> left, ArrayRef<Value> right);
  bool copyConstants();

  Region &m_function;
  ArrayRef<Type> m_elements;
  Location m_loc;
  OpBuilder m_builder;
  tt::FuncOp m_kernel;
  IRMapping m_constants;
};
} // namespace

Value Trial::pointers(size_t operand, Part part) {
  OpBuilder &b = m_builder;
  const auto places = RankedTensorType::get({kTrials}, b.getI32Type());
  const Value base = m_kernel.getArgument(static_cast<unsigned>(operand));
  const Value all =
      tt::SplatOp::create(b, m_loc, RankedTensorType::get({kTrials}, base.getType()), base);
  const Value index = tt::MakeRangeOp::create(b, m_loc, places, 0, static_cast<int32_t>(kTrials));
  const auto first = DenseElementsAttr::get(
      cast<ShapedType>(places), b.getI32IntegerAttr(static_cast<int32_t>(part * kTrials)));
  const Value place =
      arith::AddIOp::create(b, m_loc, index, arith::ConstantOp::create(b, m_loc, first));
  return tt::AddPtrOp::create(b, m_loc, all.getType(), all, place);
}

SmallVector<Value> Trial::load(Part part) {
  SmallVector<Value> values;
  for (size_t i = 0; i < m_elements.size(); ++i)
    values.push_back(converted(
        m_builder, m_loc, tt::LoadOp::create(m_builder, m_loc, pointers(i, part)), m_elements[i]));
  return values;
}

void Trial::store(Part part, ArrayRef<Value> values) {
  for (size_t i = 0; i < values.size(); ++i)
    tt::StoreOp::create(
        m_builder, m_loc, pointers(i, part),
        converted(m_builder, m_loc, values[i], storedType(m_builder, m_elements[i])), Value(),
        tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL);
}

/// A reduction of pairs.
SmallVector<Value> Trial::combine(ArrayRef<Value> left, ArrayRef<Value> right) {
  OpBuilder &b = m_builder;
  SmallVector<Value> pairs;
  for (auto [first, second] : llvm::zip(left, right))
    pairs.push_back(tt::JoinOp::create(b, m_loc, first, second));
  auto reduction = tt::ReduceOp::create(b, m_loc, pairs, 1);
  IRMapping mapping = m_constants;
  m_function.cloneInto(&reduction.getCombineOp(), mapping);
  Operation *end = reduction.getCombineOp().front().getTerminator();
  if (isa<tt::ScanReturnOp>(end)) {
    OpBuilder inside(end);
    tt::ReduceReturnOp::create(inside, m_loc, end->getOperands());
    end->erase();
  }
  return llvm::to_vector_of<Value>(reduction.getResults());
}

bool Trial::copyConstants() {
  bool isPossible = true;
  m_function.walk([&](Operation *op) {
    isPossible &= !isa<tt::CallOp>(op);
    for (Value operand : op->getOperands()) {
      if (m_function.isAncestor(operand.getParentRegion()) || m_constants.contains(operand))
        continue;
      Operation *constant = operand.getDefiningOp();
      isPossible &= constant && constant->hasTrait<OpTrait::ConstantLike>();
      if (isPossible)
        m_builder.clone(*constant, m_constants);
    }
  });
  return isPossible;
}

OwningOpRef<ModuleOp> Trial::make() {
  OpBuilder &b = m_builder;
  OwningOpRef<ModuleOp> module = ModuleOp::create(m_loc);
  b.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> arguments;
  for (Type element : m_elements)
    arguments.push_back(tt::PointerType::get(storedType(b, element), 1));
  m_kernel = tt::FuncOp::create(b, m_loc, "trial", b.getFunctionType(arguments, {}));
  m_kernel.setPublic();
  b.setInsertionPointToEnd(m_kernel.addEntryBlock());
  if (!copyConstants())
    return {};
  const SmallVector<Value> x = load(kA), y = load(kB), z = load(kC);
  const SmallVector<Value> inOrder = combine(x, y);
  store(kLeftFirst, combine(inOrder, z));
  store(kRightFirst, combine(x, combine(y, z)));
  store(kExchanged, combine(y, x));
  store(kInOrder, inOrder);
  tt::ReturnOp::create(b, m_loc);
  return module;
}

/// Positive numbers, of which no two that are combined are equal, except for flags.
static Numbers numbersFor(ArrayRef<Type> elements, FlagSet flags) {
  std::mt19937 random(20);
  Numbers numbers(elements.size());
  for (size_t i = 0; i < elements.size(); ++i)
    for (int64_t trial = 0; trial < kTrials; ++trial) {
      std::array<uint32_t, 8> places{0, 1, 2, 3, 4, 5, 6, 7};
      std::ranges::shuffle(places, random);
      for (int64_t part : {kA, kB, kC}) {
        // Eighths, which all types hold exactly.
        const uint32_t place = places[static_cast<size_t>(part)];
        const float number =
            0.5F + static_cast<float>(place) / 2 + static_cast<float>(random() % 4) / 8;
        const bool isFlag = (flags >> i & 1) != 0, isSet = isFlag && random() % 2 != 0;
        numbers[i][static_cast<size_t>(part * kTrials + trial)] =
            isFloat(elements[i])
                ? std::bit_cast<uint32_t>(isFlag ? static_cast<float>(isSet) : number)
            : isFlag ? static_cast<uint32_t>(isSet)
                     : place;
      }
    }
  return numbers;
}

static double numberAt(const Numbers &numbers, Type element, size_t operand, Part part,
                       size_t trial) {
  const uint32_t bits = numbers[operand][static_cast<size_t>(part) * kTrials + trial];
  return isFloat(element) ? static_cast<double>(std::bit_cast<float>(bits))
                          : static_cast<double>(static_cast<int32_t>(bits));
}

static bool differs(double a, double b, bool isFloating) {
  if (!std::isfinite(a) || !std::isfinite(b))
    return false;
  return isFloating ? std::abs(a - b) > kTolerance * std::max(std::abs(a), std::abs(b)) : a != b;
}

static std::optional<Difference> differenceIn(const Numbers &numbers, ArrayRef<Type> elements,
                                              bool mayExchange) {
  for (bool isCommutativity : {false, true}) {
    if (isCommutativity && mayExchange)
      break;
    const Part one = isCommutativity ? kExchanged : kLeftFirst,
               other = isCommutativity ? kInOrder : kRightFirst;
    for (size_t operand = 0; operand < elements.size(); ++operand)
      for (size_t trial = 0; trial < kTrials; ++trial)
        if (differs(numberAt(numbers, elements[operand], operand, one, trial),
                    numberAt(numbers, elements[operand], operand, other, trial),
                    isFloat(elements[operand])))
          return Difference{isCommutativity, trial, operand};
  }
  return std::nullopt;
}

static bool execute(ModuleOp trial, Numbers &numbers) {
  InterpreterLaunch launch;
  for (auto &block : numbers)
    launch.arguments.push_back({.name = "numbers",
                                .data = reinterpret_cast<std::byte *>(block.data()),
                                .sizeBytes = sizeof(block)});
  InterpreterOptions options;
  options.numThreads = 1;
  options.findRaces = options.findUndefined = false;
  const Interpretation run = interpret(trial, launch, options);
  return run.completed && run.findings.empty();
}

static std::string textOf(const Numbers &numbers, ArrayRef<Type> elements, Part part,
                          size_t trial) {
  std::string text;
  for (size_t i = 0; i < elements.size(); ++i) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.5g",
                  numberAt(numbers, elements[i], i, part, trial));
    text += (i == 0 ? "" : ", ") + std::string(number.data());
  }
  return elements.size() > 1 ? "(" + text + ")" : text;
}

static Diagnostic describe(Operation *op, const Numbers &numbers, ArrayRef<Type> elements,
                           const Difference &difference, FileTable &files) {
  const auto text = [&](Part part) { return textOf(numbers, elements, part, difference.trial); };
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunOrder;
  diagnostic.severity = Severity::Warning;
  const std::string a = text(kA), b = text(kB), c = text(kC);
  diagnostic.message =
      std::string("the function of this ") + (isa<tt::ScanOp>(op) ? "scan" : "reduction") +
      (difference.isCommutativity
           ? " is not commutative: f(" + a + ", " + b + ") is " + text(kInOrder) + ", but f(" + b +
                 ", " + a + ") is " + text(kExchanged)
           : " is not associative: f(f(" + a + ", " + b + "), " + c + ") is " + text(kLeftFirst) +
                 ", but f(" + a + ", f(" + b + ", " + c + ")) is " + text(kRightFirst));
  diagnostic.notes = {"a GPU combines the elements in an order that the layout decides, so the "
                      "result may be another one there, and change with `num_warps`"};
  diagnostic.range = documentPlace(op->getLoc(), files);
  return diagnostic;
}

/// None are flags, and then those that may be.
static std::vector<FlagSet> flagSets(ArrayRef<Type> elements) {
  std::vector<FlagSet> sets{0};
  // A flag alone is not one.
  if (elements.size() == 1)
    return sets;
  if (const size_t all = size_t{1} << elements.size(); all <= kMostSets) {
    for (FlagSet flags = 1; flags < all; ++flags)
      sets.push_back(flags);
    return sets;
  }
  FlagSet integers = 0;
  for (size_t i = 0; i < elements.size(); ++i)
    if (!isFloat(elements[i]))
      integers |= FlagSet{1} << i;
  if (integers != 0)
    sets.push_back(integers);
  return sets;
}

/// Nothing: the order does not matter, or it was not tried.
static std::optional<Diagnostic> tryOrders(Operation *op, Region &function, ArrayRef<Type> elements,
                                           FileTable &files) {
  if (!llvm::all_of(elements, isTried))
    return std::nullopt;
  const OwningOpRef<ModuleOp> trial = Trial(function, elements).make();
  if (!trial)
    return std::nullopt;
  std::optional<Diagnostic> found;
  for (const FlagSet flags : flagSets(elements)) {
    Numbers numbers = numbersFor(elements, flags);
    const bool isDone = execute(*trial, numbers);
    const std::optional<Difference> difference =
        isDone ? differenceIn(numbers, elements, isa<tt::ScanOp>(op)) : std::nullopt;
    if (!difference)
      return std::nullopt;
    if (!found)
      found = describe(op, numbers, elements, *difference, files);
  }
  return found;
}

/// Whether it is a single operation that is known to be associative and commutative.
static bool isKnown(Region &function) {
  Block &block = function.front();
  return block.getOperations().size() == 2 && block.front().hasTrait<OpTrait::IsCommutative>();
}

std::vector<Diagnostic> dependentOnOrder(ModuleOp ttir, FileTable &files) {
  std::vector<Diagnostic> found;
  ttir.walk([&](Operation *op) {
    auto reduction = dyn_cast<tt::ReduceOp>(op);
    auto scan = dyn_cast<tt::ScanOp>(op);
    if (!reduction && !scan)
      return;
    Region &function = op->getRegion(0);
    if (isKnown(function))
      return;
    const SmallVector<Type> elements =
        reduction ? reduction.getElementTypes() : scan.getElementTypes();
    if (auto diagnostic = tryOrders(op, function, elements, files))
      if (!llvm::is_contained(found, *diagnostic))
        found.push_back(std::move(*diagnostic));
  });
  return found;
}

} // namespace tilescope::compiler
