// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>
#include <functional>
#include <optional>

namespace tilescope::views {

/// Keeps back what is wrong only because a statement is half typed.
///
///   x = tl.load(p|)     `p` is undefined: kept back while keys follow each other
///   y = undefined + 1   shown at once: the user is not typing here
///
/// It ends when no key came for `kPause`, or when the cursor leaves the statement. Where the user is being offered how the
/// text goes on (a completion, the arguments of a call), it takes `kLongest` without a key.
class TypingHold : public QObject {
  Q_OBJECT
public:
  static constexpr std::chrono::milliseconds kPause{600}, kLongest{3000};

  /// `isOffering`: whether the user is offered how the text goes on.
  TypingHold(std::function<bool()> isOffering, QObject *parent);

  /// A key has changed the text in a statement; see `EditorDocument::statementLines`.
  void typedIn(const SourceRange &statement);
  void cursorMovedTo(Position cursor);
  bool isActive() const { return m_statement.has_value(); }
  /// Findings of the statement, and errors of syntax that it causes further down.
  bool holds(const compiler::Diagnostic &diagnostic) const;

Q_SIGNALS:
  void released();

private:
  void onPause();
  void release();

  std::function<bool()> m_isOffering;
  QElapsedTimer m_sinceKey;
  std::optional<SourceRange> m_statement;
  QTimer m_pause;
};

} // namespace tilescope::views
