// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/WindowVectors.h"

#include "compiler/model/emit/LaneText.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

/// Threads of a program.
static constexpr int64_t kTasks = 128;
static constexpr int64_t kBytesOfVector = 16;
/// With channels last, on an H200: more of them take more registers than the loads that they save.
static constexpr int64_t kChannelsOfVector = 2;
/// All that is loaded is in registers at once: with fewer, loads would wait for each other.
static constexpr int64_t kRegisters = 128, kRegistersOfStrided = 64;

static std::string ofTwo(const std::string &name, int64_t row, int64_t column) {
  return numbered(name, row) + "_" + std::to_string(column);
}

static std::string both(const std::vector<std::string> &conditions) {
  std::string text;
  for (const std::string &each : conditions)
    text += (text.empty() ? "" : " & ") + each;
  return text;
}

namespace {
/// What a thread has: rows below each other, and results beside each other. Those are made of the pixels of a vector or, with
/// channels last, are a vector each.
struct Share {
  int64_t vector, rows, across;
};

class Vectors {
public:
  Vectors(const WindowOperation &window, Share share) : m_window(window), m_share(share) {
    const ArrayRef<int64_t> shape = tensorType(window.result).getShape();
    m_channels = isLast() ? shape.back() : shape[1];
    m_images = shape.front();
    m_lines = llvm::divideCeil(view().y.result, share.rows);
  }

  Anchor emit();

private:
  const WindowView &view() const { return m_window.view; }
  bool isLast() const { return m_window.isChannelsLast; }
  bool isLargest() const { return !m_window.filter; }
  Type element() const { return tensorType(m_window.operand).getElementType(); }
  std::string widen() const { return toCombinedType(element()).empty() ? "" : ".to(tl.float32)"; }
  /// What a number for each thread is to its elements.
  static std::string ofThread(const std::string &number) {
    return (number.find(' ') == std::string::npos ? number : "(" + number + ")") + "[:, None]";
  }
  int64_t numTasks() const {
    const int64_t planes =
        isLast() ? m_images * (m_channels / m_share.vector) : m_images * m_channels;
    return planes * m_lines * (view().x.result / m_share.across);
  }
  int64_t numRows() const { return (m_share.rows - 1) * view().y.stride + view().y.window; }
  int64_t numColumns() const { return (m_share.across - 1) * view().x.stride + view().x.window; }
  /// Whether it is one of the vector's pixels.
  bool isInVector(int64_t column) const {
    return !isLast() && column >= view().x.begin && column < view().x.begin + m_share.vector;
  }
  bool isStrided() const { return view().x.stride != 1; }
  /// The pixel of the image that a thread's vector begins with.
  std::string firstPixel() const { return isStrided() ? "pixel" : "right"; }
  /// Where the results of a thread are in their row.
  std::string outLane() const { return isStrided() ? "out_lane" : "lane"; }
  /// Which row of the window of result `row` a row of the image is; nothing: it is outside.
  std::optional<int64_t> tapOf(int64_t ofImage, int64_t row) const {
    const int64_t tap = ofImage - row * view().y.stride;
    return tap >= 0 && tap < view().y.window ? std::optional(tap) : std::nullopt;
  }
  void read(EmittedKernel &kernel) const;
  std::string tasksText() const;
  std::string weightsText() const;
  std::string rowConditions() const;
  std::string rowCondition(int64_t row) const;
  std::string columnCondition(int64_t column) const;
  std::string loadText(int64_t row) const;
  std::string unpackText(int64_t row) const;
  std::string sumText(int64_t row) const;
  AnchorPart part(int64_t row, int64_t across) const;

  const WindowOperation &m_window;
  Share m_share;
  int64_t m_channels = 0, m_images = 0;
  /// Of rows of an image's threads.
  int64_t m_lines = 0;
};
} // namespace

void Vectors::read(EmittedKernel &kernel) const {
  kernel.name = m_window.name;
  kernel.read("x_ptr", m_window.operand);
  if (m_window.filter)
    kernel.read("w_ptr", m_window.filter);
  if (m_window.bias) {
    kernel.name += "_bias";
    kernel.read("b_ptr", m_window.bias);
  }
  for (const auto &[name, number] : {std::pair{"height", view().y.extent},
                                     {"width", view().x.extent},
                                     {"out_height", view().y.result},
                                     {"out_width", view().x.result},
                                     {"stride_y", view().y.stride},
                                     {"pad_y", view().y.begin},
                                     {"channels", m_channels},
                                     {"tasks", numTasks()}})
    kernel.number(name, number);
  kernel.constexprs = {{"TASKS", kTasks}};
  kernel.options = {{"maxnreg", isStrided() ? kRegistersOfStrided : kRegisters}};
  kernel.grid = {"\"cdiv(tasks, TASKS)\""};
}

/// What each thread has to do, and the first element that its first window covers, or begins beside.
std::string Vectors::tasksText() const {
  const std::string rows = std::to_string(m_share.rows), across = std::to_string(m_share.across);
  const std::string vector = std::to_string(m_share.vector);
  const std::string begin = "    place = tl.program_id(0) * TASKS + tl.arange(0, TASKS)\n"
                            "    task = tl.minimum(place, tasks - 1)\n"
                            "    # A thread has " +
                            rows + " rows of " + across +
                            " pixels.\n"
                            "    strips = tl.cdiv(out_height, " +
                            rows + ")\n    columns = out_width // " + across + "\n";
  if (!isLast())
    return begin + "    right = task % columns * " + across +
           "\n"
           "    down = task // columns % strips * " +
           rows +
           "\n"
           "    plane = task // columns // strips\n"
           "    channel = plane % channels\n"
           "    top = down * stride_y - pad_y\n" +
           (isStrided() ? "    pixel = right * " + std::to_string(view().x.stride) + "\n" : "") +
           "    corner = (plane * height + top) * width + " + firstPixel() +
           "\n"
           "    lane = tl.arange(0, " +
           vector + ")[None, :]\n" +
           (isStrided() ? "    out_lane = tl.arange(0, " + across + ")[None, :]\n" : "");
  return begin + "    vectors = channels // " + vector +
         "\n"
         "    channel = (task % vectors * " +
         vector + ")[:, None] + tl.arange(0, " + vector +
         ")[None, :]\n"
         "    right = task // vectors % columns * " +
         across +
         "\n"
         "    down = task // vectors // columns % strips * " +
         rows +
         "\n"
         "    image = task // vectors // columns // strips\n"
         "    top = down * stride_y - pad_y\n"
         "    corner = (((image * height + top) * width + right) * channels)[:, None] + channel\n";
}

std::string Vectors::weightsText() const {
  std::string text;
  for (int64_t tap = 0; tap < (isLargest() ? 0 : view().taps()); ++tap)
    text += "    " + numbered("w", tap) + " = tl.load(w_ptr + " +
            (isLast() ? std::to_string(tap) + " * channels + channel"
                      : plus("channel * " + std::to_string(view().taps()), tap)) +
            ")" + widen() + "\n";
  if (m_window.bias)
    text += "    bias = tl.load(b_ptr + channel)" + widen() + "\n";
  return text;
}

/// Which threads have a row of the image; empty: all.
std::string Vectors::rowCondition(int64_t row) const {
  const int64_t last = (m_lines - 1) * m_share.rows * view().y.stride - view().y.begin;
  std::vector<std::string> conditions;
  if (row < view().y.begin)
    conditions.push_back("(" + plus("top", row) + " >= 0)");
  if (last + row >= view().y.extent)
    conditions.push_back("(" + plus("top", row) + " < height)");
  return both(conditions);
}

/// The same of a column.
std::string Vectors::columnCondition(int64_t column) const {
  const int64_t at = column - view().x.begin;
  std::vector<std::string> conditions;
  if (at < 0)
    conditions.push_back("(" + plus(firstPixel(), at) + " >= 0)");
  if ((view().x.result - m_share.across) * view().x.stride + at >= view().x.extent)
    conditions.push_back("(" + plus(firstPixel(), at) + " < width)");
  return both(conditions);
}

std::string Vectors::rowConditions() const {
  std::string text;
  for (int64_t row = 0; row < numRows(); ++row)
    if (const std::string condition = rowCondition(row); !condition.empty())
      text += "    " + numbered("has_row", row) + " = " + condition + "\n";
  for (int64_t column = 0; column < numColumns(); ++column)
    if (const std::string condition = columnCondition(column);
        !isInVector(column) && !condition.empty())
      text += "    " + numbered("has_column", column) + " = " + condition + "\n";
  return text;
}

/// Loads a row of the image, as it lies in memory.
std::string Vectors::loadText(int64_t row) const {
  const std::string other = isLargest() ? neutralText(tm::ReduceKind::Max, element()) : "0.0";
  const auto masked = [&](int64_t column, bool isVector) {
    std::vector<std::string> conditions;
    if (!rowCondition(row).empty())
      conditions.push_back(numbered("has_row", row));
    if (!isInVector(column) && !columnCondition(column).empty())
      conditions.push_back(numbered("has_column", column));
    const std::string mask = both(conditions);
    return mask.empty()
               ? ")\n"
               : ", mask=" + (isVector ? ofThread(mask) : mask) + ", other=" + other + ")\n";
  };
  const std::string line = std::to_string(row) + " * width";
  std::string text;
  for (int64_t column = 0; column < numColumns(); ++column) {
    const std::string name = ofTwo("row", row, column);
    const std::string at = plus(line, column - view().x.begin);
    if (isLast())
      text += "    " + name + " = tl.load(x_ptr + corner + (" + at + ") * channels" +
              masked(column, true);
    else if (!isInVector(column))
      text += "    " + name + " = tl.load(x_ptr + corner + " + at + masked(column, false);
    else if (column == view().x.begin)
      text += "    " + name + " = tl.load(x_ptr + " + ofThread("corner + " + line) + " + lane" +
              masked(column, true);
  }
  return text;
}

/// The elements of a row's columns.
std::string Vectors::unpackText(int64_t row) const {
  std::string text;
  std::vector<int64_t> ofVector;
  for (int64_t column = 0; column < numColumns(); ++column) {
    const std::string name = ofTwo("row", row, column);
    if (isInVector(column))
      ofVector.push_back(column);
    else
      text += "    " + numbered("x", column) + " = " + name + widen() + "\n";
  }
  if (ofVector.empty())
    return text;
  std::string shape = "[TASKS";
  for (int64_t half = m_share.vector; half > 1; half /= 2)
    shape += ", 2";
  const std::string vector = ofTwo("row", row, ofVector.front()) + widen();
  return text + splitText("tl.reshape(" + vector + ", " + shape + "])", ofVector);
}

/// Adds a row of the image to each result whose window it is in.
std::string Vectors::sumText(int64_t ofImage) const {
  std::string text;
  for (int64_t row = 0; row < m_share.rows; ++row) {
    const auto tap = tapOf(ofImage, row);
    if (!tap)
      continue;
    for (int64_t i = 0; i < m_share.across; ++i) {
      const std::string total = ofTwo("total", row, i);
      std::string sum = *tap > 0 ? total : m_window.bias ? "bias" : "";
      for (int64_t j = 0; j < view().x.window; ++j) {
        const std::string x = numbered("x", i * view().x.stride + j);
        const std::string term =
            isLargest() ? x : x + " * " + numbered("w", *tap * view().x.window + j);
        sum = sum.empty()   ? term
              : isLargest() ? "tl.maximum(" + sum + ", " + term + ")"
                            : sum + " + " + term;
      }
      text += "    " + total + " = " + sum + "\n";
    }
  }
  return text;
}

AnchorPart Vectors::part(int64_t row, int64_t across) const {
  const int64_t height = view().y.result, width = view().x.result;
  const std::string down = plus("down", row);
  const bool isWhole = height % m_share.rows == 0;
  AnchorPart part;
  part.mask = ofThread(isWhole ? "place < tasks" : "(place < tasks) & (" + down + " < out_height)");
  if (isLast()) {
    const std::string pixel =
        "(image * out_height + " + down + ") * out_width + " + plus("right", across);
    part.value = ofTwo("total", row, across);
    part.place = ofThread("(" + pixel + ") * channels") + " + channel";
    part.coordinates = {{1, m_channels, "channel", false, part.mask},
                        {m_channels, m_images * height * width, ofThread(pixel), false, part.mask}};
    return part;
  }
  part.value = numbered("total", row);
  const std::string lane = " + " + outLane();
  part.place = ofThread("(plane * out_height + " + down + ") * out_width + right") + lane;
  part.coordinates = {{1, width, "(" + ofThread("right") + lane + ")", false, part.mask},
                      {width, height, ofThread(down), false, part.mask},
                      {1, width * height,
                       "(" + ofThread("(" + down + ") * out_width + right") + lane + ")", false,
                       part.mask},
                      {width * height, m_images * m_channels, ofThread("plane"), false, part.mask},
                      {width * height, m_channels, ofThread("channel"), false, part.mask}};
  return part;
}

Anchor Vectors::emit() {
  Anchor anchor;
  anchor.result = m_window.result;
  anchor.shape = tensorType(m_window.result).getShape().vec();
  EmittedKernel &kernel = anchor.kernel;
  read(kernel);
  std::string loads, sums;
  for (int64_t row = 0; row < numRows(); ++row) {
    loads += loadText(row);
    sums += unpackText(row) + sumText(row);
  }
  kernel.body = tasksText() + weightsText() + rowConditions() +
                "    # All that the windows cover, before anything waits for it.\n" + loads + sums;
  std::vector<AnchorPart> parts;
  for (int64_t row = 0; row < m_share.rows; ++row) {
    std::vector<std::string> names;
    for (int64_t i = 0; i < m_share.across; ++i) {
      names.push_back(ofTwo("total", row, i));
      if (isLast())
        parts.push_back(part(row, i));
    }
    if (isLast())
      continue;
    kernel.body += "    " + numbered("total", row) + " = tl.reshape(" + joinedText(names) +
                   ", [TASKS, " + std::to_string(m_share.across) + "])\n";
    parts.push_back(part(row, 0));
  }
  kernel.templateLines = size_t(llvm::count(kernel.body, '\n'));
  kernel.numBlocks = parts.size();
  static_cast<AnchorPart &>(anchor) = parts.front();
  anchor.others.assign(parts.begin() + 1, parts.end());
  return anchor;
}

/// The first of these that divides an extent; 0: none does.
static int64_t divisorOf(int64_t extent, ArrayRef<int64_t> candidates) {
  const auto *const found =
      llvm::find_if(candidates, [&](int64_t each) { return extent % each == 0; });
  return found == candidates.end() ? 0 : *found;
}

/// Rows of results that a thread has. Where nothing divides their number, the last ones of some threads are none.
static int64_t rowsOfThread(const WindowOperation &window) {
  // With strides, rows of the image serve fewer results. Else the more rows there are, the more results the two beside them
  // serve.
  const bool isStrided = window.view.x.stride != 1;
  const int64_t rows = isStrided ? divisorOf(window.view.y.result, {2, 3, 5, 7})
                                 : divisorOf(window.view.y.result, {7, 4, 5, 3});
  return rows != 0 ? rows : isStrided ? 2 : 4;
}

std::optional<Anchor> emitWindowVectors(const WindowOperation &window) {
  static constexpr int64_t kMostTaps = 9, kMostPixels = 8;
  const WindowView::Axis &x = window.view.x, &y = window.view.y;
  const unsigned bits = tensorType(window.operand).getElementTypeBitWidth();
  if (x.dilation != 1 || y.dilation != 1 || y.stride > y.window || x.result * x.stride > x.extent ||
      x.begin < 0 || x.begin > x.window - x.stride || window.view.taps() > kMostTaps || bits < 16)
    return std::nullopt;
  Share share{0, rowsOfThread(window), 0};
  if (window.isChannelsLast) {
    share.vector = kChannelsOfVector;
    share.across = divisorOf(x.result, {4, 7, 5, 3, 2});
    if (x.stride != 1 || share.across == 0 ||
        tensorType(window.result).getShape().back() % share.vector != 0)
      return std::nullopt;
    return Vectors(window, share).emit();
  }
  for (share.vector = std::min(kMostPixels, kBytesOfVector * 8 / int64_t(bits));
       share.vector > 1 &&
       (x.extent % share.vector != 0 || x.result * x.stride % share.vector != 0);)
    share.vector /= 2;
  share.across = share.vector / x.stride;
  if (share.vector == 1 || share.across * x.stride != share.vector ||
      (x.stride > 1 && share.across < 2))
    return std::nullopt;
  return Vectors(window, share).emit();
}

} // namespace tilescope::model
