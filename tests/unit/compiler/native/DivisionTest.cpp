// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Quotients and remainders of lanes by one number are those of C, up to the last number of each type.
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace tilescope;
using namespace tilescope::tests;

static constexpr int kNumElements = 4096;

/// `quotients[i] = x[i] / d` and `remainders[i] = x[i] % d`.
static std::string kernelOf(const std::string &type, const std::string &sign) {
  std::string text = R"(
tt.func public @k(%x: !tt.ptr<T>, %q: !tt.ptr<T>, %r: !tt.ptr<T>, %d: T) {
  %range = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
  %xs = tt.splat %x : !tt.ptr<T> -> tensor<4096x!tt.ptr<T>>
  %qs = tt.splat %q : !tt.ptr<T> -> tensor<4096x!tt.ptr<T>>
  %rs = tt.splat %r : !tt.ptr<T> -> tensor<4096x!tt.ptr<T>>
  %xp = tt.addptr %xs, %range : tensor<4096x!tt.ptr<T>>, tensor<4096xi32>
  %qp = tt.addptr %qs, %range : tensor<4096x!tt.ptr<T>>, tensor<4096xi32>
  %rp = tt.addptr %rs, %range : tensor<4096x!tt.ptr<T>>, tensor<4096xi32>
  %a = tt.load %xp : tensor<4096x!tt.ptr<T>>
  %ds = tt.splat %d : T -> tensor<4096xT>
  %quotient = arith.divSIGN %a, %ds : tensor<4096xT>
  %remainder = arith.remSIGN %a, %ds : tensor<4096xT>
  tt.store %qp, %quotient : tensor<4096x!tt.ptr<T>>
  tt.store %rp, %remainder : tensor<4096x!tt.ptr<T>>
  tt.return
}
)";
  const auto replace = [&](const std::string &what, const std::string &with) {
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
      text.replace(at, what.size(), with);
  };
  replace("SIGN", sign);
  replace("<T>", "<" + type + ">");
  replace("xT>", "x" + type + ">");
  replace(" T ", " " + type + " ");
  replace(" T)", " " + type + ")");
  return text;
}

/// Both ends of the type, what is beside multiples of the divisor, and anything.
template <typename T> static std::vector<T> dividendsFor(T divisor, std::mt19937_64 &random) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all{Limits::min(), Limits::max(), 0, 1, T(-1), divisor};
  while (all.size() < kNumElements) {
    const T any = static_cast<T>(random());
    const T multiple = static_cast<T>(any - any % divisor);
    for (const T value :
         {any, multiple, static_cast<T>(multiple - 1), static_cast<T>(multiple + 1)})
      all.push_back(value);
  }
  all.resize(kNumElements);
  return all;
}

template <typename T> static void checkDivisions(const std::string &type) {
  const bool isSigned = std::numeric_limits<T>::is_signed;
  std::mt19937_64 random(1);
  for (const unsigned vectorBytes : {0U, 16U, 32U}) {
    const native::NativeKernel kernel =
        compiledKernel(kernelOf(type, isSigned ? "si" : "ui"), {.vectorBytes = vectorBytes});
    for (int i = 0; i < 300; ++i) {
      // Of all sizes.
      T divisor = static_cast<T>(random());
      divisor = static_cast<T>(divisor >> (random() % (8 * sizeof(T))));
      if (divisor == 0 || (isSigned && divisor == T(-1)))
        continue;
      const std::vector<T> x = dividendsFor(divisor, random);
      std::vector<T> quotients(x.size()), remainders(x.size());
      REQUIRE(native::runGrid(kernel,
                              std::array{word(const_cast<std::vector<T> &>(x)), word(quotients),
                                         word(remainders), static_cast<uint64_t>(divisor)},
                              {})
                  .completed);
      for (size_t at = 0; at < x.size(); ++at) {
        if (quotients[at] == static_cast<T>(x[at] / divisor) &&
            remainders[at] == static_cast<T>(x[at] % divisor))
          continue;
        INFO(type << ": " << +x[at] << " by " << +divisor);
        CHECK(+quotients[at] == +static_cast<T>(x[at] / divisor));
        CHECK(+remainders[at] == +static_cast<T>(x[at] % divisor));
        return;
      }
    }
  }
}

TEST_CASE("lanes are divided by one number as C divides", "[compiler][native]") {
  checkDivisions<int8_t>("i8");
  checkDivisions<uint8_t>("i8");
  checkDivisions<int16_t>("i16");
  checkDivisions<uint16_t>("i16");
  checkDivisions<int32_t>("i32");
  checkDivisions<uint32_t>("i32");
  checkDivisions<int64_t>("i64");
}

TEST_CASE("a divisor of 0 or -1 has the interpreter's results", "[compiler][native]") {
  const native::NativeKernel kernel = compiledKernel(kernelOf("i32", "si"));
  std::vector<int32_t> x(kNumElements, 7), quotients(x.size()), remainders(x.size());
  x[1] = std::numeric_limits<int32_t>::min();
  const auto run = [&](int32_t divisor) {
    const std::array words{word(x), word(quotients), word(remainders),
                           static_cast<uint64_t>(static_cast<uint32_t>(divisor))};
    REQUIRE(native::runGrid(kernel, words, {}).completed);
  };
  run(0);
  CHECK(quotients[0] == -1);
  CHECK(remainders[0] == 7);
  run(-1);
  CHECK(quotients[0] == -7);
  CHECK(remainders[0] == 0);
  CHECK(quotients[1] == x[1]);
  CHECK(remainders[1] == 0);
}
