// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/LastWords.h"

#include "compiler/service/Messages.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilescope::app {

using Reason = compiler::CrashedReply::Reason;

namespace {

/// A text of bounded length that is filled without allocating.
template <size_t Capacity> class FixedText {
public:
  void clear() { m_size = 0; }
  FixedText &add(std::string_view text) {
    const size_t count = std::min(text.size(), Capacity - m_size);
    memcpy(m_data.data() + m_size, text.data(), count);
    m_size += count;
    return *this;
  }
  FixedText &addNumber(uint64_t value) {
    std::array<char, 20> digits;
    size_t at = digits.size();
    do
      digits[--at] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    return add({digits.data() + at, digits.size() - at});
  }
  template <typename Plain> FixedText &addBytes(Plain value) {
    return add({reinterpret_cast<const char *>(&value), sizeof(value)});
  }
  /// In the form in which messages carry strings: the length, then the bytes.
  FixedText &addString(std::string_view text) {
    return addBytes(static_cast<uint64_t>(text.size())).add(text);
  }
  std::string_view view() const { return {m_data.data(), m_size}; }
  /// Ends with a zero, for system calls.
  const char *path() {
    m_data[std::min(m_size, Capacity - 1)] = '\0';
    return m_data.data();
  }

private:
  std::array<char, Capacity> m_data{};
  size_t m_size = 0;
};

/// A signal handler can only reach what is global.
struct State {
  int replies = -1;
  std::string folder;
  LastWordsJob job;
  std::atomic<bool> hasJob = false;
  /// The part of the names of reproducers that others cannot guess.
  uint64_t random = 0;
  /// The end of the working thread's stack, where an overflow faults.
  uintptr_t stackEnd = 0;
  compiler::StageId stage{};
  FixedText<128> pass;
  FixedText<1024> message;
  std::atomic<bool> outOfMemory = false;
  /// The thread that reports the fault; 0 while none does.
  std::atomic<pid_t> dying = 0;
};

} // namespace

static State &state() {
  static State instance;
  return instance;
}

static void writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0)
      return;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

static void writeFile(FixedText<1024> &path, std::string_view first, std::string_view second = {}) {
  const int file = open(path.path(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  writeAll(file, first);
  writeAll(file, second);
  close(file);
}

/// Saves the kernel and where the pipeline was. Returns the folder; empty when it cannot be made.
static std::string_view saveReproducer(FixedText<1024> &folder, std::string_view signal) {
  State &s = state();
  if (s.folder.empty())
    return {};
  folder.add(s.folder).add("/").addNumber(static_cast<uint64_t>(time(nullptr)));
  folder.add("-").addNumber(static_cast<uint64_t>(getpid())).add("-").addNumber(s.job.job);
  folder.add("-").addNumber(s.random);
  if (mkdir(folder.path(), 0700) != 0)
    return {};
  FixedText<1024> kernel;
  writeFile(kernel.add(folder.view()).add("/").add(s.job.fileName), s.job.text);
  FixedText<2048> place;
  place.add("stage: ").add(compiler::stageName(s.stage)).add("\npass: ").add(s.pass.view());
  place.add("\nsignal: ").add(signal).add("\nmessage: ").add(s.message.view()).add("\n");
  FixedText<1024> pipeline;
  writeFile(pipeline.add(folder.view()).add("/pipeline.txt"), place.view(), s.job.description);
  return folder.view();
}

/// The place in the variant `WorkerReply`, which is what a message begins with.
static constexpr int32_t kCrashedIndex = std::variant_size_v<compiler::WorkerReply> - 1;
static_assert(std::is_same_v<std::variant_alternative_t<kCrashedIndex, compiler::WorkerReply>,
                             compiler::CrashedReply>);

static void sendCrashed(Reason reason, std::string_view signal, std::string_view reproducer) {
  State &s = state();
  FixedText<4096> payload;
  payload.addBytes(kCrashedIndex).addBytes(s.job.job).addBytes(s.job.revision);
  payload.addBytes(static_cast<uint8_t>(reason)).addBytes(static_cast<uint8_t>(s.stage));
  payload.addString(s.pass.view()).addString(signal).addString(s.message.view());
  payload.addString(reproducer);
  FixedText<8> header;
  header.addBytes(static_cast<uint32_t>(payload.view().size()));
  writeAll(s.replies, header.view());
  writeAll(s.replies, payload.view());
}

[[noreturn]] static void die(Reason reason, std::string_view signal) {
  const pid_t self = gettid();
  if (pid_t reporting = 0; !state().dying.compare_exchange_strong(reporting, self)) {
    // A second fault while reporting the first must not come here again.
    if (reporting == self)
      _exit(70);
    // Another thread's report is complete before the process ends.
    while (true)
      pause();
  }
  if (state().hasJob) {
    FixedText<1024> folder;
    const std::string_view reproducer = saveReproducer(folder, signal);
    sendCrashed(reason, signal, reproducer);
  }
  _exit(70);
}

static std::string_view signalName(int number) {
  switch (number) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGABRT:
    return "SIGABRT";
  case SIGBUS:
    return "SIGBUS";
  case SIGILL:
    return "SIGILL";
  case SIGFPE:
    return "SIGFPE";
  case SIGUSR1:
    return "SIGUSR1";
  default:
    return "signal";
  }
}

/// An overflow faults in the guard behind the stack, or beyond it when a large frame skips that.
static bool isStackOverflow(int number, const siginfo_t &info) {
  constexpr uintptr_t kReach = 1 << 16;
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  const uintptr_t end = state().stackEnd;
  return number == SIGSEGV && end != 0 && address + kReach > end && address < end + kReach;
}

static void onSignal(int number, siginfo_t *info, void *) {
  // SIGUSR1 is the client that has lost patience.
  const bool isOverflow = isStackOverflow(number, *info);
  const Reason reason = number == SIGUSR1     ? Reason::Killed
                        : state().outOfMemory ? Reason::OutOfMemory
                        : isOverflow          ? Reason::StackOverflow
                                              : Reason::Crash;
  die(reason, isOverflow ? "stack overflow" : signalName(number));
}

static void onOutOfMemory() {
  state().outOfMemory = true;
  die(Reason::OutOfMemory, "out of memory");
}

/// For the calling thread.
static void maskClientSignal(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(how, &signals, nullptr);
}

void installLastWords(int replyDescriptor, const std::string &folder) {
  State &s = state();
  s.replies = replyDescriptor;
  s.folder = folder;
  if (getrandom(&s.random, sizeof(s.random), 0) < 0)
    s.random = 0;
  std::set_new_handler(&onOutOfMemory);
  struct sigaction action{};
  action.sa_sigaction = &onSignal;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGUSR1})
    sigaction(number, &action, nullptr);
  maskClientSignal(SIG_BLOCK);
}

void answerClient() { maskClientSignal(SIG_UNBLOCK); }

void reportStackOverflows() {
  // A stack that overflowed cannot run the handler.
  static std::array<char, 1 << 16> handlerStack;
  stack_t alternative{};
  alternative.ss_sp = handlerStack.data();
  alternative.ss_size = handlerStack.size();
  sigaltstack(&alternative, nullptr);
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  void *end = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &end, &size);
  pthread_attr_destroy(&attributes);
  state().stackEnd = reinterpret_cast<uintptr_t>(end);
}

void setLastWordsJob(LastWordsJob job) {
  State &s = state();
  s.hasJob = false;
  s.job = std::move(job);
  s.message.clear();
  s.pass.clear();
  s.stage = compiler::StageId::Ast;
  s.hasJob = true;
}

void clearLastWordsJob() { state().hasJob = false; }

void setLastWordsStep(compiler::StageId stage, std::string_view pass) {
  state().stage = stage;
  state().pass.clear();
  state().pass.add(pass);
}

void setLastWordsMessage(const char *message) {
  state().message.clear();
  state().message.add(message);
}

} // namespace tilescope::app
