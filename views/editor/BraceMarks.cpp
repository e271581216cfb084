// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/BraceMarks.h"

#include "views/common/Theme.h"
#include "views/editor/Decorations.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/Scintilla.h"

#include <string_view>
#include <vector>

namespace tilescope::views {

using Sci = QsciScintillaBase;

void defineBraceMarks(QsciScintilla &editor) {
  auto define = [&](int number, QsciScintilla::IndicatorStyle style, ColorRole role) {
    editor.indicatorDefine(style, number);
    editor.setIndicatorForegroundColor(theme()[role], number);
    editor.setIndicatorDrawUnder(true, number);
  };
  define(kBraceIndicator, QsciScintilla::FullBoxIndicator, ColorRole::Hover);
  for (const unsigned message : {Sci::SCI_INDICSETALPHA, Sci::SCI_INDICSETOUTLINEALPHA})
    editor.SendScintilla(message, kBraceIndicator, 255L);
  define(kBraceTextIndicator, QsciScintilla::TextColorIndicator, ColorRole::FocusEdge);
  define(kLoneBraceIndicator, QsciScintilla::TextColorIndicator, ColorRole::Error);
}

static bool isBrace(const QsciScintilla &editor, long at) {
  static constexpr std::string_view kBraces("()[]{}");
  const long found = at < 0 ? 0 : editor.SendScintilla(Sci::SCI_GETCHARAT, at);
  return found != 0 && kBraces.find(static_cast<char>(found)) != std::string_view::npos;
}

void markBraces(QsciScintilla &editor) {
  const long cursor = editor.SendScintilla(Sci::SCI_GETCURRENTPOS);
  std::vector<ByteRange> pair, lone;
  for (const long at : {cursor - 1, cursor}) {
    if (!isBrace(editor, at))
      continue;
    const long other = editor.SendScintilla(Sci::SCI_BRACEMATCH, at, 0L);
    if (other < 0)
      lone = {{at, at + 1}};
    else
      pair = {{at, at + 1}, {other, other + 1}};
    break;
  }
  setIndicator(editor, kBraceIndicator, pair);
  setIndicator(editor, kBraceTextIndicator, std::move(pair));
  setIndicator(editor, kLoneBraceIndicator, std::move(lone));
}

} // namespace tilescope::views
