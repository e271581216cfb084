// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/MistakenNames.h"

#include "compiler/frontend/Objects.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/support/NearestName.h"
#include "compiler/syntax/ForeignTypes.h"
#include "compiler/syntax/FunctionText.h"
#include "compiler/syntax/LanguageReference.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace tilescope::compiler::frontend {

template <typename Visit> static void walkBody(const ast::FunctionDef *function, Visit &&visit) {
  for (size_t i = 0; function && i < function->body.size(); ++i)
    ast::walk(*function->body[i], [&](const ast::Node &node) {
      visit(node);
      return true;
    });
}

/// Whether what is called has a parameter of that name.
static bool takes(const Frame &frame, const ast::Expr &callee, std::string_view name) {
  if (const auto *access = ast::as<ast::Attribute>(&callee)) {
    const ast::ReferenceEntry *entry =
        ast::findReference("triton.language." + std::string(access->attr));
    const std::vector<std::string> parameters =
        entry ? entry->parameters() : std::vector<std::string>();
    return std::ranges::any_of(parameters, [&](const std::string &parameter) {
      return ast::parameterName(parameter) == name;
    });
  }
  const auto *plain = ast::as<ast::Name>(&callee);
  return plain &&
         std::ranges::any_of(frame.module->functions, [&](const ast::FunctionDef *function) {
           return function->name == plain->id &&
                  std::ranges::any_of(function->args->args,
                                      [&](const ast::Arg *arg) { return arg->arg == name; });
         });
}

bool explainComparedArgument(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const ast::Compare *found = nullptr;
  walkBody(frame.function, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    for (size_t i = 0; call && i < call->args.size(); ++i) {
      const auto *compared = ast::as<ast::Compare>(call->args[i]);
      const auto *left = compared ? ast::as<ast::Name>(compared->left) : nullptr;
      if (left && left->id == name && left->range.begin == diagnostic.range.begin &&
          compared->ops.size() == 1 && compared->ops.front() == ast::CompareOpKind::Eq &&
          takes(frame, *call->func, name))
        found = compared;
    }
  });
  if (!found)
    return false;
  SourceRange range = found->range, value = found->comparators.front()->range;
  range.file = value.file = diagnostic.range.file;
  const std::string code = std::string(name) + "=" + std::string(sourceText(frame, value));
  diagnostic.notes.push_back("`==` compares: an argument is given by its name as `" + code + "`");
  diagnostic.fixes = rewriteFix(frame, range, range, code);
  return true;
}

/// Whether a name is one that kernels give to the number of their program.
static bool soundsLikeProgram(std::string_view name) {
  static constexpr std::string_view kNames[] = {"pid",      "prog",      "program", "program_id",
                                                "block_id", "block_idx", "bid"};
  return std::ranges::any_of(kNames, [&](std::string_view known) {
    return name == known || (name.starts_with(known) && name.size() <= known.size() + 2);
  });
}

/// Whether all that a name does is to be multiplied by the size of a block.
static bool isOnlyFactor(const Frame &frame, std::string_view name) {
  size_t numUses = 0, numProducts = 0;
  const auto isName = [&](const ast::Expr *expr) {
    const auto *use = ast::as<ast::Name>(expr);
    return use && use->id == name;
  };
  const auto isSize = [&](const ast::Expr *expr) {
    const auto *use = ast::as<ast::Name>(expr);
    const Value *value = use ? frame.locals.find(use->id) : nullptr;
    return value && value->isConstexpr();
  };
  walkBody(frame.function, [&](const ast::Node &node) {
    const auto *product = ast::as<ast::BinOp>(&node);
    const auto *use = ast::as<ast::Name>(&node);
    numUses += use && use->id == name;
    numProducts += product && product->op == ast::BinaryOpKind::Mult &&
                   ((isName(product->left) && isSize(product->right)) ||
                    (isSize(product->left) && isName(product->right)));
  });
  return numUses > 0 && numUses == numProducts;
}

/// The axes that a function asks for the number of its program on.
static std::set<int64_t> usedAxes(const ast::FunctionDef &function) {
  std::set<int64_t> axes;
  walkBody(&function, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const auto *axis = callee && callee->attr == "program_id" && !call->args.empty()
                           ? ast::as<ast::Constant>(call->args.front())
                           : nullptr;
    if (axis && axis->intValue)
      axes.insert(*axis->intValue);
  });
  return axes;
}

void offerProgramNumber(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const ast::FunctionDef *function = frame.function;
  const bool isDocument = frame.module->tree && frame.module->file == 0 && !frame.caller;
  if (!function || !isDocument || diagnostic.range.file != 0 || !hasLanguageName(frame) ||
      !(soundsLikeProgram(name) || isOnlyFactor(frame, name)))
    return;
  const auto first = std::ranges::find_if(function->body, [](const ast::Stmt *statement) {
    const auto *line = ast::as<ast::ExprStmt>(statement);
    return !line || !ast::is<ast::Constant>(line->value);
  });
  const std::set<int64_t> used = usedAxes(*function);
  int64_t axis = name.ends_with("_n") || name.ends_with("_y") || name.ends_with('1') ? 1 : 0;
  while (used.contains(axis))
    ++axis;
  if (first == function->body.end() || axis > 2)
    return;
  const std::string code = std::string(name) + " = tl.program_id(" + std::to_string(axis) + ")";
  const Position begin = (*first)->range.begin;
  diagnostic.notes.push_back("the number of the program is `" + code + "`");
  diagnostic.fixes.push_back({{begin, begin, 0},
                              code + "\n" + std::string(begin.column, ' '),
                              "begin with `" + code + "`"});
}

bool explainRandom(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  if (name != "random")
    return false;
  std::string_view meant = "tl.rand(seed, offsets)";
  walkBody(frame.function, [&](const ast::Node &node) {
    const auto *access = ast::as<ast::Attribute>(&node);
    if (!access || access->value->range.begin != diagnostic.range.begin)
      return;
    if (access->attr.starts_with("randint") || access->attr == "randrange")
      meant = "tl.randint(seed, offsets)";
    else if (access->attr.starts_with("gauss") || access->attr.starts_with("normal") ||
             access->attr == "randn")
      meant = "tl.randn(seed, offsets)";
  });
  diagnostic.notes.push_back("Python's `random` runs on the CPU, outside of kernels: `" +
                             std::string(meant) +
                             "` makes a number for each offset, the same ones for a seed");
  return true;
}

/// The modules of `triton`.
static constexpr std::array<std::string_view, 13> kModules = {
    "_C",    "_internal_testing", "backends", "common",   "compiler", "errors", "experimental",
    "knobs", "language",          "ops",      "profiler", "runtime",  "testing"};

/// Where the file names the module in an import: `lang` of `triton.lang`, or of `from triton import lang`.
static std::optional<SourceRange> importedPart(const Frame &frame, std::string_view part) {
  std::optional<SourceRange> found;
  const auto place = [&](const ast::Alias &alias, size_t before) {
    found = alias.range;
    found->begin.column += static_cast<uint32_t>(before);
    found->end = found->begin;
    found->end.column += static_cast<uint32_t>(part.size());
    found->file = frame.module->file;
  };
  ast::walk(*frame.module->tree->module, [&](const ast::Node &node) {
    const auto *import = ast::as<ast::Import>(&node);
    for (size_t i = 0; import && !found && i < import->names.size(); ++i)
      if (import->names[i]->name == "triton." + std::string(part))
        place(*import->names[i], std::string_view("triton.").size());
    const auto *from = ast::as<ast::ImportFrom>(&node);
    for (size_t i = 0; from && from->module == "triton" && !found && i < from->names.size(); ++i)
      if (from->names[i]->name == part)
        place(*from->names[i], 0);
    return !found;
  });
  return found;
}

std::optional<Diagnostic> misspelledModule(const Frame &frame, std::string_view path) {
  static constexpr std::string_view kTriton = "triton.";
  if (!path.starts_with(kTriton) || !frame.module->tree)
    return std::nullopt;
  const std::string_view part = path.substr(kTriton.size());
  if (part.find('.') != part.npos || part == "tools" ||
      std::ranges::find(kModules, part) != kModules.end())
    return std::nullopt;
  const std::optional<SourceRange> place = importedPart(frame, part);
  if (!place)
    return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::ImportNotFound;
  diagnostic.range = *place;
  diagnostic.message = "there is no module `" + std::string(path) + "`";
  std::string_view near = closestName(part, kModules);
  if (near.empty())
    near = shortenedName(part, kModules);
  if (!near.empty()) {
    diagnostic.notes.push_back("did you mean `triton." + std::string(near) + "`?");
    diagnostic.fixes.push_back({*place, std::string(near), "write `" + std::string(near) + "`"});
  }
  return diagnostic;
}

std::string_view meantType(const Frame &frame, const SourceRange &range, std::string_view name) {
  bool isCalled = false;
  walkBody(frame.function, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *access = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    isCalled |= access && access->attrRange.begin == range.begin;
  });
  if (isCalled)
    return {};
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"bfloat", "bfloat16"}, {"byte", "uint8"},     {"integer", "int32"},
      {"real", "float32"},    {"single", "float32"}, {"uint", "uint32"}};
  if (const std::string_view type = ast::kernelTypeOf(name); !type.empty())
    return type;
  const auto *found = std::ranges::find(kTypes, name, [](const auto &each) { return each.first; });
  return found == std::end(kTypes) ? std::string_view() : found->second;
}

void checkHiddenModule(Emitter &emitter, const ast::Assign &statement) {
  const Frame &frame = emitter.frame();
  const auto *name = ast::as<ast::Name>(statement.targets.front());
  if (!name || !frame.function || frame.isCompileTime || frame.module->isPrelude ||
      frame.locals.find(name->id))
    return;
  const auto binding = frame.module->bindings.find(name->id);
  if (binding == frame.module->bindings.end() || binding->second.kind != Binding::Kind::Import ||
      !binding->second.member.empty() || !ModuleObject(binding->second.module).isKnown())
    return;
  const ast::Attribute *use = nullptr;
  walkBody(frame.function, [&](const ast::Node &node) {
    const auto *access = ast::as<ast::Attribute>(&node);
    const auto *base = access ? ast::as<ast::Name>(access->value) : nullptr;
    if (!use && base && base->id == name->id && statement.range.end <= base->range.begin)
      use = access;
  });
  if (!use)
    return;
  const std::string text(name->id);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.fileRange(name->range);
  diagnostic.message = "this gives the name `" + text + "` of the module `" +
                       binding->second.module + "` another value, and `" + text + "." +
                       std::string(use->attr) + "` below needs the module: choose another name";
  diagnostic.labels.push_back({emitter.fileRange(use->range), "the module is used here"});
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
