// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/SessionStore.h"

#include <vector>

namespace tilescope::app {

/// Texts that are not saved, in the session of a window that has ended. No other process takes the
/// session while this lives.
struct AbandonedTexts {
  std::shared_ptr<SessionStore> store;
  Session session;
  /// By id.
  std::map<QString, PageRecord> pages;
};

/// The texts in all sessions of windows of their own, `session-2`, `session-3`, …, that no process
/// has.
std::vector<AbandonedTexts> findAbandonedTexts(const QString &sessionsFolder);

/// Takes the texts out of their session, once they are kept in another one.
void forgetTexts(const AbandonedTexts &texts);

} // namespace tilescope::app
