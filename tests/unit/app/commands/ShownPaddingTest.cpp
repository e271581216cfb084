// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ShownPadding.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static profiler::Tensor tensor(profiler::Dtype dtype, const std::vector<double> &values) {
  profiler::Tensor tensor;
  tensor.dtype = dtype;
  tensor.shape = {static_cast<int64_t>(values.size())};
  tensor.data.resize(values.size() * profiler::dtypeSize(dtype));
  for (size_t i = 0; i < values.size(); ++i)
    tensor.set(static_cast<int64_t>(i), values[i]);
  return tensor;
}

TEST_CASE("elements that are nothing but `other` are padding that a kernel stores", "[app]") {
  const auto floats = [](const std::vector<double> &values) {
    return tensor(profiler::Dtype::Fp32, values);
  };
  // The last two take nothing but padding in; the third has real elements beside it.
  CHECK(showsPadding(floats({1.5, 2.5, 3.5, 0, 0}), floats({1.5, 2.5, 80.5, 77, 77})));
  // A sum takes padding in beside real elements.
  CHECK_FALSE(showsPadding(floats({1.5, 2.5, 3.5}), floats({78.5, 79.5, 80.5})));
  CHECK_FALSE(showsPadding(floats({1.5, 2.5, 0, 0}), floats({1.5, 2.5, 0, 0})));
  // Sums in another order are not another filler.
  CHECK(showsPadding(floats({1.5, 2.5, 3.5, 0, 0}), floats({1.50001, 2.49999, 80.5, 77, 77})));
  // Half of all results are 0, with padding and without.
  CHECK_FALSE(showsPadding(floats({0, 1.5, 0, 2.5, 0, 3.5, 0, 4.5}),
                           floats({0, 1.5, 0, 2.5, 77, 80.5, 77, 81.5})));
}

TEST_CASE("small integers are equal by chance", "[app]") {
  const auto integers = [](const std::vector<double> &values) {
    return tensor(profiler::Dtype::Int32, values);
  };
  CHECK_FALSE(showsPadding(integers({3, 4, 3, 5, 6}), integers({80, 81, 80, 82, 83})));
  CHECK(showsPadding(integers({3, 4, 0, 0, 0}), integers({3, 4, 77, 77, 77})));
}

TEST_CASE("another filler is another number in the same place", "[app]") {
  CHECK(withAnotherFiller(", mask=i < n, other=0.0") == ", mask=i < n, other=77.0");
  CHECK(withAnotherFiller(", other=0") == ", other=77");
  CHECK(withAnotherFiller(", other=float(\"-inf\")") == ", other=77.0");
  CHECK(withAnotherFiller(", other=float(\"inf\")") == ", other=-77.0");
  CHECK(withAnotherFiller(", mask=i < n") == std::nullopt);
  CHECK(withAnotherFiller(", other=filler") == std::nullopt);
}
