// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/settingtable.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// Settings that a command line gives, with their values.
class GivenSettings {
public:
    /// "key=value,key=value", each key once. Filters are joined by '+' here. The error is one sentence.
    static Result<GivenSettings> parse(std::string_view list);

    /// In place of an earlier value. The error is one sentence with the legal keys or values.
    Status set(std::string_view key, std::string_view value);
    bool has(std::string_view key) const;
    bool empty() const { return m_rows.empty(); }
    /// In the order in which they were first given.
    const std::vector<const SettingRow *> &rows() const { return m_rows; }
    /// A configuration with these values in place of its own.
    PipelineConfig over(PipelineConfig config) const;
    /// Keys and values for applySetting.
    std::vector<std::pair<std::string, std::string>> texts() const;

private:
    std::vector<const SettingRow *> m_rows;
    PipelineConfig m_values;
};

/// As GivenSettings::parse, of a list that may have "camera=2", too: which of several sources drives the pipeline.
/// Counts from 0.
Result<GivenSettings> settingsWithCamera(std::string list, std::optional<std::size_t> &camera);

} // namespace jetscope
