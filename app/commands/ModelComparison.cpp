// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelComparison.h"

#include "app/commands/RunModel.h"
#include "compiler/artifacts/ModelRules.h"
#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <set>

namespace tilescope::app {

using profiler::Tensor;

namespace {
/// What the reference computed.
struct NodeResult {
  std::string node;
  Tensor tensor;
};

/// Of images [N, C, …] the same elements as [N, …, C], in which kernels may write them.
Tensor channelsLast(const Tensor &images) {
  Tensor moved{images.dtype, images.shape, {}};
  std::rotate(moved.shape.begin() + 1, moved.shape.begin() + 2, moved.shape.end());
  moved.data.resize(images.data.size());
  const int64_t channels = images.shape[1];
  const int64_t pixels = images.numElements() / (images.shape[0] * channels);
  const size_t size = profiler::dtypeSize(images.dtype);
  for (int64_t image = 0; image < images.shape[0]; ++image)
    for (int64_t channel = 0; channel < channels; ++channel)
      for (int64_t pixel = 0; pixel < pixels; ++pixel)
        std::copy_n(images.element((image * channels + channel) * pixels + pixel), size,
                    moved.element((image * pixels + pixel) * channels + channel));
  return moved;
}

class Comparer {
public:
  explicit Comparer(const ModelToCompare &models) : m_models(models) {
    for (const compiler::ModelRewrite &rewrite : models.tried.model.rewrites)
      m_rewritten.insert(rewrite.node);
    m_hasChannelsLast =
        std::ranges::any_of(models.tried.model.rewrites, [](const compiler::ModelRewrite &each) {
          return each.rule == compiler::kChannelsLast;
        });
  }

  void keep(const std::string &node, const Tensor &tensor) {
    m_known.push_back({node, tensor});
    if (m_hasChannelsLast && tensor.shape.size() >= 3 && tensor.numElements() > 0)
      m_known.push_back({node, channelsLast(tensor)});
  }

  void read(size_t step, const ModelPlan::Tensor &view, const Tensor &tensor) {
    if (m_comparison.first)
      return;
    if (step != m_step)
      m_read.clear();
    m_step = step;
    m_read.emplace_back(view.name, tensor);
  }

  void compare(size_t step, const ModelPlan::Tensor &view, const Tensor &tensor) {
    const ModelPlan::Step &each = m_models.tried.plan.steps[step];
    ComparedTensor compared = begin(each.node, tensor);
    compared.function = each.function;
    const auto [other, difference] = counterpart(step, tensor, compared.most);
    if (other != nullptr)
      finish(compared, other->node, difference, tensor, other->tensor);
    if (compared.diverges() && (!m_comparison.first || m_comparison.first->step == step))
      keepDiverging(step, view.name, other->tensor);
    m_comparison.results.push_back(std::move(compared));
  }

  void compareOutputs(const std::vector<Tensor> &found, const std::vector<Tensor> &reference) {
    for (size_t i = 0; i < found.size(); ++i) {
      const auto &expected = m_models.expected.at(i);
      const Tensor &wanted = expected ? *expected : reference.at(i);
      ComparedTensor compared = begin(m_models.tried.plan.outputs[i].name, found[i]);
      if (wanted.dtype == found[i].dtype && wanted.numElements() == found[i].numElements())
        finish(compared, expected ? "its file" : "the model's own operations",
               differenceOf(found[i], wanted), found[i], wanted);
      m_comparison.outputs.push_back(std::move(compared));
    }
  }

  ModelComparison take() { return std::move(m_comparison); }

private:
  ComparedTensor begin(const std::string &name, const Tensor &tensor) const {
    ComparedTensor compared;
    compared.name = name;
    compared.dtype = tensor.dtype;
    compared.shape = tensor.shape;
    const bool isNarrow = profiler::dtypeSize(tensor.dtype) < 4;
    compared.most =
        std::max(m_models.tolerance, isNarrow ? profiler::relativeTolerance(tensor.dtype) : 0);
    return compared;
  }

  static void finish(ComparedTensor &compared, const std::string &reference,
                     const TensorDifference &difference, const Tensor &found,
                     const Tensor &wanted) {
    compared.reference = reference;
    compared.difference = difference;
    if (wanted.numElements() == 0)
      return;
    compared.found = found.at(compared.difference.at);
    compared.wanted = wanted.at(compared.difference.at);
  }

  /// The nearest of the results that the kernel may stand for, and how near it is; null: there is none.
  std::pair<const NodeResult *, TensorDifference> counterpart(size_t step, const Tensor &tensor,
                                                              double most) const {
    const std::vector<std::string> &nodes = m_models.tried.model.kernels.at(step).nodes;
    const NodeResult *nearest = nullptr;
    TensorDifference least;
    const auto consider = [&](const auto &isMeant) {
      for (const NodeResult &each : m_known) {
        if (each.tensor.dtype != tensor.dtype ||
            each.tensor.numElements() != tensor.numElements() || !isMeant(each.node))
          continue;
        const TensorDifference apart = differenceOf(tensor, each.tensor);
        if (nearest != nullptr && apart.inNorm >= least.inNorm)
          continue;
        nearest = &each;
        least = apart;
      }
    };
    consider(
        [&](const std::string &node) { return std::ranges::find(nodes, node) != nodes.end(); });
    if (nearest == nullptr || !least.isWithin(most))
      consider([&](const std::string &node) { return m_rewritten.contains(node); });
    return {nearest, least};
  }

  void keepDiverging(size_t step, const std::string &name, const Tensor &wanted) {
    if (!m_comparison.first)
      m_comparison.first = DivergingKernel{step, std::move(m_read), {}};
    m_comparison.first->wanted.emplace_back(name, wanted);
  }

  const ModelToCompare &m_models;
  std::set<std::string> m_rewritten;
  bool m_hasChannelsLast = false;
  std::vector<NodeResult> m_known;
  /// What the step read that runs.
  size_t m_step = 0;
  std::vector<std::pair<std::string, Tensor>> m_read;
  ModelComparison m_comparison;
};
} // namespace

bool ModelComparison::agrees() const {
  const auto isRight = [](const ComparedTensor &each) { return !each.diverges(); };
  return std::ranges::all_of(results, isRight) && std::ranges::all_of(outputs, isRight) &&
         std::ranges::all_of(outputs, &ComparedTensor::isCompared);
}

Result<ModelComparison> compareModel(compiler::WorkerClient &worker, const ModelToCompare &models) {
  Comparer comparer(models);
  const ModelPlan &plan = models.reference.plan;
  const size_t total = plan.steps.size() + models.tried.plan.steps.size();
  const auto tell = [&](size_t done) {
    if (models.progress)
      models.progress(done, total);
  };
  const auto keep = [&](size_t step, const ModelPlan::Tensor &, const Tensor &tensor) {
    comparer.keep(plan.steps[step].node, tensor);
    tell(step + 1);
  };
  const Result<ModelRun> reference =
      runModel(worker, plan, models.file, models.inputs, {{}, keep, models.stop});
  if (!reference)
    return reference.error();
  ModelRunHooks hooks;
  hooks.read = [&](size_t step, const ModelPlan::Tensor &view, const Tensor &tensor) {
    comparer.read(step, view, tensor);
  };
  hooks.wrote = [&](size_t step, const ModelPlan::Tensor &view, const Tensor &tensor) {
    comparer.compare(step, view, tensor);
    tell(plan.steps.size() + step + 1);
  };
  hooks.stop = models.stop;
  hooks.target = models.target;
  hooks.place = models.place;
  hooks.timeLimit = models.timeLimit;
  hooks.measure = false;
  const Result<ModelRun> tried =
      runModel(worker, models.tried.plan, models.file, models.inputs, hooks);
  if (!tried)
    return tried.error();
  comparer.compareOutputs(tried->outputs, reference->outputs);
  ModelComparison comparison = comparer.take();
  comparison.findings = tried->findings.diagnostics;
  return comparison;
}

} // namespace tilescope::app
