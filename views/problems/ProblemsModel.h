// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "views/problems/HintPicture.h"

#include <QAbstractItemModel>
#include <QImage>

#include <array>
#include <functional>
#include <vector>

namespace tilescope::views {

/// Who has something to say.
enum class ProblemSource { Compiler, Launch, Run, Hints };
inline constexpr int kNumProblemSources = 4;

ProblemSource problemSource(compiler::DiagnosticKind kind);

/// The diagnostics of a result, and behind them hints on what costs more than it needs to; under
/// each its labels, notes and fixes. Diagnostics that say the same of several places, as those do
/// that follow from one mistake, are one row, with the other places and their fixes at the end of what is under it. One
/// column: the message.
class ProblemsModel : public QAbstractItemModel {
  Q_OBJECT
public:
  /// Of a row with its own place, `PlaceRole` says it as `kernel.py:23`. `SeverityRole` is a
  /// `Severity`, or `kHintSeverity`. `FixRole` is true for rows that offer a fix; of a row that
  /// offers the picture of a hint's cause, `PictureRole` is the view, and `ImageRole` what it shows.
  enum Role { PlaceRole = Qt::UserRole + 1, SeverityRole, FixRole, PictureRole, ImageRole };

  using QAbstractItemModel::QAbstractItemModel;

  static constexpr int kHintSeverity = -1;

  void setDiagnostics(std::vector<compiler::Diagnostic> diagnostics,
                      std::vector<compiler::SourceFile> files,
                      std::vector<compiler::Hint> hints = {});
  const std::vector<compiler::Diagnostic> &diagnostics() const { return m_diagnostics; }
  /// What the view that a hint names shows of it, small; null: it is not known.
  using HintImages = std::function<QImage(const compiler::Hint &)>;
  void setHintImages(HintImages images);
  /// Some of them have changed.
  void updateHintImages();
  int count(compiler::Severity severity) const;
  const std::vector<compiler::Hint> &hints() const { return m_hints; }
  /// Of one source, whether it is shown or not.
  int count(ProblemSource source) const;
  /// Whether a source's problems are shown; all are at first.
  void setShown(ProblemSource source, bool isShown);
  bool isShown(ProblemSource source) const { return m_isShown[static_cast<size_t>(source)]; }
  /// The fix of a row that offers one, else null.
  const compiler::DiagnosticFix *fixAt(const QModelIndex &index) const;
  /// The rows with fixes that are under a problem.
  std::vector<QModelIndex> fixesUnder(const QModelIndex &problem) const;
  /// The view that a row offers, else empty.
  QString pictureAt(const QModelIndex &index) const;
  QImage imageAt(const QModelIndex &index) const;
  /// The place of a row.
  SourceRange rangeAt(const QModelIndex &index) const;
  /// Whether a problem stands for several.
  bool isRepeated(int row) const { return !m_rows[row].repeated.empty(); }
  /// Short problems of few places (of some more, where there is a fix), hints with a fix, and hints
  /// of the first rank show what is under them.
  bool isOpenAtFirst(int row) const;

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &index) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  struct Place {
    SourceRange range;
    std::vector<compiler::DiagnosticFix> fixes;
  };
  /// What a row below another place of a problem is about; no fix: the place itself.
  struct Repeated {
    const Place *place = nullptr;
    const compiler::DiagnosticFix *fix = nullptr;
  };
  struct Row {
    /// Worded as one where it is a hint.
    compiler::Diagnostic said;
    /// Into the hints; -1: not one.
    int hint = -1;
    /// Other places of which the same is said, each with its fixes listed behind the rest.
    std::vector<Place> repeated = {};
    /// Of a hint, behind its notes.
    HintPicture picture = {};

    size_t numPictures() const { return picture.view.isEmpty() ? 0 : 1; }
    /// Rows below it that are not of other places.
    size_t numOwn() const {
      return said.labels.size() + said.notes.size() + numPictures() + said.fixes.size();
    }
    int numDetails() const;
    Repeated repeatedAt(int detail) const;
  };
  void listRows();
  static QString messageText(const Row &row);
  QString detailText(const Row &shown, int row) const;
  QString placeText(const SourceRange &range) const;
  QString hintPlaceText(const compiler::Hint &hint) const;

  std::vector<compiler::Diagnostic> m_diagnostics;
  std::vector<compiler::Hint> m_hints;
  HintImages m_images;
  /// The diagnostics that are shown, then the hints.
  std::vector<Row> m_rows;
  std::array<bool, kNumProblemSources> m_isShown{true, true, true, true};
  /// Of the files that ranges are in.
  std::vector<std::string> m_paths;
};

} // namespace tilescope::views
