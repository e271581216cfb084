// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tells the thread sanitizer how Qt orders threads. Qt's library is not instrumented, so the
// sanitizer sees neither the lock of an event queue nor that of a thread pool, and would call
// everything that travels through them a race. The sender releases what it has written, and the
// receiver acquires it; our own code is checked in full. Defined here, these functions of Qt are
// found before those of the library, which they call.
#include <QCoreApplication>
#include <QObject>
#include <QThreadPool>

#include <cstdarg>
#include <dlfcn.h>
#include <functional>
#include <sanitizer/tsan_interface.h>

/// The definition that comes next in the order of symbol lookup.
template <typename Function> static Function *original(const char *symbol) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, symbol));
}

/// Signals do not say who receives them.
static char s_signals;

static bool acquirePosted(void **receiverAndEvent) {
  __tsan_acquire(receiverAndEvent[0]);
  __tsan_acquire(&s_signals);
  return false;
}

[[maybe_unused]] static const bool s_isRegistered =
    QInternal::registerCallback(QInternal::EventNotifyCallback, &acquirePosted);

/// A queued signal's arguments are copied behind the release, by what Qt knows of their types.
extern "C" const char *__tsan_default_suppressions() {
  return "race:QtPrivate::QMetaTypeForType*getCopyCtr\n";
}

namespace {

/// A call on its way to another thread. Either side may be the last that holds it.
class Delivery : public QtPrivate::QSlotObjectBase {
public:
  explicit Delivery(QSlotObjectBase *slot) : QSlotObjectBase(&act), m_slot(slot) {}

private:
  /// Not looked at itself: Qt counts its holders where the sanitizer does not see it.
  __attribute__((no_sanitize("thread"))) static void
  act(int which, QSlotObjectBase *self, QObject *receiver, void **arguments, bool *) {
    auto *const delivery = static_cast<Delivery *>(self);
    QSlotObjectBase *const slot = delivery->m_slot;
    if (which == Call) {
      slot->call(receiver, arguments);
      __tsan_release(slot);
    } else if (which == Destroy) {
      __tsan_acquire(slot);
      slot->destroyIfLastRef();
      delete delivery;
    }
  }

  QSlotObjectBase *m_slot;
};

} // namespace

bool QMetaObject::invokeMethodImpl(QObject *object, QtPrivate::QSlotObjectBase *slot,
                                   Qt::ConnectionType type, void *result) {
  static auto *const call = original<bool(QObject *, QtPrivate::QSlotObjectBase *, int, void *)>(
      "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14"
      "ConnectionTypeEPv");
  __tsan_release(object);
  return call(object, new Delivery(slot), type, result);
}

void QMetaObject::activate(QObject *sender, const QMetaObject *type, int signal, void **arguments) {
  static auto *const call = original<void(QObject *, const QMetaObject *, int, void **)>(
      "_ZN11QMetaObject8activateEP7QObjectPKS_iPPv");
  __tsan_release(&s_signals);
  call(sender, type, signal, arguments);
}

void QObject::deleteLater() {
  static auto *const call = original<void(QObject *)>("_ZN7QObject11deleteLaterEv");
  __tsan_release(this);
  call(this);
}

void QThreadPool::start(std::function<void()> work, int priority) {
  static auto *const call = original<void(QThreadPool *, std::function<void()>, int)>(
      "_ZN11QThreadPool5startESt8functionIFvvEEi");
  // The pool keeps two pointers, which Qt copies by itself.
  auto *const kept = new std::function<void()>(std::move(work));
  __tsan_release(this);
  const auto perform = [this, kept] {
    __tsan_acquire(this);
    (*kept)();
    delete kept;
    __tsan_release(this);
  };
  call(this, perform, priority);
}

bool QThreadPool::waitForDone(int milliseconds) {
  static auto *const call = original<bool(QThreadPool *, int)>("_ZN11QThreadPool11waitForDoneEi");
  const bool isDone = call(this, milliseconds);
  __tsan_acquire(this);
  return isDone;
}

/// Qt starts processes by a clone that shares the memory, which the sanitizer takes for a fork and
/// ends at: the process that starts waits meanwhile, so there is nothing to look at.
extern "C" int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
  static auto *const call = original<int(int (*)(void *), void *, int, void *, ...)>("clone");
  va_list rest;
  va_start(rest, argument);
  void *const parent = va_arg(rest, void *);
  void *const storage = va_arg(rest, void *);
  void *const child = va_arg(rest, void *);
  va_end(rest);
  return call(function, stack, flags, argument, parent, storage, child);
}
