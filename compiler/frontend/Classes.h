// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Modules.h"
#include "compiler/frontend/Objects.h"

#include <memory>
#include <vector>

namespace tilescope::compiler::frontend {

class Emitter;
struct CallArgument;

/// The class that `type` defines in `scope`.
std::shared_ptr<const ClassObject> makeClass(const SourceModule &scope, const ast::ClassDef &type);
/// What a call of `collections.namedtuple` returns.
std::shared_ptr<const ClassObject> makeNamedTuple(Emitter &emitter,
                                                  const std::vector<CallArgument> &arguments);
/// The class of an aggregate or named tuple; null for every other value.
const ClassObject *classOf(const Value &value);

} // namespace tilescope::compiler::frontend
