// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Calls of functions: arguments are bound to parameters; the body of the callee is expanded in place.
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/Portability.h"
#include "compiler/frontend/Recovery.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/ShapeArguments.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

static constexpr int kMaxCallDepth = 128;

/// Points at a function that the user wrote.
static std::vector<DiagnosticLabel> definitionLabel(const FunctionObject &function) {
  if (function.module.isPrelude)
    return {};
  SourceRange place = function.definition.nameRange;
  place.file = function.module.file;
  return {{place, "defined here"}};
}

static Diagnostic unfitCall(const FunctionObject &function, SourceRange range,
                            const std::string &message) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.range = range;
  diagnostic.message = "`" + std::string(function.definition.name) + "` " + message;
  diagnostic.labels = definitionLabel(function);
  return diagnostic;
}

/// The arguments of a call do not fit the function.
[[noreturn]] static void failBinding(const FunctionObject &function, SourceRange range,
                                     const std::string &message) {
  throw Failure{unfitCall(function, range, message)};
}

/// An argument that has no default. Of a block with one axis it is known which one an index is along.
[[noreturn]] static void failMissing(const FunctionObject &function, const Frame &frame,
                                     SourceRange call, std::string_view parameter,
                                     const Value *first) {
  Diagnostic diagnostic =
      unfitCall(function, call, "is missing the argument `" + std::string(parameter) + "`");
  const Tensor *block = first ? first->tensor() : nullptr;
  if (function.module.isPrelude && parameter == "axis" && block && block->isBlock()) {
    const size_t rank = block->type.shape.size();
    std::string code(sourceText(frame, call));
    if (rank > 1)
      diagnostic.notes.push_back("the block has " + std::to_string(rank) +
                                 " axes: `axis=0` goes down each column, `axis=1` along each row");
    else if (code.ends_with(")"))
      diagnostic.fixes =
          rewriteFix(frame, call, call,
                     code.insert(code.size() - 1, code.ends_with("()") ? "axis=0" : ", axis=0"));
  }
  throw Failure{std::move(diagnostic)};
}

static std::vector<std::string_view> namesOf(const std::vector<const ast::Arg *> &parameters) {
  std::vector<std::string_view> names;
  for (const ast::Arg *parameter : parameters)
    names.push_back(parameter->arg);
  return names;
}

void Emitter::bindParameters(const FunctionObject &function, std::vector<CallArgument> arguments,
                             Frame &callee) {
  const ast::Arguments &declared = *function.definition.args;
  std::vector<const ast::Arg *> parameters = parametersOf(function.definition);
  if (function.module.isPrelude)
    checkShapeArguments(*this, "`" + std::string(function.definition.name) + "`",
                        namesOf(parameters), arguments);
  size_t numPositional = parameters.size() - declared.kwonlyargs.size();
  std::vector<std::optional<Value>> values(parameters.size());
  std::vector<Value> rest;
  size_t position = 0;
  const auto numGiven = llvm::count_if(
      arguments, [](const CallArgument &argument) { return argument.keyword.empty(); });
  for (CallArgument &argument : arguments) {
    if (!argument.keyword.empty())
      continue;
    if (position < numPositional) {
      values[position++] = std::move(argument.value);
    } else if (declared.vararg) {
      rest.push_back(std::move(argument.value));
    } else {
      failBinding(function, argument.range,
                  "takes " + std::to_string(numPositional) + " positional arguments, but " +
                      std::to_string(numGiven) + " are given");
    }
  }
  for (CallArgument &argument : arguments) {
    if (argument.keyword.empty())
      continue;
    size_t index = 0;
    while (index < parameters.size() && parameters[index]->arg != argument.keyword)
      ++index;
    if (index == parameters.size())
      failKeyword(*this, argument, "`" + std::string(function.definition.name) + "`",
                  namesOf(parameters), definitionLabel(function));
    if (values[index])
      failBinding(function, argument.range,
                  "got several values for `" + std::string(argument.keyword) + "`");
    values[index] = std::move(argument.value);
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ast::Arg &parameter = *parameters[i];
    if (!values[i]) {
      const ast::Expr *fallback = nullptr;
      if (i >= numPositional)
        fallback = declared.kwDefaults[i - numPositional];
      else if (i + declared.defaults.size() >= numPositional)
        fallback = declared.defaults[i + declared.defaults.size() - numPositional];
      if (!fallback)
        failMissing(function, *m_frame, m_range, parameter.arg,
                    callee.locals.find(parameters.front()->arg));
      values[i] = evaluateGlobal(function.module, *fallback);
    }
    callee.locals.set(parameter.arg, std::move(*values[i]));
  }
  if (declared.vararg)
    callee.locals.set(declared.vararg->arg, Value::tuple(std::move(rest)));
}

void Emitter::enterFrame(Frame &callee, SourceRange callRange) {
  callee.caller = m_frame;
  callee.callRange = callRange;
  callee.depth = m_frame->depth + 1;
  if (callee.depth <= kMaxCallDepth && m_numErrors == 0)
    return;
  std::string endless =
      "`" + std::string(callee.function->name) +
      "` is expanded inside itself too often: recursion must end by a constexpr condition";
  // Once is enough: on the way back every level would go down again for each of its other calls.
  if (std::ranges::any_of(m_diagnostics, [&](const Diagnostic &diagnostic) {
        return diagnostic.kind == DiagnosticKind::RecursionTooDeep && diagnostic.message == endless;
      }))
    throw PoisonUsed{};
  if (callee.depth > kMaxCallDepth)
    fail(DiagnosticKind::RecursionTooDeep, std::move(endless));
}

Value Emitter::expandBody(Frame &callee) {
  struct Restore {
    Emitter &emitter;
    Frame *frame;
    SourceRange range;
    mlir::StringAttr name;
    ~Restore() {
      emitter.m_frame = frame;
      emitter.m_range = range;
      emitter.m_name = name;
    }
  } restore{*this, m_frame, m_range, m_name};
  if (!callee.isCompileTime)
    callee.callLocation = location();
  m_frame = &callee;
  m_name = {};
  m_range = fileRange(callee.function->nameRange);
  keepParameters();
  Outcome outcome = emitStatements(callee.function->body, /*isTail=*/true);
  if (outcome.value.isPoison())
    throw PoisonUsed{};
  // A path that falls off the end of a function which returns a value elsewhere returns an
  // undefined value, and the value of the other return is as good as any.
  return outcome.value;
}

/// `@core.extern`: Python that runs at compile time, but on run-time values, to name a function of
/// a library.
static bool isExtern(const FunctionObject &function) {
  return std::ranges::any_of(function.definition.decoratorList, [&](const ast::Expr *decorator) {
    std::string name = resolveDotted(function.module, *decorator);
    return name == "triton.language.core.extern" || name == "triton.language.extern";
  });
}

/// Makes a function of the top level one that kernels call, where the file has a name for the decorator.
static std::vector<DiagnosticFix> decoratorFix(const FunctionObject &function) {
  const ast::FunctionDef &definition = function.definition;
  const SourceModule &module = function.module;
  const bool isTopLevel = definition.range.begin.column == 0 && !module.outer;
  if (module.isPrelude || !isTopLevel || !definition.decoratorList.empty())
    return {};
  for (const auto &[name, binding] : module.bindings) {
    if (binding.kind != Binding::Kind::Import)
      continue;
    const std::string imported =
        binding.member.empty() ? binding.module : binding.module + "." + binding.member;
    const std::string word(name);
    const std::string code = imported == "triton"       ? "@" + word + ".jit"
                             : imported == "triton.jit" ? "@" + word
                                                        : std::string();
    const Position begin{definition.nameRange.begin.line, 0};
    if (!code.empty())
      return {{{begin, begin, module.file}, code + "\n", "add `" + code + "`"}};
  }
  return {};
}

Value Emitter::callFunction(const FunctionObject &function, std::vector<CallArgument> arguments,
                            SourceRange range) {
  std::string name(function.definition.name);
  const bool takesValues = function.kind == FunctionObject::Kind::Jit || isExtern(function);
  const bool isPoisoned = hasPoison(arguments);
  if (isPoisoned && function.kind != FunctionObject::Kind::Jit)
    throw PoisonUsed{};
  bool isConstant = std::ranges::all_of(
      arguments, [](const CallArgument &argument) { return argument.value.isConstexpr(); });
  if (function.kind == FunctionObject::Kind::Plain && !takesValues && !isConstant &&
      !m_frame->isModuleLevel && !m_frame->isCompileTime) {
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::PlainFunction;
    diagnostic.range = m_range;
    diagnostic.message = "unsupported function referenced: `" + name +
                         "` is a plain Python function: it can be called on constexprs only";
    diagnostic.notes.push_back("decorate it with `@triton.jit`");
    diagnostic.labels = definitionLabel(function);
    diagnostic.fixes = decoratorFix(function);
    throw Failure{std::move(diagnostic)};
  }
  if (!takesValues && function.kind == FunctionObject::Kind::Plain && !m_frame->isModuleLevel)
    warnUnportable(*this, "the plain Python function `" + name + "` in a kernel");
  Frame callee;
  callee.module = &function.module;
  callee.function = &function.definition;
  callee.isCompileTime = function.kind != FunctionObject::Kind::Jit || m_frame->isCompileTime;
  if (!takesValues)
    for (const CallArgument &argument : arguments)
      if (!argument.value.isConstexpr())
        failAt(argument.range, DiagnosticKind::NotConstexpr,
               {"`{}` runs at compile time and needs constexprs, got {}", name, argument.value});
  bindParameters(function, std::move(arguments), callee);
  if (isPoisoned)
    throw PoisonUsed{};
  if (m_options.callObserved)
    m_options.callObserved(callee);
  enterFrame(callee, range);
  if (function.isNoinline && !callee.isCompileTime)
    return callNoinline(function, callee);
  return expandBody(callee);
}

} // namespace tilescope::compiler::frontend
