// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/TensorText.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>

namespace tilescope::views {

static QString tr(const char *text) { return QCoreApplication::translate("TensorText", text); }

static QString count(int64_t value) { return QLocale(QLocale::English).toString(qlonglong{value}); }

QString coordinatesText(const std::vector<int64_t> &coordinates) {
  QStringList parts;
  for (const int64_t coordinate : coordinates)
    parts << QString::number(coordinate);
  return u'[' + parts.join(QStringLiteral(", ")) + u']';
}

std::optional<int64_t> parseElement(const QString &text, const std::vector<int64_t> &shape) {
  QString plain = text;
  plain.remove(u'[').remove(u']');
  std::vector<int64_t> numbers;
  for (const QString &part : plain.split(u',')) {
    bool ok = false;
    numbers.push_back(part.trimmed().toLongLong(&ok));
    if (!ok || numbers.back() < 0)
      return std::nullopt;
  }
  if (numbers.size() == 1)
    return numbers[0] < profiler::numElements(shape) ? std::optional(numbers[0]) : std::nullopt;
  if (numbers.size() != shape.size())
    return std::nullopt;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (numbers[axis] >= shape[axis])
      return std::nullopt;
  return profiler::elementIndex(numbers, shape);
}

/// A whole number with all of its digits, as an index or a count needs them.
static QString extremeText(double value) {
  constexpr double kExact = 1e15;
  const bool isWhole = std::abs(value) < kExact && value == std::trunc(value);
  return isWhole ? QString::number(value, 'f', 0) : QString::number(value, 'g', 5);
}

QString statisticsText(const TensorStatistics &statistics) {
  QStringList parts;
  if (statistics.numNan > 0)
    parts << tr("%1 NaN").arg(count(statistics.numNan));
  if (statistics.numInfinite > 0)
    parts << tr("%1 infinite").arg(count(statistics.numInfinite));
  if (statistics.numFinite > 0)
    parts << tr("min %1").arg(extremeText(statistics.minimum))
          << tr("max %1").arg(extremeText(statistics.maximum))
          << tr("mean %1").arg(statistics.mean, 0, 'g', 5)
          << tr("deviation %1").arg(statistics.deviation, 0, 'g', 4);
  return parts.join(QStringLiteral(" · "));
}

QString pictureText(const TensorDigest &digest) {
  const TensorPicture &picture = digest.picture;
  QStringList parts;
  if (digest.tensor.shape.size() > 2) {
    QStringList extents;
    for (const int64_t extent : digest.tensor.shape)
      extents << QString::number(extent);
    parts << tr("%1 shown as %2×%3").arg(extents.join(u'×')).arg(picture.rows).arg(picture.columns);
  }
  if (digest.tensor.shape.size() == 1 && picture.rows > 1)
    parts << tr("shown in rows of %1").arg(picture.columns);
  const auto end = [](double value) { return QString::number(value, 'g', 3); };
  if (picture.isClippedBelow && picture.isClippedAbove)
    parts << tr("the color scale ends at %1 and %2; values beyond look like its ends")
                 .arg(end(picture.low), end(picture.high));
  else if (picture.isClippedBelow)
    parts << tr("the color scale begins at %1; lower values look like it").arg(end(picture.low));
  else if (picture.isClippedAbove)
    parts << tr("the color scale ends at %1; higher values look like it").arg(end(picture.high));
  return parts.join(QStringLiteral(" · "));
}

QString differenceText(const TensorDigest &digest) {
  // What is not a number is at no distance.
  if (!(digest.difference.high > 0))
    return {};
  const QString text = tr("how far each element is from what is expected: at most %1")
                           .arg(digest.difference.high, 0, 'g', 5);
  return digest.difference.isLogarithmic ? tr("%1, on a logarithmic scale").arg(text) : text;
}

} // namespace tilescope::views
