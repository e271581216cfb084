// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/HoverRest.h"

namespace tilescope::app {

static constexpr int kDwellMs = 300;

HoverRest::HoverRest(views::FocusState *focus, QObject *parent) : QObject(parent) {
  m_timer.setSingleShot(true);
  m_timer.setInterval(kDwellMs);
  connect(&m_timer, &QTimer::timeout, this, [this] { Q_EMIT rested(m_author); });
  connect(focus, &views::FocusState::hoveredChanged, this,
          [this](const views::Focus &place, const QObject *author) {
            m_author = author;
            if (place.sources.empty())
              m_timer.stop();
            else
              m_timer.start();
          });
}

} // namespace tilescope::app
