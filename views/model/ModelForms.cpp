// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a ModelView shows its kernels as: the pictures beside the table.
#include "views/common/ElidedLabel.h"
#include "views/model/ArenaCanvas.h"
#include "views/model/GraphCanvas.h"
#include "views/model/ModelTree.h"
#include "views/model/ModelView.h"
#include "views/model/ModelWords.h"
#include "views/model/TimelinePanel.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

namespace tilescope::views {

void ModelView::connectPictures() {
  connect(m_forms, &QTabBar::currentChanged, this, &ModelView::showForm);
  connect(m_fit, &QToolButton::clicked, this, [this] {
    if (PlaneCanvas *canvas = picture())
      canvas->showWhole();
  });
  connect(m_export, &QToolButton::clicked, this, &ModelView::exportRequested);
  connect(m_graph, &GraphCanvas::placeChosen, this, &ModelView::choose);
  connect(m_graph, &GraphCanvas::placeOpened, this, &ModelView::kernelRequested);
  connect(m_arena, &ArenaCanvas::placeChosen, this,
          [this](int slot) { choose(m_arena->kernelOf(slot)); });
  connect(m_arena, &ArenaCanvas::placeOpened, this,
          [this](int slot) { Q_EMIT kernelRequested(m_arena->kernelOf(slot)); });
  TimelineCanvas *timeline = &m_timeline->canvas();
  connect(timeline, &TimelineCanvas::placeChosen, this,
          [this, timeline](int span) { choose(timeline->kernelOf(span)); });
  connect(timeline, &TimelineCanvas::placeOpened, this,
          [this, timeline](int span) { Q_EMIT kernelRequested(timeline->kernelOf(span)); });
  for (PlaneCanvas *canvas :
       {static_cast<PlaneCanvas *>(m_graph), static_cast<PlaneCanvas *>(m_arena),
        static_cast<PlaneCanvas *>(timeline)})
    connect(canvas, &PlaneCanvas::placeHovered, this, &ModelView::showInfo);
}

PlaneCanvas *ModelView::picture() const {
  switch (form()) {
  case Graph:
    return m_graph;
  case Memory:
    return m_arena;
  case Time:
    return &m_timeline->canvas();
  case Table:
    break;
  }
  return nullptr;
}

ModelView::Form ModelView::form() const { return static_cast<Form>(m_forms->currentIndex()); }
void ModelView::setForm(Form form) { m_forms->setCurrentIndex(form); }

void ModelView::showForm() {
  m_shown->setCurrentIndex(form());
  m_fit->setEnabled(form() != Table);
  m_export->setEnabled(form() != Table);
  m_info->setVisible(form() != Table);
  if (m_model)
    setFocusProxy(m_shown->currentWidget());
  showInfo();
}

void ModelView::showInfo() {
  QString info;
  if (m_model && form() == Graph) {
    const int kernel = m_graph->hovered() >= 0 ? m_graph->hovered() : m_kernel;
    if (kernel >= 0)
      info = kernelText(*m_model, kernel);
  } else if (m_model && form() == Memory) {
    const int slot = m_arena->hovered() >= 0 ? m_arena->hovered() : m_arena->chosen();
    if (slot >= 0)
      info = m_arena->placeText(slot);
  } else if (m_model && form() == Time) {
    const TimelineCanvas &canvas = m_timeline->canvas();
    const int span = canvas.hovered() >= 0 ? canvas.hovered() : canvas.chosen();
    if (span >= 0)
      info = canvas.placeText(span);
  }
  m_info->setText(info);
  m_graph->setAccessibleDescription(info);
  m_arena->setAccessibleDescription(info);
  m_timeline->canvas().setAccessibleDescription(info);
}

std::vector<bool> ModelView::foundKernels() const {
  std::vector<bool> isFound(m_model ? static_cast<size_t>(m_model->numKernels()) : 0);
  for (int row = 0; row < m_found->rowCount(); ++row)
    if (const int kernel = m_tree->kernelAt(m_found->mapToSource(m_found->index(row, 0)));
        kernel >= 0)
      isFound[static_cast<size_t>(kernel)] = true;
  return isFound;
}

/// Of what was searched: in the table, the keyboard goes there; in a picture, from one to the next.
void ModelView::findNext() {
  if (form() == Table) {
    if (m_found->rowCount() > 0 && !m_table->currentIndex().isValid())
      m_table->setCurrentIndex(m_found->index(0, 0));
    return m_table->setFocus();
  }
  const std::vector<bool> isFound = foundKernels();
  const auto count = static_cast<int>(isFound.size());
  for (int i = 1; i <= count; ++i)
    if (const int kernel = (m_kernel + i) % count; isFound[static_cast<size_t>(kernel)])
      return choose(kernel);
}

bool ModelView::canExport() const {
  return m_model && ((form() == Graph && m_model->numKernels() > 0) ||
                     (form() == Memory && !m_model->result().slots.empty()) ||
                     (form() == Time && !m_timeline->canvas().picture().spans().empty()));
}

bool ModelView::exportSvg(const QString &path) const {
  return canExport() && writeSvg(exported(), path);
}

bool ModelView::exportPng(const QString &path) const {
  return canExport() && writePng(exported(), path);
}

ExportedPicture ModelView::exported() const {
  ExportedPicture picture;
  picture.lines = {m_title->text()};
  if (form() == Graph) {
    const QSizeF size = m_graph->exportSize();
    picture.width = size.width();
    picture.height = size.height();
    picture.draw = [this](QPainter &painter, const QRectF &target) {
      m_graph->render(painter, target);
    };
  } else if (form() == Time) {
    picture.lines.append(m_timeline->factsText());
    picture.height = m_timeline->canvas().heightForExport();
    picture.draw = [this](QPainter &painter, const QRectF &target) {
      m_timeline->canvas().render(painter, target);
    };
  } else {
    picture.height = kExportWidth * 0.6;
    picture.draw = [this](QPainter &painter, const QRectF &target) {
      m_arena->render(painter, target);
    };
  }
  return picture;
}

} // namespace tilescope::views
