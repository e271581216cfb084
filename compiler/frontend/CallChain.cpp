// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/CallChain.h"

#include "compiler/constant/Builtins.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/Suggestions.h"

namespace tilescope::compiler::frontend {

/// Longer chains of calls are shown by their first and last links.
static constexpr size_t kMaxLinks = 8;
static constexpr size_t kLastLinks = 3;

/// What the call that entered `frame` passes for one of its parameters.
static const ast::Expr *argumentFor(const Frame &frame, std::string_view parameter) {
  const Frame &caller = *frame.caller;
  const ast::Call *call =
      caller.function ? nodeAt<ast::Call>(*caller.function, frame.callRange) : nullptr;
  if (!call)
    return nullptr;
  for (const ast::Keyword *keyword : call->keywords)
    if (keyword->arg == parameter)
      return keyword->value;
  const std::vector<const ast::Arg *> parameters = parametersOf(*frame.function);
  const auto declared = std::ranges::find(parameters, parameter, &ast::Arg::arg);
  if (declared == parameters.end())
    return nullptr;
  size_t index = static_cast<size_t>(declared - parameters.begin());
  // `x.sum(0)`: the first argument is before the dot.
  const auto *access = ast::as<ast::Attribute>(call->func);
  if (access && resolveDotted(*caller.module, *access->value).empty()) {
    if (index == 0)
      return access->value;
    --index;
  }
  return index < call->args.size() ? call->args[index] : nullptr;
}

/// Whether it is a name that only Python has given a meaning: `float`.
static bool isPythonName(const Frame &frame, const ast::Expr *argument) {
  const auto *name = ast::as<ast::Name>(argument);
  if (!name || !constant::findBuiltin(name->id) || frame.locals.find(name->id))
    return false;
  for (const SourceModule *module = frame.module; module; module = module->outer)
    if (module->bindings.contains(std::string(name->id)))
      return false;
  return true;
}

static void leavePrelude(Diagnostic &diagnostic, const Frame &frame) {
  const ast::Expr *argument = nullptr;
  if (frame.function && frame.module->tree)
    argument = argumentFor(frame, frame.module->tree->text(diagnostic.range));
  const SourceRange inside = diagnostic.range;
  diagnostic.range = frame.callRange;
  if (argument) {
    diagnostic.range.begin = argument->range.begin;
    diagnostic.range.end = argument->range.end;
  }
  // What replaces the parameter's value goes to the argument, if that says the value itself.
  const bool isLiteral = frame.caller->module->isPrelude || ast::as<ast::Constant>(argument) ||
                         ast::as<ast::UnaryOp>(argument) || isPythonName(*frame.caller, argument);
  std::erase_if(diagnostic.fixes, [&](DiagnosticFix &fix) {
    const bool moves = argument && isLiteral && fix.range == inside;
    if (moves)
      fix.range = diagnostic.range;
    return !moves && fix.range.file == inside.file;
  });
  if (!argument)
    return;
  if (diagnostic.kind == DiagnosticKind::NotConstexpr && diagnostic.notes.empty())
    explainNotConstexpr(diagnostic, *frame.caller);
}

void addCallers(Diagnostic &diagnostic, const Frame *frame) {
  std::vector<DiagnosticLabel> links;
  for (; frame && frame->caller; frame = frame->caller) {
    if (frame->module->isPrelude && diagnostic.range.file == frame->module->file) {
      leavePrelude(diagnostic, *frame);
      continue;
    }
    std::string name(frame->function ? frame->function->name : "<module>");
    links.push_back({frame->callRange, "`" + name + "` is called here"});
  }
  if (links.size() > kMaxLinks) {
    const auto first = links.begin() + (kMaxLinks - kLastLinks), last = links.end() - kLastLinks;
    first->message += ", and " + std::to_string(last - first - 1) + " more calls follow";
    links.erase(first + 1, last);
  }
  diagnostic.labels.insert(diagnostic.labels.end(), links.begin(), links.end());
}

std::string_view calledName(const Frame &frame, std::string_view name) {
  for (const Frame *at = &frame; at && at->function && at->module->isPrelude; at = at->caller)
    name = at->function->name;
  return name;
}

GivenArgument firstGiven(const Frame &frame) {
  const Frame *entered = nullptr;
  for (const Frame *at = &frame; at && at->function && at->module->isPrelude; at = at->caller)
    entered = at;
  if (!entered || !entered->caller)
    return {};
  const std::vector<const ast::Arg *> parameters = parametersOf(*entered->function);
  return {entered->caller,
          parameters.empty() ? nullptr : argumentFor(*entered, parameters.front()->arg)};
}

std::string_view firstArgument(const Frame &frame) {
  const ast::Expr *argument = firstGiven(frame).expr;
  const ast::Name *name = argument ? ast::as<ast::Name>(argument) : nullptr;
  return name ? std::string_view(name->id) : std::string_view();
}

} // namespace tilescope::compiler::frontend
