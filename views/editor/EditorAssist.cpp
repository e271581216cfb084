// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Completion, signature help and hover of the KernelEditor.
#include "views/common/Theme.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/EditContext.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/KernelLexer.h"

namespace tilescope::views {

static QString colored(const QString &text, ColorRole role) {
  return QStringLiteral("<span style=\"color:%1\">%2</span>")
      .arg(theme()[role].name(), text.toHtmlEscaped());
}

static QString code(const QString &html) {
  return QStringLiteral("<span style=\"font-family:'%1'\">%2</span>")
      .arg(codeFont().families().join(u"','"_qs), html);
}

const LanguageEntry *KernelEditor::entryFor(const QString &name) const {
  QString canonical = name;
  const QString head = name.section(u'.', 0, 0);
  for (const std::string &alias : m_lexer->scanned().languageAliases)
    if (head == QString::fromStdString(alias))
      canonical = QStringLiteral("tl") + name.mid(head.size());
  const LanguageEntry *method = nullptr;
  for (const LanguageEntry &entry : *m_language) {
    if (entry.name == canonical)
      return &entry;
    if (entry.kind == LanguageEntry::Kind::Method && name.contains(u'.') &&
        entry.name.section(u'.', -1) == name.section(u'.', -1))
      method = &entry;
  }
  return method;
}

void KernelEditor::triggerCompletion() { updateCompletion(); }

void KernelEditor::updateCompletion() {
  if (m_lexer->stageLanguage())
    return;
  const std::string text = utf8Text();
  const auto offset = static_cast<uint32_t>(send(SCI_GETCURRENTPOS));
  const CompletionContext context = completionAt(text, offset);
  std::vector<Completion> found = completionsAt(text, offset, m_lexer->scanned(), *m_language);
  // The word itself, and nothing else, is no help.
  if (found.size() == 1 && found[0].insert.toStdString() == context.prefix)
    found.clear();
  if (found.empty()) {
    m_completion->hide();
    return;
  }
  m_hover->hide();
  m_completion->present(std::move(found), cursorRect(context.prefixOffset));
}

void KernelEditor::acceptCompletion(const QString &insert) {
  const std::string text = utf8Text();
  const auto offset = static_cast<uint32_t>(send(SCI_GETCURRENTPOS));
  const CompletionContext context = completionAt(text, offset);
  const QByteArray bytes = insert.toUtf8();
  beginUndoAction();
  send(SCI_SETTARGETRANGE, context.prefixOffset, static_cast<long>(offset));
  SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(bytes.size()), bytes.constData());
  send(SCI_GOTOPOS, static_cast<unsigned long>(context.prefixOffset + bytes.size()));
  endUndoAction();
  m_completion->hide();
}

void KernelEditor::updateSignature() {
  const std::string text = utf8Text();
  const CallContext call = callAt(text, static_cast<uint32_t>(send(SCI_GETCURRENTPOS)));
  QStringList parameters;
  const QString callee = QString::fromStdString(call.callee);
  QString documentation;
  if (const LanguageEntry *entry = callee.isEmpty() ? nullptr : entryFor(callee)) {
    parameters =
        entry->signature.mid(1, entry->signature.lastIndexOf(u')') - 1).split(QStringLiteral(", "));
    documentation = entry->documentation.section(u'\n', 0, 0);
  } else {
    for (const ScannedFunction &function : m_lexer->scanned().functions)
      if (function.name == call.callee)
        for (const ScannedParameter &parameter : function.parameters)
          parameters << QString::fromStdString(parameter.name);
  }
  m_signatureShown = !parameters.isEmpty();
  if (!m_signatureShown) {
    m_hover->hide();
    return;
  }
  QStringList shown;
  for (int i = 0; i < parameters.size(); ++i) {
    const QString name = parameters[i].section(u'=', 0, 0).section(u':', 0, 0).trimmed();
    const bool active =
        call.keyword.empty() ? i == call.argument : name == QString::fromStdString(call.keyword);
    const QString html =
        active ? QStringLiteral("<b>%1</b>").arg(colored(parameters[i], ColorRole::FocusEdge))
               : colored(parameters[i], ColorRole::TextMuted);
    shown << html;
  }
  QString html =
      code(colored(callee, ColorRole::Language) + u'(' + shown.join(QStringLiteral(", ")) + u')');
  if (!documentation.isEmpty())
    html += QStringLiteral("<br>") + colored(documentation, ColorRole::TextMuted);
  m_hover->showText(html, cursorRect(call.openOffset), true);
}

QString KernelEditor::documentationOf(const QString &name) const {
  const LanguageEntry *entry = name.isEmpty() ? nullptr : entryFor(name);
  if (!entry)
    return {};
  QString html = code(colored(entry->name, ColorRole::Language) +
                      colored(entry->signature, ColorRole::TextMuted));
  const QString text = entry->documentation.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
  if (!text.isEmpty())
    html += QStringLiteral("<div style=\"margin-top:4px\">%1</div>").arg(text);
  return html;
}

QString KernelEditor::hoverText(Position position) const {
  QStringList parts;
  for (const compiler::Diagnostic &diagnostic : m_diagnostics) {
    if (diagnostic.range.file != 0 || !diagnostic.range.contains(position))
      continue;
    const ColorRole role = diagnostic.severity == compiler::Severity::Error     ? ColorRole::Error
                           : diagnostic.severity == compiler::Severity::Warning ? ColorRole::Warning
                                                                                : ColorRole::Info;
    QString text = colored(QString::fromStdString(diagnostic.message), role);
    for (const std::string &note : diagnostic.notes)
      text += QStringLiteral("<br>") + colored(QString::fromStdString(note), ColorRole::TextMuted);
    parts << text;
  }
  const compiler::ValueFacts *smallest = nullptr;
  for (const compiler::ValueFacts &value : m_values) {
    if (value.range.file != 0 || !value.range.contains(position))
      continue;
    auto extent = [](const SourceRange &r) {
      return (static_cast<int64_t>(r.end.line) - r.begin.line) * 10000 + r.end.column -
             r.begin.column;
    };
    if (!smallest || extent(value.range) < extent(smallest->range))
      smallest = &value;
  }
  const std::string text = utf8Text();
  if (smallest) {
    const auto begin = static_cast<size_t>(byteOffset(smallest->range.begin));
    const auto end = static_cast<size_t>(byteOffset(smallest->range.end));
    QString expression = QString::fromStdString(text.substr(begin, end - begin)).simplified();
    if (expression.size() > 60)
      expression = expression.left(57) + u'…';
    parts << code(colored(expression, ColorRole::Text) + QStringLiteral("&nbsp;: ") +
                  colored(QString::fromStdString(smallest->type), ColorRole::Type));
  }
  // The documentation is of Python's names.
  if (m_lexer->stageLanguage())
    return parts.join(QStringLiteral("<hr>"));
  // On `tl` of `tl.load` the person asks for what the whole names, unless that part is known
  // itself.
  const auto offset = static_cast<uint32_t>(byteOffset(position));
  for (const std::string &name : {dottedNameAt(text, offset), wholeDottedNameAt(text, offset)})
    if (const QString documentation = documentationOf(QString::fromStdString(name));
        !documentation.isEmpty()) {
      parts << documentation;
      break;
    }
  return parts.join(QStringLiteral("<hr>"));
}

void KernelEditor::showHover() {
  m_pointed = cursor();
  const QString text = hoverText(m_pointed);
  if (!text.isEmpty())
    m_hover->showText(text, cursorRect(byteOffset(m_pointed)), false);
}

} // namespace tilescope::views
