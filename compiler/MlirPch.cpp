// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Carries the precompiled header of every MLIR target; see MlirPch.h.
