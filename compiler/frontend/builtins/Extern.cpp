// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions that the compiler does not look into: library functions and inline assembly.
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

namespace {
/// The chosen form of a library function.
struct ExternFunction {
  std::string library;
  std::string path;
  std::string symbol;
  ScalarType result;
  bool isPure = true;
};
} // namespace

static Tensor emitExtern(TensorOps &ops, const std::vector<Tensor> &arguments,
                         const ExternFunction &function) {
  llvm::SmallVector<mlir::Value> handles;
  for (const Tensor &argument : arguments)
    handles.push_back(argument.handle);
  Type type(function.result, arguments.empty() ? Shape() : arguments.front().type.shape);
  mlir::OpBuilder &builder = ops.builder;
  auto op = ops.create<tt::ExternElementwiseOp>(
      ops.mlirType(type), handles, builder.getStringAttr(function.library),
      builder.getStringAttr(function.path), builder.getStringAttr(function.symbol),
      builder.getBoolAttr(function.isPure));
  return ops.wrap(op, type);
}

static bool matches(const std::vector<Tensor> &arguments, const std::vector<DType> &types) {
  return std::ranges::equal(arguments, types, [](const Tensor &argument, DType type) {
    return argument.type.scalar == ScalarType{type};
  });
}

/// All operands in the type that arithmetic on them would have.
static void promoteAll(TensorOps &ops, std::vector<Tensor> &values) {
  for (Tensor &value : llvm::MutableArrayRef<Tensor>(values).drop_front()) {
    auto [first, other] = ops.promoteOperands(values.front(), value, {});
    values.front() = first;
    value = other;
  }
  for (Tensor &value : llvm::MutableArrayRef<Tensor>(values).drop_front())
    value = ops.cast(value, values.front().type.scalar);
}

std::optional<Value> shimmedLibdevice(std::string_view path) {
  size_t dot = path.rfind('.');
  std::string_view module = path.substr(0, dot == std::string_view::npos ? 0 : dot);
  bool isShim = module.find("extra") != std::string_view::npos ||
                module.find("libdevice") != std::string_view::npos;
  std::string name(path.substr(module.empty() ? 0 : dot + 1));
  if (!isShim || !hasLibdeviceFunction(name))
    return std::nullopt;
  return Value(constant::Value::extension(std::make_shared<LibdeviceObject>(std::move(name))));
}

Value callLibdevice(Emitter &emitter, std::string_view name,
                    const std::vector<CallArgument> &arguments) {
  TensorOps &ops = emitter.ops;
  const std::vector<LibdeviceOverload> &overloads = libdeviceOverloads(name);
  size_t arity = overloads.front().arguments.size();
  static constexpr std::string_view kNames[] = {"arg0", "arg1", "arg2", "arg3"};
  std::vector<Tensor> values;
  for (const CallArgument &argument : arguments) {
    // Only Triton's own library passes these.
    if (argument.keyword.starts_with('_'))
      continue;
    if (!argument.keyword.empty() &&
        (values.size() >= arity || argument.keyword != kNames[values.size()]))
      failKeyword(emitter, argument, "`libdevice." + std::string(name) + "`",
                  std::span(kNames).first(arity));
    values.push_back(ops.toTensor(argument.value));
  }
  if (values.size() != arity)
    emitter.fail(DiagnosticKind::BadCall, "`libdevice." + std::string(name) + "` takes " +
                                              std::to_string(arity) + " arguments, but " +
                                              std::to_string(values.size()) + " are given");
  ops.broadcastTogether(llvm::MutableArrayRef<Tensor>(values));
  auto find = [&] {
    return std::ranges::find_if(overloads, [&](const LibdeviceOverload &overload) {
      return matches(values, overload.arguments);
    });
  };
  auto overload = find();
  if (overload == overloads.end()) {
    promoteAll(ops, values);
    overload = find();
  }
  if (overload == overloads.end()) {
    std::string accepted;
    std::vector<DType> types;
    for (const LibdeviceOverload &candidate : overloads) {
      accepted += accepted.empty() ? "(" : ", (";
      types.insert(types.end(), candidate.arguments.begin(), candidate.arguments.begin() + arity);
      for (size_t i = 0; i < arity; ++i)
        accepted += (i ? ", " : "") + nameOf(candidate.arguments[i]);
      accepted += ")";
    }
    emitter.fail(
        DiagnosticKind::DtypeUnsupported,
        Message("`libdevice.{}` has no form for `{}`: it takes {}; convert with `.to` first", name,
                values.front().type.scalar, accepted)
            .wants(types));
  }
  Tensor result =
      emitExtern(ops, values, {"", "", overload->symbol, ScalarType{overload->result}, true});
  return overload->isPredicate ? ops.cast(result, ScalarType{DType::Int1}) : result;
}

/// `extern_elementwise`: the dictionary maps a tuple of argument types to a symbol and a result
/// type.
static Value externElementwise(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  std::vector<Tensor> values;
  for (const Value &item : call.items(2))
    values.push_back(ops.toTensor(item));
  const constant::Value &forms = call.constant(3);
  if (!forms.isDict() || values.empty())
    call.fail(3, DiagnosticKind::BadArgument, "`extern_elementwise` needs a dictionary of forms");
  ops.broadcastTogether(llvm::MutableArrayRef<Tensor>(values));
  for (bool isPromoted : {false, true}) {
    if (isPromoted)
      promoteAll(ops, values);
    for (const auto &[types, form] : forms.entries()) {
      bool isForm = types.isSequence() && form.isSequence() && form.items().size() == 2 &&
                    types.items().size() == values.size();
      for (size_t i = 0; isForm && i < values.size(); ++i)
        isForm = types.items()[i].isDType() &&
                 types.items()[i].dtype().toScalar() == values[i].type.scalar;
      if (!isForm)
        continue;
      std::optional<ScalarType> result = form.items()[1].dtype().toScalar();
      return emitExtern(ops, values,
                        {call.string(0), call.string(1), form.items()[0].str(),
                         result.value_or(ScalarType{DType::Fp32}), call.boolean(4)});
    }
  }
  call.fail(2, DiagnosticKind::DtypeUnsupported,
            "input arg types do not match any of the forms of `extern_elementwise`");
}

static Value inlineAsm(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  if (!call[2].asTuple())
    call.fail(2, DiagnosticKind::BadArgument,
              {"`args` of `inline_asm_elementwise` must be a list, got {}", call[2]},
              {"write it in brackets, `[x]`"});
  std::vector<Tensor> values;
  for (const Value &item : call.items(2))
    values.push_back(ops.toTensor(item));
  if (values.size() > 1)
    ops.broadcastTogether(llvm::MutableArrayRef<Tensor>(values));
  Shape shape = values.empty() ? Shape() : values.front().type.shape;
  bool isTuple = call[3].asTuple() != nullptr;
  llvm::SmallVector<mlir::Type> mlirTypes;
  std::vector<Type> types;
  for (const Value &item : call.items(3)) {
    std::optional<ScalarType> scalar;
    if (item.constant() && item.constant()->isDType())
      scalar = item.constant()->dtype().toScalar();
    if (!scalar)
      call.fail(3, DiagnosticKind::BadArgument, "`dtype` must be a dtype or a tuple of dtypes");
    types.push_back(Type(*scalar, shape));
    mlirTypes.push_back(ops.mlirType(types.back()));
  }
  if (types.empty())
    call.fail(3, DiagnosticKind::BadArgument, "`dtype` must not be empty");
  llvm::SmallVector<mlir::Value> handles;
  for (const Tensor &value : values)
    handles.push_back(value.handle);
  const int64_t pack = call.integer(5), numElements = types.front().numElements();
  if (pack < 1 || pack > kMaxTensorElements || (!shape.empty() && numElements % pack != 0))
    call.fail(5, DiagnosticKind::BadArgument,
              "`pack` must divide the number of elements (" + std::to_string(numElements) +
                  "), but is " + std::to_string(pack));
  mlir::OpBuilder &builder = ops.builder;
  auto op = ops.create<tt::ElementwiseInlineAsmOp>(
      mlirTypes, builder.getStringAttr(call.string(0)), builder.getStringAttr(call.string(1)),
      builder.getBoolAttr(call.boolean(4)), builder.getI32IntegerAttr(static_cast<int32_t>(pack)),
      handles);
  std::vector<Value> results;
  for (auto [result, type] : llvm::zip(op.getResult(), types))
    results.push_back(Tensor{result, type});
  return isTuple ? Value::tuple(std::move(results)) : results.front();
}

std::span<const Builtin> externBuiltins() {
  static const Builtin builtins[] = {
      {"extern_elementwise", "lib_name, lib_path, args, arg_type_symbol_dict, is_pure",
       externElementwise},
      {"inline_asm_elementwise", "asm, constraints, args, dtype, is_pure, pack", inlineAsm},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
