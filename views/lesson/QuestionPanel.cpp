// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/lesson/QuestionPanel.h"

#include "views/common/Theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilescope::views {

using State = ShownQuestion::State;

QuestionPanel::QuestionPanel(QWidget *parent)
    : QWidget(parent), m_title(new QLabel(this)), m_text(new QLabel(this)),
      m_fields(new QStackedWidget(this)), m_field(new QLineEdit(this)),
      m_choice(new QComboBox(this)), m_solution(new QPushButton(tr("Show it"), this)),
      m_answer(new QPushButton(tr("Answer"), this)), m_result(new QLabel(this)) {
  m_title->setProperty("muted", true);
  for (QLabel *each : {m_text, m_result}) {
    each->setWordWrap(true);
    each->setTextFormat(Qt::PlainText);
  }
  m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
  createFields();
  auto *row = new QHBoxLayout;
  row->addWidget(m_fields, 1);
  row->addWidget(m_solution);
  row->addWidget(m_answer);
  row->addWidget(m_previous);
  row->addWidget(m_next);
  auto *column = new QVBoxLayout(this);
  column->addWidget(m_title);
  column->addWidget(m_text);
  column->addWidget(m_result);
  // The last row has all that is clicked: it stays where it is while words come and go above it.
  column->addLayout(row);
  // Enter presses them, as Space does.
  for (QPushButton *each : {m_solution, m_answer})
    each->setAutoDefault(true);
  connect(m_answer, &QPushButton::clicked, this, &QuestionPanel::giveAnswer);
  connect(m_solution, &QPushButton::clicked, this, [this] { Q_EMIT solutionRequested(m_current); });
  connect(m_field, &QLineEdit::returnPressed, this, &QuestionPanel::giveAnswer);
  fitMargins();
  setQuestions({});
}

void QuestionPanel::fitMargins() {
  layout()->setContentsMargins(scaledPx(10), scaledPx(2), scaledPx(10), 0);
  layout()->setSpacing(scaledPx(2));
}

void QuestionPanel::createFields() {
  m_fields->addWidget(m_field);
  m_fields->addWidget(m_choice);
  m_fields->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  m_solution->setToolTip(tr("Says what is right, and why"));
  m_answer->setToolTip(tr("Asks the compiler, and shows where the answer is to be seen"));
  const auto step = [this](const QString &icon, const QString &tip, int by) {
    auto *button = new QToolButton(this);
    button->setText(icon);
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    // The answer is typed next. At the first and the last question the button loses the keyboard.
    connect(button, &QToolButton::clicked, this, [this, by] {
      go(m_current + by);
      m_fields->currentWidget()->setFocus(Qt::OtherFocusReason);
    });
    return button;
  };
  m_previous = step(QStringLiteral("‹"), tr("Previous question"), -1);
  m_next = step(QStringLiteral("›"), tr("Next question"), 1);
}

void QuestionPanel::setQuestions(std::vector<ShownQuestion> questions) {
  m_questions = std::move(questions);
  setVisible(!m_questions.empty());
  go(m_questions.empty() ? -1 : 0);
}

void QuestionPanel::setQuestion(int question, const ShownQuestion &shown) {
  ShownQuestion &own = m_questions[static_cast<size_t>(question)];
  if (own == shown)
    return;
  own = shown;
  if (question == m_current)
    showCurrent();
}

void QuestionPanel::go(int question) {
  m_current = question;
  m_field->clear();
  m_choice->clear();
  if (m_current >= 0)
    m_choice->addItems(m_questions[static_cast<size_t>(m_current)].choices);
  showCurrent();
}

/// Right or wrong, as a word that a screen reader says, too.
static QString verdict(const ShownQuestion &shown) {
  switch (shown.state) {
  case State::Right:
    return shown.isOfBefore ? QuestionPanel::tr("✓ Right, before the last edit. ")
                            : QuestionPanel::tr("✓ Right. ");
  case State::TryAgain:
  case State::Wrong:
    return shown.isOfBefore ? QuestionPanel::tr("✗ Not so, before the last edit. ")
                            : QuestionPanel::tr("✗ Not so. ");
  case State::Asked:
    return QuestionPanel::tr("The compiler is asked…");
  case State::Open:
  case State::Refused:
    break;
  }
  return {};
}

QString QuestionPanel::resultText() const { return m_result->text(); }

void QuestionPanel::showCurrent() {
  if (m_current < 0)
    return;
  const ShownQuestion &shown = m_questions[static_cast<size_t>(m_current)];
  const auto total = static_cast<int>(m_questions.size());
  m_title->setText(total == 1 ? tr("Predict")
                              : tr("Predict: question %1 of %2").arg(m_current + 1).arg(total));
  m_previous->setVisible(total > 1);
  m_next->setVisible(total > 1);
  m_previous->setEnabled(m_current > 0);
  m_next->setEnabled(m_current + 1 < total);
  m_text->setText(QString(shown.text).remove(u'`'));
  const bool isTyped = shown.choices.isEmpty();
  m_fields->setCurrentWidget(isTyped ? static_cast<QWidget *>(m_field) : m_choice);
  m_field->setPlaceholderText(shown.form);
  m_field->setToolTip(shown.advice);
  m_field->setAccessibleDescription(shown.advice);
  m_field->setAccessibleName(shown.text);
  m_choice->setAccessibleName(shown.text);
  const bool isAsked = shown.state == State::Asked;
  if (isAsked && m_answer->hasFocus())
    m_fields->currentWidget()->setFocus(Qt::OtherFocusReason);
  m_answer->setEnabled(!isAsked);
  m_result->setText(verdict(shown) + QString(shown.words).remove(u'`'));
  m_solution->setVisible(shown.state == State::TryAgain && !shown.isOfBefore);
  m_result->setVisible(!m_result->text().isEmpty());
  QPalette colors = m_result->palette();
  colors.setColor(QPalette::WindowText,
                  theme()[shown.state == State::Right ? ColorRole::Success : ColorRole::Text]);
  m_result->setPalette(colors);
}

void QuestionPanel::setScore(const QString &score) { m_title->setToolTip(score); }

void QuestionPanel::fillIn(const QString &answer) {
  if (m_current >= 0 && m_fields->currentWidget() == m_field)
    m_field->setText(answer);
}

void QuestionPanel::giveAnswer() {
  if (m_current < 0 || !m_answer->isEnabled())
    return;
  const bool isTyped = m_fields->currentWidget() == m_field;
  Q_EMIT answered(m_current, isTyped ? m_field->text() : m_choice->currentText());
}

void QuestionPanel::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && layout())
    fitMargins();
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    showCurrent();
}

} // namespace tilescope::views
