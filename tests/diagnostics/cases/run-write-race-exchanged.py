# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Each of four programs races with each other one, from both sides: three more are told, not as many as there are pairs.
