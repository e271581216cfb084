// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/ForeignText.h"

#include <QRegularExpression>
#include <QStringDecoder>

namespace tilescope::app {

namespace {
/// Where a text declares its encoding.
struct Declared {
  qsizetype begin = 0, length = 0;
};
} // namespace

/// As Python looks for it (PEP 263).
static Declared declaredIn(const QString &text) {
  static const QRegularExpression declaration(
      QStringLiteral("^[ \\t\\f]*#.*?coding[:=][ \\t]*([-_.a-zA-Z0-9]+)"));
  qsizetype begin = 0;
  for (int line = 0; line < 2; ++line) {
    const qsizetype end = text.indexOf(u'\n', begin);
    const QRegularExpressionMatch match =
        declaration.match(text.mid(begin, end < 0 ? -1 : end - begin));
    if (match.hasMatch())
      return {begin + match.capturedStart(1), match.capturedLength(1)};
    if (end < 0)
      break;
    begin = end + 1;
  }
  return {};
}

/// Nothing: the encoding is not known, or the bytes are none of it.
static std::optional<QString> decode(std::string_view bytes, const QString &encoding) {
  QStringDecoder decoder(encoding.toLatin1().constData());
  if (!decoder.isValid())
    return std::nullopt;
  const QString text =
      decoder.decode(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
  return decoder.hasError() || text.contains(QChar::ReplacementCharacter) ? std::nullopt
                                                                          : std::optional(text);
}

ForeignText readForeign(std::string_view bytes) {
  const QString latin = QString::fromLatin1(bytes.data(), static_cast<qsizetype>(bytes.size()));
  const Declared declared = declaredIn(latin);
  QStringList encodings;
  if (declared.length > 0)
    encodings << latin.mid(declared.begin, declared.length);
  encodings << QStringLiteral("Windows-1252");
  ForeignText read{{}, QStringLiteral("Latin-1")};
  QString text = latin;
  for (const QString &encoding : encodings)
    if (const std::optional<QString> decoded = decode(bytes, encoding)) {
      text = *decoded;
      read.encoding = encoding;
      break;
    }
  // What is declared is in ASCII; in front of it may be other characters.
  if (const Declared now = declaredIn(text); now.length > 0)
    text.replace(now.begin, now.length, QStringLiteral("utf-8"));
  read.text = text.toStdString();
  return read;
}

} // namespace tilescope::app
