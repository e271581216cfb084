// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace tilescope::views {

/// A column of the form's table that can be edited. `Value` is the only one of its row.
enum class RunColumn { Value, Type, Shape, Data, Expected };

/// One value of the launch that can be edited.
struct RunField {
  /// Its path in the launch block, e.g. `sizes`, `n_rows`.
  QStringList path;
  QString label;
  QString text;
  /// Where the value comes from; the reason in its row.
  QString remark = {};
  /// False: only shown.
  bool editable = true;
  /// What it is chosen from; empty: it is typed.
  QStringList choices = {};
  /// The problem of the value; replaces the remark.
  QString problem = {};
  /// That of the name of its row, whatever the value.
  QString nameProblem = {};
  /// Stands in the field while it is empty.
  QString placeholder = {};
  /// What the notation of the value means; the tool tip in place of the value.
  QString help = {};
  /// The row that it shares with the fields before it, e.g. `x_ptr`; empty: it has one of its own.
  QString row = {};
  RunColumn column = RunColumn::Value;
  /// The type that the kernel gets, in words, e.g. `a pointer to fp32, aligned to 16 bytes`.
  QString words = {};
  bool operator==(const RunField &) const = default;
};

struct RunSection {
  QString title;
  std::vector<RunField> fields;
  bool operator==(const RunSection &) const = default;
};

} // namespace tilescope::views
