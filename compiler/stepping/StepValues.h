// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The values of a stopped program: by the names of the source, as text, as elements.
#pragma once

#include "compiler/stepping/BlockExpression.h"
#include "compiler/stepping/Snapshot.h"
#include "compiler/stepping/StepListing.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace tilescope::compiler::stepping {

class StepValues {
public:
  explicit StepValues(const StepListing &listing);

  /// The variables of a function, newest contents of each name; then, if wanted, all other values.
  std::vector<StepValue> list(SteppedProgram &program, const StepSight &sight);
  /// The value that a name means where a program stands; nothing: there is none.
  std::optional<uint32_t> find(const SteppedProgram &program, const std::string &name,
                               uint32_t frame) const;
  NameLookup lookup(SteppedProgram &program, uint32_t frame) const;
  StepWatch watch(SteppedProgram &program, const std::string &expression, uint32_t frame) const;
  std::optional<StepBlock> block(SteppedProgram &program, const StepSight &sight) const;

  /// A move begins: what is computed from now on has changed.
  void noteStop(const SteppedProgram &program);
  /// Time has run back: at one time there may be other contents than before.
  void forgetTimes();

private:
  /// Whether a variable of a value is one of the function that is looked at.
  bool isInScope(const ListedValue &value, const ListedName &name, const PlaceStack &here,
                 uint32_t frame) const;
  /// Whether a line that assigns a constant to a variable was executed: the constant itself is there
  /// before all lines.
  bool isAssigned(const SteppedProgram &program, const ListedValue &value,
                  const ListedName &name) const;
  /// Whether a binding is of this call of its function, not of one before.
  bool isOfThisCall(const SteppedProgram &program, const ListedValue &value, uint64_t writtenAt,
                    const PlaceStack &here, uint32_t frame) const;
  /// Index of the stack at which the program is.
  uint32_t stackHere(const SteppedProgram &program) const;
  /// What was passed to a function; null: nothing is known.
  const std::vector<ListedParameter> *parametersHere(const SteppedProgram &program,
                                                     uint32_t frame) const;
  std::optional<std::string> constantOf(const SteppedProgram &program, const std::string &name,
                                        uint32_t frame) const;
  /// `name`: the variable that it is shown as; empty: it is shown by its name in the IR.
  StepValue describe(SteppedProgram &program, uint32_t id, const std::string &name);
  /// What the IR calls what a name means here; empty: nothing that it has a name for.
  std::string ssaOf(const SteppedProgram &program, uint32_t id, const std::string &name) const;
  /// When what a value holds was computed last; 0: never.
  uint64_t changedAt(const SteppedProgram &program, uint32_t id) const;

  const StepListing &m_listing;
  struct Named {
    uint32_t id = 0;
    /// Index of its name; -1: the one in the IR.
    int32_t name = -1;
  };
  std::map<std::string, std::vector<Named>> m_byName;
  /// Bound by calls.
  std::vector<uint32_t> m_parameters;
  /// Of which program, and when each value of it was computed, at the last stop.
  std::array<int32_t, 3> m_seenProgram{-1, -1, -1};
  std::vector<uint64_t> m_seen;
  /// Texts of values, with the program's number and the time that they are of.
  struct Preview {
    std::array<int32_t, 3> program{};
    uint64_t time = 0;
    std::string text;
  };
  std::unordered_map<uint32_t, Preview> m_previews;
  /// How often time has run back.
  uint64_t m_numReturns = 0;
};

} // namespace tilescope::compiler::stepping
