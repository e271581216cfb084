// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/tensor/TensorDigest.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

namespace tilescope::views {

/// What to read.
struct TensorRequest {
  /// A `.npy` file; the reference beside it is read with it, if there is one.
  std::string path;
  bool beganEmpty = false;
  profiler::OutputComparison comparison = {};
};

/// Reads tensors from `.npy` files and digests them on its own thread; the newest request
/// replaces those before it. Lives on the GUI thread.
class TensorLoader : public QObject {
  Q_OBJECT
public:
  explicit TensorLoader(QObject *parent = nullptr);
  ~TensorLoader() override;

  /// `keep` lives until the file has been read.
  void load(TensorRequest request, std::shared_ptr<const void> keep);
  /// Nothing is wanted any longer.
  void cancel();

Q_SIGNALS:
  void loaded(const tilescope::views::TensorDigestPointer &digest);
  void failed(const QString &message);

private:
  QThreadPool m_pool;
  std::stop_source m_stop;
};

} // namespace tilescope::views
