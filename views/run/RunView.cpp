// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/RunView.h"

#include <QHBoxLayout>
#include <QSplitter>

namespace tilescope::views {

RunView::RunView(QWidget *parent)
    : QWidget(parent), m_form(new RunFormView(this)), m_results(new ResultsView(this)) {
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(m_form);
  splitter->addWidget(m_results);
  splitter->setSizes({300, 420});
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  setRunning(false);
}

void RunView::setRunning(bool running) {
  m_form->setRunning(running);
  m_results->setRunning(running);
}

} // namespace tilescope::views
