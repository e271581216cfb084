// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of the IR: the kernel itself, and what `@triton.jit(noinline=True)` keeps as calls.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/Specialization.h"

namespace tilescope::compiler::frontend {

static mlir::Location named(std::string_view name, mlir::Location location) {
  return mlir::NameLoc::get(mlir::StringAttr::get(location.getContext(), name), location);
}

/// A function with the given arguments and no results yet; the insertion point moves into it.
static tt::FuncOp createFunction(TensorOps &ops, mlir::ModuleOp module, llvm::StringRef name,
                                 llvm::ArrayRef<mlir::Type> arguments, bool isPublic,
                                 bool isNoinline) {
  mlir::OpBuilder &builder = ops.builder;
  builder.setInsertionPointToEnd(module.getBody());
  auto type = mlir::FunctionType::get(ops.context(), arguments, {});
  mlir::NamedAttribute attributes[] = {
      builder.getNamedAttr("sym_visibility",
                           builder.getStringAttr(isPublic ? "public" : "private")),
      builder.getNamedAttr("noinline", builder.getBoolAttr(isNoinline))};
  auto function = ops.create<tt::FuncOp>(name, type, attributes);
  llvm::SmallVector<mlir::Location> locations(arguments.size(), ops.location());
  mlir::Block *entry = builder.createBlock(&function.getBody(), {}, arguments, locations);
  builder.setInsertionPointToStart(entry);
  return function;
}

static void appendLeaves(const KernelArgument &argument, std::vector<KernelParameterLeaf> &leaves) {
  const SignatureType &entry = argument.entry;
  if (argument.constant)
    return;
  for (const KernelArgument &item : argument.items)
    appendLeaves(item, leaves);
  if (entry.isTuple())
    return;
  bool isWindow = entry.isDescriptor() || entry.isBlockPointer();
  // A block of pointers begins at the one that is given.
  bool isMemory = isWindow || (entry.isBlock() && !entry.isPointer());
  leaves.push_back({argument.name, isMemory ? entry.scalar.pointerTo() : entry.scalar,
                    entry.isDivisible() || !entry.shape.empty()});
  if (!isWindow)
    return;
  size_t rank = entry.shape.size();
  auto append = [&](const char *part, size_t count, DType type, bool isDivisible) {
    for (size_t i = 0; i < count; ++i)
      leaves.push_back({argument.name + part + std::to_string(i), ScalarType{type}, isDivisible});
  };
  append(".shape.", rank, DType::Int32, false);
  // The last stride of the array is 1.
  append(".strides.", rank - 1, DType::Int64, true);
  if (entry.isBlockPointer())
    append(".offsets.", rank, DType::Int32, false);
}

std::vector<KernelParameterLeaf> leavesOf(const std::vector<KernelArgument> &arguments) {
  std::vector<KernelParameterLeaf> leaves;
  for (const KernelArgument &argument : arguments)
    appendLeaves(argument, leaves);
  return leaves;
}

/// The addresses of the elements of a block that lies in memory row by row.
static Tensor contiguousPointers(TensorOps &ops, const Tensor &base, const Shape &shape) {
  if (shape.empty())
    return base;
  ops.checkShape(shape);
  Type flat(DType::Int32);
  flat.shape = {Type(DType::Int32).withShape(shape).numElements()};
  Tensor range = ops.wrap(
      ops.create<tt::MakeRangeOp>(ops.mlirType(flat), 0, static_cast<int32_t>(flat.shape[0])),
      flat);
  return ops.binary(ast::BinaryOpKind::Add, base, ops.reshape(range, shape, false));
}

/// What a function sees of an argument whose parts are the kernel's own arguments.
Value Emitter::argumentValue(const KernelArgument &argument, llvm::ArrayRef<mlir::Value> &handles) {
  const SignatureType &entry = argument.entry;
  if (argument.constant)
    return *argument.constant;
  if (entry.isTuple()) {
    TupleValue tuple;
    for (const KernelArgument &item : argument.items) {
      tuple.items.push_back(argumentValue(item, handles));
      if (!item.entry.field.empty())
        tuple.fields.push_back(item.entry.field);
    }
    return tuple;
  }
  auto take = [&](ScalarType type) {
    mlir::Value handle = handles.front();
    handles = handles.drop_front();
    return Tensor{handle, Type(type)};
  };
  if (entry.isDescriptor() || entry.isBlockPointer()) {
    size_t rank = entry.shape.size();
    auto takeAll = [&](size_t count, DType type) {
      std::vector<Value> values;
      for (size_t i = 0; i < count; ++i)
        values.push_back(take(ScalarType{type}));
      return values;
    };
    std::vector<Value> parts = {take(entry.scalar.pointerTo()),
                                Value::tuple(takeAll(rank, DType::Int32))};
    std::vector<Value> strides = takeAll(rank - 1, DType::Int64), block, order;
    strides.push_back(Value::integer(1));
    parts.push_back(Value::tuple(std::move(strides)));
    for (size_t i = 0; i < rank; ++i) {
      block.push_back(Value::integer(entry.shape[i]));
      order.push_back(Value::integer(static_cast<int64_t>(rank - 1 - i)));
    }
    if (entry.isBlockPointer())
      parts.push_back(Value::tuple(takeAll(rank, DType::Int32)));
    parts.push_back(Value::tuple(std::move(block)));
    if (entry.isBlockPointer())
      parts.push_back(Value::tuple(std::move(order)));
    std::vector<CallArgument> arguments;
    for (Value &part : parts)
      arguments.push_back({std::move(part), argument.range, {}});
    const char *maker = entry.isDescriptor() ? "make_tensor_descriptor" : "make_block_ptr";
    return callBuiltin(*this, *findBuiltin(maker), std::move(arguments), argument.range);
  }
  const Shape shape(entry.shape.begin(), entry.shape.end());
  if (shape.empty() || entry.isPointer())
    return contiguousPointers(ops, take(entry.scalar), shape);
  Tensor pointers = contiguousPointers(ops, take(entry.scalar.pointerTo()), shape);
  return callBuiltin(*this, *findBuiltin("load"), {{pointers, argument.range, {}}}, argument.range);
}

/// A function that is not a kernel is compiled with what it returns stored to further arguments.
void Emitter::storeResults(const Value &value, tt::FuncOp kernel,
                           std::vector<KernelParameterLeaf> &results) {
  if (const TupleValue *tuple = value.asTuple())
    for (const Value &item : tuple->items)
      storeResults(item, kernel, results);
  if (const BlockPointer *pointer = value.blockPointer()) {
    storeResults(pointer->base, kernel, results);
    for (const Tensor &offset : pointer->offsets)
      storeResults(offset, kernel, results);
  }
  const Tensor *tensor = value.tensor();
  if (!tensor)
    return;
  ScalarType element = tensor->type.isPointer() ? ScalarType{DType::Int64} : tensor->type.scalar;
  std::string name = "result." + std::to_string(results.size());
  results.push_back({name, element.pointerTo(), true});
  mlir::Type type = ops.mlirType(Type(element.pointerTo()));
  unsigned index = kernel.getNumArguments();
  mlir::NamedAttribute divisible =
      ops.builder.getNamedAttr(tt::kDivisibilityAttr, ops.builder.getI32IntegerAttr(16));
  (void)kernel.insertArgument(index, type, ops.builder.getDictionaryAttr(divisible),
                              named(name, location()));
  mlir::Value handle = kernel.getArgument(index);
  Tensor pointers =
      contiguousPointers(ops, {handle, Type(element.pointerTo())}, tensor->type.shape);
  callBuiltin(*this, *findBuiltin("store"),
              {{pointers, m_range, {}}, {ops.cast(*tensor, element), m_range, {}}}, m_range);
}

std::vector<KernelParameterLeaf> Emitter::emitKernel(mlir::ModuleOp module,
                                                     const FunctionObject &function,
                                                     const std::vector<KernelArgument> &arguments) {
  m_module = module;
  Frame frame;
  frame.module = &function.module;
  frame.function = &function.definition;
  m_frame = &frame;
  // Also on the way out of a failure, which is reported when the frame is gone.
  llvm::scope_exit leave([&] { m_frame = nullptr; });
  m_range = fileRange(function.definition.nameRange);
  llvm::SmallVector<mlir::Type> types;
  std::vector<KernelParameterLeaf> leaves;
  for (const KernelArgument &argument : arguments) {
    Range place(*this, argument.range);
    appendLeaves(argument, leaves);
    for (size_t i = types.size(); i < leaves.size(); ++i)
      types.push_back(ops.mlirType(Type(leaves[i].type)));
  }
  std::string_view name = function.definition.name;
  tt::FuncOp kernel = createFunction(ops, module, {name.data(), name.size()}, types, true, false);
  for (size_t i = 0; i < leaves.size(); ++i) {
    kernel.getArgument(i).setLoc(named(leaves[i].name, location()));
    if (leaves[i].isDivisible)
      kernel.setArgAttr(i, tt::kDivisibilityAttr, ops.builder.getI32IntegerAttr(16));
  }
  TensorOps::ConstantScope constants(ops, &kernel.getBody().front());
  llvm::SmallVector<mlir::Value> handles(kernel.getArguments());
  llvm::ArrayRef<mlir::Value> remaining = handles;
  for (auto [argument, parameter] : llvm::zip(arguments, parametersOf(function.definition))) {
    Range place(*this, argument.range);
    frame.locals.set(parameter->arg, argumentValue(argument, remaining));
  }
  if (const ast::Arg *keywords = function.definition.args->kwarg)
    frame.locals.set(keywords->arg, *arguments.back().constant);
  Outcome outcome = emitStatements(function.definition.body, /*isTail=*/true);
  std::vector<KernelParameterLeaf> results;
  storeResults(outcome.value, kernel, results);
  ops.create<tt::ReturnOp>();
  return results;
}

/// What distinguishes two specializations of a function: the types of its arguments and its
/// constants.
static std::string specializationKey(const Frame &callee) {
  std::string key = callee.module->path + "." + std::string(callee.function->name);
  for (const Scope::Entry &entry : callee.locals.entries())
    key += "__" + entry.value.describe();
  return key;
}

Value Emitter::callNoinline(const FunctionObject &function, Frame &callee) {
  llvm::SmallVector<mlir::Value> operands;
  for (const Scope::Entry &entry : callee.locals.entries()) {
    if (const Tensor *tensor = entry.value.tensor(); tensor && tensor->isBlock())
      fail(
          DiagnosticKind::UnsupportedFeature,
          {"function `{}` is marked noinline, but was called with the non-scalar argument `{}`: {}",
           function.definition.name, entry.name, entry.value});
    entry.value.flatten(operands);
  }
  std::string key = specializationKey(callee);
  auto known = m_noinline.find(key);
  if (known == m_noinline.end())
    known = m_noinline.emplace(key, emitNoinline(callee, operands)).first;
  const NoinlineFunction &target = known->second;
  llvm::SmallVector<mlir::Value> results;
  target.result.flatten(results);
  auto call = ops.create<tt::CallOp>(target.symbol.getValue(),
                                     mlir::TypeRange(mlir::ValueRange(results)), operands);
  llvm::SmallVector<mlir::Value> handles(call.getResults());
  llvm::ArrayRef<mlir::Value> remaining = handles;
  return target.result.rebuild(remaining);
}

Emitter::NoinlineFunction Emitter::emitNoinline(Frame &callee,
                                                llvm::ArrayRef<mlir::Value> operands) {
  mlir::OpBuilder::InsertionGuard guard(ops.builder);
  Frame *saved = m_frame;
  SourceRange savedRange = m_range;
  mlir::StringAttr savedName = m_name;
  m_name = {};
  m_range = callee.function->nameRange;
  m_range.file = callee.module->file;
  std::string symbol =
      std::string(callee.function->name) + "__" + std::to_string(m_noinline.size());
  llvm::SmallVector<mlir::Type> types(mlir::ValueRange(operands).getTypes());
  callee.caller = saved;
  m_frame = &callee;
  llvm::scope_exit restore([&] {
    m_frame = saved;
    m_range = savedRange;
    m_name = savedName;
  });
  tt::FuncOp emitted = createFunction(ops, m_module, symbol, types, false, true);
  llvm::SmallVector<mlir::Value> arguments(emitted.getArguments());
  llvm::ArrayRef<mlir::Value> remaining = arguments;
  Scope locals;
  for (const Scope::Entry &entry : callee.locals.entries())
    locals.set(entry.name, entry.value.rebuild(remaining));
  callee.locals = std::move(locals);
  TensorOps::ConstantScope constants(ops, &emitted.getBody().front());
  keepParameters();
  Outcome outcome = emitStatements(callee.function->body, /*isTail=*/true);
  if (outcome.value.isPoison())
    throw PoisonUsed{};
  llvm::SmallVector<mlir::Value> results;
  outcome.value.flatten(results);
  ops.create<tt::ReturnOp>(results);
  emitted.setFunctionType(
      mlir::FunctionType::get(ops.context(), types, mlir::TypeRange(mlir::ValueRange(results))));
  return {mlir::FlatSymbolRefAttr::get(emitted.getSymNameAttr()), outcome.value};
}

} // namespace tilescope::compiler::frontend
