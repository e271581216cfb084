// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Suggestions.h"

#include "compiler/frontend/Counterparts.h"
#include "compiler/frontend/ForeignNames.h"
#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/MistakenNames.h"
#include "compiler/frontend/NewParameter.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/StartValue.h"
#include "compiler/frontend/TurnSums.h"
#include "compiler/frontend/UfuncMethods.h"
#include "compiler/support/NearestName.h"
#include "compiler/syntax/LanguageReference.h"
#include "compiler/syntax/MissingImports.h"
#include "compiler/types/ScalarKind.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tilescope::compiler::frontend {

void suggest(Diagnostic &diagnostic, std::string_view replacement) {
  if (replacement.empty())
    return;
  std::string text(replacement);
  diagnostic.notes.push_back("did you mean `" + text + "`?");
  diagnostic.fixes.push_back({diagnostic.range, text, "write `" + text + "`"});
}

/// The place of a keyword argument's name.
static SourceRange keywordRange(const Emitter &emitter, const Frame &frame,
                                const CallArgument &argument) {
  SourceRange range = argument.range;
  if (!frame.function)
    return range;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *keyword = ast::as<ast::Keyword>(&node);
      if (keyword && keyword->arg == argument.keyword &&
          emitter.fileRange(keyword->value->range) == argument.range) {
        range = emitter.fileRange(keyword->range);
        range.end = range.begin;
        range.end.column += static_cast<uint32_t>(argument.keyword.size());
      }
      return true;
    });
  return range;
}

/// What NumPy and PyTorch call parameters of functions that kernels have, too.
static std::string_view parameterMeant(std::string_view keyword,
                                       std::span<const std::string_view> names) {
  static constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
      {"dim", "axis"},          {"dims", "axis"},          {"axis", "dim"},
      {"keepdim", "keep_dims"}, {"keepdims", "keep_dims"}, {"fill_value", "value"},
      {"size", "shape"}};
  for (const auto &[foreign, own] : kMeant)
    if (keyword == foreign && std::ranges::find(names, own) != names.end())
      return own;
  return closestName(keyword, names);
}

void failKeyword(Emitter &emitter, const CallArgument &argument, const std::string &callee,
                 std::span<const std::string_view> names, std::vector<DiagnosticLabel> labels) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.range = keywordRange(emitter, emitter.frame(), argument);
  diagnostic.message = callee + " has no parameter `" + std::string(argument.keyword) + "`";
  diagnostic.labels = std::move(labels);
  const std::string_view closest = parameterMeant(argument.keyword, names);
  suggest(diagnostic, closest);
  if (closest.empty()) {
    std::string all;
    for (std::string_view name : names)
      all += (all.empty() ? "`" : ", `") + std::string(name) + "`";
    diagnostic.notes.push_back(all.empty() ? "it has no parameters" : "its parameters are " + all);
  }
  throw Failure{std::move(diagnostic)};
}

const ast::Name *findAssignment(const ast::FunctionDef &function, std::string_view name) {
  const ast::Name *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *target = ast::as<ast::Name>(&node);
      if (!found && target && target->ctx == ast::ExprContext::Store && target->id == name)
        found = target;
      return !found;
    });
  return found;
}

/// Whether a call of a member of the name at `range` gets a value at run time.
static bool isAppliedToValues(const Frame &frame, const SourceRange &range) {
  bool isFound = false;
  const auto isRunTime = [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const Value *value = name ? frame.locals.find(name->id) : nullptr;
    isFound |= value && !value->isConstexpr();
    return !isFound;
  };
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      if (call && ast::is<ast::Attribute>(call->func) && call->range.begin == range.begin)
        for (const ast::Expr *argument : call->args)
          ast::walk(*argument, isRunTime);
      return !isFound;
    });
  return isFound;
}

/// For the usual names of modules: what kernels have instead of a library of the host, and the
/// import of all others.
static bool explainNotImported(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  static constexpr std::string_view kHostNames[] = {"np", "numpy", "torch"};
  const bool isMath = name == "math" && isAppliedToValues(frame, diagnostic.range);
  if (isMath || std::ranges::find(kHostNames, name) != std::end(kHostNames)) {
    diagnostic.notes.push_back(isMath ? "kernels cannot use Python's `math` of values at run time"
                                      : "kernels cannot use " +
                                            std::string(name == "torch" ? "PyTorch" : "NumPy") +
                                            ": it runs on the CPU, outside of kernels");
    if (explainUfuncMethod(diagnostic, frame))
      return true;
    for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
      ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
        const auto *access = ast::as<ast::Attribute>(&node);
        if (access && access->value->range.begin == diagnostic.range.begin)
          explainCounterpart(diagnostic, access->attr, frame);
        return true;
      });
    return true;
  }
  const bool isDocument = frame.module->tree && diagnostic.range.file == 0;
  std::optional<DiagnosticFix> fix =
      isDocument ? ast::importFix(*frame.module->tree, name) : std::nullopt;
  if (!fix)
    return false;
  diagnostic.message = "`" + std::string(name) + "` is not imported";
  diagnostic.cause = {.need = Need::Import, .subject = std::string(name)};
  diagnostic.fixes.push_back(std::move(*fix));
  return true;
}

/// The variable whose name is most like it.
static std::string_view nearLocal(std::string_view name, const Frame &frame) {
  std::vector<std::string_view> candidates;
  for (const Scope::Entry &entry : frame.locals.entries())
    candidates.push_back(entry.name);
  return closestName(name, candidates);
}

/// Whether a statement of the function's own body, not of a branch or loop in it, gives a name its first
/// value and uses it for that.
static bool isSetFromItself(const ast::FunctionDef &function, const ast::Name &assignment,
                            const SourceRange &use) {
  return std::ranges::any_of(function.body, [&](const ast::Stmt *statement) {
    return ast::is<ast::Assign>(statement) && statement->range.contains(assignment.range.begin) &&
           statement->range.contains(use.begin);
  });
}

void explainUndefined(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const ast::Name *assignment = frame.function ? findAssignment(*frame.function, name) : nullptr;
  if (assignment && isSetFromItself(*frame.function, *assignment, diagnostic.range)) {
    diagnostic.message =
        "`" + std::string(name) +
        "` is used before it has a value: this line computes its first value from it";
    diagnostic.notes.push_back("give `" + std::string(name) +
                               "` a value above, such as that of a `tl.load`");
    return;
  }
  if (assignment && assignment->range.begin < diagnostic.range.begin) {
    SourceRange range = assignment->range;
    range.file = diagnostic.range.file;
    diagnostic.labels.push_back({range, "it gets a value here, but not on every path"});
    diagnostic.notes.push_back("give `" + std::string(name) +
                               "` a value before the branch or loop");
    if (std::optional<DiagnosticFix> sum = sumOfTurns(frame, name))
      diagnostic.fixes.push_back(std::move(*sum));
    return;
  }
  if (assignment && diagnostic.range.end < assignment->range.begin) {
    SourceRange range = assignment->range;
    range.file = diagnostic.range.file;
    diagnostic.message = "`" + std::string(name) + "` is used before it is set in line " +
                         std::to_string(range.begin.line + 1);
    diagnostic.labels.push_back({range, "it is set here"});
    return;
  }
  if (const std::string_view near = nearLocal(name, frame);
      near.empty() && explainNoStart(diagnostic, name, frame))
    return;
  if (explainComparedArgument(diagnostic, name, frame) || explainRandom(diagnostic, name, frame) ||
      explainNotImported(diagnostic, name, frame))
    return;
  if (explainForeign(diagnostic, name, frame) || explainPlainValue(diagnostic, name, frame))
    return;
  if (ast::findReference("triton.language." + std::string(name)))
    return suggest(diagnostic, "tl." + std::string(name));
  // As signatures and launch blocks write it: `fp16`, `i32`.
  if (const auto dtype = constant::dtypeNamed(name); dtype && !dtype->isPointer())
    return suggest(diagnostic, "tl." + dtype->languageName());
  if (explainPlainCall(diagnostic, name, frame))
    return;
  std::vector<std::string_view> candidates;
  for (const Scope::Entry &entry : frame.locals.entries())
    candidates.push_back(entry.name);
  for (const SourceModule *scope = frame.module; scope; scope = scope->outer)
    for (const auto &binding : scope->bindings)
      candidates.push_back(binding.first());
  std::string_view near = closestName(name, candidates);
  if (near.empty())
    near = shortenedName(name, candidates);
  if (near.empty())
    near = repeatedName(name, candidates);
  // `y_ptr` beside `x_ptr` is missing rather than misspelled.
  if (near.empty() || areSiblings(name, near))
    addParameter(diagnostic, name, frame);
  suggest(diagnostic, near);
  if (diagnostic.fixes.empty())
    addParameter(diagnostic, name, frame);
}

/// What dtypes have, as far as kernels use it.
static constexpr std::string_view kDTypeMembers[] = {"address_space",
                                                     "element_ty",
                                                     "exponent_bias",
                                                     "fp_mantissa_width",
                                                     "int_bitwidth",
                                                     "is_bf16",
                                                     "is_block",
                                                     "is_bool",
                                                     "is_const",
                                                     "is_floating",
                                                     "is_fp16",
                                                     "is_fp32",
                                                     "is_fp64",
                                                     "is_fp8",
                                                     "is_int",
                                                     "is_int16",
                                                     "is_int32",
                                                     "is_int64",
                                                     "is_int8",
                                                     "is_int_signed",
                                                     "is_int_unsigned",
                                                     "is_ptr",
                                                     "is_standard_floating",
                                                     "is_uint8",
                                                     "itemsize",
                                                     "kind",
                                                     "name",
                                                     "primitive_bitwidth",
                                                     "scalar",
                                                     "shape"};

void explainMember(Diagnostic &diagnostic, const Value &base, std::string_view name,
                   const Frame &frame) {
  std::string parent;
  std::vector<std::string_view> candidates;
  if (base.tensor()) {
    parent = "tensor";
  } else if (base.descriptor()) {
    parent = "descriptor";
  } else if (const TupleValue *tuple = base.asTuple()) {
    std::string fields;
    for (const std::string &field : tuple->fields) {
      candidates.push_back(field);
      fields += (fields.empty() ? "`" : ", `") + field + "`";
    }
    if (!fields.empty())
      diagnostic.notes.push_back("its fields are " + fields);
    static constexpr std::string_view kGrowing[] = {"append", "extend", "insert", "pop", "remove"};
    if (fields.empty() && std::ranges::find(kGrowing, name) != std::end(kGrowing)) {
      diagnostic.notes.push_back("a list of a kernel is a tuple, whose length stays: many values "
                                 "are a block, such as `tl.zeros([BLOCK], dtype=tl.float32)`");
      if (std::optional<DiagnosticFix> sum = sumInsteadOfList(frame, diagnostic.range))
        diagnostic.fixes.push_back(std::move(*sum));
    }
  } else if (base.constant() && base.constant()->isDType()) {
    candidates.assign(std::begin(kDTypeMembers), std::end(kDTypeMembers));
  } else if (const auto *module = base.constant() ? base.constant()->as<ModuleObject>() : nullptr) {
    parent = module->path;
    // Signatures, launch blocks and types on show name dtypes in their own way.
    const auto dtype = parent == "triton.language" ? scalarFromSignature(name) : std::nullopt;
    if (dtype)
      return suggest(diagnostic, scalarInfo(*dtype).languageName);
    if (const std::string_view type = meantType(frame, diagnostic.range, name);
        parent == "triton.language" && !type.empty())
      return suggest(diagnostic, type);
    if (parent == "triton.language" && hasLibdeviceFunction(name)) {
      const std::string function = "libdevice." + std::string(name);
      diagnostic.notes.push_back("`" + function +
                                 "` is such a function: `from "
                                 "triton.language.extra import libdevice`");
      return;
    }
  }
  for (const ast::ReferenceEntry *entry : ast::referenceMembers(parent))
    candidates.push_back(entry->name());
  // A word that means something else is not a misspelling, however near it is to another.
  if (parent == "triton.language" && explainForeignFunction(diagnostic, name, frame))
    return;
  if (hasCounterpart(name))
    explainCounterpart(diagnostic, name, frame);
  else
    suggest(diagnostic, closestName(name, candidates));
}

/// Whether an expression is known at compile time: of literals, constexprs, and functions that
/// return constexprs for constexprs.
static bool isKnownNow(const ast::Expr &expr, const Frame &frame) {
  static constexpr std::string_view kFunctions[] = {"cdiv", "constexpr",      "int", "len", "max",
                                                    "min",  "next_power_of_2"};
  bool isKnown = true;
  ast::walk(expr, [&](const ast::Node &node) {
    if (const auto *call = ast::as<ast::Call>(&node)) {
      const auto *access = ast::as<ast::Attribute>(call->func);
      const auto *plain = ast::as<ast::Name>(call->func);
      const std::string_view callee = access ? access->attr : plain ? plain->id : "";
      isKnown &= std::ranges::find(kFunctions, callee) != std::end(kFunctions);
    } else if (const auto *name = ast::as<ast::Name>(&node)) {
      const Value *local = frame.locals.find(name->id);
      isKnown &= !local || local->isConstexpr();
    }
    return isKnown;
  });
  return isKnown;
}

/// `n = 4` where `n: tl.constexpr = 4` is needed: numbers become tensors by an assignment.
static void explainAssigned(Diagnostic &diagnostic, const ast::Name &use, const Frame &frame) {
  const ast::Assign *last = lastAssignment(frame, use);
  if (!last || !isKnownNow(*last->value, frame))
    return;
  const std::string name(use.id), declaration = name + ": tl.constexpr";
  SourceRange range = last->targets.front()->range;
  range.file = diagnostic.range.file;
  diagnostic.labels.push_back({range, "the assignment makes `" + name + "` a run-time value"});
  diagnostic.fixes.push_back({range, declaration, "keep `" + name + "` a constexpr"});
}

static void explainParameter(Diagnostic &diagnostic, const ast::Arg &parameter) {
  const std::string name(parameter.arg), declaration = name + ": tl.constexpr";
  diagnostic.notes.push_back(
      "`" + name + "` is an argument at run time: declare the parameter as `" + declaration + "`");
  SourceRange range = parameter.range;
  range.file = diagnostic.range.file;
  diagnostic.fixes.push_back({range, declaration, "make `" + name + "` a constexpr"});
}

void explainNotConstexpr(Diagnostic &diagnostic, const Frame &frame) {
  if (!frame.function || !frame.module->tree || frame.module->isPrelude ||
      diagnostic.range.file != frame.module->file)
    return;
  // What the place holds: a name, or names in a tuple or an expression.
  std::vector<const ast::Name *> uses;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      if (!name || name->range.begin < diagnostic.range.begin ||
          diagnostic.range.end < name->range.end)
        return true;
      const Value *value = frame.locals.find(name->id);
      const bool isNew = std::ranges::find(uses, name->id, [](const ast::Name *use) {
                           return use->id;
                         }) == uses.end();
      if (value && value->tensor() && isNew)
        uses.push_back(name);
      return true;
    });
  const std::vector<const ast::Arg *> parameters = parametersOf(*frame.function);
  for (const ast::Name *use : uses) {
    const auto parameter = std::ranges::find(parameters, use->id, &ast::Arg::arg);
    const ast::Name *assigned = findAssignment(*frame.function, use->id);
    const bool isReassigned = assigned && assigned->range.begin < use->range.begin;
    if (parameter == parameters.end() || isReassigned)
      explainAssigned(diagnostic, *use, frame);
    else if (isConstexprAnnotation(*frame.module, (*parameter)->annotation))
      diagnostic.notes.push_back("`" + std::string(use->id) +
                                 "` is declared a constexpr, but the call passes a run-time value");
    else if (!frame.locals.find(use->id)->tensor()->type.isPointer())
      explainParameter(diagnostic, **parameter);
  }
}

} // namespace tilescope::compiler::frontend
