// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/serve/InferenceRoutes.h"
#include "profiler/serve/ModelProcess.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tilescope::profiler {

struct QueueLimits {
  /// That wait; more are refused.
  size_t requests = 32;
  /// For loading the model, and for an inference.
  std::chrono::milliseconds load{180'000}, inference{10'000};
};

/// Inferences one after another, on a thread that has the model's process. That process is started anew when an inference
/// ends it.
class ModelQueue {
public:
  using Outputs = Result<std::vector<std::string>>;
  /// Called on the queue's thread.
  using Done = std::function<void(Outputs)>;

  ModelQueue(std::vector<std::string> command, ServedModel model, QueueLimits limits);
  ~ModelQueue();

  /// Whether the model answers now, and what it has done.
  ServedState state() const;
  /// False: too many wait.
  bool push(Inference inference, Done done);

private:
  struct Waiting {
    Inference inference;
    Done done;
    std::chrono::steady_clock::time_point arrival;
  };
  void work();
  Outputs infer(const Waiting &next);
  void load();
  bool isEnding() const;
  void setReady(const std::string &why);

  static constexpr const char *kLoading = "it is being loaded";

  const ServedModel m_model;
  const QueueLimits m_limits;
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Waiting> m_waiting;
  ServedState m_state{kLoading};
  bool m_isEnding = false;
  ModelProcess m_process;
  std::thread m_thread;
};

} // namespace tilescope::profiler
