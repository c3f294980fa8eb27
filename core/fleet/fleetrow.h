// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The version of the rows in files of a fleet.
inline constexpr int kFleetSchema = 1;

/// One metric of one run on one board: one line in the files of a fleet. Texts that are not known are empty.
struct FleetRow {
    std::string run;
    std::string board;
    std::string soc;
    std::string jetpack;
    std::string date;
    std::string start;
    std::string commit;
    std::string source;
    std::string device;
    std::string config;
    std::string configHash;
    std::string powerMode;
    std::optional<bool> clocksLocked;
    std::optional<bool> throttled;
    std::optional<double> temperature;
    std::string machineChange;
    double hazards = 0;
    std::string gpuTime;
    std::string traceCost;
    std::string program;
    std::string kernel;
    std::string bootId;
    std::string capture;
    std::string captureSha256;
    // All above are equal in the rows of a run.
    std::string metric;
    std::string unit;
    std::string direction;
    std::string scale;
    double least = 0;
    bool compared = false;
    double value = 0;
    std::optional<double> noise;
    double n = 0;
    std::optional<double> p50;
    std::optional<double> p95;
    std::optional<double> p99;

    bool operator==(const FleetRow &) const = default;
};

/// Words of FleetRow::direction and FleetRow::scale.
inline constexpr std::string_view kLowerIsBetter = "lower";
inline constexpr std::string_view kHigherIsBetter = "higher";
inline constexpr std::string_view kByRatio = "ratio";
inline constexpr std::string_view kByDifference = "difference";

/// The table of the fields: calls `visit(name, member, meaning)` for each. Writing, reading, the columns in SQL and the
/// documentation are made of it.
template <class Row, class Visit>
void visitFleetRow(Row &row, Visit visit)
{
    visit("run", row.run, "hash of the capture, the board and the commit");
    visit("board", row.board, "name of the board, or a hash of its serial number");
    visit("soc", row.soc, "chip, such as tegra234; of other machines the processor's architecture");
    visit("jetpack", row.jetpack, "release of JetPack; none on other machines");
    visit("date", row.date, "day of the start in UTC");
    visit("start", row.start, "start of the frames in UTC");
    visit("commit", row.commit, "the build that ran, as it was named");
    visit("source", row.source, "address of the camera or file");
    visit("device", row.device, "the device in words");
    visit("config", row.config, "device, source, frame size and settings that must be equal");
    visit("config_hash", row.configHash, "hash of config");
    visit("power_mode", row.powerMode, "nvpmodel's mode");
    visit("clocks_locked", row.clocksLocked, "whether the clocks were fixed all the time; null: not known");
    visit("throttled", row.throttled, "whether something limited the clocks; null: not known");
    visit("temperature", row.temperature, "highest temperature of a zone in °C");
    visit("machine_change", row.machineChange, "what moved on the machine while the frames ran");
    visit("hazards", row.hazards, "broken rules for shared memory that were seen");
    visit("gpu_time", row.gpuTime, "where the times of device work came from");
    visit("trace_cost", row.traceCost, "what recording did to the frames, in words");
    visit("program", row.program, "the recording program with its version");
    visit("kernel", row.kernel, "release of the kernel");
    visit("boot_id", row.bootId, "hash of the kernel's number of this start of the machine");
    visit("capture", row.capture, "path of the capture");
    visit("capture_sha256", row.captureSha256, "SHA-256 of the capture");
    visit("metric", row.metric, "name of the figure");
    visit("unit", row.unit, "unit of the figure; empty for shares and plain numbers");
    visit("direction", row.direction, "lower or higher: which is better");
    visit("scale", row.scale, "ratio or difference: how two builds are compared");
    visit("least", row.least, "smallest difference of interest, in the unit");
    visit("compared", row.compared, "whether a comparison reads this metric unless others are named");
    visit("value", row.value, "the figure of the run");
    visit("noise", row.noise, "half the width of its 95 % interval within the run");
    visit("n", row.n, "frames behind it");
    visit("p50", row.p50, "median of the frames");
    visit("p95", row.p95, "95th percentile of the frames");
    visit("p99", row.p99, "99th percentile of the frames");
}

/// A field as other programs know it.
struct FleetField {
    std::string_view name;
    std::string_view sqlType; ///< "VARCHAR", "DOUBLE" or "BOOLEAN".
    std::string_view meaning;
};
const std::vector<FleetField> &fleetFields();

/// Appends the row as one line of JSON.
void appendFleetRow(std::string &to, const FleetRow &row);

/// Reads lines. What a row of this schema cannot be is an error: half a line, a field that is missing or of another
/// type, a number that is not finite. Fast where the rows of a run come one after the other. Not thread-safe.
class FleetRowParser {
public:
    FleetRowParser();
    ~FleetRowParser();
    FleetRowParser(FleetRowParser &&) noexcept;
    FleetRowParser &operator=(FleetRowParser &&) noexcept;

    /// The row, until the next call. The error says what is wrong, without the file.
    Result<const FleetRow *> parse(std::string_view line);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// Which runs: "commit=1.2,power_mode=15W", each a text of a row.
class FleetSelection {
public:
    static Result<FleetSelection> parse(std::string_view text);
    bool matches(const FleetRow &row) const;
    const std::string &text() const { return m_text; }

    struct Wish {
        std::string field; ///< Of the table.
        std::string value;
    };
    const std::vector<Wish> &wishes() const { return m_wishes; }

private:
    std::vector<Wish> m_wishes;
    std::string m_text;
};

} // namespace jetscope
