// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a KernelEditor takes another text; what it does besides is in KernelEditor.cpp.
#include "views/common/MovedPlaces.h"
#include "views/editor/DifferingPart.h"
#include "views/editor/KernelEditor.h"

#include <algorithm>

namespace tilescope::views {

void KernelEditor::replaceText(const QString &text) {
  const QByteArray bytes = text.toUtf8();
  const std::string before = utf8Text();
  const std::string_view after(bytes.data(), static_cast<size_t>(bytes.size()));
  const std::vector<DifferingPart> parts = differingParts(before, after);
  const long top = send(SCI_GETFIRSTVISIBLELINE);
  const long caretAt = send(SCI_GETCURRENTPOS);
  const Position at = cursor();
  const long caretLine = send(SCI_LINEFROMPOSITION, static_cast<unsigned long>(caretAt));
  const bool isCaretInSight = caretLine >= top && caretLine < top + send(SCI_LINESONSCREEN);
  // The cursor's line stays where it is on the screen, or else what is seen of the text.
  const auto isAbove = [&](const DifferingPart &part) {
    return isCaretInSight ? static_cast<long>(part.oldEnd) <= caretAt
                          : send(SCI_LINEFROMPOSITION, part.begin) < top;
  };
  long numLinesAbove = 0;
  bool isCaretInside = false;
  // Text, cursor and marks around what changes stay as they are. From the last part to the first,
  // before which all is where it was.
  m_replacing = true;
  beginUndoAction();
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const long numLines = send(SCI_GETLINECOUNT);
    send(SCI_SETTARGETRANGE, part->begin, static_cast<long>(part->oldEnd));
    SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(part->newEnd - part->newBegin),
                  bytes.constData() + part->newBegin);
    if (isAbove(*part))
      numLinesAbove += send(SCI_GETLINECOUNT) - numLines;
    isCaretInside |=
        caretAt > static_cast<long>(part->begin) && caretAt < static_cast<long>(part->oldEnd);
  }
  endUndoAction();
  m_replacing = false;
  // A cursor in what was replaced would be at its beginning: it stays in its line.
  if (isCaretInside) {
    const MovedPlaces places(before, after);
    SendScintilla(SCI_SETEMPTYSELECTION,
                  static_cast<uintptr_t>(byteOffset(places.moved(at).value_or(at))));
  }
  onModified();
  send(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(top + numLinesAbove, 0L)));
  // How far a long line was scrolled to the right means nothing where its end is out of sight.
  const QPoint caret = viewport()->mapFromGlobal(cursorRect(send(SCI_GETCURRENTPOS)).center());
  if (caret.y() < 0 || caret.y() >= viewport()->height())
    send(SCI_SETXOFFSET, 0);
}

} // namespace tilescope::views
