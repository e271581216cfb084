// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TensorMap.h"

#include <algorithm>
#include <charconv>

namespace tilescope::profiler {

static constexpr std::string_view kPrefix = "tensordesc<";

bool isTensorMapType(std::string_view parameterType) { return parameterType.starts_with(kPrefix); }

namespace {
/// `tensordesc<fp16[128,64],swizzle=128>`, taken apart.
struct DescribedBlock {
  Dtype dtype = Dtype::Fp32;
  std::vector<int64_t> shape;
  int32_t swizzleBytes = 0;
};
} // namespace

static std::optional<int64_t> takeNumber(std::string_view &text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(size_t(end - text.data()));
  return number;
}

static bool take(std::string_view &text, std::string_view part) {
  if (!text.starts_with(part))
    return false;
  text.remove_prefix(part.size());
  return true;
}

static std::optional<DescribedBlock> parseBlock(std::string_view text) {
  DescribedBlock block;
  if (!take(text, kPrefix))
    return std::nullopt;
  const std::string_view name = text.substr(0, text.find('['));
  const std::optional<Dtype> dtype = parseDtype(name);
  if (!dtype || name.size() == text.size())
    return std::nullopt;
  block.dtype = *dtype;
  text.remove_prefix(name.size() + 1);
  do {
    const std::optional<int64_t> extent = takeNumber(text);
    if (!extent || *extent < 1)
      return std::nullopt;
    block.shape.push_back(*extent);
    if (block.shape.size() > 5)
      return std::nullopt;
  } while (take(text, ","));
  if (!take(text, "],swizzle="))
    return std::nullopt;
  const std::optional<int64_t> swizzle = takeNumber(text);
  const bool isSwizzle =
      swizzle && (*swizzle == 0 || *swizzle == 32 || *swizzle == 64 || *swizzle == 128);
  if (!isSwizzle || text != ">")
    return std::nullopt;
  block.swizzleBytes = int32_t(*swizzle);
  return block;
}

/// In bytes, row-major.
static std::vector<int64_t> stridesOf(const PlanTensor &tensor) {
  std::vector<int64_t> strides(tensor.shape.size());
  int64_t step = int64_t(dtypeSize(tensor.dtype));
  for (size_t dim = tensor.shape.size(); dim-- > 0; step *= std::max<int64_t>(tensor.shape[dim], 1))
    strides[dim] = step;
  return strides;
}

Result<TensorMap> describeTensor(std::string_view parameterType, const PlanTensor &tensor,
                                 uint64_t address) {
  const auto refuse = [&](const std::string &what) {
    return Error{ErrorCode::InvalidInput,
                 "a tensor cannot be described for `" + std::string(parameterType) + "`: " + what,
                 ""};
  };
  const std::optional<DescribedBlock> block = parseBlock(parameterType);
  if (!block)
    return refuse("bulk copies cannot move this block");
  const size_t rank = block->shape.size();
  if (tensor.shape.size() != rank)
    return refuse("it has " + std::to_string(tensor.shape.size()) + " dimensions");
  if (dtypeSize(tensor.dtype) != dtypeSize(block->dtype))
    return refuse("its elements are `" + std::string(dtypeName(tensor.dtype)) + "`");
  constexpr int64_t kBoxLimit = 256, kAlignment = 16;
  TensorMap map{tensor.dtype, address, {}, {}, {}, block->swizzleBytes};
  const std::vector<int64_t> strides = stridesOf(tensor);
  for (size_t dim = rank; dim-- > 0;) {
    int64_t extent = std::min(block->shape[dim], kBoxLimit);
    if (dim + 1 == rank) {
      if (block->swizzleBytes > 0)
        extent = std::min(extent, block->swizzleBytes / int64_t(dtypeSize(block->dtype)));
    } else {
      if (strides[dim] % kAlignment != 0)
        return refuse("its rows are " + std::to_string(strides[dim]) +
                      " bytes apart, which is not a multiple of 16");
      map.strides.push_back(uint64_t(strides[dim]));
    }
    map.extents.push_back(uint64_t(tensor.shape[dim]));
    map.box.push_back(uint32_t(extent));
  }
  return map;
}

std::optional<PlanScalar> extentParameter(const LaunchPlan &plan, std::string_view parameter) {
  for (const auto &[mark, isStride] : {std::pair(".shape.", false), std::pair(".stride.", true)}) {
    const size_t at = parameter.rfind(mark);
    if (at == std::string_view::npos)
      continue;
    std::string_view rest = parameter.substr(at + std::string_view(mark).size());
    const std::optional<int64_t> dim = takeNumber(rest);
    const PlanArgument *argument = plan.argument(parameter.substr(0, at));
    const PlanTensor *tensor = argument ? argument->tensor() : nullptr;
    if (!tensor || !dim || *dim < 0 || size_t(*dim) >= tensor->shape.size() || !rest.empty())
      return std::nullopt;
    if (isStride)
      return PlanScalar{"i64", stridesOf(*tensor)[*dim] / int64_t(dtypeSize(tensor->dtype))};
    return PlanScalar{"i32", tensor->shape[*dim]};
  }
  return std::nullopt;
}

} // namespace tilescope::profiler
