// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/QuotedCode.h"

namespace tilescope::views {

QString quotedCode(QString words) {
  bool isOpen = false;
  for (qsizetype at = words.indexOf(u'`'); at >= 0; at = words.indexOf(u'`', at + 1)) {
    words[at] = isOpen ? u'’' : u'‘';
    isOpen = !isOpen;
  }
  return words;
}

QString wrappedTip(const QString &words) {
  return QStringLiteral("<p>%1</p>")
      .arg(quotedCode(words.toHtmlEscaped()).replace(u'\n', QStringLiteral("<br>")));
}

} // namespace tilescope::views
