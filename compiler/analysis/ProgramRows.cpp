// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/ProgramRows.h"

#include "compiler/analysis/NumberParts.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <utility>

using namespace mlir;

namespace tilescope::compiler {

static bool keepsIndex(Operation *op) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, arith::AddIOp,
             arith::SubIOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp>(op);
}

/// Whether anything but an address is made of an index: a mask, a remainder, a block pointer.
static bool isLimited(Value index) {
  return llvm::any_of(index.getUsers(), [](Operation *user) {
    return keepsIndex(user) ? isLimited(user->getResult(0)) : !isa<tt::AddPtrOp>(user);
  });
}

/// Whether an index that a value is a term of is compared.
static bool isMasked(Value term) {
  return llvm::any_of(term.getUsers(), [](Operation *user) {
    return isa<arith::CmpIOp>(user) || (keepsIndex(user) && isMasked(user->getResult(0)));
  });
}

bool isLimitedProduct(Value product) {
  return llvm::any_of(product.getUsers(), [](Operation *user) {
    return keepsIndex(user) || isa<arith::MulIOp>(user) ? isLimitedProduct(user->getResult(0))
                                                        : !isa<tt::AddPtrOp>(user);
  });
}

/// The argument by which the other part of a sum is multiplied.
static std::optional<unsigned> rowLength(OpOperand &part, const IndexBounds &bounds) {
  Operation *sum = part.getOwner();
  auto product =
      withoutCasts(sum->getOperand(1 - part.getOperandNumber())).getDefiningOp<arith::MulIOp>();
  if (!product)
    return std::nullopt;
  const std::optional<unsigned> right = bounds.argumentOf(product.getRhs());
  return right ? right : bounds.argumentOf(product.getLhs());
}

/// The argument that a value is, but for constants that are taken away: `n` of `n - 1`.
static std::optional<unsigned> argumentWithout(Value value, const IndexBounds &bounds) {
  value = withoutCasts(value);
  if (Operation *op = value.getDefiningOp();
      isa_and_nonnull<arith::SubIOp, arith::AddIOp>(op) && constantOf(op->getOperand(1)))
    return argumentWithout(op->getOperand(0), bounds);
  return bounds.argumentOf(value);
}

/// Whether a value is made of numbers of programs and of constants alone.
static bool isProgram(Value value) {
  value = withoutCasts(value);
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return isProgram(sum.getLhs()) && isProgram(sum.getRhs());
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return constantOf(product.getRhs()) && isProgram(product.getLhs());
  return value.getDefiningOp<tt::GetProgramIdOp>() != nullptr;
}

/// The constant by which the other part of a sum multiplies the number of a program, where nothing limits the sum: they
/// are digits of the number of a row. 0: it does not.
static int64_t radixBeside(OpOperand &part) {
  Operation *sum = part.getOwner();
  const Value other = sum->getOperand(1 - part.getOperandNumber());
  const int64_t radix = constantFactor(other);
  return radix > 1 && isProgram(other) && sum->getResult(0).getType().isInteger() &&
                 !isLimitedProduct(sum->getResult(0))
             ? radix
             : 0;
}

/// The same where both are added to a pointer.
static int64_t radixBefore(tt::AddPtrOp addition) {
  auto before = addition.getPtr().getDefiningOp<tt::AddPtrOp>();
  if (!before)
    return 0;
  const int64_t radix = constantFactor(before.getOffset());
  return radix > 1 && isProgram(before.getOffset()) ? radix : radixBefore(before);
}

static bool isProgramId(Value value) {
  return withoutCasts(value).getDefiningOp<tt::GetProgramIdOp>() != nullptr;
}

/// Whether the number of a program is added to a product, next to it, and nothing limits the sum.
static bool addsDigit(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto addition = dyn_cast<tt::AddPtrOp>(user))
    return llvm::any_of(addition->getUsers(), [&](Operation *next) {
      auto digit = dyn_cast<tt::AddPtrOp>(next);
      return digit && digit.getPtr() == addition && isProgramId(digit.getOffset());
    });
  return isa<arith::AddIOp>(user) && user->getResult(0).getType().isInteger() &&
         isProgramId(user->getOperand(1 - use.getOperandNumber())) &&
         !isLimitedProduct(user->getResult(0));
}

/// Whether a product is the first digit of a row's number, and otherwise at most an offset.
static bool isFirstDigit(Value product) {
  bool isDigit = false;
  for (OpOperand &use : product.getUses()) {
    Operation *user = use.getOwner();
    if (addsDigit(use) ||
        (isa<arith::MulIOp>(user) && constantOf(user->getOperand(1 - use.getOperandNumber())) &&
         isFirstDigit(user->getResult(0))))
      isDigit = true;
    else if (!isa<tt::AddPtrOp>(user) && (!keepsIndex(user) || isLimited(user->getResult(0))))
      return false;
  }
  return isDigit;
}

/// Calls a function with each sum that a value is a part of, whatever shape it takes on the way.
static void forEachSum(Value part, llvm::function_ref<void(Value)> visit) {
  for (Operation *user : part.getUsers()) {
    const bool isSum = isa<arith::AddIOp>(user);
    if (isSum)
      visit(user->getResult(0));
    if (isSum ||
        (user->getNumResults() == 1 && withoutCasts(user->getResult(0)) != user->getResult(0)))
      forEachSum(user->getResult(0), visit);
  }
}

namespace {
/// The lengths of a row and of the blocks that fill it.
struct FilledRow {
  int64_t row = 0, block = 0;
};
} // namespace

/// Two numbers of programs and a range in a sum that nothing ends, of which one counts rows and the other one blocks
/// that fill them: `row * HEADS + number * GROUP + tl.arange(0, GROUP)`.
static std::optional<FilledRow> filledRow(Value sum) {
  const SmallVector<Value> parts = partsOfSum(sum);
  if (parts.size() != 3 || isCompared(sum))
    return std::nullopt;
  FilledRow filled;
  int64_t range = 0;
  for (const Value part : parts)
    if (auto elements = part.getDefiningOp<tt::MakeRangeOp>())
      range = elements.getStart() == 0 ? elements.getEnd() : 0;
    else if (isProgram(part))
      (filled.row == 0 ? filled.row : filled.block) = constantFactor(part);
  if (filled.row < filled.block)
    std::swap(filled.row, filled.block);
  const bool isFilled = range > 1 && range == filled.block && filled.row > filled.block &&
                        filled.row % filled.block == 0;
  return isFilled ? std::optional(filled) : std::nullopt;
}

namespace {
struct Uses {
  std::set<int64_t> lengths;
  /// Those of products that are multiplied by arguments at once: 4 of `number * 4 * H * W`.
  std::set<int64_t> times;
  bool hasVariableLength = false;
  bool isLimited = false;
  /// Of the lengths those of products in indices that something is compared with.
  std::set<int64_t> masked;
  /// The same of products with arguments.
  bool isLimitedVariable = false;
  /// It is an offset by itself.
  bool isOffset = false;
  std::optional<unsigned> end;
  int64_t radix = 0;
  bool isFirstDigit = false;
  int64_t blockInRow = 0;
};
} // namespace

/// Whether all that is made of a product is products with arguments.
static bool isTimesArguments(Value product, const IndexBounds &bounds) {
  return !product.use_empty() && llvm::all_of(product.getUses(), [&](OpOperand &use) {
    auto again = dyn_cast<arith::MulIOp>(use.getOwner());
    return again && bounds.argumentOf(again->getOperand(1 - use.getOperandNumber()));
  });
}

/// Notes what a product with a constant counts in a row that blocks fill. False: in none.
static bool collectFilled(Value product, int64_t length, Uses &uses) {
  bool isFound = false;
  forEachSum(product, [&](Value sum) {
    const std::optional<FilledRow> filled = filledRow(sum);
    if (!filled || (length != filled->row && length != filled->block))
      return;
    isFound = true;
    if (length == filled->row) {
      uses.isFirstDigit = true;
    } else {
      uses.blockInRow = filled->block;
      uses.radix = std::max(uses.radix, filled->row / filled->block);
    }
  });
  return isFound;
}

static void collect(Value number, const IndexBounds &bounds, Uses &uses) {
  for (OpOperand &use : number.getUses()) {
    Operation *user = use.getOwner();
    if (isa<arith::MulIOp>(user)) {
      const std::optional<int64_t> length =
          constantOf(user->getOperand(1 - use.getOperandNumber()));
      uses.hasVariableLength |= !length;
      if (!length) {
        uses.isLimitedVariable |= isLimitedProduct(user->getResult(0));
      } else if (isTimesArguments(user->getResult(0), bounds)) {
        uses.times.insert(*length);
      } else if (isFirstDigit(user->getResult(0))) {
        uses.isFirstDigit = true;
      } else if (!isLimited(user->getResult(0)) ||
                 !collectFilled(user->getResult(0), *length, uses)) {
        uses.lengths.insert(*length);
        uses.isLimited |= isLimited(user->getResult(0));
        if (isMasked(user->getResult(0)))
          uses.masked.insert(*length);
      }
    } else if (isa<arith::SubIOp>(user) && use.getOperandNumber() == 1) {
      if (const std::optional<unsigned> end = argumentWithout(user->getOperand(0), bounds))
        uses.end = end;
    } else if (isa<arith::AddIOp>(user)) {
      if (const std::optional<unsigned> length = rowLength(use, bounds))
        uses.end = length;
      else
        uses.radix = std::max(uses.radix, radixBeside(use));
    } else if (isa<tt::AddPtrOp>(user)) {
      uses.isOffset = true;
      if (use.getOperandNumber() == 1)
        uses.radix = std::max(uses.radix, radixBefore(cast<tt::AddPtrOp>(user)));
    } else if (user->getNumResults() == 1 &&
               withoutCasts(user->getResult(0)) != user->getResult(0)) {
      collect(user->getResult(0), bounds, uses);
    }
  }
}

ProgramRows programRows(Value programId, const IndexBounds &bounds) {
  Uses uses;
  collect(programId, bounds, uses);
  ProgramRows rows;
  // Beside `number * H * W`, whatever constant it is multiplied by elsewhere is how many such rows there are.
  rows.isScaled = uses.hasVariableLength && !uses.times.empty() && uses.lengths.empty() &&
                  !uses.isLimitedVariable;
  if (!uses.hasVariableLength && !uses.times.empty()) {
    uses.lengths.merge(uses.times);
    uses.isLimited = true;
  }
  // An argument says more.
  rows.radix = uses.end ? 0 : uses.radix;
  if (uses.isLimited) {
    rows.blockSide = uses.lengths.size() == 1 ? *uses.lengths.begin() : 0;
    if (uses.lengths.size() == 2 && uses.masked.size() == 1) {
      rows.blockSide = *uses.masked.begin();
      uses.lengths.erase(rows.blockSide);
      rows.rowBeside = *uses.lengths.begin();
    }
    return rows;
  }
  rows.end = uses.end;
  rows.blockInRow = rows.radix > 1 ? uses.blockInRow : 0;
  rows.isVariable = uses.hasVariableLength && !uses.isLimitedVariable && uses.lengths.empty();
  rows.isRow = rows.isScaled || uses.end || rows.radix > 1 || uses.isFirstDigit ||
               uses.lengths.size() > 1 ||
               ((uses.hasVariableLength || uses.isOffset) && !uses.lengths.empty());
  return rows;
}

bool isScaledNumber(Value value, const IndexBounds &bounds) {
  auto number = withoutCasts(value).getDefiningOp<arith::MulIOp>();
  const Value program = number ? withoutCasts(number.getLhs()) : Value();
  return program && constantOf(number.getRhs()) && program.getDefiningOp<tt::GetProgramIdOp>() &&
         programRows(program, bounds).isScaled;
}

} // namespace tilescope::compiler
