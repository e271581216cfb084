// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QWidget>

#include <functional>
#include <map>
#include <optional>

namespace tilescope::views {
class Scrubber;
}

namespace tilescope::app {

/// Where sliders of a view are wanted. A view may have nothing to show yet, so each is moved as soon
/// as it reaches that far, and left alone once the user moves it.
class HeldSliders : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// By the name beside each; nothing: it is not known yet. They replace earlier wishes.
  using Wishes = std::map<QString, std::function<std::optional<int>()>>;
  void hold(QWidget &view, Wishes wishes);
  void release();

private:
  void move(views::Scrubber *slider);

  Wishes m_wishes;
  QPointer<QWidget> m_view;
  bool m_isMoving = false;
};

/// The sliders of a view, by name.
std::map<QString, views::Scrubber *> slidersOf(const QWidget &view);

} // namespace tilescope::app
