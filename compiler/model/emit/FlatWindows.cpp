// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/FlatWindows.h"

#include "compiler/model/emit/LaneText.h"

#include <set>

using namespace mlir;

namespace tilescope::model {

/// Threads of a program, and pixels of a vector.
static constexpr int64_t kFlatTasks = 128, kFlatPixels = 4;
/// Rows are shorter than a line of the cache.
static constexpr int64_t kLongestRow = 30;

namespace {
class FlatWindows {
public:
  explicit FlatWindows(const WindowOperation &window) : m_window(window) {
    const ArrayRef<int64_t> shape = tensorType(window.result).getShape();
    m_images = shape[0];
    m_channels = shape[1];
    m_height = shape[2];
    m_width = shape[3];
    // Of two images the same pixels, which share their weights and where rows end, on an H200; of more, registers are short.
    m_together = m_images % 2 == 0 ? 2 : 1;
    for (int64_t row = -1; row <= 1; ++row)
      for (int64_t at = row * m_width - 1; at <= row * m_width + kFlatPixels; ++at)
        m_vectors.insert(at - ((at % kFlatPixels) + kFlatPixels) % kFlatPixels);
  }

  Anchor emit();

private:
  std::string widen() const {
    return toCombinedType(tensorType(m_window.operand).getElementType()).empty()
               ? ""
               : ".to(tl.float32)";
  }
  int64_t numTasks() const {
    return m_images / m_together * m_channels * (m_height * m_width / kFlatPixels);
  }
  /// Of pixel `at`, counted from the vector's first one.
  std::string pixel(int64_t at) const { return numbered("x", at - *m_vectors.begin()); }
  /// Where the same pixel of an image is.
  std::string imageAt(int64_t image) const {
    return image == 0 ? "corner" : "corner + channels * height * width";
  }
  static std::string vector(int64_t image, size_t number) {
    return numbered("image", image) + "_" + std::to_string(number);
  }
  void read(EmittedKernel &kernel) const;
  std::string beginText() const;
  std::string loadText(int64_t image) const;
  std::string sumText(int64_t image) const;
  AnchorPart part(int64_t image) const;

  const WindowOperation &m_window;
  int64_t m_images = 0, m_channels = 0, m_height = 0, m_width = 0, m_together = 1;
  /// Where the vectors begin that the windows of four pixels reach into, counted from the first pixel.
  std::set<int64_t> m_vectors;
};
} // namespace

void FlatWindows::read(EmittedKernel &kernel) const {
  kernel.name = m_window.name;
  kernel.read("x_ptr", m_window.operand);
  kernel.read("w_ptr", m_window.filter);
  if (m_window.bias) {
    kernel.name += "_bias";
    kernel.read("b_ptr", m_window.bias);
  }
  for (const auto &[name, number] : {std::pair{"height", m_height},
                                     {"width", m_width},
                                     {"channels", m_channels},
                                     {"tasks", numTasks()}})
    kernel.number(name, number);
  kernel.constexprs = {{"TASKS", kFlatTasks}};
  kernel.grid = {"\"cdiv(tasks, TASKS)\""};
}

std::string FlatWindows::beginText() const {
  std::string text = "    place = tl.program_id(0) * TASKS + tl.arange(0, TASKS)\n"
                     "    task = tl.minimum(place, tasks - 1)\n";
  text += m_together == 1 ? "    # A thread has four pixels, which may go over the end of a row.\n"
                          : "    # A thread has four pixels, which may go over the end of a row, "
                            "and those of the next image.\n";
  text += "    vectors = height * width // 4\n"
          "    first = task % vectors * 4\n"
          "    channel = task // vectors % channels\n"
          "    image = task // vectors // channels" +
          (m_together == 1 ? std::string() : " * " + std::to_string(m_together)) +
          "\n"
          "    lane = tl.arange(0, 4)[None, :]\n"
          "    corner = ((image * channels + channel) * height * width + first)[:, None] + lane\n";
  for (int64_t tap = 0; tap < 9; ++tap)
    text += "    " + numbered("w", tap) + " = tl.load(w_ptr + " + plus("channel * 9", tap) + ")" +
            widen() + "\n";
  if (m_window.bias)
    text += "    bias = tl.load(b_ptr + channel)" + widen() + "\n";
  // Rows have an even number of pixels, so they begin with every other one.
  return text + "    has_left0 = first % width > 0\n"
                "    has_left2 = (first + 2) % width > 0\n"
                "    has_right1 = (first + 1) % width < width - 1\n"
                "    has_right3 = (first + 3) % width < width - 1\n";
}

std::string FlatWindows::loadText(int64_t image) const {
  std::string text;
  for (const auto &[number, at] : llvm::enumerate(m_vectors)) {
    const std::string first = plus("first", at);
    text += "    " + vector(image, number) + " = tl.load(x_ptr + " + plus(imageAt(image), at) +
            (at == 0 ? ")\n"
                     : ", mask=(" + first + (at < 0 ? " >= 0" : " < height * width") +
                           ")[:, None], other=0.0)\n");
  }
  return text;
}

std::string FlatWindows::sumText(int64_t image) const {
  std::string text;
  for (const auto &[number, at] : llvm::enumerate(m_vectors)) {
    std::vector<int64_t> columns;
    for (int64_t i = 0; i < kFlatPixels; ++i)
      columns.push_back(at + i - *m_vectors.begin());
    text +=
        splitText("tl.reshape(" + vector(image, number) + widen() + ", [TASKS, 2, 2])", columns);
  }
  std::vector<std::string> totals;
  for (int64_t i = 0; i < kFlatPixels; ++i) {
    const auto neighbor = [&](const char *side, bool isLeftOut, int64_t at) {
      return isLeftOut ? "tl.where(" + numbered(side, i) + ", " + pixel(at) + ", 0.0)" : pixel(at);
    };
    const std::string total = numbered("total", image) + "_" + std::to_string(i);
    for (int64_t row = 0; row < 3; ++row) {
      const int64_t at = i + (row - 1) * m_width;
      const std::string before = row > 0 ? total + " + " : m_window.bias ? "bias + " : "";
      text += "    " + total + " = " + before + neighbor("has_left", i % 2 == 0, at - 1) + " * " +
              numbered("w", 3 * row) + " + " + pixel(at) + " * " + numbered("w", 3 * row + 1) +
              " + " + neighbor("has_right", i % 2 == 1, at + 1) + " * " +
              numbered("w", 3 * row + 2) + "\n";
    }
    totals.push_back(total);
  }
  return text + "    " + numbered("total", image) + " = tl.reshape(" + joinedText(totals) +
         ", [TASKS, 4])\n";
}

AnchorPart FlatWindows::part(int64_t image) const {
  const std::string channel = "channel[:, None]";
  const std::string plane = "((" + plus("image", image) + ") * channels + channel)[:, None]";
  AnchorPart part;
  part.value = numbered("total", image);
  part.place = imageAt(image);
  part.mask = "(place < tasks)[:, None]";
  part.coordinates = {{1, m_height * m_width, "(first[:, None] + lane)", false, part.mask},
                      {m_height * m_width, m_images * m_channels, plane, false, part.mask},
                      {m_height * m_width, m_channels, channel, false, part.mask}};
  return part;
}

Anchor FlatWindows::emit() {
  Anchor anchor;
  anchor.result = m_window.result;
  anchor.shape = tensorType(m_window.result).getShape().vec();
  EmittedKernel &kernel = anchor.kernel;
  read(kernel);
  kernel.body = beginText() + "    # All that the windows cover, before anything waits for it.\n";
  for (int64_t image = 0; image < m_together; ++image)
    kernel.body += loadText(image);
  for (int64_t image = 0; image < m_together; ++image)
    kernel.body += sumText(image);
  kernel.templateLines = size_t(llvm::count(kernel.body, '\n'));
  kernel.numBlocks = size_t(m_together);
  static_cast<AnchorPart &>(anchor) = part(0);
  for (int64_t image = 1; image < m_together; ++image)
    anchor.others.push_back(part(image));
  return anchor;
}

std::optional<Anchor> emitFlatWindows(const WindowOperation &window) {
  const WindowView::Axis &x = window.view.x, &y = window.view.y;
  const Type element = tensorType(window.operand).getElementType();
  const auto isKept = [](const WindowView::Axis &axis) {
    return axis.window == 3 && axis.stride == 1 && axis.begin == 1 && axis.end == 1 &&
           axis.dilation == 1;
  };
  const unsigned bits = element.getIntOrFloatBitWidth();
  // One image of two-byte elements has more weights to load than pixels.
  const bool isAlone = tensorType(window.operand).getDimSize(0) % 2 != 0;
  if (!window.filter || window.isChannelsLast || window.view.hasDepth || !isKept(x) || !isKept(y) ||
      !(bits == 32 || (bits == 16 && !isAlone)) || x.extent > kLongestRow ||
      x.extent % kFlatPixels != 2 || y.extent * x.extent % kFlatPixels != 0)
    return std::nullopt;
  return FlatWindows(window).emit();
}

} // namespace tilescope::model
