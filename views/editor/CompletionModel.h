// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/EditContext.h"
#include "views/editor/LanguageEntry.h"
#include "views/editor/PythonScanner.h"

#include <QAbstractListModel>

namespace tilescope::views {

/// One thing that can be put at the cursor.
struct Completion {
  QString label;
  QString insert;
  QString detail;
  QString documentation;
  LanguageEntry::Kind kind = LanguageEntry::Kind::Local;
  bool operator==(const Completion &) const = default;
};

/// Everything that fits at `offset`, best first: names that start with what is typed, then names
/// that contain its letters in order.
std::vector<Completion> completionsAt(std::string_view text, uint32_t offset,
                                      const ScannedText &scanned, const LanguageEntries &language);

/// How well `candidate` matches what was typed: 0 not at all; higher is better.
int matchScore(const QString &candidate, const QString &typed);

class CompletionModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { DetailRole = Qt::UserRole + 1, DocumentationRole, InsertRole, KindRole };
  using QAbstractListModel::QAbstractListModel;

  void setCompletions(std::vector<Completion> completions);
  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;

private:
  std::vector<Completion> m_completions;
};

} // namespace tilescope::views
