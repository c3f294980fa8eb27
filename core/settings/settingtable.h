// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A value of a setting, as in core/settings/choices.h; a count has no words.
struct SettingValue {
    std::string name;
    std::string label;
    std::string help;
};

/// What of a setting changes what is computed. Figures of different work are not compared.
struct SettingWork {
    std::string (*of)(const PipelineConfig &config) = nullptr; ///< Null for a choice: it changes how, not what.
    std::string_view differs{};                                ///< "the filters differ"
    std::string_view remedy{};                                 ///< Behind "record both ".
};

/// Orders other than that of the table; those with equal numbers are in the order of the table.
struct SettingPlaces {
    std::uint8_t nested = 0; ///< In the plan of a sweep, 1 changes slowest; 0: sweeps and searches do not vary it.
    std::uint8_t tried = 0;  ///< In a search: 1 usually matters most.
    std::uint8_t effort = 0; ///< Of two changes with the same benefit, the one with less effort is advised first.
};

/// One setting of the pipeline, that is, one member of PipelineConfig. All may change while the pipeline runs. Source
/// and device change by opening another one, the frame size is part of the source's address, and limits such as
/// --frames end a run: none of these is a setting. Adding one is a row here and a member there.
struct SettingRow {
    enum class Kind : std::uint8_t { Name, Names, Count };

    std::string_view key;         ///< On the command line, in --at and in saved settings: "cpu-stage".
    std::string_view label;       ///< Heading: "Input memory".
    std::string_view shortLabel;  ///< Beside a small box: "Memory".
    std::string_view help;        ///< What it is: "how a frame reaches the GPU".
    std::string_view placeholder; ///< Of a value in the help: "KIND".
    /// A value in a sentence, which '#' stands for: "wait #", "# streams" (also "1 stream"). Empty: other words say it.
    std::string_view phrase{};
    SettingPlaces places{};
    SettingWork work{};
    bool isOpen = false;         ///< A choice that sweeps and searches vary unless it is given.
    bool keepsResources = false; ///< A change needs no new buffers, streams and outputs (gpu/pipeline).
    /// How is measured, and nothing of what the pipeline does. Captures have where the times came from in its place.
    bool isOfMeasurement = false;

    Kind kind = Kind::Name;
    int most = 0; ///< Of a count, from 1; of names in a chain.
    std::vector<SettingValue> (*all)(const SettingRow &row) = nullptr;
    std::string (*get)(const SettingRow &row, const PipelineConfig &config, std::string_view joint) = nullptr;
    Status (*assign)(const SettingRow &row, PipelineConfig &config, std::string_view value) = nullptr;
    void (*copy)(const PipelineConfig &from, PipelineConfig &to) = nullptr;
    /// Null if all values are legal everywhere.
    Availability (*judge)(const SettingRow &row, const PipelineConfig &config, const DeviceFacts &facts) = nullptr;

    bool isSwept() const { return places.nested > 0; }
    bool isWork() const { return work.of != nullptr; }
    /// In captures, files of sweeps, CSV and JSON: the key with '_'.
    std::string column() const;
    /// Every single value, in the order in which they are shown. Of filters, each of which is a chain by itself, too.
    std::vector<SettingValue> values() const { return all(*this); }
    /// "a, b or c"
    std::string valueNames() const;
    /// The value in a configuration; the names of a chain are joined by `joint`.
    std::string text(const PipelineConfig &config, std::string_view joint = ",") const
    {
        return get(*this, config, joint);
    }
    /// The label of the value in a configuration; its text if it has none.
    std::string valueLabel(const PipelineConfig &config) const;
    /// The value in a sentence; empty if other words say it.
    std::string words(const PipelineConfig &config) const;
    /// The error is one sentence with the legal values; then the configuration is unchanged.
    Status set(PipelineConfig &config, std::string_view value) const { return assign(*this, config, value); }
    /// Of the value in a configuration, beside the others in it.
    Availability availability(const PipelineConfig &config, const DeviceFacts &facts) const
    {
        return judge ? judge(*this, config, facts) : Availability{};
    }
};

/// In the order of the command line.
std::span<const SettingRow> settingTable();

/// Null if there is none.
const SettingRow *settingRow(std::string_view key);
/// By the name in files and JSON.
const SettingRow *settingOfColumn(std::string_view column);

/// Rows for which `belongs` is true, in the order of one of their places.
std::vector<const SettingRow *> settingsBy(std::uint8_t SettingPlaces::*place, bool (*belongs)(const SettingRow &row));

/// "memory, output or sync": the keys of the settings; of those that a sweep varies, each behind `before`.
std::string settingKeys(std::string_view last = " or ");
std::string sweptKeys(std::string_view last, std::string_view before = {});

/// A configuration in one line: "pinned → sobel → eglimage, sync eglsync, wait auto, …". `inForce` is the wait policy
/// that Auto stands for, if it is known.
std::string describeSettings(const PipelineConfig &config, std::string_view joint,
                             WaitPolicy inForce = WaitPolicy::Auto);

} // namespace jetscope
