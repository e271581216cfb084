// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Counts of whole kernels, worked out by hand, and why accesses are not wider.
#include "compiler/pipeline/CountAccesses.h"

#include "compiler/access/picture/ConversionWords.h"
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace tilescope;
using namespace tilescope::compiler;

namespace {

struct Kernel {
  std::string parameters, body;
  std::map<std::string, std::string> signature;
  std::map<std::string, uint64_t> scalars = {};
  std::array<int32_t, 3> grid{1, 1, 1};
  std::optional<std::array<int32_t, 3>> program = {};
  bool isExecuted = true;
};

/// `asked`: the arguments whose memory was asked for.
CountOutcome tryCount(const Kernel &kernel, std::vector<std::byte> *memory = nullptr,
                      std::set<std::string> *asked = nullptr) {
  const CompileOutcome compiled =
      tests::compileKernel(kernel.parameters, kernel.body, kernel.signature, StageId::Ttgir);
  const CompileResult &result = compiled.result;
  CountInput input;
  input.isExecuted = kernel.isExecuted;
  input.conversionPasses = compiled.conversionPasses;
  input.grid = kernel.grid;
  input.program = kernel.program;
  input.numThreads = 2;
  input.argument = [&](const KernelParameter &parameter,
                       bool withData) -> std::optional<InterpreterArgument> {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (const auto scalar = kernel.scalars.find(parameter.name); scalar != kernel.scalars.end())
      argument.bits = scalar->second;
    if (withData && asked && parameter.type.starts_with("*"))
      asked->insert(parameter.name);
    if (withData && memory && parameter.type.starts_with("*")) {
      argument.data = memory->data();
      argument.sizeBytes = memory->size();
    }
    return argument;
  };
  return countAccesses(result, input);
}

MemoryFacts count(const Kernel &kernel) {
  CountOutcome outcome = tryCount(kernel);
  for (const Diagnostic &diagnostic : outcome.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(outcome.facts);
  return *outcome.facts;
}

const AccessFacts &only(const MemoryFacts &facts, MemoryAction action) {
  const AccessFacts *found = nullptr;
  for (const AccessFacts &access : facts.accesses)
    if (access.action == action) {
      REQUIRE_FALSE(found);
      found = &access;
    }
  REQUIRE(found);
  return *found;
}

/// Copies `n` floats.
Kernel copyKernel(const std::string &n, uint64_t size, int32_t programs) {
  return {"x_ptr, o_ptr, n, BLOCK: tl.constexpr = 1024",
          R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(o_ptr + i, x, mask=i < n)
)",
          {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}, {"n", n}},
          {{"n", size}},
          {programs, 1, 1}};
}

} // namespace

TEST_CASE("a block of 1024 floats is loaded by 8 requests of 16 bytes a lane", "[compiler]") {
  const MemoryFacts facts = count(copyKernel("i32:16", 4096, 4));
  CHECK(facts.programs == 4);
  CHECK_FALSE(facts.dependsOnData);
  const AccessFacts &load = only(facts, MemoryAction::GlobalLoad);
  CHECK(load.operation == "tt.load");
  CHECK(load.argument == "x_ptr");
  CHECK(load.range.begin.line == 6);
  CHECK(load.vectorBytes == 16);
  CHECK(load.limit->reason == WidthReason::Widest);
  CHECK(load.executions == 4);
  CHECK(load.counts.requests == 4 * 8);
  CHECK(load.counts.sectors == 4 * 128);
  CHECK(load.counts.bytesUsed == 4 * 4096);
  const AccessFacts &store = only(facts, MemoryAction::GlobalStore);
  CHECK(store.argument == "o_ptr");
  CHECK(store.counts.sectors == 4 * 128);
  CHECK(facts.conversions.empty());
}

TEST_CASE("what is masked off is not requested", "[compiler]") {
  // Of the second block 16 elements are left: 4 lanes of one request.
  const MemoryFacts facts = count(copyKernel("i32:16", 1040, 2));
  const AccessFacts &load = only(facts, MemoryAction::GlobalLoad);
  CHECK(load.counts.instructions == 16);
  CHECK(load.counts.requests == 9);
  CHECK(load.counts.sectors == 130);
}

TEST_CASE("one program is counted alone", "[compiler]") {
  Kernel kernel = copyKernel("i32:16", 1040, 2);
  kernel.program = {1, 0, 0};
  const MemoryFacts facts = count(kernel);
  CHECK(facts.programs == 1);
  CHECK(only(facts, MemoryAction::GlobalLoad).counts.requests == 1);
}

TEST_CASE("a bound of which nothing is known keeps accesses narrow", "[compiler]") {
  const MemoryFacts facts = count(copyKernel("i32", 4096, 4));
  const AccessFacts &load = only(facts, MemoryAction::GlobalLoad);
  CHECK(load.vectorBytes == 4);
  CHECK(load.limit->reason == WidthReason::Mask);
  CHECK(load.limit->argument == "n");
  CHECK(load.counts.requests == 4 * 32);
  // A lane still holds four neighbors, so that lanes are 16 bytes apart: each of the four requests
  // that read 512 bytes touches all of their 16 sectors.
  CHECK(load.counts.sectors == 4 * 32 * 16);
}

TEST_CASE("a pointer of which nothing is known keeps accesses narrow", "[compiler]") {
  Kernel kernel = copyKernel("i32:16", 4096, 4);
  kernel.signature["x_ptr"] = "*fp32";
  const MemoryFacts facts = count(kernel);
  const AccessFacts &load = only(facts, MemoryAction::GlobalLoad);
  CHECK(load.vectorBytes == 4);
  CHECK(load.limit->reason == WidthReason::Divisibility);
  CHECK(load.limit->argument == "x_ptr");
  CHECK(describe(*load.limit, load.elementBytes) ==
        "`x_ptr` is not known to be a multiple of more than 1 element");
}

TEST_CASE("a row stride of which nothing is known is named", "[compiler]") {
  const MemoryFacts facts =
      count({"x_ptr, o_ptr, stride, BLOCK: tl.constexpr = 1024",
             R"(    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * stride + i)
    tl.store(o_ptr + i, x)
)",
             {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}, {"stride", "i32"}},
             {{"stride", 1000}},
             {2, 1, 1}});
  const AccessFacts &load = only(facts, MemoryAction::GlobalLoad);
  CHECK(load.limit->reason == WidthReason::Divisibility);
  CHECK(load.limit->argument == "stride");
}

TEST_CASE("a remainder that hides what are neighbors is named", "[compiler]") {
  const MemoryFacts facts = count({"x_ptr, o_ptr, width, BLOCK: tl.constexpr = 1024",
                                   R"(    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i // width * width + i % width)
    tl.store(o_ptr + i, x)
)",
                                   {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}, {"width", "i32"}},
                                   {{"width", 250}}});
  const AccessFacts &load = only(facts, MemoryAction::GlobalLoad);
  REQUIRE(load.limit->reason == WidthReason::Contiguity);
  CHECK(load.limit->hiddenBy == "remainder");
  CHECK(load.limit->argument == "width");
  CHECK(load.limit->hiddenIn.begin.line == load.range.begin.line);
  CHECK(describe(*load.limit, 4) == "the remainder by `width` in line " +
                                        std::to_string(load.range.begin.line + 1) +
                                        " hides which elements are neighbors in memory");
  // Elements that are apart are hidden by nothing.
  CHECK(only(facts, MemoryAction::GlobalStore).limit->hiddenBy.empty());
}

TEST_CASE("elements that are apart are fetched with what is between them", "[compiler]") {
  const MemoryFacts facts = count({"x_ptr, o_ptr, BLOCK: tl.constexpr = 1024",
                                   R"(    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + 2 * i)
    tl.store(o_ptr + i, x)
)",
                                   {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}}});
  const AccessFacts &load = only(facts, MemoryAction::GlobalLoad);
  CHECK(load.limit->reason == WidthReason::Contiguity);
  // The store's layout: a lane holds four neighbors, which lie 8 bytes apart, so that each lane has
  // a sector of its own.
  CHECK(load.counts.requests == 32);
  CHECK(load.counts.sectors == 32 * 32);
  CHECK(load.counts.bytesFetched == 8 * load.counts.bytesUsed);
}

TEST_CASE("warps exchange partial results of a reduction through shared memory", "[compiler]") {
  const MemoryFacts facts = count({"x_ptr, o_ptr, BLOCK: tl.constexpr = 1024",
                                   R"(    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(o_ptr, tl.sum(x, axis=0))
)",
                                   {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}}});
  // One lane of each of four warps stores, all warps load all four.
  const AccessFacts &stored = only(facts, MemoryAction::SharedStore);
  CHECK(stored.operation == "tt.reduce");
  CHECK(stored.counts.requests == 4);
  CHECK(stored.counts.bytesAsked == 16);
  const AccessFacts &loaded = only(facts, MemoryAction::SharedLoad);
  CHECK(loaded.vectorBytes == 16);
  CHECK(loaded.counts.requests == 4);
  const AccessFacts &store = only(facts, MemoryAction::GlobalStore);
  CHECK(store.limit->reason == WidthReason::Scalar);
  CHECK(store.counts.instructions == 4);
  CHECK(store.counts.requests == 1);
}

TEST_CASE("a conversion is named with what moves", "[compiler]") {
  const MemoryFacts facts = count({"x_ptr, o_ptr, N: tl.constexpr = 64",
                                   R"(    i = tl.arange(0, N)
    x = tl.load(x_ptr + i[:, None] * N + i[None, :])
    tl.store(o_ptr + i[:, None] + i[None, :] * N, x)
)",
                                   {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}}});
  REQUIRE(facts.conversions.size() == 1);
  const ConversionFacts &conversion = facts.conversions.front();
  CHECK(conversion.moves == ConversionMoves::Warps);
  CHECK(conversion.bytes == 64 * 64 * 4);
  CHECK_FALSE(conversion.isInLoop);
  CHECK(conversion.minimumWavefronts == 2 * 64 * 64 * 4 / 128);
  CHECK(conversion.wavefronts >= conversion.minimumWavefronts);
  // Both sides move 16 bytes a lane.
  CHECK(only(facts, MemoryAction::GlobalLoad).vectorBytes == 16);
  CHECK(only(facts, MemoryAction::GlobalStore).vectorBytes == 16);
}

/// What moves, by the layouts alone, is what the lowering plans for.
static void checkMoves(const ConversionFacts &conversion) {
  const ConversionMap map(access::layoutBefore(conversion), access::layoutBehind(conversion));
  REQUIRE_FALSE(map.isEmpty());
  const MoveCounts counts = map.counts();
  INFO(access::movesSentence(counts));
  switch (conversion.moves) {
  case ConversionMoves::Registers:
    CHECK(counts.lanes + counts.warps == 0);
    CHECK(conversion.sharedAccesses.empty());
    break;
  case ConversionMoves::Lanes:
    CHECK(counts.warps == 0);
    CHECK(conversion.shuffles > 0);
    break;
  case ConversionMoves::Warps:
    CHECK(counts.lanes + counts.warps > 0);
    CHECK(conversion.sharedAccesses.size() == 2);
    break;
  }
}

TEST_CASE("a conversion knows what its layouts are for, and which pass made it", "[compiler]") {
  const MemoryFacts facts = count({"x_ptr, o_ptr, N: tl.constexpr = 64",
                                   R"(    i = tl.arange(0, N)
    x = tl.load(x_ptr + i[:, None] * N + i[None, :])
    tl.store(o_ptr + i[:, None] + i[None, :] * N, x * 2)
)",
                                   {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}}});
  REQUIRE(facts.conversions.size() == 1);
  const ConversionFacts &conversion = facts.conversions.front();
  checkMoves(conversion);
  CHECK(conversion.source.operation == "tt.load");
  CHECK(conversion.source.range.begin.line == 6);
  CHECK(conversion.destination.operation == "tt.store");
  CHECK(conversion.destination.range.begin.line == 7);
  CHECK_FALSE(conversion.pass.empty());
  // Written once and read once, by all programs and by one execution alike.
  REQUIRE(conversion.sharedAccesses.size() == 2);
  CHECK(conversion.sharedAccesses[0].action == MemoryAction::SharedStore);
  CHECK(conversion.sharedAccesses[0].wavefronts + conversion.sharedAccesses[1].wavefronts ==
        conversion.wavefronts);
  CHECK(access::removalSentence(conversion) ==
        "Both layouts follow memory: `tt.load` in line 7 runs along dimension 1 of the block, "
        "`tt.store` in line 8 along dimension 0. There is no conversion if both run along the same "
        "one. It is outside of loops: a program pays for it once.");
}

TEST_CASE("a product's result is converted for its store, and the reason is told", "[compiler]") {
  const MemoryFacts facts =
      count({"a_ptr, b_ptr, c_ptr, N: tl.constexpr = 64",
             R"(    i = tl.arange(0, N)
    a = tl.load(a_ptr + i[:, None] * N + i[None, :])
    b = tl.load(b_ptr + i[:, None] * N + i[None, :])
    c = tl.dot(a, b)
    tl.store(c_ptr + i[:, None] * N + i[None, :], c.to(tl.float16))
)",
             {{"a_ptr", "*fp16:16"}, {"b_ptr", "*fp16:16"}, {"c_ptr", "*fp16:16"}}});
  const ConversionFacts *stored = nullptr;
  for (const ConversionFacts &conversion : facts.conversions) {
    checkMoves(conversion);
    if (conversion.destination.operation == "tt.store")
      stored = &conversion;
  }
  REQUIRE(stored);
  CHECK(stored->source.operation == "ttng.warp_group_dot");
  CHECK(access::encodingName(stored->from) == "mma");
  const std::string removal = access::removalSentence(*stored);
  CHECK(removal.starts_with("The matrix instruction prescribes the layout of its result."));
  CHECK(removal.find("and 16 in the layout for `tt.store` in line 10: the conversion buys wider "
                     "accesses.") != std::string::npos);
}

TEST_CASE("conversions are described without a launch", "[compiler]") {
  Kernel kernel{"x_ptr, o_ptr, N: tl.constexpr = 64",
                R"(    i = tl.arange(0, N)
    x = tl.load(x_ptr + i[:, None] * N + i[None, :])
    tl.store(o_ptr + i[:, None] + i[None, :] * N, x)
)",
                {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}}};
  const MemoryFacts launched = count(kernel);
  kernel.isExecuted = false;
  const MemoryFacts planned = count(kernel);
  REQUIRE(planned.conversions.size() == 1);
  const ConversionFacts &conversion = planned.conversions.front();
  CHECK(planned.programs == 0);
  CHECK(conversion.executions == 0);
  CHECK(conversion.sharedAccesses == launched.conversions.front().sharedAccesses);
  CHECK(conversion.fromLayout == launched.conversions.front().fromLayout);
}

TEST_CASE("a pipelined loop is described, and its copies counted", "[compiler]") {
  const MemoryFacts facts =
      count({"a_ptr, b_ptr, c_ptr, K, N: tl.constexpr = 64, BLOCK: tl.constexpr = 32",
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
             {{"K", 256}}});
  REQUIRE(facts.pipelines.size() == 1);
  const PipelineFacts &pipeline = facts.pipelines.front();
  CHECK(pipeline.stages == 3);
  CHECK(pipeline.copies == 2);
  CHECK(pipeline.copyWaits == 1);
  CHECK(pipeline.range.begin.line == 8);
  // Each element of both factors is copied once: 64 x 256 and 256 x 64 halves.
  const AccessCounts copied = facts.total({MemoryAction::AsyncCopy});
  CHECK(copied.bytesAsked == 2 * 64 * 256 * 2);
  CHECK(copied.sectors == 2 * 64 * 256 * 2 / 32);
}

TEST_CASE("addresses that come from memory need the memory", "[compiler]") {
  const Kernel kernel{"x_ptr, o_ptr, BLOCK: tl.constexpr = 128",
                      R"(    i = tl.arange(0, BLOCK)
    at = tl.load(x_ptr + i)
    tl.store(o_ptr + at, i)
)",
                      {{"x_ptr", "*i32:16"}, {"o_ptr", "*i32:16"}}};
  // Both arguments are the same memory: each index is 8 times its place, so every lane has a sector
  // of its own.
  std::vector<std::byte> memory(128 * 8 * 4);
  for (int32_t i = 0; i < 128; ++i) {
    const int32_t at = i * 8;
    std::memcpy(memory.data() + i * 4, &at, sizeof(at));
  }
  const CountOutcome outcome = tryCount(kernel, &memory);
  REQUIRE(outcome.facts);
  CHECK(outcome.facts->dependsOnData);
  CHECK(only(*outcome.facts, MemoryAction::GlobalLoad).counts.sectors == 16);
  CHECK(only(*outcome.facts, MemoryAction::GlobalStore).counts.sectors == 128);
}

TEST_CASE("of arrays only those are made that addresses come from", "[compiler]") {
  // Pages of 16 rows are gathered for a product; the table has page k at place k.
  const Kernel kernel{
      "table, x, y, o, n, BLOCK: tl.constexpr = 64, PAGE: tl.constexpr = 16",
      R"(    i = tl.arange(0, BLOCK)
    y_block = tl.load(y + i[:, None] * BLOCK + i[None, :])
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        page = tl.load(table + (start + i) // PAGE)
        row = page * PAGE + i % PAGE
        total += tl.dot(y_block, tl.load(x + row[:, None] * BLOCK + i[None, :]))
    tl.store(o + i[:, None] * BLOCK + i[None, :], total)
)",
      {{"table", "*i32:16"}, {"x", "*fp16:16"}, {"y", "*fp16:16"}, {"o", "*fp32:16"}, {"n", "i32"}},
      {{"n", 256}}};
  std::vector<std::byte> memory(16 * 4);
  for (int32_t i = 0; i < 16; ++i)
    std::memcpy(memory.data() + i * 4, &i, sizeof(i));
  std::set<std::string> asked;
  const CountOutcome outcome = tryCount(kernel, &memory, &asked);
  REQUIRE(outcome.facts);
  CHECK(asked == std::set<std::string>{"table"});
  CHECK(outcome.facts->dependsOnData);
  // Each row of 64 halves is read once.
  uint64_t used = 0;
  for (const AccessFacts &access : outcome.facts->accesses)
    if (access.argument == "x")
      used += access.counts.bytesUsed;
  CHECK(used == 256 * 64 * 2);
}

TEST_CASE("a kernel that changes what it reads addresses from is executed whole", "[compiler]") {
  const Kernel kernel{"at, x, o, BLOCK: tl.constexpr = 128",
                      R"(    i = tl.arange(0, BLOCK)
    place = tl.load(at + i)
    tl.store(at + i, place + 1)
    tl.store(o + place, tl.load(x + i))
)",
                      {{"at", "*i32:16"}, {"x", "*i32:16"}, {"o", "*i32:16"}}};
  std::vector<std::byte> memory(129 * 4);
  std::set<std::string> asked;
  REQUIRE(tryCount(kernel, &memory, &asked).facts);
  CHECK(asked == std::set<std::string>{"at", "o", "x"});
}
