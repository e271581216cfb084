// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/KernelLexer.h"

#include "views/common/CodeDocument.h"
#include "views/common/Theme.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/Scintilla.h"

#include <algorithm>
#include <utility>

namespace tilescope::views {

using compiler::ast::EditorDocument;
using compiler::ast::FoldingRange;
using compiler::ast::TokenClass;

/// Longer texts are neither colored nor completed: reading them would be felt at every key.
static constexpr qsizetype kMaxTextBytes = 512 * 1024;

/// Style 0 is plain text, then follow the classes of tokens.
static constexpr int kEndClassStyle = 1 + compiler::ast::kNumTokenClasses;
static int styleOf(TokenClass tokenClass) { return 1 + static_cast<int>(tokenClass); }

static ColorRole roleOf(TokenClass tokenClass) {
  switch (tokenClass) {
  case TokenClass::Keyword:
    return ColorRole::Keyword;
  case TokenClass::Number:
    return ColorRole::Number;
  case TokenClass::String:
    return ColorRole::String;
  case TokenClass::Operator:
    return ColorRole::Operator;
  case TokenClass::Identifier:
    return ColorRole::Local;
  case TokenClass::LanguageModule:
  case TokenClass::LanguageFunction:
    return ColorRole::Language;
  case TokenClass::LanguageType:
    return ColorRole::Type;
  case TokenClass::KernelArgument:
    return ColorRole::Argument;
  case TokenClass::Constexpr:
    return ColorRole::Constexpr;
  case TokenClass::KernelName:
  case TokenClass::DefinitionName:
  case TokenClass::Builtin:
    return ColorRole::Function;
  case TokenClass::Decorator:
  case TokenClass::LaunchSection:
    return ColorRole::Decorator;
  case TokenClass::Comment:
  case TokenClass::LaunchMark:
    return ColorRole::Comment;
  case TokenClass::LaunchKey:
    return ColorRole::Attribute;
  case TokenClass::LaunchValue:
    return ColorRole::TextMuted;
  }
  return ColorRole::Text;
}

static QString nameOf(TokenClass tokenClass) {
  static const char *const kNames[] = {QT_TR_NOOP("Comment"),
                                       QT_TR_NOOP("Keyword"),
                                       QT_TR_NOOP("Number"),
                                       QT_TR_NOOP("String"),
                                       QT_TR_NOOP("Operator"),
                                       QT_TR_NOOP("Name"),
                                       QT_TR_NOOP("tl module"),
                                       QT_TR_NOOP("tl function"),
                                       QT_TR_NOOP("tl type"),
                                       QT_TR_NOOP("Argument"),
                                       QT_TR_NOOP("constexpr"),
                                       QT_TR_NOOP("Kernel"),
                                       QT_TR_NOOP("Definition"),
                                       QT_TR_NOOP("Decorator"),
                                       QT_TR_NOOP("Built-in function"),
                                       QT_TR_NOOP("Launch block"),
                                       QT_TR_NOOP("Launch block section"),
                                       QT_TR_NOOP("Launch block key"),
                                       QT_TR_NOOP("Launch block value")};
  static_assert(std::size(kNames) == compiler::ast::kNumTokenClasses);
  return KernelLexer::tr(kNames[static_cast<int>(tokenClass)]);
}

KernelLexer::KernelLexer(QObject *parent) : QsciLexerCustom(parent) { applyTheme(); }

const char *KernelLexer::language() const { return "Triton"; }

QString KernelLexer::description(int style) const {
  if (style == 0)
    return tr("Text");
  if (style > 0 && style < kEndClassStyle)
    return nameOf(static_cast<TokenClass>(style - 1));
  return style >= kFirstRoleStyle && style < kEndRoleStyle
             ? colorKey(static_cast<ColorRole>(style - kFirstRoleStyle))
             : QString();
}

QColor KernelLexer::defaultColor(int style) const {
  if (style >= kFirstRoleStyle && style < kEndRoleStyle)
    return theme()[static_cast<ColorRole>(style - kFirstRoleStyle)];
  return theme()[style > 0 && style < kEndClassStyle ? roleOf(static_cast<TokenClass>(style - 1))
                                                     : ColorRole::Text];
}

QColor KernelLexer::defaultPaper(int) const { return theme()[ColorRole::Base]; }

QFont KernelLexer::defaultFont(int style) const {
  QFont font = codeFont();
  // Meaning is not carried by color alone.
  font.setItalic(style == styleOf(TokenClass::Comment) ||
                 style == styleOf(TokenClass::LaunchMark) ||
                 style == styleOf(TokenClass::Constexpr) ||
                 style == kFirstRoleStyle + static_cast<int>(ColorRole::Comment));
  if (style == styleOf(TokenClass::KernelName) || style == styleOf(TokenClass::DefinitionName))
    font.setWeight(QFont::DemiBold);
  return font;
}

void KernelLexer::applyTheme() {
  setDefaultColor(theme()[ColorRole::Text]);
  setDefaultPaper(theme()[ColorRole::Base]);
  setDefaultFont(codeFont());
  auto apply = [this](int first, int end) {
    for (int style = first; style < end; ++style) {
      setColor(defaultColor(style), style);
      setPaper(defaultPaper(style), style);
      setFont(defaultFont(style), style);
    }
  };
  apply(0, kEndClassStyle);
  apply(kFirstRoleStyle, kEndRoleStyle);
}

void KernelLexer::setStageLanguage(std::optional<TextLanguage> language) {
  m_stageLanguage = language;
  m_isCurrent = false;
  m_hasFoldLevels = false;
  m_document.reset();
  m_classified.reset();
  m_tokens.clear();
  if (editor())
    editor()->recolor();
}

QByteArray KernelLexer::editorText() const {
  const auto length = editor()->SendScintilla(QsciScintillaBase::SCI_GETLENGTH);
  QByteArray text(static_cast<qsizetype>(length) + 1, '\0');
  editor()->SendScintilla(QsciScintillaBase::SCI_GETTEXT, text.size(), text.data());
  text.chop(1);
  return text;
}

std::shared_ptr<const EditorDocument> KernelLexer::document() {
  if (m_isCurrent || !editor() || m_stageLanguage)
    return m_document;
  m_isCurrent = true;
  const QByteArray text = editorText();
  if (m_document && m_document->tree().source == std::string_view(text.constData(), text.size()))
    return m_document;
  m_document.reset();
  if (text.size() <= kMaxTextBytes)
    m_document = std::make_shared<const EditorDocument>(text.toStdString());
  return m_document;
}

void KernelLexer::classifyTokens() {
  const std::shared_ptr<const EditorDocument> document = this->document();
  if (std::exchange(m_classified, document) == document)
    return;
  const std::vector<StyledToken> before = std::exchange(m_tokens, {});
  if (!document)
    return;
  for (const compiler::ast::ClassifiedToken &token : document->classifyTokens())
    m_tokens.push_back({document->offsetOf(token.range.begin), document->offsetOf(token.range.end),
                        styleOf(token.tokenClass)});
  const auto [now, old] = std::ranges::mismatch(m_tokens, before);
  if (now != m_tokens.end())
    m_firstChange = std::min(m_firstChange, now->begin);
  if (old != before.end())
    m_firstChange = std::min(m_firstChange, old->begin);
}

std::vector<int> foldLevels(const std::vector<FoldingRange> &ranges, int numLines) {
  std::vector<FoldingRange> clipped = ranges;
  std::vector<size_t> open;
  for (size_t i = 0; i < clipped.size(); ++i) {
    while (!open.empty() && clipped[open.back()].last < clipped[i].first)
      open.pop_back();
    for (const size_t outer : open)
      if (clipped[outer].last < clipped[i].last)
        clipped[outer].last = clipped[i].first - 1;
    std::erase_if(open, [&](size_t outer) { return clipped[outer].last < clipped[i].first; });
    open.push_back(i);
  }
  std::vector<int> opened(static_cast<size_t>(numLines) + 1);
  std::vector<int> levels(static_cast<size_t>(numLines));
  for (const FoldingRange &range : clipped)
    if (range.first < range.last && range.last < static_cast<uint32_t>(numLines)) {
      ++opened[range.first + 1];
      --opened[range.last + 1];
      levels[range.first] = QsciScintillaBase::SC_FOLDLEVELHEADERFLAG;
    }
  int depth = 0;
  for (size_t line = 0; line < levels.size(); ++line) {
    depth += opened[line];
    levels[line] |= QsciScintillaBase::SC_FOLDLEVELBASE + depth;
  }
  return levels;
}

static std::vector<int> foldLevelsByBraces(const CodeDocument &document) {
  std::vector<int> opened(static_cast<size_t>(document.numLines()) + 1);
  std::vector<int> levels(static_cast<size_t>(document.numLines()));
  for (const FoldRange &fold : document.folds()) {
    ++opened[static_cast<size_t>(fold.first) + 1];
    --opened[std::min(static_cast<size_t>(fold.last) + 1, opened.size() - 1)];
  }
  int depth = 0;
  for (size_t line = 0; line < levels.size(); ++line) {
    depth += opened[line];
    levels[line] = QsciScintillaBase::SC_FOLDLEVELBASE + depth;
    if (document.foldAt(static_cast<int32_t>(line)) != nullptr)
      levels[line] |= QsciScintillaBase::SC_FOLDLEVELHEADERFLAG;
  }
  return levels;
}

void KernelLexer::styleText(int start, int end) {
  if (!editor())
    return;
  m_isCurrent = false;
  if (m_stageLanguage)
    styleStage(start, end);
  else
    styleKernel(start, end);
}

void KernelLexer::styleKernel(int start, int end) {
  classifyTokens();
  start =
      static_cast<int>(std::min(static_cast<uint32_t>(start), std::exchange(m_firstChange, ~0u)));
  startStyling(start);
  auto at = static_cast<uint32_t>(start);
  const auto stop = static_cast<uint32_t>(end);
  auto token = std::partition_point(m_tokens.begin(), m_tokens.end(),
                                    [&](const StyledToken &each) { return each.end <= at; });
  auto style = [&](uint32_t upTo, int number) {
    upTo = std::min(upTo, stop);
    if (upTo > at)
      setStyling(static_cast<int>(upTo - at), number);
    at = std::max(at, upTo);
  };
  for (; token != m_tokens.end() && token->begin < stop; ++token) {
    style(token->begin, 0);
    style(token->end, token->style);
  }
  style(stop, 0);
  foldKernel();
}

/// Whether a string or bracket is open: what follows is then no statement for a while.
static bool isCutShort(const EditorDocument &document) {
  const auto &found = document.tree().diagnostics;
  return std::any_of(found.begin(), found.end(), [](const compiler::Diagnostic &diagnostic) {
    return diagnostic.kind == compiler::DiagnosticKind::SyntaxUnterminatedString ||
           diagnostic.kind == compiler::DiagnosticKind::SyntaxUnclosedBracket;
  });
}

void KernelLexer::foldKernel() {
  const auto numLines =
      static_cast<int>(editor()->SendScintilla(QsciScintillaBase::SCI_GETLINECOUNT));
  if (!m_document)
    return setFoldLevels(foldLevels({}, numLines));
  // Folded lines stay folded while a string is typed above them.
  if (m_hasFoldLevels && isCutShort(*m_document))
    return;
  m_hasFoldLevels = true;
  setFoldLevels(foldLevels(m_document->foldingRanges(), numLines));
}

void KernelLexer::styleStage(int start, int end) {
  const QByteArray text = editorText();
  // Whole lines: a line's colors depend only on itself.
  qsizetype at = start > 0 ? text.lastIndexOf('\n', start - 1) + 1 : 0;
  startStyling(static_cast<int>(at));
  while (at < std::min<qsizetype>(end, text.size())) {
    qsizetype feed = text.indexOf('\n', at);
    if (feed < 0)
      feed = text.size();
    const std::string_view line(text.constData() + at, static_cast<size_t>(feed - at));
    uint32_t column = 0;
    auto style = [&](uint32_t upTo, ColorRole role) {
      if (upTo > column)
        setStyling(static_cast<int>(upTo - column), kFirstRoleStyle + static_cast<int>(role));
      column = upTo;
    };
    for (const ColoredToken &token : colorLine(*m_stageLanguage, line)) {
      style(token.begin, ColorRole::Text);
      style(token.begin + token.length, token.role);
    }
    const bool last = feed == text.size();
    style(static_cast<uint32_t>(line.size()) + (last ? 0 : 1), ColorRole::Text);
    at = feed + 1;
  }
  setFoldLevels(foldLevelsByBraces(CodeDocument(text.toStdString())));
}

void KernelLexer::setFoldLevels(const std::vector<int> &levels) {
  for (size_t line = 0; line < levels.size(); ++line) {
    const auto current = editor()->SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL,
                                                 static_cast<unsigned long>(line));
    if (current != levels[line])
      editor()->SendScintilla(QsciScintillaBase::SCI_SETFOLDLEVEL, static_cast<unsigned long>(line),
                              static_cast<long>(levels[line]));
  }
}

} // namespace tilescope::views
