// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The `ttg` dialect: include this to use its encodings, types and operations.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/BufferAccess.h"
#include "compiler/dialects/ttg/ir/Encodings.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/dialects/ttg/ir/TritonGpuDialect.h.inc"
#include "compiler/dialects/ttg/ir/TritonGpuEnums.h.inc"
#include "compiler/dialects/ttg/ir/Types.h"

#define GET_OP_CLASSES
#include "compiler/dialects/ttg/ir/TritonGpuOps.h.inc"
