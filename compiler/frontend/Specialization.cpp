// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Specialization.h"

#include "compiler/artifacts/LaunchOptions.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/constant/Operators.h"
#include "compiler/frontend/LeftoverKeys.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Suggestions.h"
#include "compiler/support/NearestName.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <charconv>

namespace tilescope::compiler::frontend {

static void addError(EmittedModule &result, DiagnosticKind kind, SourceRange range,
                     std::string message) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.range = range;
  diagnostic.message = std::move(message);
  result.diagnostics.push_back(std::move(diagnostic));
}

std::map<std::string, Value> kernelOptions(const Selection &selection, EmittedModule &result) {
  std::map<std::string, Value> options = {{"num_warps", Value::integer(4)},
                                          {"num_stages", Value::integer(3)},
                                          {"num_ctas", Value::integer(1)},
                                          {"maxnreg", Value()},
                                          {"enable_fp_fusion", Value::boolean(true)},
                                          {"launch_cooperative_grid", Value::boolean(false)},
                                          {"launch_pdl", Value::boolean(false)},
                                          {"debug", Value::boolean(false)},
                                          {"sanitize_overflow", Value::boolean(true)}};
  for (const auto &[name, text] : selection.options) {
    int64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text == "True" || text == "true")
      options[name] = Value::boolean(true);
    else if (text == "False" || text == "false")
      options[name] = Value::boolean(false);
    else if (error == std::errc() && end == text.data() + text.size())
      options[name] = Value::integer(number);
    else if (text != "None")
      options[name] = constant::Value::string(text);
  }
  int64_t warps = options["num_warps"].constant()->toInt64().value_or(0);
  if (warps < 1 || warps > 32 || (warps & (warps - 1)) != 0) {
    addError(result, DiagnosticKind::OptionInvalid, {},
             "option `num_warps` is `" + selection.options.at("num_warps") +
                 "`; it must be a power of two, at most 32");
    result.diagnostics.back().cause.subject = "num_warps";
    options["num_warps"] = Value::integer(4);
  }
  return options;
}

TargetRules targetRules(const Selection &selection, const std::map<std::string, Value> &options) {
  TargetRules rules;
  std::string_view target = selection.target;
  if (size_t colon = target.find(':'); colon != std::string_view::npos)
    std::from_chars(target.data() + colon + 1, target.data() + target.size(), rules.capability);
  auto flag = [&](const char *name, bool fallback) {
    auto found = options.find(name);
    return found == options.end() || !found->second.constant()
               ? fallback
               : constant::truth(*found->second.constant());
  };
  rules.debug = flag("debug", false);
  rules.sanitizeOverflow = flag("sanitize_overflow", true);
  return rules;
}

bool isConstexprAnnotation(const SourceModule &module, const ast::Expr *annotation) {
  if (!annotation)
    return false;
  if (const auto *text = ast::as<ast::Constant>(annotation);
      text && text->constantKind == ast::ConstantKind::Str)
    return text->text.ends_with("constexpr");
  if (const auto *name = ast::as<ast::Name>(annotation); name && name->id == "constexpr")
    return true;
  std::string path = resolveDotted(module, *annotation);
  return path == "triton.language.constexpr" || path == "triton.language.core.constexpr";
}

namespace {
/// The parameters of one kernel while they are being decided.
struct Specializer {
  Emitter &emitter;
  const FunctionObject &function;
  const Selection &selection;
  EmittedModule &result;
  DecoratorFacts decorators;

  std::optional<Value> evaluateText(const std::string &name, SourceRange range,
                                    const std::string &text);
  KernelArgument argumentOf(std::string name, SourceRange range, SignatureType entry);
  Value constantFor(const ast::Arg &parameter, const ast::Expr *fallback);
  /// What is given for the parameter, as text; and what that is, if it is a type.
  std::pair<std::string, std::optional<SignatureType>> signatureFor(const ast::Arg &parameter);
  KernelArgument decide(const ast::Arg &parameter, const ast::Expr *fallback, size_t index);
  /// The dictionary `meta` of `**meta`: the constexprs that no parameter is named after.
  KernelArgument keywords(const ast::Arg &parameter,
                          const std::vector<const ast::Arg *> &parameters);
};
} // namespace

std::optional<Value> Specializer::evaluateText(const std::string &name, SourceRange range,
                                               const std::string &text) {
  ast::ParsedExpression parsed = ast::parseExpression(text);
  std::string problem = "it does not parse";
  if (parsed.expr) {
    try {
      // Kernels cannot write dictionaries, but they can get them.
      if (ast::is<ast::Dict>(parsed.expr))
        if (constant::Evaluation value = constant::evaluate(*parsed.expr, {}))
          return Value(*value.value);
      return emitter.evaluateGlobal(function.module, *parsed.expr);
    } catch (const Failure &failure) {
      problem = failure.diagnostic.message;
    } catch (const PoisonUsed &) {
    }
  }
  addError(result, DiagnosticKind::SignatureInvalid, range,
           "the value `" + text + "` of the constexpr `" + name +
               "` cannot be evaluated: " + problem);
  return std::nullopt;
}

Value Specializer::constantFor(const ast::Arg &parameter, const ast::Expr *fallback) {
  std::string name(parameter.arg);
  if (auto given = selection.constexprs.find(name); given != selection.constexprs.end())
    return evaluateText(name, emitter.fileRange(parameter.range), given->second)
        .value_or(Value::poison());
  if (auto option = emitter.kernelOptions().find(name); option != emitter.kernelOptions().end())
    return option->second;
  if (fallback)
    return emitter.evaluateGlobal(function.module, *fallback);
  emitter.failAt(emitter.fileRange(parameter.range), DiagnosticKind::SignatureIncomplete,
                 "the constexpr `" + name + "` has no value",
                 {"give it one in the launch block's `[constexprs]`"});
}

/// What an annotation says; none if only running the file could show it.
static std::optional<constant::Value> annotationOf(Emitter &emitter, const SourceModule &module,
                                                   const ast::Arg &parameter) {
  if (!parameter.annotation)
    return std::nullopt;
  try {
    return emitter.evaluateGlobal(module, *parameter.annotation).toConstant();
  } catch (const Failure &) {
  } catch (const PoisonUsed &) {
  }
  return std::nullopt;
}

/// `tl.int64`, `"i64"`, `tl.pointer_type(tl.float16)` as annotations; nothing for others.
static std::optional<SignatureType>
annotatedType(const std::optional<constant::Value> &annotation) {
  if (annotation && annotation->isStr())
    return parseSignatureType(annotation->str());
  const std::optional<ScalarType> type =
      annotation && annotation->isDType() ? annotation->dtype().toScalar() : std::nullopt;
  return type ? std::optional(SignatureType(*type)) : std::nullopt;
}

std::pair<std::string, std::optional<SignatureType>>
Specializer::signatureFor(const ast::Arg &parameter) {
  std::string name(parameter.arg);
  std::optional<constant::Value> annotation = annotationOf(emitter, function.module, parameter);
  if (auto given = selection.signature.find(name); given != selection.signature.end()) {
    std::optional<SignatureType> type = parseSignatureType(given->second);
    const TypeObject *object = annotation ? annotation->as<TypeObject>() : nullptr;
    // The caller says what is pointed to, `tl.const` that the kernel does not write there.
    if (type && type->isPointer() && object && object->name == "const")
      type->scalar.isConst = true;
    return {given->second, std::move(type)};
  }
  std::optional<SignatureType> type = annotatedType(annotation);
  if (!type) {
    // Only running the file could show the value of its default.
    type = SignatureType(DType::Int32);
    result.assumptions.push_back(
        {name, toSignature(*type), false, Assumption::Source::Kernel, "nothing says otherwise"});
  }
  return {toSignature(*type), std::move(type)};
}

/// The argument that an entry of a signature describes.
KernelArgument Specializer::argumentOf(std::string name, SourceRange range, SignatureType entry) {
  KernelArgument argument;
  argument.name = std::move(name);
  argument.range = range;
  if (!entry.literal.empty()) {
    argument.constant = evaluateText(argument.name, range, entry.literal);
  } else if (entry.isOne()) {
    argument.constant = Value::integer(1);
  } else {
    for (size_t i = 0; i < entry.items.size(); ++i) {
      const std::string &field = entry.items[i].field;
      argument.items.push_back(
          argumentOf(argument.name + "." + (field.empty() ? std::to_string(i) : field), range,
                     entry.items[i]));
    }
  }
  argument.entry = std::move(entry);
  return argument;
}

KernelArgument Specializer::decide(const ast::Arg &parameter, const ast::Expr *fallback,
                                   size_t index) {
  std::string name(parameter.arg);
  KernelArgument argument;
  argument.name = name;
  argument.range = emitter.fileRange(parameter.range);
  auto listed = [&](const std::vector<std::string> &names) {
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::find(names, std::to_string(index)) != names.end();
  };
  bool isGivenConstant = selection.constexprs.contains(name);
  bool hasSignature = selection.signature.contains(name);
  // A function that is not a kernel may get a run-time value for a constexpr.
  bool isDeclaredConstant = isConstexprAnnotation(function.module, parameter.annotation);
  if (isGivenConstant || (isDeclaredConstant && !hasSignature)) {
    argument.constant = constantFor(parameter, fallback);
    result.signature[name] = "constexpr";
    if (std::optional<constant::Value> value = argument.constant->toConstant())
      result.constexprs[name] = constant::repr(*value);
    return argument;
  }
  // A default that no type can be inferred from is as good as a constant: `mask=None`.
  if (!hasSignature && fallback) {
    Value value = emitter.evaluateGlobal(function.module, *fallback);
    if (!value.isNumber()) {
      argument.constant = value;
      result.signature[name] = "constexpr";
      return argument;
    }
  }
  auto [text, entry] = signatureFor(parameter);
  if (entry && entry->isConstexpr()) {
    argument.constant = constantFor(parameter, fallback);
    result.signature[name] = "constexpr";
    return argument;
  }
  const bool isVoid = entry && entry->form == SignatureType::Form::Value && !entry->isBlock() &&
                      entry->scalar == ScalarType{};
  if (!entry || isVoid) {
    emitter.failAt(argument.range, DiagnosticKind::SignatureInvalid,
                   "`" + text + "` is not a type for the argument `" + name + "`",
                   {"types are written as in `*fp32:16`, `i32`, `fp16`, `u1`, "
                    "`(*fp32, i32)`, `tensordesc<fp16[64,64]>`"});
  }
  bool isSpecialized = !listed(decorators.doNotSpecialize);
  const bool isAligned = isSpecialized && !listed(decorators.doNotSpecializeOnAlignment);
  if ((entry->isOne() && !isSpecialized) || (entry->isDivisible() && !isAligned))
    entry->hint = SignatureHint::None;
  result.signature[name] = entry->isOne() ? "constexpr" : toSignature(*entry);
  if (entry->isOne())
    result.constexprs[name] = "1";
  return argumentOf(std::move(name), argument.range, std::move(*entry));
}

KernelArgument Specializer::keywords(const ast::Arg &parameter,
                                     const std::vector<const ast::Arg *> &parameters) {
  KernelArgument argument;
  argument.name = parameter.arg;
  argument.range = emitter.fileRange(parameter.range);
  constant::Value::Entries entries;
  for (const auto &[name, text] : selection.constexprs) {
    if (std::ranges::find(parameters, name, &ast::Arg::arg) != parameters.end())
      continue;
    std::optional<Value> value = evaluateText(name, argument.range, text);
    std::optional<constant::Value> constant = value ? value->toConstant() : std::nullopt;
    if (!constant)
      continue;
    result.signature[name] = "constexpr";
    result.constexprs[name] = constant::repr(*constant);
    entries.emplace_back(constant::Value::string(name), std::move(*constant));
  }
  argument.constant = Value(constant::Value::dict(std::move(entries)));
  return argument;
}

std::vector<const ast::Arg *> parametersOf(const ast::FunctionDef &function) {
  std::vector<const ast::Arg *> parameters;
  const ast::Arguments &declared = *function.args;
  for (const auto &group : {declared.posonlyargs, declared.args, declared.kwonlyargs})
    parameters.insert(parameters.end(), group.begin(), group.end());
  return parameters;
}

/// Values for parameters that the kernel does not have, and for options that launches do not have.
static void warnUnknownNames(const FunctionObject &function,
                             const std::vector<const ast::Arg *> &parameters,
                             const Selection &selection, EmittedModule &result) {
  std::vector<std::string_view> names;
  for (const ast::Arg *parameter : parameters)
    names.push_back(parameter->arg);
  const auto warn = [&](DiagnosticKind kind, std::string_view name, std::string message,
                        std::string_view closest) {
    Diagnostic diagnostic;
    diagnostic.kind = kind;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = function.definition.nameRange;
    diagnostic.range.file = function.module.file;
    diagnostic.message = std::move(message);
    const std::optional<SourceRange> key =
        function.module.file == 0 ? launchBlockKey(*function.module.tree, name) : std::nullopt;
    if (key) {
      diagnostic.range = *key;
      suggest(diagnostic, closest);
      if (kind == DiagnosticKind::SignatureInvalid)
        explainLeftover(function, *key, diagnostic);
    } else if (!closest.empty()) {
      diagnostic.notes.push_back("did you mean `" + std::string(closest) + "`?");
    }
    result.diagnostics.push_back(std::move(diagnostic));
  };
  const auto isParameter = [&](const std::string &name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (const auto *given : {&selection.signature, &selection.constexprs})
    for (const auto &[name, text] : *given)
      if (!isParameter(name))
        warn(DiagnosticKind::SignatureInvalid, name,
             "`" + std::string(function.definition.name) + "` has no parameter `" + name + "`: `" +
                 text + "` is not used",
             closestName(name, names));
  for (const auto &[name, text] : selection.options)
    if (!isParameter(name) && !isLaunchOption(name))
      warn(DiagnosticKind::OptionInvalid, name,
           "launches have no option `" + name + "`: it is ignored",
           closestName(name, launchOptions()));
}

std::vector<KernelArgument> specialize(Emitter &emitter, const FunctionObject &function,
                                       const Selection &selection, EmittedModule &result) {
  const ast::Arguments &declared = *function.definition.args;
  Specializer specializer{emitter, function, selection, result,
                          readDecorators(function.module, function.definition)};
  std::vector<const ast::Arg *> parameters = parametersOf(function.definition);
  std::vector<const ast::Expr *> defaults(
      parameters.size() - declared.kwonlyargs.size() - declared.defaults.size(), nullptr);
  defaults.insert(defaults.end(), declared.defaults.begin(), declared.defaults.end());
  defaults.insert(defaults.end(), declared.kwDefaults.begin(), declared.kwDefaults.end());
  if (declared.vararg)
    emitter.failAt(emitter.fileRange(declared.vararg->range), DiagnosticKind::UnsupportedSyntax,
                   "a kernel cannot have an `*args` parameter");
  std::vector<KernelArgument> arguments;
  for (size_t i = 0; i < parameters.size(); ++i) {
    try {
      arguments.push_back(specializer.decide(*parameters[i], defaults[i], i));
    } catch (const Failure &failure) {
      result.diagnostics.push_back(failure.diagnostic);
    } catch (const PoisonUsed &) {
    }
  }
  if (declared.kwarg)
    arguments.push_back(specializer.keywords(*declared.kwarg, parameters));
  if (!declared.kwarg)
    warnUnknownNames(function, parameters, selection, result);
  for (const KernelParameterLeaf &leaf : leavesOf(arguments))
    result.parameters.push_back({leaf.name, toSignature(leaf.type)});
  return arguments;
}

} // namespace tilescope::compiler::frontend
