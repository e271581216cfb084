// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/TypingHold.h"

#include <algorithm>
#include <utility>

namespace tilescope::views {

TypingHold::TypingHold(std::function<bool()> isOffering, QObject *parent)
    : QObject(parent), m_isOffering(std::move(isOffering)) {
  m_pause.setObjectName(QStringLiteral("releasing held errors"));
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPause);
  connect(&m_pause, &QTimer::timeout, this, &TypingHold::onPause);
}

void TypingHold::typedIn(const SourceRange &statement) {
  const bool isAnother = m_statement && m_statement->begin != statement.begin;
  m_statement = statement;
  m_sinceKey.start();
  m_pause.start();
  if (isAnother)
    Q_EMIT released();
}

void TypingHold::cursorMovedTo(Position cursor) {
  if (m_statement && !m_statement->contains(cursor))
    release();
}

bool TypingHold::holds(const compiler::Diagnostic &diagnostic) const {
  auto touches = [this](const SourceRange &range) {
    return range.file == 0 && range.begin < m_statement->end && m_statement->begin <= range.end;
  };
  if (!m_statement)
    return false;
  if (touches(diagnostic.range))
    return true;
  // A bracket that is open here is missed elsewhere.
  const bool isSyntax = compiler::diagnosticId(diagnostic.kind).starts_with("syntax-");
  return isSyntax && std::any_of(diagnostic.labels.begin(), diagnostic.labels.end(),
                                 [&](const auto &label) { return touches(label.range); });
}

void TypingHold::onPause() {
  if (m_isOffering() && !m_sinceKey.hasExpired(kLongest.count()))
    m_pause.start();
  else
    release();
}

void TypingHold::release() {
  m_pause.stop();
  m_statement.reset();
  Q_EMIT released();
}

} // namespace tilescope::views
