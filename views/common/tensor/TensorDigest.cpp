// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/TensorDigest.h"

#include "profiler/analysis/Comparison.h"
#include "views/common/DeleteInBackground.h"
#include "views/common/tensor/TensorModel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

namespace tilescope::views {

using profiler::Tensor;

static constexpr int64_t kMaxImageSide = 1024;
static constexpr int kBins = 64;
/// Differences smaller than the largest by this factor look alike.
static constexpr double kDifferenceRange = 1e6;

bool ComparedTensor::differs(int64_t element) const {
  if (!expected)
    return false;
  // An element that neither side wrote is not a difference; one that only one side wrote is.
  if (const bool isOfOutput = isUnwritten(element); isOfOutput || !unwrittenExpected.isNone())
    if (const bool isOfExpected = unwrittenExpected.has(*expected, element);
        isOfOutput || isOfExpected)
      return isOfOutput != isOfExpected;
  return !profiler::agrees(tensor, *expected, element, comparison, ranges ? &*ranges : nullptr);
}

std::pair<double, double> heatRange(const Tensor &tensor, const TensorStatistics &statistics,
                                    const profiler::Unwritten &unwritten) {
  static constexpr int64_t kSamples = 4096;
  static constexpr double kOutside = 0.01;
  std::vector<double> values;
  const int64_t step = std::max<int64_t>(1, tensor.numElements() / kSamples);
  for (int64_t element = 0; element < tensor.numElements(); element += step)
    if (const double value = tensor.at(element);
        std::isfinite(value) && (statistics.numUnwritten == 0 || !unwritten.has(tensor, element)))
      values.push_back(value);
  if (values.empty())
    return {0, 0};
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const double low = values[static_cast<size_t>(last * kOutside)];
  // Of a few values none is left out.
  const double high = values[static_cast<size_t>(std::ceil(last * (1 - kOutside)))];
  return low < high ? std::pair(low, high) : std::pair(statistics.minimum, statistics.maximum);
}

/// Rows and columns of the picture: a vector is wrapped until it is about twice as wide as high.
static std::pair<int64_t, int64_t> pictureShape(const Tensor &tensor) {
  const int64_t count = tensor.numElements();
  if (tensor.shape.size() > 1)
    return tableShape(tensor);
  int64_t columns = 1;
  while (columns * columns < 2 * count)
    columns *= 2;
  return {(count + columns - 1) / columns, columns};
}

namespace {

/// Paints one value for each element of a tensor.
class Painter {
public:
  using Values = std::function<double(int64_t element)>;

  Painter(const TensorDigest &digest, std::pair<double, double> range, Values valueOf);
  bool paintSamples(const std::stop_token &stop);
  bool paintSpecial(const std::stop_token &stop);
  /// Calls `visit` for every element with its pixel.
  bool visitElements(const std::stop_token &stop,
                     const std::function<void(int64_t element, int x, int y)> &visit) const;
  TensorPicture take() { return std::move(m_picture); }

private:
  uint8_t pixelOf(int64_t element, int x, int y) const;

  const TensorDigest &m_digest;
  const Tensor &m_tensor;
  bool m_hasUnwritten;
  Values m_valueOf;
  TensorPicture m_picture;
  /// 0: all values are equal.
  double m_span = 0;
};

} // namespace

Painter::Painter(const TensorDigest &digest, std::pair<double, double> range, Values valueOf)
    : m_digest(digest), m_tensor(digest.tensor), m_hasUnwritten(digest.statistics.numUnwritten > 0),
      m_valueOf(std::move(valueOf)) {
  std::tie(m_picture.rows, m_picture.columns) = pictureShape(m_tensor);
  std::tie(m_picture.low, m_picture.high) = range;
  m_span = m_picture.high - m_picture.low;
  m_picture.image =
      QImage(static_cast<int>(std::min(m_picture.columns, kMaxImageSide)),
             static_cast<int>(std::min(m_picture.rows, kMaxImageSide)), QImage::Format_Indexed8);
}

uint8_t Painter::pixelOf(int64_t element, int x, int y) const {
  if (element >= m_tensor.numElements())
    return static_cast<uint8_t>(PixelKind::PastEnd);
  if (m_hasUnwritten && m_digest.isUnwritten(element))
    return static_cast<uint8_t>((x + y) % 2 == 0 ? PixelKind::Unwritten
                                                 : PixelKind::UnwrittenOther);
  const double value = m_valueOf(element);
  if (std::isnan(value))
    return static_cast<uint8_t>(PixelKind::Nan);
  if (std::isinf(value))
    return static_cast<uint8_t>(PixelKind::Infinite);
  // A single value is neither low nor high.
  const double share = m_span > 0 ? (value - m_picture.low) / m_span : 0.5;
  return static_cast<uint8_t>((kNumShades - 1) * std::clamp(share, 0.0, 1.0));
}

bool Painter::paintSamples(const std::stop_token &stop) {
  const int width = m_picture.image.width(), height = m_picture.image.height();
  for (int y = 0; y < height; ++y) {
    if (stop.stop_requested())
      return false;
    uchar *line = m_picture.image.scanLine(y);
    for (int x = 0; x < width; ++x)
      line[x] = pixelOf(
          y * m_picture.rows / height * m_picture.columns + x * m_picture.columns / width, x, y);
  }
  return true;
}

bool Painter::visitElements(const std::stop_token &stop,
                            const std::function<void(int64_t element, int x, int y)> &visit) const {
  const int width = m_picture.image.width(), height = m_picture.image.height();
  for (int64_t row = 0; row < m_picture.rows; ++row) {
    if (row % 64 == 0 && stop.stop_requested())
      return false;
    const auto y = static_cast<int>(row * height / m_picture.rows);
    const int64_t begin = row * m_picture.columns;
    const int64_t count = std::min(m_picture.columns, m_tensor.numElements() - begin);
    for (int64_t column = 0; column < count; ++column)
      visit(begin + column, static_cast<int>(column * width / m_picture.columns), y);
  }
  return true;
}

/// A NaN takes precedence over the sample beside it.
bool Painter::paintSpecial(const std::stop_token &stop) {
  uchar *bits = m_picture.image.bits();
  const qsizetype stride = m_picture.image.bytesPerLine();
  return visitElements(stop, [&](int64_t element, int x, int y) {
    if (const uint8_t pixel = pixelOf(element, x, y); pixel >= kNumShades)
      bits[y * stride + x] = pixel;
  });
}

/// Marks the elements that differ, and paints how far all are from what is expected.
static bool paintDifference(TensorDigest &digest, const std::stop_token &stop) {
  const Tensor &actual = digest.tensor, &expected = *digest.expected;
  const auto distance = [&](int64_t element) {
    return std::fabs(actual.at(element) - expected.at(element));
  };
  double most = 0, least = std::numeric_limits<double>::infinity();
  bool hasZero = false;
  for (int64_t element = 0; element < actual.numElements(); ++element)
    if (const double value = distance(element); std::isfinite(value)) {
      most = std::max(most, value);
      hasZero |= value == 0;
      if (value > 0)
        least = std::min(least, value);
    }
  // Below the smallest one: elements that agree look different from it.
  const double low = std::max(least / 10, most / kDifferenceRange);
  const bool isLogarithmic = most > 0;
  // Rounding errors and wrong elements are far apart: only their exponents fit on one scale.
  Painter painter(
      digest, isLogarithmic ? std::pair(std::log10(low), std::log10(most)) : std::pair(0., 0.),
      [&](int64_t element) {
        return isLogarithmic ? std::log10(std::max(distance(element), low)) : distance(element);
      });
  QImage marks(digest.picture.image.size(), QImage::Format_Indexed8);
  marks.fill(0);
  uchar *bits = marks.bits();
  const qsizetype stride = marks.bytesPerLine();
  const auto mark = [&](int64_t element, int x, int y) {
    if (!digest.differs(element))
      return;
    bits[y * stride + x] = 1;
    ++digest.numDiffering;
  };
  if (!painter.paintSamples(stop) || !painter.paintSpecial(stop) ||
      !painter.visitElements(stop, mark))
    return false;
  digest.difference = painter.take();
  digest.difference.low = isLogarithmic ? low : 0;
  digest.difference.high = most;
  digest.difference.isLogarithmic = isLogarithmic;
  digest.difference.isClippedBelow = isLogarithmic && (hasZero || least < low);
  digest.marks = std::move(marks);
  return true;
}

TensorDigestPointer digestTensor(ComparedTensor compared, const std::stop_token &stop) {
  std::shared_ptr<TensorDigest> digest(new TensorDigest, DeleteInBackground());
  static_cast<ComparedTensor &>(*digest) = std::move(compared);
  const Tensor &tensor = digest->tensor;
  digest->statistics = tensorStatistics(tensor, kBins, digest->unwritten, stop);
  if (stop.stop_requested())
    return nullptr;
  if (tensor.numElements() == 0)
    return digest;
  const TensorStatistics &statistics = digest->statistics;
  const std::pair<double, double> range = heatRange(tensor, statistics, digest->unwritten);
  Painter painter(*digest, range, [&tensor](int64_t element) { return tensor.at(element); });
  if (!painter.paintSamples(stop))
    return nullptr;
  if (statistics.numNan + statistics.numInfinite + statistics.numUnwritten > 0 &&
      !painter.paintSpecial(stop))
    return nullptr;
  digest->picture = painter.take();
  digest->picture.isClippedBelow = statistics.minimum < range.first;
  digest->picture.isClippedAbove = statistics.maximum > range.second;
  const bool isComparable = digest->expected && digest->expected->shape == tensor.shape &&
                            digest->expected->dtype == tensor.dtype;
  if (digest->ranges &&
      (digest->ranges->least.shape != tensor.shape || digest->ranges->most.shape != tensor.shape))
    digest->ranges.reset();
  if (!isComparable)
    digest->expected.reset();
  else if (!paintDifference(*digest, stop))
    return nullptr;
  return digest;
}

} // namespace tilescope::views
