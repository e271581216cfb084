// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Carries the precompiled header of every library that uses neither MLIR nor Qt; see StandardPch.h.
