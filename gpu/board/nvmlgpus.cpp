// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/board/nvmlgpus.h"

#include <algorithm>
#include <dlfcn.h>
#include <utility>

namespace jetscope {

namespace {

// nvmlClocksThrottleReason…: why the clocks are below what was asked for.
constexpr unsigned long long kSoftwarePowerCap = 0x04;
constexpr unsigned long long kHardwareSlowdown = 0x08;
constexpr unsigned long long kSoftwareThermal = 0x20;
constexpr unsigned long long kHardwareThermal = 0x40;
constexpr unsigned long long kPowerBrake = 0x80;
constexpr unsigned long long kThermal = kHardwareSlowdown | kSoftwareThermal | kHardwareThermal;
constexpr unsigned long long kPowerCap = kSoftwarePowerCap | kPowerBrake;

struct ValueRow {
    BoardPart part;
    BoardQuantity quantity;
    const char *name; ///< After "GPU".
    const char *unit;
    double most;
};

} // namespace

Result<NvmlGpus> NvmlGpus::open(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const NvmlApi api, NvmlApi::load(path));
    if (const int code = api.init(); code != 0)
        return sentence(std::string("NVML does not start: ") + api.errorString(code));
    return NvmlGpus(api);
}

NvmlGpus::~NvmlGpus()
{
    if (m_isOpen)
        m_api.shutdown();
}

NvmlGpus::NvmlGpus(NvmlGpus &&other) noexcept
    : m_api(other.m_api),
      m_isOpen(std::exchange(other.m_isOpen, false)),
      m_gpus(std::move(other.m_gpus)),
      m_items(std::move(other.m_items))
{
}

Reading<double> NvmlGpus::limits(NvmlApi::Device device, unsigned long long mask) const
{
    unsigned long long bits = 0;
    if (const int code = m_api.limitReasons(device, &bits); code != 0)
        return sentence(std::string("NVML: ") + m_api.errorString(code));
    return (bits & mask) != 0 ? 1.0 : 0.0;
}

Reading<double> NvmlGpus::read(NvmlApi::Device device, Value value) const
{
    unsigned number = 0;
    NvmlApi::Utilization rates;
    NvmlApi::Memory memory;
    int code = 0;
    double result = 0;
    switch (value) {
    case Value::Load:
        code = m_api.utilization(device, &rates);
        result = rates.gpu;
        break;
    case Value::Clock:
        code = m_api.clock(device, NvmlApi::Graphics, &number);
        result = number * 1e6;
        break;
    case Value::MemoryClock:
        code = m_api.clock(device, NvmlApi::MemoryClock, &number);
        result = number * 1e6;
        break;
    case Value::Temperature:
        code = m_api.temperature(device, 0, &number);
        result = number;
        break;
    case Value::Power:
        code = m_api.power(device, &number);
        result = number / 1e3;
        break;
    case Value::Memory:
        code = m_api.memory(device, &memory);
        result = static_cast<double>(memory.used);
        break;
    case Value::Throttling:
        return limits(device, kThermal);
    case Value::PowerCap:
        return limits(device, kPowerCap);
    }
    return code == 0 ? Reading<double>(result)
                     : Reading<double>(sentence(std::string("NVML: ") + m_api.errorString(code)));
}

void NvmlGpus::addGpu(BoardLayout &layout, std::size_t index)
{
    const NvmlApi::Device device = m_gpus[index].device;
    const std::pair<Value, ValueRow> rows[] = {
        {Value::Load, {BoardPart::Gpu, BoardQuantity::Load, "%s load", "%", 100}},
        {Value::Clock, {BoardPart::Gpu, BoardQuantity::Clock, "%s clock", "Hz", 0}},
        {Value::MemoryClock, {BoardPart::Gpu, BoardQuantity::Clock, "%s memory clock", "Hz", 0}},
        {Value::Memory, {BoardPart::Gpu, BoardQuantity::Bytes, "%s memory used", "B", 0}},
        {Value::Temperature, {BoardPart::Temperature, BoardQuantity::Temperature, "temperature %s", "°C", 100}},
        {Value::Power, {BoardPart::Power, BoardQuantity::Power, "power %s", "W", 0}},
        {Value::Throttling, {BoardPart::Gpu, BoardQuantity::Throttling, "%s throttling", "", 0}},
        {Value::PowerCap, {BoardPart::Gpu, BoardQuantity::PowerLimit, "%s power cap", "", 0}},
    };
    const std::string gpu = index == 0 ? "GPU" : "GPU " + std::to_string(index);
    for (const auto &[value, row] : rows) {
        BoardItem item;
        item.part = row.part;
        item.quantity = row.quantity;
        item.name = row.name;
        item.name.replace(item.name.find("%s"), 2, gpu);
        item.unit = row.unit;
        item.most = row.most;
        item.formula = BoardFormula::Foreign;
        item.detail = index > 0;
        unsigned mhz = 0;
        if (value == Value::Clock && m_api.mostClock(device, NvmlApi::Graphics, &mhz) == 0)
            item.most = mhz * 1e6;
        if (const Reading<double> first = read(device, value); !first.known())
            item.unavailable = first.reason;
        const auto known = std::find_if(layout.items.begin(), layout.items.end(),
                                        [&](const BoardItem &other) { return other.name == item.name; });
        const bool isKnown = known != layout.items.end();
        if (isKnown && (known->unavailable.empty() || !item.unavailable.empty()))
            continue;
        const auto place = isKnown ? static_cast<std::size_t>(known - layout.items.begin()) : layout.items.size();
        if (item.unavailable.empty())
            m_items.push_back({index, value, place, item.detail, gpu});
        if (isKnown)
            *known = std::move(item);
        else
            layout.items.push_back(std::move(item));
    }
}

void NvmlGpus::addTo(BoardLayout &layout)
{
    unsigned count = 0;
    if (m_api.deviceCount(&count) != 0)
        return;
    for (unsigned index = 0; index < std::min(count, kMaxGpus); ++index)
        if (NvmlApi::Device device = nullptr; m_api.deviceByIndex(index, &device) == 0)
            m_gpus.push_back({index, device});
    for (std::size_t index = 0; index < m_gpus.size(); ++index)
        addGpu(layout, index);
}

void NvmlGpus::putFirst(const std::string &pciBusId)
{
    NvmlApi::Device wanted = nullptr;
    unsigned index = 0;
    if (m_api.deviceByBus(pciBusId.c_str(), &wanted) != 0 || m_api.indexOf(wanted, &index) != 0)
        return;
    std::sort(m_gpus.begin(), m_gpus.end(), [index](const Gpu &a, const Gpu &b) {
        return std::pair(a.index != index, a.index) < std::pair(b.index != index, b.index);
    });
}

void NvmlGpus::forget(BoardSampler &board) const
{
    for (const Item &item : m_items)
        board.set(item.index, sentence("the GPU does not work on the frames"));
}

void NvmlGpus::sample(BoardSampler &board, bool details) const
{
    for (const Item &item : m_items) {
        if (item.detail && !details)
            continue;
        Reading<double> reading = read(m_gpus[item.gpu].device, item.value);
        const bool limits = item.value == Value::Throttling || item.value == Value::PowerCap;
        if (limits && reading.value.value_or(0) > 0)
            board.addLimit(item.name + (item.value == Value::PowerCap ? " power cap" : " throttling"));
        board.set(item.index, std::move(reading));
    }
}

Result<NvmlApi> NvmlApi::load(const std::string &path)
{
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sentence("there is no NVML (" + path + "), which the driver of NVIDIA GPUs brings");
    NvmlApi api(library);
    if (!api.missing().empty())
        return sentence("NVML has no function " + api.missing());
    return api;
}

} // namespace jetscope
