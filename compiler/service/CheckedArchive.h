// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"

#include <cereal/archives/binary.hpp>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace tilescope::compiler {

/// The last value of each enumeration that a message carries; the first is 0.
template <typename Enum> inline constexpr Enum kLastValue = Enum();
template <>
inline constexpr auto kLastValue<DiagnosticKind> = DiagnosticKind(kNumDiagnosticKinds - 1);
template <> inline constexpr auto kLastValue<HintKind> = HintKind(kNumHintKinds - 1);
template <> inline constexpr Severity kLastValue<Severity> = Severity::Error;
template <> inline constexpr Need kLastValue<Need> = Need::UnitStride;
template <> inline constexpr auto kLastValue<Assumption::Source> = Assumption::Source::Error;
template <> inline constexpr MemoryAction kLastValue<MemoryAction> = MemoryAction::ProductRead;
template <> inline constexpr WidthReason kLastValue<WidthReason> = WidthReason::Operation;
template <> inline constexpr auto kLastValue<ConversionMoves> = ConversionMoves::Warps;
template <> inline constexpr SharedUse kLastValue<SharedUse> = SharedUse::Dispatch;
template <> inline constexpr LoopAction kLastValue<LoopAction> = LoopAction::InnerLoop;
template <> inline constexpr LoopLinkKind kLastValue<LoopLinkKind> = LoopLinkKind::Signals;
template <> inline constexpr LoopObstacle kLastValue<LoopObstacle> = LoopObstacle::SharedMemory;
template <> inline constexpr auto kLastValue<PipelineObstacle> = PipelineObstacle::Loads;
template <> inline constexpr ModelText kLastValue<ModelText> = ModelText::Plan;
template <> inline constexpr ModelForm kLastValue<ModelForm> = ModelForm::Fused;
template <> inline constexpr FusionWish kLastValue<FusionWish> = FusionWish::Apart;
template <>
inline constexpr auto kLastValue<ModelKernelForm> = ModelKernelForm(kModelKernelForms.size() - 1);
template <> inline constexpr CpuExecutor kLastValue<CpuExecutor> = CpuExecutor::Native;
template <> inline constexpr StageId kLastValue<StageId> = kStageKinds.back().id;
template <> inline constexpr StepAction kLastValue<StepAction> = StepAction::Restart;
template <> inline constexpr StepOrder kLastValue<StepOrder> = StepOrder::OthersReversed;
template <> inline constexpr auto kLastValue<TestHook::Action> = TestHook::Action::OverflowStack;
template <> inline constexpr auto kLastValue<CrashedReply::Reason> = CrashedReply::Reason::Killed;
template <> inline constexpr Bottleneck kLastValue<Bottleneck> = Bottleneck::Start;
template <> inline constexpr auto kLastValue<EstimateConfidence> = EstimateConfidence::Ptx;

/// Reads what cereal's binary archive wrote, from memory, and checks all of it: a length never
/// takes more memory than the bytes behind it fill, and every value is one that its type has.
/// Throws `cereal::Exception` at the first that is not.
class CheckedInputArchive : public cereal::InputArchive<CheckedInputArchive> {
public:
  explicit CheckedInputArchive(std::string_view bytes) : InputArchive(this), m_rest(bytes) {}

  void loadBinary(void *data, size_t size) {
    if (size > m_rest.size())
      throw cereal::Exception("it ends early");
    memcpy(data, m_rest.data(), size);
    m_rest.remove_prefix(size);
  }
  size_t numBytesLeft() const { return m_rest.size(); }

private:
  std::string_view m_rest;
};

template <typename T>
  requires std::is_arithmetic_v<T>
void load(CheckedInputArchive &archive, T &value) {
  archive.loadBinary(&value, sizeof(value));
}

inline void load(CheckedInputArchive &archive, bool &value) {
  uint8_t byte = 0;
  archive.loadBinary(&byte, sizeof(byte));
  if (byte > 1)
    throw cereal::Exception("a truth value is neither 0 nor 1");
  value = byte == 1;
}

template <typename Enum>
  requires std::is_enum_v<Enum>
void load(CheckedInputArchive &archive, Enum &value) {
  archive.loadBinary(&value, sizeof(value));
  if (value < Enum() || value > kLastValue<Enum>)
    throw cereal::Exception("an enumeration has no such value");
}

template <typename T> void serialize(CheckedInputArchive &archive, cereal::NameValuePair<T> &pair) {
  archive(pair.value);
}

template <typename Size> void serialize(CheckedInputArchive &archive, cereal::SizeTag<Size> &tag) {
  archive(tag.size);
  // Every element takes a byte at least.
  if (tag.size > archive.numBytesLeft())
    throw cereal::Exception("a length points behind its end");
}

template <typename T> void load(CheckedInputArchive &archive, cereal::BinaryData<T> &data) {
  archive.loadBinary(data.data, data.size);
}

/// Grows with what is read: elements take more room in memory than in a message.
template <typename T> void load(CheckedInputArchive &archive, std::vector<T> &values) {
  cereal::size_type size = 0;
  archive(cereal::make_size_tag(size));
  values.clear();
  for (; size > 0; --size)
    archive(values.emplace_back());
}

} // namespace tilescope::compiler

namespace cereal {

/// Takes the place of cereal's own functions, which accept any value.
template <typename Enum>
  requires std::is_enum_v<Enum>
struct specialize<tilescope::compiler::CheckedInputArchive, Enum,
                  specialization::non_member_load_save> : std::true_type {};

namespace traits::detail {
template <> struct get_output_from_input<tilescope::compiler::CheckedInputArchive> {
  using type = BinaryOutputArchive;
};
} // namespace traits::detail

} // namespace cereal
