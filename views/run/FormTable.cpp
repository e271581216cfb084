// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/FormTable.h"

#include "views/common/Theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QResizeEvent>

#include <algorithm>

namespace tilescope::views {

/// Letters that a line of a reason has at least; with less room reasons are below.
static constexpr int kNoteLetters = 30;

static QString headerText(int column) {
  switch (static_cast<RunColumn>(column)) {
  case RunColumn::Type:
    return FormTable::tr("type");
  case RunColumn::Shape:
    return FormTable::tr("shape");
  case RunColumn::Data:
    return FormTable::tr("data");
  case RunColumn::Expected:
    return FormTable::tr("expected");
  case RunColumn::Value:
    break;
  }
  return FormTable::tr("value");
}

int FormTable::columnOf(const RunField &field) {
  return std::max(kFirstInput, static_cast<int>(field.column));
}

FormTable::FormTable(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
  m_grid->setContentsMargins(0, 2, 0, 8);
  m_grid->setHorizontalSpacing(kGapPx);
  m_grid->setVerticalSpacing(4);
}

QLabel *FormTable::createLabel(const QString &text, const char *property) {
  auto *label = new QLabel(text, this);
  label->setTextFormat(Qt::PlainText);
  label->setProperty(property, true);
  return label;
}

/// The editor that the field has already, or a new one.
RunFieldEditor *FormTable::editorFor(const RunField &field, std::vector<RunFieldEditor *> &kept) {
  const auto old =
      std::ranges::find_if(kept, [&](const RunFieldEditor *editor) { return editor->fits(field); });
  if (old != kept.end()) {
    RunFieldEditor *editor = *old;
    kept.erase(old);
    editor->setField(field);
    return editor;
  }
  auto *editor = new RunFieldEditor(field, this);
  connect(editor, &RunFieldEditor::edited, this, &FormTable::edited);
  connect(editor, &RunFieldEditor::moveRequested, this,
          [this, editor](int rows) { moveBy(editor, rows); });
  return editor;
}

FormTable::Row FormTable::createRow(const RunField *begin, const RunField *end,
                                    std::vector<RunFieldEditor *> &kept) {
  Row row;
  for (const RunField *field = begin; field != end; ++field) {
    row.editors.push_back(editorFor(*field, kept));
    row.labels.push_back(createLabel(field->label, "muted"));
    row.labels.back()->setBuddy(row.editors.back());
  }
  row.name = createLabel(begin->row.isEmpty() ? begin->label : begin->row, "muted");
  row.name->setBuddy(row.editors.front());
  if (columnOf(*begin) > kFirstInput) {
    row.words = createLabel(begin->words, "faint");
    row.words->setWordWrap(true);
  }
  row.note = createLabel({}, "faint");
  row.note->setWordWrap(true);
  return row;
}

/// Titles of columns where rows have several; the others have a value and its reason.
void FormTable::createHeaders(Section &section) {
  std::vector<bool> used(kNoteColumn, false);
  for (const Row &row : section.rows)
    for (const RunFieldEditor *editor : row.editors)
      used[static_cast<size_t>(editor->field().column)] = true;
  if (std::ranges::count(used, true) < 2 && used[0])
    return;
  for (int column = kFirstInput; column < kNoteColumn; ++column)
    if (used[static_cast<size_t>(column)])
      section.headers.emplace_back(column, createLabel(headerText(column), "faint"));
  section.headers.emplace_back(kNoteColumn, createLabel(tr("reason"), "faint"));
}

bool FormTable::Section::hasValues() const {
  return headers.empty() && std::ranges::all_of(rows, [](const Row &row) {
           return row.editors.front()->field().remark.isEmpty();
         });
}

bool FormTable::Row::isWrong() const {
  return !editors.front()->field().nameProblem.isEmpty() ||
         std::ranges::any_of(editors, &RunFieldEditor::isWrong);
}

std::vector<RunFieldEditor *> FormTable::editors() const {
  std::vector<RunFieldEditor *> all;
  for (const Section &section : m_sections)
    for (const Row &row : section.rows)
      all.insert(all.end(), row.editors.begin(), row.editors.end());
  return all;
}

void FormTable::rebuild() {
  while (QLayoutItem *item = m_grid->takeAt(0))
    delete item;
  // A field that is there before and after stays what it is: the keyboard may be in it.
  std::vector<RunFieldEditor *> kept = editors();
  const QList<QWidget *> before = findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
  m_sections.clear();
  for (const RunSection &shown : m_shown) {
    if (shown.fields.empty())
      continue;
    Section &section = m_sections.emplace_back();
    section.title = createLabel(shown.title, "title");
    const RunField *const end = shown.fields.data() + shown.fields.size();
    for (const RunField *first = shown.fields.data(); first != end;) {
      const RunField *last = first + 1;
      while (last != end && !last->row.isEmpty() && last->row == first->row)
        ++last;
      section.rows.push_back(createRow(first, last, kept));
      first = last;
    }
    createHeaders(section);
  }
  // The field whose edit has led here is still at work: if it goes, then when it is done.
  for (QWidget *old : before) {
    const auto *editor = qobject_cast<RunFieldEditor *>(old);
    if (editor && std::ranges::find(kept, editor) == kept.end())
      continue;
    old->hide();
    old->setParent(nullptr);
    old->deleteLater();
  }
  const std::vector<RunFieldEditor *> now = editors();
  for (size_t i = 1; i < now.size(); ++i)
    setTabOrder(now[i - 1]->focusProxy(), now[i]->focusProxy());
}

bool FormTable::setSections(const std::vector<RunSection> &sections) {
  const std::vector<RunFieldEditor *> shown = editors();
  std::vector<const RunField *> fields;
  for (const RunSection &section : sections)
    for (const RunField &field : section.fields)
      fields.push_back(&field);
  const bool hasSameFields =
      std::ranges::equal(shown, fields, [](const RunFieldEditor *editor, const RunField *field) {
        return editor->fits(*field);
      });
  m_shown = sections;
  if (!hasSameFields)
    rebuild();
  for (size_t i = 0; hasSameFields && i < fields.size(); ++i)
    shown[i]->setField(*fields[i]);
  for (Section &section : m_sections)
    for (Row &row : section.rows)
      if (row.words)
        row.words->setText(row.editors.front()->field().words);
  m_shape = formShape(leastWidths(), width());
  place();
  return !hasSameFields;
}

/// What is wrong in a row, or else why its values are as they are.
void FormTable::showNotes(Row &row) {
  const bool isWrong = row.isWrong();
  QStringList lines;
  for (const RunFieldEditor *editor : row.editors)
    if (!editor->note().isEmpty() && editor->isWrong() == isWrong)
      lines << (row.editors.size() == 1 ? editor->note()
                                        : headerText(columnOf(editor->field())) +
                                              QStringLiteral(": ") + editor->note());
  const RunField &first = row.editors.front()->field();
  const bool isNameWrong = !first.nameProblem.isEmpty();
  if (isNameWrong)
    lines.prepend(first.nameProblem);
  // Stacked, the name is part of that of the first field.
  for (QLabel *label : {row.name, row.labels.front()}) {
    label->setProperty("muted", !isNameWrong);
    setStyleProperty(label, "tone", isNameWrong ? QStringLiteral("error") : QString());
    label->setToolTip(first.nameProblem);
  }
  const QString name = row.name->text() + QStringLiteral(": ");
  const bool isBelowAll = m_shape == FormShape::NotesBelow && !isWrong;
  if (lines.isEmpty() && !row.words && !first.words.isEmpty())
    lines << (isBelowAll ? name + first.words : first.words);
  else if (isBelowAll && first.column != RunColumn::Value)
    for (QString &line : lines)
      line.prepend(row.name->text() + QStringLiteral(", "));
  // Below a line that several share.
  else if (!lines.isEmpty() && first.column == RunColumn::Value && m_shape != FormShape::Stacked)
    lines.front().prepend(name);
  row.note->setText(lines.join(u'\n'));
  row.note->setProperty("faint", !isWrong);
  setStyleProperty(row.note, "tone", isWrong ? QStringLiteral("error") : QString());
}

FormWidths FormTable::leastWidths() const {
  FormWidths widths;
  widths.note = fontMetrics().averageCharWidth() * kNoteLetters;
  widths.gap = kGapPx;
  std::vector<int> columns(kNoteColumn, 0);
  for (const Section &section : m_sections)
    for (const Row &row : section.rows) {
      widths.names = std::max(widths.names, row.name->sizeHint().width());
      for (const RunFieldEditor *editor : row.editors) {
        int &widest = columns[static_cast<size_t>(columnOf(editor->field()))];
        widest = std::max(widest, editor->minimumSizeHint().width());
      }
    }
  for (const int column : columns)
    if (column > 0)
      widths.inputs.push_back(column);
  return widths;
}

QSize FormTable::minimumSizeHint() const {
  const FormWidths widths = leastWidths();
  const auto widest = std::ranges::max_element(widths.inputs);
  return {widest == widths.inputs.end() ? 0 : *widest, m_grid->totalMinimumSize().height()};
}

int FormTable::lastInput() const {
  int last = kFirstInput;
  for (const Section &section : m_sections)
    for (const Row &row : section.rows)
      for (const RunFieldEditor *editor : row.editors)
        last = std::max(last, columnOf(editor->field()));
  return last;
}

/// The keys go up and down in a column, and past rows that do not have it.
void FormTable::moveBy(RunFieldEditor *from, int rows) {
  std::vector<const Row *> all;
  size_t at = 0;
  for (const Section &section : m_sections)
    for (const Row &row : section.rows) {
      if (std::ranges::find(row.editors, from) != row.editors.end())
        at = all.size();
      all.push_back(&row);
    }
  const int column = columnOf(from->field());
  for (size_t i = at + static_cast<size_t>(rows); i < all.size(); i += static_cast<size_t>(rows))
    for (RunFieldEditor *editor : all[i]->editors)
      if (columnOf(editor->field()) == column || all[i]->editors.size() == 1)
        return editor->setFocus(Qt::TabFocusReason);
}

void FormTable::commitEdits() {
  // Handling the signal of one of them may replace the fields.
  const std::vector<RunFieldEditor *> shown = editors();
  for (const QPointer<RunFieldEditor> &editor :
       std::vector<QPointer<RunFieldEditor>>(shown.begin(), shown.end()))
    if (editor)
      editor->commit();
}

void FormTable::fit() {
  const FormShape shape = formShape(leastWidths(), width());
  // A stacked field's name may have to go above it.
  if (shape == m_shape && shape != FormShape::Stacked && valueCells() == m_cells)
    return;
  m_shape = shape;
  place();
  m_grid->activate();
}

void FormTable::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != width())
    fit();
}

void FormTable::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  // Later: the fields get the font after their table.
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    QMetaObject::invokeMethod(this, &FormTable::fit, Qt::QueuedConnection);
}

} // namespace tilescope::views
