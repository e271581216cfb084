// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/KernelPackage.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;

static KernelPackage example() {
  KernelPackage package;
  package.symbol = "scale";
  package.target = "cuda:90";
  package.numWarps = 8;
  package.sharedBytes = 1024;
  package.parameters = {{"x_ptr", "*fp32"}, {"n", "i32"}};
  package.registers = 24;
  package.plan.kernel = "scale";
  package.plan.grid = {7, 2, 1};
  package.plan.args = {{"x_ptr", PlanTensor{Dtype::Fp32, {100}, {}}},
                       {"n", PlanScalar{"i32", int64_t(100)}}};
  package.plan.bytes = 800;
  package.sourceText = "def scale(): pass\n";
  package.generator = "tilescope";
  package.cubin = std::string("\x7f"
                              "ELF\0\0binary",
                              12);
  package.ptx = ".version 8.0\n";
  return package;
}

TEST_CASE("a package survives writing and reading", "[profiler]") {
  auto read = decodePackage(encodePackage(example()));
  REQUIRE(read);
  CHECK(*read == example());
}

TEST_CASE("a package cut off anywhere is refused", "[profiler]") {
  std::string good = encodePackage(example());
  for (size_t size = 0; size < good.size(); ++size)
    REQUIRE_FALSE(decodePackage(std::string_view(good).substr(0, size)));
}

TEST_CASE("a package with any byte altered is refused or keeps its machine code", "[profiler]") {
  std::string good = encodePackage(example());
  for (size_t place = 0; place < good.size(); ++place) {
    std::string bad = good;
    bad[place] = char(bad[place] ^ 0x15);
    auto read = decodePackage(bad);
    if (read && !read->cubin.empty())
      REQUIRE(read->cubin == example().cubin);
  }
}

TEST_CASE("the reason of a refusal is named", "[profiler]") {
  auto check = [](const std::string &bytes, const std::string &message) {
    auto read = decodePackage(bytes);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find(message) != std::string::npos);
  };
  std::string good = encodePackage(example());
  std::string newer = good;
  newer[8] = 9;
  check("", "does not begin with");
  check(newer, "format 9");
  check(good.substr(0, 40), "header is cut off");
  check(good.substr(0, good.size() - 1), "`ptx` is cut off");
  std::string damaged = good;
  damaged.back() ^= 1;
  check(damaged, "`ptx` is damaged");
  KernelPackage empty = example();
  empty.cubin.clear();
  empty.ptx.clear();
  check(encodePackage(empty), "no machine code");
  KernelPackage odd = example();
  odd.numWarps = 33;
  check(encodePackage(odd), "`num_warps` is 33");
  auto missing = readPackage("/no/such.tskernel");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("/no/such.tskernel") != std::string::npos);
}
