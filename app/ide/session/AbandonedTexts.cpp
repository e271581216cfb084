// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/AbandonedTexts.h"

#include <QDir>

namespace tilescope::app {

std::vector<AbandonedTexts> findAbandonedTexts(const QString &sessionsFolder) {
  std::vector<AbandonedTexts> found;
  const QDir folder(sessionsFolder);
  for (const QString &name :
       folder.entryList({QStringLiteral("session-*")}, QDir::Dirs | QDir::NoSymLinks, QDir::Name)) {
    auto opened = SessionStore::open(folder.filePath(name));
    if (!opened || !*opened)
      continue;
    AbandonedTexts texts{std::move(*opened), {}, {}};
    SessionStore::Loaded loaded = texts.store->load();
    texts.session = std::move(loaded.session);
    // Looking at a session forgets what its process died over, so it is written down.
    if (!texts.store->mark().suspects().isEmpty())
      texts.store->write({toJson(texts.session), {}, {}});
    for (auto &[id, page] : loaded.pages)
      if (!page.history.isSaved())
        texts.pages.emplace(id, std::move(page));
    if (!texts.pages.empty())
      found.push_back(std::move(texts));
  }
  return found;
}

void forgetTexts(const AbandonedTexts &texts) {
  Session rest = texts.session;
  std::erase_if(rest.files, [&](const SessionFile &file) { return texts.pages.contains(file.id); });
  QStringList ids;
  for (const auto &[id, page] : texts.pages)
    ids << id;
  // The names go before the texts: a name without its text would be reported as a lost file.
  if (texts.store->write({toJson(rest), {}, {}}).isEmpty())
    texts.store->write({toJson(rest), {}, ids});
}

} // namespace tilescope::app
