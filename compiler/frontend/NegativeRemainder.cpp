// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/NegativeRemainder.h"

#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace tilescope::compiler::frontend {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// What an operation that only spreads, reshapes or widens its operand makes of it.
static mlir::Value unspread(mlir::Value value) {
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!mlir::isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, arith::ExtSIOp,
                   arith::TruncIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static std::optional<int64_t> constantOf(mlir::Value value) {
  llvm::APInt number;
  const bool isConstant = mlir::matchPattern(unspread(value), mlir::m_ConstantInt(&number));
  return isConstant && number.getBitWidth() <= 64 ? std::optional(number.getSExtValue())
                                                  : std::nullopt;
}

/// Whether a number is 0 for some element of some program: the first of each.
static bool isZeroFirst(mlir::Value value, int depth = 0) {
  constexpr int kMaxDepth = 16;
  value = unspread(value);
  mlir::Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxDepth)
    return false;
  const auto part = [&](unsigned index) { return isZeroFirst(op->getOperand(index), depth + 1); };
  if (auto range = mlir::dyn_cast<tt::MakeRangeOp>(op))
    return range.getStart() == 0;
  if (mlir::isa<tt::GetProgramIdOp>(op))
    return true;
  if (mlir::isa<arith::AddIOp>(op))
    return part(0) && part(1);
  if (mlir::isa<arith::MulIOp>(op))
    return part(0) || part(1);
  if (mlir::isa<arith::DivSIOp, arith::RemSIOp>(op))
    return part(0);
  return constantOf(value) == 0;
}

/// How far below zero a number begins: 1 for `i - 1`; 0 where it does not, or nothing says so.
static int64_t depthBelowZero(mlir::Value value) {
  auto difference = unspread(value).getDefiningOp<arith::SubIOp>();
  const std::optional<int64_t> less = difference ? constantOf(difference.getRhs()) : std::nullopt;
  return less && *less > 0 && isZeroFirst(difference.getLhs()) ? *less : 0;
}

namespace {
/// A quotient or remainder of what begins below zero, and how far.
struct Division {
  mlir::Operation *op = nullptr;
  int64_t below = 0;
};

/// What a number or an address is the sum of.
struct Addends {
  std::vector<Division> divisions;
  /// All others are 0 for some element, or the array itself.
  bool areOthersZero = true;
};
} // namespace

static std::optional<Division> divisionAt(mlir::Value value) {
  mlir::Operation *op = unspread(value).getDefiningOp();
  const bool isDivision = op && mlir::isa<arith::DivSIOp, arith::RemSIOp>(op);
  const int64_t below = isDivision ? depthBelowZero(op->getOperand(0)) : 0;
  return below > 0 ? std::optional(Division{op, below}) : std::nullopt;
}

static void addAddends(mlir::Value value, Addends &addends, int depth = 0) {
  constexpr int kMaxDepth = 16;
  value = unspread(value);
  mlir::Operation *op = value.getDefiningOp();
  const auto add = [&](const std::optional<Division> &division) {
    if (division)
      addends.divisions.push_back(*division);
    return division.has_value();
  };
  if (op && depth < kMaxDepth && mlir::isa<arith::AddIOp, tt::AddPtrOp>(op)) {
    addAddends(op->getOperand(0), addends, depth + 1);
    addAddends(op->getOperand(1), addends, depth + 1);
  } else if (op && depth < kMaxDepth && mlir::isa<arith::SIToFPOp, arith::TruncFOp>(op)) {
    addAddends(op->getOperand(0), addends, depth + 1);
  } else if (op && mlir::isa<arith::MulIOp>(op) &&
             (add(divisionAt(op->getOperand(0))) || add(divisionAt(op->getOperand(1))))) {
    // A multiple of it begins below zero, too.
  } else if (!add(divisionAt(value))) {
    const bool isArray = !op && mlir::isa<tt::PointerType>(value.getType());
    addends.areOthersZero &= isArray || isZeroFirst(value);
  }
}

/// Whether a mask compares numbers with what they are below, and nothing else: it lets those below zero through.
static bool isUpperBound(mlir::Value mask, int depth = 0) {
  constexpr int kMaxDepth = 16;
  mask = unspread(mask);
  mlir::Operation *op = mask.getDefiningOp();
  if (!op || depth > kMaxDepth)
    return false;
  if (mlir::isa<arith::AndIOp>(op))
    return isUpperBound(op->getOperand(0), depth + 1) && isUpperBound(op->getOperand(1), depth + 1);
  auto comparison = mlir::dyn_cast<arith::CmpIOp>(op);
  const bool isBelow = comparison && (comparison.getPredicate() == arith::CmpIPredicate::slt ||
                                      comparison.getPredicate() == arith::CmpIPredicate::sle);
  return isBelow && !constantOf(comparison.getLhs());
}

/// Whether a condition at run time decides on the access: while a branch is being emitted, it belongs to nothing yet.
static bool isConditional(BuiltinCall &access) {
  mlir::Operation *around = access.ops.builder.getInsertionBlock()->getParentOp();
  while (around && !mlir::isa<tt::FuncOp, scf::IfOp, scf::WhileOp>(around))
    around = around->getParentOp();
  return !around || !mlir::isa<tt::FuncOp>(around);
}

/// Where an operation is written, in the function being emitted; nothing where it is elsewhere.
static std::optional<SourceRange> placeOf(Emitter &emitter, mlir::Operation *op) {
  mlir::Location location = op->getLoc();
  if (auto named = mlir::dyn_cast<mlir::NameLoc>(location))
    location = named.getChildLoc();
  const auto place = mlir::dyn_cast<mlir::FileLineColRange>(location);
  if (!place || place.getFilename() != emitter.modules().path(0) || place.getStartLine() == 0)
    return std::nullopt;
  return SourceRange{{place.getStartLine() - 1, place.getStartColumn() - 1},
                     {place.getEndLine() - 1, place.getEndColumn() - 1},
                     0};
}

/// The same remainder as Python has it, for a positive divisor.
static std::string asInPython(Emitter &emitter, const ast::BinOp &code, const Division &division) {
  const Frame &frame = emitter.frame();
  const auto text = [&](const ast::Expr &part) {
    return std::string(sourceText(frame, emitter.fileRange(part.range)));
  };
  const std::string left = text(*code.left);
  const bool isWhole = ast::is<ast::Name>(code.right) || ast::is<ast::Constant>(code.right);
  const std::string right = isWhole ? text(*code.right) : "(" + text(*code.right) + ")";
  const std::optional<int64_t> divisor = constantOf(division.op->getOperand(1));
  // One divisor is enough where no more than that is missing.
  if (division.below == 1 || (divisor && *divisor >= division.below))
    return "(" + left + " + " + right + ") % " + right;
  const std::string whole = ast::is<ast::Name>(code.left) ? left : "(" + left + ")";
  return "(" + whole + " % " + right + " + " + right + ") % " + right;
}

namespace {
/// What is said of the divisions of one value.
struct DivisionReport {
  Severity severity = Severity::Warning;
  /// Quotients, too.
  bool hasQuotients = false;
  std::string consequence;
};
} // namespace

static void tellDivisions(BuiltinCall &access, const std::vector<Division> &divisions,
                          const DivisionReport &told) {
  Emitter &emitter = access.emitter;
  const Frame &frame = emitter.frame();
  for (const Division &division : divisions) {
    const bool isRemainder = mlir::isa<arith::RemSIOp>(division.op);
    const std::optional<SourceRange> range = placeOf(emitter, division.op);
    const auto *code = range ? nodeAt<ast::BinOp>(*frame.function, *range) : nullptr;
    const std::string text(range ? sourceText(frame, *range) : std::string_view());
    const ast::BinaryOpKind kind =
        isRemainder ? ast::BinaryOpKind::Mod : ast::BinaryOpKind::FloorDiv;
    if (!code || code->op != kind || text.empty() || (!isRemainder && !told.hasQuotients))
      continue;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::BadArgument;
    diagnostic.severity = told.severity;
    diagnostic.range = *range;
    diagnostic.message =
        "`" + text + "` begins below zero" +
        (isRemainder ? ", and `%` in a kernel keeps the sign of what is divided, unlike Python's"
                     : ", and `//` in a kernel rounds toward zero, where Python's rounds down") +
        told.consequence;
    if (isRemainder)
      diagnostic.fixes = rewriteFix(frame, *range, *range, asInPython(emitter, *code, division));
    emitter.report(std::move(diagnostic));
  }
}

static std::vector<Division> divisionsThrough(BuiltinCall &access, const Tensor &value,
                                              const std::optional<Tensor> &mask) {
  const Frame &frame = access.emitter.frame();
  const bool mayLeaveOut = (mask && !isUpperBound(mask->handle)) || isConditional(access);
  if (!frame.function || frame.caller || mayLeaveOut)
    return {};
  Addends addends;
  addAddends(value.handle, addends);
  return addends.areOthersZero ? std::move(addends.divisions) : std::vector<Division>();
}

void warnNegativeAddress(BuiltinCall &access, const Tensor &pointer,
                         const std::optional<Tensor> &mask) {
  tellDivisions(access, divisionsThrough(access, pointer, mask),
                {Severity::Warning, false, ": the address is in front of the array"});
}

void noteRoundedValue(BuiltinCall &store, const Tensor &value, const std::optional<Tensor> &mask) {
  tellDivisions(store, divisionsThrough(store, value, mask), {Severity::Note, true, ""});
}

} // namespace tilescope::compiler::frontend
