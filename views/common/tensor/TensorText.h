// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/tensor/TensorDigest.h"

#include <QString>

#include <optional>

namespace tilescope::views {

/// "[3, 17]".
QString coordinatesText(const std::vector<int64_t> &coordinates);
/// `3, 17` or a flat index, as a user types it; nothing when there is no such element.
std::optional<int64_t> parseElement(const QString &text, const std::vector<int64_t> &shape);

/// Counts of what is not a number first, then extremes and mean.
QString statisticsText(const TensorStatistics &statistics);

/// How the picture of a tensor differs from it: another shape, a scale that ends before its values.
QString pictureText(const TensorDigest &digest);

/// What the picture of differences shows.
QString differenceText(const TensorDigest &digest);

} // namespace tilescope::views
