// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class QsciScintilla;

namespace tilescope::views {

/// The breakpoints of an editor, which are marks of its lines, with their conditions. They move with
/// the text, and those of lines that are taken out come back when undo or redo brings the lines back.
/// GUI thread.
class BreakpointMarks : public QObject {
  Q_OBJECT
public:
  explicit BreakpointMarks(QsciScintilla *editor);

  /// The conditions by line, from 0; a breakpoint without one has an empty text.
  std::map<uint32_t, std::string> lines() const;
  /// Without any, those of lines that are gone are forgotten, too.
  void set(const std::map<uint32_t, std::string> &lines);
  /// Adds one, or gives the one that is there the condition; nothing happens behind the last line.
  void put(uint32_t line, const std::string &condition);
  /// False: the line has none.
  bool remove(uint32_t line);

Q_SIGNALS:
  /// Lines are other ones, or gone, since the text has changed; in its own event.
  void moved();

private:
  /// Breakpoints of the lines of a text that was taken out, as they were before.
  struct Taken {
    int position = 0, length = 0;
    /// Undo took the text out, and redo brings it back.
    bool isByUndo = false;
    std::map<uint32_t, std::string> lines;
  };
  void follow(int position, int type, int length);
  void bringBack(const Taken &taken, const std::map<uint32_t, std::string> &replaced);
  void reportMove();

  QsciScintilla *m_editor;
  /// By the handles of their marks.
  std::map<int, std::string> m_conditions;
  /// The oldest first.
  std::vector<Taken> m_taken;
  bool m_isMoveReported = true;
};

} // namespace tilescope::views
