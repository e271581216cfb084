// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Carries the precompiled header of Qt code; see QtPch.h.
