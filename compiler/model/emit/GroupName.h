// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/Group.h"

namespace tilescope::model {

/// What the group's function is called: `add_relu`, or the first operations and how many more there are.
std::string groupName(const Group &group);

} // namespace tilescope::model
