// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an editor asks about a text while a person types, answered from the syntax tree alone in
// well under a millisecond. Types and shapes come from the compile worker; everything here works
// without it.
#pragma once

#include "compiler/syntax/LanguageReference.h"
#include "compiler/syntax/ModuleIndex.h"
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
  /// A parameter of the surrounding kernel that is no constexpr.
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
};

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
  /// The part of a word that is replaced; empty range at the cursor when nothing was typed yet.
  SourceRange replaced;
  std::vector<Completion> items;
};

struct SignatureHelp {
  std::string signature;
  std::string doc;
  std::vector<std::string> parameters;
  /// The parameter that the cursor is in, or -1.
  int activeParameter = -1;
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

/// One text with all that is known about it. Immutable; make a new one for every edit.
class EditorDocument {
public:
  explicit EditorDocument(std::string text);

  const SyntaxTree &tree() const { return *m_tree; }
  const ModuleIndex &index() const { return m_index; }

  /// Every token in source order, comments included.
  std::vector<ClassifiedToken> classifyTokens() const;
  /// Blocks, multi-line brackets and strings, runs of comments. Sorted by first line.
  std::vector<FoldingRange> foldingRanges() const;
  std::vector<OutlineItem> outline() const;

  CompletionList complete(Position cursor) const;
  /// Inside the parentheses of a call of something known.
  std::optional<SignatureHelp> signatureHelp(Position cursor) const;
  std::optional<HoverInfo> hover(Position position) const;
  /// Where the name at `position` is first bound in its scope, or defined in this file.
  std::optional<SourceRange> definition(Position position) const;
  /// All uses of the name at `position` within its scope, the definition included.
  std::vector<SourceRange> references(Position position) const;

private:
  SourceRange rangeOf(const Token &token) const;
  std::string_view textOf(const Token &token) const;
  uint32_t offsetOf(Position position) const;
  /// Whether the cursor is in a comment or in the literal text of a string.
  bool insideText(Position cursor) const;
  /// What a dotted expression in front of the cursor stands for.
  std::string resolvePath(const Expr &expr, const Scope &scope) const;
  void completeMembers(const Expr &base, const Scope &scope, CompletionList &list) const;
  void completeNames(const Scope &scope, CompletionList &list) const;
  void completeKeywordArguments(Position cursor, CompletionList &list) const;
  std::optional<HoverInfo> describePath(std::string_view path, SourceRange range) const;
  std::optional<HoverInfo> describeFunction(const JitFunction &function, SourceRange range) const;

  std::shared_ptr<const SyntaxTree> m_tree;
  ModuleIndex m_index;
  std::shared_ptr<const ScopeTable> m_scopes;
  /// All tokens but line ends and indentation.
  std::vector<Token> m_tokens;
};

} // namespace tilescope::compiler::ast
