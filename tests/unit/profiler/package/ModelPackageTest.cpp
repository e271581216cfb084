// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/ModelPackage.h"

#include "profiler/package/StepOrder.h"
#include "tests/unit/profiler/SmallModelPackage.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

using Steps = std::vector<std::vector<size_t>>;

TEST_CASE("a model package survives writing and reading", "[profiler]") {
  const auto read = decodeModelPackage(encodeModelPackage(smallModelPackage()));
  REQUIRE(read);
  CHECK(*read == smallModelPackage());
}

TEST_CASE("equal machine code is in a model package once", "[profiler]") {
  ModelPackage package = smallModelPackage();
  const size_t before = encodeModelPackage(package).size();
  const std::string code(10000, 'c');
  for (ModelStep &step : package.steps)
    step.kernel.cubin = code;
  CHECK(encodeModelPackage(package).size() < before + 11000);
}

TEST_CASE("a model package cut off anywhere or altered is refused", "[profiler]") {
  const std::string good = encodeModelPackage(smallModelPackage());
  for (size_t size = 0; size < good.size(); ++size)
    REQUIRE_FALSE(decodeModelPackage(std::string_view(good).substr(0, size)));
  for (size_t place = 0; place < good.size(); ++place) {
    std::string bad = good;
    bad[place] = char(bad[place] ^ 0x15);
    // What is accepted is within its bounds: the order and a run rely on it.
    if (const auto read = decodeModelPackage(bad))
      CHECK(stepOrder(*read).size() == read->steps.size());
  }
}

TEST_CASE("what a model package must not say is refused with the reason", "[profiler]") {
  const auto check = [](const std::string &message,
                        const std::function<void(ModelPackage &)> &spoil) {
    ModelPackage package = smallModelPackage();
    spoil(package);
    const auto read = decodeModelPackage(encodeModelPackage(package));
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error().message, Catch::Contains(message));
  };
  check("buffer 1 is outside the memory", [](ModelPackage &p) { p.buffers[1].at = 256 * 6; });
  check("buffer 1 is outside the memory",
        [](ModelPackage &p) { p.buffers[1].bytes = UINT64_MAX - 128; });
  check("buffer 2 begins at 513", [](ModelPackage &p) { p.buffers[2].at = 513; });
  check("buffer 5 has contents that do not fill it",
        [](ModelPackage &p) { p.buffers[5].bytes = 15; });
  check("bytes of memory", [](ModelPackage &p) { p.memoryBytes = UINT64_MAX; });
  check("step 2: `x` lies in buffer 9, and there are 6",
        [](ModelPackage &p) { p.steps[2].tensors[0].buffer = 9; });
  check("step 2: `x` takes 16 bytes, and its buffer has 8", [](ModelPackage &p) {
    p.buffers[0].bytes = 8;
    p.steps[0].tensors[2].buffer = 1;
  });
  check("step 0: `y` has no place in the memory",
        [](ModelPackage &p) { p.steps[0].tensors.erase(p.steps[0].tensors.begin() + 1); });
  check("step 0: `x` has two places",
        [](ModelPackage &p) { p.steps[0].tensors[1].argument = "x"; });
  check("step 0: `q` is not a tensor of the launch",
        [](ModelPackage &p) { p.steps[0].tensors[1].argument = "q"; });
  check("step 3: `out` is written, and its buffer has contents",
        [](ModelPackage &p) { p.steps[3].tensors[1].buffer = 5; });
  check("`y` takes 4000 bytes", [](ModelPackage &p) { p.outputs[0].shape = {10, 100}; });
  check("`x` lies in buffer 77", [](ModelPackage &p) { p.inputs[0].buffer = 77; });
  check("step 1: it holds no machine code",
        [](ModelPackage &p) { p.steps[1].kernel.cubin.clear(); });
  check("step 1: `num_warps` is 33", [](ModelPackage &p) { p.steps[1].kernel.numWarps = 33; });
  check("that is too many", [](ModelPackage &p) { p.buffers.resize(kMostModelBuffers + 1); });
}

TEST_CASE("steps wait for what they read and for those whose place they take", "[profiler]") {
  // z takes the place of a, which y reads; b, which it reads, was over before y began.
  CHECK(stepOrder(smallModelPackage()) == Steps{{}, {}, {0, 1}, {2}});
  ModelPackage apart = smallModelPackage();
  apart.buffers[3].at = 1024;
  apart.buffers[5].at = 1280;
  apart.memoryBytes += 256;
  CHECK(stepOrder(apart) == Steps{{}, {}, {0, 1}, {1}});
}

TEST_CASE("buffers that overlap in part keep the order of steps", "[profiler]") {
  ModelPackage package = smallModelPackage();
  // A long buffer over b and y: both are read before it is written, and it is written once more.
  package.buffers.push_back({256, 512, ""});
  package.steps.push_back(vectorStep("Fill", "fill", {{"out", 6, true}}));
  package.steps.push_back(vectorStep("Fill_again", "fill", {{"out", 6, true}}));
  CHECK(stepOrder(package) == Steps{{}, {}, {0, 1}, {2}, {3}, {4}});
}
