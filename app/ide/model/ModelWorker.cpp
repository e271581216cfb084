// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/model/ModelWorker.h"

#include "app/commands/EditedKernels.h"
#include "app/commands/ModelComparisonText.h"
#include "app/commands/ModelData.h"
#include "app/ide/compile/Niceness.h"
#include "app/ide/compile/StoppableWorker.h"
#include "app/ide/model/GuessedExtents.h"

namespace tilescope::app {

/// What reading a model may take to obey a stop; then its worker is ended.
static constexpr std::chrono::milliseconds kCancelPatience{500};
/// With those that compile, run and check lessons.
static constexpr unsigned kNumWorkers = 4;

ModelWorker::ModelWorker(const std::string &workerProgram, QObject *parent)
    : ModelBackend(parent), m_program(workerProgram),
      m_worker(stoppableWorker(workerProgram, kNumWorkers, kCancelPatience)),
      m_thread(kRunNiceness) {}

ModelWorker::~ModelWorker() {
  m_stop.request_stop();
  m_thread.finish();
}

Result<compiler::ModelResult> ModelWorker::readWith(const OpenModelRequest &request,
                                                    const ModelExtents &extents,
                                                    const std::stop_token &stop) {
  compiler::ModelMessage message;
  message.request = {request.path, extents, compiler::ModelText::Kernels,
                     compiler::ModelForm::Fused, request.fusions};
  Result<compiler::ModelDoneReply> reply = m_worker.readModel(std::move(message), stop);
  if (!reply)
    return reply.error();
  if (reply->cancelled || stop.stop_requested())
    return Error{ErrorCode::Cancelled, "another model is read", ""};
  for (const compiler::Diagnostic &each : reply->diagnostics) {
    reply->result.ok = false;
    reply->result.diagnostics.push_back({each.severity, "", "", each.message});
  }
  return std::move(reply->result);
}

Result<OpenedModelPointer> ModelWorker::readGuessing(const OpenModelRequest &request,
                                                     const std::stop_token &stop) {
  const ModelExtents given = request.extents.value_or(ModelExtents());
  Result<compiler::ModelResult> first = readWith(request, given, stop);
  if (!first)
    return first.error();
  if (request.extents || first->symbols.empty())
    return std::make_shared<const OpenedModel>(OpenedModel{std::move(*first), given});
  // The first one that fits; where none does, the likeliest says what is wrong.
  OpenedModelPointer likeliest;
  for (const ModelExtents &extents : guessedExtents(*first)) {
    Result<compiler::ModelResult> read = readWith(request, extents, stop);
    if (!read)
      return read.error();
    auto opened = std::make_shared<const OpenedModel>(OpenedModel{std::move(*read), extents, true});
    if (opened->result.ok)
      return opened;
    if (!likeliest)
      likeliest = std::move(opened);
  }
  return likeliest;
}

Result<OpenedModelPointer> ModelWorker::perform(const OpenModelRequest &request,
                                                const std::stop_token &stop) {
  const Result<OpenedModelPointer> opened = readGuessing(request, stop);
  if (!opened || request.fusions.empty() || !(*opened)->result.ok)
    return opened;
  OpenModelRequest planned = request;
  planned.fusions.clear();
  const Result<compiler::ModelResult> without = readWith(planned, (*opened)->extents, stop);
  if (!without)
    return without.error();
  OpenedModel both = **opened;
  both.variants = compareVariants(both.result, *without, request.target);
  return std::make_shared<const OpenedModel>(std::move(both));
}

void ModelWorker::read(const OpenModelRequest &request) {
  answer(&ModelBackend::done, &ModelWorker::perform, request, request.number);
}

/// What is wrong with a model that has no plan.
static ModelVerdict unplanned(const compiler::ModelResult &model) {
  const auto error = std::ranges::find(model.diagnostics, compiler::Severity::Error,
                                       &compiler::ModelDiagnostic::severity);
  return {error == model.diagnostics.end() ? "the model has no kernels" : error->message, true, {}};
}

Result<ModelVerdict> ModelWorker::judge(const CheckModelRequest &request,
                                        const std::stop_token &stop) {
  compiler::ModelRequest ask = request.model.planRequest();
  Result<PlannedModel> tried = planModel(m_worker, ask, "", stop);
  ask.form = compiler::ModelForm::Read;
  ask.fusions.clear();
  const Result<PlannedModel> reference = tried ? planModel(m_worker, ask, "", stop) : tried;
  if (!reference)
    return reference.error();
  if (!reference->model.ok || !tried->model.ok)
    return unplanned(tried->model.ok ? reference->model : tried->model);
  if (Status status = useKernels(request.text, request.name, tried->plan); !status)
    return ModelVerdict{status.error().message, true, {}};
  const auto inputs = inputTensors(tried->plan, "");
  if (!inputs)
    return inputs.error();
  ModelToCompare models{request.model.path, *reference, *tried, *inputs, {}};
  models.expected.resize(tried->plan.outputs.size());
  models.stop = stop;
  models.progress = [this, number = request.model.number](size_t done, size_t total) {
    tell(&ModelBackend::checking, number, int(done), int(total));
  };
  const Result<ModelComparison> comparison = compareModel(m_worker, models);
  if (stop.stop_requested())
    return Error{ErrorCode::Cancelled, "the check was stopped", ""};
  // A kernel that does not compile or run is a fault of the text.
  if (!comparison)
    return ModelVerdict{comparison.error().message, true, {}};
  ModelVerdict verdict{modelVerdictText(*comparison, tried->plan), !comparison->agrees(), {}};
  if (comparison->first)
    verdict.kernel = comparison->first->step;
  return verdict;
}

void ModelWorker::check(const CheckModelRequest &request) {
  answer(&ModelBackend::checked, &ModelWorker::judge, request, request.model.number);
}

Result<FusionVariants> ModelWorker::measureBoth(const MeasureFusionsRequest &request,
                                                const std::stop_token &stop) {
  compiler::ModelRequest ask = request.model.planRequest();
  const Result<PlannedModel> chosen = planModel(m_worker, ask, "", stop);
  ask.fusions.clear();
  const Result<PlannedModel> planned = chosen ? planModel(m_worker, ask, "", stop) : chosen;
  if (!planned)
    return planned.error();
  if (!chosen->model.ok || !planned->model.ok)
    return Error{ErrorCode::InvalidInput,
                 unplanned(chosen->model.ok ? planned->model : chosen->model).text, ""};
  const auto inputs = inputTensors(chosen->plan, "");
  if (!inputs)
    return inputs.error();
  FusionVariants variants = compareVariants(chosen->model, planned->model, request.target);
  VariantsToMeasure models{request.model.path, chosen->plan, planned->plan, *inputs};
  models.hooks.target = "cpu:native";
  models.hooks.stop = stop;
  models.progress = [this, number = request.model.number](size_t done, size_t total) {
    tell(&ModelBackend::measuring, number, int(done), int(total));
  };
  const Status status = measureVariants(m_worker, models, variants);
  if (stop.stop_requested())
    return Error{ErrorCode::Cancelled, "the measurement was stopped", ""};
  if (!status)
    return status.error();
  return variants;
}

void ModelWorker::measure(const MeasureFusionsRequest &request) {
  answer(&ModelBackend::measured, &ModelWorker::measureBoth, request, request.model.number);
}

Result<ModelBench> ModelWorker::takeTimes(const TimeModelRequest &request,
                                          const std::stop_token &stop) {
  ModelToMeasure model{request.model.planRequest()};
  model.text = request.text;
  model.name = request.name;
  model.hooks.place = request.place;
  model.hooks.stop = stop;
  model.progress = [this, number = request.model.number](MeasuringPhase phase, size_t done,
                                                         size_t total) {
    tell(&ModelBackend::timing, number, phase, int(done), int(total));
  };
  // One that has compiled nothing yet: the first run counts, too.
  compiler::WorkerClient worker(stoppableWorker(m_program, kNumWorkers, kCancelPatience));
  Result<MeasuredModel> measured = measureModel(worker, model);
  if (stop.stop_requested())
    return Error{ErrorCode::Cancelled, "the measurement was stopped", ""};
  if (!measured)
    return measured.error();
  if (!measured->bench)
    return Error{ErrorCode::InvalidInput, unplanned(measured->model).text, ""};
  return std::move(*measured->bench);
}

void ModelWorker::time(const TimeModelRequest &request) {
  answer(&ModelBackend::timed, &ModelWorker::takeTimes, request, request.model.number);
}

} // namespace tilescope::app
