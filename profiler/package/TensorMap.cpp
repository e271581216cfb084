// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TensorMap.h"

#include <algorithm>
#include <charconv>

namespace tilescope::profiler {

/// In bytes, row-major.
static std::vector<int64_t> stridesOf(const std::vector<int64_t> &shape, Dtype dtype) {
  std::vector<int64_t> strides(shape.size());
  int64_t step = int64_t(dtypeSize(dtype));
  for (size_t dim = shape.size(); dim-- > 0; step *= std::max<int64_t>(shape[dim], 1))
    strides[dim] = step;
  return strides;
}

Result<TensorMap> describeTensor(const compiler::SignatureType &parameter, const PlanTensor &tensor,
                                 uint64_t address) {
  const auto refuse = [&](const std::string &what) {
    return Error{ErrorCode::InvalidInput,
                 "a tensor cannot be described for `" + toSignature(parameter) + "`: " + what, ""};
  };
  constexpr size_t kMostDimensions = 5;
  const size_t rank = parameter.shape.size();
  if (!parameter.swizzleBytes || parameter.scalar.isPointer() || rank > kMostDimensions)
    return refuse("bulk copies cannot move this block");
  const Dtype element = parameter.scalar.dtype;
  const int32_t swizzleBytes = *parameter.swizzleBytes;
  const std::vector<int64_t> &shape = parameter.extents.empty() ? tensor.shape : parameter.extents;
  if (shape.size() != rank)
    return refuse("it has " + std::to_string(shape.size()) + " dimensions");
  if (numElements(shape) > numElements(tensor.shape))
    return refuse("it has only " + std::to_string(numElements(tensor.shape)) + " elements");
  if (dtypeSize(tensor.dtype) != dtypeSize(element))
    return refuse("its elements are `" + std::string(dtypeName(tensor.dtype)) + "`");
  constexpr int64_t kBoxLimit = 256, kAlignment = 16;
  TensorMap map{tensor.dtype, address, {}, {}, {}, swizzleBytes};
  // The next block of a product lies behind this one; Triton's kernels have 128.
  if (!parameter.extents.empty())
    map.cachedBytes = 256;
  const std::vector<int64_t> strides = stridesOf(shape, tensor.dtype);
  for (size_t dim = rank; dim-- > 0;) {
    int64_t extent = std::min(parameter.shape[dim], kBoxLimit);
    if (dim + 1 == rank) {
      if (swizzleBytes > 0)
        extent = std::min(extent, swizzleBytes / int64_t(dtypeSize(element)));
    } else {
      if (strides[dim] % kAlignment != 0)
        return refuse("its rows are " + std::to_string(strides[dim]) +
                      " bytes apart, which is not a multiple of 16");
      map.strides.push_back(uint64_t(strides[dim]));
    }
    map.extents.push_back(uint64_t(shape[dim]));
    map.box.push_back(uint32_t(extent));
  }
  return map;
}

/// The dimension that a text names, all of it.
static std::optional<size_t> dimensionIn(std::string_view text) {
  size_t dim = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
  const bool isNumber = error == std::errc() && end == text.data() + text.size();
  return isNumber ? std::optional(dim) : std::nullopt;
}

std::optional<PlanScalar> extentParameter(const LaunchPlan &plan, std::string_view parameter) {
  for (const auto &[mark, isStride] : {std::pair(".shape.", false), std::pair(".stride.", true)}) {
    const size_t at = parameter.rfind(mark);
    if (at == std::string_view::npos)
      continue;
    const std::optional<size_t> dim =
        dimensionIn(parameter.substr(at + std::string_view(mark).size()));
    const PlanArgument *argument = plan.argument(parameter.substr(0, at));
    const PlanTensor *tensor = argument ? argument->tensor() : nullptr;
    if (!tensor || !dim || *dim >= tensor->shape.size())
      return std::nullopt;
    if (isStride)
      return PlanScalar{"i64", stridesOf(tensor->shape, tensor->dtype)[*dim] /
                                   int64_t(dtypeSize(tensor->dtype))};
    return PlanScalar{"i32", tensor->shape[*dim]};
  }
  return std::nullopt;
}

} // namespace tilescope::profiler
