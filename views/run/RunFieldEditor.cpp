// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/RunFieldEditor.h"

#include "views/common/Theme.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace tilescope::views {

/// A field that would show fewer is placed below its name.
static constexpr int kFieldCharacters = 14;

namespace {
/// A list in a form that scrolls: the wheel is the form's until the list has the focus.
struct FormChoice : QComboBox {
  using QComboBox::QComboBox;
  void wheelEvent(QWheelEvent *event) override {
    hasFocus() ? QComboBox::wheelEvent(event) : event->ignore();
  }
};
} // namespace

/// A layout that has little room, or does not know the height of wrapped text yet, would let the
/// field cover the note. The note is as wide as the whole; its own width says nothing before it was
/// shown for the first time.
void RunFieldEditor::keepNoteWhole() {
  const bool isKnown = m_isPlaced && !m_note->text().isEmpty();
  m_note->setMinimumHeight(isKnown ? m_note->heightForWidth(width()) : 0);
}

void RunFieldEditor::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  m_isPlaced = true;
  layout()->activate();
  keepNoteWhole();
}

RunFieldEditor::RunFieldEditor(const RunField &field, QWidget *parent)
    : QWidget(parent), m_field(field), m_note(new QLabel(this)) {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  createInput();
  input()->setProperty("code", true);
  input()->setAccessibleName(field.label);
  input()->setMinimumWidth(QFontMetrics(codeFont()).horizontalAdvance(u'0') * kFieldCharacters);
  setFocusProxy(input());
  m_note->setWordWrap(true);
  layout->addWidget(input());
  layout->addWidget(m_note);
  setField(field);
}

QWidget *RunFieldEditor::input() const {
  return m_edit ? static_cast<QWidget *>(m_edit) : m_choice;
}

void RunFieldEditor::createInput() {
  if (m_field.choices.isEmpty()) {
    m_edit = new QLineEdit(this);
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::editingFinished, this, &RunFieldEditor::commit);
    return;
  }
  m_choice = new FormChoice(this);
  m_choice->setFocusPolicy(Qt::StrongFocus);
  connect(m_choice, &QComboBox::activated, this, [this] {
    if (m_choice->currentText() != m_field.text)
      Q_EMIT edited(m_field.path, m_choice->currentText());
  });
}

/// Escape takes back what was typed since the last Enter.
bool RunFieldEditor::eventFilter(QObject *watched, QEvent *event) {
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (!isKey || !m_edit->isModified() || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
    return QWidget::eventFilter(watched, event);
  event->accept();
  if (event->type() == QEvent::KeyPress) {
    m_edit->setText(m_field.text);
    m_edit->selectAll();
  }
  return true;
}

void RunFieldEditor::commit() {
  if (!m_edit || !m_edit->isModified())
    return;
  m_edit->setModified(false);
  Q_EMIT edited(m_field.path, m_edit->text());
}

bool RunFieldEditor::fits(const RunField &field) const {
  return field.path == m_field.path && field.label == m_field.label &&
         field.choices == m_field.choices;
}

void RunFieldEditor::setField(const RunField &field) {
  m_field = field;
  if (m_edit && !(m_edit->hasFocus() && m_edit->isModified())) {
    m_edit->setReadOnly(!field.editable);
    m_edit->setPlaceholderText(field.placeholder);
    if (m_edit->text() != field.text) {
      m_edit->setText(field.text);
      // Of a long expression the beginning is seen, all of it in the tool tip.
      m_edit->setCursorPosition(0);
    }
  } else if (m_choice) {
    m_choice->clear();
    m_choice->addItems(field.choices);
    // Shows the text of the file, right or wrong.
    if (!field.choices.contains(field.text))
      m_choice->addItem(field.text);
    m_choice->setCurrentText(field.text);
    m_choice->setEnabled(field.editable);
  }
  const bool isWrong = !field.problem.isEmpty();
  input()->setToolTip(isWrong ? field.problem : field.help.isEmpty() ? field.text : field.help);
  input()->setAccessibleDescription(isWrong ? field.problem : field.remark);
  setStyleProperty(input(), "invalid", isWrong);
  m_note->setText(isWrong ? field.problem : field.remark);
  m_note->setVisible(!m_note->text().isEmpty());
  m_note->setProperty("faint", !isWrong);
  setStyleProperty(m_note, "tone", isWrong ? QStringLiteral("error") : QString());
  keepNoteWhole();
}

} // namespace tilescope::views
