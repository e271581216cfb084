// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/ReplyWriter.h"

#include <stop_token>

namespace tilescope::app {

/// Reads a model file and sends what is known of it. Thread: the one that works.
void runModelJob(const compiler::ModelMessage &message, std::stop_token stop, ReplyWriter &replies);

} // namespace tilescope::app
