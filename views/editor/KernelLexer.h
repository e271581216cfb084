// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/editor/PythonScanner.h"
#include "views/editor/Scintilla.h"

namespace tilescope::views {

/// Colours a kernel file, and gives its lines fold levels by indentation.
class KernelLexer : public QsciLexerCustom {
  Q_OBJECT
public:
  explicit KernelLexer(QObject *parent = nullptr);

  const char *language() const override;
  QString description(int style) const override;
  void styleText(int start, int end) override;
  QColor defaultColor(int style) const override;
  QColor defaultPaper(int style) const override;
  QFont defaultFont(int style) const override;

  /// Takes over the theme in use.
  void applyTheme();
  /// Scan of the editor's present text; made anew only when the text has changed.
  const ScannedText &scanned();
  /// Tells that the text has changed.
  void invalidate() { m_valid = false; }

private:
  void setFoldLevels(const QByteArray &text);

  ScannedText m_scanned;
  QByteArray m_text;
  bool m_valid = false;
};

} // namespace tilescope::views
