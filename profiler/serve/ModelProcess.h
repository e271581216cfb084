// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/serve/InferenceProtocol.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <sys/types.h>

namespace tilescope::profiler {

/// The model that a folder of `tilescope model export` has. `name`: empty: that of its file, without its ending.
Result<ServedModel> readServedModel(const std::string &folder, const std::string &name);

/// A model on a device, in a process of its own: a kernel that faults or hangs ends that process alone. Parent and child
/// know from the folder how many bytes inputs and outputs take, so these cross the pipe as they are:
///
///     parent   | run | set | inputs |        | run | set | inputs |
///     child    | ok, name of the device |    | ok | outputs |   or   | error, its text |
///
/// Which set of shapes it is stands before the inputs. Of one thread, with which the child ends, too.
class ModelProcess {
public:
  /// `command`: the program with its arguments, which calls `serveInferences`.
  ModelProcess(std::vector<std::string> command, ServedModel model)
      : m_command(std::move(command)), m_model(std::move(model)) {}
  ~ModelProcess() { end(); }
  ModelProcess(const ModelProcess &) = delete;
  ModelProcess &operator=(const ModelProcess &) = delete;

  /// Starts the child, and waits until the model is loaded; the name of the device.
  Result<std::string> start(std::chrono::milliseconds limit);
  bool isRunning() const { return m_pid > 0; }
  /// On any thread: the child is ended, and what waits for it returns an error.
  void interrupt();
  /// After an error that the child does not survive it is not running.
  Result<std::vector<std::string>> infer(const Inference &inference,
                                         std::chrono::milliseconds limit);

private:
  void end();
  Error ended(const std::string &what, bool isLate);

  std::vector<std::string> m_command;
  ServedModel m_model;
  std::atomic<pid_t> m_pid = -1;
  int m_toChild = -1, m_fromChild = -1;
};

/// A model in the child's process.
struct LoadedModel {
  /// What it runs on.
  std::string device;
  /// As the parent knows them.
  std::vector<ServedSet> sets;
  /// The elements of all outputs from those of all inputs. An error ends the child.
  std::function<Result<std::vector<std::string>>(const Inference &)> infer;
};

/// The child's side: on standard input and output, until the input ends. The exit status.
int serveInferences(const std::function<Result<LoadedModel>()> &load);
/// The same of a folder of `tilescope model export`.
int serveModelProcess(const std::string &folder, int device);

} // namespace tilescope::profiler
