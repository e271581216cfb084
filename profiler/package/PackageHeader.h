// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/KernelPackage.h"

#include <nlohmann/json.hpp>

/// Kernel packages without their machine code, as part of larger JSON documents.
namespace tilescope::profiler {

nlohmann::json packageHeader(const KernelPackage &package);
/// Throws an exception of the standard library or of nlohmann-json when the header lacks something or
/// has it in another form.
KernelPackage packageFromHeader(const nlohmann::json &header);
/// What is wrong with the numbers of a package that was read; empty: nothing.
std::string packageFault(const KernelPackage &package);

} // namespace tilescope::profiler
