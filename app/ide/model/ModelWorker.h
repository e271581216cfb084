// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkThread.h"
#include "app/ide/model/ModelBackend.h"
#include "compiler/service/WorkerClient.h"

#include <stop_token>

namespace tilescope::app {

/// Reads models on its own thread, with its own worker process, which begins with the first request: files are
/// mapped there, and whatever a file does to it ends in a diagnostic. Lives on the GUI thread and never waits.
class ModelWorker : public ModelBackend {
  Q_OBJECT
public:
  explicit ModelWorker(const std::string &workerProgram, QObject *parent = nullptr);
  ~ModelWorker() override;

  void read(const OpenModelRequest &request) override;
  void check(const CheckModelRequest &request) override;
  void measure(const MeasureFusionsRequest &request) override;
  void time(const TimeModelRequest &request) override;
  void stopCheck() override { m_stop.request_stop(); }

private:
  /// On the thread.
  Result<OpenedModelPointer> perform(const OpenModelRequest &request, const std::stop_token &stop);
  Result<compiler::ModelResult> readWith(const OpenModelRequest &request,
                                         const ModelExtents &extents, const std::stop_token &stop);
  Result<OpenedModelPointer> readGuessing(const OpenModelRequest &request,
                                          const std::stop_token &stop);

  Result<ModelVerdict> judge(const CheckModelRequest &request, const std::stop_token &stop);
  Result<FusionVariants> measureBoth(const MeasureFusionsRequest &request,
                                     const std::stop_token &stop);
  Result<ModelBench> takeTimes(const TimeModelRequest &request, const std::stop_token &stop);
  /// Ends what is under way, has `find` answer on the thread, and tells the answer.
  template <typename Signal, typename Find, typename Request>
  void answer(Signal signal, Find find, const Request &request, uint64_t number) {
    m_stop.request_stop();
    m_stop = {};
    m_thread.post([this, signal, find, request, number, stop = m_stop.get_token()] {
      tell(signal, number, (this->*find)(request, stop));
    });
  }
  /// A signal, on the GUI thread.
  template <typename Signal, typename... Values> void tell(Signal signal, Values... values) {
    QMetaObject::invokeMethod(this,
                              [this, signal, values...] { Q_EMIT(this->*signal)(values...); });
  }

  std::string m_program;
  /// Used on the thread only.
  compiler::WorkerClient m_worker;
  std::stop_source m_stop;
  WorkThread m_thread;
};

} // namespace tilescope::app
