// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Assembler.h"

#include "compiler/target/LoadsUnderWay.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

static constexpr const char *kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.b64 %rd1, [k_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  st.global.b32 [%rd2], %r1;
  ret;
}
)";

TEST_CASE("registers, spills and shared memory are read from the assembler's report",
          "[compiler]") {
  const Resources resources = parseAssemblerResources(
      "ptxas info    : Function properties for k\n"
      "    120 bytes stack frame, 100 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 1 barriers, 4096 bytes smem, 380 bytes cmem[0]\n");
  CHECK(resources.registers == 168);
  CHECK(resources.spillBytes == 120);
  CHECK(resources.spillLoadBytes == 20);
  CHECK(resources.sharedBytes == 4096);
}

TEST_CASE("an assembler's error is found with its line", "[compiler]") {
  const std::vector<AssemblerMessage> messages =
      parseAssemblerErrors("ptxas kernel.ptx, line 12; error   : Unknown symbol 'x'\n"
                           "ptxas fatal   : Ptx assembly aborted due to errors\n");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0] == AssemblerMessage{11, "Unknown symbol 'x'"});
}

TEST_CASE("without an assembler the error names what provides one", "[compiler]") {
  const Result<AssembledCode> code = assemblePtx({}, kPtx, {});
  REQUIRE_FALSE(code);
  CHECK(code.error().code == ErrorCode::Environment);
  CHECK(code.error().hint.find("CUDA Toolkit") != std::string::npos);
}

/// Runs `check` with each assembler that this machine has, and says when it has none.
template <typename Check> static void withEachAssembler(Check check) {
  const CudaToolkit toolkit = findCudaToolkit();
  if (!toolkit.hasAssembler())
    WARN("skipped: this machine has neither nvJitLink nor ptxas");
  if (toolkit.nvJitLink != nullptr) {
    CudaToolkit only = toolkit;
    only.ptxas.clear();
    check(only);
  }
  if (!toolkit.ptxas.empty()) {
    CudaToolkit only = toolkit;
    only.nvJitLink = nullptr;
    check(only);
  }
}

TEST_CASE("PTX becomes a cubin", "[compiler]") {
  withEachAssembler([](const CudaToolkit &toolkit) {
    for (int capability : {80, 90, 120}) {
      std::string ptx(kPtx);
      AssembleOptions options;
      options.target = {capability};
      if (capability == 120)
        ptx.replace(ptx.find("8.0"), 3, "8.7");
      ptx.replace(ptx.find("sm_80"), 5, options.target.processor());
      const Result<AssembledCode> code = assemblePtx(toolkit, ptx, options);
      REQUIRE(code);
      INFO((code->errors.empty() ? "" : code->errors[0].text));
      REQUIRE(code->cubin.size() > 4);
      CHECK(code->cubin.substr(1, 3) == "ELF");
      CHECK(code->resources.registers > 0);
      CHECK(code->resources.spillBytes == 0);
      CHECK(code->resources.sharedBytes == 0);
    }
  });
}

/// A kernel of 128 threads that holds `live` numbers at once, and asks for one block.
static std::string ptxThatHolds(int live) {
  std::string ptx = ".version 8.0\n.target sm_80\n.address_size 64\n"
                    ".visible .entry k(.param .u64 k_param_0)\n.reqntid 128\n.minnctapersm 1\n{\n"
                    "  .reg .b64 %rd<3>;\n  .reg .b32 %r<" +
                    std::to_string(live) +
                    ">;\n  ld.param.b64 %rd1, [k_param_0];\n"
                    "  cvta.to.global.u64 %rd2, %rd1;\n";
  for (int i = 0; i < live; ++i)
    ptx += "  ld.volatile.global.b32 %r" + std::to_string(i) + ", [%rd2 + " +
           std::to_string(512 * i) + "];\n";
  ptx += "  bar.sync 0;\n";
  for (int i = 0; i < live; ++i)
    ptx += "  st.volatile.global.b32 [%rd2 + " + std::to_string(512 * i) + "], %r" +
           std::to_string(i) + ";\n";
  return ptx + "  ret;\n}\n";
}

TEST_CASE("more blocks are fitted on a multiprocessor only where that does not spill",
          "[compiler]") {
  CudaToolkit toolkit = findCudaToolkit();
  if (toolkit.ptxas.empty()) {
    WARN("skipped: this machine has no ptxas");
    return;
  }
  const auto registers = [&](int live, int blocks) {
    AssembleOptions options;
    options.target = {80};
    if (blocks > 0)
      options.blockWishes = {{blocks, 64}};
    const Result<AssembledCode> code = assemblePtx(toolkit, ptxThatHolds(live), options);
    REQUIRE(code);
    REQUIRE_FALSE(code->cubin.empty());
    return code->resources.registers;
  };
  // 65,536 registers for 8 blocks of 128 threads are 64 for each thread.
  const int64_t few = registers(60, 0);
  CHECK(few > 64);
  CHECK(registers(60, 8) <= 64);
  const int64_t many = registers(120, 0);
  CHECK(many >= 120);
  CHECK(registers(120, 8) == many);
}

/// A kernel of 128 threads that loads `wide` numbers in one go and uses them behind a barrier,
/// beside `live` others.
static std::string ptxThatLoads(int wide, int live) {
  std::string ptx = ".version 8.0\n.target sm_80\n.address_size 64\n"
                    ".visible .entry k(.param .u64 k_param_0)\n.reqntid 128\n.minnctapersm 1\n{\n"
                    "  .reg .b64 %rd<3>;\n  .reg .b32 %r<" +
                    std::to_string(wide + live) +
                    ">;\n  ld.param.b64 %rd1, [k_param_0];\n"
                    "  cvta.to.global.u64 %rd2, %rd1;\n";
  const auto address = [](int i) { return "[%rd2 + " + std::to_string(512 * i) + "]"; };
  for (int i = wide; i < wide + live; ++i)
    ptx += "  mov.u32 %r" + std::to_string(i) + ", %clock;\n";
  for (int i = 0; i < wide; ++i)
    ptx += "  ld.global.b32 %r" + std::to_string(i) + ", " + address(i) + ";\n";
  ptx += "  bar.sync 0;\n";
  for (int i = 0; i < wide + live; ++i)
    ptx += "  st.global.b32 " + address(i) + ", %r" + std::to_string(i) + ";\n";
  return ptx + "  ret;\n}\n";
}

/// A kernel of 128 threads that adds up `count` numbers.
static std::string ptxThatAddsUp(int count) {
  std::string ptx = ".version 8.0\n.target sm_80\n.address_size 64\n"
                    ".visible .entry k(.param .u64 k_param_0)\n.reqntid 128\n.minnctapersm 1\n{\n"
                    "  .reg .b64 %rd<3>;\n  .reg .b32 %r<" +
                    std::to_string(count + 1) +
                    ">;\n  ld.param.b64 %rd1, [k_param_0];\n"
                    "  cvta.to.global.u64 %rd2, %rd1;\n";
  for (int i = 0; i < count; ++i)
    ptx +=
        "  ld.global.b32 %r" + std::to_string(i) + ", [%rd2 + " + std::to_string(512 * i) + "];\n";
  const std::string sum = "%r" + std::to_string(count);
  ptx += "  mov.b32 " + sum + ", 0;\n";
  for (int i = 0; i < count; ++i)
    ptx += "  add.s32 " + sum + ", " + sum + ", %r" + std::to_string(i) + ";\n";
  return ptx + "  st.global.b32 [%rd2], " + sum + ";\n  ret;\n}\n";
}

TEST_CASE("code that takes many registers is left to the assembler's own choice", "[compiler]") {
  CudaToolkit toolkit = findCudaToolkit();
  if (toolkit.ptxas.empty()) {
    WARN("skipped: this machine has no ptxas");
    return;
  }
  const auto registers = [&](const std::string &ptx, int64_t ownChoiceFrom) {
    AssembleOptions options;
    options.target = {80};
    options.ownChoiceFrom = ownChoiceFrom;
    const Result<AssembledCode> code = assemblePtx(toolkit, ptx, options);
    REQUIRE(code);
    CHECK(code->resources.spillBytes == 0);
    return code->resources.registers;
  };
  // Asked for one block, the assembler loads all numbers before it adds up any.
  const std::string sum = ptxThatAddsUp(70);
  CHECK(registers(sum, 0) > 70);
  CHECK(registers(sum, 64) <= 40);
  CHECK(registers(sum, 88) > 70);
  // Numbers that are all needed at once take the same either way.
  const std::string held = ptxThatHolds(90);
  CHECK(registers(held, 64) == registers(held, 0));
}

TEST_CASE("loads under way are counted until an instruction waits for them", "[compiler]") {
  CudaToolkit toolkit = findCudaToolkit();
  if (!toolkit.hasAssembler()) {
    WARN("skipped: this machine has no assembler");
    return;
  }
  for (const int capability : {80, 90, 100}) {
    const auto bytes = [&](int wide) {
      AssembleOptions options;
      options.target = {capability};
      const Result<AssembledCode> code = assemblePtx(toolkit, ptxThatLoads(wide, 0), options);
      REQUIRE(code);
      return loadedBytesUnderWay(code->cubin);
    };
    CHECK(bytes(0).empty());
    CHECK(bytes(1) == std::vector<int64_t>{4});
    CHECK(bytes(7) == std::vector<int64_t>{28});
  }
  CHECK(loadedBytesUnderWay("").empty());
  CHECK(loadedBytesUnderWay("\177ELF").empty());
}

TEST_CASE("a multiprocessor is filled where that takes few registers and no loads", "[compiler]") {
  CudaToolkit toolkit = findCudaToolkit();
  if (toolkit.ptxas.empty()) {
    WARN("skipped: this machine has no ptxas");
    return;
  }
  const auto registers = [&](const std::string &ptx, FullMultiprocessor full) {
    AssembleOptions options;
    options.target = {80};
    options.full = full;
    const Result<AssembledCode> code = assemblePtx(toolkit, ptx, options);
    REQUIRE(code);
    REQUIRE_FALSE(code->cubin.empty());
    return code->resources.registers;
  };
  // 16 blocks of 128 threads get 32 registers for each thread.
  const FullMultiprocessor full{16, 32};
  const auto alone = [&](const std::string &ptx) { return registers(ptx, {}); };
  const std::string few = ptxThatLoads(4, 36);
  CHECK(alone(few) > 32);
  CHECK(registers(few, full) == 32);
  // Two steps of registers are given up, not more.
  const std::string many = ptxThatLoads(4, 60);
  CHECK(alone(many) > 48);
  CHECK(registers(many, full) == alone(many));
  // Fewer loads would be under way.
  const std::string loads = ptxThatAddsUp(32);
  CHECK(alone(loads) > 32);
  CHECK(alone(loads) <= 48);
  CHECK(registers(loads, full) == alone(loads));
}

TEST_CASE("broken PTX is reported with its line", "[compiler]") {
  withEachAssembler([](const CudaToolkit &toolkit) {
    std::string ptx(kPtx);
    ptx.replace(ptx.find("%tid.x"), 6, "%nope");
    AssembleOptions options;
    options.target = {80};
    const Result<AssembledCode> code = assemblePtx(toolkit, ptx, options);
    REQUIRE(code);
    CHECK(code->cubin.empty());
    REQUIRE_FALSE(code->errors.empty());
    CHECK(code->errors[0].line == 9);
    CHECK_FALSE(code->outOfResources);
  });
}

TEST_CASE("too much shared memory is told apart from broken PTX", "[compiler]") {
  withEachAssembler([](const CudaToolkit &toolkit) {
    std::string ptx(kPtx);
    ptx.replace(ptx.find("  .reg"), 0,
                "  .shared .align 16 .b8 buffer[1000000];\n  mov.u32 %r2, buffer;\n");
    ptx.replace(ptx.find("  mov.u32 %r2, buffer;\n"), 23, "");
    ptx.replace(ptx.find("  st.global"), 0, "  mov.u32 %r2, buffer; st.shared.b32 [%r2], %r1;\n");
    AssembleOptions options;
    options.target = {80};
    const Result<AssembledCode> code = assemblePtx(toolkit, ptx, options);
    REQUIRE(code);
    CHECK(code->cubin.empty());
    CHECK(code->outOfResources);
  });
}
