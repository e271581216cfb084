// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels do in their loops, read from TTGIR.
#include "compiler/pipeline/LoopPipelines.h"

#include "compiler/pipeline/Compiler.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tilescope;
using namespace tilescope::compiler;

namespace {

using Loops = std::vector<LoopFacts>;

std::string read(const std::filesystem::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Loops loopsOf(CompileRequest request, const std::map<std::string, int64_t> *numbers = nullptr) {
  request.stopAfter = StageId::LlvmIr;
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request).result;
  for (const Diagnostic &diagnostic : result.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  Result<Loops> loops = findLoops(result, numbers);
  REQUIRE(loops);
  return std::move(*loops);
}

/// The product of two matrices in blocks of 64 x 64 with `depth` inside.
Loops productLoops(const char *target, int size, int depth, int stages, const char *end = "K",
                   const char *before = "",
                   const std::map<std::string, int64_t> *numbers = nullptr) {
  std::ostringstream text;
  text << R"(import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, K):
    i = tl.arange(0, SIZE)
    k = tl.arange(0, DEPTH)
    total = tl.zeros((SIZE, SIZE), dtype=tl.float32)
    for at in range(0, END, DEPTH):
        a = tl.load(a_ptr + i[:, None] * K + (at + k)[None, :])
        b = tl.load(b_ptr + (at + k)[:, None] * SIZE + i[None, :])
        BEFORE
        total = tl.dot(a, b, total)
    tl.store(c_ptr + i[:, None] * SIZE + i[None, :], total)
)";
  std::string kernel = text.str();
  const auto replace = [&](const std::string &part, const std::string &with) {
    for (size_t at = kernel.find(part); at != std::string::npos; at = kernel.find(part))
      kernel.replace(at, part.size(), with);
  };
  replace("        BEFORE\n", before);
  replace("SIZE", std::to_string(size));
  replace("DEPTH", std::to_string(depth));
  replace("END", end);
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = kernel;
  request.selection.target = target;
  request.selection.signature = {
      {"a_ptr", "*fp16:16"}, {"b_ptr", "*fp16:16"}, {"c_ptr", "*fp32:16"}, {"K", "i32:16"}};
  request.selection.options = {{"num_stages", std::to_string(stages)}};
  return loopsOf(std::move(request), numbers);
}

Loops dumpLoops(const char *name) {
  CompileRequest request;
  request.path = std::string("/dumps/") + name;
  request.text = read(std::filesystem::path(TILESCOPE_DUMPS) / name);
  request.entry = StageId::Ttgir;
  return loopsOf(std::move(request));
}

std::vector<const LoopEvent *> eventsOf(const LoopFacts &loop, LoopAction action,
                                        int32_t iteration) {
  std::vector<const LoopEvent *> found;
  for (const LoopEvent &event : loop.events)
    if (loop.operations[event.operation].action == action && event.iteration == iteration)
      found.push_back(&event);
  return found;
}

bool isLinked(const LoopFacts &loop, const LoopEvent *from, const LoopEvent *to,
              LoopLinkKind kind) {
  const auto number = [&](const LoopEvent *event) {
    return static_cast<uint32_t>(event - loop.events.data());
  };
  return std::ranges::find(loop.links, LoopLink{number(from), number(to), kind}) !=
         loop.links.end();
}

/// What must hold of every loop: events in order, and links that point forward in time.
void checkOrder(const LoopFacts &loop) {
  for (size_t i = 0; i < loop.events.size(); ++i) {
    const LoopEvent &event = loop.events[i];
    CHECK(event.begin <= event.time);
    CHECK((i == 0 || loop.events[i - 1].time <= event.time));
    CHECK(event.operation < loop.operations.size());
    CHECK((event.buffer < 0 || event.buffer < static_cast<int32_t>(loop.buffers.size())));
    if (event.end >= 0)
      CHECK(loop.events[static_cast<size_t>(event.end)].time >= event.time);
  }
  for (const LoopLink &link : loop.links)
    CHECK(loop.events[link.from].time <= loop.events[link.to].time);
}

} // namespace

TEST_CASE("copies of a product are two iterations ahead in three slots", "[compiler]") {
  const Loops loops = productLoops("cuda:80", 64, 32, 3);
  REQUIRE(loops.size() == 1);
  const LoopFacts &loop = loops.front();
  checkOrder(loop);
  CHECK(loop.isPipelined());
  CHECK(loop.range.begin.line == 9);
  CHECK(loop.pipeline.stages == 3);
  CHECK(loop.pipeline.copies == 2);
  CHECK(loop.pipeline.copiesUnderWay == 1);
  CHECK(loop.numIterations == -1);
  CHECK(loop.numFollowed == 8);
  REQUIRE(loop.buffers.size() == 2);
  CHECK(loop.buffers[0].name == "a");
  CHECK(loop.buffers[0].slots == 3);
  CHECK(loop.buffers[1].shape == std::vector<int64_t>{32, 64});
  // Two blocks of either factor are under way before the loop.
  CHECK(eventsOf(loop, LoopAction::AsyncCopy, kBeforeLoop).size() == 4);
  for (int32_t k = 0; k < loop.numFollowed; ++k) {
    CAPTURE(k);
    const auto copies = eventsOf(loop, LoopAction::AsyncCopy, k);
    const auto waits = eventsOf(loop, LoopAction::CopyWait, k);
    const auto products = eventsOf(loop, LoopAction::Product, k);
    REQUIRE(copies.size() == 2);
    REQUIRE(waits.size() == 1);
    REQUIRE(products.size() == 1);
    for (const LoopEvent *copy : copies) {
      CHECK(copy->forIteration == k + 2);
      CHECK(copy->slot == (k + 2) % 3);
      CHECK(loop.operations[copy->operation].distance == 2);
      // In the last two iterations nothing is left to load.
      CHECK(copy->isOff == (k + 2 >= loop.numFollowed));
      if (copy->isOff)
        continue;
      CHECK(copy->end >= 0);
      const LoopEvent *wait = eventsOf(loop, LoopAction::CopyWait, k + 2).front();
      CHECK(&loop.events[static_cast<size_t>(copy->end)] == wait);
      CHECK(isLinked(loop, copy, wait, LoopLinkKind::Ends));
    }
    CHECK(loop.operations[waits.front()->operation].pending == 1);
    for (const LoopEvent *read : eventsOf(loop, LoopAction::LocalLoad, k)) {
      CHECK(read->slot == k % 3);
      CHECK(isLinked(loop, read, products.front(), LoopLinkKind::Feeds));
      if (k >= 2)
        CHECK(std::ranges::any_of(eventsOf(loop, LoopAction::AsyncCopy, k - 2), [&](auto *copy) {
          return isLinked(loop, copy, read, LoopLinkKind::Feeds);
        }));
      // The slot that is read now is filled again in the next iteration.
      if (k + 3 < loop.numFollowed)
        CHECK(std::ranges::any_of(eventsOf(loop, LoopAction::AsyncCopy, k + 1), [&](auto *copy) {
          return copy->slot == read->slot && isLinked(loop, read, copy, LoopLinkKind::Frees);
        }));
    }
  }
  CHECK(eventsOf(loop, LoopAction::CopyWait, kBehindLoop).size() == 1);
}

TEST_CASE("products of warp groups stay under way into the next iteration", "[compiler]") {
  const Loops loops = productLoops("cuda:90", 128, 64, 3);
  REQUIRE(loops.size() == 1);
  const LoopFacts &loop = loops.front();
  checkOrder(loop);
  CHECK(loop.pipeline.asyncProducts == 1);
  CHECK(loop.pipeline.productWaits == 1);
  for (int32_t k = 0; k + 1 < loop.numFollowed; ++k) {
    CAPTURE(k);
    const auto products = eventsOf(loop, LoopAction::Product, k);
    REQUIRE(products.size() == 1);
    REQUIRE(products.front()->end >= 0);
    const LoopEvent &end = loop.events[static_cast<size_t>(products.front()->end)];
    CHECK(end.iteration == k + 1);
    CHECK(loop.operations[end.operation].pending == 1);
    // It reads the slots itself.
    if (k >= 2)
      for (const LoopEvent *copy : eventsOf(loop, LoopAction::AsyncCopy, k - 2))
        CHECK(isLinked(loop, copy, products.front(), LoopLinkKind::Feeds));
  }
  const auto last = eventsOf(loop, LoopAction::Product, loop.numFollowed - 1);
  REQUIRE(last.front()->end >= 0);
  CHECK(loop.events[static_cast<size_t>(last.front()->end)].iteration == kBehindLoop);
}

/// A kernel of the regression set, without its types and values.
static CompileRequest attentionRequest(const std::string &file) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text =
      read(std::filesystem::path(TILESCOPE_DUMPS) / "../../bench/kernels/attention" / file);
  request.selection.target = "cuda:90";
  return request;
}

TEST_CASE("the second product of attention runs on beside the next first one", "[compiler]") {
  CompileRequest request = attentionRequest("attention_fwd_4_warps.py");
  request.selection.signature = {{"q_ptr", "*fp16:16"},   {"k_ptr", "*fp16:16"},
                                 {"v_ptr", "*fp16:16"},   {"out_ptr", "*fp16:16"},
                                 {"lse_ptr", "*fp32:16"}, {"length", "i32:16"},
                                 {"scale", "fp32"}};
  request.selection.constexprs = {{"BLOCK_M", "128"}, {"BLOCK_N", "64"}, {"DIM", "64"}};
  request.selection.options = {{"num_warps", "4"}, {"num_stages", "3"}};
  const Loops loops = loopsOf(std::move(request));
  REQUIRE(loops.size() == 1);
  const LoopFacts &loop = loops.front();
  checkOrder(loop);
  REQUIRE(loop.pipeline.asyncProducts == 2);
  const auto endOf = [&](const LoopEvent *event) -> const LoopEvent & {
    REQUIRE(event->end >= 0);
    return loop.events[static_cast<size_t>(event->end)];
  };
  for (int32_t k = 1; k + 1 < loop.numFollowed; ++k) {
    CAPTURE(k);
    const auto products = eventsOf(loop, LoopAction::Product, k);
    REQUIRE(products.size() == 2);
    CHECK(endOf(products[0]).iteration == k);
    CHECK(endOf(products[1]).iteration == k + 1);
    CHECK(isLinked(loop, products[0], products[1], LoopLinkKind::Feeds));
    // What earlier iterations added up is no factor.
    for (const LoopEvent *before : eventsOf(loop, LoopAction::Product, k - 1))
      for (const LoopEvent *now : products)
        CHECK_FALSE(isLinked(loop, before, now, LoopLinkKind::Feeds));
  }
}

TEST_CASE("a product that is waited for at once ends those that began before", "[compiler]") {
  CompileRequest request = attentionRequest("attention_bwd_dkdv.py");
  for (const char *name : {"q_ptr", "k_ptr", "v_ptr", "dout_ptr", "dk_ptr", "dv_ptr"})
    request.selection.signature[name] = "*fp16:16";
  for (const char *name : {"lse_ptr", "delta_ptr"})
    request.selection.signature[name] = "*fp32:16";
  request.selection.signature["length"] = "i32:16";
  request.selection.signature["scale"] = "fp32";
  request.selection.constexprs = {{"BLOCK_M", "64"}, {"BLOCK_N", "128"}, {"DIM", "64"}};
  request.selection.options = {{"num_warps", "8"}, {"num_stages", "2"}};
  const Loops loops = loopsOf(std::move(request));
  REQUIRE(loops.size() == 1);
  const LoopFacts &loop = loops.front();
  for (int32_t k = 1; k + 1 < loop.numFollowed; ++k) {
    CAPTURE(k);
    const auto products = eventsOf(loop, LoopAction::Product, k);
    REQUIRE(products.size() == 4);
    // `dv` is under way until `dp`, which the threads wait for.
    CHECK_FALSE(loop.operations[products[2]->operation].isAsync);
    REQUIRE(products[1]->end >= 0);
    CHECK(&loop.events[static_cast<size_t>(products[1]->end)] == products[2]);
    REQUIRE(products[3]->end >= 0);
    CHECK(loop.events[static_cast<size_t>(products[3]->end)].iteration == k + 1);
  }
}

TEST_CASE("a loop that is not pipelined says why", "[compiler]") {
  const Loops single = productLoops("cuda:80", 64, 32, 1);
  REQUIRE(single.size() == 1);
  CHECK(single.front().obstacle == PipelineObstacle::Loads);
  REQUIRE(single.front().waiting.size() == 2);
  CHECK(single.front().waiting.front().obstacle == LoopObstacle::Stages);
  CHECK(single.front().waiting.front().range.begin.line == 10);
  CHECK_FALSE(single.front().isPipelined());
  // The load feeds the product of its own iteration.
  const auto loads = eventsOf(single.front(), LoopAction::Load, 2);
  CHECK(loads.size() == 2);

  CompileRequest request;
  request.path = "/kernels/k.py";
  request.selection.target = "cuda:80";
  request.selection.signature = {{"x_ptr", "*fp32:16"}, {"o_ptr", "*fp32:16"}, {"n", "i32"}};
  const std::string head = R"(import triton
import triton.language as tl


@triton.jit
def k(x_ptr, o_ptr, n):
    i = tl.arange(0, 128)
    total = tl.zeros((128,), dtype=tl.float32)
)";
  request.text = head + R"(    for at in range(0, n, 128):
        total += tl.load(x_ptr + at + i)
    tl.store(o_ptr + i, total)
)";
  const Loops sums = loopsOf(request);
  REQUIRE(sums.size() == 1);
  CHECK(sums.front().obstacle == PipelineObstacle::NoProduct);
  CHECK(eventsOf(sums.front(), LoopAction::Load, 0).size() == 1);
  CHECK(eventsOf(sums.front(), LoopAction::Arithmetic, 0).size() == 1);
  request.text = head + R"(    for row in range(0, n):
        for at in range(0, 4):
            total += row * at
    tl.store(o_ptr + i, total)
)";
  const Loops nested = loopsOf(request);
  REQUIRE(nested.size() == 2);
  CHECK(nested[0].obstacle == PipelineObstacle::HoldsLoop);
  CHECK(nested[1].obstacle == PipelineObstacle::NoLoads);
  CHECK(nested[1].numIterations == 4);
  request.text = head + "    tl.store(o_ptr + i, total)\n";
  CHECK(loopsOf(request).empty());
}

TEST_CASE("a launch says how many iterations there are", "[compiler][pipeline]") {
  const std::map<std::string, int64_t> numbers{{"K", 1024}, {"other", 7}};
  const Loops loops = productLoops("cuda:80", 64, 32, 3, "K", "", &numbers);
  REQUIRE(loops.size() == 1);
  CHECK(loops.front().numIterations == 32);
  CHECK(loops.front().isLaunchKnown);
  // As of one whose end is written in the kernel.
  const Loops written = productLoops("cuda:80", 64, 32, 3, "1024");
  CHECK(loops.front().events.size() == written.front().events.size());
  CHECK(loops.front().numFollowed == written.front().numFollowed);
  // Why a loop waits is what the compiler knew, which is less.
  CHECK(productLoops("cuda:80", 64, 32, 1, "K", "", &numbers).front().waiting ==
        productLoops("cuda:80", 64, 32, 1).front().waiting);
  CHECK(productLoops("cuda:80", 64, 32, 3).front().numIterations == -1);
}

TEST_CASE("of many iterations the first and the last are kept", "[compiler]") {
  const Loops loops = productLoops("cuda:80", 64, 32, 3, "1024");
  REQUIRE(loops.size() == 1);
  const LoopFacts &loop = loops.front();
  checkOrder(loop);
  CHECK(loop.numIterations == 32);
  CHECK(loop.numFollowed == 32);
  CHECK(eventsOf(loop, LoopAction::Product, 3).size() == 1);
  CHECK(eventsOf(loop, LoopAction::Product, 4).empty());
  CHECK(eventsOf(loop, LoopAction::Product, 27).empty());
  CHECK(eventsOf(loop, LoopAction::Product, 28).size() == 1);
  CHECK(eventsOf(loop, LoopAction::Product, 31).size() == 1);
  // No time passes in the gap: what was begun in it is there when the events go on.
  const auto numInGap = std::ranges::count_if(loop.events, &LoopEvent::isInGap);
  CHECK(loop.events.back().time + 1 + static_cast<uint32_t>(numInGap) == loop.events.size());
  // The blocks that iterations 28 and 29 use were copied in 26 and 27.
  CHECK(numInGap == 4);
  for (const LoopEvent &event : loop.events)
    if (event.isInGap) {
      CHECK(isCopy(loop.operations[event.operation].action));
      CHECK(event.forIteration - event.iteration == 2);
      CHECK(event.time == eventsOf(loop, LoopAction::CopyWait, 28).front()->time);
      CHECK(event.end >= 0);
    }
  // Of the last two iterations nothing is left to load; the slots are those of 32 iterations.
  CHECK(eventsOf(loop, LoopAction::AsyncCopy, 29).front()->slot == 31 % 3);
  CHECK_FALSE(eventsOf(loop, LoopAction::AsyncCopy, 29).front()->isOff);
  CHECK(eventsOf(loop, LoopAction::AsyncCopy, 30).front()->isOff);
}

TEST_CASE("a bulk copy is waited for at the barrier of its slot", "[compiler]") {
  const Loops loops = dumpLoops("matmul.ttgir");
  REQUIRE(loops.size() == 1);
  const LoopFacts &loop = loops.front();
  checkOrder(loop);
  CHECK(loop.isPipelined());
  CHECK(loop.pipeline.stages == 3);
  CHECK(loop.pipeline.copies == 2);
  for (int32_t k = 2; k < loop.numFollowed; ++k) {
    CAPTURE(k);
    const auto waits = eventsOf(loop, LoopAction::BarrierWait, k);
    REQUIRE(waits.size() == 1);
    CHECK(waits.front()->slot == k % 3);
    const auto copies = eventsOf(loop, LoopAction::BulkCopy, k - 2);
    REQUIRE(copies.size() == 2);
    for (const LoopEvent *copy : copies) {
      CHECK(copy->forIteration == k);
      CHECK(&loop.events[static_cast<size_t>(copy->end)] == waits.front());
      CHECK(copy->time < waits.front()->time);
    }
  }
}

TEST_CASE("groups of warps wait for each other", "[compiler]") {
  const Loops loops = dumpLoops("matmul_groups.ttgir");
  REQUIRE(loops.size() == 1);
  const LoopFacts &loop = loops.front();
  checkOrder(loop);
  REQUIRE(loop.partitions.size() == 2);
  CHECK(loop.partitions[0].name == "default");
  CHECK(loop.partitions[0].numWarps == 4);
  CHECK(loop.partitions[1].name == "partition0");
  CHECK(loop.partitions[1].numWarps == 1);
  CHECK(loop.isPipelined());
  const auto inGroup = [&](LoopAction action, int32_t iteration, int32_t group) {
    auto events = eventsOf(loop, action, iteration);
    std::erase_if(events, [&](const LoopEvent *event) {
      return loop.operations[event->operation].partition != group;
    });
    return events;
  };
  for (int32_t k = 0; k < loop.numFollowed; ++k) {
    CAPTURE(k);
    // The product waits for both copies of its iteration, which the other group has started.
    const auto full = inGroup(LoopAction::BarrierWait, k, 0);
    REQUIRE(full.size() == 1);
    const auto copies = inGroup(LoopAction::BulkCopy, k, 1);
    REQUIRE(copies.size() == 2);
    for (const LoopEvent *copy : copies) {
      CHECK(copy->slot == k % 2);
      CHECK(isLinked(loop, copy, full.front(), LoopLinkKind::Ends));
    }
    // From the third block on, a copy waits until its slot was read.
    const auto empty = inGroup(LoopAction::BarrierWait, k, 1);
    REQUIRE(empty.size() == 1);
    if (k < 2)
      continue;
    const auto arrivals = inGroup(LoopAction::Arrive, k - 2, 0);
    REQUIRE(arrivals.size() == 1);
    CHECK(isLinked(loop, arrivals.front(), empty.front(), LoopLinkKind::Signals));
    CHECK(arrivals.front()->time < empty.front()->time);
  }
  // The first product waits while the other group starts the copies.
  const auto first = inGroup(LoopAction::BarrierWait, 0, 0).front();
  CHECK(first->begin < first->time);
}

TEST_CASE("dumps with products in tensor memory are followed", "[compiler]") {
  for (const char *name : {"matmul_tensor.ttgir", "matmul_tensor_groups.ttgir",
                           "chain_tensor.ttgir", "scaled_tensor.ttgir", "matmul_cluster.ttgir"}) {
    CAPTURE(name);
    for (const LoopFacts &loop : dumpLoops(name))
      checkOrder(loop);
  }
}

TEST_CASE("the loops of every example are in order", "[compiler]") {
  int numLoops = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TILESCOPE_EXAMPLES)) {
    if (entry.path().extension() != ".py")
      continue;
    for (const char *target : {"cuda:80", "cuda:90"}) {
      CAPTURE(entry.path().filename().string(), target);
      CompileRequest request;
      request.path = "/kernels/k.py";
      request.text = read(entry.path());
      request.selection.target = target;
      request.stopAfter = StageId::LlvmIr;
      Compiler compiler{CudaToolkit{}};
      const CompileResult result = compiler.compile(request).result;
      if (!result.ok)
        continue;
      const Result<Loops> loops = findLoops(result);
      REQUIRE(loops);
      for (const LoopFacts &loop : *loops)
        checkOrder(loop);
      numLoops += static_cast<int>(loops->size());
    }
  }
  CHECK(numLoops >= 4);
}
