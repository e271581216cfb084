// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What every token of a document is, for coloring.
#include "compiler/syntax/EditorServices.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler::ast {

static constexpr std::string_view kBuiltins[] = {
    "abs",     "all",     "any",   "bool",       "dict",  "divmod", "enumerate", "float",
    "getattr", "hasattr", "int",   "isinstance", "len",   "list",   "max",       "min",
    "pow",     "print",   "range", "repr",       "round", "set",    "sorted",    "str",
    "sum",     "super",   "tuple", "type",       "zip"};

bool isPythonBuiltin(std::string_view name) {
  return std::find(std::begin(kBuiltins), std::end(kBuiltins), name) != std::end(kBuiltins);
}

namespace {

/// Finds the meaning of the names of a tree, by their places.
class NameClassifier {
public:
  NameClassifier(const ModuleIndex &index, const ScopeTable &scopes)
      : m_index(index), m_scopes(scopes) {}

  void run(const Module &module) {
    classifySymbols(m_scopes.moduleScope());
    walk(module, [&](const Node &node) {
      if (auto *attribute = as<Attribute>(&node))
        classifyAttribute(*attribute);
      else if (auto *function = as<FunctionDef>(&node))
        classifyDecorators(function->decoratorList);
      else if (auto *type = as<ClassDef>(&node))
        classifyDecorators(type->decoratorList);
      return true;
    });
  }

  std::map<Position, TokenClass> classes;

private:
  static std::optional<TokenClass> classOfPath(std::string_view path) {
    const ReferenceEntry *entry = findReference(path);
    if (!entry) {
      bool isModule = path == "triton" || path == "triton.language" ||
                      path.starts_with("triton.language.extra");
      return isModule ? std::optional(TokenClass::LanguageModule) : std::nullopt;
    }
    switch (entry->kind) {
    case ReferenceKind::DType:
    case ReferenceKind::Type:
      return TokenClass::LanguageType;
    case ReferenceKind::Module:
      return TokenClass::LanguageModule;
    default:
      return TokenClass::LanguageFunction;
    }
  }

  bool isConstexpr(const Expr *annotation) const {
    return annotation && m_index.resolve(*annotation) == "triton.language.constexpr";
  }

  TokenClass classOfSymbol(const Scope &scope, const Symbol &symbol) const {
    if (isConstexpr(symbol.annotation))
      return TokenClass::Constexpr;
    auto *function = as<FunctionDef>(scope.owner);
    if (symbol.isParameter) {
      const JitFunction *jit = function ? m_index.findFunction(function->name) : nullptr;
      return jit && jit->def == function ? TokenClass::KernelArgument : TokenClass::Identifier;
    }
    if (!is<Module>(scope.owner))
      return TokenClass::Identifier;
    if (auto imported = m_index.imports.find(symbol.name); imported != m_index.imports.end())
      return classOfPath(imported->second).value_or(TokenClass::Identifier);
    if (m_index.findFunction(symbol.name))
      return TokenClass::KernelName;
    const ModuleConstant *constant = m_index.findConstant(symbol.name);
    return constant && constant->isConstexpr ? TokenClass::Constexpr : TokenClass::Identifier;
  }

  void classifySymbols(const Scope &scope) {
    for (const auto &[name, symbol] : scope.symbols) {
      TokenClass tokenClass = classOfSymbol(scope, symbol);
      for (const auto *ranges : {&symbol.bindings, &symbol.uses})
        for (const SourceRange &range : *ranges)
          classes[range.begin] = tokenClass;
    }
    if (auto *function = as<FunctionDef>(scope.owner);
        function && !m_index.findFunction(function->name))
      classes[function->nameRange.begin] = TokenClass::DefinitionName;
    if (auto *type = as<ClassDef>(scope.owner))
      classes[type->nameRange.begin] = TokenClass::DefinitionName;
    for (const auto &child : scope.children)
      classifySymbols(*child);
  }

  void classifyAttribute(const Attribute &attribute) {
    std::string path = m_index.resolve(attribute);
    if (std::optional<TokenClass> tokenClass = classOfPath(path))
      classes[attribute.attrRange.begin] = *tokenClass;
  }

  void classifyDecorators(Seq<Expr> decorators) {
    for (const Expr *decorator : decorators) {
      auto *call = as<Call>(decorator);
      const Expr *name = call ? call->func : decorator;
      while (auto *attribute = as<Attribute>(name)) {
        m_decoratorParts.push_back(attribute->attrRange.begin);
        name = attribute->value;
      }
      if (is<Name>(name))
        m_decoratorParts.push_back(name->range.begin);
    }
  }

public:
  /// Decorators look the same whatever they are made of.
  void applyDecorators() {
    for (Position position : m_decoratorParts)
      classes[position] = TokenClass::Decorator;
  }

private:
  const ModuleIndex &m_index;
  const ScopeTable &m_scopes;
  std::vector<Position> m_decoratorParts;
};

} // namespace

static TokenClass classOfKind(TokenKind kind) {
  if (isKeyword(kind))
    return TokenClass::Keyword;
  switch (kind) {
  case TokenKind::Name:
    return TokenClass::Identifier;
  case TokenKind::Number:
    return TokenClass::Number;
  case TokenKind::String:
  case TokenKind::FStringStart:
  case TokenKind::FStringMiddle:
  case TokenKind::FStringEnd:
    return TokenClass::String;
  default:
    return TokenClass::Operator;
  }
}

namespace {

/// Separates the lines of launch blocks from other comments. To be asked for every comment in order.
class CommentClassifier {
public:
  explicit CommentClassifier(const SyntaxTree &tree) : m_tree(tree) {}

  void classify(const SourceRange &comment, std::vector<ClassifiedToken> &result) {
    const std::string_view line = m_tree.text(comment);
    if (line.starts_with("# ///")) {
      m_inBlock = !m_inBlock && line.find("tilescope") != std::string_view::npos;
      result.push_back({comment, TokenClass::LaunchMark});
    } else if (m_inBlock) {
      classifyLine(comment, line, result);
    } else {
      result.push_back({comment, TokenClass::Comment});
    }
  }

private:
  /// `# key = value` or `# [section]`.
  static void classifyLine(const SourceRange &comment, std::string_view line,
                           std::vector<ClassifiedToken> &result) {
    auto add = [&](size_t begin, size_t end, TokenClass tokenClass) {
      SourceRange range = comment;
      range.begin.column += static_cast<uint32_t>(begin);
      range.end.column = comment.begin.column + static_cast<uint32_t>(end);
      if (begin < end)
        result.push_back({range, tokenClass});
    };
    add(0, 1, TokenClass::LaunchMark);
    const size_t first = line.find_first_not_of(" \t", 1);
    if (first == std::string_view::npos)
      return;
    const size_t equals = line.find('=', first);
    if (equals == std::string_view::npos)
      return add(first, line.size(),
                 line[first] == '[' ? TokenClass::LaunchSection : TokenClass::LaunchKey);
    add(first, equals, TokenClass::LaunchKey);
    add(equals, equals + 1, TokenClass::LaunchMark);
    add(std::min(line.find_first_not_of(" \t", equals + 1), line.size()), line.size(),
        TokenClass::LaunchValue);
  }

  const SyntaxTree &m_tree;
  bool m_inBlock = false;
};

} // namespace

std::vector<ClassifiedToken> EditorDocument::classifyTokens() const {
  NameClassifier names(index(), scopes());
  names.run(*m_tree->module);
  names.applyDecorators();
  std::map<Position, TokenClass> softKeywords;
  walk(*m_tree->module, [&](const Node &node) {
    if (is<Match>(&node) || is<MatchCase>(&node) || is<TypeAlias>(&node))
      softKeywords[node.range.begin] = TokenClass::Keyword;
    return true;
  });
  std::vector<ClassifiedToken> result;
  result.reserve(tokens().size() + comments().size());
  CommentClassifier classifier(*m_tree);
  auto comment = comments().begin();
  bool afterDot = false;
  for (const Token &token : tokens()) {
    SourceRange range = rangeOf(token);
    for (; comment != comments().end() && comment->begin < range.begin; ++comment)
      classifier.classify(*comment, result);
    TokenClass tokenClass = classOfKind(token.kind);
    if (token.kind == TokenKind::Name) {
      auto found = names.classes.find(range.begin);
      if (softKeywords.contains(range.begin))
        tokenClass = TokenClass::Keyword;
      else if (found != names.classes.end())
        tokenClass = found->second;
      else if (!afterDot && isPythonBuiltin(textOf(token)))
        tokenClass = TokenClass::Builtin;
    } else if (token.kind == TokenKind::At && token.startsLine) {
      tokenClass = TokenClass::Decorator;
    }
    afterDot = token.kind == TokenKind::Dot;
    result.push_back({range, tokenClass});
  }
  for (; comment != comments().end(); ++comment)
    classifier.classify(*comment, result);
  return result;
}

} // namespace tilescope::compiler::ast
