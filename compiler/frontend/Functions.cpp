// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of the IR: the kernel itself, and what `@triton.jit(noinline=True)` keeps as calls.
#include "compiler/constant/Operators.h"
#include "compiler/frontend/Emitter.h"

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

void Emitter::emitKernel(mlir::ModuleOp module, const FunctionObject &function,
                         const std::vector<KernelArgument> &arguments) {
  m_module = module;
  Frame frame;
  frame.module = &function.module;
  frame.function = &function.definition;
  m_frame = &frame;
  m_range = fileRange(function.definition.nameRange);
  llvm::SmallVector<mlir::Type> types;
  for (const KernelArgument &argument : arguments)
    if (!argument.constant) {
      Range place(*this, argument.range);
      types.push_back(ops.mlirType(Type(argument.type)));
    }
  std::string_view name = function.definition.name;
  tt::FuncOp kernel = createFunction(ops, module, {name.data(), name.size()}, types, true, false);
  unsigned index = 0;
  for (const KernelArgument &argument : arguments) {
    if (argument.constant) {
      frame.locals.set(argument.name, *argument.constant);
      continue;
    }
    Range place(*this, argument.range);
    mlir::BlockArgument handle = kernel.getArgument(index);
    handle.setLoc(named(argument.name, location()));
    if (argument.isDivisible)
      kernel.setArgAttr(index, tt::kDivisibilityAttr, ops.builder.getI32IntegerAttr(16));
    frame.locals.set(argument.name, Tensor{handle, Type(argument.type)});
    ++index;
  }
  TensorOps::ConstantScope constants(ops, &kernel.getBody().front());
  Outcome outcome = emitStatements(function.definition.body, /*isTail=*/true);
  if (!outcome.value.isNone() && !outcome.value.isPoison()) {
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::ReturnType;
    diagnostic.range = m_range;
    diagnostic.message = "kernel `" + std::string(name) +
                         "` returns a value: a kernel gives its "
                         "results by storing them";
    report(std::move(diagnostic));
  }
  ops.create<tt::ReturnOp>();
  m_frame = nullptr;
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
      fail(DiagnosticKind::UnsupportedFeature,
           "function `" + std::string(function.definition.name) +
               "` is marked noinline, but was called with the non-scalar argument `" +
               std::string(entry.name) + "`: " + entry.value.describe());
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
