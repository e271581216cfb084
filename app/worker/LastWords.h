// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"

#include <cstdint>
#include <string>
#include <string_view>

/// What a dying worker still does: it saves the kernel and the state of the pipeline in a folder,
/// and reports it to the client in a `CrashedReply`.
///
/// A crash may have happened inside the memory allocator, so everything here works on buffers that
/// were filled before; only system calls are made.
namespace tilescope::app {

struct LastWordsJob {
  uint64_t job = 0;
  uint64_t revision = 0;
  /// File name of the kernel's text in the reproducer, e.g. `softmax.py`.
  std::string fileName;
  std::string text;
  /// The request in words, one `key: value` a line.
  std::string description;
};

/// Installs the handlers. `replyDescriptor` is the stream of replies, `folder` the one that
/// reproducers are saved in; empty: none are. SIGUSR1, by which the client asks for them, waits in
/// the calling thread and in those that it starts from now on.
void installLastWords(int replyDescriptor, const std::string &folder);

/// Lets the calling thread, the one that works, answer SIGUSR1. It interrupts itself, so nothing
/// that is read was left half written by another thread.
void answerClient();

/// Lets the calling thread, the one that works, report that its stack has overflowed. Others die of
/// that without a word.
void reportStackOverflows();

/// The job that a crash from now on belongs to. The buffers stay until the next call.
void setLastWordsJob(LastWordsJob job);
void clearLastWordsJob();

/// The place in the pipeline, for the report.
void setLastWordsStep(compiler::StageId stage, std::string_view pass);

/// LLVM's message before it aborts.
void setLastWordsMessage(const char *message);

} // namespace tilescope::app
