// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/HintPictures.h"

#include "app/ide/compile/AccessController.h"
#include "app/ide/compile/ConversionController.h"
#include "app/ide/compile/PipelineController.h"
#include "app/ide/compile/ProgramsController.h"
#include "app/ide/compile/RegistersController.h"
#include "app/ide/compile/SharedController.h"
#include "views/access/AccessView.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/conversion/ConversionView.h"
#include "views/pipeline/PipelineView.h"
#include "views/problems/HintPicture.h"
#include "views/programs/ProgramsView.h"
#include "views/registers/RegistersView.h"
#include "views/shared/SharedView.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Hint;

/// How often a view that is at work is looked at, and when it is given up.
static constexpr int kLookMs = 100, kMostLooks = 150;
static constexpr QSize kSize(520, 170);

struct HintPictures::Studio {
  QString id;
  /// Looks at the hint's place, whatever the window's cursor does.
  views::FocusState focus;
  /// One of both, or the other.
  std::unique_ptr<views::PictureView> view;
  std::unique_ptr<views::LayoutDiagram> layout;
  std::unique_ptr<PictureController> controller;

  bool isReady() const { return layout || (view->hasContent() && !view->isStale()); }
  QImage draw() const { return layout ? layout->smallPicture(kSize) : view->smallPicture(kSize); }
};

HintPictures::HintPictures(CompileBackend *backend, CompileController *compile, QObject *parent)
    : QObject(parent), m_backend(backend), m_compile(compile) {
  m_timer.setObjectName(QStringLiteral("drawing pictures of hints"));
  m_timer.setInterval(kLookMs);
  connect(&m_timer, &QTimer::timeout, this, &HintPictures::advance);
  connect(m_compile, &CompileController::started, this, [this] {
    end();
    // What they show is of an earlier text from now on.
    for (const std::unique_ptr<Studio> &each : m_studios)
      if (each->controller)
        each->controller->clear({});
  });
}

HintPictures::~HintPictures() = default;

template <typename View, typename Controller>
static void furnish(CompileBackend *backend, CompileController *compile, views::FocusState &focus,
                    std::unique_ptr<views::PictureView> &view,
                    std::unique_ptr<PictureController> &controller) {
  auto made = std::make_unique<View>(&focus);
  controller = std::make_unique<Controller>(backend, compile, made.get(), nullptr);
  view = std::move(made);
}

HintPictures::Studio *HintPictures::studioOf(const QString &view) {
  const auto known = std::ranges::find(m_studios, view, [](const auto &each) { return each->id; });
  if (known != m_studios.end())
    return known->get();
  auto made = std::make_unique<Studio>();
  made->id = view;
  const auto add = [&]<typename View, typename Controller>() {
    furnish<View, Controller>(m_backend, m_compile, made->focus, made->view, made->controller);
  };
  if (view == u"access")
    add.operator()<views::AccessView, AccessController>();
  else if (view == u"shared")
    add.operator()<views::SharedView, SharedController>();
  else if (view == u"pipeline")
    add.operator()<views::PipelineView, PipelineController>();
  else if (view == u"conversion")
    add.operator()<views::ConversionView, ConversionController>();
  else if (view == u"programs")
    add.operator()<views::ProgramsView, ProgramsController>();
  else if (view == u"registers")
    add.operator()<views::RegistersView, RegistersController>();
  else if (view == u"layout")
    made->layout = std::make_unique<views::LayoutDiagram>(&made->focus);
  else
    return nullptr;
  return m_studios.emplace_back(std::move(made)).get();
}

/// Hints that say the same of the same place have the same picture.
static bool isSame(const Hint &one, const Hint &other) {
  return one.kind == other.kind && one.range == other.range && one.message == other.message &&
         one.evidence == other.evidence;
}

QImage HintPictures::picture(const Hint &hint) const {
  const auto found =
      std::ranges::find_if(m_made, [&](const Made &each) { return isSame(each.hint, hint); });
  return found == m_made.end() ? QImage() : found->picture;
}

void HintPictures::setHints(std::vector<Hint> hints) {
  end();
  m_made.clear();
  m_hints = std::move(hints);
  m_next = 0;
  if (m_isWanted)
    m_timer.start();
}

void HintPictures::setWanted(bool isWanted) {
  m_isWanted = isWanted;
  if (!isWanted)
    end();
  else if (m_next < m_hints.size())
    m_timer.start();
}

void HintPictures::end() {
  m_timer.stop();
  if (m_atWork && m_atWork->controller)
    m_atWork->controller->setInFront(false);
  m_atWork = nullptr;
  m_numLooks = 0;
}

void HintPictures::advance() {
  if (m_next >= m_hints.size())
    return end();
  const Hint &hint = m_hints[m_next];
  if (!m_atWork) {
    m_atWork = studioOf(views::hintPicture(hint.kind).view);
    if (!m_atWork || hint.range.empty()) {
      m_atWork = nullptr;
      ++m_next;
      return;
    }
    m_atWork->focus.setSelected({std::nullopt, hint.range.begin, {hint.range}}, this);
    if (m_atWork->layout && m_compile->latest())
      m_atWork->layout->setResult(m_compile->latest()->result());
    if (m_atWork->controller)
      m_atWork->controller->setInFront(true);
    return;
  }
  if (!m_atWork->isReady() && ++m_numLooks < kMostLooks)
    return;
  if (QImage picture = m_atWork->isReady() ? m_atWork->draw() : QImage(); !picture.isNull()) {
    m_made.push_back({hint, std::move(picture)});
    Q_EMIT changed();
  }
  if (m_atWork->controller)
    m_atWork->controller->setInFront(false);
  m_atWork = nullptr;
  m_numLooks = 0;
  ++m_next;
}

} // namespace tilescope::app
