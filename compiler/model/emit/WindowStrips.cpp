// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/WindowStrips.h"

#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/emit/FlatWindows.h"
#include "compiler/model/emit/PixelTiles.h"
#include "compiler/model/emit/WindowVectors.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

/// Weights are held in registers.
static constexpr int64_t kMostTaps = 25;
/// What a program has at once, on an H200: as many pixels of one channel, in pairs for each warp, or pixels of so many
/// channels.
static constexpr int64_t kPixels = 128, kPixelsOfChannels = 16, kChannels = 64;
/// With fewer pairs in a row, lanes are without work.
static constexpr int64_t kLeastPairs = 48;

std::string numbered(const std::string &name, int64_t number) {
  return name + std::to_string(number);
}

std::string plus(const std::string &text, int64_t number) {
  return number == 0  ? text
         : number < 0 ? text + " - " + std::to_string(-number)
                      : text + " + " + std::to_string(number);
}

namespace {
class Strips {
public:
  Strips(const WindowOperation &window, int64_t strip) : m_window(window), m_strip(strip) {
    const ArrayRef<int64_t> shape = tensorType(window.result).getShape();
    m_channels = window.isChannelsLast ? shape.back() : shape[1];
    m_images = shape.front();
    const WindowView::Axis &x = window.view.x;
    const int64_t numPairs = x.stride == 1 ? x.result / 2 : x.result;
    m_isPaired = !isLast() && x.dilation == 1 && x.stride <= 2 && numPairs >= kLeastPairs;
  }

  Anchor emit();

private:
  bool isLast() const { return m_window.isChannelsLast; }
  bool isLargest() const { return !m_window.filter; }
  /// Results beside each other that a lane has.
  int64_t numOfLane() const { return m_isPaired && m_window.view.x.stride == 1 ? 2 : 1; }
  /// The columns of the image that a lane's windows are in.
  int64_t numColumns() const { return m_window.view.x.window + numOfLane() - 1; }
  /// Where a column is, from the lane's first pixel on.
  int64_t columnOf(int64_t number) const { return number - m_window.view.x.begin; }
  /// Whether a column and the next one are loaded together, as pixels that lie beside each other.
  bool isPair(int64_t number) const {
    return m_isPaired && columnOf(number) % 2 == 0 && number + 1 < numColumns();
  }
  bool isBehindPair(int64_t number) const { return number > 0 && isPair(number - 1); }
  std::string outPixel() const { return numOfLane() == 2 ? "pixel" : "right"; }
  int64_t channelBlock() const { return blockFor(m_channels, kChannels); }
  /// Of channels last: whether a block's last channels may be none.
  bool hasRest() const { return isLast() && m_channels % channelBlock() != 0; }
  Type element() const { return tensorType(m_window.operand).getElementType(); }
  std::string shape() const {
    return isLast() ? "[BLOCK_Y * BLOCK_X, BLOCK_C]" : "[BLOCK_Y, BLOCK_X]";
  }
  void read(EmittedKernel &kernel) const;
  void setTiles(EmittedKernel &kernel) const;
  std::string beginText() const;
  std::string startText() const;
  std::string columnsText() const;
  std::string loadText(int64_t row) const;
  std::string rowText(int64_t row) const;
  std::string sumText(const std::string &total, int64_t i, int64_t first) const;
  std::string joinText() const;
  AnchorPart part(int64_t number) const;

  const WindowOperation &m_window;
  int64_t m_strip, m_channels = 0, m_images = 0;
  /// Elements are loaded two by two, in whole vectors: single ones of two bytes cost as much as four.
  bool m_isPaired = false;
};
} // namespace

void Strips::read(EmittedKernel &kernel) const {
  kernel.name = m_window.name;
  kernel.read("x_ptr", m_window.operand);
  if (m_window.filter)
    kernel.read("w_ptr", m_window.filter);
  if (m_window.bias) {
    kernel.name += "_bias";
    kernel.read("b_ptr", m_window.bias);
  }
  const WindowView::Axis &y = m_window.view.y, &x = m_window.view.x;
  for (const auto &[name, number] : {std::pair{"height", y.extent},
                                     {"width", x.extent},
                                     {"out_height", y.result},
                                     {"out_width", x.result},
                                     {"stride_y", y.stride},
                                     {"pad_y", y.begin},
                                     {"channels", m_channels}})
    kernel.number(name, number);
  if (m_isPaired)
    return;
  kernel.number("stride_x", x.stride);
  kernel.number("pad_x", x.begin);
}

void Strips::setTiles(EmittedKernel &kernel) const {
  const WindowView &view = m_window.view;
  const std::string ofLane = numOfLane() == 2 ? " * 2" : "";
  const std::string pixels = "cdiv(out_height, BLOCK_Y * " + std::to_string(m_strip) +
                             ") * cdiv(out_width, BLOCK_X" + ofLane + ")";
  if (isLast()) {
    const int64_t channels = channelBlock();
    const int64_t tile = kPixelsOfChannels * kChannels / channels;
    const int64_t columns = std::min<int64_t>(blockFor(view.x.result, 16), tile);
    kernel.constexprs = {
        {"BLOCK_Y", isLargest() ? std::max<int64_t>(tile / columns / 2, 1) : tile / columns},
        {"BLOCK_X", columns},
        {"BLOCK_C", channels}};
    kernel.grid = {"\"" + pixels + " * cdiv(channels, BLOCK_C)\"", std::to_string(m_images)};
    return;
  }
  const int64_t lanes = kPixels / numOfLane();
  const int64_t columns = wideTile(int64_t(llvm::divideCeil(view.x.result, numOfLane())), lanes);
  kernel.constexprs = {{"BLOCK_Y", lanes / columns}, {"BLOCK_X", columns}};
  kernel.options = {{"num_warps", m_isPaired ? 1 : 2}};
  setPlanes(kernel, pixels, m_images * m_channels);
}

/// Where the strips are, and the first element of each one's first window.
std::string Strips::beginText() const {
  const std::string strip = std::to_string(m_strip);
  if (isLast())
    return "    image = tl.program_id(1)\n"
           "    blocks = tl.cdiv(channels, BLOCK_C)\n"
           "    channel = (tl.program_id(0) % blocks * BLOCK_C + tl.arange(0, BLOCK_C))[None, :]\n"
           "    tile = tl.program_id(0) // blocks\n"
           "    tiles = tl.cdiv(out_width, BLOCK_X)\n"
           "    place = tl.arange(0, BLOCK_Y * BLOCK_X)[:, None]\n"
           "    # Strips of " +
           strip +
           " pixels below each other.\n"
           "    down = (tile // tiles * BLOCK_Y + place // BLOCK_X) * " +
           strip +
           "\n"
           "    right = tile % tiles * BLOCK_X + place % BLOCK_X\n"
           "    top = down * stride_y - pad_y\n"
           "    left = right * stride_x - pad_x\n"
           "    corner = x_ptr + (((image * height + top) * width + left) * channels + channel)\n";
  return planesText(m_images * m_channels) +
         "    channel = plane % channels\n"
         "    tiles = tl.cdiv(out_width, BLOCK_X" +
         (numOfLane() == 2 ? " * 2" : "") +
         ")\n"
         "    # Strips of " +
         strip +
         " pixels below each other.\n"
         "    down = (tile // tiles * BLOCK_Y + tl.arange(0, BLOCK_Y)[:, None]) * " +
         strip +
         "\n"
         "    right = tile % tiles * BLOCK_X + tl.arange(0, BLOCK_X)[None, :]\n"
         "    top = down * stride_y - pad_y\n" +
         (m_isPaired
              ? "    # A lane has two pixels of the image, which are loaded together.\n"
                "    first = right * 2\n"
                "    pixel = tile % tiles * BLOCK_X * 2 + tl.arange(0, BLOCK_X * 2)[None, :]\n"
                "    corner = x_ptr + (plane * height + top) * width\n"
              : "    left = right * stride_x - pad_x\n"
                "    corner = x_ptr + ((plane * height + top) * width + left)\n");
}

/// The weights, what each pixel begins with, and which columns of the window are inside.
std::string Strips::startText() const {
  const WindowView &view = m_window.view;
  const std::string widen = toCombinedType(element());
  const std::string whichChannel = hasRest() ? ", mask=channel < channels, other=0.0)" : ")";
  std::string text;
  for (int64_t tap = 0; tap < (isLargest() ? 0 : view.taps()); ++tap)
    text += "    " + numbered("w", tap) + " = tl.load(w_ptr + " +
            (isLast() ? std::to_string(tap) + " * channels + channel"
                      : plus("channel * " + std::to_string(view.taps()), tap)) +
            whichChannel + widen + "\n";
  const std::string first =
      m_window.bias
          ? "tl.zeros(" + shape() + ", " + combinedType(element()) + ") + bias"
          : "tl.full(" + shape() + ", " + (isLargest() ? "float(\"-inf\")" : "0.0") + ", " +
                (isa<FloatType>(element()) ? combinedType(element()) : "tl.float32") + ")";
  if (m_window.bias)
    text += "    bias = tl.load(b_ptr + channel" + whichChannel + widen + "\n";
  for (int64_t pixel = 0; pixel < m_strip; ++pixel)
    for (const char *name : numOfLane() == 2 ? std::vector{"even", "odd"} : std::vector{"total"})
      text += "    " + numbered(name, pixel) + " = " + first + "\n";
  return text + columnsText();
}

/// Which columns are inside.
std::string Strips::columnsText() const {
  const WindowView &view = m_window.view;
  std::string text;
  for (int64_t j = 0; j < numColumns(); ++j) {
    if (isBehindPair(j))
      continue;
    const std::string x = !m_isPaired ? plus("left", j * view.x.dilation)
                                      : plus(isPair(j) ? "pixel" : "first", columnOf(j));
    const bool isAlwaysRight = m_isPaired && columnOf(j) >= 0;
    text += "    " + numbered("in", j) + " = " + (isAlwaysRight ? "" : "(" + x + " >= 0) & (") + x +
            " < width" + (isAlwaysRight ? "" : ")") + (m_isPaired ? "" : " & (right < out_width)") +
            (hasRest() ? " & (channel < channels)" : "") + "\n";
  }
  return text;
}

/// Loads the columns of a row of the image, counted from the first window's first one.
std::string Strips::loadText(int64_t row) const {
  const bool isNarrow = !toCombinedType(element()).empty();
  const std::string widen = isNarrow ? ".to(tl.float32)" : "";
  const std::string other = isLargest() ? neutralText(tm::ReduceKind::Max, element()) : "0.0";
  const std::string line = std::to_string(row) + " * width";
  std::string text;
  for (int64_t j = 0; j < numColumns(); ++j) {
    if (isBehindPair(j))
      continue;
    const std::string at = m_isPaired
                               ? line + " + " + plus(isPair(j) ? "pixel" : "first", columnOf(j))
                               : plus(line, j * m_window.view.x.dilation);
    const std::string load = "tl.load(corner + (" + at + ")" + (isLast() ? " * channels" : "") +
                             ", mask=row & " + numbered("in", j) + ", other=" + other + ")" + widen;
    text += "    " + numbered("x", j) +
            (isPair(j) ? ", " + numbered("x", j + 1) + " = tl.split(tl.reshape(" + load +
                             ", [BLOCK_Y, BLOCK_X, 2]))\n"
                       : " = " + load + "\n");
  }
  return text;
}

/// Adds row `i` of a window, whose first column is `first`, to a total.
std::string Strips::sumText(const std::string &total, int64_t i, int64_t first) const {
  const int64_t window = m_window.view.x.window;
  std::string sum = total;
  for (int64_t j = 0; j < window; ++j) {
    const std::string x = numbered("x", first + j);
    sum = isLargest() ? "tl.maximum(" + sum + ", " + x + ")"
                      : sum + " + " + x + " * " + numbered("w", i * window + j);
  }
  return "    " + total + " = " + sum + "\n";
}

/// Loads a row of the image and adds it to each pixel whose window it is in.
std::string Strips::rowText(int64_t row) const {
  const WindowView &view = m_window.view;
  std::vector<std::pair<int64_t, int64_t>> uses;
  for (int64_t pixel = 0; pixel < m_strip; ++pixel)
    if (const int64_t rest = row - pixel * view.y.stride;
        rest >= 0 && rest % view.y.dilation == 0 && rest / view.y.dilation < view.y.window)
      uses.emplace_back(pixel, rest / view.y.dilation);
  if (uses.empty())
    return "";
  const std::string y = plus("top", row);
  std::string text = "    row = (" + y + " >= 0) & (" + y + " < height)\n" + loadText(row);
  for (const auto &[pixel, i] : uses)
    if (numOfLane() == 2)
      text += sumText(numbered("even", pixel), i, 0) + sumText(numbered("odd", pixel), i, 1);
    else
      text += sumText(numbered("total", pixel), i, 0);
  return text;
}

/// The two results of each lane beside each other.
std::string Strips::joinText() const {
  std::string text;
  for (int64_t pixel = 0; numOfLane() == 2 && pixel < m_strip; ++pixel)
    text += "    " + numbered("total", pixel) + " = tl.reshape(tl.join(" + numbered("even", pixel) +
            ", " + numbered("odd", pixel) + "), [BLOCK_Y, BLOCK_X * 2])\n";
  return text;
}

AnchorPart Strips::part(int64_t number) const {
  const WindowView &view = m_window.view;
  const int64_t height = view.y.result, width = view.x.result;
  const std::string down = number == 0 ? "down" : "(" + plus("down", number) + ")";
  const std::string right = outPixel();
  const std::string inside =
      "(" + plus("down", number) + " < out_height) & (" + right + " < out_width)";
  AnchorPart part;
  part.value = numbered("total", number);
  if (isLast()) {
    const std::string pixel = "((image * out_height + " + down + ") * out_width + right)";
    part.place = pixel + " * channels + channel";
    part.mask = inside + (hasRest() ? " & (channel < channels)" : "");
    part.coordinates = {{1, m_channels, "channel", false, "channel < channels"},
                        {m_channels, m_images * height * width, pixel, false, inside}};
    return part;
  }
  part.place = "(plane * out_height + " + down + ") * out_width + " + right;
  part.mask = inside;
  part.coordinates = {{1, width, right},
                      {width, height, down},
                      {1, width * height, "(" + down + " * out_width + " + right + ")"},
                      {width * height, m_images * m_channels, "plane", true},
                      {width * height, m_channels, "channel", true}};
  return part;
}

Anchor Strips::emit() {
  const WindowView &view = m_window.view;
  Anchor anchor;
  anchor.result = m_window.result;
  anchor.shape = tensorType(m_window.result).getShape().vec();
  EmittedKernel &kernel = anchor.kernel;
  read(kernel);
  setTiles(kernel);
  kernel.body = beginText() + startText();
  const int64_t rows = (m_strip - 1) * view.y.stride + (view.y.window - 1) * view.y.dilation + 1;
  for (int64_t row = 0; row < rows; ++row)
    kernel.body += rowText(row);
  kernel.body += joinText();
  kernel.templateLines = size_t(llvm::count(kernel.body, '\n'));
  kernel.numBlocks = size_t(m_strip);
  static_cast<AnchorPart &>(anchor) = part(0);
  for (int64_t number = 1; number < m_strip; ++number)
    anchor.others.push_back(part(number));
  return anchor;
}

/// The longest strip that leaves an eighth of the pixels empty at most.
static int64_t stripFor(int64_t height, int64_t most) {
  int64_t strip = most;
  while (strip > 1 && int64_t(llvm::alignTo(uint64_t(height), uint64_t(strip))) * 8 > height * 9)
    strip /= 2;
  return strip;
}

std::optional<Anchor> emitStrips(const WindowOperation &window) {
  const uint64_t bytes = tm::bytesOf(tensorType(window.operand)).value_or(0) +
                         tm::bytesOf(tensorType(window.result)).value_or(0);
  if (bytes < kLargeLaunch || window.view.hasDepth || window.view.taps() > kMostTaps)
    return std::nullopt;
  if (std::optional<Anchor> flat = emitFlatWindows(window))
    return flat;
  if (std::optional<Anchor> vectors = emitWindowVectors(window))
    return vectors;
  // A larger strip of the largest ones holds more than it saves.
  const int64_t strip = stripFor(window.view.y.result, window.filter ? 8 : 4);
  return Strips(window, strip).emit();
}

} // namespace tilescope::model
