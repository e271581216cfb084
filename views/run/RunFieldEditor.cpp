// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/RunFieldEditor.h"

#include "views/common/Theme.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace tilescope::views {

/// A field shows at least as many; where there is no room for them, the table folds.
static constexpr int kFieldCharacters = 11;
/// A number that shares its line with others.
static constexpr int kValueCharacters = 7;

namespace {
/// A list in a form that scrolls: the wheel is the form's until the list has the focus.
struct FormChoice : QComboBox {
  using QComboBox::QComboBox;
  void wheelEvent(QWheelEvent *event) override {
    hasFocus() ? QComboBox::wheelEvent(event) : event->ignore();
  }
};
} // namespace

RunFieldEditor::RunFieldEditor(const RunField &field, QWidget *parent)
    : QWidget(parent), m_field(field) {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  createInput();
  input()->setProperty("code", true);
  input()->setAccessibleName(field.label);
  // A list is as wide as its longest entry.
  if (m_edit)
    m_edit->setMinimumWidth(
        QFontMetrics(codeFont()).horizontalAdvance(u'0') *
        (field.column == RunColumn::Value ? kValueCharacters : kFieldCharacters));
  else
    m_choice->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
  setFocusProxy(input());
  layout->addWidget(input());
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
  if (event->type() == QEvent::KeyPress) {
    const auto *press = static_cast<QKeyEvent *>(event);
    const int rows = press->key() == Qt::Key_Down ? 1 : press->key() == Qt::Key_Up ? -1 : 0;
    if (rows != 0 && (press->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) {
      Q_EMIT moveRequested(rows);
      return true;
    }
  }
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

int RunFieldEditor::widthOfText() const {
  constexpr int kStepPx = 20;
  if (m_choice)
    return m_choice->sizeHint().width();
  const int frame = m_edit->sizeHint().width() - 17 * m_edit->fontMetrics().horizontalAdvance(u'x');
  const int text = m_edit->fontMetrics().horizontalAdvance(m_field.text) + std::max(frame, 0);
  return std::max(m_edit->minimumWidth(), (text + kStepPx - 1) / kStepPx * kStepPx);
}

void RunFieldEditor::commit() {
  if (!m_edit || !m_edit->isModified())
    return;
  m_edit->setModified(false);
  Q_EMIT edited(m_field.path, m_edit->text());
}

bool RunFieldEditor::fits(const RunField &field) const {
  return field.path == m_field.path && field.label == m_field.label &&
         field.choices == m_field.choices && field.row == m_field.row &&
         field.column == m_field.column;
}

QString RunFieldEditor::toolTipText() const {
  const QString shown = m_field.text.isEmpty() ? m_field.placeholder : m_field.text;
  const QString value = m_field.help.isEmpty() ? shown : m_field.help;
  return isWrong()                 ? m_field.problem
         : m_field.words.isEmpty() ? value
                                   : m_field.words + u'\n' + value;
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
  input()->setToolTip(toolTipText());
  input()->setAccessibleDescription(note());
  setStyleProperty(input(), "invalid", isWrong());
}

} // namespace tilescope::views
