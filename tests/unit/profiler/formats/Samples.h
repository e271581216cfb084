// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/formats/Recording.h"
#include "tests/unit/profiler/RecordedMeasurement.h"

#include <string>

namespace tilescope::profiler::test {

inline ReportData reportOf(std::vector<Measurement> measurements) {
  ReportData data;
  for (Measurement &measurement : measurements)
    data.kernels.push_back(recordedKernel(std::move(measurement)));
  return data;
}

/// A kernel that was compiled and has a launch; nothing was measured.
inline ReportKernel compiledKernel() {
  ReportKernel kernel;
  kernel.kernel = "copy";
  kernel.path = "copy.py";
  kernel.source = "import triton\n\n\n@triton.jit\ndef copy(x_ptr, n, BLOCK: tl.constexpr):\n"
                  "    pass\n";
  kernel.isPython = true;
  kernel.target = "cuda:90";
  kernel.compiled = true;
  kernel.options = {{"num_warps", "4"}, {"num_stages", "3"}};
  for (const auto &[id, text] :
       {std::pair{"ast", "tree"}, {"ttir", "tt.func"}, {"ttgir", "ttg"}, {"ptx", ".version 8.7"}}) {
    ReportStage &stage = kernel.stages.emplace_back();
    stage.id = stage.title = id;
    stage.text = text;
  }
  LaunchPlan plan;
  plan.kernel = "copy";
  plan.grid = {64, 2, 1};
  PlanTensor tensor;
  tensor.dtype = Dtype::Fp16;
  tensor.shape = {64, 32};
  tensor.init.kind = TensorInit::Kind::Randn;
  plan.args = {{"x_ptr", tensor},
               {"n", PlanScalar{"i32", int64_t(4096)}},
               {"eps", PlanScalar{"fp32", 1e-5}}};
  plan.constexprs = {{"BLOCK", "1024"}, {"ACT", "\"relu\""}};
  kernel.plan = plan;
  return kernel;
}

} // namespace tilescope::profiler::test
