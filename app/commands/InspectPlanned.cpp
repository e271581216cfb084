// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InspectPlanned.h"

namespace tilescope::app {

Result<compiler::InspectDoneReply> inspectPlanned(compiler::WorkerClient &worker,
                                                  const CompiledFile &file,
                                                  const std::stop_token &stop) {
  compiler::InspectMessage message;
  message.request = file.request;
  message.sharedMemory = message.loops = true;
  if (file.plan)
    message.launchPlan = profiler::launchPlanToJson(*file.plan);
  message.onlyNumbers = true;
  return worker.inspect(std::move(message), stop);
}

} // namespace tilescope::app
