// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Python's builtins as far as they apply to run-time values too, and the host's helpers.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Operators.h"
#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Classes.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// The length of a value at run time: that of a block is known anyway.
[[noreturn]] static void failLength(BuiltinCall &call, const Tensor &value) {
  const Frame &frame = call.emitter.frame();
  const std::string text(call.text(0).empty() ? "x" : call.text(0));
  const Value given(value);
  std::string code = asFactor(text) + ".shape[0]";
  Message message("{} is one number, and has no length", given);
  if (value.isBlock()) {
    message = Message("`{}` is a block, {}: its length is `{}`", text, given, code);
  } else if (value.type.isPointer()) {
    const ArrayName length = frame.function ? elementCount(frame) : ArrayName{"n", true};
    code = length.isNew ? "" : length.name;
    message = length.isNew
                  ? Message("pass the number of elements as an argument, such as `n`: `{}` "
                            "is a {}, which does not know it",
                            text, given)
                  : Message("the number of elements is `{}`: `{}` is a {}, which does not "
                            "know it",
                            code, text, given);
  } else {
    code.clear();
  }
  std::vector<DiagnosticFix> fixes;
  if (!code.empty() && !call.text(0).empty())
    fixes = rewriteFix(frame, call.range, call.range, std::move(code));
  // Of a masked block that holds all elements, as many were loaded.
  if (const MaskedCount count = value.isBlock() ? maskedCount(frame, text) : MaskedCount();
      count.isOfBlock) {
    std::vector<DiagnosticFix> masked = rewriteFix(frame, call.range, call.range, count.code);
    fixes.insert(fixes.begin(), masked.begin(), masked.end());
  }
  call.fail(0, DiagnosticKind::NotConstexpr, std::move(message).needs(Need::Sequence), {},
            std::move(fixes));
}

static Value length(BuiltinCall &call) {
  if (const Tensor *tensor = call[0].tensor())
    failLength(call, *tensor);
  if (const TupleValue *tuple = call[0].asTuple())
    return Value::integer(static_cast<int64_t>(tuple->items.size()));
  return Value::integer(call.emitter.orFail(constant::length(call.constant(0))));
}

/// `max(x)`: in Python, of the elements.
[[noreturn]] static void failExtremum(const BuiltinCall &call, const char *name) {
  const Frame &frame = call.emitter.frame();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.range = call.range;
  diagnostic.message = "`" + std::string(name) + "` needs at least two values";
  const std::string_view text = sourceText(frame, call.range);
  const bool isPlain = text.starts_with(std::string(name) + "(");
  const std::string code = "tl." + (isPlain ? std::string(text) : std::string(name) + "(x)");
  diagnostic.notes.push_back("the " + std::string(name) + "imum of a block's elements is `" + code +
                             "`");
  if (isPlain && hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, call.range, call.range, code);
  throw Failure{std::move(diagnostic)};
}

/// `min(a, b, ...)`: of constexprs as Python has it, else element by element.
static Value extremum(BuiltinCall &call, const char *name, const char *elementwise) {
  std::vector<Value> values = call.items(0);
  if (values.size() == 1 && values.front().asTuple())
    values = std::vector<Value>(values.front().asTuple()->items);
  if (values.empty())
    call.emitter.failAt(call.range, DiagnosticKind::BadCall,
                        "`" + std::string(name) + "` needs at least one argument");
  constant::Value::Items constants;
  for (const Value &value : values)
    if (std::optional<constant::Value> constant = value.toConstant())
      constants.push_back(std::move(*constant));
  if (constants.size() == values.size())
    return call.emitter.orFail(
        constant::callBuiltin(name, {constant::Value::tuple(std::move(constants))}, {}));
  if (values.size() == 1)
    failExtremum(call, name);
  Value result = values.front();
  for (size_t i = 1; i < values.size(); ++i)
    result = callBuiltin(call.emitter, *findBuiltin(elementwise),
                         {{result, call.range, {}}, {values[i], call.range, {}}}, call.range);
  return result;
}
static Value minimumOf(BuiltinCall &call) { return extremum(call, "min", "minimum"); }
static Value maximumOf(BuiltinCall &call) { return extremum(call, "max", "maximum"); }

static bool isInstance(const Value &value, const constant::Value &type) {
  if (type.isSequence()) {
    for (const constant::Value &alternative : type.items())
      if (isInstance(value, alternative))
        return true;
    return false;
  }
  if (const auto *object = type.as<TypeObject>()) {
    if (object->name == "tensor")
      return value.tensor() != nullptr;
    // The function is given what a constexpr holds, as in Triton.
    if (object->name == "constexpr")
      return false;
    if (object->name == "tuple")
      return value.asTuple() != nullptr;
    const constant::DType *type =
        value.constant() && value.constant()->isDType() ? &value.constant()->dtype() : nullptr;
    if (object->name == "dtype")
      return type;
    if (object->name == "block_type")
      return type && type->isBlock();
    if (object->name == "pointer_type")
      return type && type->isPointer() && !type->isBlock();
    if (object->name == "tensor_descriptor")
      return value.descriptor() != nullptr;
    return false;
  }
  if (const auto *object = type.as<ClassObject>())
    return classOf(value) && classOf(value)->equals(*object);
  if (!type.isBuiltin())
    return false;
  const std::string &name = type.str();
  if (name == "tuple" || name == "list")
    return value.asTuple() != nullptr;
  const constant::Value *constant = value.constant();
  // A bool is an int in Python.
  return constant && (constant->typeName() == name || (name == "int" && constant->isBool()));
}

static Value isinstance(BuiltinCall &call) {
  std::optional<constant::Value> type = call[1].toConstant();
  if (!type)
    call.fail(1, DiagnosticKind::NotConstexpr, "`isinstance` needs a type");
  return Value::boolean(isInstance(call[0], *type));
}

static bool hasMember(BuiltinCall &call, const std::string &name) {
  if (call[0].tensor()) {
    const Builtin *method = findBuiltin(name);
    if ((method && method->isMethod) || isPreludeMethod(name))
      return true;
  }
  try {
    call.emitter.attribute(call[0], name, call.range);
    return true;
  } catch (const Failure &) {
    return false;
  }
}

static Value hasattr(BuiltinCall &call) { return Value::boolean(hasMember(call, call.string(1))); }

static Value getattr(BuiltinCall &call) {
  std::string name = call.string(1);
  std::vector<Value> fallback = call.items(2);
  if (!fallback.empty() && !hasMember(call, name))
    return fallback.front();
  return call.emitter.attribute(call[0], name, call.rangeOf(1));
}

static Value nextPowerOf2(BuiltinCall &call) {
  int64_t n = call.integer(0);
  return Value::integer(
      n <= 0 ? 0 : static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(n))));
}

/// Only there for their parameters: `for` loops read them.
static Value loopOnly(BuiltinCall &call) {
  call.emitter.failAt(call.range, DiagnosticKind::UnsupportedSyntax,
                      "`range` can only be used as the iterator of a `for` loop");
}

std::span<const Builtin> pythonBuiltins() {
  static const Builtin builtins[] = {
      {"builtins.len", "obj", length},
      {"builtins.min", "*values", minimumOf},
      {"builtins.max", "*values", maximumOf},
      {"builtins.isinstance", "obj, type", isinstance},
      {"builtins.hasattr", "obj, name", hasattr},
      {"builtins.getattr", "obj, name, *default", getattr},
      {"next_power_of_2", "n", nextPowerOf2},
      {"loop.plain_range", "start, stop=None, step=None", loopOnly},
      {"loop.range",
       "arg1, arg2=None, step=None, num_stages=None, loop_unroll_factor=None, "
       "disallow_acc_multi_buffer=False, flatten=False, warp_specialize=False, disable_licm=False",
       loopOnly},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
