// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where the parts of a FormTable are, in each of its shapes.
#include "views/run/FormTable.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>

namespace tilescope::views {

/// Between a value and the next name in its line; and how wide a value's field is made for its text.
static constexpr int kCellGapPx = 16, kMostValuePx = 220;

int FormTable::placeHeaders(const Section &section, int line) {
  if (line > 0)
    m_grid->setRowMinimumHeight(line++, 6);
  const bool hasColumns = m_shape != FormShape::Stacked && !section.headers.empty();
  m_grid->addWidget(section.title, line, kNameColumn, 1, hasColumns ? 1 : kNoteColumn + 1);
  for (const auto &[column, header] : section.headers) {
    const bool isShown = hasColumns && (column < kNoteColumn || m_shape == FormShape::Table);
    if (isShown)
      m_grid->addWidget(header, line, column);
    header->setVisible(isShown);
  }
  return line + 1;
}

/// A line for the row, and one for its note where that is right below.
int FormTable::placeRow(const Row &row, int line) {
  for (QLabel *label : row.labels)
    label->hide();
  m_grid->addWidget(row.name, line, kNameColumn);
  row.name->show();
  const int last = lastInput();
  for (RunFieldEditor *editor : row.editors) {
    const int column = columnOf(editor->field());
    const bool isOnly = editor->field().column == RunColumn::Value;
    m_grid->addWidget(editor, line, column, 1, isOnly ? last - column + 1 : 1);
  }
  if (row.words) {
    m_grid->addWidget(row.words, line, kFirstInput, 1,
                      columnOf(row.editors.front()->field()) - kFirstInput);
    row.words->show();
  }
  if (!row.note->text().isEmpty() && m_shape == FormShape::Table)
    m_grid->addWidget(row.note, line, kNoteColumn);
  else if (!row.note->text().isEmpty() && row.isWrong())
    m_grid->addWidget(row.note, ++line, kFirstInput, 1, last - kFirstInput + 1);
  return line + 1;
}

/// Below all rows, so that none of them moves when the compile has something to say.
int FormTable::placeRemarks(int line) {
  for (const Section &section : m_sections)
    for (const Row &row : section.rows)
      if (!row.note->text().isEmpty() && !row.isWrong())
        m_grid->addWidget(row.note, line++, kFirstInput, 1, lastInput() - kFirstInput + 1);
  return line;
}

FormTable::ValueCells FormTable::valueCells() const {
  ValueCells cells;
  int names = 0, values = 0;
  for (const Section &section : m_sections) {
    names = std::max(names, section.title->sizeHint().width());
    for (const Row &row : section.rows) {
      if (!section.hasValues()) {
        names = std::max(names, row.name->sizeHint().width());
        continue;
      }
      cells.namePx = std::max(cells.namePx, row.name->sizeHint().width());
      // What is alone in its section has a line for itself.
      if (section.rows.size() > 1)
        values = std::max(values, row.editors.front()->widthOfText());
    }
  }
  const int cell = cells.namePx + kGapPx + std::min(values, kMostValuePx);
  const int room = width() - names - kGapPx;
  cells.inLine = std::max(1, (room + kCellGapPx) / (cell + kCellGapPx));
  return cells;
}

/// As many values in a line as fit, and below them what there is to say.
int FormTable::placeValues(const Section &section, int line) {
  const auto numRows = static_cast<int>(section.rows.size());
  section.title->setMinimumHeight(section.rows.front().editors.front()->sizeHint().height());
  m_grid->addWidget(section.title, line, kNameColumn, Qt::AlignTop);
  auto *cells = new QGridLayout;
  cells->setHorizontalSpacing(kGapPx);
  cells->setVerticalSpacing(m_grid->verticalSpacing());
  const int inLine = numRows == 1 ? 1 : m_cells.inLine;
  for (int i = 0; i < inLine; ++i) {
    cells->setColumnMinimumWidth(3 * i, m_cells.namePx);
    cells->setColumnStretch(3 * i + 1, 1);
    if (i + 1 < inLine)
      cells->setColumnMinimumWidth(3 * i + 2, kCellGapPx - 2 * kGapPx);
  }
  m_grid->addLayout(cells, line++, kFirstInput, 1, kNoteColumn);
  for (int i = 0; i < numRows; ++i) {
    const Row &row = section.rows[static_cast<size_t>(i)];
    for (QLabel *label : row.labels)
      label->hide();
    cells->addWidget(row.name, i / inLine, 3 * (i % inLine));
    cells->addWidget(row.editors.front(), i / inLine, 3 * (i % inLine) + 1);
    row.name->show();
    if (!row.note->text().isEmpty())
      m_grid->addWidget(row.note, line++, kFirstInput, 1, kNoteColumn);
  }
  return line;
}

/// A line for each field, or two where its name is long.
int FormTable::placeStacked(const Row &row, int line) {
  row.name->hide();
  if (row.words)
    row.words->hide();
  for (size_t i = 0; i < row.editors.size(); ++i) {
    QLabel *label = row.labels[i];
    const int beside = row.editors[i]->minimumSizeHint().width() + kGapPx;
    const bool isAbove = label->sizeHint().width() + beside > width();
    m_grid->addWidget(label, line, kNameColumn, 1, isAbove ? kNoteColumn + 1 : 1);
    line += isAbove ? 1 : 0;
    const int column = isAbove ? kNameColumn : kFirstInput;
    m_grid->addWidget(row.editors[i], line++, column, 1, kNoteColumn - column + 1);
    label->show();
  }
  if (!row.note->text().isEmpty())
    m_grid->addWidget(row.note, line++, kNameColumn, 1, kNoteColumn + 1);
  return line;
}

/// Puts everything where the shape wants it. Widgets stay, and so does the order of the tab key.
void FormTable::place() {
  while (QLayoutItem *item = m_grid->takeAt(0))
    delete item;
  for (int line = 0; line < m_grid->rowCount(); ++line) {
    m_grid->setRowMinimumHeight(line, 0);
    m_grid->setRowStretch(line, 0);
  }
  m_cells = valueCells();
  int line = 0;
  for (Section &section : m_sections) {
    for (Row &row : section.rows) {
      showNotes(row);
      row.note->setVisible(!row.note->text().isEmpty());
    }
    section.title->setMinimumHeight(0);
    if (m_shape != FormShape::Stacked && section.hasValues()) {
      line = placeValues(section, line);
      continue;
    }
    line = placeHeaders(section, line);
    for (const Row &row : section.rows)
      line = m_shape == FormShape::Stacked ? placeStacked(row, line) : placeRow(row, line);
  }
  if (m_shape == FormShape::NotesBelow)
    line = placeRemarks(line);
  // What height is left is below all of them.
  m_grid->setRowStretch(line, 1);
  // Types and data are short; shapes and what is expected take the room, and reasons most of it.
  const int last = lastInput();
  const bool isFolded = m_shape == FormShape::Stacked;
  for (int column = kFirstInput; column <= kNoteColumn; ++column) {
    const bool isWide = column == static_cast<int>(RunColumn::Shape) ||
                        column == static_cast<int>(RunColumn::Expected);
    const int stretch = column == kNoteColumn           ? (m_shape == FormShape::Table ? 4 : 0)
                        : isFolded                      ? (column == kFirstInput ? 1 : 0)
                        : isWide || last == kFirstInput ? 3
                                                        : 1;
    m_grid->setColumnStretch(column, column > last && column != kNoteColumn ? 0 : stretch);
  }
  updateGeometry();
}

} // namespace tilescope::views
