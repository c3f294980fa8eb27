// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/powersearch.h"

#include "core/board/energy.h"
#include "core/system/sysfile.h"

#include <algorithm>
#include <string_view>

namespace jetscope {

namespace {

constexpr double kMaxWatts = 1e4;

bool isUsedRail(const std::string &label)
{
    return !label.empty() && label != "NC";
}

BoardItem powerItem(const std::string &rail, std::vector<std::string> paths, double factor, BoardFormula formula)
{
    BoardItem item;
    item.part = BoardPart::Power;
    item.quantity = BoardQuantity::Power;
    item.name = rail.empty() ? "power" : std::string(kRailPrefix) + rail;
    item.unit = "W";
    item.paths = std::move(paths);
    item.factor = factor;
    item.high = kMaxWatts;
    item.formula = formula;
    return item;
}

} // namespace

/// The power monitors of boards before JetPack 5 are industrial I/O devices, in milliwatts.
void PowerSearch::findOldRails(const std::string &chip)
{
    for (const std::string &device : entriesOf(chip, "iio:device"))
        for (const char *rail : {"0", "1", "2"}) {
            const std::string label = lineOf(device + "/rail_name_" + rail);
            const std::string power = device + "/in_power" + rail + "_input";
            if (isUsedRail(label) && isReadable(power))
                m_items.add(powerItem(label, {power}, 1e-3, BoardFormula::Greatest));
        }
}

/// Channels of an INA3221: millivolts times milliamperes are microwatts. The seventh channel is a sum of other
/// channels. The alarm files are not read, because reading them resets the chip's alarms.
void PowerSearch::findChannels(const std::string &chip)
{
    BoardItem limit;
    for (const char *channel : {"1", "2", "3"}) {
        const std::string label = lineOf(chip + "/in" + channel + "_label");
        const std::string current = chip + "/curr" + channel + "_input";
        if (!isUsedRail(label) || !isReadable(current))
            continue;
        m_items.add(powerItem(label, {chip + "/in" + channel + "_input", current}, 1e-6, BoardFormula::Product));
        const Result<long long> most = numberOf(chip + "/curr" + channel + "_max");
        // The chip's own default is its whole range; nvpmodel sets a limit below it.
        constexpr long long kNoLimit = 30'000;
        if (most.ok() && most.value() > 0 && most.value() < kNoLimit) {
            limit.paths.insert(limit.paths.end(), {current, chip + "/curr" + channel + "_max"});
            limit.labels.push_back(label);
        }
    }
    limit.part = BoardPart::Power;
    limit.quantity = BoardQuantity::PowerLimit;
    limit.name = kRailLimitCounter;
    limit.formula = BoardFormula::CountAtLimit;
    limit.high = 100;
    m_items.add(limit);
}

/// A chip that reports power itself, in microwatts: a discrete GPU, an INA238 (Thor).
void PowerSearch::findChipPower(const std::string &chip, const std::string &name)
{
    const std::string label = lineOf(chip + "/power1_label");
    for (const char *file : {"/power1_average", "/power1_input"})
        if (isReadable(chip + file)) {
            m_items.add(powerItem(isUsedRail(label) ? label : name, {chip + file}, 1e-6, BoardFormula::Greatest));
            return;
        }
}

/// RAPL of x86 processors: energy in microjoules, readable only by root on most systems.
void PowerSearch::findPackagePower()
{
    for (const std::string &zone : entriesOf(m_root + "/sys/class/powercap", "intel-rapl:")) {
        const std::string name = lineOf(zone + "/name");
        if (!name.starts_with("package"))
            continue;
        BoardItem item =
            powerItem("CPU " + name, {zone + "/energy_uj", zone + "/max_energy_range_uj"}, 1e-6, BoardFormula::Rate);
        if (const Result<SysFile> file = SysFile::open(item.paths[0]); !file.ok())
            item.unavailable = file.error().text;
        m_items.add(item);
    }
}

void PowerSearch::find(bool isJetson)
{
    for (const std::string &chip : entriesOf(m_root + "/sys/bus/i2c/devices"))
        findOldRails(chip);
    for (const std::string &chip : entriesOf(m_root + "/sys/class/hwmon", "hwmon")) {
        const std::string name = lineOf(chip + "/name");
        if (name.find("ina3221") != std::string::npos)
            findChannels(chip);
        findChipPower(chip, name);
    }
    if (isJetson)
        addTotalPower();
    findPackagePower();
}

/// Where no rail is the input of the whole board: the sum of all rails, of which one may feed another.
void PowerSearch::addTotalPower()
{
    BoardItem total = powerItem("sum of rails", {}, 1, BoardFormula::SumOfProducts);
    std::size_t rails = 0;
    const auto isInput = [](const BoardItem &item) { return isInputRail(item.name); };
    if (std::any_of(m_items.all().begin(), m_items.all().end(), isInput))
        return;
    for (const BoardItem &item : m_items.all()) {
        if (item.quantity != BoardQuantity::Power || item.formula == BoardFormula::Rate)
            continue;
        // Pairs of volts and amperes of one chip, or single files of another: never both in one board.
        const bool isPair = item.formula == BoardFormula::Product;
        if (rails > 0 && (total.formula == BoardFormula::SumOfProducts) != isPair)
            return;
        total.formula = isPair ? BoardFormula::SumOfProducts : BoardFormula::Sum;
        total.factor = item.factor;
        total.paths.insert(total.paths.end(), item.paths.begin(), item.paths.end());
        total.labels.push_back(item.name);
        ++rails;
    }
    if (rails > 0)
        m_items.add(total);
}

} // namespace jetscope
