// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Completion, signature help and hovering.
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::ast {

static bool isWordByte(char c) {
  return static_cast<unsigned char>(c) >= 0x80 ||
         isIdentifierContinue(static_cast<unsigned char>(c));
}

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

/// `(a_ptr, n, BLOCK: tl.constexpr)` as in the source.
static std::string signatureOf(const SyntaxTree &tree, const JitFunction &function) {
  std::string text = function.name + "(";
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const ParameterInfo &parameter = function.parameters[i];
    text += (i ? ", " : "") + parameter.name;
    if (parameter.annotation)
      (text += ": ") += tree.text(parameter.annotation->range);
    if (parameter.defaultValue)
      (text += parameter.annotation ? " = " : "=") += tree.text(parameter.defaultValue->range);
  }
  return text + ")";
}

static std::string docstringOf(const FunctionDef &def) {
  auto *first = def.body.empty() ? nullptr : as<ExprStmt>(def.body[0]);
  auto *text = first ? as<Constant>(first->value) : nullptr;
  return text && text->constantKind == ConstantKind::Str ? std::string(text->text) : "";
}

std::string EditorDocument::resolvePath(const Expr &expr, const Scope &scope) const {
  // A local of the same name hides an import.
  const Expr *base = &expr;
  while (auto *attribute = as<Attribute>(base))
    base = attribute->value;
  if (auto *name = as<Name>(base)) {
    const Symbol *symbol = ScopeTable::lookUp(scope, name->id);
    const Symbol *global = ScopeTable::lookUp(m_scopes->moduleScope(), name->id);
    if (symbol && symbol != global)
      return {};
  }
  return m_index.resolve(expr);
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
      // The word being typed is no suggestion for itself.
      bool isTypedHere = symbol.bindings.size() == 1 && symbol.uses.empty() &&
                         symbol.bindings[0].begin == list.replaced.begin;
      if (isTypedHere || !seen.insert(name).second)
        continue;
      Completion item{std::string(name), CompletionKind::Variable, "", ""};
      bool isConstexpr =
          symbol.annotation && m_index.resolve(*symbol.annotation) == "triton.language.constexpr";
      if (isConstexpr) {
        item.kind = CompletionKind::Constexpr;
        item.detail = "constexpr";
      } else if (symbol.isParameter) {
        item.kind = CompletionKind::Parameter;
        item.detail = "argument";
      } else if (const JitFunction *function = m_index.findFunction(name);
                 function && is<Module>(each->owner)) {
        item = {std::string(name), CompletionKind::Kernel, signatureOf(*m_tree, *function),
                docstringOf(*function->def)};
      } else if (auto path = m_index.imports.find(name);
                 path != m_index.imports.end() && is<Module>(each->owner)) {
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

static std::string_view parameterName(std::string_view parameter) {
  while (parameter.starts_with('*'))
    parameter.remove_prefix(1);
  return parameter.substr(0, parameter.find_first_of(":= "));
}

void EditorDocument::completeKeywordArguments(Position cursor, CompletionList &list) const {
  std::optional<SignatureHelp> help = signatureHelp(cursor);
  if (!help)
    return;
  for (const std::string &parameter : help->parameters) {
    std::string_view name = parameterName(parameter);
    if (!name.empty() && !parameter.starts_with('*') && name != "*")
      list.items.push_back(
          {std::string(name) + "=", CompletionKind::KeywordArgument, parameter, ""});
  }
}

/// The expression that ends at `end` in front of a dot: names, dots and balanced brackets.
static std::string_view expressionBefore(std::string_view source, size_t end) {
  size_t begin = end;
  while (begin > 0) {
    char c = source[begin - 1];
    if (isWordByte(c) || c == '.') {
      --begin;
    } else if (c == ')' || c == ']') {
      int depth = 0;
      size_t at = begin;
      while (at > 0) {
        char d = source[--at];
        depth += d == ')' || d == ']' ? 1 : d == '(' || d == '[' ? -1 : 0;
        if (depth == 0)
          break;
      }
      if (depth != 0)
        break;
      begin = at;
    } else {
      break;
    }
  }
  return source.substr(begin, end - begin);
}

CompletionList EditorDocument::complete(Position cursor) const {
  CompletionList list;
  std::string_view source = m_tree->source;
  uint32_t offset = offsetOf(cursor);
  uint32_t begin = offset;
  while (begin > 0 && isWordByte(source[begin - 1]))
    --begin;
  uint32_t end = offset;
  while (end < source.size() && isWordByte(source[end]))
    ++end;
  list.replaced = {{cursor.line, cursor.column - (offset - begin)},
                   {cursor.line, cursor.column + (end - offset)},
                   0};
  bool isNumber = begin < offset && source[begin] >= '0' && source[begin] <= '9';
  if (insideText(cursor) || isNumber)
    return list;
  const Scope &scope = m_scopes->scopeAt(cursor);
  if (begin > 0 && source[begin - 1] == '.') {
    ParsedExpression base = parseExpression(std::string(expressionBefore(source, begin - 1)));
    if (base.expr && !is<Constant>(base.expr))
      completeMembers(*base.expr, scope, list);
  } else {
    completeKeywordArguments(cursor, list);
    completeNames(scope, list);
  }
  // What cannot be reached by going on typing is not offered.
  std::string_view typed = source.substr(begin, offset - begin);
  auto lower = [](std::string_view text) {
    std::string result(text);
    for (char &c : result)
      c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return result;
  };
  std::string wanted = lower(typed);
  std::erase_if(list.items, [&](const Completion &item) {
    return lower(item.text).find(wanted) == std::string::npos;
  });
  std::stable_sort(list.items.begin(), list.items.end(),
                   [&](const Completion &a, const Completion &b) {
                     bool aStarts = lower(a.text).starts_with(wanted);
                     bool bStarts = lower(b.text).starts_with(wanted);
                     return aStarts > bStarts;
                   });
  return list;
}

std::optional<SignatureHelp> EditorDocument::signatureHelp(Position cursor) const {
  struct OpenCall {
    size_t token;
    int numCommas = 0;
    /// First token of the current argument.
    size_t argument = 0;
  };
  uint32_t offset = offsetOf(cursor);
  std::vector<OpenCall> open;
  for (size_t i = 0; i < m_tokens.size() && m_tokens[i].begin < offset; ++i) {
    switch (m_tokens[i].kind) {
    case TokenKind::LParen:
    case TokenKind::LBracket:
    case TokenKind::LBrace:
      open.push_back({i, 0, i + 1});
      break;
    case TokenKind::RParen:
    case TokenKind::RBracket:
    case TokenKind::RBrace:
      if (!open.empty())
        open.pop_back();
      break;
    case TokenKind::Comma:
      if (!open.empty()) {
        ++open.back().numCommas;
        open.back().argument = i + 1;
      }
      break;
    default:
      break;
    }
  }
  while (!open.empty()) {
    OpenCall call = open.back();
    open.pop_back();
    bool isCall = m_tokens[call.token].kind == TokenKind::LParen && call.token > 0 &&
                  m_tokens[call.token - 1].kind == TokenKind::Name &&
                  !(call.token > 1 && m_tokens[call.token - 2].kind == TokenKind::KwDef);
    if (!isCall)
      continue;
    std::string_view callee = expressionBefore(m_tree->source, m_tokens[call.token - 1].end);
    ParsedExpression parsed = parseExpression(std::string(callee));
    if (!parsed.expr)
      return std::nullopt;
    SignatureHelp help;
    std::string path = resolvePath(*parsed.expr, m_scopes->scopeAt(cursor));
    const ReferenceEntry *entry = path.empty() ? nullptr : findReference(path);
    auto *attribute = as<Attribute>(parsed.expr);
    auto *name = as<Name>(parsed.expr);
    if (!entry && path.empty() && attribute)
      entry = findReference("tensor." + std::string(attribute->attr));
    const JitFunction *function = name ? m_index.findFunction(name->id) : nullptr;
    if (entry) {
      help = {entry->signature, entry->doc, entry->parameters(), -1};
    } else if (function) {
      ReferenceEntry own{"", ReferenceKind::Function, signatureOf(*m_tree, *function),
                         docstringOf(*function->def)};
      help = {own.signature, own.doc, own.parameters(), -1};
    } else {
      return std::nullopt;
    }
    int numParameters = static_cast<int>(help.parameters.size());
    help.activeParameter = std::min(call.numCommas, numParameters - 1);
    bool isKeyword = call.argument + 1 < m_tokens.size() &&
                     m_tokens[call.argument].kind == TokenKind::Name &&
                     m_tokens[call.argument + 1].kind == TokenKind::Equal &&
                     m_tokens[call.argument].begin < offset;
    for (int i = 0; isKeyword && i < numParameters; ++i)
      if (parameterName(help.parameters[i]) == textOf(m_tokens[call.argument]))
        help.activeParameter = i;
    return help;
  }
  return std::nullopt;
}

std::optional<HoverInfo> EditorDocument::describePath(std::string_view path,
                                                      SourceRange range) const {
  const ReferenceEntry *entry = findReference(path);
  if (!entry)
    return std::nullopt;
  return HoverInfo{range, entry->signature, entry->doc};
}

std::optional<HoverInfo> EditorDocument::describeFunction(const JitFunction &function,
                                                          SourceRange range) const {
  return HoverInfo{range, signatureOf(*m_tree, function), docstringOf(*function.def)};
}

std::optional<HoverInfo> EditorDocument::hover(Position position) const {
  std::optional<HoverInfo> result;
  auto inside = [&](const SourceRange &range) {
    return range.begin <= position && position < range.end;
  };
  walk(*m_tree->module, [&](const Node &node) {
    if (result)
      return false;
    if (auto *attribute = as<Attribute>(&node); attribute && inside(attribute->attrRange)) {
      std::string path = resolvePath(*attribute, m_scopes->scopeAt(position));
      result = !path.empty()
                   ? describePath(path, attribute->range)
                   : describePath("tensor." + std::string(attribute->attr), attribute->attrRange);
    } else if (auto *name = as<Name>(&node); name && inside(name->range)) {
      std::string path = resolvePath(*name, m_scopes->scopeAt(position));
      if (!path.empty())
        result = describePath(path, name->range);
      else if (const JitFunction *function = m_index.findFunction(name->id))
        result = describeFunction(*function, name->range);
    } else if (auto *def = as<FunctionDef>(&node); def && inside(def->nameRange)) {
      if (const JitFunction *function = m_index.findFunction(def->name))
        result = describeFunction(*function, def->nameRange);
    }
    return !result.has_value();
  });
  return result;
}

} // namespace tilescope::compiler::ast
