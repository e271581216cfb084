// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/programs/OverlayMaker.h"

namespace tilescope::views {

namespace access = compiler::access;
using access::TouchKind;

OverlayMaker::OverlayMaker(QObject *parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

OverlayMaker::~OverlayMaker() {
  cancel();
  m_pool.waitForDone();
}

void OverlayMaker::cancel() { m_stop.request_stop(); }

/// Null when it was stopped, or cannot be found.
ArrayOverlayPointer OverlayMaker::findDistances(const Request &request,
                                                const std::stop_token &stop) {
  auto overlay = std::make_shared<ArrayOverlay>();
  overlay->programs = request.programs;
  overlay->reuse = findReuse(*request.arrays, request.atOnce, request.cacheBytes, stop);
  if (!overlay->reuse)
    return nullptr;
  overlay->counts = std::move(overlay->reuse->distances);
  overlay->kinds.assign(overlay->counts.size(), TouchKind::Read);
  for (const access::TouchCounts &counts : overlay->counts)
    overlay->most = std::max(overlay->most, counts.most());
  return overlay;
}

/// Null when it was stopped.
ArrayOverlayPointer OverlayMaker::count(const Request &request, const std::stop_token &stop) {
  auto overlay = std::make_shared<ArrayOverlay>();
  overlay->programs = request.programs;
  for (size_t array = 0; array < request.arrays->numArrays(); ++array) {
    const TouchKind kind = request.arrays->isRead(array) ? TouchKind::Read : TouchKind::Written;
    auto counts = countTouches(*request.arrays, array, request.programs, kind, stop);
    if (!counts)
      return nullptr;
    overlay->most = std::max(overlay->most, counts->most());
    overlay->counts.push_back(std::move(*counts));
    overlay->kinds.push_back(kind);
  }
  if (request.atOnce == 0)
    return overlay;
  overlay->wave = waveTraffic(*request.arrays, request.programs, stop);
  if (m_waves.arrays != request.arrays || m_waves.atOnce != request.atOnce) {
    auto traffic = wavesTraffic(*request.arrays, request.atOnce, stop);
    if (stop.stop_requested())
      return nullptr;
    m_waves = {request.arrays, request.atOnce, traffic};
  }
  overlay->waves = m_waves.traffic;
  return overlay;
}

void OverlayMaker::make(const Request &request) {
  cancel();
  m_stop = {};
  m_pool.start([this, request, stop = m_stop.get_token()] {
    if (stop.stop_requested())
      return;
    ArrayOverlayPointer overlay =
        request.cacheBytes > 0 ? findDistances(request, stop) : count(request, stop);
    QMetaObject::invokeMethod(this, [this, stop, overlay = std::move(overlay)] {
      if (overlay && !stop.stop_requested())
        Q_EMIT made(overlay);
    });
  });
}

} // namespace tilescope::views
