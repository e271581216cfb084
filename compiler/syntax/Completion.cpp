// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Completion.
#include "compiler/syntax/CompletionRanking.h"
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/FunctionText.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::ast {

static CompletionKind completionKind(ReferenceKind kind) {
  switch (kind) {
  case ReferenceKind::Method:
    return CompletionKind::Method;
  case ReferenceKind::Property:
    return CompletionKind::Property;
  case ReferenceKind::DType:
  case ReferenceKind::Type:
    return CompletionKind::Type;
  case ReferenceKind::Module:
    return CompletionKind::Module;
  default:
    return CompletionKind::Function;
  }
}

static Completion fromReference(const ReferenceEntry &entry) {
  return {std::string(entry.name()), completionKind(entry.kind), entry.signature, entry.doc};
}

void EditorDocument::completeMembers(const Expr &base, const Scope &scope,
                                     CompletionList &list) const {
  auto addAll = [&](std::string_view parent) {
    for (const ReferenceEntry *entry : referenceMembers(parent))
      list.items.push_back(fromReference(*entry));
  };
  std::string path = resolvePath(base, scope);
  if (!path.empty()) {
    const ReferenceEntry *entry = findReference(path);
    if (entry && entry->kind == ReferenceKind::DType)
      addAll("dtype");
    else
      addAll(path);
    return;
  }
  auto *attribute = as<Attribute>(&base);
  bool isDType = attribute && (attribute->attr == "dtype" || attribute->attr == "element_ty" ||
                               attribute->attr == "type");
  if (isDType)
    return addAll("dtype");
  auto *name = as<Name>(&base);
  bool isDescriptor = name && name->id.find("desc") != std::string_view::npos;
  if (isDescriptor)
    addAll("descriptor");
  addAll("tensor");
}

/// Keywords that kernels may use.
static constexpr std::string_view kKeywords[] = {
    "and",    "as", "assert", "def",  "elif", "else", "False", "for",    "from", "if",
    "import", "in", "is",     "None", "not",  "or",   "pass",  "return", "True", "while"};

static constexpr std::string_view kKernelBuiltins[] = {"float",      "getattr", "hasattr", "int",
                                                       "isinstance", "len",     "list",    "max",
                                                       "min",        "print",   "range"};

void EditorDocument::completeNames(const Scope &scope, CompletionList &list) const {
  std::set<std::string_view> seen;
  for (const Scope *each = &scope; each; each = each->parent) {
    if (each != &scope && is<ClassDef>(each->owner))
      continue;
    for (const auto &[name, symbol] : each->symbols) {
      // The word being typed is not a suggestion for itself.
      bool isTypedHere = symbol.bindings.size() == 1 && symbol.uses.empty() &&
                         symbol.bindings[0].begin == list.replaced.begin;
      if (isTypedHere || !seen.insert(name).second)
        continue;
      Completion item{std::string(name), CompletionKind::Variable, "", ""};
      bool isConstexpr =
          symbol.annotation && index().resolve(*symbol.annotation) == "triton.language.constexpr";
      if (isConstexpr) {
        item.kind = CompletionKind::Constexpr;
        item.detail = "constexpr";
      } else if (symbol.isParameter) {
        item.kind = CompletionKind::Parameter;
        item.detail = "argument";
      } else if (const JitFunction *function = index().findFunction(name);
                 function && is<Module>(each->owner)) {
        item = {std::string(name), CompletionKind::Kernel, signatureOf(*m_tree, *function),
                docstringOf(*function->def)};
      } else if (const FunctionDef *plain = findPlainFunction(name);
                 plain && is<Module>(each->owner)) {
        item = {std::string(name), CompletionKind::Function, signatureOf(*m_tree, *plain),
                docstringOf(*plain)};
      } else if (auto path = index().imports.find(name);
                 path != index().imports.end() && is<Module>(each->owner)) {
        const ReferenceEntry *entry = findReference(path->second);
        item.kind = entry ? completionKind(entry->kind) : CompletionKind::Module;
        item.detail = entry ? entry->signature : path->second;
        item.doc = entry ? entry->doc : "";
      }
      list.items.push_back(std::move(item));
    }
  }
  for (std::string_view builtin : kKernelBuiltins)
    if (seen.insert(builtin).second)
      list.items.push_back({std::string(builtin), CompletionKind::Function, "Python builtin", ""});
  for (std::string_view keyword : kKeywords)
    list.items.push_back({std::string(keyword), CompletionKind::Keyword, "", ""});
}

void EditorDocument::completeKeywordArguments(Position cursor, CompletionList &list) const {
  // Only where an argument begins.
  const std::string_view before =
      std::string_view(m_tree->source).substr(0, offsetOf(list.replaced.begin));
  const size_t last = before.find_last_not_of(" \t\r\n");
  const bool begins =
      last != std::string_view::npos && (before[last] == '(' || before[last] == ',');
  std::optional<SignatureHelp> help = begins ? signatureHelp(cursor) : std::nullopt;
  if (!help)
    return;
  for (const std::string &parameter : help->parameters) {
    std::string_view name = parameterName(parameter);
    if (!name.empty() && !parameter.starts_with('*') && name != "*")
      list.items.push_back(
          {std::string(name) + "=", CompletionKind::KeywordArgument, parameter, ""});
  }
}

bool EditorDocument::inventsName(uint32_t offset) const {
  const std::vector<Token> &tokens = this->tokens();
  size_t index = firstTokenFrom(offset == 0 ? 0 : offset - 1);
  while (index < tokens.size() && tokens[index].begin < offset)
    ++index;
  if (index == 0)
    return false;
  switch (tokens[index - 1].kind) {
  case TokenKind::KwDef:
  case TokenKind::KwClass:
  case TokenKind::KwAs:
  case TokenKind::KwFor:
  case TokenKind::KwLambda:
    return true;
  case TokenKind::LParen:
  case TokenKind::Comma:
  case TokenKind::Star:
  case TokenKind::DoubleStar:
    break;
  default:
    return false;
  }
  int depth = 0;
  for (size_t i = index; i-- > 2;) {
    const TokenKind kind = tokens[i].kind;
    if (kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace)
      ++depth;
    else if (kind == TokenKind::LBracket || kind == TokenKind::LBrace)
      --depth;
    else if (kind == TokenKind::LParen && --depth < 0)
      return tokens[i - 1].kind == TokenKind::Name && tokens[i - 2].kind == TokenKind::KwDef;
    if (depth < 0)
      return false;
  }
  return false;
}

std::string EditorDocument::importedModule(uint32_t offset) const {
  const std::string_view source = m_tree->source;
  const size_t feed = source.rfind('\n', offset == 0 ? 0 : offset - 1);
  const size_t line = feed == std::string_view::npos ? 0 : feed + 1;
  const std::string_view before = source.substr(line, offset - std::min<size_t>(line, offset));
  const size_t import = before.find(" import ");
  if (!before.starts_with("from ") || import == std::string_view::npos)
    return {};
  const std::string_view module = before.substr(5, import - 5);
  return std::string(module.substr(0, module.find(' ')));
}

/// Whether what was typed names nothing of a complete list and begins exactly one of it.
static bool onlyOneContinues(const std::vector<Completion> &ranked, std::string_view typed) {
  auto continues = [&](size_t i) { return i < ranked.size() && ranked[i].text.starts_with(typed); };
  return !typed.empty() && continues(0) && ranked[0].text != typed && !continues(1);
}

bool EditorDocument::wantsType(Position cursor) const {
  const std::optional<SignatureHelp> help = signatureHelp(cursor);
  if (!help || help->activeParameter < 0 ||
      help->activeParameter >= static_cast<int>(help->parameters.size()))
    return false;
  const std::string_view name =
      parameterName(help->parameters[static_cast<size_t>(help->activeParameter)]);
  return name == "dtype" || name.ends_with("_dtype");
}

CompletionList EditorDocument::complete(Position cursor) const {
  CompletionList list;
  const std::string_view source = m_tree->source;
  const uint32_t offset = offsetOf(cursor);
  uint32_t begin = offset;
  while (begin > 0 && isWordByte(source[begin - 1]))
    --begin;
  const std::string_view typed = source.substr(begin, offset - begin);
  list.replaced = {{cursor.line, cursor.column - (offset - begin)}, cursor, 0};
  const bool isNumber = !typed.empty() && typed[0] >= '0' && typed[0] <= '9';
  if (isInsideText(cursor) || isNumber || inventsName(begin))
    return list;
  const Scope &scope = scopes().scopeAt(cursor);
  // The members of a module are all known; a value may have others.
  bool isComplete = false;
  if (begin > 0 && source[begin - 1] == '.') {
    const ParsedExpression base = parseExpression(std::string(expressionBefore(source, begin - 1)));
    if (base.expr && !is<Constant>(base.expr)) {
      completeMembers(*base.expr, scope, list);
      isComplete = !resolvePath(*base.expr, scope).empty();
    }
  } else if (const std::string module = importedModule(begin); !module.empty()) {
    for (const ReferenceEntry *entry : referenceMembers(module))
      list.items.push_back(fromReference(*entry));
  } else {
    completeKeywordArguments(cursor, list);
    completeNames(scope, list);
  }
  rankCompletions(list.items, typed, wantsType(cursor));
  list.onlyOneContinues = isComplete && onlyOneContinues(list.items, typed);
  return list;
}

} // namespace tilescope::compiler::ast
