// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes from a client of the runner: frames come out the same whether the bytes arrive at once
// or one by one, their JSON is bounded, and every request ends in a result or in an error with
// words.
#include "profiler/data/BoundedJson.h"
#include "profiler/runner/Frames.h"
#include "profiler/runner/Job.h"
#include "tests/fuzz/Check.h"

#include <vector>

using namespace tilescope::profiler;
using tilescope::fuzz::require;

/// The bodies, then the message of what ended them.
static std::vector<std::string> framesOf(std::string_view bytes, size_t step) {
  std::vector<std::string> found;
  FrameReader reader(1 << 20);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
    reader.feed(bytes.substr(0, step));
    while (true) {
      const auto frame = reader.next();
      if (!frame) {
        found.push_back(frame.error().message);
        return found;
      }
      if (!*frame)
        break;
      found.push_back(**frame);
    }
  }
  return found;
}

static void checkRequest(std::string_view body) {
  const auto request = parseJson(body);
  if (!request)
    return require(!request.error().message.empty(), "a refusal has a message");
  // A run would read files and look for a driver: only its parameters and its package are the
  // point.
  if (!request->is_object() || request->value("params", nlohmann::json()).contains("package"))
    return;
  const auto result = performJob(*request, [](const RunState &, const std::string &) {});
  require(result || !result.error().message.empty(), "an error has a message");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  const std::vector<std::string> frames = framesOf(bytes, size + 1);
  if (size < 2000)
    require(framesOf(bytes, 1).size() == frames.size(), "frames do not depend on how they arrive");
  for (const std::string &frame : frames)
    checkRequest(frame);
  checkRequest(bytes);
  return 0;
}
