// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reductions, scans and elementwise maps: operations with a region in which a function of the
// kernel language works on scalars.
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/CallChain.h"
#include "compiler/frontend/LoadAdvice.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

namespace tilescope::compiler::frontend {

namespace {
/// The blocks that an operation works on: one, or a tuple of blocks of one shape.
struct Inputs {
  std::vector<Tensor> tensors;
  bool isTuple = false;
  Shape shape;
};
} // namespace

/// What the user wrote as the first argument.
static GivenArgument givenOf(const BuiltinCall &call) {
  const Frame &frame = call.emitter.frame();
  if (const GivenArgument given = firstGiven(frame); given.expr)
    return given;
  const auto *written = frame.function ? nodeAt<ast::Call>(*frame.function, call.range) : nullptr;
  return {&frame, written && !written->args.empty() ? written->args.front() : nullptr};
}

/// How one gets the block that is missing.
static std::vector<std::string> blockNotes(const BuiltinCall &call, const Value &item) {
  const Tensor *tensor = item.tensor();
  const GivenArgument given = givenOf(call);
  if (!tensor || !given.expr)
    return {};
  if (!tensor->type.isPointer())
    return blockLoadNotes(*given.frame, *given.expr);
  const auto *name = ast::as<ast::Name>(given.expr);
  if (name && given.frame->function)
    return pointerLoadNotes(*given.frame, std::string(name->id));
  return {"a pointer says where elements lie: `tl.load` loads them"};
}

/// The call of the user that came to a function of the prelude, whose first argument is `given`.
static const ast::Call *writtenCall(const GivenArgument &given) {
  const ast::Call *written = nullptr;
  for (size_t i = 0; given.expr && given.frame->function && i < given.frame->function->body.size();
       ++i)
    ast::walk(*given.frame->function->body[i], [&](const ast::Node &node) {
      const auto *each = ast::as<ast::Call>(&node);
      if (each && !each->args.empty() && each->args.front() == given.expr)
        written = each;
      return !written;
    });
  return written;
}

/// A number that was not loaded is its own sum, and its own maximum.
static std::vector<DiagnosticFix> numberFix(const BuiltinCall &call, const Value &item) {
  const GivenArgument given = givenOf(call);
  const bool isNumber = item.tensor() && !item.tensor()->type.isPointer();
  if (!isNumber || !given.expr || !given.frame->function || isLoaded(*given.frame, *given.expr))
    return {};
  const ast::Call *written = writtenCall(given);
  const auto *callee = written ? ast::as<ast::Attribute>(written->func) : nullptr;
  if (!callee || (callee->attr != "sum" && callee->attr != "max" && callee->attr != "min"))
    return {};
  return rewriteFix(*given.frame, written->range, written->range,
                    std::string(sourceText(*given.frame, given.expr->range)));
}

static Inputs inputBlocks(BuiltinCall &call) {
  Inputs inputs;
  inputs.isTuple = call[0].asTuple() != nullptr;
  for (const Value &item : call.items(0)) {
    if (!item.tensor() || !item.tensor()->isBlock())
      call.fail(0, DiagnosticKind::TypeMismatch,
                Message("{} needs blocks, got {}", call.name(), item).needs(Need::Block),
                blockNotes(call, item), numberFix(call, item));
    inputs.tensors.push_back(*item.tensor());
  }
  if (inputs.tensors.empty())
    call.fail(0, DiagnosticKind::BadArgument, call.name() + " needs at least one block");
  inputs.shape = inputs.tensors.front().type.shape;
  for (const Tensor &tensor : inputs.tensors)
    if (tensor.type.shape != inputs.shape)
      call.fail(0, DiagnosticKind::ShapeMismatch,
                {"all inputs of {} must have the same shape, got {} and {}", call.name(),
                 inputs.shape, tensor.type.shape});
  return inputs;
}

/// A function that combines takes each input twice: what was combined so far, and the next.
static void checkCombine(BuiltinCall &call, const Value &combine, size_t numArguments) {
  const auto *function = combine.constant() ? combine.constant()->as<FunctionObject>() : nullptr;
  if (!function || function->definition.args->vararg)
    return;
  const std::vector<const ast::Arg *> parameters = parametersOf(function->definition);
  const size_t numDefaults = function->definition.args->defaults.size();
  if (numArguments > parameters.size() || numArguments + numDefaults < parameters.size())
    call.fail(2, DiagnosticKind::BadCall,
              "the combine function of " + call.name() + " must take " +
                  std::to_string(numArguments) + " arguments for " +
                  std::to_string(numArguments / 2) + (numArguments == 2 ? " input" : " inputs") +
                  ", but `" + std::string(function->definition.name) + "` takes " +
                  std::to_string(parameters.size()));
}

/// Emits `combine` of the block's arguments into `region`, ended by a `ReturnOp`. The results must
/// have the types of `inputs`, `pack` times over.
template <typename ReturnOp>
static std::vector<Type> emitRegion(BuiltinCall &call, mlir::Region &region, const Value &combine,
                                    const std::vector<Tensor> &inputs, int64_t copies,
                                    bool mustMatch) {
  TensorOps &ops = call.ops;
  mlir::OpBuilder::InsertionGuard guard(ops.builder);
  mlir::Block *block = &region.emplaceBlock();
  std::vector<CallArgument> arguments;
  auto addArgument = [&](const Tensor &input) {
    Type scalar(input.type.scalar);
    mlir::Value argument = block->addArgument(ops.mlirType(scalar), ops.location());
    arguments.push_back({Tensor{argument, scalar}, call.range, {}});
  };
  if (mustMatch) {
    for (int64_t copy = 0; copy < copies; ++copy)
      for (const Tensor &input : inputs)
        addArgument(input);
  } else {
    for (const Tensor &input : inputs)
      for (int64_t copy = 0; copy < copies; ++copy)
        addArgument(input);
  }
  ops.builder.setInsertionPointToStart(block);
  TensorOps::ConstantScope constants(ops, block);
  if (mustMatch)
    checkCombine(call, combine, arguments.size());
  Value result = call.emitter.call(combine, std::move(arguments), call.range);
  std::vector<Value> results = result.asTuple() ? result.asTuple()->items : std::vector{result};
  if (mustMatch && results.size() != inputs.size())
    call.emitter.fail(DiagnosticKind::ReturnType, "the combine function of " + call.name() +
                                                      " returns " + std::to_string(results.size()) +
                                                      " values for " +
                                                      std::to_string(inputs.size()) + " inputs");
  llvm::SmallVector<mlir::Value> handles;
  std::vector<Type> types;
  for (auto [i, value] : llvm::enumerate(results)) {
    Tensor scalar = ops.toTensor(value);
    if (scalar.isBlock() || (mustMatch && scalar.type.scalar != inputs[i].type.scalar))
      call.emitter.fail(DiagnosticKind::ReturnType,
                        {"the combine function of {} returns `{}` where `{}` is needed",
                         call.name(), scalar.type, inputs[i].type.scalar});
    handles.push_back(scalar.handle);
    types.push_back(scalar.type);
  }
  ops.create<ReturnOp>(handles);
  return types;
}

static llvm::SmallVector<mlir::Value> handlesOf(const std::vector<Tensor> &tensors) {
  llvm::SmallVector<mlir::Value> handles;
  for (const Tensor &tensor : tensors)
    handles.push_back(tensor.handle);
  return handles;
}

static Value packed(std::vector<Tensor> results, bool isTuple) {
  if (!isTuple)
    return results.front();
  return Value::tuple({results.begin(), results.end()});
}

/// Refuses an axis of `max` and `min` that is a value to compare with: a block, or a number with a fraction.
static void refuseComparison(const BuiltinCall &call) {
  const std::string_view called = calledName(call.emitter.frame(), "reduce");
  const Tensor *tensor = call[1].tensor();
  const bool isValue = tensor ? tensor->isBlock() || !isInteger(tensor->dtype())
                              : call[1].constant() && call[1].constant()->isFloat();
  if (!isValue || (called != "max" && called != "min"))
    return;
  const GivenArgument given = givenOf(call);
  const ast::Call *written = writtenCall(given);
  const auto *callee = written ? ast::as<ast::Attribute>(written->func) : nullptr;
  const bool isPlain =
      callee && callee->attr == called && written->args.size() == 2 && written->keywords.empty();
  const std::string function = "tl." + std::string(called), meant = function + "imum";
  std::string code;
  if (isPlain)
    code = std::string(sourceText(*given.frame, written->range));
  if (code.starts_with(function + "("))
    code.replace(0, function.size(), meant);
  else
    code.clear();
  call.fail(1, DiagnosticKind::BadArgument,
            "`" + function + "` reduces one block along an axis: `" +
                (code.empty() ? meant + "(a, b)" : code) + "` compares two values",
            {},
            code.empty() ? std::vector<DiagnosticFix>()
                         : rewriteFix(*given.frame, written->range, written->range, code));
}

static Value reduce(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  refuseComparison(call);
  Inputs inputs = inputBlocks(call);
  size_t rank = inputs.shape.size();
  bool keepDims = call.boolean(3);
  bool reducesAll = call.isNone(1);
  int64_t axis = reducesAll ? 0 : call.axis(1, static_cast<int64_t>(rank));
  if (reducesAll && rank > 1) {
    int64_t elements = inputs.tensors.front().type.numElements();
    for (Tensor &tensor : inputs.tensors)
      tensor = ops.reshape(tensor, {elements}, true);
  }
  auto op = ops.create<tt::ReduceOp>(handlesOf(inputs.tensors), static_cast<int32_t>(axis));
  emitRegion<tt::ReduceReturnOp>(call, op.getCombineOp(), call[2], inputs.tensors, 2, true);
  std::vector<Tensor> results;
  for (auto [input, result] : llvm::zip(inputs.tensors, op.getResult())) {
    Shape shape = input.type.shape;
    shape.erase(shape.begin() + axis);
    Tensor reduced{result, Type(input.type.scalar, shape)};
    if (keepDims && reducesAll)
      for (size_t dim = 0; dim < rank; ++dim)
        reduced = ops.expandDims(reduced, 0);
    else if (keepDims)
      reduced = ops.expandDims(reduced, axis);
    results.push_back(reduced);
  }
  return packed(std::move(results), inputs.isTuple);
}

static Value scan(BuiltinCall &call) {
  Inputs inputs = inputBlocks(call);
  int64_t axis = call.axis(1, static_cast<int64_t>(inputs.shape.size()));
  auto op = call.ops.create<tt::ScanOp>(handlesOf(inputs.tensors), static_cast<int32_t>(axis),
                                        call.boolean(3));
  emitRegion<tt::ScanReturnOp>(call, op.getCombineOp(), call[2], inputs.tensors, 2, true);
  std::vector<Tensor> results;
  for (auto [input, result] : llvm::zip(inputs.tensors, op.getResult()))
    results.push_back({result, input.type});
  return packed(std::move(results), inputs.isTuple);
}

static Value mapElementwise(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  std::vector<Tensor> inputs;
  for (const Value &item : call.items(1))
    inputs.push_back(ops.toTensor(item));
  if (inputs.empty())
    call.fail(1, DiagnosticKind::BadArgument, "`map_elementwise` needs at least one block");
  ops.broadcastTogether(llvm::MutableArrayRef<Tensor>(inputs));
  if (!inputs.front().isBlock())
    call.fail(1, DiagnosticKind::TypeMismatch,
              Message("`map_elementwise` needs blocks").needs(Need::Block));
  int64_t pack = call.integer(2);
  if (pack < 1 || !llvm::isPowerOf2_64(static_cast<uint64_t>(pack)) ||
      pack > inputs.front().type.numElements())
    call.fail(2, DiagnosticKind::BadArgument,
              "`pack` must be a power of 2 and no more than the block's " +
                  std::to_string(inputs.front().type.numElements()) + " elements, got " +
                  std::to_string(pack));
  // The result types are known only after the region is emitted.
  mlir::Region region;
  std::vector<Type> types =
      emitRegion<tt::MapElementwiseReturnOp>(call, region, call[0], inputs, pack, false);
  if (types.size() % pack != 0)
    call.fail(2, DiagnosticKind::BadArgument,
              "the function must return `pack` values for each result");
  llvm::SmallVector<mlir::Type> resultTypes;
  std::vector<Type> blockTypes;
  for (size_t i = 0; i < types.size(); i += pack) {
    blockTypes.push_back(types[i].withShape(inputs.front().type.shape));
    resultTypes.push_back(ops.mlirType(blockTypes.back()));
  }
  auto op =
      ops.create<tt::MapElementwiseOp>(resultTypes, handlesOf(inputs), static_cast<uint32_t>(pack));
  op.getScalarOp().takeBody(region);
  std::vector<Tensor> results;
  for (auto [result, type] : llvm::zip(op.getResult(), blockTypes))
    results.push_back({result, type});
  return packed(results, results.size() > 1);
}

std::span<const Builtin> reductionBuiltins() {
  static const Builtin builtins[] = {
      {"reduce", "input, axis, combine_fn, keep_dims=False", reduce, true},
      {"associative_scan", "input, axis, combine_fn, reverse=False", scan, true},
      {"map_elementwise", "scalar_fn, *args, pack=1", mapElementwise},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
