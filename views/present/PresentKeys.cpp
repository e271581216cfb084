// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/present/PresentKeys.h"

#include <QCoreApplication>

namespace tilescope::views {

std::optional<PresentCommand> clickerCommand(QKeyCombination key) {
  if ((key.keyboardModifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
    return std::nullopt;
  switch (key.key()) {
  case Qt::Key_PageDown:
    return PresentCommand::Next;
  case Qt::Key_PageUp:
    return PresentCommand::Previous;
  case Qt::Key_Escape:
    return PresentCommand::End;
  default:
    return std::nullopt;
  }
}

std::optional<PresentCommand> presentCommand(QKeyCombination key) {
  if (const std::optional<PresentCommand> clicked = clickerCommand(key))
    return clicked;
  if ((key.keyboardModifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
    return std::nullopt;
  switch (key.key()) {
  case Qt::Key_Right:
  case Qt::Key_Down:
  case Qt::Key_Space:
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return PresentCommand::Next;
  case Qt::Key_Left:
  case Qt::Key_Up:
  case Qt::Key_Backspace:
    return PresentCommand::Previous;
  case Qt::Key_Home:
    return PresentCommand::First;
  case Qt::Key_End:
    return PresentCommand::Last;
  case Qt::Key_S:
    return PresentCommand::Spotlight;
  case Qt::Key_D:
    return PresentCommand::Draw;
  case Qt::Key_C:
    return PresentCommand::Clear;
  case Qt::Key_N:
    return PresentCommand::Notes;
  // Of clickers with a button for a dark screen.
  case Qt::Key_B:
  case Qt::Key_Period:
    return PresentCommand::Blank;
  case Qt::Key_L:
    return PresentCommand::Loop;
  default:
    return std::nullopt;
  }
}

std::vector<std::pair<QString, QString>> presentKeyHelp() {
  const auto words = [](const char *text) {
    return QCoreApplication::translate("PresentKeys", text);
  };
  return {{words("Page Down, →, Space"), words("next")},
          {words("Page Up, ←, Backspace"), words("previous")},
          {words("Home, End"), words("first, last")},
          {words("S"), words("spotlight")},
          {words("D, C"), words("draw, clear")},
          {words("B"), words("dark screen")},
          {words("L"), words("go on by itself")},
          {words("N"), words("these notes")},
          {words("Esc"), words("end")}};
}

} // namespace tilescope::views
