// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QListWidget>

#include <vector>

namespace tilescope::views {

/// What a run found, one item each. A click or Enter leads to the place, and the keys of the fixes do so before
/// the window shows them. The list is as high as its lines and never scrolls: what holds it does. Of many
/// findings the first ones are shown, and an item that shows the others.
class FindingsList : public QListWidget {
  Q_OBJECT
public:
  explicit FindingsList(QWidget *parent = nullptr);

  /// Ranges point into `files`.
  void setFindings(std::vector<compiler::Diagnostic> findings,
                   std::vector<compiler::SourceFile> files);

Q_SIGNALS:
  void placeRequested(const tilescope::compiler::SourceFile &file,
                      const tilescope::SourceRange &range);

protected:
  bool event(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  void fill(size_t numShown);
  /// Of the item that shows the others.
  static bool isLink(const QListWidgetItem *item);
  void follow(const QListWidgetItem *item);
  void fitHeight();

  std::vector<compiler::Diagnostic> m_findings;
  std::vector<compiler::SourceFile> m_files;
};

} // namespace tilescope::views
