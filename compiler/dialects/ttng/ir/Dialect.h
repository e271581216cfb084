// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The `ttng` dialect: include this to use its operations.
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuOps.h.inc"
