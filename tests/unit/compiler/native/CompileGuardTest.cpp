// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Compilations that crash.
#include "compiler/native/CompileGuard.h"

#include "tests/unit/compiler/native/RunNative.h"

#include "llvm/Support/ErrorHandling.h"

#include <catch2/catch.hpp>
#include <csignal>

using namespace tilescope;
using namespace tilescope::tests;

static constexpr const char *kKernel = R"(
tt.func public @k(%out: !tt.ptr<f32>) {
  %one = arith.constant 1.0 : f32
  tt.store %out, %one : !tt.ptr<f32>
  tt.return
}
)";

/// What becomes of a compilation that does this.
static Result<native::NativeKernel> compiledWith(void (*crash)()) {
  return native::compileGuarded([&]() -> Result<native::NativeKernel> {
    crash();
    return compiledKernel(kKernel);
  });
}

TEST_CASE("a compilation that crashes is an error", "[compiler][native]") {
  const auto checkFails = [](void (*crash)()) {
    const Result<native::NativeKernel> kernel = compiledWith(crash);
    REQUIRE_FALSE(kernel);
    CHECK(kernel.error().code == ErrorCode::Internal);
    CHECK(kernel.error().message == "LLVM crashed on the kernel");
  };
  checkFails([] { raise(SIGSEGV); });
  checkFails([] { std::abort(); });
  checkFails([] { llvm::report_fatal_error("cannot select an instruction"); });
  // Others go on.
  const Result<native::NativeKernel> kernel = compiledWith([] {});
  REQUIRE(kernel);
  float out = 0;
  const uint64_t where = reinterpret_cast<uint64_t>(&out);
  CHECK(native::runGrid(*kernel, {&where, 1}, {}).completed);
  CHECK(out == 1);
}
