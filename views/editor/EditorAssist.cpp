// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Completion, signature help and hover of the KernelEditor.
#include "compiler/syntax/EditorServices.h"
#include "views/common/Theme.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/LaunchKeys.h"
#include "views/editor/TypingHold.h"

#include <QContextMenuEvent>
#include <QTimer>

#include <algorithm>

namespace tilescope::views {

using compiler::Diagnostic;
using compiler::ast::EditorDocument;

/// Of a word in a launch block, from which on a list opens by itself.
static constexpr uint32_t kOpeningLetters = 2;

static QString code(const QString &html) {
  return QStringLiteral("<span style=\"font-family:'%1'\">%2</span>")
      .arg(codeFont().families().join(u"','"_qs), html);
}

static QString htmlLines(const QString &text) {
  return text.trimmed().toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
}

void KernelEditor::triggerCompletion() {
  const std::shared_ptr<const EditorDocument> document = this->document();
  compiler::ast::CompletionList keys;
  if (document && !isReadOnly())
    keys = completeLaunchKeys(document->tree().source, cursor());
  if (keys.items.empty())
    return updateCompletion(true);
  m_hover->hide();
  const QRect anchor = cursorRect(byteOffset(keys.replaced.begin));
  m_completion->present(std::move(keys), anchor);
}

/// The keys of a launch block, once so many letters of a word are typed.
static compiler::ast::CompletionList launchKeys(const EditorDocument &document, Position cursor,
                                                uint32_t letters) {
  compiler::ast::CompletionList keys = completeLaunchKeys(document.tree().source, cursor);
  if (keys.replaced.end.column - keys.replaced.begin.column < letters)
    keys.items.clear();
  return keys;
}

void KernelEditor::updateCompletion(bool isAsked) {
  const std::shared_ptr<const EditorDocument> document = this->document();
  if (!document || isReadOnly()) {
    m_completion->hide();
    return;
  }
  compiler::ast::CompletionList list = document->complete(cursor());
  // Launch blocks are comments to the language.
  if (list.items.empty())
    list = launchKeys(*document, cursor(), m_completion->isVisible() ? 0 : kOpeningLetters);
  const SourceRange typed = list.replaced;
  // Offering only the word itself does not help.
  if (list.items.size() == 1 && list.items[0].text.size() == typed.end.column - typed.begin.column)
    list.items.clear();
  // A word that is complete needs no list over the lines below, unless it is asked for.
  const bool isComplete = !isAsked && !list.items.empty() &&
                          list.items[0].text == document->tree().source.substr(
                                                    static_cast<size_t>(byteOffset(typed.begin)),
                                                    typed.end.column - typed.begin.column);
  if (isComplete)
    list.items.clear();
  m_hover->hide();
  m_completion->present(std::move(list), cursorRect(byteOffset(typed.begin)));
}

/// Whether a function's name between two bytes begins a call: not in front of a bracket, and not
/// where it is only named.
bool KernelEditor::isCallAt(long begin, long end) const {
  const Position at = positionAt(begin);
  const std::string line = QsciScintilla::text(static_cast<int>(at.line)).toStdString();
  const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::string_view statement = std::string_view(line).substr(first);
  const bool isNamed = statement.starts_with('@') || statement.starts_with("from ") ||
                       statement.starts_with("import ");
  return !isNamed && send(SCI_GETCHARAT, static_cast<unsigned long>(end)) != '(';
}

static bool isCalled(compiler::ast::CompletionKind kind) {
  using compiler::ast::CompletionKind;
  return kind == CompletionKind::Function || kind == CompletionKind::Kernel ||
         kind == CompletionKind::Method;
}

void KernelEditor::acceptCompletion(const compiler::ast::Completion &completion) {
  const std::shared_ptr<const EditorDocument> document = this->document();
  m_completion->hide();
  if (!document)
    return;
  QByteArray bytes = QByteArray::fromStdString(completion.text);
  const long begin = byteOffset(document->complete(cursor()).replaced.begin);
  const long caret = send(SCI_GETCURRENTPOS);
  long end = caret;
  // Of a word that goes on behind the cursor, only what the name ends with is part of it.
  const long wordEnd = send(SCI_WORDENDPOSITION, static_cast<unsigned long>(caret), 1);
  const std::string rest = document->tree().source.substr(static_cast<size_t>(caret),
                                                          static_cast<size_t>(wordEnd - caret));
  if (bytes.endsWith(QByteArray::fromStdString(rest)))
    end = wordEnd;
  const long nameEnd = begin + bytes.size();
  const bool opensCall = isCalled(completion.kind) && isCallAt(begin, end);
  if (opensCall)
    bytes += "()";
  beginUndoAction();
  send(SCI_SETTARGETRANGE, static_cast<unsigned long>(begin), end);
  SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(bytes.size()), bytes.constData());
  send(SCI_GOTOPOS, static_cast<unsigned long>(opensCall ? nameEnd + 1 : nameEnd));
  endUndoAction();
  if (opensCall) {
    m_freshClosers.push_back(nameEnd + 1);
    m_freshCall = {nameEnd, completion.kind == compiler::ast::CompletionKind::Kernel};
  }
  if (const auto now = this->document())
    m_hold->typedIn(now->statementLines(cursor().line));
  if (opensCall || m_signature->isVisible())
    updateSignature();
}

void KernelEditor::showSignature() { updateSignature(); }

/// The signature with the parameter that the cursor is in standing out.
static QString signatureHtml(const compiler::ast::SignatureHelp &help) {
  const QString signature = QString::fromStdString(help.signature);
  QStringList shown;
  for (int i = 0; i < static_cast<int>(help.parameters.size()); ++i) {
    const QString parameter = QString::fromStdString(help.parameters[static_cast<size_t>(i)]);
    shown << (i == help.activeParameter
                  ? QStringLiteral("<b>%1</b>").arg(colored(parameter, ColorRole::FocusEdge))
                  : colored(parameter, ColorRole::TextMuted));
  }
  return code(colored(signature.section(u'(', 0, 0), ColorRole::Language) + u'(' +
              shown.join(QStringLiteral(", ")) + u')');
}

void KernelEditor::updateSignature() {
  const std::shared_ptr<const EditorDocument> document = this->document();
  const auto help = document ? document->signatureHelp(cursor()) : std::nullopt;
  if (!help) {
    m_signature->hide();
    return;
  }
  QString html = signatureHtml(*help);
  const QString sentence = QString::fromStdString(help->doc).trimmed().section(u'\n', 0, 0);
  if (!sentence.isEmpty())
    html += QStringLiteral("<br>") + colored(sentence, ColorRole::TextMuted);
  m_hover->hide();
  // It stays where the call begins, unless that is out of sight.
  const QRect bracket = cursorRect(help->bracket);
  const QRect caret = cursorRect(send(SCI_GETCURRENTPOS));
  const QRect sight(viewport()->mapToGlobal(QPoint(textLeft(), 0)), viewport()->size());
  m_signature->showText(html, sight.contains(bracket.center()) ? bracket : caret, PopupSide::Above);
}

QString KernelEditor::diagnosticsText(const std::vector<Diagnostic> &diagnostics) const {
  QStringList parts;
  for (const Diagnostic &diagnostic : diagnostics) {
    const ColorRole role = diagnostic.severity == compiler::Severity::Error     ? ColorRole::Error
                           : diagnostic.severity == compiler::Severity::Warning ? ColorRole::Warning
                                                                                : ColorRole::Info;
    QString text = colored(QString::fromStdString(diagnostic.message), role);
    for (const std::string &note : diagnostic.notes)
      text += QStringLiteral("<br>") + colored(QString::fromStdString(note), ColorRole::TextMuted);
    for (const compiler::DiagnosticFix &fix : diagnostic.fixes)
      text += QStringLiteral("<br>") +
              colored(tr("Ctrl+. fixes it: %1").arg(QString::fromStdString(fix.title)),
                      ColorRole::Info);
    parts << text;
  }
  return parts.join(QStringLiteral("<hr>"));
}

QString KernelEditor::valueText(Position position) const {
  const compiler::ValueFacts *smallest = nullptr;
  auto extent = [](const SourceRange &r) {
    return (static_cast<int64_t>(r.end.line) - r.begin.line) * 10000 + r.end.column -
           r.begin.column;
  };
  for (const compiler::ValueFacts &value : m_values)
    if (value.range.file == 0 && value.range.contains(position) &&
        (!smallest || extent(value.range) < extent(smallest->range)))
      smallest = &value;
  // What a module is called says no more than its name.
  if (!smallest || smallest->type.starts_with("module"))
    return {};
  const auto begin = static_cast<size_t>(byteOffset(smallest->range.begin));
  const auto end = static_cast<size_t>(byteOffset(smallest->range.end));
  QString expression = QString::fromStdString(utf8Text().substr(begin, end - begin)).simplified();
  if (expression.size() > 60)
    expression = expression.left(57) + u'…';
  return code(colored(expression, ColorRole::Text) + QStringLiteral("&nbsp;: ") +
              colored(QString::fromStdString(smallest->type), ColorRole::Type));
}

static bool isAt(const SourceRange &range, Position position) {
  return range.contains(position) || range.begin == position;
}

QString KernelEditor::hoverText(Position position) const {
  std::vector<Diagnostic> here;
  for (const Diagnostic &diagnostic : m_shown)
    if (isAt(diagnostic.range, position))
      here.push_back(diagnostic);
  std::vector<compiler::Hint> hints = m_performanceHints;
  std::erase_if(hints, [position](const compiler::Hint &hint) {
    return !hint.range.contains(position) && hint.range.begin != position;
  });
  QStringList parts{diagnosticsText(here), performanceHintsText(hints), valueText(position)};
  const auto note = m_notes.find(position.line);
  // What stands at the end of the line, where it is cut and not said already.
  if (note != m_notes.end() && !note->second.isProblem && isNoteCut(position.line) &&
      !parts.last().contains(note->second.text.toHtmlEscaped()))
    parts << code(colored(note->second.text, kHintRole));
  const std::shared_ptr<const EditorDocument> document = this->document();
  if (const auto info = document ? document->hover(position) : std::nullopt) {
    const QString signature = QString::fromStdString(info->signature);
    const qsizetype open = signature.indexOf(u'(');
    QString html =
        code(colored(signature.left(open), ColorRole::Language) +
             (open < 0 ? QString() : colored(signature.mid(open), ColorRole::TextMuted)));
    if (const QString text = htmlLines(QString::fromStdString(info->doc)); !text.isEmpty())
      html += QStringLiteral("<div style=\"margin-top:4px\">%1</div>").arg(text);
    parts << html;
  }
  if (document)
    parts << htmlLines(QString::fromStdString(explainLaunchKey(document->tree().source, position)));
  parts.removeAll(QString());
  return parts.join(QStringLiteral("<hr>"));
}

void KernelEditor::showPointedPlace() {
  if (m_completion->isVisible())
    return;
  if (!m_pointedNote) {
    const QString text = hoverText(m_pointed);
    if (!text.isEmpty())
      m_hover->showText(text, cursorRect(byteOffset(m_pointed)), PopupSide::Below);
    return;
  }
  std::vector<Diagnostic> onLine;
  for (const Diagnostic &diagnostic : m_shown)
    if (diagnostic.range.begin.line == *m_pointedNote)
      onLine.push_back(diagnostic);
  const auto note = m_notes.find(*m_pointedNote);
  const QString hints = performanceHintsText(performanceHintsOn(*m_pointedNote));
  QStringList parts{heatText(*m_pointedNote), breakpointText(*m_pointedNote)};
  if (note == m_notes.end() && hints.isEmpty() && parts[0].isEmpty() && parts[1].isEmpty())
    return;
  if (note != m_notes.end())
    parts << (note->second.isProblem ? diagnosticsText(onLine)
                                     : code(colored(note->second.text, kHintRole)));
  parts << hints;
  parts.removeAll(QString());
  const QString text = parts.join(QStringLiteral("<hr>"));
  QRect anchor = inlineNoteRect(*m_pointedNote);
  if (m_pointsAtMargin || anchor.isEmpty())
    anchor = lineRect(*m_pointedNote);
  if (m_pointsAtMargin)
    anchor.setLeft(textLeft());
  anchor.moveTopLeft(viewport()->mapToGlobal(anchor.topLeft()));
  m_hover->showText(text, anchor, PopupSide::Below);
}

void KernelEditor::awaitCaretNote(uint32_t line) {
  if (m_caretNote && *m_caretNote != line)
    m_hover->hide();
  // While typing, the user looks at the text, not at its temporary errors.
  const bool isTyping = std::exchange(m_numChangesAtCaret, m_numChanges) != m_numChanges;
  const auto note = m_notes.find(line);
  if (!isTyping && hasFocus() && note != m_notes.end() && note->second.isProblem &&
      isNoteCut(line) && m_caretNote != line && !m_hover->isVisible())
    m_caretTimer->start();
  else
    m_caretTimer->stop();
  if (m_caretNote != line)
    m_caretNote.reset();
}

void KernelEditor::showHover() {
  m_caretTimer->stop();
  m_caretNote.reset();
  m_pointed = nameBefore(cursor());
  m_pointedNote.reset();
  QStringList parts{hoverText(m_pointed)};
  // The marks beside the text are of lines.
  std::vector<Diagnostic> beside = m_shown;
  std::erase_if(beside, [&](const Diagnostic &each) {
    return each.range.begin.line != m_pointed.line || isAt(each.range, m_pointed);
  });
  parts << diagnosticsText(beside);
  std::vector<compiler::Hint> onLine = performanceHintsOn(m_pointed.line);
  std::erase_if(onLine, [&](const auto &hint) { return hint.range.contains(m_pointed); });
  parts << performanceHintsText(onLine);
  parts.removeAll(QString());
  QString text = parts.join(QStringLiteral("<hr>"));
  if (text.isEmpty())
    text = colored(tr("There is nothing to show for this place"), ColorRole::TextMuted);
  m_hover->showText(text, cursorRect(byteOffset(m_pointed)), PopupSide::Below);
}

void KernelEditor::contextMenuEvent(QContextMenuEvent *event) {
  hidePopups();
  QPoint place = cursorRect(send(SCI_GETCURRENTPOS)).bottomLeft();
  if (event->reason() == QContextMenuEvent::Mouse) {
    place = event->globalPos();
    const QPoint point = viewport()->mapFromGlobal(place);
    const long at = send(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(point.x()), point.y());
    // The selection there is the one that is meant.
    if (at < send(SCI_GETSELECTIONSTART) || at > send(SCI_GETSELECTIONEND))
      send(SCI_GOTOPOS, static_cast<unsigned long>(at));
  }
  Q_EMIT menuRequested(place);
}

std::optional<SourceRange> KernelEditor::goToProblem(bool forward) {
  std::vector<SourceRange> places;
  for (const Diagnostic &diagnostic : m_diagnostics)
    if (diagnostic.range.file == 0)
      places.push_back(diagnostic.range);
  if (places.empty())
    return std::nullopt;
  std::sort(places.begin(), places.end());
  const Position at = positionAt(send(SCI_GETSELECTIONSTART));
  const auto next = std::find_if(places.begin(), places.end(),
                                 [&](const SourceRange &place) { return place.begin > at; });
  const auto previous = std::find_if(places.rbegin(), places.rend(),
                                     [&](const SourceRange &place) { return place.begin < at; });
  const SourceRange place = forward ? (next == places.end() ? places.front() : *next)
                                    : (previous == places.rend() ? places.back() : *previous);
  // Nothing is selected: the next key must not replace what is wrong.
  goTo(place.begin);
  setFocus();
  m_caretTimer->stop();
  // What is wrong, and not also what the name in front of it means. What begins there and ends elsewhere is
  // not stopped at by itself.
  std::vector<Diagnostic> here;
  std::ranges::copy_if(m_diagnostics, std::back_inserter(here), [&](const Diagnostic &each) {
    return each.range.file == 0 && each.range.begin == place.begin;
  });
  m_hover->showText(diagnosticsText(here), cursorRect(byteOffset(place.begin)), PopupSide::Below);
  return place;
}

} // namespace tilescope::views
