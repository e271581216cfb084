// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/ModelProcess.h"

#include "compiler/support/Spawn.h"
#include "profiler/deploy/runtime/tilescope_model.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

/// What both sides write first.
static constexpr char kRun = 'r', kOk = 'o', kError = 'e';
static constexpr uint32_t kMostTextBytes = 65536;

using OpenModel = std::unique_ptr<tilescope_model, decltype(&tilescope_model_close)>;

static Result<OpenModel> openModel(const std::string &folder) {
  char error[1024] = "";
  OpenModel model(tilescope_model_open(folder.c_str(), error, sizeof(error)),
                  &tilescope_model_close);
  if (!model)
    return Error{ErrorCode::InvalidInput, error, ""};
  return model;
}

static Result<ServedTensor> servedTensor(const tilescope_tensor &tensor) {
  ServedTensor served{tensor.name, Dtype::Uint8, {tensor.shape, tensor.shape + tensor.rank}};
  const auto dtype = parseDtype(tensor.dtype);
  // Small floating types are bytes for the protocol.
  if (dtype && datatypeName(*dtype) != "UINT8")
    served.dtype = *dtype;
  if (!tensorBytes(served.dtype, served.shape) || served.bytes() != tensor.bytes)
    return Error{ErrorCode::InvalidInput,
                 "the plan's `" + served.name + "` does not have the bytes of its shape", ""};
  return served;
}

/// What the model has now in use.
static Result<ServedSet> servedSet(const tilescope_model *open) {
  ServedSet set;
  const size_t numInputs = tilescope_model_num_inputs(open);
  for (size_t i = 0; i < numInputs + tilescope_model_num_outputs(open); ++i) {
    const bool isInput = i < numInputs;
    const Result<ServedTensor> tensor = servedTensor(
        isInput ? *tilescope_model_input(open, i) : *tilescope_model_output(open, i - numInputs));
    if (!tensor)
      return tensor.error();
    (isInput ? set.inputs : set.outputs).push_back(*tensor);
  }
  return set;
}

static Result<std::vector<ServedSet>> servedSets(tilescope_model *open) {
  std::vector<ServedSet> sets;
  for (size_t number = 0; number < tilescope_model_num_sets(open); ++number) {
    (void)tilescope_model_use_set(open, number, nullptr, 0);
    Result<ServedSet> set = servedSet(open);
    if (!set)
      return set.error();
    sets.push_back(std::move(*set));
  }
  return sets;
}

Result<ServedModel> readServedModel(const std::string &folder, const std::string &name) {
  const Result<OpenModel> model = openModel(folder);
  if (!model)
    return model.error();
  Result<std::vector<ServedSet>> sets = servedSets(model->get());
  if (!sets)
    return sets.error();
  ServedModel served{name, std::move(*sets)};
  if (name.empty())
    served.name = std::filesystem::path(tilescope_model_name(model->get())).stem().string();
  return served;
}

/// Moves all bytes, as long as there is time. `move` is `read` or `write`.
template <typename Move, typename Byte>
static bool moveAll(Move move, int file, Byte *bytes, size_t count, short event,
                    Clock::time_point deadline) {
  while (count > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd watched = {file, event, 0};
    const int ready = poll(&watched, 1, static_cast<int>(std::clamp<long long>(left, 0, 1 << 30)));
    if (ready == 0 && Clock::now() < deadline)
      continue;
    if (ready == 0 || (ready < 0 && errno != EINTR))
      return false;
    const ssize_t moved = ready < 0 ? -1 : move(file, bytes, count);
    if (moved == 0 || (moved < 0 && errno != EINTR && errno != EAGAIN))
      return false;
    if (moved > 0) {
      bytes += moved;
      count -= static_cast<size_t>(moved);
    }
  }
  return true;
}

static bool readAll(int file, char *bytes, size_t count, Clock::time_point deadline) {
  return moveAll(read, file, bytes, count, POLLIN, deadline);
}

static bool writeAll(int file, const char *bytes, size_t count, Clock::time_point deadline) {
  return moveAll(write, file, bytes, count, POLLOUT, deadline);
}

/// A text, and its length before it.
static std::optional<std::string> readText(int file, Clock::time_point deadline) {
  uint32_t length = 0;
  if (!readAll(file, reinterpret_cast<char *>(&length), sizeof(length), deadline) ||
      length > kMostTextBytes)
    return std::nullopt;
  std::string text(length, '\0');
  if (!readAll(file, text.data(), length, deadline))
    return std::nullopt;
  return text;
}

void ModelProcess::interrupt() {
  if (const pid_t pid = m_pid; pid > 0)
    kill(pid, SIGKILL);
}

void ModelProcess::end() {
  closeDescriptor(m_toChild);
  closeDescriptor(m_fromChild);
  if (const pid_t pid = m_pid.exchange(-1); pid > 0) {
    kill(pid, SIGKILL);
    (void)waitForChild(pid);
  }
}

/// What became of a child that does not answer. It is not there any more behind this.
Error ModelProcess::ended(const std::string &what, bool isLate) {
  int status = 0;
  std::string how = "took too long, and was stopped";
  if (!isLate) {
    closeDescriptor(m_toChild);
    // Its side of the pipe is closed: it ends, or is ended.
    pid_t over = 0;
    for (int i = 0; i < 20 && (over = waitpid(m_pid, &status, WNOHANG)) == 0; ++i)
      usleep(10'000);
    if (over != 0)
      m_pid = -1;
    how = over > 0 && WIFSIGNALED(status)
              ? "was ended by the signal " + std::string(strsignal(WTERMSIG(status)))
              : "ended without an answer";
  }
  end();
  return {isLate ? ErrorCode::Cancelled : ErrorCode::Internal, what + " " + how, ""};
}

Result<std::string> ModelProcess::start(std::chrono::milliseconds limit) {
  end();
  const Result<SpawnedChild> child =
      startProgram(m_command.front(), {m_command.begin() + 1, m_command.end()},
                   {.pipeInput = true, .diesWithThread = true});
  if (!child)
    return child.error();
  m_pid = child->pid;
  m_toChild = child->input;
  m_fromChild = child->output;
  fcntl(m_toChild, F_SETFL, O_NONBLOCK);
  const auto deadline = Clock::now() + limit;
  char answer = 0;
  const bool isRead = readAll(m_fromChild, &answer, 1, deadline);
  const auto text = isRead ? readText(m_fromChild, deadline) : std::nullopt;
  if (!text)
    return ended("loading the model", Clock::now() >= deadline);
  if (answer == kOk)
    return *text;
  end();
  return Error{ErrorCode::Environment, *text, ""};
}

Result<std::vector<std::string>> ModelProcess::infer(const Inference &inference,
                                                     std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  const auto lost = [&] { return ended("the inference", Clock::now() >= deadline); };
  const auto set = static_cast<uint32_t>(inference.set);
  if (!writeAll(m_toChild, &kRun, 1, deadline) ||
      !writeAll(m_toChild, reinterpret_cast<const char *>(&set), sizeof(set), deadline))
    return lost();
  for (const std::string &input : inference.inputs)
    if (!writeAll(m_toChild, input.data(), input.size(), deadline))
      return lost();
  char answer = 0;
  if (!readAll(m_fromChild, &answer, 1, deadline))
    return lost();
  if (answer != kOk) {
    const auto text = readText(m_fromChild, deadline);
    // A kernel that failed poisons what its process does next.
    end();
    return Error{ErrorCode::Internal, text.value_or("the inference failed"), ""};
  }
  std::vector<std::string> outputs;
  for (const ServedTensor &tensor : m_model.sets[inference.set].outputs) {
    std::string &output = outputs.emplace_back(tensor.bytes(), '\0');
    if (!readAll(m_fromChild, output.data(), output.size(), deadline))
      return lost();
  }
  return outputs;
}

static bool tell(int file, char kind, const std::string &text) {
  const auto length = static_cast<uint32_t>(std::min<size_t>(text.size(), kMostTextBytes));
  const auto never = Clock::time_point::max();
  return writeAll(file, &kind, 1, never) &&
         writeAll(file, reinterpret_cast<const char *>(&length), sizeof(length), never) &&
         writeAll(file, text.data(), length, never);
}

/// The next request; nothing: there is none any more.
static std::optional<Inference> readInference(const std::vector<ServedSet> &sets) {
  const auto never = Clock::time_point::max();
  char request = 0;
  uint32_t set = 0;
  if (!readAll(STDIN_FILENO, &request, 1, never) ||
      !readAll(STDIN_FILENO, reinterpret_cast<char *>(&set), sizeof(set), never) ||
      set >= sets.size())
    return std::nullopt;
  Inference inference{set, {}};
  for (const ServedTensor &tensor : sets[set].inputs) {
    std::string &input = inference.inputs.emplace_back(tensor.bytes(), '\0');
    if (!readAll(STDIN_FILENO, input.data(), input.size(), never))
      return std::nullopt;
  }
  return inference;
}

int serveInferences(const std::function<Result<LoadedModel>()> &load) {
  // What kernels print goes elsewhere.
  const int out = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const Result<LoadedModel> model = load();
  if (!model)
    return tell(out, kError, model.error().message) ? 1 : 3;
  if (!tell(out, kOk, model->device))
    return 3;
  const auto never = Clock::time_point::max();
  while (const auto inference = readInference(model->sets)) {
    const Result<std::vector<std::string>> outputs = model->infer(*inference);
    if (!outputs) {
      (void)tell(out, kError, outputs.error().message);
      // Without the driver's end, which may hang now.
      _exit(1);
    }
    if (!writeAll(out, &kOk, 1, never))
      return 0;
    for (const std::string &output : *outputs)
      if (!writeAll(out, output.data(), output.size(), never))
        return 0;
  }
  return 0;
}

/// Of a model that was exported, and is on its device.
static Result<std::vector<std::string>> runExported(tilescope_model *model,
                                                    const Inference &inference) {
  char error[1024] = "";
  if (tilescope_model_use_set(model, inference.set, error, sizeof(error)) != 0)
    return Error{ErrorCode::Internal, error, ""};
  std::vector<const void *> from;
  std::vector<void *> to;
  std::vector<std::string> outputs;
  for (const std::string &input : inference.inputs)
    from.push_back(input.data());
  for (size_t i = 0; i < tilescope_model_num_outputs(model); ++i)
    outputs.emplace_back(tilescope_model_output(model, i)->bytes, '\0');
  for (std::string &output : outputs)
    to.push_back(output.data());
  if (tilescope_model_run(model, from.data(), to.data(), error, sizeof(error)) != 0)
    return Error{ErrorCode::Internal, error, ""};
  return outputs;
}

int serveModelProcess(const std::string &folder, int device) {
  // As long as the inferences.
  std::shared_ptr<tilescope_model> model;
  return serveInferences([&]() -> Result<LoadedModel> {
    Result<OpenModel> opened = openModel(folder);
    if (!opened)
      return opened.error();
    model = std::move(*opened);
    char error[1024] = "";
    if (tilescope_model_load(model.get(), device, error, sizeof(error)) != 0)
      return Error{ErrorCode::Environment, error, ""};
    Result<std::vector<ServedSet>> sets = servedSets(model.get());
    if (!sets)
      return sets.error();
    return LoadedModel{
        tilescope_model_device(model.get()), std::move(*sets),
        [&](const Inference &inference) { return runExported(model.get(), inference); }};
  });
}

} // namespace tilescope::profiler
