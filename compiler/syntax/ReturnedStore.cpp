// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ReturnedStore.h"

#include "compiler/syntax/LanguageReference.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilescope::compiler::ast {

namespace {
/// Behind the pointer of a load: ` + i` and `, mask=i < n`.
struct Place {
  std::string offset, mask;
  bool operator==(const Place &) const = default;
};
} // namespace

static std::optional<Place> placeOf(const SyntaxTree &tree, const Call &load) {
  if (load.args.empty() || load.args.size() > 2)
    return std::nullopt;
  Place place;
  if (const auto *sum = as<BinOp>(load.args[0]); sum && sum->op == BinaryOpKind::Add)
    place.offset = " + " + std::string(tree.text(sum->right->range));
  else if (!is<Name>(load.args[0]))
    return std::nullopt;
  const Expr *mask = load.args.size() > 1 ? load.args[1] : nullptr;
  for (const Keyword *keyword : load.keywords)
    if (keyword->arg == "mask")
      mask = keyword->value;
  if (mask)
    place.mask = ", mask=" + std::string(tree.text(mask->range));
  return place;
}

/// Where all loads of a function read; nothing where they differ, or where what is computed may have
/// another shape than what is loaded.
static std::optional<Place> commonPlace(const SyntaxTree &tree, const ModuleIndex &index,
                                        const FunctionDef &function) {
  constexpr std::string_view kLanguage = "triton.language.";
  std::optional<Place> common;
  bool isClear = true;
  for (const Stmt *statement : function.body)
    walk(*statement, [&](const Node &node) {
      const auto *call = as<Call>(&node);
      if (is<For>(&node) || is<While>(&node) || is<If>(&node))
        isClear = false;
      if (!call || !isClear)
        return isClear;
      const std::string path = index.resolve(*call->func);
      if (path == "triton.language.load") {
        const std::optional<Place> place = placeOf(tree, *call);
        isClear = place && (!common || *common == *place);
        common = place;
        return isClear;
      }
      const ReferenceEntry *entry = path.starts_with(kLanguage) ? findReference(path) : nullptr;
      isClear =
          entry && (path == "triton.language.arange" || path == "triton.language.program_id" ||
                    (entry->traits & language_trait::Elementwise));
      return isClear;
    });
  return isClear ? common : std::nullopt;
}

/// The value that is returned, and from where on the text stores it: the `return`, or an assignment
/// to the argument just before it, `out = x * 2` and `return out`.
static std::pair<const Expr *, SourceRange> returnedValue(const JitFunction &function,
                                                          const std::string &argument) {
  const auto &body = function.def->body;
  const auto *result = as<Return>(body.back());
  const auto *name = as<Name>(result->value);
  if (!name || name->id != argument)
    return {result->value, result->range};
  const auto *before = body.size() > 1 ? as<Assign>(body[body.size() - 2]) : nullptr;
  const auto *target =
      before && before->targets.size() == 1 ? as<Name>(before->targets[0]) : nullptr;
  if (!target || target->id != argument)
    return {};
  return {before->value, {before->range.begin, result->range.end, result->range.file}};
}

/// How often a function names it, apart from the last two statements that `returnedValue` reads.
static bool isUsed(const FunctionDef &function, const std::string &name) {
  size_t numUses = 0;
  for (const Stmt *statement : function.body)
    walk(*statement, [&](const Node &node) {
      const auto *use = as<Name>(&node);
      numUses += use && use->id == name;
      return true;
    });
  const auto *result = as<Return>(function.body.back());
  const auto *returned = result ? as<Name>(result->value) : nullptr;
  // `out = …` and `return out` take no value out of it.
  return numUses > (returned && returned->id == name ? 2 : 0);
}

/// `n`, `n_cols`, `size`: the name of a number of elements, which is no array.
static bool soundsLikeSize(std::string_view name) {
  constexpr std::array<std::string_view, 14> kWords{"n",   "m",      "k",      "num",   "size",
                                                    "len", "length", "numel",  "rows",  "cols",
                                                    "dim", "width",  "height", "stride"};
  std::string word;
  const auto isSize = [&] { return std::ranges::find(kWords, word) != kWords.end(); };
  for (const char each : name) {
    if (each == '_' && isSize())
      return true;
    word = each == '_' ? std::string()
                       : word + static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  }
  return isSize();
}

std::optional<DiagnosticFix> storeOfReturned(const SyntaxTree &tree, const ModuleIndex &index,
                                             const JitFunction &function) {
  const auto &body = function.def->body;
  const auto *result = body.empty() ? nullptr : as<Return>(body.back());
  if (!result || !result->value)
    return std::nullopt;
  const ParameterInfo *output = nullptr;
  for (const ParameterInfo &parameter : function.parameters) {
    if (parameter.annotation || parameter.defaultValue || soundsLikeSize(parameter.name) ||
        isUsed(*function.def, parameter.name))
      continue;
    if (output)
      return std::nullopt;
    output = &parameter;
  }
  const std::optional<Place> place =
      output ? commonPlace(tree, index, *function.def) : std::nullopt;
  const auto [value, range] =
      place ? returnedValue(function, output->name) : std::pair<const Expr *, SourceRange>();
  if (!value || is<Tuple>(value))
    return std::nullopt;
  const std::string code = "tl.store(" + output->name + place->offset + ", " +
                           std::string(tree.text(value->range)) + place->mask + ")";
  return DiagnosticFix{range, code, "store it: `" + code + "`"};
}

/// Behind the last parameter; nothing where no other one can follow.
static std::optional<Position> parametersEnd(const FunctionDef &function) {
  const Arguments &declared = *function.args;
  if (declared.vararg || declared.kwarg || !declared.kwonlyargs.empty() ||
      !declared.defaults.empty() || declared.args.empty())
    return std::nullopt;
  return declared.args.back()->range.end;
}

/// Whether a function only computes with its arguments, which are numbers then: nothing is loaded.
static bool isOfNumbers(const FunctionDef &function) {
  bool isPlain = true;
  for (const Stmt *statement : function.body)
    walk(*statement, [&](const Node &node) {
      isPlain &= !is<Call>(&node) && !is<Subscript>(&node) && !is<For>(&node) &&
                 !is<While>(&node) && !is<If>(&node);
      return isPlain;
    });
  return isPlain;
}

std::optional<DiagnosticFix> storeInNewArgument(const SyntaxTree &tree, const ModuleIndex &index,
                                                const JitFunction &function) {
  static constexpr const char *kOutput = "out_ptr";
  const auto &body = function.def->body;
  const auto *result = body.empty() ? nullptr : as<Return>(body.back());
  const std::optional<Position> end = parametersEnd(*function.def);
  const bool isTaken = std::ranges::any_of(function.parameters, [&](const ParameterInfo &each) {
    return each.name == kOutput ||
           (!soundsLikeSize(each.name) && !isUsed(*function.def, each.name));
  });
  if (!result || !result->value || is<Tuple>(result->value) || !end || isTaken)
    return std::nullopt;
  const std::optional<Place> place =
      isOfNumbers(*function.def) ? Place() : commonPlace(tree, index, *function.def);
  if (!place)
    return std::nullopt;
  const std::string code = "tl.store(" + std::string(kOutput) + place->offset + ", " +
                           std::string(tree.text(result->value->range)) + place->mask + ")";
  return DiagnosticFix{
      {*end, result->range.end, result->range.file},
      std::string(", ") + kOutput +
          std::string(tree.text({*end, result->range.begin, result->range.file})) + code,
      "add the parameter `" + std::string(kOutput) + "`, and store there: `" + code + "`"};
}

} // namespace tilescope::compiler::ast
