// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/EmittedKernel.h"

#include "compiler/dialects/tm/ir/Extents.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

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
  if (isa<Float8E4M3FNType>(element))
    return "fp8e4nv";
  if (isa<Float8E5M2Type>(element))
    return "fp8e5";
  const auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() < 8)
    return integer && integer.getWidth() == 1 ? "i1" : "";
  return (integer.isUnsigned() ? "u" : "i") + std::to_string(integer.getWidth());
}

RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

bool isSmallReal(Type element) { return element.isF32() || element.isF16() || element.isBF16(); }

bool isComputedReal(Type element) { return isSmallReal(element) || element.isF64(); }

std::string combinedType(Type element) {
  return isa<FloatType>(element) ? (element.isF64() ? "tl.float64" : "tl.float32") : "tl.int64";
}

std::string dotOptions(Type element) {
  return std::string("input_precision=\"ieee\"") +
         (element.isF64() ? ", out_dtype=tl.float64" : "");
}

std::string toCombinedType(Type element) {
  const bool isSame = element.isF32() || element.isF64();
  return isSame ? "" : ".to(" + combinedType(element) + ")";
}

std::string widened(Value value) {
  const Type element = getElementTypeOrSelf(value);
  auto real = dyn_cast<FloatType>(element);
  return real && real.getWidth() < 32 ? ".to(tl.float32)" : "";
}

std::string neutralText(tm::ReduceKind kind, Type element) {
  if (kind == tm::ReduceKind::Prod)
    return isa<FloatType>(element) ? "1.0" : "1";
  if (kind != tm::ReduceKind::Max && kind != tm::ReduceKind::Min)
    return isa<FloatType>(element) ? "0.0" : "0";
  const bool isMax = kind == tm::ReduceKind::Max;
  if (isa<FloatType>(element))
    return isMax ? "float(\"-inf\")" : "float(\"inf\")";
  auto integer = cast<IntegerType>(element);
  const unsigned width = integer.getWidth();
  const APInt bound =
      integer.isUnsigned()
          ? (isMax ? APInt::getMinValue(width) : APInt::getMaxValue(width))
          : (isMax ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
  llvm::SmallString<24> text;
  bound.toString(text, 10, !integer.isUnsigned());
  return text.str().str();
}

std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

int64_t blockFor(int64_t elements, int64_t most) {
  return std::min(most, int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(elements, 1)))));
}

/// A tensor without axes is passed as one of one element.
static std::vector<int64_t> withAxes(std::vector<int64_t> shape) {
  return shape.empty() ? std::vector<int64_t>{1} : shape;
}

void EmittedKernel::read(const std::string &tensor, Value value) {
  read(tensor, value, tensorType(value).getShape().vec());
}

void EmittedKernel::read(const std::string &tensor, Value value, std::vector<int64_t> shape) {
  tensors.push_back({tensor, value, withAxes(std::move(shape))});
}

void EmittedKernel::write(const std::string &tensor, Value value, std::vector<int64_t> shape,
                          const std::string &expected) {
  /// More are not worked out element by element.
  static constexpr int64_t kMostElements = 4'000'000;
  const bool isSmall = tensorType(value).getNumElements() <= kMostElements;
  tensors.push_back({tensor, value, withAxes(std::move(shape)), isSmall ? expected : "", true});
}

void EmittedKernel::number(const std::string &parameter, int64_t value) {
  // Blocks of a program have the same ones.
  if (llvm::any_of(numbers, [&](const auto &each) { return each.first == parameter; }))
    return;
  numbers.emplace_back(parameter, std::to_string(value));
}

void EmittedKernel::walkElements(int64_t elements) {
  number("n", elements);
  constexprs = {{"BLOCK", 1024}};
  grid = {"\"cdiv(n, BLOCK)\""};
}

uint64_t bytesMoved(const EmittedKernel &kernel) {
  uint64_t bytes = 0;
  llvm::SmallDenseSet<Value> counted;
  for (const EmittedTensor &tensor : kernel.tensors)
    if (counted.insert(tensor.value).second)
      bytes += tm::bytesOf(tensorType(tensor.value)).value_or(0);
  return bytes;
}

size_t numLines(const EmittedKernel &kernel) {
  return (size_t(llvm::count(kernel.body, '\n')) - kernel.templateLines) / kernel.numBlocks;
}

std::optional<AxisView> viewAround(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  AxisView view;
  if (axes.empty())
    return std::nullopt;
  const int64_t first = *llvm::min_element(axes), last = *llvm::max_element(axes);
  if (last - first + 1 != int64_t(axes.size()))
    return std::nullopt;
  for (const auto &[axis, extent] : llvm::enumerate(shape))
    (int64_t(axis) < first  ? view.outer
     : int64_t(axis) > last ? view.inner
                            : view.extent) *= extent;
  return view;
}

std::vector<int64_t> rowStrides(ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

std::vector<Run> IndexMap::runs() const {
  std::vector<Run> runs;
  int64_t inner = 1;
  bool isRepeated = false;
  for (size_t axis = extents.size(); axis-- > 0;) {
    const int64_t extent = extents[axis], stride = strides[axis];
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

bool IndexMap::isIdentity() const {
  const int64_t elements = llvm::product_of(extents);
  const std::vector<Run> walk = runs();
  return offset == 0 &&
         (elements == 1 || (walk.size() == 1 && walk.front() == Run{1, elements, 1, true}));
}

/// `at // b_inner % b_extent`, or what the kernel has for it.
static std::string placeText(const Run &run, const std::string &at,
                             ArrayRef<Coordinate> coordinates,
                             const std::function<std::string(const char *, int64_t)> &argument) {
  for (const Coordinate &known : coordinates)
    if (known.inner == run.inner && known.extent == run.extent)
      return known.text;
  const bool isAt = run.inner == 1 && run.isOutermost;
  std::string term = isAt || at.find(' ') == std::string::npos ? at : "(" + at + ")";
  if (run.inner != 1)
    term += " // " + argument("inner", run.inner);
  if (!run.isOutermost)
    term += " % " + argument("extent", run.extent);
  return term;
}

bool IndexMap::isOne(ArrayRef<Coordinate> coordinates) const {
  return llvm::all_of(runs(), [&](const Run &run) {
    return llvm::any_of(coordinates, [&](const Coordinate &each) {
      return each.isOne && each.inner == run.inner && each.extent == run.extent;
    });
  });
}

std::string IndexMap::mask(ArrayRef<Coordinate> coordinates) const {
  std::string mask;
  for (const Run &run : runs()) {
    const auto *const known = llvm::find_if(coordinates, [&](const Coordinate &each) {
      return each.inner == run.inner && each.extent == run.extent;
    });
    if (known == coordinates.end() || (!known->isOne && !mask.empty() && known->mask != mask))
      return "";
    if (!known->isOne && known->mask.empty())
      return "";
    if (!known->isOne)
      mask = known->mask;
  }
  return mask;
}

std::string IndexMap::text(const std::string &name, EmittedKernel &kernel, const std::string &at,
                           ArrayRef<Coordinate> coordinates) const {
  const std::vector<Run> walk = runs();
  std::string text;
  size_t number = 0;
  const auto argument = [&](const char *what, int64_t value) {
    const std::string full =
        name + "_" + what + (walk.size() > 1 ? std::to_string(number) : std::string());
    kernel.number(full, value);
    return full;
  };
  if (offset != 0)
    text = argument("offset", offset);
  for (const Run &run : walk) {
    std::string term = placeText(run, at, coordinates, argument);
    if (run.stride != 1)
      term = (term.find(' ') == std::string::npos ? term : "(" + term + ")") + " * " +
             argument("stride", run.stride);
    text += (text.empty() ? "" : " + ") + term;
    ++number;
  }
  return text;
}

} // namespace tilescope::model
