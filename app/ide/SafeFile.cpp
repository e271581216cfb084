// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/SafeFile.h"

#include <QSaveFile>

namespace tilescope::app {

QString replaceFile(const QString &path, QByteArrayView bytes) {
  QSaveFile file(path);
  // Flushed here: a failure while `commit` flushes goes unnoticed there.
  const bool written = file.open(QIODevice::WriteOnly) &&
                       file.write(bytes.data(), bytes.size()) == bytes.size() && file.flush();
  const QString error = file.errorString();
  if (written && file.commit())
    return {};
  return written ? file.errorString() : error;
}

} // namespace tilescope::app
