// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/StageSyntax.h"
#include "views/editor/PythonScanner.h"
#include "views/editor/Scintilla.h"

#include <optional>

namespace tilescope::views {

/// Colours a kernel file and folds it by indentation; a file of IR is coloured as in its stage's
/// column and folds by braces.
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
  /// The IR that the file holds; without one it is a kernel file.
  void setStageLanguage(std::optional<TextLanguage> language);
  std::optional<TextLanguage> stageLanguage() const { return m_stageLanguage; }
  /// Scan of the editor's present text; made anew only when the text has changed. Empty for IR.
  const ScannedText &scanned();
  /// Tells that the text has changed.
  void invalidate() { m_valid = false; }

private:
  QByteArray editorText() const;
  void styleKernel(int start, int end);
  void styleStage(int start, int end);
  void setFoldLevels(const std::vector<int> &levels);

  std::optional<TextLanguage> m_stageLanguage;
  ScannedText m_scanned;
  QByteArray m_text;
  bool m_valid = false;
};

} // namespace tilescope::views
