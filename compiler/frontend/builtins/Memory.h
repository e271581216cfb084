// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Builtins.h"

#include <optional>

namespace tilescope::compiler::frontend {

struct LoadOptions {
  tt::CacheModifier cache = tt::CacheModifier::NONE;
  tt::EvictionPolicy eviction = tt::EvictionPolicy::NORMAL;
  bool isVolatile = false;
};

/// Loads what `pointer` (a pointer or a block of them) points to. Shapes are broadcast together.
Tensor emitLoad(BuiltinCall &call, Tensor pointer, std::optional<Tensor> mask,
                std::optional<Tensor> other, const LoadOptions &options);
/// Stores; `value` and `mask` take on the pointer's shape, the value its element type.
void emitStore(BuiltinCall &call, Tensor pointer, Tensor value, std::optional<Tensor> mask,
               tt::CacheModifier cache, tt::EvictionPolicy eviction);

/// `tl.load` and `tl.store` of a block pointer.
Value loadBlock(BuiltinCall &call, const BlockPointer &pointer, const LoadOptions &options);
void storeBlock(BuiltinCall &call, const BlockPointer &pointer, tt::CacheModifier cache,
                tt::EvictionPolicy eviction);

} // namespace tilescope::compiler::frontend
