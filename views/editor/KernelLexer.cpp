// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/KernelLexer.h"

#include "views/common/CodeDocument.h"
#include "views/common/Theme.h"
#include "views/editor/Scintilla.h"

#include <algorithm>

namespace tilescope::views {

/// Tokens of IR have a style for each colour, after those that Scintilla keeps for itself.
static constexpr int kFirstRoleStyle = 64;
static constexpr int kEndRoleStyle = kFirstRoleStyle + static_cast<int>(ColorRole::Count);

static ColorRole roleOf(TokenKind kind) {
  switch (kind) {
  case TokenKind::Plain:
    return ColorRole::Text;
  case TokenKind::Keyword:
    return ColorRole::Keyword;
  case TokenKind::Builtin:
  case TokenKind::FunctionName:
    return ColorRole::Function;
  case TokenKind::LanguageName:
    return ColorRole::Language;
  case TokenKind::Decorator:
    return ColorRole::Decorator;
  case TokenKind::Constexpr:
    return ColorRole::Constexpr;
  case TokenKind::Argument:
    return ColorRole::Argument;
  case TokenKind::Local:
    return ColorRole::Local;
  case TokenKind::String:
    return ColorRole::String;
  case TokenKind::Number:
    return ColorRole::Number;
  case TokenKind::Comment:
  case TokenKind::BlockComment:
    return ColorRole::Comment;
  case TokenKind::Operator:
    return ColorRole::Operator;
  case TokenKind::BlockKey:
    return ColorRole::Attribute;
  case TokenKind::BlockValue:
    return ColorRole::TextMuted;
  }
  return ColorRole::Text;
}

KernelLexer::KernelLexer(QObject *parent) : QsciLexerCustom(parent) { applyTheme(); }

const char *KernelLexer::language() const { return "Triton"; }

QString KernelLexer::description(int style) const {
  static const char *const kNames[kNumTokenKinds] = {QT_TR_NOOP("Text"),
                                                     QT_TR_NOOP("Keyword"),
                                                     QT_TR_NOOP("Built-in function"),
                                                     QT_TR_NOOP("tl name"),
                                                     QT_TR_NOOP("Decorator"),
                                                     QT_TR_NOOP("Function name"),
                                                     QT_TR_NOOP("constexpr"),
                                                     QT_TR_NOOP("Argument"),
                                                     QT_TR_NOOP("Local name"),
                                                     QT_TR_NOOP("String"),
                                                     QT_TR_NOOP("Number"),
                                                     QT_TR_NOOP("Comment"),
                                                     QT_TR_NOOP("Operator"),
                                                     QT_TR_NOOP("Launch block"),
                                                     QT_TR_NOOP("Launch block key"),
                                                     QT_TR_NOOP("Launch block value")};
  if (style >= kFirstRoleStyle && style < kEndRoleStyle)
    return colorKey(static_cast<ColorRole>(style - kFirstRoleStyle));
  return style >= 0 && style < kNumTokenKinds ? tr(kNames[style]) : QString();
}

QColor KernelLexer::defaultColor(int style) const {
  if (style >= kFirstRoleStyle && style < kEndRoleStyle)
    return theme()[static_cast<ColorRole>(style - kFirstRoleStyle)];
  return theme()[style < kNumTokenKinds ? roleOf(static_cast<TokenKind>(style)) : ColorRole::Text];
}

QColor KernelLexer::defaultPaper(int) const { return theme()[ColorRole::Base]; }

QFont KernelLexer::defaultFont(int style) const {
  QFont font = codeFont();
  const bool isRole = style >= kFirstRoleStyle;
  const auto kind = isRole ? TokenKind::Plain : static_cast<TokenKind>(style);
  // Meaning is not carried by colour alone.
  font.setItalic(kind == TokenKind::Comment || kind == TokenKind::Constexpr ||
                 style == kFirstRoleStyle + static_cast<int>(ColorRole::Comment));
  if (kind == TokenKind::FunctionName)
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
  apply(0, kNumTokenKinds);
  apply(kFirstRoleStyle, kEndRoleStyle);
}

void KernelLexer::setStageLanguage(std::optional<TextLanguage> language) {
  m_stageLanguage = language;
  m_valid = false;
  m_text.clear();
  m_scanned = {};
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

const ScannedText &KernelLexer::scanned() {
  if (!m_valid && editor() && !m_stageLanguage) {
    QByteArray text = editorText();
    if (text != m_text || m_scanned.tokens.empty()) {
      m_text = std::move(text);
      m_scanned = scanPython(std::string_view(m_text.constData(), m_text.size()));
    }
    m_valid = true;
  }
  return m_scanned;
}

/// A line that is followed by deeper ones is their header; blank lines belong to what precedes
/// them.
static std::vector<int> foldLevelsByIndentation(const QByteArray &text) {
  std::vector<int> indents;
  for (qsizetype at = 0; at <= text.size();) {
    qsizetype feed = text.indexOf('\n', at);
    if (feed < 0)
      feed = text.size();
    qsizetype first = at;
    while (first < feed && (text[first] == ' ' || text[first] == '\t'))
      ++first;
    const bool blank = first == feed || text[first] == '\r';
    indents.push_back(blank ? -1 : static_cast<int>(first - at));
    at = feed + 1;
  }
  std::vector<int> levels(indents.size());
  for (size_t line = 0; line < indents.size(); ++line) {
    size_t next = line + 1;
    while (next < indents.size() && indents[next] < 0)
      ++next;
    const bool blank = indents[line] < 0;
    const int following = next < indents.size() ? indents[next] : 0;
    const int indent = blank ? following : indents[line];
    levels[line] = QsciScintillaBase::SC_FOLDLEVELBASE + indent;
    if (blank)
      levels[line] |= QsciScintillaBase::SC_FOLDLEVELWHITEFLAG;
    else if (following > indent)
      levels[line] |= QsciScintillaBase::SC_FOLDLEVELHEADERFLAG;
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
  m_valid = false;
  if (m_stageLanguage)
    styleStage(start, end);
  else
    styleKernel(start, end);
}

void KernelLexer::styleKernel(int start, int end) {
  const ScannedText &text = scanned();
  startStyling(start);
  auto token =
      std::lower_bound(text.tokens.begin(), text.tokens.end(), static_cast<uint32_t>(start),
                       [](const ScannedToken &t, uint32_t offset) { return t.end() <= offset; });
  auto at = static_cast<uint32_t>(start);
  const auto stop = static_cast<uint32_t>(end);
  for (; token != text.tokens.end() && token->begin < stop; ++token) {
    if (token->begin > at)
      setStyling(static_cast<int>(token->begin - at), static_cast<int>(TokenKind::Plain));
    const uint32_t from = std::max(token->begin, at);
    const uint32_t to = std::min(token->end(), stop);
    setStyling(static_cast<int>(to - from), static_cast<int>(token->kind));
    at = to;
  }
  if (at < stop)
    setStyling(static_cast<int>(stop - at), static_cast<int>(TokenKind::Plain));
  setFoldLevels(foldLevelsByIndentation(m_text));
}

void KernelLexer::styleStage(int start, int end) {
  const QByteArray text = editorText();
  // Whole lines: a line's colours depend on nothing but itself.
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
