// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/AccessPicture.h"

#include <QString>

namespace tilescope::views {

/// `100 % of 768 KiB fetched used · 1 MiB with the 2 others of this line · …`: what an access costs,
/// and together with the others that the same words of the kernel became, as in front of a pipelined
/// loop. `all` has them.
QString costText(const compiler::AccessFacts &facts, const compiler::MemoryFacts &all);
/// What one request touches: `warp 0, register 2: 32 lanes, 32 sectors in 32 lines · …`.
QString requestText(const compiler::access::RequestPicture &request);
/// All passes through the banks together, and each of them where there are several.
qint64 numPassChoices(const compiler::access::RequestPicture &request);
/// What one pass of a request to shared memory moves: `pass 2 of 8: lanes 8–15, 32 words`; `pass`
/// counts from 0.
QString passText(const compiler::access::RequestPicture &request, int pass);
/// A place in a request: lane, register, element, where in memory.
QString placeText(const compiler::access::RequestPicture &request, int place,
                  const compiler::RecordedAccess &access, const compiler::AccessRecord &record);

} // namespace tilescope::views
