// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an editor asks about a text while a user types, answered from the syntax tree alone in
// well under a millisecond. Types and shapes come from the compile worker; everything here works
// without it.
#pragma once

#include "compiler/syntax/LanguageReference.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/OnDemand.h"
#include "compiler/syntax/Scopes.h"
#include "compiler/syntax/Token.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

enum class TokenClass {
  Comment,
  Keyword,
  Number,
  String,
  Operator,
  /// A name with none of the meanings below.
  Identifier,
  /// `tl`, `triton`, a module of theirs.
  LanguageModule,
  /// `load` in `tl.load`, and names imported from the language.
  LanguageFunction,
  /// `float16` in `tl.float16`.
  LanguageType,
  /// A parameter of the surrounding kernel that is not a constexpr.
  KernelArgument,
  /// A constexpr parameter or a global or local constexpr.
  Constexpr,
  /// The name of a jitted function, at its definition and where it is called.
  KernelName,
  /// The name of another function or class where it is defined.
  DefinitionName,
  Decorator,
  /// Python's own `range`, `len`, …
  Builtin,
  // The launch block, a comment that the program reads.
  /// `#`, `///` and `=`.
  LaunchMark,
  /// `[sizes]`
  LaunchSection,
  LaunchKey,
  LaunchValue,
};
inline constexpr int kNumTokenClasses = static_cast<int>(TokenClass::LaunchValue) + 1;

struct ClassifiedToken {
  SourceRange range;
  TokenClass tokenClass{};
};

enum class CompletionKind {
  Variable,
  Parameter,
  Constexpr,
  Function,
  Kernel,
  Method,
  Property,
  Type,
  Module,
  Keyword,
  KeywordArgument,
};

struct Completion {
  /// What is inserted.
  std::string text;
  CompletionKind kind{};
  /// Signature or origin, for the list's second column; may be empty.
  std::string detail;
  /// Paragraph for the side panel; may be empty.
  std::string doc;
};

struct CompletionList {
  /// The part of a word in front of the cursor, which an item replaces; empty when nothing was
  /// typed yet.
  SourceRange replaced;
  /// Best first.
  std::vector<Completion> items;
  /// What was typed names nothing by itself and begins exactly one item, the first: `tl.aran`.
  bool onlyOneContinues = false;
};

struct SignatureHelp {
  std::string signature;
  std::string doc;
  std::vector<std::string> parameters;
  /// The parameter that the cursor is in, or -1.
  int activeParameter = -1;
  /// Byte of the call's opening bracket.
  uint32_t bracket = 0;
};

struct HoverInfo {
  SourceRange range;
  std::string signature;
  std::string doc;
};

/// Lines `first` to `last`, both of which stay partly visible: `first` is the header.
struct FoldingRange {
  uint32_t first = 0;
  uint32_t last = 0;
  bool operator==(const FoldingRange &) const = default;
};

/// A symbol for an outline or "go to symbol".
struct OutlineItem {
  std::string name;
  SourceRange range;
  SourceRange nameRange;
  bool isKernel = false;
};

/// Whether Python has a builtin function of that name which kernels or launch code use.
bool isPythonBuiltin(std::string_view name);

/// What the lexer alone makes of a text.
struct TokensAndComments {
  std::vector<Token> tokens;
  std::vector<SourceRange> comments;
};

/// One text with all that is known about it. Immutable; make a new one for every edit. Making it
/// parses the text. The rest is found out when it is first asked for: what a key leads to is done
/// step by step, and no step waits for what only a later one needs.
class EditorDocument {
public:
  explicit EditorDocument(std::string text);

  const SyntaxTree &tree() const { return *m_tree; }
  const ModuleIndex &index() const;

  /// Every token in source order, comments included.
  std::vector<ClassifiedToken> classifyTokens() const;
  /// Blocks, multi-line brackets and strings, runs of comments. Sorted by first line.
  std::vector<FoldingRange> foldingRanges() const;
  std::vector<OutlineItem> outline() const;

  /// What fits at the cursor. Nothing in comments, strings and numbers, and nothing where a name is
  /// being invented (`def …`, `for …`, a parameter).
  CompletionList complete(Position cursor) const;
  /// Inside the parentheses of a call of something known.
  std::optional<SignatureHelp> signatureHelp(Position cursor) const;
  /// On `tl` of `tl.load`, where nothing is known of `tl` alone, the whole is meant.
  std::optional<HoverInfo> hover(Position position) const;
  /// Where the name at `position` is first bound in its scope, or defined in this file.
  std::optional<SourceRange> definition(Position position) const;
  /// All uses of the name at `position` within its scope, the definition included.
  std::vector<SourceRange> references(Position position) const;
  /// The dotted name up to the part at a position: `tl` or `tl.math` or all of `tl.math.exp`; empty
  /// where there is no name.
  std::string_view dottedNameAt(Position position) const;

  /// Whether the cursor is in a comment or in the literal text of a string.
  bool isInsideText(Position cursor) const;
  /// The whole lines around a line that brackets or strings join to one statement, from the start
  /// of the first to the start of the line behind the last. Brackets that are still open join
  /// nothing.
  SourceRange statementLines(uint32_t line) const;

  /// The indentation, in columns, of the line that Enter at the cursor begins: deeper below a header, back
  /// behind a `return`, beside the open bracket inside of one.
  uint32_t indentationBelow(Position cursor) const;

  uint32_t offsetOf(Position position) const;

private:
  const ScopeTable &scopes() const;
  /// All tokens but line ends and indentation.
  const std::vector<Token> &tokens() const;
  /// Of the same reading as the tokens: where the parser leaves an open bracket, those of the tree
  /// may lie inside a string of these.
  const std::vector<SourceRange> &comments() const;
  const TokensAndComments &tokensAndComments() const;
  SourceRange rangeOf(const Token &token) const;
  std::string_view textOf(const Token &token) const;
  /// Index of the first token that does not end in front of `offset`.
  size_t firstTokenFrom(uint32_t offset) const;
  std::string_view lineText(uint32_t line) const;
  /// Whether a name that begins at `offset` is new there: behind `def`, `for`, in a parameter list.
  bool inventsName(uint32_t offset) const;
  /// Whether the argument at the cursor is a dtype.
  bool wantsType(Position cursor) const;
  /// The module in `from module import …` whose names begin at `offset`; empty elsewhere.
  std::string importedModule(uint32_t offset) const;
  const FunctionDef *findPlainFunction(std::string_view name) const;
  /// What a dotted expression in front of the cursor stands for.
  std::string resolvePath(const Expr &expr, const Scope &scope) const;
  void completeMembers(const Expr &base, const Scope &scope, CompletionList &list) const;
  void completeNames(const Scope &scope, CompletionList &list) const;
  void completeKeywordArguments(Position cursor, CompletionList &list) const;
  std::optional<HoverInfo> describePath(std::string_view path, SourceRange range) const;
  std::optional<HoverInfo> describeFunction(std::string_view name, SourceRange range) const;

  std::shared_ptr<const SyntaxTree> m_tree;
  OnDemand<ModuleIndex> m_index;
  OnDemand<ScopeTable> m_scopes;
  OnDemand<TokensAndComments> m_tokens;
};

} // namespace tilescope::compiler::ast
