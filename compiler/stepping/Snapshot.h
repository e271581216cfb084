// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The state of one program of the grid, kept to return to it. Values that were not computed between
// two snapshots are kept once for both.
#pragma once

#include "compiler/interpreter/Frame.h"

#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tilescope::compiler::stepping {

/// Bytes that snapshots hold, all of them together.
using KeptBytes = std::shared_ptr<size_t>;

/// The contents of a value at some time.
struct SavedValue {
  SavedValue(const interpreter::Slot &slot, const interpreter::ValueInfo &info, uint64_t writtenAt,
             KeptBytes kept);
  ~SavedValue();
  SavedValue(const SavedValue &) = delete;
  void restore(interpreter::Slot &slot) const;
  bool hasContentsOf(const SavedValue &other) const;

  uint64_t writtenAt = 0;

private:
  interpreter::Form m_form{};
  std::array<std::byte, 8> m_scalar{};
  /// Steps and upper ends, where the form has them.
  std::vector<int64_t> m_numbers;
  std::vector<std::byte> m_data;
  KeptBytes m_kept;
};

using SavedValues = std::vector<std::shared_ptr<const SavedValue>>;

/// How a program came to the instruction that is next.
struct StopTrace {
  static constexpr int32_t kNoJump = std::numeric_limits<int32_t>::max();
  /// The last instruction at which a user can stop; `kNoValue`: none yet.
  uint32_t lastStop = interpreter::kNoValue;
  /// The outermost depth of calls at which a loop has begun anew since then.
  int32_t jumpDepth = kNoJump;
  /// By instruction: it was executed, and a user can stop at it.
  std::vector<bool> executed;
  bool hasExecuted(uint32_t at) const { return at < executed.size() && executed[at]; }
};

/// When bytes of shared memory were written last, by where the write began and ended.
using SharedWrites = std::map<std::pair<int64_t, int64_t>, uint64_t>;

struct ProgramSnapshot {
  interpreter::FrameState state;
  StopTrace trace;
  SavedValues values;
  SavedValues definedness;
  std::shared_ptr<const std::vector<std::byte>> sharedMemory;
  SharedWrites sharedWrites;
};

/// Whether a program does the same from both on, as long as others do not change memory.
bool areEquivalent(const ProgramSnapshot &a, const ProgramSnapshot &b);

/// A program of the grid that is executed instruction by instruction.
class SteppedProgram {
public:
  SteppedProgram(const interpreter::Execution &execution, KeptBytes kept);

  /// To where it has executed nothing.
  void reset(std::array<int32_t, 3> programId);
  /// Executes the next instruction, at a time that counts from 1.
  void step(uint64_t time);
  /// When any of the bytes from `begin` to `end` of its shared memory was written last; 0: never.
  uint64_t sharedWrittenAt(int64_t begin, int64_t end) const;
  std::shared_ptr<const ProgramSnapshot> save();
  void restore(const std::shared_ptr<const ProgramSnapshot> &saved);

  interpreter::Frame frame;
  StopTrace trace;
  /// When each value was computed last; 0: never.
  std::vector<uint64_t> writtenAt;

private:
  SavedValues saveValues(interpreter::Frame &from, const SavedValues *before) const;
  void restoreValues(const SavedValues &saved, interpreter::Frame &to, bool isTwin);

  KeptBytes m_kept;
  void noteSharedWrite(const interpreter::Instruction &store, uint64_t time);

  SharedWrites m_sharedWrites;
  uint64_t m_sharedWrittenAt = 0;
  uint64_t m_sharedSavedAt = 0;
  bool m_hasChanged = true;
  /// The last that was made or restored.
  std::shared_ptr<const ProgramSnapshot> m_last;
};

} // namespace tilescope::compiler::stepping
