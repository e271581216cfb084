// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/report/ReportData.h"

#include <span>
#include <string>
#include <string_view>

namespace tilescope::profiler {

/// What a report must have of a kernel, at least of one, so that a form has contents.
enum class FormNeeds : uint8_t { Nothing, Times, Trace, Compile };

/// A form in which a report is written.
struct ReportForm {
  /// Of the file's name, which asks for this form: `.html`, `.ncu.csv`.
  std::string_view ending;
  /// What it is, for users: `table with the names of Nsight Compute`.
  std::string_view title;
  std::string (*render)(const ReportData &data);
  FormNeeds needs = FormNeeds::Nothing;
};

/// Where one ending is a part of another, the longer one comes first.
std::span<const ReportForm> reportForms();
/// Null: the name asks for none of them.
const ReportForm *reportForm(std::string_view fileName);

/// The report in a form. The error: it has nothing of what the form consists of.
Result<std::string> renderReport(const ReportData &data, const ReportForm &form);

} // namespace tilescope::profiler
