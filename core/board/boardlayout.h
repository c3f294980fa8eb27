// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A power mode of nvpmodel: "15W" with its number.
struct PowerMode {
    int id = 0;
    std::string name;
    bool operator==(const PowerMode &) const = default;
};

/// The power modes of a board.
struct PowerModes {
    std::vector<PowerMode> modes;
    std::optional<int> defaultId;

    /// "15W (2)"; "2" if the table lacks the mode.
    std::string textOf(int id) const;
    bool operator==(const PowerModes &) const = default;
};

/// /etc/nvpmodel.conf: the lines "< POWER_MODEL ID=2 NAME=15W >" and "< PM_CONFIG DEFAULT=2 >". Other lines, cut lines
/// and lines that make no sense are left out; the first of two modes with one number is kept.
PowerModes parsePowerModes(std::string_view text);

/// /var/lib/nvpmodel/status: "pmode:0002". Empty for anything else.
std::optional<int> parsePowerModeStatus(std::string_view text);

/// The part of a machine that a value belongs to; the order of display.
enum class BoardPart : std::uint8_t { Board, Gpu, Memory, Cpu, Engines, Temperature, Power, Fan };

enum class BoardQuantity : std::uint8_t {
    PowerMode,    ///< The number of nvpmodel's mode.
    ClocksLocked, ///< 1: the clocks of GPU and CPU cannot move; 0: they can.
    Throttling,   ///< The number of active cooling devices or throttle reasons.
    PowerLimit,   ///< The number of rails at their limit of current, or of power caps in force.
    OverCurrent,  ///< Events since the start of the machine.
    Load,
    Clock,
    Temperature,
    Power,
    Bytes,
    FanSpeed,
};

/// How a value follows from the contents of its files.
enum class BoardFormula : std::uint8_t {
    Greatest,      ///< Of the files that can be read.
    Sum,           ///< Of all files.
    Product,       ///< Of the two files.
    SumOfProducts, ///< Of pairs of files.
    Percent,       ///< First file / second file.
    Rate,          ///< Change of the first file per second; the second file is the value after which it wraps.
    CountActive,   ///< Files above zero. Negative numbers mean inactive.
    CountAtLimit,  ///< Pairs: the first file at or above the second one, which is above zero.
    EqualPairs,    ///< 1 if the files of every pair are equal.
    CpuLoad,       ///< From /proc/stat; `key` is "cpu" or "cpu3".
    OutsideLoad,   ///< From /proc/stat without what /proc/self/stat, the second file, has.
    MemInfo,       ///< From /proc/meminfo: `key` is the total, `freeKey` is subtracted if it is not empty.
    PowerMode,     ///< From nvpmodel's status.
    Foreign,       ///< Not from files: the owner of the value writes it (NVML).
};

// Counters by which others look for values.
inline constexpr const char *kPowerModeCounter = "power mode";
inline constexpr const char *kClocksLockedCounter = "clocks locked";
inline constexpr const char *kThrottlingCounter = "throttling";
inline constexpr const char *kOverCurrentCounter = "over-current events"; ///< Counted since the start.
inline constexpr const char *kRailLimitCounter = "rails at their limit";
inline constexpr const char *kOutsideLoadCounter = "CPU load outside Jetscope"; ///< Of all processors.
inline constexpr const char *kGpuClockCounter = "GPU clock";
inline constexpr const char *kGpuLoadCounter = "GPU load";
inline constexpr const char *kCpuLoadCounter = "CPU load";
inline constexpr const char *kGpuThrottlingCounter = "GPU throttling"; ///< Of NVML.
inline constexpr const char *kGpuPowerCapCounter = "GPU power cap";    ///< Of NVML.
inline constexpr std::string_view kRailPrefix = "power ";              ///< Then the name of the rail.
inline constexpr const char *kSumOfRailsCounter = "power sum of rails";
inline constexpr const char *kGpuPowerCounter = "power GPU"; ///< Of NVML: the whole card.
inline constexpr const char *kPackagePowerPrefix = "power CPU package";

/// One value of the machine, and how it is read.
struct BoardItem {
    BoardPart part = BoardPart::Board;
    BoardQuantity quantity = BoardQuantity::Load;
    std::string name;          ///< "GPU clock"; unique.
    std::string unit;          ///< "%", "Hz", "°C", "W", "B", "rpm"; empty for numbers without unit.
    double most = 0;           ///< The highest value, for bars; 0 if there is none.
    bool detail = false;       ///< One of many (a core, an engine): in `top` and the tab, but not in traces.
    std::string unavailable{}; ///< Why it is never known; empty if it may be.

    BoardFormula formula = BoardFormula::Greatest;
    std::vector<std::string> paths{};
    std::vector<std::string> labels{}; ///< Of each file (CountActive) or pair (CountAtLimit).
    std::string key{};
    std::string freeKey{};
    double factor = 1; ///< From the kernel's unit.
    double low = 0;    ///< Values outside this range mean that a sensor is off or broken.
    double high = 0;
    bool slow = false; ///< Changes rarely or is slow to read: once a second.
};

/// A value at which the machine does something: "throttles", "shuts down".
struct BoardLimit {
    std::string counter; ///< The item's name.
    std::string what;
    double value = 0;
    bool isEnd = false; ///< The machine shuts down.
};

/// What a machine has: rails, zones, clocks, loads, fans. Values that a Jetson should have but that cannot be read are
/// listed as unavailable with the reason. The paths follow NVIDIA's documentation, the kernel's, and jetson_stats; they
/// were not tried on a Jetson.
struct BoardLayout {
    static constexpr std::size_t kMaxItems = 512;

    std::string root;
    PowerModes modes;
    std::vector<BoardItem> items;
    std::vector<BoardLimit> limits;

    const BoardItem *find(const std::string &name) const;
};

/// Searches below `root`: "/" except in tests. Takes milliseconds.
BoardLayout findBoardLayout(const std::string &root = "/");

} // namespace jetscope
