// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/run/FormShape.h"
#include "views/run/RunFieldEditor.h"

#include <vector>

class QGridLayout;
class QLabel;

namespace tilescope::views {

/// The values of a launch as a table: a section for sizes, constexprs, options, arguments and grid,
/// and in it a row for each name. Arguments have the columns type, shape, data and what is expected;
/// the last column is the reason for a value, or what is wrong with it. Names with a single value
/// share lines, so that the arguments are in sight below them:
///
///     Sizes       M [512]        N [512]        K [512]
///     Constexprs  BLOCK_M [64]   BLOCK_N [64]   BLOCK_K [32]
///     Arguments   type           shape          data          expected      reason
///     a_ptr       [fp16]         [M, K]         [rand]
///
/// Where there is no room for that, the table folds (`FormShape`).
class FormTable : public QWidget {
  Q_OBJECT
public:
  explicit FormTable(QWidget *parent = nullptr);

  /// Fields that stay the same keep their editors, and what is typed there. Returns whether there
  /// are new ones.
  bool setSections(const std::vector<RunSection> &sections);
  /// Reports what was typed into a field and is not yet finished.
  void commitEdits();
  FormShape shape() const { return m_shape; }
  QSize minimumSizeHint() const override;

Q_SIGNALS:
  void edited(const QStringList &path, const QString &text);

protected:
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  /// Columns of the grid: the names, one for each `RunColumn` from the type on, the reasons.
  static constexpr int kNameColumn = 0, kFirstInput = 1, kNoteColumn = 5;
  static constexpr int kGapPx = 8;
  /// A line: what is edited there, the label of each field, and what there is to say.
  struct Row {
    std::vector<RunFieldEditor *> editors;
    std::vector<QLabel *> labels;
    QLabel *name = nullptr;
    /// The type in words, of what has no type to be chosen.
    QLabel *words = nullptr;
    QLabel *note = nullptr;
    bool isWrong() const;
  };
  struct Section {
    QLabel *title = nullptr;
    /// One for each column that the section has; the last is that of the reasons.
    std::vector<std::pair<int, QLabel *>> headers;
    std::vector<Row> rows;
    /// Its rows have a value each, and no reason for it.
    bool hasValues() const;
  };
  /// How names with a single value share lines.
  struct ValueCells {
    int inLine = 1;
    int namePx = 0;
    bool operator==(const ValueCells &) const = default;
  };

  /// Of the only value of a row: where the first input of other rows is.
  static int columnOf(const RunField &field);
  void rebuild();
  /// All fields, in the order of the tab key.
  std::vector<RunFieldEditor *> editors() const;
  RunFieldEditor *editorFor(const RunField &field, std::vector<RunFieldEditor *> &kept);
  /// Takes the editors of its fields out of those that are `kept`.
  Row createRow(const RunField *begin, const RunField *end, std::vector<RunFieldEditor *> &kept);
  void createHeaders(Section &section);
  QLabel *createLabel(const QString &text, const char *property);
  void showNotes(Row &row);
  void fit();
  void moveBy(RunFieldEditor *from, int rows);
  // FormTablePlaces.cpp
  void place();
  int placeHeaders(const Section &section, int line);
  int placeRow(const Row &row, int line);
  int placeRemarks(int line);
  int placeStacked(const Row &row, int line);
  int placeValues(const Section &section, int line);
  ValueCells valueCells() const;
  FormWidths leastWidths() const;
  /// The last column that can be edited.
  int lastInput() const;

  std::vector<RunSection> m_shown;
  std::vector<Section> m_sections;
  QGridLayout *m_grid;
  FormShape m_shape = FormShape::Table;
  ValueCells m_cells;
};

} // namespace tilescope::views
