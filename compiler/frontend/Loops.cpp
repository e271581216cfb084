// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `for` and `while`. Names that a loop carries from one iteration to the next: LoopNames.h.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Operators.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/LoopNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace scf = mlir::scf;

namespace tilescope::compiler::frontend {

/// More repetitions of unrolled statements than that are taken for a mistake.
static constexpr int64_t kMaxUnrolled = 100000;

Outcome Emitter::unroll(const ast::For &loop, const std::vector<Value> &items) {
  // The rest of the iterations is what follows an iteration that may have returned.
  std::function<Outcome(size_t)> iterate = [&](size_t i) -> Outcome {
    for (; i < items.size(); ++i) {
      checkStop();
      if (++m_numUnrolled > kMaxUnrolled)
        fail(DiagnosticKind::UnrollTooLarge,
             "the loops of this kernel expand to more than " + std::to_string(kMaxUnrolled) +
                 " iterations: use `range` instead of `tl.static_range`");
      assignTo(*loop.target, items[i]);
      Outcome outcome = emitStatements(loop.body);
      if (outcome.kind == Outcome::Kind::Returns)
        return outcome;
      if (outcome.kind == Outcome::Kind::Maybe) {
        auto emitFollowing = [&] { return iterate(i + 1); };
        Rest rest{emitFollowing, false, false, false};
        return continueAfter(std::move(outcome), rest);
      }
    }
    return {};
  };
  return iterate(0);
}

Outcome Emitter::emitFor(const ast::For &loop) {
  if (loop.kind == ast::NodeKind::AsyncFor)
    fail(DiagnosticKind::UnsupportedSyntax, "`async for` is not supported");
  if (!loop.orelse.empty())
    fail(DiagnosticKind::UnsupportedSyntax, "`else` after a loop is not supported");
  if (m_frame->isCompileTime)
    return unroll(loop, items(evaluate(*loop.iter)));
  const auto *call = ast::as<ast::Call>(loop.iter);
  Value iterator = call ? evaluate(*call->func) : Value();
  const constant::Value *callee = iterator.constant();
  if (callee && callee->isBuiltin() && callee->str() == "range") {
    emitRangeLoop(loop, *call, false);
    return {};
  }
  const auto *type = callee ? callee->as<TypeObject>() : nullptr;
  if (type && type->name == "range") {
    emitRangeLoop(loop, *call, true);
    return {};
  }
  if (type && type->name == "static_range") {
    constant::Value::Items bounds;
    for (const CallArgument &argument : evaluateArguments(*call)) {
      if (argument.value.isPoison())
        throw PoisonUsed{};
      const constant::Value *bound = argument.value.constant();
      if (!bound || !(bound->isInt() || bound->isBool()))
        failAt(argument.range, DiagnosticKind::NotConstexpr,
               {"`tl.static_range` needs constexpr integers, got {}", argument.value},
               {"`range` counts at run time"});
      bounds.push_back(*bound);
    }
    return unroll(loop, items(Value(orFail(constant::callBuiltin("range", bounds, {})))));
  }
  failIteration(*this, loop);
}

namespace {
/// What a loop counts through, all of one type. `scf.for` counts upwards: a negative step swaps the
/// bounds, and the index is mirrored.
struct LoopBounds {
  Tensor lower;
  Tensor upper;
  Tensor step;
  bool isMirrored = false;
};
} // namespace

static Tensor loopBound(Emitter &emitter, const Value &value, std::string_view what) {
  Tensor bound = emitter.ops.toTensor(value);
  if (bound.isBlock())
    emitter.fail(DiagnosticKind::TypeMismatch,
                 {"for {} must be a scalar, got {}", what, bound.type});
  if (bound.type.isPointer() || !isInteger(bound.dtype()))
    emitter.fail(
        DiagnosticKind::TypeMismatch,
        {"for loop bounds and step must all be ints, but the {} is `{}`", what, bound.type});
  return bound;
}

static LoopBounds boundsOf(Emitter &emitter, const BuiltinCall &arguments) {
  Value lower = arguments[0], upper = arguments[1], step = arguments[2];
  if (upper.isNone()) {
    upper = lower;
    lower = Value::integer(0);
  }
  if (step.isNone())
    step = Value::integer(1);
  if (step.isNumber() && !constant::truth(*step.constant()))
    emitter.fail(DiagnosticKind::BadArgument,
                 "the step of a loop must not be zero: it would never end");
  const bool isMirrored =
      step.isNumber() && step.constant()->isInt() && step.constant()->integer().isNegative();
  if (isMirrored) {
    step = constant::Value::integer(-step.constant()->integer());
    std::swap(lower, upper);
  }
  LoopBounds bounds{loopBound(emitter, lower, "lower bound"),
                    loopBound(emitter, upper, "upper bound"), loopBound(emitter, step, "step"),
                    isMirrored};
  const ScalarType type{promoteIntegers(promoteIntegers(bounds.lower.dtype(), bounds.upper.dtype()),
                                        bounds.step.dtype())};
  for (Tensor *bound : {&bounds.lower, &bounds.upper, &bounds.step})
    *bound = emitter.ops.cast(*bound, type);
  return bounds;
}

/// Python's `range` has no keywords.
static void dropHints(Emitter &emitter, std::vector<CallArgument> &arguments) {
  std::erase_if(arguments, [&](const CallArgument &argument) {
    if (argument.keyword.empty())
      return false;
    Emitter::Place place(emitter, argument.range);
    emitter.warn(DiagnosticKind::BadCall, "`range` ignores `" + std::string(argument.keyword) +
                                              "`: `tl.range` takes hints for a loop");
    return true;
  });
}

/// Attributes that `tl.range` leaves on the loop for later passes.
static void setLoopHints(TensorOps &ops, scf::ForOp loop, const BuiltinCall &hints) {
  mlir::OpBuilder &builder = ops.builder;
  auto setInteger = [&](size_t parameter, llvm::StringRef name) {
    if (!hints.isNone(parameter))
      loop->setAttr(name,
                    builder.getI32IntegerAttr(static_cast<int32_t>(hints.integer(parameter))));
  };
  auto setFlag = [&](size_t parameter, llvm::StringRef name) {
    if (hints.boolean(parameter))
      loop->setAttr(name, builder.getUnitAttr());
  };
  setInteger(3, tt::kNumStagesAttr);
  setInteger(4, tt::kLoopUnrollFactorAttr);
  setFlag(5, tt::kDisallowAccMultiBufferAttr);
  setFlag(6, tt::kFlattenAttr);
  setFlag(7, tt::kWarpSpecializeAttr);
  if (hints.boolean(8)) {
    namespace llvmir = mlir::LLVM;
    auto licm = llvmir::LoopLICMAttr::get(builder.getContext(), builder.getBoolAttr(true), {});
    loop->setAttr("llvm.loop_annotation",
                  llvmir::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, {}, {}, licm,
                                                  {}, {}, {}, {}, {}, {}, {}, {}, {}));
  }
}

void Emitter::emitRangeLoop(const ast::For &loop, const ast::Call &call, bool hasHints) {
  const auto *target = ast::as<ast::Name>(loop.target);
  if (!target)
    failAt(fileRange(loop.target->range), DiagnosticKind::UnsupportedSyntax,
           "the target of a `for` loop must be a name");
  const Builtin &signature = *findBuiltin(hasHints ? "loop.range" : "loop.plain_range");
  std::vector<CallArgument> given = evaluateArguments(call);
  if (!hasHints)
    dropHints(*this, given);
  BuiltinCall arguments(*this, signature, std::move(given), fileRange(call.range));
  Place place(*this, loop.iter->range);
  const LoopBounds bounds = boundsOf(*this, arguments);
  LoopNames carried(*this, loop, target->id);
  carried.addIndex(loop, bounds.lower);
  auto forOp = scf::ForOp::create(ops.builder, location(), bounds.lower.handle, bounds.upper.handle,
                                  bounds.step.handle, carried.initial());
  if (hasHints)
    setLoopHints(ops, forOp, arguments);
  mlir::Block *body = forOp.getBody();
  // Without carried values the builder has put a terminator.
  if (!body->empty())
    body->back().erase();
  forOp.getInductionVar().setLoc(
      mlir::NameLoc::get(mlir::StringAttr::get(ops.context(), target->id), location()));

  {
    mlir::OpBuilder::InsertionGuard guard(ops.builder);
    ops.builder.setInsertionPointToStart(body);
    Tensor index{forOp.getInductionVar(), bounds.lower.type};
    if (bounds.isMirrored) {
      index = ops.binary(ast::BinaryOpKind::Sub, bounds.upper, index);
      index = ops.binary(ast::BinaryOpKind::Add, index, bounds.lower);
    }
    llvm::SmallVector<mlir::Value> iterArgs(forOp.getRegionIterArgs());
    carried.bind(iterArgs);
    carried.nameLocations(iterArgs);
    // Last: a carried index is what this iteration counts, not what the one before did.
    assignTo(*target, index);
    ++m_frame->loopDepth;
    emitStatements(loop.body);
    --m_frame->loopDepth;
    carried.check();
    ops.create<scf::YieldOp>(carried.current());
  }
  carried.leave(forOp.getResults());
}

void Emitter::emitWhile(const ast::While &loop) {
  if (!loop.orelse.empty())
    fail(DiagnosticKind::UnsupportedSyntax, "`else` after a loop is not supported");
  if (m_frame->isCompileTime) {
    while (constexprTruth(evaluate(*loop.test))) {
      checkStop();
      if (++m_numUnrolled > kMaxUnrolled)
        fail(DiagnosticKind::UnrollTooLarge, "the loop does not end at compile time");
      emitStatements(loop.body);
    }
    return;
  }
  LoopNames carried(*this, loop, {});
  const llvm::SmallVector<mlir::Value> initial = carried.initial();
  llvm::SmallVector<mlir::Type> types(mlir::ValueRange(initial).getTypes());
  llvm::SmallVector<mlir::Location> locations(types.size(), location());
  auto whileOp = scf::WhileOp::create(ops.builder, location(), types, initial);
  mlir::Block *test = ops.builder.createBlock(&whileOp.getBefore(), {}, types, locations);
  mlir::Block *body = ops.builder.createBlock(&whileOp.getAfter(), {}, types, locations);
  auto bind = [&](mlir::Block *block) {
    carried.bind(llvm::SmallVector<mlir::Value>(block->getArguments()));
    ops.builder.setInsertionPointToEnd(block);
  };
  {
    mlir::OpBuilder::InsertionGuard guard(ops.builder);
    bind(test);
    bool known = false;
    std::optional<mlir::Value> runtime = condition(*loop.test, known);
    if (!runtime) {
      ops.builder.setInsertionPointAfter(whileOp);
      failAt(fileRange(loop.test->range), DiagnosticKind::AmbiguousCondition,
             "the condition of `while` must be a run-time scalar, but it is always " +
                 std::string(known ? "true" : "false"),
             {"make the condition depend on a value that the loop changes"});
    }
    ops.create<scf::ConditionOp>(*runtime, carried.current());
    bind(body);
    ++m_frame->loopDepth;
    emitStatements(loop.body);
    --m_frame->loopDepth;
    carried.check();
    ops.create<scf::YieldOp>(carried.current());
  }
  ops.builder.setInsertionPointAfter(whileOp);
  carried.leave(whileOp.getResults());
}

} // namespace tilescope::compiler::frontend
