// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/stagetable.h"

#include "core/settings/pipelineconfig.h"
#include "gpu/stages/dla/dlastage.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/librarystage.h"
#include "gpu/stages/nviva/nvivastage.h"
#include "gpu/stages/vpi/vpistage.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

namespace jetscope {

namespace {

/// What a scheme stands for; one row for each kind of stage.
struct SchemeRow {
    std::string_view scheme;
    LoadedStage (*load)(const StageAddress &address);
    bool needsCuda;
    Capability (*inThisBuild)() = Capability::yes;
};

constexpr SchemeRow kSchemes[] = {
    {"stage", loadLibraryStage, false},
    {"cu", loadKernelStage, true, hasKernelCompiler},
    {"nviva", loadNvivaStage, true},
    {"vpi", loadVpiStage, false},
    {"dla", loadDlaStage, true, canPackForDla},
};

/// The code of all stages. It is added by any thread and stays.
class StageCodes {
public:
    void add(Filter filter, std::unique_ptr<Stage> code)
    {
        const std::lock_guard lock(m_mutex);
        m_codes[filter] = std::move(code);
    }
    Stage *find(Filter filter)
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_codes.find(filter);
        return found == m_codes.end() ? nullptr : found->second.get();
    }

private:
    std::mutex m_mutex;
    std::map<Filter, std::unique_ptr<Stage>> m_codes;
};

StageCodes &stageCodes()
{
    static StageCodes codes;
    return codes;
}

Result<const SchemeRow *> schemeOf(std::string_view name)
{
    const std::string_view scheme = name.substr(0, std::min(name.find(':'), name.size()));
    for (const SchemeRow &row : kSchemes)
        if (row.scheme == scheme && scheme.size() < name.size())
            return &row;
    return sentence("There are no stages " + quotedValue(name)
                    + "; write stage:PATH for a shared library, cu:FILE.cu for a kernel, nviva:PATH for a library of "
                      "nvivafilter, vpi:NAME for an algorithm of VPI, or dla:FILE for a loadable of a DLA.");
}

Result<LoadedStage> loadRow(std::string_view name)
{
    JETSCOPE_TRY_ASSIGN(const SchemeRow *const scheme, schemeOf(name));
    JETSCOPE_TRY_ASSIGN(const StageAddress address, StageAddress::parse(name.substr(scheme->scheme.size() + 1)));
    LoadedStage loaded = scheme->load(address);
    loaded.row.name = name;
    loaded.row.isStage = true;
    return loaded;
}

Result<Filter> addRow(LoadedStage loaded)
{
    JETSCOPE_TRY_ASSIGN(const Filter filter, addFilter(std::move(loaded.row)));
    stageCodes().add(filter, std::move(loaded.code));
    return filter;
}

StageDevice stageDeviceOf(const DeviceFacts &facts)
{
    StageDevice device;
    device.memory = facts.software ? StageDevice::Memory::Host : StageDevice::Memory::Cuda;
    const std::size_t colon = facts.id.find(':');
    if (!facts.software && colon != std::string::npos)
        device.ordinal = std::atoi(facts.id.c_str() + colon + 1);
    device.computeMajor = facts.computeMajor;
    device.computeMinor = facts.computeMinor;
    return device;
}

} // namespace

Result<StageAddress> StageAddress::parse(std::string_view text)
{
    StageAddress address;
    const std::size_t mark = std::min(text.find('?'), text.size());
    address.path = text.substr(0, mark);
    if (address.path.empty())
        return sentence("A stage needs the path of its file, as in stage:./libmine.so?strength=3.");
    for (std::size_t at = mark + 1; at <= text.size();) {
        const std::size_t end = std::min(text.find('&', at), text.size());
        const std::string_view pair = text.substr(at, end - at);
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return sentence("The options of a stage are written key=value&key=value, not " + quotedValue(pair) + ".");
        std::string key(pair.substr(0, equals));
        if (std::any_of(address.options.begin(), address.options.end(),
                        [&](const auto &option) { return option.first == key; }))
            return sentence("The option " + quotedValue(key) + " of a stage is given twice; keep one of them.");
        address.options.emplace_back(std::move(key), pair.substr(equals + 1));
        at = end + 1;
    }
    return address;
}

LoadedStage unusableStage(std::string label, const std::string &reason)
{
    FilterRow row;
    row.label = std::move(label);
    row.help = "A stage that cannot be used: " + reason;
    row.onCpu = Capability::no(reason);
    row.onCuda = Capability::no(reason);
    return {std::move(row), nullptr};
}

Status addStages(std::string_view chain)
{
    for (std::size_t at = 0; at <= chain.size();) {
        const std::size_t end = std::min(chain.find_first_of("+,", at), chain.size());
        const std::string_view name = chain.substr(at, end - at);
        at = end + 1;
        if (name.find(':') == std::string_view::npos || choiceByName<Filter>(name))
            continue;
        JETSCOPE_TRY_ASSIGN(LoadedStage loaded, loadRow(name));
        JETSCOPE_TRY(addRow(std::move(loaded)));
    }
    return {};
}

Result<Filter> loadStage(const std::string &name)
{
    if (const std::optional<Filter> known = choiceByName<Filter>(name); known && stageOf(*known))
        return *known;
    JETSCOPE_TRY_ASSIGN(LoadedStage loaded, loadRow(name));
    if (!loaded.code)
        return sentence(loaded.row.onCpu.reason);
    return addRow(std::move(loaded));
}

Capability canHaveStages(std::string_view scheme, const DeviceFacts &facts)
{
    for (const SchemeRow &row : kSchemes) {
        if (row.scheme != scheme)
            continue;
        if (row.needsCuda && facts.software)
            return Capability::no("The software iGPU has no CUDA, which these stages need. Take a CUDA device.");
        return row.inThisBuild();
    }
    return Capability::no("There are no stages " + quotedValue(scheme) + ".");
}

Status rehearseStage(Filter filter, const DeviceFacts &facts)
{
    const FilterRow *const row = filterRow(filter);
    Stage *const stage = stageOf(filter);
    if (!row || !stage)
        return sentence("The filter '" + std::string(nameOf(filter)) + "' is a stage without code.");
    const Capability &capability = facts.software ? row->onCpu : row->onCuda;
    return capability.available ? stage->rehearse(stageDeviceOf(facts)) : sentence(capability.reason);
}

Stage *stageOf(Filter filter)
{
    return stageCodes().find(filter);
}

} // namespace jetscope
