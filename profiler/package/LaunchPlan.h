// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Tensor.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilescope::profiler {

/// A number passed by value. Integers beyond int64 are `uint64_t`.
using ScalarValue = std::variant<bool, int64_t, uint64_t, double>;

/// An argument passed by value.
struct PlanScalar {
  /// Triton's notation without hints: `i32`, `i64`, `u64`, `fp32`, `u1`, ….
  std::string type;
  ScalarValue value = int64_t(0);
  bool operator==(const PlanScalar &) const = default;
};

/// A pointer argument: a tensor is allocated, filled and passed by address.
struct PlanTensor {
  Dtype dtype = Dtype::Fp32;
  std::vector<int64_t> shape;
  TensorInit init;
  /// The shape is a guess that the user has not confirmed.
  bool isGuess = false;
  /// What it should hold after the run, as the block states it: an expression over the inputs, or a
  /// `.npy` file. Empty: not stated.
  std::string expected = {};
  /// How far elements may be from what is expected: `absolute + relative * |expected|`. Absent:
  /// chosen for the element type.
  std::optional<double> relativeTolerance = {};
  std::optional<double> absoluteTolerance = {};
  bool operator==(const PlanTensor &) const = default;
};

struct PlanArgument {
  std::string name;
  std::variant<PlanScalar, PlanTensor> value;
  bool operator==(const PlanArgument &) const = default;

  const PlanTensor *tensor() const { return std::get_if<PlanTensor>(&value); }
  const PlanScalar *scalar() const { return std::get_if<PlanScalar>(&value); }
};

/// A launch with every expression evaluated: concrete numbers only.
struct LaunchPlan {
  /// Name of the block; may be empty.
  std::string name;
  std::string kernel;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// The grid is a guess that the user has not confirmed.
  bool isGridGuess = false;
  /// In the block's order; a kernel's parameters are looked up by name.
  std::vector<PlanArgument> args;
  /// Name -> value in the kernel language (`1024`, `"relu"`, `tl.float16`, `None`). Arguments whose
  /// value is `None` are listed here: they are compile-time values.
  std::map<std::string, std::string> constexprs;
  /// `num_warps`, … -> literal.
  std::map<std::string, std::string> options;
  /// The sizes used, name -> value.
  std::map<std::string, std::string> sizes;
  /// What the launch moves and computes, as the block states it.
  std::optional<double> bytes;
  std::optional<double> flops;
  /// Size -> values to try, as expressions for overrides.
  std::map<std::string, std::vector<std::string>> sweep;
  bool operator==(const LaunchPlan &) const = default;

  const PlanArgument *argument(std::string_view argName) const;
};

std::string launchPlanToJson(const LaunchPlan &plan);
Result<LaunchPlan> launchPlanFromJson(std::string_view json);

/// Triton's notation for what the arguments are, as a specialization takes it: `*fp32:16`,
/// `i32:16`, `i32:1`, `i32`, `fp32`, `u1`, by name. Tensors are allocated at multiples of 256
/// bytes.
std::map<std::string, std::string> launchSignature(const LaunchPlan &plan);

} // namespace tilescope::profiler
