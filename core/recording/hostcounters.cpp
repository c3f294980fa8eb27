// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/hostcounters.h"

#include "core/sysfile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace jetscope {

namespace {

constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();

/// Limit of the CPU clusters that are read: reading a clock may interrupt the core.
constexpr std::size_t kMostClusters = 8;

/// A unit, the factor of the kernel's unit, and the range of plausible values; other values mean that the sensor is off
/// or broken.
struct Scale {
    const char *unit;
    double factor;
    double low;
    double high;
};
constexpr Scale kLoad = {"%", 0.1, 0, 100};
constexpr Scale kHertz = {"Hz", 1, 0, 1e11};
constexpr Scale kKilohertz = {"Hz", 1000, 0, 1e11};
constexpr Scale kMillidegrees = {"°C", 0.001, -100, 250};
constexpr Scale kMilliwatts = {"W", 0.001, 0, 1e4};
constexpr Scale kMicrowatts = {"W", 1e-6, 0, 1e4};

enum class Combination { Product, Greatest };

bool isSame(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace

struct HostCounters::Source {
    std::vector<SysFile> files;
    Scale scale;
    Combination combination = Combination::Greatest;
    double last = std::numeric_limits<double>::infinity(); ///< The initial value differs from every reading.

    double read() const
    {
        double result = combination == Combination::Product ? 1 : -std::numeric_limits<double>::infinity();
        for (const SysFile &file : files) {
            const std::optional<long long> number = file.number();
            if (!number)
                return kUnmeasured;
            const auto value = static_cast<double>(*number);
            result = combination == Combination::Product ? result * value : std::max(result, value);
        }
        result *= scale.factor;
        return result >= scale.low && result <= scale.high ? result : kUnmeasured;
    }
};

/// Searches the known paths of kernel counters.
class HostCounters::Search {
public:
    Search(HostCounters &counters, std::string root, CounterId firstId)
        : m_counters(counters), m_root(std::move(root)), m_nextId(firstId)
    {
    }

    void run()
    {
        gpu();
        memory();
        processor();
        temperatures();
        rails();
        chips();
    }

private:
    /// Adds a counter only if all its files are readable.
    bool add(std::string name, const Scale &scale, const std::vector<std::string> &paths,
             Combination combination = Combination::Greatest)
    {
        Source source{{}, scale, combination};
        for (const std::string &path : paths) {
            std::optional<SysFile> file = SysFile::open(path);
            if (!file || (!file->number() && combination == Combination::Product))
                return false;
            source.files.push_back(std::move(*file));
        }
        if (source.files.empty() || m_counters.m_infos.size() >= kMost)
            return false;
        m_counters.m_infos.push_back({m_nextId++, std::move(name), scale.unit, {}});
        m_counters.m_sources.push_back(std::move(source));
        return true;
    }

    std::string below(const char *path) const { return m_root + path; }

    /// The GPUs of a Jetson are devfreq devices listed in the device tree; their paths depend on board and release.
    void gpu()
    {
        constexpr std::array<std::string_view, 5> kNames = {"gpu", "ga10b", "gv11b", "gp10b", "gb10b"};
        for (const std::string &device : entriesOf(below("/sys/class/devfreq"))) {
            const bool isNamed = std::count(kNames.begin(), kNames.end(), lineOf(device + "/device/of_node/name")) > 0;
            if (!isNamed && device.find("/gpu-gpc-") == std::string::npos)
                continue;
            add("GPU load", kLoad, {device + "/device/load"});
            add("GPU clock", kHertz, {device + "/cur_freq"});
            return;
        }
    }

    void memory()
    {
        const std::string title = "memory clock";
        if (add(title, kHertz, {below("/sys/kernel/debug/bpmp/debug/clk/emc/rate")}))
            return;
        for (const std::string &device : entriesOf(below("/sys/class/devfreq"), "bwmgr"))
            if (add(title, kHertz, {device + "/cur_freq"}))
                return;
    }

    void processor()
    {
        std::vector<std::string> clocks;
        for (const std::string &policy : entriesOf(below("/sys/devices/system/cpu/cpufreq"), "policy"))
            clocks.push_back(policy + "/scaling_cur_freq");
        clocks.resize(std::min(clocks.size(), kMostClusters));
        add("CPU clock", kKilohertz, clocks);
    }

    void temperatures()
    {
        for (const std::string &zone : entriesOf(below("/sys/class/thermal"), "thermal_zone"))
            add(titled("temperature", lineOf(zone + "/type")), kMillidegrees, {zone + "/temp"});
    }

    /// The power monitors of boards before JetPack 5.
    void rails()
    {
        for (const std::string &chip : entriesOf(below("/sys/bus/i2c/devices")))
            for (const std::string &device : entriesOf(chip, "iio:device"))
                for (const char *rail : {"0", "1", "2"})
                    if (const std::string label = lineOf(device + "/rail_name_" + rail); isUsed(label))
                        add(titled("power", label), kMilliwatts, {device + "/in_power" + rail + "_input"});
    }

    void chips()
    {
        constexpr std::array<std::string_view, 3> kProcessors = {"coretemp", "k10temp", "zenpower"};
        for (const std::string &chip : entriesOf(below("/sys/class/hwmon"))) {
            const std::string name = lineOf(chip + "/name");
            if (name.find("ina3221") != std::string::npos)
                channels(chip);
            if (std::count(kProcessors.begin(), kProcessors.end(), name) > 0)
                add(titled("temperature", name), kMillidegrees, {chip + "/temp1_input"});
            if (!add(titled("power", name), kMicrowatts, {chip + "/power1_average"}))
                add(titled("power", name), kMicrowatts, {chip + "/power1_input"});
        }
    }

    /// Channels of an INA3221: millivolts times milliamperes are microwatts. The seventh channel is a sum of other
    /// channels.
    void channels(const std::string &chip)
    {
        for (const char *channel : {"1", "2", "3"}) {
            const std::string label = lineOf(chip + "/in" + channel + "_label");
            if (isUsed(label))
                add(titled("power", label), kMicrowatts,
                    {chip + "/in" + channel + "_input", chip + "/curr" + channel + "_input"}, Combination::Product);
        }
    }

    static bool isUsed(const std::string &label) { return !label.empty() && label != "NC"; }

    static std::string titled(const std::string &what, const std::string &which)
    {
        return which.empty() ? what : what + " " + which;
    }

    HostCounters &m_counters;
    const std::string m_root;
    CounterId m_nextId;
};

HostCounters::HostCounters(const std::string &root, CounterId firstId)
{
    Search(*this, root, firstId).run();
}

HostCounters::~HostCounters() = default;
HostCounters::HostCounters(HostCounters &&) noexcept = default;
HostCounters &HostCounters::operator=(HostCounters &&) noexcept = default;

void HostCounters::sample(std::int64_t nowNs, std::vector<CounterSample> &samples)
{
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        const double value = m_sources[i].read();
        if (isSame(value, m_sources[i].last))
            continue;
        m_sources[i].last = value;
        samples.push_back({nowNs, value, m_infos[i].id});
    }
}

} // namespace jetscope
