// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QAbstractTableModel>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace tilescope::views {

/// One line of the console.
struct ConsoleLine {
  enum class Kind { Title, Print, Note, Warning, Error };
  Kind kind = Kind::Print;
  QString text;
  /// Where it comes from; null: from no place.
  std::shared_ptr<const compiler::SourceFile> file = nullptr;
  SourceRange range = {};
};

/// The output of runs, oldest first, with the place of each line. Only the newest lines are kept.
class ConsoleModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { TextColumn, PlaceColumn, ColumnCount };
  static constexpr size_t kMaxLines = 20'000;

  using QAbstractTableModel::QAbstractTableModel;

  void append(std::vector<ConsoleLine> lines);
  void clear();
  /// A text without a file was saved: what came from it goes by the name of that.
  void followName(const std::string &before, const std::string &path);
  /// File and line of a console line; empty without a place.
  static QString placeText(const ConsoleLine &line);
  const ConsoleLine &line(int row) const { return m_lines.at(static_cast<size_t>(row)); }
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  std::deque<ConsoleLine> m_lines;
};

} // namespace tilescope::views
