// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardsearch.h"

#include "core/board/powersearch.h"
#include "core/board/proctexts.h"
#include "core/system/sysfile.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace jetscope {

namespace {

/// Limit of the CPU clusters that are read: reading a clock may interrupt the core.
constexpr std::size_t kMaxClusters = 8;
constexpr double kMaxHertz = 1e11;
constexpr double kMaxCountedBytes = 1e15;
constexpr double kMaxNumber = 1e9;
constexpr const char *kDebugFiles = "/sys/kernel/debug";

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The value of a file that exists; 0 otherwise.
double numberOrZero(const std::string &path)
{
    const Result<long long> number = numberOf(path);
    return number.ok() && number.value() > 0 ? static_cast<double>(number.value()) : 0;
}

std::string fileName(const std::string &path)
{
    return path.substr(path.rfind('/') + 1);
}

BoardItem clockItem(BoardPart part, std::string name, std::vector<std::string> paths, double factor)
{
    BoardItem item;
    item.part = part;
    item.quantity = BoardQuantity::Clock;
    item.name = std::move(name);
    item.unit = "Hz";
    item.paths = std::move(paths);
    item.factor = factor;
    item.high = kMaxHertz;
    return item;
}

BoardItem countItem(BoardQuantity quantity, std::string name, BoardFormula formula)
{
    BoardItem item;
    item.quantity = quantity;
    item.name = std::move(name);
    item.formula = formula;
    item.high = kMaxNumber;
    return item;
}

} // namespace

BoardSearch::BoardSearch(std::string root) : m_root(std::move(root))
{
    m_isJetson = isReadable(below("/etc/nv_tegra_release")) || isReadable(below("/etc/nvpmodel.conf"));
    m_policies = entriesOf(below("/sys/devices/system/cpu/cpufreq"), "policy");
    m_policies.resize(std::min(m_policies.size(), kMaxClusters));
    findGpuDevice();
}

/// The GPUs of a Jetson are devfreq devices listed in the device tree; their paths depend on board and release.
void BoardSearch::findGpuDevice()
{
    for (const std::string &device : entriesOf(below("/sys/class/devfreq"))) {
        const std::string name = lineOf(device + "/device/of_node/name");
        if (isOneOf(name, {"gpu", "ga10b", "gv11b", "gp10b", "gb10b"}) || fileName(device).starts_with("gpu-gpc-")) {
            m_gpu = device;
            return;
        }
    }
}

void BoardSearch::findState()
{
    BoardItem mode;
    mode.quantity = BoardQuantity::PowerMode;
    mode.name = kPowerModeCounter;
    mode.formula = BoardFormula::PowerMode;
    mode.slow = true;
    mode.high = kMaxNumber;
    const std::string status = below("/var/lib/nvpmodel/status");
    if (isReadable(status))
        mode.paths = {status};
    else
        mode.unavailable = m_isJetson ? SysFile::open(status).error().text : "this machine has no nvpmodel";
    m_items.add(mode);
    findLocks();
    findThrottling();
}

/// jetson_clocks sets the least clock of GPU and CPU to the highest one. Governors say less: under "performance" some
/// drivers (intel_pstate) still move the clock.
void BoardSearch::findLocks()
{
    BoardItem locked = countItem(BoardQuantity::ClocksLocked, kClocksLockedCounter, BoardFormula::EqualPairs);
    locked.slow = true;
    if (!m_gpu.empty())
        locked.paths = {m_gpu + "/min_freq", m_gpu + "/max_freq"};
    for (const std::string &policy : m_policies) {
        locked.paths.push_back(policy + "/scaling_min_freq");
        locked.paths.push_back(policy + "/scaling_max_freq");
    }
    if (locked.paths.empty())
        locked.unavailable = "the kernel has no cpufreq and no devfreq device of a GPU";
    m_items.add(locked);
}

/// Cooling devices other than fans limit a clock while their state is above zero. "hot-surface-alert" warns only.
void BoardSearch::findThrottling()
{
    BoardItem throttling = countItem(BoardQuantity::Throttling, kThrottlingCounter, BoardFormula::CountActive);
    for (const std::string &device : entriesOf(below("/sys/class/thermal"), "cooling_device")) {
        const std::string type = lineOf(device + "/type");
        const bool isFan = type.find("fan") != std::string::npos || type.find("Fan") != std::string::npos;
        if (type.empty() || isFan || type.starts_with("hot-surface"))
            continue;
        throttling.paths.push_back(device + "/cur_state");
        throttling.labels.push_back(type);
    }
    if (throttling.paths.empty())
        throttling.unavailable = "the kernel has no cooling devices that limit clocks";
    m_items.add(throttling);
    // Under-voltage and over-current events of Orin and Thor, counted since the start of the machine.
    BoardItem events = countItem(BoardQuantity::OverCurrent, kOverCurrentCounter, BoardFormula::Sum);
    events.slow = true;
    for (const std::string &chip : entriesOf(below("/sys/class/hwmon"), "hwmon"))
        if (lineOf(chip + "/name") == "soctherm_oc")
            for (const char *event : {"oc1", "oc2", "oc3"})
                if (isReadable(chip + "/" + event + "_event_cnt"))
                    events.paths.push_back(chip + "/" + event + "_event_cnt");
    m_items.add(events);
}

void BoardSearch::findGpu()
{
    if (m_gpu.empty())
        return;
    BoardItem load;
    load.part = BoardPart::Gpu;
    load.name = kGpuLoadCounter;
    load.unit = "%";
    load.most = 100;
    load.factor = 0.1; // Tenths of a percent.
    load.high = 100;
    load.paths = {m_gpu + "/device/load"};
    if (!isReadable(load.paths[0]))
        load.unavailable =
            "the driver of this GPU has no file with its load: " + SysFile::open(load.paths[0]).error().text;
    m_items.add(load);
    BoardItem clock = clockItem(BoardPart::Gpu, kGpuClockCounter, {m_gpu + "/cur_freq"}, 1);
    clock.most = numberOrZero(m_gpu + "/max_freq");
    m_items.add(clock);
}

/// The clock of the memory is in debugfs, which only root may read, except on Thor.
void BoardSearch::findMemory()
{
    const std::string rate = below("/sys/kernel/debug/bpmp/debug/clk/emc/rate");
    const std::string oldRate = below("/sys/kernel/debug/clk/override.emc/clk_rate");
    const std::vector<std::string> managers = entriesOf(below("/sys/class/devfreq"), "bwmgr");
    BoardItem clock = clockItem(BoardPart::Memory, "memory clock", {}, 1);
    for (const std::string &path : {rate, managers.empty() ? rate : managers[0] + "/cur_freq", oldRate})
        if (clock.paths.empty() && isReadable(path))
            clock.paths = {path};
    BoardItem load;
    load.part = BoardPart::Memory;
    load.name = "memory load";
    load.unit = "%";
    load.most = 100;
    load.high = 100;
    load.formula = BoardFormula::Percent;
    for (const char *path :
         {"/sys/kernel/debug/cactmon/mc_all", "/sys/kernel/debug/bpmp/debug/actmon/mc_all_avg_activity",
          "/sys/kernel/actmon_avg_activity/mc_all"})
        if (load.paths.empty() && isReadable(below(path)) && !clock.paths.empty()) {
            load.paths = {below(path), clock.paths[0]};
            load.factor = 1e5; // The activity is in kHz, the clock in Hz.
        }
    for (BoardItem *item : {&clock, &load})
        if (item->paths.empty() && m_isJetson)
            item->unavailable = std::string("only root may read it in ") + kDebugFiles;
    m_items.add(clock);
    m_items.add(load);
    const Result<std::string> info = textOf(below("/proc/meminfo"), 1 << 16);
    const std::string infoText = info.ok() ? info.value() : std::string();
    const auto addBytes = [&](const char *name, const char *total, const char *free, double factor) {
        BoardItem item;
        item.part = BoardPart::Memory;
        item.quantity = BoardQuantity::Bytes;
        item.name = name;
        item.unit = "B";
        item.formula = BoardFormula::MemInfo;
        item.paths = {below("/proc/meminfo")};
        item.key = total;
        item.freeKey = free;
        item.factor = factor;
        item.high = kMaxCountedBytes;
        if (const std::optional<long long> most = memInfoValue(infoText, total); most && *free != '\0')
            item.most = static_cast<double>(*most) * factor;
        m_items.add(item);
    };
    constexpr double kKilobyte = 1024;
    addBytes("memory used", "MemTotal", "MemAvailable", kKilobyte);
    addBytes("swap used", "SwapTotal", "SwapFree", kKilobyte);
    if (infoText.find("NvMapMemUsed:") != std::string::npos)
        addBytes("GPU memory used", "NvMapMemUsed", "", kKilobyte);
}

void BoardSearch::findProcessor()
{
    constexpr double kKilohertz = 1000;
    const auto loadItem = [this](std::string name, std::string key, bool detail) {
        BoardItem item;
        item.part = BoardPart::Cpu;
        item.name = std::move(name);
        item.unit = "%";
        item.most = 100;
        item.high = 100;
        item.formula = BoardFormula::CpuLoad;
        item.paths = {below("/proc/stat")};
        item.key = std::move(key);
        item.detail = detail;
        return item;
    };
    m_items.add(loadItem(kCpuLoadCounter, "cpu", false));
    if (const std::string own = below("/proc/self/stat"); textOf(own, 1 << 12).ok()) {
        BoardItem outside = loadItem(kOutsideLoadCounter, "cpu", false);
        outside.formula = BoardFormula::OutsideLoad;
        outside.paths.push_back(own);
        m_items.add(outside);
    }
    std::vector<std::string> clocks;
    double most = 0;
    for (const std::string &policy : m_policies) {
        clocks.push_back(policy + "/scaling_cur_freq");
        most = std::max(most, numberOrZero(policy + "/cpuinfo_max_freq") * kKilohertz);
    }
    BoardItem clock = clockItem(BoardPart::Cpu, "CPU clock", clocks, kKilohertz);
    clock.most = most;
    if (clocks.empty())
        clock.unavailable = "the kernel has no cpufreq";
    m_items.add(clock);
    for (const std::string &core : entriesOf(below("/sys/devices/system/cpu"), "cpu")) {
        const std::string name = fileName(core);
        if (name.size() > 3 && name.find_first_not_of("0123456789", 3) == std::string::npos)
            m_items.add(loadItem("CPU " + name.substr(3) + " load", name, true));
    }
    if (m_policies.size() < 2)
        return;
    for (std::size_t i = 0; i < m_policies.size(); ++i) {
        BoardItem item =
            clockItem(BoardPart::Cpu, "CPU " + fileName(m_policies[i]).substr(6) + " clock", {clocks[i]}, kKilohertz);
        item.most = numberOrZero(m_policies[i] + "/cpuinfo_max_freq") * kKilohertz;
        item.detail = true;
        m_items.add(item);
    }
}

void BoardSearch::findEngines()
{
    constexpr auto kEngines = std::to_array<std::pair<std::string_view, const char *>>(
        {{".nvenc", "NVENC"}, {".nvdec", "NVDEC"}, {".nvjpg", "NVJPG"}, {".vic", "VIC"}, {".ofa", "OFA"}});
    for (const std::string &device : entriesOf(below("/sys/class/devfreq")))
        for (const auto &[ending, name] : kEngines)
            if (device.ends_with(ending)) {
                BoardItem item = clockItem(BoardPart::Engines, std::string(name) + " clock", {device + "/cur_freq"}, 1);
                item.most = numberOrZero(device + "/max_freq");
                item.detail = true;
                m_items.add(item);
            }
}

/// What the kernel does at which temperature of a zone.
void BoardSearch::findTrips(const std::string &zone, const std::string &counter)
{
    constexpr int kMaxTrips = 12;
    constexpr double kLeastTrip = 30; // Below and above are trips that are switched off.
    constexpr double kMostTrip = 150;
    for (int i = 0; i < kMaxTrips; ++i) {
        const std::string trip = zone + "/trip_point_" + std::to_string(i);
        const std::string type = lineOf(trip + "_type");
        const Result<long long> degrees = numberOf(trip + "_temp");
        const double value = degrees.ok() ? static_cast<double>(degrees.value()) / 1000 : 0;
        const char *what = type == "passive" ? "throttles"
            : type == "hot"                  ? "warns"
            : type == "critical"             ? "shuts down"
                                             : nullptr;
        if (what && value >= kLeastTrip && value <= kMostTrip)
            m_limits.push_back({counter, what, value, type == "critical"});
    }
}

void BoardSearch::findTemperatures()
{
    const auto addSensor = [this](const std::string &name, const std::string &path) {
        BoardItem item;
        item.part = BoardPart::Temperature;
        item.quantity = BoardQuantity::Temperature;
        item.name = name.empty() ? "temperature" : "temperature " + name;
        item.unit = "°C";
        item.most = 100;
        item.factor = 0.001;
        item.low = -100; // -256 °C: the sensor is off.
        item.high = 250;
        item.paths = {path};
        m_items.add(item);
    };
    for (const std::string &zone : entriesOf(below("/sys/class/thermal"), "thermal_zone"))
        if (isReadable(zone + "/temp")) {
            addSensor(lineOf(zone + "/type"), zone + "/temp");
            findTrips(zone, m_items.all().back().name);
        }
    for (const std::string &chip : entriesOf(below("/sys/class/hwmon"), "hwmon"))
        if (const std::string name = lineOf(chip + "/name");
            isOneOf(name, {"coretemp", "k10temp", "zenpower"}) && isReadable(chip + "/temp1_input"))
            addSensor(name, chip + "/temp1_input");
}

void BoardSearch::findRails()
{
    PowerSearch(m_root, m_items).find(m_isJetson);
}

void BoardSearch::findFans()
{
    const auto addFan = [this](const char *name, const char *unit, const std::string &path, double factor,
                               double most) {
        BoardItem item;
        item.part = BoardPart::Fan;
        item.quantity = BoardQuantity::FanSpeed;
        item.name = name;
        item.unit = unit;
        item.paths = {path};
        item.factor = factor;
        item.high = most;
        item.most = std::string_view(unit) == "%" ? 100 : 0;
        if (isReadable(path))
            m_items.add(item);
    };
    constexpr double kPercentOfPwm = 100.0 / 255;
    constexpr double kMaxRpm = 100'000;
    // The driver before JetPack 5 is a platform device.
    addFan("fan", "%", below("/sys/devices/pwm-fan/cur_pwm"), kPercentOfPwm, 100);
    addFan("fan speed", "rpm", below("/sys/devices/pwm-fan/rpm_measured"), 1, kMaxRpm);
    for (const std::string &chip : entriesOf(below("/sys/class/hwmon"), "hwmon")) {
        const std::string name = lineOf(chip + "/name");
        if (name == "pwmfan" || name == "pwm-fan")
            addFan("fan", "%", chip + "/pwm1", kPercentOfPwm, 100);
        for (const char *file : {"/rpm", "/fan1_input"})
            addFan("fan speed", "rpm", chip + file, 1, kMaxRpm);
    }
}

} // namespace jetscope
