// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Base64.h"
#include "profiler/runner/Frames.h"
#include "profiler/runner/JobProcess.h"

#include <catch2/catch.hpp>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::profiler;
using nlohmann::json;

TEST_CASE("frames come out whole however the bytes arrive", "[profiler]") {
  std::string bytes =
      encodeFrame("{\"a\":1}") + encodeFrame("") + encodeFrame(std::string(5000, 'x'));
  FrameReader reader(1 << 20);
  std::vector<std::string> bodies;
  for (char byte : bytes) {
    reader.feed({&byte, 1});
    auto body = reader.next();
    REQUIRE(body);
    if (*body)
      bodies.push_back(**body);
  }
  REQUIRE(bodies.size() == 3);
  CHECK(bodies[0] == "{\"a\":1}");
  CHECK(bodies[1].empty());
  CHECK(bodies[2].size() == 5000);
}

TEST_CASE("bytes that are not frames are refused", "[profiler]") {
  for (const std::string &bytes :
       {std::string("Hello: 3\r\n\r\n"), std::string("Content-Length: x\r\n\r\n"),
        std::string("Content-Length: 99999999999999\r\n\r\n"), std::string(2000, 'a'),
        std::string("X-Content-Length: 3\r\n\r\nabc"), std::string("Content-Length: -1\r\n\r\n"),
        std::string("Content-Length: 3x\r\n\r\nabc"), std::string("Content-Length:\r\n\r\n"),
        std::string("Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
        std::string("Content-Length: 3\r\ngarbage\r\n\r\nabc"), std::string("\r\n\r\n"),
        std::string("Content-Length: 2000000\r\n\r\n")}) {
    FrameReader reader(1 << 20);
    reader.feed(bytes);
    CHECK_FALSE(reader.next());
  }
}

TEST_CASE("base64 is that of everybody", "[profiler]") {
  CHECK(encodeBase64("") == "");
  CHECK(encodeBase64("f") == "Zg==");
  CHECK(encodeBase64("foobar") == "Zm9vYmFy");
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += char(i);
    CHECK(decodeBase64(encodeBase64(all)) == all);
  }
  CHECK_FALSE(decodeBase64("Zg="));
  CHECK_FALSE(decodeBase64("Z!=="));
  CHECK_FALSE(decodeBase64("Z===Zg=="));
}

/// Runs a shell script in the child's place.
static Result<json> runScript(const std::string &script, ChildLimits limits = {},
                              ChildHooks hooks = {}) {
  return runInChild({{"/bin/sh", "-c", script}}, {{"method", "run"}}, limits, hooks);
}

/// A script line that sends a frame.
static std::string frame(const std::string &body) {
  return "printf 'Content-Length: " + std::to_string(body.size()) + "\\r\\n\\r\\n" + body + "'; ";
}

static const std::string kLaunch = frame("{\"progress\":\"launch\",\"kernel\":\"k\"}");

TEST_CASE("a child's result and its error come through", "[profiler]") {
  auto result = runScript("cat > /dev/null; " + frame("{\"result\":42}"));
  REQUIRE(result);
  CHECK(*result == 42);
  auto error = runScript(
      frame("{\"error\":{\"code\":\"environment\",\"message\":\"no\",\"hint\":\"buy\"}}"));
  REQUIRE_FALSE(error);
  CHECK(error.error().code == ErrorCode::Environment);
  CHECK(error.error().hint == "buy");
}

TEST_CASE("a child that hangs is ended at its limit, with the kernel named", "[profiler]") {
  ChildLimits limits;
  limits.launch = std::chrono::milliseconds(300);
  auto begin = std::chrono::steady_clock::now();
  auto result = runScript(kLaunch + "exec sleep 60", limits);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "kernel `k`: did not finish within 0.3 s and was stopped");
}

TEST_CASE("the time limit is the kernel's: other work has limits and words of its own",
          "[profiler]") {
  ChildLimits limits;
  limits.launch = std::chrono::milliseconds(200);
  limits.measure = std::chrono::milliseconds(100);
  const auto inState = [](const std::string &state) {
    return frame(R"({"progress":")" + state + R"(","kernel":"k"})");
  };
  // What follows the launch may take longer than the launch.
  const std::string afterwards = kLaunch + inState("outputs") + "sleep 0.6; ";
  auto result = runScript("cat > /dev/null; " + afterwards + frame("{\"result\":1}"), limits);
  CHECK(result);
  limits.outputs = std::chrono::milliseconds(250);
  result = runScript(kLaunch + inState("outputs") + "exec sleep 60", limits);
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "kernel `k`: finished, but fetching, comparing and storing its "
                                  "outputs took more than 0.25 s");
  result = runScript(kLaunch + inState("outputs") + inState("measure") + "exec sleep 60", limits);
  REQUIRE_FALSE(result);
  CHECK(result.error().message ==
        "kernel `k`: finished once, but the launches that measure it took more than 0.3 s");
  limits.prepare = std::chrono::milliseconds(150);
  result = runScript(inState("prepare") + "exec sleep 60", limits);
  REQUIRE_FALSE(result);
  CHECK(result.error().message ==
        "kernel `k`: the preparation of the launch took more than 0.15 s");
}

TEST_CASE("a child that dies leads to an error with the signal", "[profiler]") {
  auto crashed = runScript(kLaunch + "kill -SEGV $$");
  REQUIRE_FALSE(crashed);
  CHECK(crashed.error().message.find("kernel `k`: the process that ran it was ended by signal") ==
        0);
  auto ended = runScript("exit 7");
  REQUIRE_FALSE(ended);
  CHECK(ended.error().message.find("ended with status 7") != std::string::npos);
  CHECK_FALSE(runScript("echo nonsense; exec sleep 0.2"));
  CHECK_FALSE(runInChild({{"/no/such/program"}}, {}, {}, {}));
}

TEST_CASE("progress is passed on, and a job can be cancelled", "[profiler]") {
  std::vector<std::string> states;
  ChildHooks hooks;
  hooks.onProgress = [&](const json &message) { states.push_back(message.at("progress")); };
  REQUIRE(runScript(kLaunch + frame("{\"progress\":\"measure\"}") + frame("{\"result\":1}"), {},
                    hooks));
  CHECK(states == std::vector<std::string>{"launch", "measure"});
  int pipe_[2];
  REQUIRE(pipe(pipe_) == 0);
  REQUIRE(write(pipe_[1], "x", 1) == 1);
  hooks.watchedFile = pipe_[0];
  hooks.onWatched = [] { return false; };
  auto cancelled = runScript(kLaunch + "exec sleep 60", {}, hooks);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().code == ErrorCode::Cancelled);
}

TEST_CASE("a large request reaches the child", "[profiler]") {
  json request = {{"data", std::string(3 << 20, 'z')}};
  auto result = runInChild({{"/bin/sh", "-c",
                             "n=$(wc -c); body=\"{\\\"result\\\":$n}\"; "
                             "printf 'Content-Length: %d\\r\\n\\r\\n%s' ${#body} \"$body\""}},
                           request, {}, {});
  REQUIRE(result);
  CHECK(*result == request.dump().size());
}
