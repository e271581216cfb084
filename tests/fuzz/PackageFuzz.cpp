// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a kernel package, as its header with sound bytes around it, as a model package in the same
// two ways, and as a launch plan: what is accepted is within its bounds and survives being written.
#include "profiler/package/KernelPackage.h"
#include "profiler/package/ModelPackage.h"
#include "profiler/package/PlanBounds.h"
#include "profiler/package/StepOrder.h"
#include "tests/fuzz/Check.h"

#include <string>

using namespace tilescope::profiler;
using tilescope::fuzz::require;

static void checkPackage(std::string_view bytes) {
  const auto package = decodePackage(bytes);
  if (!package)
    return require(!package.error().message.empty(), "a refusal has a message");
  require(bool(checkPlan(package->plan)), "an accepted plan is within its bounds");
  const auto again = decodePackage(encodePackage(*package));
  require(again && again->ptx == package->ptx, "what is written can be read");
}

static void checkModel(std::string_view bytes) {
  const auto package = decodeModelPackage(bytes);
  if (!package)
    return require(!package.error().message.empty(), "a refusal has a message");
  const auto order = stepOrder(*package);
  for (size_t step = 0; step < order.size(); ++step)
    for (const size_t earlier : order[step])
      require(earlier < step, "a step waits for earlier ones");
  const auto again = decodeModelPackage(encodeModelPackage(*package));
  require(again && again->steps.size() == order.size(), "what is written can be read");
}

/// A file of that form whose header is the text.
static std::string withHeader(std::string_view magic, const std::string &text) {
  std::string package = std::string(magic) + std::string("\1\0\0\0", 4);
  for (int shift = 0; shift < 32; shift += 8)
    package += char(text.size() >> shift & 0xff);
  package += text;
  package.resize((package.size() + 15) / 16 * 16);
  return package + "ptx";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  checkPackage(text);
  checkPackage(withHeader("TSKERNEL", text));
  checkModel(text);
  checkModel(withHeader("TS-MODEL", text));
  if (const auto plan = launchPlanFromJson(text)) {
    require(bool(checkPlan(*plan)), "an accepted plan is within its bounds");
    require(bool(launchPlanFromJson(launchPlanToJson(*plan))), "what is written can be read");
    launchSignature(*plan);
  }
  return 0;
}
