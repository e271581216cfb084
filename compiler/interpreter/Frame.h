// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// One thread's state while it executes programs of the grid one after another.
#pragma once

#include "compiler/interpreter/AccessTrace.h"
#include "compiler/interpreter/AddressTable.h"
#include "compiler/interpreter/Execution.h"

#include <optional>
#include <set>
#include <unordered_map>

namespace tilescope::compiler::interpreter {

/// What a program of the grid is at, apart from its values.
struct FrameState {
  uint32_t next = 0;
  bool hasSynchronized = false;
  bool allCompleted = true;
  uint64_t numFindings = 0;
  std::vector<RawFinding> findings;
  size_t numPrints = 0;
};

class Frame {
public:
  /// `lanes`: how many elements each value of a region may have.
  Frame(const Execution &execution, const Program &program, size_t lanes);
  Frame(const Frame &) = delete;

  /// The frame of the program whose definedness this one tracks; null for a program itself.
  Frame *tracked() const { return m_tracked; }
  /// The program by its place in the order of the grid, from 1.
  uint32_t programNumber() const;
  /// Another number for each time that a program is begun.
  uint32_t identity() const { return m_identity; }

  /// Executes one program of the grid from start to end, or until it waits for others and may.
  void runProgram(std::array<int32_t, 3> programId);

  // Programs that wait for others (GridRun.h).
  /// How often a program may look for what others do before it is set aside; 0: without end.
  uint32_t patience = 0;
  /// So often each program gives way before atomic operations on what programs look at, and also
  /// behind each look in vain.
  uint32_t mostTurns = 0;
  /// Before such an operation: whether the program is set aside, and executes it when it goes on. A
  /// turn goes from one to the next.
  bool givesWay();
  /// It was set aside so, and not because it waits.
  bool gaveWay() const { return m_gaveWay; }
  /// How often it has gone on, and, if it has looked in vain, at which state of what it looks at
  /// (GridRun.h).
  uint64_t numTurns = 0, lookedAt = 0;
  /// Otherwise it is set aside behind loops in which it looks, too.
  bool isStepped = false;
  /// The program looks at what others change; `isPlain`: it may as well load what it works on.
  void notePoll(bool isPlain = false) {
    ++m_numPolls;
    m_numLooks += !isPlain;
  }
  /// It changes something itself.
  void noteChange() {
    m_numPolls = m_numLooks = 0;
    m_hasChanged = true;
  }
  /// How often it has looked since it changed something itself.
  uint32_t numPolls() const { return m_numPolls; }
  /// The same without plain loads.
  uint32_t numLooks() const { return m_numLooks; }
  bool isParked() const { return m_isParked; }
  /// Sets the program aside; `next`: the instruction with which it goes on.
  void park(uint32_t next);
  /// Takes it up again, where it was.
  void unpark();
  /// Goes on with it.
  void resume();
  /// The program has changed something since it began or went on.
  bool hasChanged() const { return m_hasChanged; }
  void forgetChange() { m_hasChanged = false; }
  void forgetLooks() { m_numPolls = m_numLooks = 0; }
  /// The instruction with which a program that was set aside goes on.
  uint32_t resumesAt() const { return m_resumeAt; }
  /// Neither this time nor instructions since `executedBefore` count for the program's limits.
  void forgive(uint64_t executedBefore, std::chrono::nanoseconds duration);
  /// Ends a program that was set aside, as endless, for `numPrograms` that wait at its place. `waiting`: all that do, by
  /// their numbers.
  void abandon(const std::string &reason, uint64_t numPrograms, const std::set<uint32_t> &waiting);
  /// Executes the instructions, in a region on `lanes` elements at once.
  void run(size_t lanes);

  // One instruction at a time (compiler/stepping).
  /// Begins a program of the grid.
  void begin(std::array<int32_t, 3> programId);
  bool isAtEnd() const { return m_next >= m_program->code.size(); }
  /// The instruction that `step` executes.
  uint32_t next() const { return m_next; }
  void step();
  /// Time that was spent on waiting for the user is not the program's.
  void restartClock() { m_startTime = std::chrono::steady_clock::now(); }
  FrameState state() const;
  void setState(FrameState state);
  const Program &program() const { return *m_program; }
  /// Null: everything is defined.
  Frame *definedness() const { return m_definedness.get(); }
  size_t sharedBytes() const { return m_sharedMemory.size(); }

  Slot &value(uint32_t id) { return m_values[id]; }
  const ValueInfo &info(uint32_t id) const { return m_program->values[id]; }
  /// Elements that a value has now.
  size_t count(uint32_t id) const { return static_cast<size_t>(info(id).shape.count) * m_lanes; }
  size_t lanes() const { return m_lanes; }

  /// The elements of a value, computed from its short form if need be.
  const std::byte *dense(uint32_t id);
  template <typename T> const T *dense(uint32_t id) {
    return reinterpret_cast<const T *>(dense(id));
  }
  /// Room for the elements of a value that becomes Dense.
  std::byte *makeDense(uint32_t id);
  template <typename T> T *makeDense(uint32_t id) { return reinterpret_cast<T *>(makeDense(id)); }
  /// A value of which all elements are equal; the caller sets `scalar`.
  Slot &makeUniform(uint32_t id);
  /// The single element of a scalar.
  template <typename T> T scalar(uint32_t id) const { return m_values[id].template get<T>(); }

  /// Jumps backward stop here when the run is to end.
  void jump(uint32_t target);
  void stop() { m_next = static_cast<uint32_t>(m_program->code.size()); }

  /// The state in which a region of this program runs, with room for `lanes`.
  Frame &regionFrame(const Program &region, size_t lanes);

  const Execution &execution() const { return *m_execution; }
  const std::array<int32_t, 3> &programId() const { return m_programId; }
  void report(const Instruction &instruction, InterpreterFinding finding);
  /// The same, but programs that find the same at this place later are only counted.
  void reportOnce(const Instruction &instruction, InterpreterFinding finding);
  /// What the program that is executed has found at this place; null: nothing, or an earlier one has.
  InterpreterFinding *findingHere(const Instruction &instruction, InterpreterFindingKind kind);
  /// The same for a finding at another instruction of another program.
  void addOnce(RawFinding raw);
  void print(const Instruction &instruction, std::string text);
  /// Notes that this program writes `count` elements of `sizeBytes`, `strideBytes` apart, from an
  /// offset of the area on: for queries about the last writer.
  void noteWatched(const Instruction &instruction, const MemoryArea &area, int64_t offsetBytes,
                   int64_t strideBytes, size_t count, size_t sizeBytes);
  AddressTable &addressTable() { return m_addresses; }
  /// How often the program has executed this traced operation before.
  uint64_t nextIteration(uint32_t operation);
  /// The program's shared memory: all buffers, one after another.
  std::byte *sharedMemory() { return m_sharedMemory.data(); }

  /// Is told of traced operations; may be null.
  AccessObserver *observer = nullptr;
  /// May be null.
  WriteObserver *writeObserver = nullptr;
  uint64_t executed = 0;
  uint64_t bytesLoaded = 0;
  uint64_t bytesStored = 0;
  uint64_t numFindings = 0;
  bool allCompleted = true;
  /// The program may have waited for others, by an atomic operation or a volatile load that decides
  /// about what follows: what it then reads and writes is ordered.
  bool hasSynchronized = false;
  /// Notes such an operation; `acquires`: it orders.
  void noteLook(bool acquires);
  /// The same, where nobody follows what is ordered.
  bool isTakenAsOrdered() const { return hasSynchronized && !m_execution->releases; }
  ProgramKnowledge order;
  /// How often the warps of a program have waited for each other (WarpRaces.h).
  uint32_t numWarpWaits = 0;
  /// When it began to wait in an operation that looks until it sees something.
  std::optional<std::chrono::steady_clock::time_point> waitsSince;
  std::vector<RawFinding> findings;
  std::vector<RawPrint> prints;
  /// By watch.
  std::vector<WatchHit> watchHits;

private:
  /// The comparison by which the program looks at a lock in the loop in which it was set aside; null: there is none.
  const Instruction *awaitedLock() const;
  void add(RawFinding raw);
  void execute();
  void stopAsEndless(const Instruction &instruction, const std::string &reason,
                     uint64_t numPrograms = 1,
                     const std::string &why = "this loop does not seem to end");
  void materialize(Slot &value, const ValueInfo &info);
  /// The program has run longer than the options allow.
  bool isOverTime() const;

  struct FreeMemory {
    void operator()(std::byte *memory) const;
  };
  const Execution *m_execution;
  const Program *m_program;
  size_t m_maxLanes;
  size_t m_lanes = 1;
  std::unique_ptr<std::byte, FreeMemory> m_memory;
  std::vector<Slot> m_values;
  std::unordered_map<const Program *, std::unique_ptr<Frame>> m_regions;
  std::array<int32_t, 3> m_programId{};
  uint32_t m_identity = 0;
  uint32_t m_next = 0;
  uint32_t m_resumeAt = 0;
  uint32_t m_numPolls = 0;
  uint32_t m_numLooks = 0;
  std::chrono::steady_clock::time_point m_parkedSince;
  bool m_isParked = false;
  bool m_gaveWay = false;
  uint32_t m_turnsLeft = 0;
  /// It goes on behind where it gave way, or waited.
  bool m_hasTurn = false;
  bool m_hasChanged = false;
  uint64_t m_jumps = 0;
  uint64_t m_startOfProgram = 0;
  std::chrono::steady_clock::time_point m_startTime;
  Frame *m_outer = nullptr;
  Frame *m_tracked = nullptr;
  std::unique_ptr<Frame> m_definedness;
  AddressTable m_addresses;
  std::vector<uint64_t> m_iterations;
  std::vector<std::byte> m_sharedMemory;
};

/// The integer (or address) in a scalar of `element`, sign-extended.
int64_t loadInteger(const std::byte *data, Element element);
/// Writes the low bits of an integer.
void storeInteger(std::byte *data, Element element, int64_t value);

} // namespace tilescope::compiler::interpreter
