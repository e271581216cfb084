// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/OfferedFix.h"

#include <QFrame>

class QLabel;
class QListWidget;
class QTextBrowser;

namespace tilescope::views {

class CodeView;

/// The fixes of a line: a list, and below it what the fix in use changes in the text and in the
/// facts; above it why something is wrong, if that was asked. It has the keyboard until it closes: Up
/// and Down choose, Enter or a click applies, Escape leaves the text alone.
class FixPopup : public QFrame {
  Q_OBJECT
public:
  explicit FixPopup(QWidget *parent);

  /// Shows the fixes of a text beside `anchor` (global), the first one in use.
  void present(std::string text, std::vector<OfferedFix> fixes, const QRect &anchor);
  /// The same below an explanation, in Markdown; there may be no fix.
  void explain(const QString &explanation, std::string text, std::vector<OfferedFix> fixes,
               const QRect &anchor);
  const std::vector<OfferedFix> &fixes() const { return m_fixes; }
  int current() const;
  const CodeView &preview() const { return *m_preview; }
  QString facts() const;
  /// As plain text; empty: none is shown.
  QString explanation() const;

Q_SIGNALS:
  void chosen(const tilescope::views::OfferedFix &fix);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  void showPreview();
  void place();
  void choose();
  /// As wide as the lines that change, and no wider than `most`.
  int fittingWidth(int most) const;
  /// As high as its content in that width, up to a limit.
  QSize fittingSize(int width) const;

  std::string m_text;
  std::vector<OfferedFix> m_fixes;
  QTextBrowser *m_explanation;
  QListWidget *m_list;
  QLabel *m_facts;
  CodeView *m_preview;
  QRect m_anchor;
};

} // namespace tilescope::views
