// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The compile worker: requests on standard input, replies on standard output
// (compiler/service/Messages.h). It may be killed at any time.
#include "app/worker/CompileJob.h"
#include "app/worker/InspectJob.h"
#include "app/worker/InterpretJob.h"
#include "app/worker/JobQueue.h"
#include "app/worker/LastWords.h"
#include "app/worker/MemoryLimit.h"
#include "app/worker/ModelJob.h"
#include "app/worker/Reproducers.h"
#include "app/worker/StepJob.h"
#include "app/worker/UserCache.h"
#include "app/worker/WorkThread.h"
#include "compiler/pipeline/FatalErrors.h"
#include "compiler/service/MessageCodec.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;

namespace {

/// Thread: reads requests until the client is gone or says so.
class RequestReader {
public:
  RequestReader(JobQueue &jobs, ReplyWriter &replies) : m_jobs(jobs), m_replies(replies) {}

  void run() {
    std::array<char, 1 << 16> buffer;
    while (!m_finished && !m_frames.broken()) {
      const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count == 0 || (count < 0 && errno != EINTR))
        break;
      if (count > 0)
        m_frames.append({buffer.data(), static_cast<size_t>(count)});
      while (std::optional<std::string> payload = m_frames.next())
        handle(*payload);
    }
    // No client waits for what is still running, and code generation cannot be interrupted.
    m_jobs.close();
    _exit(m_frames.broken() ? 1 : 0);
  }

private:
  void handle(const std::string &payload) {
    Result<compiler::WorkerRequest> request = compiler::decodeRequest(payload);
    if (!request) {
      fprintf(stderr, "tilescope-worker: %s\n", request.error().message.c_str());
      _exit(1);
    }
    std::visit([this](auto &message) { take(message); }, *request);
  }
  void take(compiler::CompileMessage &message) { m_jobs.push({std::move(message), {}}); }
  void take(compiler::InterpretMessage &message) { m_jobs.push({std::move(message), {}}); }
  void take(compiler::InspectMessage &message) { m_jobs.push({std::move(message), {}}); }
  void take(compiler::StepMessage &message) { m_jobs.push({std::move(message), {}}); }
  void take(compiler::ModelMessage &message) { m_jobs.push({std::move(message), {}}); }
  void take(const compiler::CancelMessage &message) { m_jobs.cancel(message.job); }
  void take(const compiler::PingMessage &message) {
    m_replies.send(compiler::PongReply{message.token});
  }
  void take(const compiler::ShutdownMessage &) { m_finished = true; }

  JobQueue &m_jobs;
  ReplyWriter &m_replies;
  compiler::FrameReader m_frames;
  bool m_finished = false;
};

} // namespace

static void runJob(compiler::Compiler &worker, SteppedLaunch &,
                   const compiler::CompileMessage &message, std::stop_token stop,
                   ReplyWriter &replies) {
  runCompileJob(worker, message, std::move(stop), replies);
}
static void runJob(compiler::Compiler &worker, SteppedLaunch &,
                   const compiler::InterpretMessage &message, std::stop_token stop,
                   ReplyWriter &replies) {
  runInterpretJob(worker, message, std::move(stop), replies);
}
static void runJob(compiler::Compiler &worker, SteppedLaunch &,
                   const compiler::InspectMessage &message, std::stop_token stop,
                   ReplyWriter &replies) {
  runInspectJob(worker, message, std::move(stop), replies);
}
static void runJob(compiler::Compiler &worker, SteppedLaunch &stepped,
                   const compiler::StepMessage &message, std::stop_token stop,
                   ReplyWriter &replies) {
  stepped.run(worker, message, std::move(stop), replies);
}

static void runJob(compiler::Compiler &, SteppedLaunch &, const compiler::ModelMessage &message,
                   std::stop_token stop, ReplyWriter &replies) {
  runModelJob(message, std::move(stop), replies);
}

/// The thread that owns the compiler.
static void work(JobQueue &jobs, ReplyWriter &replies) {
  compiler::Compiler worker(compiler::findCudaToolkit());
  worker.keepCodeIn(userCachePath("code"));
  replies.send(makeHello(worker));
  std::thread([&] { RequestReader(jobs, replies).run(); }).detach();
  answerClient();
  warmUp(worker, jobs.arrival());
  SteppedLaunch stepped;
  while (std::optional<Job> job = jobs.pop()) {
    std::visit(
        [&](const auto &message) {
          runJob(worker, stepped, message, job->stop.get_token(), replies);
        },
        job->message);
    if (jobs.empty())
      worker.trim();
  }
  // The reader ends the process.
  while (true)
    pause();
}

/// Of `--workers N`: how many workers there are in all.
static unsigned numWorkers(int argc, char **argv) {
  const bool isTold = argc == 3 && std::string_view(argv[1]) == "--workers";
  return isTold ? static_cast<unsigned>(std::max(1, std::atoi(argv[2]))) : 1;
}

int main(int argc, char **argv) {
  // Replies have their own descriptor: a stray print of a library must not damage them.
  // Assemblers must not have it, or the client would take them for a worker that still lives.
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  signal(SIGPIPE, SIG_IGN);
  limitMemory(numWorkers(argc, argv));
  const std::string crashFolder = openCrashFolder();
  pruneReproducers(crashFolder);
  installLastWords(output, crashFolder);
  compiler::installFatalErrorHandler(&setLastWordsMessage);

  ReplyWriter replies(output);
  JobQueue jobs;
  runWithLargeStack([&] { work(jobs, replies); });
}
