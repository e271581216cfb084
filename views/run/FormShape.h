// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <vector>

namespace tilescope::views {

/// How the table of the form uses the width that it has.
enum class FormShape {
  /// A line for each argument, with the reason in the last column.
  Table,
  /// The same without that column: what is wrong is below its line, and reasons are below all lines.
  NotesBelow,
  /// A line for each field.
  Stacked,
};

/// The least widths in pixels of what is in one line of the table.
struct FormWidths {
  /// The longest name.
  int names = 0;
  /// One for each column that can be edited.
  std::vector<int> inputs;
  int note = 0;
  /// Between two columns.
  int gap = 0;
};

/// The shape with the most in one line that fits into `availablePx`.
///
/// For example, names of 50, inputs of 80 and 100, notes of 120 and gaps of 10 are 380 wide as a
/// table, and 250 with notes below.
inline FormShape formShape(const FormWidths &widths, int availablePx) {
  int linePx = widths.names;
  for (const int input : widths.inputs)
    linePx += widths.gap + input;
  if (linePx + widths.gap + widths.note <= availablePx)
    return FormShape::Table;
  return linePx <= availablePx ? FormShape::NotesBelow : FormShape::Stacked;
}

} // namespace tilescope::views
