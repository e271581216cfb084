// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Carries the precompiled header of the GUI tests; see GuiPch.h.
