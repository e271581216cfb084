// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/ModelJob.h"

#include "app/worker/CompileJob.h"
#include "app/worker/LastWords.h"
#include "compiler/model/CheckModel.h"

namespace tilescope::app {

void runModelJob(const compiler::ModelMessage &message, std::stop_token stop,
                 ReplyWriter &replies) {
  static constexpr std::string_view kStep = "read model";
  // The model itself may be far larger than what a reproducer takes: its path says which one it was.
  setLastWordsJob({message.job, 0, "model.txt", message.request.path + "\n",
                   "path: " + message.request.path + "\n"});
  setLastWordsStep(compiler::StageId::Ast, kStep);
  obeyTestHook(message.hook, kStep);
  compiler::ModelDoneReply reply;
  reply.job = message.job;
  reply.result = model::checkModel(message.request, stop);
  reply.cancelled = stop.stop_requested();
  clearLastWordsJob();
  replies.send(reply);
}

} // namespace tilescope::app
