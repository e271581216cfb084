// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PictureCanvas.h"
#include "views/registers/RegistersContent.h"

#include <vector>

namespace tilescope::views {

/// Of each of `numColumns` equal parts of the program the most registers; a program that has fewer
/// instructions than columns repeats them.
std::vector<int> stripColumns(const compiler::machine::CodeLiveness &code, int numColumns);

/// Registers that are alive over the program: instructions to the right, registers upwards, with
/// the peak, what the assembler reserved, and the instructions of the line that the user is at. P
/// goes to the peak.
class LiveStrip : public PictureCanvas {
  Q_OBJECT
public:
  explicit LiveStrip(QWidget *parent = nullptr);

  /// Null empties it.
  void setContent(RegistersContentPointer content, compiler::StageId stage);
  /// The instruction whose values are listed; -1: none.
  void setSelected(int step);
  int selected() const { return m_selected; }
  /// Marks the instructions of a line of the document; -1: of none.
  void setMarkedLine(int line);
  int numMarked() const { return static_cast<int>(m_marked.size()); }
  QRectF columnRect(int step) const;

  void render(QPainter &painter, const QRectF &target) const;
  static double exportHeight() { return 220; }

Q_SIGNALS:
  void peakRequested();

protected:
  int numPlaces() const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;
  bool keyFor(const QKeyEvent &event) override;

private:
  const compiler::machine::CodeLiveness &code() const { return m_content->code(m_stage).liveness; }
  bool isEmpty() const { return !m_content || code().empty(); }
  /// Where the columns are, inside of the axis and the marks.
  QRectF bodyOf(const QRectF &area) const;
  int top() const;
  double xOf(const QRectF &body, int step) const;
  double yOf(const QRectF &body, int registers) const;
  void draw(QPainter &painter, const QRectF &area) const;
  void drawColumns(QPainter &painter, const QRectF &body) const;
  QString peakText() const;
  QString limitText(const QRectF &body) const;
  void drawLimit(QPainter &painter, const QRectF &body) const;
  void drawMarks(QPainter &painter, const QRectF &body) const;
  /// The next instruction of another line of the source.
  int otherLineFrom(int step, int by) const;
  int sourceLineOf(int step) const;

  RegistersContentPointer m_content;
  compiler::StageId m_stage = compiler::StageId::Sass;
  std::vector<int> m_sourceLines;
  std::vector<int> m_marked;
  int m_selected = -1;
};

} // namespace tilescope::views
