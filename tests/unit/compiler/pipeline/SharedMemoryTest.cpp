// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels keep in shared memory, against what the compiler allocated.
#include "compiler/pipeline/SharedMemory.h"

#include "compiler/access/picture/AccessPicture.h"
#include "compiler/access/picture/SharedMap.h"
#include "compiler/pipeline/Compiler.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace tilescope;
using namespace tilescope::compiler;

namespace {

struct Compiled {
  CompileResult result;
  SharedFacts facts;
};

std::string read(const std::filesystem::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Of a file with guesses for what it does not say.
CompileResult compile(const std::string &text, const std::string &target,
                      std::map<std::string, std::string> constexprs = {},
                      std::map<std::string, std::string> options = {}) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = text;
  request.selection.target = target;
  request.selection.constexprs = std::move(constexprs);
  request.selection.options = std::move(options);
  request.stopAfter = StageId::LlvmIr;
  Compiler compiler{CudaToolkit{}};
  return compiler.compile(request).result;
}

Compiled find(CompileResult result) {
  Result<SharedFacts> facts = findSharedMemory(result);
  if (!facts)
    UNSCOPED_INFO(facts.error().message);
  REQUIRE(facts);
  return {std::move(result), std::move(*facts)};
}

/// The product of two matrices: M rows and N columns of fp16, K inside.
std::string product(int m, int n, int k) {
  std::ostringstream text;
  text << R"(import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, K):
    i = tl.arange(0, )"
       << m << ")\n    j = tl.arange(0, " << n << ")\n    k = tl.arange(0, " << k << R"()
    total = tl.zeros(()"
       << m << ", " << n << R"(), dtype=tl.float32)
    for at in range(0, K, )"
       << k << R"():
        a = tl.load(a_ptr + i[:, None] * K + (at + k)[None, :])
        b = tl.load(b_ptr + (at + k)[:, None] * )"
       << n << R"( + j[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + i[:, None] * )"
       << n << R"( + j[None, :], total)
)";
  return text.str();
}

CompileResult compileProduct(int m, int n, int k, const std::string &target, int stages = 3) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = product(m, n, k);
  request.selection.target = target;
  request.selection.signature = {
      {"a_ptr", "*fp16:16"}, {"b_ptr", "*fp16:16"}, {"c_ptr", "*fp32:16"}, {"K", "i32:16"}};
  request.selection.options = {{"num_stages", std::to_string(stages)}};
  request.stopAfter = StageId::LlvmIr;
  Compiler compiler{CudaToolkit{}};
  return compiler.compile(request).result;
}

const SharedBuffer *named(const SharedFacts &facts, const std::string &name) {
  const auto found = std::ranges::find(facts.buffers, name, &SharedBuffer::name);
  return found == facts.buffers.end() ? nullptr : &*found;
}

/// Nothing has bytes of another at the same time, nothing lies beyond the end, and the end is where
/// the compiler's is.
void checkPlaces(const Compiled &compiled) {
  const SharedFacts &facts = compiled.facts;
  CHECK(facts.total == compiled.result.metadata.sharedBytes);
  int64_t end = 0;
  for (size_t i = 0; i < facts.buffers.size(); ++i) {
    const SharedBuffer &buffer = facts.buffers[i];
    CAPTURE(buffer.operation, buffer.name, buffer.offset, buffer.bytes, buffer.begin, buffer.end);
    CHECK(buffer.bytes > 0);
    CHECK(buffer.begin < buffer.end);
    CHECK(buffer.end <= facts.steps.size());
    end = std::max(end, buffer.offset + buffer.bytes);
    for (size_t j = 0; j < i; ++j)
      if (buffer.sharesBytesWith(facts.buffers[j]))
        CHECK_FALSE(buffer.meets(facts.buffers[j]));
  }
  CHECK(end == facts.total);
  for (const SharedAccess &access : facts.accesses) {
    CAPTURE(access.facts.operation, access.step);
    REQUIRE(access.buffer < facts.buffers.size());
    CHECK(facts.buffers[access.buffer].isAliveIn(access.step));
  }
}

} // namespace

TEST_CASE("a buffer is named after what lies in it, not after the target of its line",
          "[compiler][shared]") {
  std::string text = product(64, 64, 64);
  const auto replace = [&](const std::string &from, const std::string &to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("tl.dot(a, b, total)", "tl.dot(a, b.to(tl.float16), total)");
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = text;
  request.selection.target = "cuda:90";
  request.selection.signature = {
      {"a_ptr", "*fp16:16"}, {"b_ptr", "*i8:16"}, {"c_ptr", "*fp32:16"}, {"K", "i32:16"}};
  request.stopAfter = StageId::LlvmIr;
  Compiler compiler{CudaToolkit{}};
  const Compiled compiled = find(compiler.compile(request).result);
  CHECK(named(compiled.facts, "a"));
  CHECK(named(compiled.facts, "b"));
  CHECK(named(compiled.facts, "b.to(tl.float16)"));
  CHECK_FALSE(named(compiled.facts, "total"));
}

TEST_CASE("the shared memory of every example is what the compiler allocated", "[compiler]") {
  int numShared = 0, numCompiled = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TILESCOPE_EXAMPLES)) {
    if (entry.path().extension() != ".py")
      continue;
    for (const char *target : {"cuda:80", "cuda:90"}) {
      CAPTURE(entry.path().filename().string(), target);
      CompileResult result = compile(read(entry.path()), target);
      // Without a launch, some have parameters that cannot be guessed.
      if (!result.ok)
        continue;
      ++numCompiled;
      const Compiled compiled = find(std::move(result));
      checkPlaces(compiled);
      numShared += !compiled.facts.buffers.empty();
    }
  }
  CHECK(numCompiled >= 14);
  CHECK(numShared >= 8);
}

TEST_CASE("the rings of a product follow each other, and its scratch takes their place",
          "[compiler]") {
  const Compiled compiled = find(compileProduct(64, 64, 32, "cuda:80"));
  checkPlaces(compiled);
  const SharedFacts &facts = compiled.facts;
  CHECK(facts.limit == 166912);
  const SharedBuffer *a = named(facts, "a"), *b = named(facts, "b");
  REQUIRE(a);
  REQUIRE(b);
  CHECK(a->slots == 3);
  CHECK(a->shape == std::vector<int64_t>{64, 32});
  CHECK(a->elementType == "f16");
  CHECK(a->bytes == 3 * 64 * 32 * 2);
  CHECK(a->words == "a buffer of fp16[3, 64, 32]");
  CHECK(a->meets(*b));
  const auto scratch = std::ranges::find(facts.buffers, SharedUse::Scratch, &SharedBuffer::use);
  REQUIRE(scratch != facts.buffers.end());
  CHECK(scratch->operation == "ttg.convert_layout");
  CHECK(scratch->begin >= a->end);
  CHECK(scratch->range.begin.line == 14);
  CHECK(scratch->sharesBytesWith(facts.buffers[0]));
}

TEST_CASE("accesses to shared memory are counted, once for each execution", "[compiler]") {
  const Compiled compiled = find(compileProduct(64, 64, 32, "cuda:80"));
  uint64_t matrices = 0, stores = 0;
  for (const SharedAccess &access : compiled.facts.accesses) {
    if (!access.uncounted.empty())
      continue;
    CHECK(access.facts.executions == 1);
    const access::AccessPicture picture({access.lanes, {}, 1, {}}, access.facts.action);
    AccessCounts sum;
    for (size_t warp = 0; warp < picture.warps().size(); ++warp)
      for (size_t i = 0; i < picture.numInstructions(); ++i) {
        const access::RequestPicture request = picture.request(warp, i, nullptr);
        sum += request.counts;
        std::set<int> passes;
        for (const access::SharedWord &word : request.words)
          passes.insert(word.pass);
        CHECK(passes.size() == request.counts.wavefronts);
      }
    CHECK(sum == access.facts.counts);
    if (access.facts.action == MemoryAction::MatrixLoad) {
      ++matrices;
      CHECK(access.facts.isInLoop == (access.facts.operation == "ttg.local_load"));
      CHECK(access.facts.counts.wavefronts == access.facts.counts.minimumWavefronts);
    }
    stores += access.facts.action == MemoryAction::SharedStore;
  }
  CHECK(matrices >= 2);
  CHECK(stores >= 1);
}

TEST_CASE("the slots of a ring are filled two iterations ahead", "[compiler]") {
  const Compiled compiled = find(compileProduct(64, 64, 32, "cuda:80"));
  REQUIRE(compiled.facts.rings.size() == 2);
  for (const SharedRing &ring : compiled.facts.rings) {
    CHECK(ring.range.begin.line == 10);
    const auto table = access::ringTable(compiled.facts, ring);
    REQUIRE(table.size() == 7);
    // Before the loop the first two blocks are under way.
    CHECK(table[0] == std::vector<access::RingCell>{{0, true, false}, {1, true, false}, {}});
    for (int iteration = 0; iteration < ring.numIterations; ++iteration) {
      const auto &row = table[static_cast<size_t>(iteration) + 1];
      const access::RingCell &read = row[static_cast<size_t>(iteration % 3)];
      CHECK(read == access::RingCell{iteration, false, true});
      const access::RingCell &filled = row[static_cast<size_t>((iteration + 2) % 3)];
      CHECK(filled == access::RingCell{iteration + 2, true, false});
    }
  }
}

TEST_CASE("a ring is shown as far as the loop of its launch goes", "[compiler]") {
  const CompileResult compiled = compileProduct(64, 64, 32, "cuda:80");
  const std::map<std::string, int64_t> numbers{{"K", 64}};
  const Result<SharedFacts> facts = findSharedMemory(compiled, &numbers);
  REQUIRE(facts);
  REQUIRE(facts->rings.size() == 2);
  for (const SharedRing &ring : facts->rings) {
    CHECK(ring.numIterations == 2);
    const auto table = access::ringTable(*facts, ring);
    REQUIRE(table.size() == 3);
    CHECK(table[0] == std::vector<access::RingCell>{{0, true, false}, {1, true, false}, {}});
    // Nothing is left to load ahead.
    CHECK(table[1] == std::vector<access::RingCell>{{0, false, true}, {1, false, false}, {}});
    CHECK(table[2] == std::vector<access::RingCell>{{0, false, false}, {1, false, true}, {}});
  }
}

TEST_CASE("what tensor cores read is counted by core matrices", "[compiler]") {
  const Compiled compiled = find(compileProduct(128, 128, 64, "cuda:90"));
  checkPlaces(compiled);
  std::map<std::string, AccessCounts> counts;
  for (const SharedAccess &access : compiled.facts.accesses) {
    if (access.facts.operation != "ttng.warp_group_dot")
      continue;
    CHECK(access.uncounted.empty());
    CHECK(access.facts.action == MemoryAction::ProductRead);
    CHECK_FALSE(access.isWrite);
    counts[compiled.facts.buffers[access.buffer].name] = access.facts.counts;
    REQUIRE(access.isDrawn());
    // 64 elements of fp16 fill a row of the banks, and the swizzle moves each row's pieces.
    const access::AccessPicture picture({access.lanes, {}, 1, {}}, access.facts.action);
    const access::RequestPicture rows = picture.request(0, 0, nullptr);
    CHECK(rows.lines.size() == 8);
    CHECK(rows.counts.wavefronts == 1);
    std::set<int> pieces;
    for (const access::PictureRun &run : rows.runs)
      pieces.insert(rows.first(run).begin);
    CHECK(pieces.size() == 8);
  }
  REQUIRE(counts.size() == 2);
  // A group of warps computes two pieces of 64 rows, in four steps along K: 8 instructions of four
  // warps, which read `a` (16 KiB) once and `b` (16 KiB) for each piece.
  CHECK(counts["a"].instructions == 32);
  CHECK(counts["a"].wavefronts == 128);
  CHECK(counts["a"].minimumWavefronts == 128);
  CHECK(counts["b"].instructions == 32);
  CHECK(counts["b"].wavefronts == 256);
  CHECK(counts["b"].minimumWavefronts == 256);
}

TEST_CASE("a bulk copy says which boxes it moves", "[compiler]") {
  CompileRequest request;
  request.path = "/kernels/k.ttgir";
  request.entry = StageId::Ttgir;
  request.stopAfter = StageId::LlvmIr;
  // Rows of 128 elements are wider than what is swizzled.
  request.text = R"(
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%desc: !tt.tensordesc<tensor<64x128xf16, #shared>>, %i: i32, %j: i32) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %full = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %full, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %full, 16384, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%i, %j] %m, %full, %true : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    ttng.wait_barrier %full, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_local_to_global %desc[%i, %j] %m : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
)";
  Compiler compiler{CudaToolkit{}};
  const Compiled compiled = find(compiler.compile(request).result);
  std::set<bool> copies;
  for (const SharedAccess &access : compiled.facts.accesses) {
    if (!access.facts.operation.starts_with("ttng.async_tma_copy") ||
        compiled.facts.buffers[access.buffer].name != "m")
      continue;
    copies.insert(access.isWrite);
    CHECK(access.uncounted == "a unit of its own carries out the bulk copy: 2 boxes of 64 x 64 "
                              "elements, 16 KiB in 128 lines of memory");
    CHECK(access.isDrawn());
  }
  CHECK(copies == std::set<bool>{false, true});
}

TEST_CASE("a kernel that needs more than there is shows what takes it", "[compiler]") {
  CompileRequest request;
  request.path = "/kernels/k.ttgir";
  request.entry = StageId::Ttgir;
  request.stopAfter = StageId::LlvmIr;
  request.text = R"(
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:89", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<f16>) {
    %c = arith.constant dense<0.0> : tensor<256x256xf16, #blocked>
    %m = ttg.local_alloc %c : (tensor<256x256xf16, #blocked>) -> !ttg.memdesc<256x256xf16, #shared, #smem>
    %v = ttg.local_load %m : !ttg.memdesc<256x256xf16, #shared, #smem> -> tensor<256x256xf16, #blocked>
    %q = tt.splat %p : !tt.ptr<f16> -> tensor<256x256x!tt.ptr<f16>, #blocked>
    tt.store %q, %v : tensor<256x256x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
)";
  Compiler compiler{CudaToolkit{}};
  CompileResult result = compiler.compile(request).result;
  CHECK_FALSE(result.ok);
  const Compiled compiled = find(std::move(result));
  CHECK(compiled.facts.total == 131072);
  CHECK(compiled.facts.limit == 101376);
  REQUIRE(named(compiled.facts, "m"));
  CHECK(named(compiled.facts, "m")->range.begin.line == 7);
}

TEST_CASE("two scratches of one line are two steps", "[compiler]") {
  const Compiled compiled = find(compile(R"(import triton
import triton.language as tl


@triton.jit
def twice(x_ptr, o_ptr, N: tl.constexpr = 1024):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    tl.store(o_ptr, tl.max(x, axis=0) / tl.sum(x, axis=0))
)",
                                         "cuda:90"));
  checkPlaces(compiled);
  std::vector<const SharedBuffer *> scratches;
  for (const SharedBuffer &buffer : compiled.facts.buffers)
    if (buffer.use == SharedUse::Scratch)
      scratches.push_back(&buffer);
  REQUIRE(scratches.size() == 2);
  CHECK(scratches[0]->range.begin.line == scratches[1]->range.begin.line);
  CHECK(scratches[0]->sharesBytesWith(*scratches[1]));
  CHECK_FALSE(scratches[0]->meets(*scratches[1]));
}
