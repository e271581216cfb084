// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Structure of the document: folding, outline, definitions. Colors are in TokenClasses.cpp,
// completion and help in Completion.cpp.
#include "compiler/syntax/EditorServices.h"

#include "compiler/syntax/BracketLines.h"
#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler::ast {

static TokensAndComments readTokens(const SyntaxTree &tree) {
  DiagnosticSink ignored(0);
  Lexer lexer(tree.source, 0, ignored);
  TokensAndComments result;
  for (size_t i = 0; lexer.token(i).kind != TokenKind::EndOfFile; ++i)
    if (lexer.token(i).kind > TokenKind::Dedent)
      result.tokens.push_back(lexer.token(i));
  result.comments = lexer.comments();
  return result;
}

EditorDocument::EditorDocument(std::string text) : m_tree(parseModule(std::move(text))) {}

const ModuleIndex &EditorDocument::index() const {
  return m_index.get([this] { return indexModule(*m_tree); });
}

const ScopeTable &EditorDocument::scopes() const {
  return m_scopes.get([this] { return ScopeTable(*m_tree->module); });
}

const TokensAndComments &EditorDocument::tokensAndComments() const {
  return m_tokens.get([this] { return readTokens(*m_tree); });
}

const std::vector<Token> &EditorDocument::tokens() const { return tokensAndComments().tokens; }

const std::vector<SourceRange> &EditorDocument::comments() const {
  return tokensAndComments().comments;
}

SourceRange EditorDocument::rangeOf(const Token &token) const {
  auto position = [&](uint32_t offset, uint32_t line) {
    return Position{line, offset - m_tree->lineOffsets[line]};
  };
  return {position(token.begin, token.beginLine), position(token.end, token.endLine), 0};
}

std::string_view EditorDocument::textOf(const Token &token) const {
  return std::string_view(m_tree->source).substr(token.begin, token.end - token.begin);
}

uint32_t EditorDocument::offsetOf(Position position) const {
  const std::vector<uint32_t> &lines = m_tree->lineOffsets;
  uint32_t size = static_cast<uint32_t>(m_tree->source.size());
  return position.line >= lines.size() ? size
                                       : std::min(size, lines[position.line] + position.column);
}

std::vector<FoldingRange> EditorDocument::foldingRanges() const {
  // One range per first line: the longest.
  std::map<uint32_t, uint32_t> lastByFirst;
  auto add = [&](uint32_t first, uint32_t last) {
    if (last > first)
      lastByFirst[first] = std::max(lastByFirst[first], last);
  };
  auto addBlock = [&](uint32_t header, Seq<Stmt> body) {
    if (!body.empty())
      add(header, body.back()->range.end.line);
  };
  walk(*m_tree->module, [&](const Node &node) {
    uint32_t line = node.range.begin.line;
    if (auto *function = as<FunctionDef>(&node)) {
      addBlock(line, function->body);
    } else if (auto *type = as<ClassDef>(&node)) {
      addBlock(line, type->body);
    } else if (auto *branch = as<If>(&node)) {
      addBlock(line, branch->body);
      bool isElif = branch->orelse.size() == 1 && is<If>(branch->orelse[0]);
      if (!isElif && !branch->orelse.empty())
        addBlock(branch->body.empty() ? line : branch->body.back()->range.end.line + 1,
                 branch->orelse);
    } else if (auto *loop = as<For>(&node)) {
      addBlock(line, loop->body);
    } else if (auto *loop = as<While>(&node)) {
      addBlock(line, loop->body);
    } else if (auto *with = as<With>(&node)) {
      addBlock(line, with->body);
    } else if (auto *attempt = as<Try>(&node)) {
      addBlock(line, attempt->body);
    } else if (auto *handler = as<ExceptHandler>(&node)) {
      addBlock(line, handler->body);
    } else if (auto *match = as<MatchCase>(&node)) {
      addBlock(line, match->body);
    }
    return true;
  });
  for (const auto &[begin, end] : bracketLines(tokens()))
    add(begin, end);
  for (const Token &token : tokens())
    if (token.kind == TokenKind::String)
      add(token.beginLine, token.endLine);
  const std::vector<SourceRange> &comments = this->comments();
  for (size_t i = 0; i < comments.size();) {
    size_t end = i + 1;
    while (end < comments.size() && comments[end].begin.line == comments[end - 1].begin.line + 1 &&
           comments[end].begin.column == comments[i].begin.column)
      ++end;
    add(comments[i].begin.line, comments[end - 1].begin.line);
    i = end;
  }
  std::vector<FoldingRange> result;
  for (const auto &[first, last] : lastByFirst)
    result.push_back({first, last});
  return result;
}

std::vector<OutlineItem> EditorDocument::outline() const {
  std::vector<OutlineItem> items;
  for (const Stmt *stmt : m_tree->module->body) {
    if (auto *function = as<FunctionDef>(stmt)) {
      const JitFunction *jit = index().findFunction(function->name);
      items.push_back({std::string(function->name), function->range, function->nameRange,
                       jit && jit->def == function && jit->isKernel()});
    } else if (auto *type = as<ClassDef>(stmt)) {
      items.push_back({std::string(type->name), type->range, type->nameRange, false});
    }
  }
  return items;
}

std::optional<SourceRange> EditorDocument::definition(Position position) const {
  const Symbol *symbol = scopes().symbolAt(position);
  if (!symbol || symbol->bindings.empty())
    return std::nullopt;
  return symbol->bindings.front();
}

std::vector<SourceRange> EditorDocument::references(Position position) const {
  const Symbol *symbol = scopes().symbolAt(position);
  if (!symbol)
    return {};
  std::vector<SourceRange> ranges = symbol->bindings;
  ranges.insert(ranges.end(), symbol->uses.begin(), symbol->uses.end());
  std::sort(ranges.begin(), ranges.end());
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  return ranges;
}

std::string_view EditorDocument::lineText(uint32_t line) const {
  const std::vector<uint32_t> &lines = m_tree->lineOffsets;
  const std::string_view source = m_tree->source;
  if (line >= lines.size())
    return {};
  const std::string_view rest = source.substr(lines[line]);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

std::string_view EditorDocument::dottedNameAt(Position position) const {
  const std::string_view source = m_tree->source;
  auto isPart = [&](size_t at) {
    const auto c = static_cast<unsigned char>(source[at]);
    return c >= 0x80 || isIdentifierContinue(c);
  };
  size_t begin = offsetOf(position);
  size_t end = begin;
  while (end < source.size() && isPart(end))
    ++end;
  while (end > begin && begin > 0 && (isPart(begin - 1) || source[begin - 1] == '.'))
    --begin;
  return source.substr(begin, end - begin);
}

size_t EditorDocument::firstTokenFrom(uint32_t offset) const {
  const std::vector<Token> &tokens = this->tokens();
  return std::partition_point(tokens.begin(), tokens.end(),
                              [&](const Token &token) { return token.end <= offset; }) -
         tokens.begin();
}

/// Whether a string's token ends with its quotes, as opposed to the end of the line or file.
static bool isClosed(std::string_view string) {
  const size_t open = string.find_first_of("'\"");
  const char quote = string[open];
  const bool triple = string.substr(open, 3) == std::string(3, quote);
  const size_t width = triple ? 3 : 1;
  for (size_t at = open + width; at < string.size(); ++at)
    if (string[at] == '\\')
      ++at;
    else if (string.substr(at, width) == std::string(width, quote))
      return true;
  return false;
}

bool EditorDocument::isInsideText(Position cursor) const {
  const std::vector<Token> &tokens = this->tokens();
  for (const SourceRange &comment : comments())
    if (comment.begin < cursor && cursor <= comment.end)
      return true;
  const uint32_t offset = offsetOf(cursor);
  // A token that ends at the cursor counts as long as it is open.
  const size_t first = offset == 0 ? 0 : firstTokenFrom(offset - 1);
  for (size_t i = first; i < tokens.size() && tokens[i].begin < offset; ++i) {
    const Token &token = tokens[i];
    if (token.kind == TokenKind::String && (offset < token.end || !isClosed(textOf(token))))
      return true;
    if (token.kind == TokenKind::FStringMiddle || token.kind == TokenKind::FStringStart)
      return true;
  }
  return false;
}

} // namespace tilescope::compiler::ast
