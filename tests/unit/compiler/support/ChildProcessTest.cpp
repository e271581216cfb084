// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/ChildProcess.h"

#include "compiler/support/Spawn.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <sys/wait.h>
#include <thread>

using namespace std::chrono_literals;
using namespace tilescope;

TEST_CASE("a child's output and status are collected", "[compiler]") {
  const Result<ChildOutput> child =
      runChild("/bin/sh", {"-c", "printf out; printf err >&2; exit 3"}, 10s);
  REQUIRE(child);
  CHECK(child->status == 3);
  CHECK(child->standardOutput == "out");
  CHECK(child->standardError == "err");
  CHECK_FALSE(child->timedOut);
}

TEST_CASE("more output than a pipe holds does not block", "[compiler]") {
  const Result<ChildOutput> child =
      runChild("/bin/sh", {"-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"}, 10s);
  REQUIRE(child);
  CHECK(child->standardOutput.size() == 300000);
  CHECK(child->standardError.size() == 300000);
}

TEST_CASE("a child that takes too long is stopped", "[compiler]") {
  const auto begin = std::chrono::steady_clock::now();
  const Result<ChildOutput> child = runChild("/bin/sleep", {"30"}, 50ms);
  REQUIRE(child);
  CHECK(child->timedOut);
  CHECK(child->status == 128 + SIGKILL);
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
}

TEST_CASE("a child that closes its pipes and goes on is stopped, too", "[compiler]") {
  const auto begin = std::chrono::steady_clock::now();
  const Result<ChildOutput> child =
      runChild("/bin/sh", {"-c", "exec >&- 2>&-; exec sleep 30"}, 200ms);
  REQUIRE(child);
  CHECK(child->timedOut);
  CHECK(child->status == 128 + SIGKILL);
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
}

TEST_CASE("a child is killed as soon as a stop is requested", "[compiler]") {
  for (const char *program : {"exec sleep 30", "exec >&- 2>&-; exec sleep 30"}) {
    std::stop_source source;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(50ms);
      source.request_stop();
    });
    const auto begin = std::chrono::steady_clock::now();
    const Result<ChildOutput> child = runChild("/bin/sh", {"-c", program}, 60s, source.get_token());
    REQUIRE(child);
    CHECK(child->stopped);
    CHECK_FALSE(child->timedOut);
    CHECK(child->status == 128 + SIGKILL);
    CHECK(std::chrono::steady_clock::now() - begin < 10s);
  }
  // A stop that was requested before, and one that never is.
  std::stop_source source;
  source.request_stop();
  CHECK(runChild("/bin/sleep", {"30"}, 60s, source.get_token())->stopped);
  const std::stop_source other;
  const Result<ChildOutput> whole =
      runChild("/bin/sh", {"-c", "printf out"}, 60s, other.get_token());
  CHECK_FALSE(whole->stopped);
  CHECK(whole->standardOutput == "out");
}

TEST_CASE("a program without which nothing can be done is an error, and leaves no child",
          "[compiler]") {
  const auto child =
      startProgram("/nonexistent/program", {}, {.pipeInput = true}, "it comes with the compiler");
  REQUIRE_FALSE(child);
  CHECK(child.error().message ==
        "`/nonexistent/program` cannot be started: No such file or directory");
  CHECK(child.error().hint == "it comes with the compiler");
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("a program that does not exist ends with status 127", "[compiler]") {
  const Result<ChildOutput> child = runChild("/no/such/program", {}, 10s);
  REQUIRE(child);
  CHECK(child->status == 127);
}

TEST_CASE("a child reads and writes memory files by path", "[compiler]") {
  const MemoryFile input("some text"), output;
  REQUIRE(input.valid());
  const Result<ChildOutput> child =
      runChild("/bin/sh", {"-c", "tr a-z A-Z < " + input.path() + " > " + output.path()}, 10s);
  REQUIRE(child);
  CHECK(child->status == 0);
  CHECK(output.content() == "SOME TEXT");
}
