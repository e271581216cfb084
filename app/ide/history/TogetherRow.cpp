// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/history/TogetherRow.h"

#include "views/common/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace tilescope::app {

TogetherRow::TogetherRow(TogetherBackend *backend, std::function<TogetherOffer()> offer,
                         QWidget *parent)
    : QWidget(parent), m_backend(backend), m_offer(std::move(offer)),
      m_button(new QPushButton(tr("&Measure both"), this)), m_said(new QLabel(this)) {
  m_button->setAutoDefault(false);
  m_button->setToolTip(tr("Launches both in turns on the GPU, with the launch that is chosen now, "
                          "and says whether one is faster"));
  m_said->setObjectName(QStringLiteral("times"));
  m_said->setWordWrap(true);
  m_said->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_button);
  row->addWidget(m_said, 1);
  connect(m_button, &QPushButton::clicked, this, [this] {
    if (m_isRunning)
      m_backend->cancel();
    else
      start();
  });
  connect(m_backend, &TogetherBackend::progressed, this, [this](const QString &what) {
    if (m_isRunning)
      show(what, "muted");
  });
  connect(m_backend, &TogetherBackend::ended, this, [this](const TogetherVerdict &verdict) {
    if (!std::exchange(m_isRunning, false))
      return;
    m_button->setText(tr("&Measure both"));
    show(verdict.text, verdict.isError ? "error" : "");
  });
}

TogetherRow::~TogetherRow() {
  if (m_isRunning)
    m_backend->cancel();
}

void TogetherRow::show(const QString &text, const char *tone) {
  m_said->setText(text);
  views::setStyleProperty(m_said, "tone", QString::fromLatin1(tone));
}

void TogetherRow::start() {
  if (m_backend->isBusy())
    return show(tr("Another pair is being measured; this one can follow."), "warning");
  const TogetherOffer offer = m_offer();
  if (!offer.request)
    return show(offer.refusal, "warning");
  m_isRunning = true;
  m_button->setText(tr("&Stop"));
  show(tr("Beginning…"), "muted");
  m_backend->measure(*offer.request);
}

} // namespace tilescope::app
