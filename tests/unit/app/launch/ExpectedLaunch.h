// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/ExpectedResult.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/data/Element.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

namespace tilescope::app {

using profiler::Dtype;
using profiler::OutputComparison;
using profiler::PlanArgument;
using profiler::PlanTensor;
using profiler::Tensor;
using profiler::TensorInit;
using Shape = std::vector<int64_t>;

inline constexpr uint64_t kSeeds[] = {0, 100, 200, 300};

/// A launch with normal inputs, and what a kernel makes of them.
class Launch {
public:
  Launch(Dtype dtype, const Shape &shape, const char *expected, uint64_t seed = 0) : m_seed(seed) {
    m_plan.args = {{"y", PlanTensor{dtype, shape, {}, false, expected}}};
  }

  /// Adds an input.
  const Tensor &input(const char *name, Dtype dtype, const Shape &shape, double scale = 1) {
    const TensorInit init{
        .kind = TensorInit::Kind::Randn, .seed = m_seed + m_plan.args.size(), .scale = scale};
    return add(name, dtype, shape, init);
  }

  /// The same of all integers of 8 bits.
  const Tensor &bytes(const char *name, const Shape &shape) {
    const TensorInit init{.kind = TensorInit::Kind::Randint,
                          .seed = m_seed + m_plan.args.size(),
                          .low = -128,
                          .high = 128};
    return add(name, Dtype::Int8, shape, init);
  }

  /// What the kernel rounds on the way.
  compiler::RoundingFacts &roundings() { return m_roundings; }

  /// `value`: what the kernel writes at a flat index.
  OutputComparison compared(const std::function<double(int64_t)> &value) const {
    Tensor actual = expected().values;
    for (int64_t i = 0; i < actual.numElements(); ++i)
      actual.set(i, value(i));
    return profiler::compareTensors(actual, expected().values, options());
  }

private:
  const Tensor &add(const char *name, Dtype dtype, const Shape &shape, const TensorInit &init) {
    m_plan.args.push_back({name, PlanTensor{dtype, shape, init, false, ""}});
    m_inputs.push_back(std::make_unique<Tensor>(profiler::makeTensor(dtype, shape, init)));
    return *m_inputs.back();
  }

  const Expectation &expected() const {
    if (m_expected)
      return *m_expected;
    ExpectedSources sources{m_plan, "/tmp/kernel.py", ""};
    sources.roundings = {m_roundings};
    Result<Expectation> made = expectationOf(m_plan.args.front(), sources);
    REQUIRE(made);
    return m_expected.emplace(std::move(*made));
  }

  profiler::ComparisonOptions options() const {
    profiler::ComparisonOptions options;
    options.terms = &expected().terms;
    return options;
  }

  uint64_t m_seed;
  compiler::RoundingFacts m_roundings{"y", {}, {}, {}, {}};
  mutable std::optional<Expectation> m_expected;
  profiler::LaunchPlan m_plan;
  std::vector<std::unique_ptr<Tensor>> m_inputs;
};

inline constexpr compiler::Precision kFp16{0x1p-10, 0x1p-14, false};
inline constexpr compiler::Precision kBf16{0x1p-7, 0x1p-126, false};

/// As a type holds a number.
inline double held(Dtype dtype, double value) {
  std::array<std::byte, 8> bits{};
  profiler::writeElement(dtype, value, bits.data());
  return profiler::readElement(dtype, bits.data());
}

/// As single precision has it.
inline float f(double value) { return static_cast<float>(value); }

} // namespace tilescope::app
