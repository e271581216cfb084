// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/Decorations.h"

#include "compiler/support/JoinedRanges.h"
#include "views/editor/Scintilla.h"

#include <algorithm>

namespace tilescope::views {

using Sci = QsciScintillaBase;

/// Sorted, without overlaps, without empty ones.
static std::vector<ByteRange> merged(std::vector<ByteRange> ranges) {
  std::erase_if(ranges, [](const ByteRange &range) { return range.end <= range.begin; });
  return joinedRanges(std::move(ranges), &ByteRange::begin, &ByteRange::end);
}

static std::vector<ByteRange> rangesOf(const QsciScintilla &editor, int indicator) {
  std::vector<ByteRange> ranges;
  const long length = editor.SendScintilla(Sci::SCI_GETLENGTH);
  const auto number = static_cast<unsigned long>(indicator);
  for (long at = 0; at < length;) {
    const bool isSet = editor.SendScintilla(Sci::SCI_INDICATORVALUEAT, number, at) != 0;
    const long end = editor.SendScintilla(Sci::SCI_INDICATOREND, number, at);
    if (isSet)
      ranges.push_back({at, end > at ? end : length});
    // Where an indicator was never used, its first range has no end.
    if (end <= at)
      break;
    at = end;
  }
  return ranges;
}

void setIndicator(QsciScintilla &editor, int indicator, std::vector<ByteRange> ranges) {
  const std::vector<ByteRange> wanted = merged(std::move(ranges));
  const std::vector<ByteRange> present = rangesOf(editor, indicator);
  if (wanted == present)
    return;
  editor.SendScintilla(Sci::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
  for (const ByteRange &range : present)
    if (std::ranges::find(wanted, range) == wanted.end())
      editor.SendScintilla(Sci::SCI_INDICATORCLEARRANGE, static_cast<unsigned long>(range.begin),
                           range.end - range.begin);
  for (const ByteRange &range : wanted)
    if (std::ranges::find(present, range) == present.end())
      editor.SendScintilla(Sci::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(range.begin),
                           range.end - range.begin);
}

void setMarker(QsciScintilla &editor, int marker, const std::set<int> &lines) {
  std::set<int> present;
  const long mask = 1L << marker;
  for (long line = 0; (line = editor.SendScintilla(Sci::SCI_MARKERNEXT,
                                                   static_cast<unsigned long>(line), mask)) >= 0;
       ++line)
    present.insert(static_cast<int>(line));
  for (const int line : present)
    // Lines that were joined brought a marker each.
    while (!lines.contains(line) &&
           (editor.markersAtLine(line) & (1U << static_cast<unsigned>(marker))) != 0)
      editor.markerDelete(line, marker);
  const int numLines = editor.lines();
  for (const int line : lines)
    if (!present.contains(line) && line >= 0 && line < numLines)
      editor.markerAdd(line, marker);
}

} // namespace tilescope::views
