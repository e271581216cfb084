// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/ModelPackage.h"

/// A model of four steps on vectors of four floats, whose arena is smaller than what they write.
namespace tilescope::profiler::test {

struct VectorArgument {
  std::string name;
  size_t buffer = 0;
  bool isWritten = false;
};

inline ModelStep vectorStep(const std::string &node, const std::string &symbol,
                            const std::vector<VectorArgument> &arguments) {
  ModelStep step;
  step.node = node;
  step.kernel.symbol = symbol;
  step.kernel.target = "cuda:90";
  step.kernel.plan.kernel = symbol;
  step.kernel.cubin = "code of " + symbol;
  for (const VectorArgument &argument : arguments) {
    step.kernel.parameters.push_back({argument.name, "*fp32"});
    step.kernel.plan.args.push_back({argument.name, PlanTensor{Dtype::Fp32, {4}, {}}});
    step.tensors.push_back({argument.name, argument.buffer, argument.isWritten});
  }
  return step;
}

/// The bytes of floats.
inline std::string floatBytes(const std::vector<float> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)};
}

/// a = x + w, b = x + x, y = a + b, z = b + b, with z in the place of a.
inline ModelPackage smallModelPackage() {
  ModelPackage package;
  package.model = "small.onnx";
  package.target = "cuda:90";
  package.memoryBytes = 5 * 256;
  package.buffers = {{0, 16, ""},
                     {256, 16, ""},
                     {512, 16, ""},
                     {0, 16, ""},
                     {768, 16, floatBytes({1, 2, 3, 4})},
                     {1024, 16, floatBytes({10})}};
  package.steps = {vectorStep("Add_a", "add", {{"x", 4}, {"y", 5}, {"out", 0, true}}),
                   vectorStep("Add_b", "add", {{"x", 4}, {"y", 4}, {"out", 1, true}}),
                   vectorStep("Add_y", "add", {{"x", 0}, {"y", 1}, {"out", 2, true}}),
                   vectorStep("Twice_z", "twice", {{"x", 1}, {"out", 3, true}})};
  package.inputs = {{"x", Dtype::Fp32, {4}, 4}};
  package.outputs = {{"y", Dtype::Fp32, {2, 2}, 2}, {"z", Dtype::Fp32, {4}, 3}};
  return package;
}

} // namespace tilescope::profiler::test
