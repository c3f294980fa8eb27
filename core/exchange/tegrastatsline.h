// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/tegrastatsstamp.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What a reading of tegrastats measures.
enum class TegrastatsQuantity : std::uint8_t {
    Load,               ///< Percent.
    Clock,              ///< Hz.
    Used,               ///< Bytes, as the following four.
    Total,              ///<
    Cached,             ///<
    LargestFreeBlock,   ///< The size of the largest free block of memory.
    LargestFreeBlocks,  ///< The number of free blocks of that size.
    Temperature,        ///< Degrees Celsius.
    HighestTemperature, ///<
    Power,              ///< Watt.
    AveragePower,       ///< Since tegrastats was started.
    HighestPower,       ///<
    Plain,              ///< An unknown item, in the unit that the line gives.
};

/// One value of a line. The texts point into the line.
struct TegrastatsReading {
    std::string_view item; ///< The name in the line, without the ending "_FREQ".
    std::string_view unit; ///< Of Quantity::Plain; otherwise empty.
    TegrastatsQuantity quantity = TegrastatsQuantity::Plain;
    int index = -1;   ///< The CPU core, the GPU's clock domain or the part of a list; -1 if there is one only.
    double value = 0; ///< In the unit of the quantity. NaN: off, or no plausible value.
};

/// A line of tegrastats, of any release from L4T 32 (Jetson Nano) to JetPack 7 (Thor). Lines consist of items in any
/// order: "NAME value", "NAME@temperature" and, for CPUs, "CPU [list]" ("cpu" up to L4T 28); a time stamp may come
/// first, and before it one of another program.
struct TegrastatsLine {
    std::vector<TegrastatsReading> readings;
    std::string_view stamp;     ///< "MM-DD-YYYY HH:MM:SS" in the board's local time; empty in lines of L4T 32.
    LineStamp outerStamp;       ///< What another program put before the line.
    std::string_view rest;      ///< The next line if a line end is missing between two lines; otherwise empty.
    std::size_t secondItem = 0; ///< The first reading behind the first item, whose name may be cut off.
    std::size_t lastItem = 0;   ///< The first reading of the last item, which may be cut off.
    std::vector<std::string_view> unread; ///< Names of items whose value cannot be read.
    bool isOurs = false;                  ///< Whether the line has the items that every release prints (RAM or CPU).

    /// Replaces the content. `text` is one line without its line feed and may contain anything; unreadable items are
    /// skipped.
    void parse(std::string_view text);
};

/// The counter's name, in the words of Jetscope's own counters for known items: "GPU load", "temperature tj".
std::string tegrastatsCounterName(const TegrastatsReading &reading);
/// The counter's unit.
std::string tegrastatsCounterUnit(const TegrastatsReading &reading);

/// Whether a file that begins like this is a log of tegrastats. Other output may come before the first line.
bool looksLikeTegrastats(std::string_view beginning);

} // namespace jetscope
