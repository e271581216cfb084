// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/ptx/PtxScalar.h"
#include "tests/support/ptx/PtxEmulator.h"
#include "tests/support/ptx/PtxGroupMatrix.h"
#include "tests/support/ptx/PtxRequests.h"
#include "tests/support/ptx/PtxTensorMap.h"
#include "tests/support/ptx/PtxTensorUnit.h"
#include "tests/support/ptx/SharedMemoryCheck.h"

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

namespace tilescope::tests {

using namespace compiler;

constexpr int kPtxWarpSize = 32;
/// Generic addresses of shared, local and parameter memory; far from what an allocator returns.
constexpr uint64_t kSharedWindow = uint64_t(0x7e) << 56;
constexpr uint64_t kLocalWindow = uint64_t(0x7d) << 56;
constexpr uint64_t kParameterWindow = uint64_t(0x7c) << 56;
/// Addresses of a cluster's shared memory: a block's number, counted from 1, above the address there.
constexpr int kBlockShift = 24;

/// How an instruction is executed.
enum class PtxAction {
  Scalar,
  Compare,
  Load,
  Store,
  Atomic,
  AsyncCopy,
  BulkCopy,
  MapReplace,
  ProxyFence,
  Barrier,
  Branch,
  Call,
  Return,
  Exit,
  Nothing,
  WarpMeeting,
  GroupMeeting,
  CtaMeeting,
  ClusterArrive,
  ClusterWait,
  BarrierWait,
  MatrixUnit
};

/// Facts about an instruction that the emulator needs, determined once.
struct DecodedPtx {
  const PtxInstruction *instruction;
  PtxAction action;
  PtxType type;
};

/// A `cp.async` that is under way.
struct PtxCopy {
  const PtxInstruction *instruction = nullptr;
  uint64_t to = 0, from = 0;
  /// The bytes after the first `given` ones are filled with zeros.
  size_t bytes = 0, given = 0;
};

/// A copy between a box of a tensor and shared memory that is under way.
struct PtxBulkCopy {
  const PtxInstruction *instruction = nullptr;
  /// The thread that issued it.
  size_t thread = 0;
  PtxTensorMap map;
  /// Coordinates, fastest first; more than the map's rank for rows in several places.
  std::vector<int32_t> at;
  uint64_t shared = 0;
  /// The barrier that is told of its end; nothing for copies out of shared memory.
  std::optional<uint64_t> barrier{};
  SharedMemoryCheck::Engine engine{0};

  size_t bytes() const;
};

/// A barrier in shared memory (`mbarrier`).
struct PtxBarrier {
  /// Arrivals that end a phase, and how many are still missing in this one.
  int64_t expected = 1, missing = 1;
  /// Bytes that asynchronous copies have still to bring; below zero when announced later.
  int64_t bytesMissing = 0;
  uint64_t phase = 0;
  /// The knowledge of the threads that arrived, in this phase and in those that are over.
  KnownSteps arrived, over;

  /// False when more arrive than are expected.
  bool arrive(int64_t arrivals);
  /// Goes on to the next phase once nothing is missing.
  void turn();
};

/// A `wgmma.mma_async` that is under way.
struct PtxProduct {
  const PtxInstruction *instruction = nullptr;
  PtxGroupForm form;
  /// The left factor is in registers when there is none.
  std::optional<PtxGroupFactor> left;
  PtxGroupFactor right;
  bool addsUp = false;
  /// A left factor in registers, row by row: the assembler keeps it until the product is over.
  std::vector<double> leftInRegisters{};
  /// The party that reads shared memory on behalf of each warp.
  std::array<SharedMemoryCheck::Engine, 4> engines{};
};

/// The state of four warps that multiply together.
struct PtxGroup {
  bool isFenced = false;
  /// Products by group, oldest first; the last group is still open.
  std::vector<std::vector<PtxProduct>> products{{}};
};

/// The state of one thread of the CTA.
struct PtxThread {
  std::vector<uint64_t> registers;
  std::vector<uint8_t> local;
  /// Where values are passed to functions and back.
  std::vector<uint8_t> passed;
  /// The calls that the thread is in, outermost first, as indices of instructions.
  std::vector<size_t> calls;
  size_t pc = 0;
  int64_t steps = 0;
  bool exited = false;
  bool waiting = false;
  /// How often the thread has arrived at the cluster's barrier, and has passed it.
  size_t clusterArrivals = 0, clusterPasses = 0;
  /// Asynchronous copies by group, oldest first; the last group is still open.
  std::vector<std::vector<PtxCopy>> copies{{}};
  /// The same for bulk copies out of shared memory.
  std::vector<std::vector<PtxBulkCopy>> bulkGroups{{}};
};

/// Finds out how `instruction` is executed.
DecodedPtx decodePtx(const PtxInstruction &instruction);

/// The type named by the last modifier that names one.
PtxType accessType(const PtxInstruction &instruction);

/// Bytes of the variables in module scope, by name.
using PtxGlobals = std::unordered_map<std::string, std::vector<uint8_t>>;

/// One CTA, or the CTAs of one cluster side by side, on the way through a kernel. The threads of all
/// CTAs are numbered through; so are the bytes of their shared memory.
class CtaRun {
public:
  CtaRun(const PtxModule &module, const PtxProgram &kernel, const PtxLaunch &launch,
         const std::vector<DecodedPtx> &code, const std::vector<uint8_t> &parameters,
         PtxGlobals &globals, PtxOutcome &outcome)
      : m_module(module), m_kernel(kernel), m_launch(launch), m_code(code),
        m_parameters(parameters), m_globals(globals), m_statistics(outcome.statistics),
        m_printed(outcome.printed) {
    m_sharedBytes = static_cast<size_t>(launch.sharedBytes) + sharedVariableBytes();
    const auto numBlocks = static_cast<size_t>(kernel.blocks);
    // Swizzles of bulk copies look at addresses.
    constexpr size_t kAlignment = 1024;
    m_sharedStride = (m_sharedBytes + kAlignment - 1) / kAlignment * kAlignment;
    m_shared.assign(numBlocks == 1 ? m_sharedBytes : m_sharedStride * numBlocks, 0xcd);
    m_check.emplace(m_shared.size(), tensorWords(code), kernel.threads * numBlocks);
    m_threads.resize(kernel.threads * numBlocks);
  }

  /// Runs all threads to their end; what went wrong, or an empty text. `cta`: the first one's place.
  std::string run(std::array<uint32_t, 3> cta);
  /// Adds what was requested to the outcome's statistics.
  void addRequests() { m_requests.addTo(m_statistics.requests); }

private:
  using Kind = PtxOperand::Kind;
  enum class Space { Parameter, Shared, Local, Global };

  int64_t sharedVariableBytes() const;
  /// The number of the thread's CTA in the cluster.
  size_t blockOf(size_t thread) const { return thread / static_cast<size_t>(m_kernel.threads); }
  /// Whether all threads of a CTA have ended.
  bool hasEnded(size_t block) const;
  /// Where an address of shared memory is in that of the cluster; nothing for outside of it.
  /// `isCluster`: it may be another CTA's.
  std::optional<size_t> sharedPlace(size_t thread, uint64_t address, size_t size, bool isCluster);
  size_t firstWaiting() const;
  void fail(size_t thread, const std::string &what);
  /// Runs one thread until it exits or waits for others.
  void runToMeeting(size_t index);
  void step(size_t index, PtxThread &thread, const DecodedPtx &decoded);
  void scalar(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  static uint64_t convertAddress(const PtxInstruction &instruction, uint64_t address);
  /// `mov.b32 {lo, hi}, r` and `mov.b32 r, {lo, hi}`.
  bool moveVector(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  void compare(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  uint64_t read(size_t index, PtxThread &thread, const PtxOperand &operand);
  void write(PtxThread &thread, const PtxOperand &operand, uint64_t value);
  uint64_t symbol(size_t index, const std::string &name);

  // PtxCtaCalls.cpp
  void call(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  /// From the innermost function, or out of the kernel.
  void leave(PtxThread &thread);
  void print(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  void reportAssertion(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  /// The bits of argument `position` of a call.
  uint64_t passedValue(PtxThread &thread, const PtxInstruction &call, size_t position) const;
  /// Host memory behind a generic address that a function got, or null.
  uint8_t *behind(size_t index, PtxThread &thread, uint64_t address, size_t size);
  std::string textAt(size_t index, PtxThread &thread, uint64_t address);

  // PtxCtaMemory.cpp
  Space spaceOf(const PtxInstruction &instruction, uint64_t address) const;
  /// Host memory behind [address, address + size), or null after reporting the fault.
  uint8_t *resolve(size_t index, PtxThread &thread, const PtxInstruction &instruction,
                   uint64_t address, size_t size, bool isWrite, bool isAtomic = false);
  /// Notes what one thread asks of memory, where that is wanted.
  void request(size_t index, const PtxInstruction &instruction, const char *what, uint64_t address,
               size_t bytes);
  uint8_t *outside(size_t index, const char *space);
  uint8_t *global(size_t index, uint64_t address, size_t size);
  uint64_t addressOf(size_t index, PtxThread &thread, const PtxOperand &operand);
  void transfer(size_t index, PtxThread &thread, const DecodedPtx &decoded);
  void atomic(size_t index, PtxThread &thread, const DecodedPtx &decoded);
  /// `cp.async` and its groups. Data arrives when it is waited for, no sooner.
  void asyncCopy(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  void complete(size_t index, PtxThread &thread, const PtxCopy &copy);

  // PtxCtaMeetings.cpp
  /// Executes a warp-wide instruction when every thread of the warp that is still there waits at
  /// it.
  bool meetWarp(size_t warp);
  void shuffle(size_t begin, const std::vector<size_t> &lanes, const PtxInstruction &instruction);
  void vote(size_t begin, const std::vector<size_t> &lanes, const PtxInstruction &instruction);
  /// `elect.sync`: true in one lane.
  void elect(const std::vector<size_t> &lanes, const PtxInstruction &instruction);
  void reduce(const std::vector<size_t> &lanes, const PtxInstruction &instruction);
  void multiply(const std::vector<size_t> &lanes, const PtxInstruction &instruction);
  /// `ldmatrix`: lane l reads row l % 8 of matrix l / 8 on behalf of all.
  void loadMatrices(const std::vector<size_t> &lanes, const PtxInstruction &instruction);

  // PtxCtaGroups.cpp
  /// Executes an instruction of four warps when all their threads wait at it.
  bool meetGroup(size_t group);
  /// An operand on which all threads of the group must agree.
  uint64_t readForGroup(size_t begin, const PtxOperand &operand);
  void issueProduct(size_t begin, const PtxInstruction &instruction);
  /// Each warp reads its rows of the left factor, and all of the right one.
  void recordReads(size_t begin, PtxProduct &product);
  double sharedElement(const PtxGroupFactor &factor, size_t outer, size_t k,
                       std::string_view type) const;
  std::vector<double> leftInRegisters(size_t begin, const PtxProduct &product);
  void complete(size_t begin, const PtxProduct &product);
  void waitForProducts(size_t begin, const PtxInstruction &instruction);

  // PtxCtaBarriers.cpp
  /// Lets threads pass the barriers of their CTA at which all wait that each is for.
  bool meetCta();
  /// `barrier.cluster.arrive`; and lets threads pass `wait` at which all have arrived.
  void arriveAtCluster(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  bool passCluster();
  /// `mbarrier`, all but waiting.
  void barrier(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  /// The barrier at an address, or null; `asObject`: it must be there already.
  PtxBarrier *barrierAt(size_t index, PtxThread &thread, const PtxInstruction &instruction,
                        uint64_t address, bool asObject);
  /// Lets threads pass the barriers in shared memory whose phase is over.
  bool passBarriers();

  // PtxCtaTensor.cpp
  /// Words of tensor memory to be watched: all, or none where the kernel does not use it.
  static size_t tensorWords(const std::vector<DecodedPtx> &code);
  /// Records an access of one row, from now until `engine` is finished.
  void watchTensor(size_t thread, uint64_t address, size_t row, size_t columns, bool isWrite,
                   SharedMemoryCheck::Engine &engine);
  void tensorWarp(const std::vector<size_t> &lanes, const PtxInstruction &instruction);
  void waitForTransfers(const std::vector<size_t> &lanes);
  void transferTensor(const std::vector<size_t> &lanes, const PtxInstruction &instruction);
  /// The work that one thread requests of the matrix unit.
  void tensorThread(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  void recordCopy(const PtxTensorOperation &operation, SharedMemoryCheck::Engine &engine);
  void recordProduct(const PtxTensorOperation &operation, SharedMemoryCheck::Engine &engine);
  std::vector<double> factorElements(const PtxTensorProduct &product, const PtxTensorFactor &factor,
                                     size_t outers) const;
  void performProduct(const PtxTensorProduct &product);
  /// Up to the next barrier that learns of it; false when the unit has nothing to do.
  bool performTensorOperations();

  // PtxCtaBulk.cpp
  void bulkCopy(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  std::optional<PtxTensorMap> tensorMapAt(size_t index, PtxThread &thread, uint64_t address);
  void perform(const PtxBulkCopy &copy);
  /// One element; no address: outside of the tensor.
  void move(const PtxBulkCopy &copy, std::optional<uint64_t> address, uint8_t *shared);
  bool performOldestLoad();
  void replaceInMap(size_t index, PtxThread &thread, const PtxInstruction &instruction);
  /// `tensormap.cp_fenceproxy`: from shared to global memory, by a warp.
  void publishMap(size_t index, const PtxInstruction &instruction);

  const PtxModule &m_module;
  const PtxProgram &m_kernel;
  const PtxLaunch &m_launch;
  const std::vector<DecodedPtx> &m_code;
  const std::vector<uint8_t> &m_parameters;
  PtxGlobals &m_globals;
  PtxStatistics &m_statistics;
  PtxRequests m_requests;
  std::string &m_printed;
  std::vector<uint8_t> m_shared;
  /// What one CTA has, and how far apart the CTAs' parts are.
  size_t m_sharedBytes = 0, m_sharedStride = 0;
  /// What the threads knew that arrived at the cluster's barrier, by its phase.
  std::vector<KnownSteps> m_clusterPhases;
  std::optional<SharedMemoryCheck> m_check;
  std::vector<PtxThread> m_threads;
  std::vector<PtxGroup> m_groups;
  /// By place in shared memory.
  std::map<uint64_t, PtxBarrier> m_barriers;
  /// Bulk copies into shared memory that are under way, oldest first.
  std::deque<PtxBulkCopy> m_loads;
  PtxTensorUnit m_tensor;
  std::array<uint32_t, 3> m_cta{};
  std::string m_error;
};

} // namespace tilescope::tests
