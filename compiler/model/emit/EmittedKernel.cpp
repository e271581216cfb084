// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/EmittedKernel.h"

using namespace mlir;

namespace tilescope::model {

std::string tritonType(Type element) {
  if (element.isF32())
    return "fp32";
  if (element.isF16())
    return "fp16";
  if (element.isBF16())
    return "bf16";
  if (element.isF64())
    return "fp64";
  const auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() < 8)
    return integer && integer.getWidth() == 1 ? "i1" : "";
  return (integer.isUnsigned() ? "u" : "i") + std::to_string(integer.getWidth());
}

std::string tensorArgument(const std::string &name, ArrayRef<int64_t> shape, Type element,
                           const std::string &more) {
  // A tensor without axes is passed as one of one element.
  std::string extents;
  for (const int64_t extent : shape)
    extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
  return name + " = { dtype = \"" + tritonType(element) + "\", shape = [" +
         (shape.empty() ? "1" : extents) + "]" + more + " }";
}

std::string inputData(Type element, unsigned seed) {
  const std::string end = ", seed = " + std::to_string(seed);
  if (isa<FloatType>(element))
    return ", init = \"randn\"" + end;
  return std::string(", init = \"randint\", low = 0, high = ") +
         (element.isInteger(1) ? "2" : "10") + end;
}

std::string expectedData(const std::string &expression, int64_t numElements) {
  static constexpr int64_t kMostElements = 4'000'000;
  return expression.empty() || numElements > kMostElements ? ""
                                                           : ", expected = \"" + expression + "\"";
}

std::vector<int64_t> rowStrides(ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

namespace {
/// Axes of the result that an operand walks through in one stride.
struct Run {
  int64_t inner, extent, stride;
  bool isOutermost;
};
} // namespace

static std::vector<Run> runsOf(const IndexMap &map) {
  std::vector<Run> runs;
  int64_t inner = 1;
  bool isRepeated = false;
  for (size_t axis = map.extents.size(); axis-- > 0;) {
    const int64_t extent = map.extents[axis], stride = map.strides[axis];
    if (extent == 1)
      continue;
    const bool continues = !runs.empty() && !isRepeated && stride != 0 &&
                           stride == runs.back().stride * runs.back().extent;
    if (continues)
      runs.back().extent *= extent;
    else if (stride != 0)
      runs.push_back({inner, extent, stride, false});
    isRepeated = stride == 0;
    inner *= extent;
  }
  if (!runs.empty())
    runs.back().isOutermost = runs.back().inner * runs.back().extent == inner;
  return runs;
}

std::string IndexMap::text(const std::string &name, EmittedKernel &kernel) const {
  const std::vector<Run> runs = runsOf(*this);
  const auto argument = [&](const std::string &what, size_t run, int64_t value) {
    const std::string full = name + "_" + what + (runs.size() > 1 ? std::to_string(run) : "");
    kernel.parameters.push_back(full);
    kernel.arguments.push_back(full + " = " + std::to_string(value));
    return full;
  };
  std::string text;
  if (offset != 0)
    text = argument("offset", 0, offset);
  for (const auto &[i, run] : llvm::enumerate(runs)) {
    std::string term = "at";
    if (run.inner != 1)
      term += " // " + argument("inner", i, run.inner);
    if (!run.isOutermost)
      term += " % " + argument("extent", i, run.extent);
    if (run.stride != 1)
      term = (term == "at" ? term : "(" + term + ")") + " * " + argument("stride", i, run.stride);
    text += (text.empty() ? "" : " + ") + term;
  }
  return text;
}

} // namespace tilescope::model
