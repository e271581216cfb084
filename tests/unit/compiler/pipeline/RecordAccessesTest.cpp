// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is recorded of a program is what is counted of it.
#include "compiler/access/picture/AccessPicture.h"
#include "compiler/access/picture/BulkPicture.h"
#include "compiler/pipeline/CountAccesses.h"
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

using namespace tilescope;
using namespace tilescope::compiler;

namespace {

struct Kernel {
  std::string name, parameters, body;
  std::map<std::string, std::string> signature;
  std::map<std::string, uint64_t> scalars = {};
  std::array<int32_t, 3> grid{1, 1, 1};
  std::array<int32_t, 3> program{};
};

CountOutcome record(const Kernel &kernel, const RecordRequest &wanted = {}) {
  const CompileOutcome compiled =
      tests::compileKernel(kernel.parameters, kernel.body, kernel.signature, StageId::Ttgir);
  const CompileResult &result = compiled.result;
  CountInput input;
  input.grid = kernel.grid;
  input.program = kernel.program;
  input.record = wanted;
  input.numThreads = 2;
  input.argument = [&](const KernelParameter &parameter, bool) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (const auto scalar = kernel.scalars.find(parameter.name); scalar != kernel.scalars.end())
      argument.bits = scalar->second;
    return std::optional(argument);
  };
  CountOutcome outcome = countAccesses(result, input);
  for (const Diagnostic &diagnostic : outcome.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(outcome.facts);
  return outcome;
}

/// The sum over all requests of all recorded executions.
AccessCounts drawn(const RecordedAccess &access, MemoryAction action) {
  const access::AccessPicture picture(access, action);
  AccessCounts sum;
  const auto add = [&](const RecordedExecution *execution) {
    for (size_t warp = 0; warp < picture.warps().size(); ++warp)
      for (size_t i = 0; i < picture.numInstructions(); ++i)
        sum += picture.request(warp, i, execution).counts;
  };
  for (const RecordedExecution &execution : access.executions)
    add(&execution);
  if (isShared(action) && access.numExecutions > 0)
    add(nullptr);
  return sum;
}

const std::vector<Kernel> &kernels() {
  static const std::vector<Kernel> kAll = {
      {"softmax",
       "x_ptr, o_ptr, stride, n, BLOCK: tl.constexpr = 1024",
       R"(    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i, mask=i < n, other=-float('inf'))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(o_ptr + row * stride + i, e / tl.sum(e, axis=0), mask=i < n)
)",
       {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}, {"stride", "i32"}, {"n", "i32"}},
       {{"stride", 781}, {"n", 781}},
       {16, 1, 1},
       {3, 0, 0}},
      {"naive transpose",
       "x_ptr, o_ptr, N: tl.constexpr = 32, M: tl.constexpr = 1024",
       R"(    i = tl.program_id(0) * N + tl.arange(0, N)
    j = tl.arange(0, N)
    x = tl.load(x_ptr + i[:, None] * M + j[None, :])
    tl.store(o_ptr + i[:, None] + j[None, :] * M, x)
)",
       {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}},
       {},
       {4, 1, 1},
       {1, 0, 0}},
      {"product",
       "a_ptr, b_ptr, c_ptr, K, N: tl.constexpr = 64, BLOCK: tl.constexpr = 32",
       R"(    i = tl.arange(0, N)
    j = tl.arange(0, BLOCK)
    total = tl.zeros((N, N), dtype=tl.float32)
    for k in range(0, K, BLOCK):
        a = tl.load(a_ptr + i[:, None] * K + (k + j)[None, :])
        b = tl.load(b_ptr + (k + j)[:, None] * N + i[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + i[:, None] * N + i[None, :], total)
)",
       {{"a_ptr", "*fp16:16"}, {"b_ptr", "*fp16:16"}, {"c_ptr", "*fp32:16"}, {"K", "i32:16"}},
       {{"K", 256}}},
      {"wrapped addresses",
       "x_ptr, o_ptr, n, BLOCK: tl.constexpr = 512",
       R"(    i = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) * 3) % n
    tl.atomic_add(o_ptr + i, tl.load(x_ptr + i))
)",
       {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}, {"n", "i32"}},
       {{"n", 700}},
       {2, 1, 1},
       {1, 0, 0}},
  };
  return kAll;
}

} // namespace

TEST_CASE("the requests of a record add up to what is counted", "[compiler]") {
  for (const Kernel &kernel : kernels()) {
    INFO(kernel.name);
    const CountOutcome outcome = record(kernel);
    const MemoryFacts &facts = *outcome.facts;
    CHECK(outcome.record.program == kernel.program);
    REQUIRE(outcome.record.accesses.size() == facts.accesses.size());
    CHECK_FALSE(facts.accesses.empty());
    for (size_t i = 0; i < facts.accesses.size(); ++i) {
      const AccessFacts &access = facts.accesses[i];
      INFO(access.operation << " " << memoryActionName(access.action));
      CHECK(outcome.record.accesses[i].numExecutions == access.executions);
      // A conversion may go through shared memory in parts, and a loop comes by more than once.
      AccessCounts once = drawn(outcome.record.accesses[i], access.action);
      if (isShared(access.action) && once.wavefronts > 0)
        once = once * (access.counts.wavefronts / once.wavefronts);
      // An instruction reads many core matrices.
      if (access.action == MemoryAction::ProductRead) {
        once.instructions = access.counts.instructions;
        once.requests = access.counts.requests;
      }
      CHECK(once == access.counts);
    }
  }
}

TEST_CASE("a record names its arguments and blocks", "[compiler]") {
  const CountOutcome outcome = record(kernels()[1]);
  REQUIRE(outcome.record.arguments.size() == 2);
  CHECK(outcome.record.arguments[1].name == "o_ptr");
  const auto &accesses = outcome.facts->accesses;
  const auto store = std::ranges::find(accesses, MemoryAction::GlobalStore, &AccessFacts::action);
  REQUIRE(store != accesses.end());
  const RecordedAccess &recorded =
      outcome.record.accesses[static_cast<size_t>(store - accesses.begin())];
  CHECK(recorded.shape == std::vector<int64_t>{32, 32});
  REQUIRE(recorded.executions.size() == 1);
  // Program 1 begins at row 32, so at column 32 of what it writes.
  CHECK(recorded.executions[0].base == outcome.record.arguments[1].address + 32 * 4);
  CHECK(recorded.executions[0].step == std::vector<int64_t>{4, 4096});
  CHECK(recorded.executions[0].mask.empty());
}

TEST_CASE("an access is recorded from the iteration on that is asked for", "[compiler]") {
  const Kernel &product = kernels()[2];
  const CountOutcome all = record(product);
  size_t copy = 0;
  for (size_t i = 0; i < all.facts->accesses.size(); ++i)
    if (all.facts->accesses[i].isInLoop && !isShared(all.facts->accesses[i].action))
      copy = i;
  REQUIRE(all.record.accesses[copy].numExecutions > 4);
  const CountOutcome later = record(product, {static_cast<uint32_t>(copy), 3});
  const RecordedAccess &recorded = later.record.accesses[copy];
  CHECK(recorded.numExecutions == all.record.accesses[copy].numExecutions);
  REQUIRE_FALSE(recorded.executions.empty());
  CHECK(recorded.executions.front() == all.record.accesses[copy].executions[3]);
  CHECK(later.facts->accesses == all.facts->accesses);
  for (size_t i = 0; i < all.record.accesses.size(); ++i)
    if (i != copy)
      CHECK(later.record.accesses[i] == all.record.accesses[i]);
}

TEST_CASE("a mask is recorded element by element", "[compiler]") {
  const CountOutcome outcome = record(kernels()[0]);
  const auto &accesses = outcome.facts->accesses;
  const auto load = std::ranges::find(accesses, MemoryAction::GlobalLoad, &AccessFacts::action);
  const RecordedExecution &execution =
      outcome.record.accesses[static_cast<size_t>(load - accesses.begin())].executions.at(0);
  REQUIRE(execution.mask.size() == 1024 / 64);
  CHECK((execution.mask[780 / 64] >> (780 % 64) & 1) == 1);
  CHECK((execution.mask[781 / 64] >> (781 % 64) & 1) == 0);
  CHECK(execution.mask.back() == 0);
}

/// The bulk copies of a program of a document that Triton wrote.
static CountOutcome recordDump(const char *name, std::array<int32_t, 3> grid,
                               std::array<int32_t, 3> program,
                               const std::map<std::string, uint64_t> &scalars) {
  CompileRequest request;
  request.path = std::string("/dumps/") + name;
  std::ifstream file(std::filesystem::path(TILESCOPE_DUMPS) / name);
  request.text.assign(std::istreambuf_iterator<char>(file), {});
  request.entry = request.stopAfter = StageId::Ttgir;
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request).result;
  CountInput input;
  input.grid = grid;
  input.program = program;
  input.record = RecordRequest();
  input.argument = [&](const KernelParameter &parameter, bool) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (const auto scalar = scalars.find(parameter.name); scalar != scalars.end())
      argument.bits = scalar->second;
    return std::optional(argument);
  };
  CountOutcome outcome = countAccesses(result, input);
  for (const Diagnostic &diagnostic : outcome.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(outcome.facts);
  return outcome;
}

TEST_CASE("a bulk copy through a descriptor that the kernel makes tells its block", "[compiler]") {
  const CountOutcome outcome =
      recordDump("copy.ttgir", {2, 2, 1}, {1, 1, 0}, {{"m", 56}, {"n", 112}});
  REQUIRE(outcome.record.bulkCopies.size() == 2);
  REQUIRE(outcome.facts->uncounted.size() == 2);
  const RecordedBulkCopy &load = outcome.record.bulkCopies.front();
  CHECK_FALSE(load.isStore);
  CHECK(load.uncounted == 0);
  CHECK(load.block == std::vector<int64_t>{32, 64});
  CHECK(load.swizzleBytes == 128);
  REQUIRE(load.executions.size() == 1);
  const BulkExecution &only = load.executions.front();
  CHECK(only.extents == std::vector<int64_t>{56, 112});
  CHECK(only.strideBytes == std::vector<int64_t>{224, 2});
  CHECK(only.offsets == std::vector<int64_t>{32, 64});
  CHECK(access::bulkTensorName(only, outcome.record) == "a_ptr");
  const access::BulkPicture picture(load, only);
  // 24 rows of 48 elements are inside; a row is three sectors and lies in one line or two.
  CHECK(picture.totals().insideBytes == 24 * 96);
  CHECK(picture.totals().sectors == 24 * 3);
  const RecordedBulkCopy &store = outcome.record.bulkCopies.back();
  CHECK(store.isStore);
  CHECK(store.uncounted == 1);
  CHECK(access::bulkTensorName(store.executions.front(), outcome.record) == "b_ptr");
}

TEST_CASE("bulk copies of described arguments tell their blocks, iteration by iteration",
          "[compiler]") {
  std::map<std::string, uint64_t> scalars{{"m", 128}, {"n", 128}, {"k", 192}};
  for (const auto &[name, extents] :
       {std::pair("a", std::pair(128, 192)), {"b", {192, 128}}, {"c", {128, 128}}}) {
    const std::string shape = std::string(name) + ".shape.",
                      stride = std::string(name) + ".stride.";
    scalars[shape + "0"] = static_cast<uint64_t>(extents.first);
    scalars[shape + "1"] = scalars[stride + "0"] = static_cast<uint64_t>(extents.second);
    scalars[stride + "1"] = 1;
  }
  const CountOutcome outcome = recordDump("matmul.ttgir", {1, 1, 1}, {0, 0, 0}, scalars);
  const auto &copies = outcome.record.bulkCopies;
  // Two of each factor before the loop, one of each in it, and the result.
  REQUIRE(copies.size() == 7);
  const auto last = [&](size_t copy) { return copies[copy].executions.back(); };
  CHECK(last(2).offsets == std::vector<int64_t>{0, 64});
  CHECK(last(3).offsets == std::vector<int64_t>{64, 0});
  REQUIRE(copies[4].executions.size() == 3);
  CHECK(copies[4].executions[0].isOn);
  CHECK(copies[4].executions[0].offsets == std::vector<int64_t>{0, 128});
  // All three tiles are there then.
  CHECK_FALSE(copies[4].executions[1].isOn);
  CHECK(copies[4].executions[2].offsets == std::vector<int64_t>{0, 256});
  CHECK(last(5).strideBytes == std::vector<int64_t>{256, 2});
  CHECK(copies[6].isStore);
  CHECK(access::bulkTensorName(last(6), outcome.record) == "c");
}
