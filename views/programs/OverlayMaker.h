// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/arrays/ReuseDistance.h"
#include "compiler/access/arrays/WaveTraffic.h"

#include <QObject>
#include <QThreadPool>

#include <memory>

namespace tilescope::views {

using TouchedArraysPointer = std::shared_ptr<const compiler::access::TouchedArrays>;

/// What is drawn over arrays: how many programs of a range touch each element, or how much is read
/// between two waves that read it.
struct ArrayOverlay {
  compiler::access::ProgramRange programs;
  /// By array; the elements that it reads, or where it reads none those that it writes.
  std::vector<compiler::access::TouchCounts> counts;
  std::vector<compiler::access::TouchKind> kinds;
  /// Of all arrays: they share one scale of colors.
  uint32_t most = 0;
  /// Of a wave, and of all waves, as far as it is known.
  std::optional<compiler::access::WaveTraffic> wave;
  std::optional<compiler::access::WavesTraffic> waves;
  /// The numbers are its distances; nothing: they are of programs.
  std::optional<compiler::access::ReuseDistance> reuse;
};
using ArrayOverlayPointer = std::shared_ptr<const ArrayOverlay>;

/// Counts on a thread of its own; the newest request replaces those before it. Lives on the GUI
/// thread.
class OverlayMaker : public QObject {
  Q_OBJECT
public:
  struct Request {
    TouchedArraysPointer arrays;
    compiler::access::ProgramRange programs;
    /// The programs are a wave of so many; 0: they are not.
    uint64_t atOnce = 0;
    /// Distances of a cache of this size are wanted; 0: they are not.
    uint64_t cacheBytes = 0;
    bool operator==(const Request &) const = default;
  };
  explicit OverlayMaker(QObject *parent = nullptr);
  ~OverlayMaker() override;

  void make(const Request &request);
  /// Nothing is wanted any longer.
  void cancel();

Q_SIGNALS:
  void made(const tilescope::views::ArrayOverlayPointer &overlay);

private:
  /// All waves of a trace; kept for its next wave. Only on the pool's thread.
  struct Waves {
    TouchedArraysPointer arrays;
    uint64_t atOnce = 0;
    std::optional<compiler::access::WavesTraffic> traffic;
  };
  ArrayOverlayPointer count(const Request &request, const std::stop_token &stop);
  static ArrayOverlayPointer findDistances(const Request &request, const std::stop_token &stop);

  QThreadPool m_pool;
  std::stop_source m_stop;
  Waves m_waves;
};

} // namespace tilescope::views
