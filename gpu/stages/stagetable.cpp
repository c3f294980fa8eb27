// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/stagetable.h"

#include "core/pipelineconfig.h"
#include "gpu/stages/dla/dlastage.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/librarystage.h"
#include "gpu/stages/vpi/vpistage.h"

#include <algorithm>
#include <map>

namespace jetscope {

namespace {

/// What a scheme stands for; one row for each kind of stage.
struct SchemeRow {
    std::string_view scheme;
    LoadedStage (*load)(const StageAddress &address);
};

constexpr SchemeRow kSchemes[] = {
    {"stage", loadLibraryStage},
    {"cu", loadKernelStage},
    {"vpi", loadVpiStage},
    {"dla", loadDlaStage},
};

std::map<Filter, std::unique_ptr<Stage>> &stageCodes()
{
    static std::map<Filter, std::unique_ptr<Stage>> codes;
    return codes;
}

Status addStage(const SchemeRow &scheme, std::string_view name)
{
    JETSCOPE_TRY_ASSIGN(const StageAddress address, StageAddress::parse(name.substr(scheme.scheme.size() + 1)));
    LoadedStage loaded = scheme.load(address);
    loaded.row.name = name;
    loaded.row.isStage = true;
    JETSCOPE_TRY_ASSIGN(const Filter filter, addFilter(std::move(loaded.row)));
    stageCodes()[filter] = std::move(loaded.code);
    return {};
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
        const std::string_view scheme = name.substr(0, std::min(name.find(':'), name.size()));
        if (scheme.size() == name.size() || choiceByName<Filter>(name))
            continue;
        const auto *row = std::find_if(std::begin(kSchemes), std::end(kSchemes),
                                       [&](const SchemeRow &each) { return each.scheme == scheme; });
        if (row == std::end(kSchemes))
            return sentence("There are no stages " + quotedValue(name)
                            + "; write stage:PATH for a shared library, cu:FILE.cu for a kernel, vpi:NAME for an "
                              "algorithm of VPI, or dla:FILE for a loadable of a DLA.");
        JETSCOPE_TRY(addStage(*row, name));
    }
    return {};
}

Stage *stageOf(Filter filter)
{
    const auto found = stageCodes().find(filter);
    return found == stageCodes().end() ? nullptr : found->second.get();
}

} // namespace jetscope
