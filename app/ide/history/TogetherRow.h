// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/history/TogetherBackend.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPushButton;

namespace tilescope::app {

/// What a row asks for; `refusal` says why there is nothing to measure on.
struct TogetherOffer {
  std::optional<TogetherRequest> request;
  QString refusal = {};
};

/// A button that has two versions measured against each other, and beside it what that says.
class TogetherRow : public QWidget {
  Q_OBJECT
public:
  /// `offer` is asked when the button is pressed.
  TogetherRow(TogetherBackend *backend, std::function<TogetherOffer()> offer, QWidget *parent);
  /// What it has begun ends with it.
  ~TogetherRow() override;

private:
  void start();
  void show(const QString &text, const char *tone);

  TogetherBackend *m_backend;
  std::function<TogetherOffer()> m_offer;
  QPushButton *m_button;
  QLabel *m_said;
  bool m_isRunning = false;
};

} // namespace tilescope::app
