// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/history/HistoryEntry.h"

#include <QRectF>
#include <QWidget>

#include <functional>

namespace tilescope::views {

/// One number of the versions, drawn over their order: from zero up, so that heights compare.
struct HistoryCurve {
  QString title;
  struct Point {
    int64_t number = 0;
    /// Center of its column, and its height, in pixels of the picture.
    double x = 0;
    double y = 0;
    /// Half the length of its uncertainty.
    double error = 0;
    /// Its value, as it is written beside it.
    QString label = {};
  };
  QRectF area;
  std::vector<Point> points;
};

/// The times (of the GPU on which the newest timed version ran) above the registers, left to
/// right in the order of the versions. Empty curves are left out.
std::vector<HistoryCurve> historyCurves(const std::vector<HistoryEntry> &entries, QSizeF size,
                                        double lineHeight);

/// The points whose values are written, which do not touch each other: of the newest first, then of
/// those before it that have room. `widthOf`: of a label, in pixels.
std::vector<size_t> labelledPoints(const HistoryCurve &curve,
                                   const std::function<double(const QString &)> &widthOf);

/// How time and registers went over the versions of a kernel. A click chooses a version.
class HistoryPicture : public QWidget {
  Q_OBJECT
public:
  explicit HistoryPicture(QWidget *parent = nullptr);

  void setEntries(std::vector<HistoryEntry> entries);
  /// 0: none is.
  void setChosen(int64_t number);
  std::vector<HistoryCurve> curves() const;
  QSize sizeHint() const override;

Q_SIGNALS:
  void chosen(int64_t number);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;

private:
  std::vector<HistoryEntry> m_entries;
  int64_t m_chosen = 0;
};

} // namespace tilescope::views
