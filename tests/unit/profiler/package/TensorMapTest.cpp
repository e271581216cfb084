// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TensorMap.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;

namespace {
Result<TensorMap> described(const char *type, const PlanTensor &tensor, uint64_t address = 0) {
  return describeTensor(compiler::parseSignatureType(type).value(), tensor, address);
}

std::string refusal(const char *type, const PlanTensor &tensor) {
  const auto map = described(type, tensor);
  return map ? "" : map.error().message;
}
} // namespace

TEST_CASE("a described tensor is counted from its fastest dimension", "[package]") {
  auto map =
      described("tensordesc<fp16[128,128],swizzle=128>", {Dtype::Fp16, {1000, 512}, {}}, 4096);
  REQUIRE(map);
  CHECK(*map == TensorMap{Dtype::Fp16, 4096, {512, 1000}, {1024}, {64, 128}, 128});
}

TEST_CASE("a tensor whose extents the compiler knows may have another shape, but no fewer elements",
          "[package]") {
  const char *type = "tensordesc<fp16[64,64],swizzle=128,of=96x512>";
  auto map = described(type, {Dtype::Fp16, {1, 96, 8, 64}, {}}, 256);
  REQUIRE(map);
  TensorMap wanted{Dtype::Fp16, 256, {512, 96}, {1024}, {64, 64}, 128};
  wanted.cachedBytes = 256;
  CHECK(*map == wanted);
  CHECK(refusal(type, {Dtype::Fp16, {95, 512}, {}}).ends_with("it has only 48640 elements"));
}

TEST_CASE("boxes end at 256 elements, and at what is swizzled", "[package]") {
  auto map = described("tensordesc<fp32[2,512,8],swizzle=0>", {Dtype::Fp32, {4, 600, 8}, {}}, 0);
  REQUIRE(map);
  CHECK(map->box == std::vector<uint32_t>{8, 256, 2});
  CHECK(map->strides == std::vector<uint64_t>{32, 19200});
}

TEST_CASE("what cannot be described says why", "[package]") {
  const char *type = "tensordesc<fp16[64,64],swizzle=128>";
  CHECK(refusal(type, {Dtype::Fp16, {64}, {}}).ends_with("it has 1 dimensions"));
  CHECK(refusal(type, {Dtype::Fp32, {64, 64}, {}}).ends_with("its elements are `fp32`"));
  CHECK(refusal(type, {Dtype::Fp16, {64, 63}, {}})
            .ends_with("its rows are 126 bytes apart, which is not a multiple of 16"));
  CHECK(refusal("tensordesc<fp16[64,64]>", {Dtype::Fp16, {64, 64}, {}})
            .ends_with("bulk copies cannot move this block"));
  for (const char *other : {"i32", "fp16[64]", "tensordesc<*fp16[64],swizzle=0>",
                            "tensordesc<fp16[2,2,2,2,2,2],swizzle=0>"})
    CHECK(refusal(other, {Dtype::Fp16, {64}, {}}).ends_with("bulk copies cannot move this block"));
}

TEST_CASE("extents and strides follow from the tensor", "[package]") {
  LaunchPlan plan;
  plan.args.push_back({"a", PlanTensor{Dtype::Fp16, {6, 8}, {}}});
  plan.args.push_back({"n", PlanScalar{"i32", int64_t(3)}});
  CHECK(extentParameter(plan, "a.shape.1") == PlanScalar{"i32", int64_t(8)});
  CHECK(extentParameter(plan, "a.stride.0") == PlanScalar{"i64", int64_t(8)});
  CHECK(extentParameter(plan, "a.stride.1") == PlanScalar{"i64", int64_t(1)});
  for (const char *none : {"a", "a.shape.2", "a.shape.x", "n.shape.0", "b.shape.0", "a.shape.1x"})
    CHECK_FALSE(extentParameter(plan, none));
}
