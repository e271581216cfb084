// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a kernel package, as its header with sound bytes around it, and as a launch plan:
// what is accepted is within its bounds and survives being written.
#include "profiler/package/KernelPackage.h"
#include "profiler/package/PlanBounds.h"
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

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  checkPackage(text);
  std::string package = "TSKERNEL" + std::string("\1\0\0\0", 4);
  for (int shift = 0; shift < 32; shift += 8)
    package += char(size >> shift & 0xff);
  package += text;
  package.resize((package.size() + 15) / 16 * 16);
  checkPackage(package + "ptx");
  if (const auto plan = launchPlanFromJson(text)) {
    require(bool(checkPlan(*plan)), "an accepted plan is within its bounds");
    require(bool(launchPlanFromJson(launchPlanToJson(*plan))), "what is written can be read");
    launchSignature(*plan);
  }
  return 0;
}
