// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/EditorServices.h"
#include "views/common/StageSyntax.h"
#include "views/editor/Scintilla.h"

#include <memory>
#include <optional>

namespace tilescope::views {

/// Colors a kernel file and folds it by indentation; a file of IR is colored as in its stage's
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
  /// The editor's present text as the compiler's front reads it; rebuilt only when the text has
  /// changed. Null for IR, and for texts that are too long to be read at every key.
  std::shared_ptr<const compiler::ast::EditorDocument> document();
  /// Reports that the text has changed.
  void invalidate() { m_isCurrent = false; }

private:
  /// A stretch of the text with a style, in bytes.
  struct StyledToken {
    uint32_t begin = 0;
    uint32_t end = 0;
    int style = 0;
    bool operator==(const StyledToken &) const = default;
  };

  QByteArray editorText() const;
  /// Brings `m_tokens` up to date. Only colors need them, and those come after what follows a key.
  void classifyTokens();
  void styleKernel(int start, int end);
  void styleStage(int start, int end);
  void foldKernel();
  void setFoldLevels(const std::vector<int> &levels);

  std::optional<TextLanguage> m_stageLanguage;
  std::shared_ptr<const compiler::ast::EditorDocument> m_document;
  /// In order, of the document as it was when they were last needed.
  std::vector<StyledToken> m_tokens;
  std::shared_ptr<const compiler::ast::EditorDocument> m_classified;
  /// The first byte whose style is another since it was set: what follows a name may give it its
  /// meaning, as a function does to the decorator above it.
  uint32_t m_firstChange = 0;
  bool m_isCurrent = false;
  bool m_hasFoldLevels = false;
};

/// Scintilla's fold levels for lines that fold. Where ranges overlap without containing each other,
/// the earlier one ends before the later one.
std::vector<int> foldLevels(const std::vector<compiler::ast::FoldingRange> &ranges, int numLines);

} // namespace tilescope::views
