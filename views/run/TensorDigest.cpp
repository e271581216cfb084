// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/TensorDigest.h"

#include "views/common/DeleteInBackground.h"
#include "views/run/TensorModel.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tilescope::views {

using profiler::Tensor;

static constexpr int64_t kMaxImageSide = 1024;
static constexpr int kBins = 64;

std::pair<double, double> heatRange(const Tensor &tensor, const TensorStatistics &statistics) {
  static constexpr int64_t kSamples = 4096;
  static constexpr double kOutside = 0.01;
  std::vector<double> values;
  const int64_t step = std::max<int64_t>(1, tensor.numElements() / kSamples);
  for (int64_t element = 0; element < tensor.numElements(); element += step)
    if (const double value = tensor.at(element);
        std::isfinite(value) && (statistics.numUnwritten == 0 || !isUnwritten(tensor, element)))
      values.push_back(value);
  if (values.empty())
    return {0, 0};
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const double low = values[static_cast<size_t>(last * kOutside)];
  const double high = values[static_cast<size_t>(last * (1 - kOutside))];
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

/// Paints one tensor.
class Painter {
public:
  Painter(const Tensor &tensor, const TensorStatistics &statistics);
  bool paintSamples(const std::stop_token &stop);
  bool paintSpecial(const std::stop_token &stop);
  TensorPicture take() { return std::move(m_picture); }

private:
  uint8_t pixelOf(int64_t element, int x, int y) const;

  const Tensor &m_tensor;
  bool m_hasUnwritten;
  TensorPicture m_picture;
  double m_span = 1;
};

} // namespace

Painter::Painter(const Tensor &tensor, const TensorStatistics &statistics)
    : m_tensor(tensor), m_hasUnwritten(statistics.numUnwritten > 0) {
  std::tie(m_picture.rows, m_picture.columns) = pictureShape(tensor);
  std::tie(m_picture.low, m_picture.high) = heatRange(tensor, statistics);
  m_picture.isClippedBelow = statistics.minimum < m_picture.low;
  m_picture.isClippedAbove = statistics.maximum > m_picture.high;
  m_span = m_picture.high > m_picture.low ? m_picture.high - m_picture.low : 1;
  m_picture.image =
      QImage(static_cast<int>(std::min(m_picture.columns, kMaxImageSide)),
             static_cast<int>(std::min(m_picture.rows, kMaxImageSide)), QImage::Format_Indexed8);
}

uint8_t Painter::pixelOf(int64_t element, int x, int y) const {
  if (element >= m_tensor.numElements())
    return static_cast<uint8_t>(PixelKind::PastEnd);
  if (m_hasUnwritten && isUnwritten(m_tensor, element))
    return static_cast<uint8_t>((x + y) % 2 == 0 ? PixelKind::Unwritten
                                                 : PixelKind::UnwrittenOther);
  const double value = m_tensor.at(element);
  if (std::isnan(value))
    return static_cast<uint8_t>(PixelKind::Nan);
  if (std::isinf(value))
    return static_cast<uint8_t>(PixelKind::Infinite);
  return static_cast<uint8_t>((kNumShades - 1) *
                              std::clamp((value - m_picture.low) / m_span, 0.0, 1.0));
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

/// What is not a number goes before the sample beside it.
bool Painter::paintSpecial(const std::stop_token &stop) {
  const int width = m_picture.image.width(), height = m_picture.image.height();
  for (int64_t row = 0; row < m_picture.rows; ++row) {
    if (row % 64 == 0 && stop.stop_requested())
      return false;
    const auto y = static_cast<int>(row * height / m_picture.rows);
    uchar *line = m_picture.image.scanLine(y);
    const int64_t begin = row * m_picture.columns;
    const int64_t count = std::min(m_picture.columns, m_tensor.numElements() - begin);
    for (int64_t column = 0; column < count; ++column) {
      const auto x = static_cast<int>(column * width / m_picture.columns);
      const uint8_t pixel = pixelOf(begin + column, x, y);
      if (pixel >= kNumShades)
        line[x] = pixel;
    }
  }
  return true;
}

TensorDigestPointer digestTensor(Tensor tensor, bool beganEmpty, const std::stop_token &stop) {
  std::shared_ptr<TensorDigest> digest(new TensorDigest, DeleteInBackground());
  digest->tensor = std::move(tensor);
  digest->beganEmpty = beganEmpty;
  digest->statistics = tensorStatistics(digest->tensor, kBins, beganEmpty, stop);
  if (stop.stop_requested())
    return nullptr;
  if (digest->tensor.numElements() == 0)
    return digest;
  const TensorStatistics &statistics = digest->statistics;
  Painter painter(digest->tensor, statistics);
  if (!painter.paintSamples(stop))
    return nullptr;
  if (statistics.numNan + statistics.numInfinite + statistics.numUnwritten > 0 &&
      !painter.paintSpecial(stop))
    return nullptr;
  digest->picture = painter.take();
  return digest;
}

} // namespace tilescope::views
