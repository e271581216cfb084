// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Calls: what is called, with which arguments. Those of functions are in FunctionCalls.cpp.
#include "compiler/constant/Builtins.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Classes.h"
#include "compiler/frontend/Counterparts.h"
#include "compiler/frontend/HostEnvironment.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/Portability.h"
#include "compiler/frontend/Recovery.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/syntax/AssignedAddress.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// `*pointer` as an argument: C reads what is there.
[[noreturn]] static void failUnpackedPointer(const SourceRange &range, std::string_view source) {
  const std::string code = ast::withLoads(source);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = range;
  diagnostic.message = "Python has no `*pointer`: `" + code + "` reads what is there";
  diagnostic.fixes.push_back({range, code, "write `" + code + "`"});
  throw Failure{std::move(diagnostic)};
}

/// An argument with an error is poison: the others, and how they fit the parameters, are still
/// checked.
std::vector<CallArgument> Emitter::evaluateArguments(const ast::Call &call) {
  Recovery recovery(*this);
  std::vector<CallArgument> arguments;
  arguments.reserve(call.args.size() + call.keywords.size());
  bool isBroken = false;
  for (const ast::Expr *argument : call.args) {
    SourceRange range = fileRange(argument->range);
    isBroken |= ast::is<ast::InvalidExpr>(argument);
    if (const auto *starred = ast::as<ast::Starred>(argument)) {
      Value unpacked = evaluate(*starred->value);
      if (const Tensor *pointer = unpacked.tensor(); pointer && pointer->type.isPointer())
        failUnpackedPointer(range, sourceText(*m_frame, range));
      for (Value &item : items(unpacked))
        arguments.push_back({std::move(item), range, {}});
    } else {
      arguments.push_back({recovery.value(*argument), range, {}});
    }
  }
  for (const ast::Keyword *keyword : call.keywords) {
    if (!keyword->arg)
      failAt(fileRange(keyword->range), DiagnosticKind::UnsupportedSyntax,
             "`**` arguments are not supported");
    arguments.push_back(
        {recovery.value(*keyword->value), fileRange(keyword->value->range), *keyword->arg});
  }
  // What could not be read may be several arguments, or none.
  if (isBroken)
    throw PoisonUsed{};
  return arguments;
}

static bool isData(const Value &value) {
  const constant::Value *constant = value.constant();
  return !constant || !constant->isExtension();
}

Value Emitter::evaluateCall(const ast::Call &call) {
  Recovery recovery(*this);
  Value callee;
  if (const auto *access = ast::as<ast::Attribute>(call.func)) {
    Value self = recovery.value(*access->value);
    if (self.isPoison()) {
      evaluateArguments(call);
    } else if (isData(self)) {
      std::vector<CallArgument> arguments = evaluateArguments(call);
      if (std::optional<Value> result = method(self, access->attr, arguments, m_range))
        return *result;
      // A field of a tuple may hold a function.
      callee = attribute(self, access->attr, fileRange(access->attrRange));
      return this->call(callee, std::move(arguments), m_range);
    }
    recovery.finish();
    callee =
        recovery.value([&] { return attribute(self, access->attr, fileRange(access->attrRange)); });
    record(*call.func, callee, false);
  } else {
    callee = recovery.value(*call.func);
  }
  std::vector<CallArgument> arguments = evaluateArguments(call);
  recovery.finish();
  return this->call(callee, std::move(arguments), m_range);
}

/// An argument is known at run time only, of a function that runs while compiling. What kernels have
/// instead is explained for the place of the call.
[[noreturn]] static void failConstants(const Emitter &emitter, Frame &frame,
                                       std::string_view callee, const CallArgument &argument) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::NotConstexpr;
  diagnostic.range = emitter.currentRange();
  Message("`{}` needs constexprs, got {}", callee, argument.value).writeTo(diagnostic);
  if (callee.starts_with("math."))
    explainCounterpart(diagnostic, callee.substr(callee.rfind('.') + 1), frame);
  else
    diagnostic.notes = counterpartNotes(callee);
  diagnostic.range = argument.range;
  throw Failure{std::move(diagnostic)};
}

/// For functions on constexprs alone.
static constant::Value::Items requireConstants(Emitter &emitter, std::string_view callee,
                                               const std::vector<CallArgument> &arguments,
                                               constant::Keywords &keywords) {
  constant::Value::Items values;
  for (const CallArgument &argument : arguments) {
    std::optional<constant::Value> value = argument.value.toConstant();
    if (!value)
      failConstants(emitter, emitter.frame(), callee, argument);
    if (argument.keyword.empty())
      values.push_back(std::move(*value));
    else
      keywords.emplace_back(argument.keyword, std::move(*value));
  }
  return values;
}

static Value callType(Emitter &emitter, const TypeObject &type,
                      const std::vector<CallArgument> &arguments) {
  constant::Keywords keywords;
  if (type.name == "constexpr") {
    if (arguments.size() != 1)
      emitter.fail(DiagnosticKind::BadCall, "`tl.constexpr` takes one argument");
    // Around a run-time value it means nothing.
    return arguments.front().value;
  }
  if (type.name == "dtype") {
    constant::Value::Items values = requireConstants(emitter, "tl.dtype", arguments, keywords);
    if (values.size() == 1 && values.front().isStr()) {
      if (const auto dtype = constant::dtypeNamed(values.front().str()))
        return Value(constant::Value::dtype(*dtype));
    }
  }
  if (type.name == "tuple" && arguments.size() == 1)
    return Value::tuple(emitter.items(arguments.front().value));
  if (type.name == "condition" && !arguments.empty())
    return arguments.front().value;
  if (type.name == "pointer_type" && !arguments.empty()) {
    constant::Value::Items values = requireConstants(emitter, type.name, arguments, keywords);
    if (!values.empty() && values.front().isDType()) {
      int64_t space = values.size() > 1 ? values[1].toInt64().value_or(1) : 1;
      return Value(constant::Value::dtype(
          constant::DType::pointerTo(values.front().dtype(), static_cast<int>(space))));
    }
  }
  if (type.name == "block_type") {
    constant::Value::Items values = requireConstants(emitter, type.name, arguments, keywords);
    if (values.size() == 2 && values[0].isDType() && values[1].isSequence()) {
      std::vector<int64_t> extents;
      for (const constant::Value &extent : values[1].items())
        extents.push_back(extent.toInt64().value_or(0));
      emitter.ops.checkShape(extents);
      return Value(constant::Value::dtype(constant::DType::block(values[0].dtype(), extents)));
    }
  }
  if (type.name == "range" || type.name == "static_range")
    emitter.fail(DiagnosticKind::UnsupportedSyntax,
                 "`tl." + type.name + "` can only be used as the iterator of a `for` loop");
  emitter.fail(DiagnosticKind::UnsupportedFeature,
               "`tl." + type.name + "` cannot be called in a kernel");
}

/// `f = triton.constexpr_function(g)`. A function of the language runs while compiling as it is.
static Value constexprFunction(Emitter &emitter, const std::string &path,
                               const std::vector<CallArgument> &arguments) {
  const constant::Value *argument =
      arguments.size() == 1 ? arguments.front().value.constant() : nullptr;
  if (argument && argument->as<BuiltinObject>())
    return arguments.front().value;
  const auto *function = argument ? argument->as<FunctionObject>() : nullptr;
  if (!function)
    emitter.fail(DiagnosticKind::BadCall, "`" + path + "` needs a function");
  return Value(constant::Value::extension(std::make_shared<FunctionObject>(
      function->module, function->definition, FunctionObject::Kind::Constexpr)));
}

Value Emitter::call(const Value &callee, std::vector<CallArgument> arguments, SourceRange range) {
  const constant::Value *target = callee.constant();
  if (!target)
    fail(DiagnosticKind::BadCall, Message("{} is not callable", callee).needs(Need::Function));
  if (const auto *function = target->as<FunctionObject>())
    return callFunction(*function, std::move(arguments), range);
  if (const auto *object = target->as<BuiltinObject>()) {
    // An argument that Python code of the language passes on to reach the compiler.
    if (m_frame->isCompileTime)
      std::erase_if(arguments, [](const CallArgument &argument) {
        return argument.keyword == "_builder" || argument.keyword == "_semantic";
      });
    return callBuiltin(*this, object->builtin, std::move(arguments), range);
  }
  if (hasPoison(arguments))
    throw PoisonUsed{};
  if (const auto *object = target->as<LibdeviceObject>())
    return callLibdevice(*this, object->name, arguments);
  if (const auto *type = target->as<TypeObject>())
    return callType(*this, *type, arguments);
  if (target->as<ClassObject>())
    return construct(std::static_pointer_cast<const ClassObject>(target->sharedExtension()),
                     std::move(arguments), range);
  if (target->isDType() && arguments.size() == 1) {
    // `tl.float32(x)` is a cast.
    warnCalledType(*this, target->dtype().languageName(), arguments.front(), range);
    arguments.push_back({callee, range, "dtype"});
    return callBuiltin(*this, *findBuiltin("cast"), std::move(arguments), range);
  }
  constant::Keywords keywords;
  if (const auto *host = target->as<HostFunctionObject>();
      host && host->path.starts_with("triton."))
    return constexprFunction(*this, host->path, arguments);
  if (const auto *host = target->as<HostFunctionObject>())
    return orFail(constant::callMath(host->path.substr(host->path.find('.') + 1),
                                     requireConstants(*this, host->path, arguments, keywords)));
  if (target->isBuiltin()) {
    checkCompileTime(*this, target->str(), arguments, range);
    constant::Value::Items values = requireConstants(*this, target->str(), arguments, keywords);
    return orFail(constant::callBuiltin(target->str(), values, keywords));
  }
  const auto *module = target->as<ModuleObject>();
  if (module) {
    std::vector<Value> values;
    for (const CallArgument &argument : arguments)
      values.push_back(argument.value);
    if (std::optional<Value> answer = callHost(module->path, values, ops.rules()))
      return *answer;
  }
  if (module && module->path == "collections.namedtuple")
    return constant::Value::extension(makeNamedTuple(*this, arguments));
  if (module && !module->isKnown())
    failImport(module->path);
  fail(DiagnosticKind::BadCall, Message("{} is not callable", callee).needs(Need::Function));
}

/// `x.__add__(y)`
static std::optional<ast::BinaryOpKind> operatorOf(std::string_view name) {
  using enum ast::BinaryOpKind;
  static constexpr std::pair<std::string_view, ast::BinaryOpKind> kOperators[] = {
      {"__add__", Add},     {"__sub__", Sub},           {"__mul__", Mult},     {"__mod__", Mod},
      {"__truediv__", Div}, {"__floordiv__", FloorDiv}, {"__and__", BitAnd},   {"__or__", BitOr},
      {"__xor__", BitXor},  {"__lshift__", LShift},     {"__rshift__", RShift}};
  for (auto [known, op] : kOperators)
    if (name == known)
      return op;
  return std::nullopt;
}

std::optional<Value> Emitter::method(const Value &self, std::string_view name,
                                     std::vector<CallArgument> &arguments, SourceRange range) {
  auto withSelf = [&] {
    std::vector<CallArgument> all{{self, range, {}}};
    all.insert(all.end(), std::make_move_iterator(arguments.begin()),
               std::make_move_iterator(arguments.end()));
    return all;
  };
  if (std::optional<ast::BinaryOpKind> op = operatorOf(name);
      op && self.tensor() && !hasPoison(arguments) && arguments.size() == 1)
    return binary(*op, self, arguments.front().value);
  if (self.tensor() || self.blockPointer() || self.descriptor()) {
    std::string prefix = self.descriptor() ? "descriptor." : "";
    if (const Builtin *builtin = findBuiltin(prefix + std::string(name));
        builtin && (builtin->isMethod || self.descriptor()))
      return callBuiltin(*this, *builtin, withSelf(), range);
    if (isPreludeMethod(name))
      return callPrelude(name, withSelf(), range);
    return std::nullopt;
  }
  if (const ClassObject *type = classOf(self)) {
    std::optional<Value> found = classMember(*type, name);
    const auto *function =
        found && found->constant() ? found->constant()->as<FunctionObject>() : nullptr;
    if (!function)
      return std::nullopt;
    return callFunction(*function, function->isStatic ? std::move(arguments) : withSelf(), range);
  }
  if (self.asTuple())
    return std::nullopt;
  const constant::Value &value = *self.constant();
  if (value.isNumber() && !constant::hasMethod(value, name)) {
    // A constexpr has the methods of tensors too: it becomes one.
    if (const Builtin *builtin = findBuiltin(name); builtin && builtin->isMethod)
      return callBuiltin(*this, *builtin, withSelf(), range);
    return std::nullopt;
  }
  if (!constant::hasMethod(value, name))
    return std::nullopt;
  if (hasPoison(arguments))
    throw PoisonUsed{};
  constant::Keywords keywords;
  constant::Value::Items values = requireConstants(*this, name, arguments, keywords);
  return Value(orFail(constant::callMethod(value, name, values, keywords)));
}

Value Emitter::callPrelude(std::string_view name, std::vector<CallArgument> arguments,
                           SourceRange range) {
  const SourceModule *module = m_modules.preludeWith(name);
  std::optional<Value> function = module ? global(*module, name) : std::nullopt;
  if (!function)
    fail(DiagnosticKind::Internal, "the prelude has no `" + std::string(name) + "`");
  return call(*function, std::move(arguments), range);
}

} // namespace tilescope::compiler::frontend
