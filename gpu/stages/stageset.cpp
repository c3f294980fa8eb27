// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/stageset.h"

#include "core/settings/filters.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

Result<StageInstance *> StageSet::instanceOf(Filter filter)
{
    std::unique_ptr<StageInstance> &instance = m_instances[filter];
    if (instance)
        return instance.get();
    Stage *const stage = stageOf(filter);
    if (!stage)
        return sentence("The filter '" + std::string(nameOf(filter)) + "' is a stage without code.");
    JETSCOPE_TRY_ASSIGN(instance, stage->setUp(m_device, m_width, m_height));
    instance->setName(internName(filterRow(filter)->label, Category::Kernel));
    return instance.get();
}

Status StageSet::prepare(std::span<const Filter> filters, int width, int height)
{
    JETSCOPE_TRY(setUpAll(filters, width, height));
    const auto isUnused = [filters](Filter filter) {
        return std::find(filters.begin(), filters.end(), filter) == filters.end();
    };
    if (std::none_of(m_instances.begin(), m_instances.end(), [&](const auto &each) { return isUnused(each.first); }))
        return {};
    const Status waited = waitForWork(filters);
    if (!waited.ok() && !filters.empty())
        return waited;
    tearDown(isUnused);
    return waited;
}

/// What they did is still to be told.
void StageSet::tearDown(const std::function<bool(Filter)> &which)
{
    std::erase_if(m_instances, [&](const auto &each) {
        if (!which(each.first))
            return false;
        if (StageInstance *const instance = each.second.get()) {
            std::ranges::copy(instance->takeLastWork(), std::back_inserter(m_lastWork));
            std::ranges::move(instance->takeNews(), std::back_inserter(m_lastNews));
        }
        return true;
    });
}

Status StageSet::setUpAll(std::span<const Filter> filters, int width, int height)
{
    if (std::none_of(filters.begin(), filters.end(), isStage))
        return {};
    if (width != m_width || height != m_height)
        tearDown([](Filter) { return true; });
    m_width = width;
    m_height = height;
    for (const Filter filter : filters)
        if (isStage(filter))
            JETSCOPE_TRY(instanceOf(filter));
    return {};
}

Result<std::vector<StageInstance *>> StageSet::of(std::span<const Filter> filters, int width, int height)
{
    std::vector<StageInstance *> instances;
    if (std::none_of(filters.begin(), filters.end(), isStage))
        return instances;
    JETSCOPE_TRY(setUpAll(filters, width, height));
    for (const Filter filter : filters)
        if (isStage(filter)) {
            JETSCOPE_TRY_ASSIGN(StageInstance *const instance, instanceOf(filter));
            instances.push_back(instance);
        }
    return instances;
}

std::vector<StageTouch> StageSet::touches(std::span<const Filter> filters, std::uint64_t frame)
{
    std::vector<StageTouch> touches;
    for (std::size_t i = 0; i < filters.size(); ++i) {
        const auto found = m_instances.find(filters[i]);
        if (found == m_instances.end() || !found->second)
            continue;
        for (const StageTouch &touch : found->second->touches(frame))
            if (touch.memory || i == 0) // Behind other filters, the input is memory of the chain.
                touches.push_back(touch);
    }
    return touches;
}

bool StageSet::leavesVpiWork(std::span<const Filter> filters)
{
    return std::any_of(filters.begin(), filters.end(), [this](Filter filter) {
        const auto found = m_instances.find(filter);
        return found != m_instances.end() && found->second && found->second->leavesVpiWork();
    });
}

std::shared_ptr<StagePoints> StageSet::points(std::span<const Filter> filters)
{
    for (auto filter = filters.rbegin(); filter != filters.rend(); ++filter)
        if (const auto found = m_instances.find(*filter); found != m_instances.end() && found->second)
            if (std::shared_ptr<StagePoints> points = found->second->points())
                return points;
    return nullptr;
}

void StageSet::forgetStream(void *stream)
{
    for (const auto &[filter, instance] : m_instances)
        if (instance)
            instance->forgetStream(stream);
}

std::vector<StageWork> StageSet::takeWork()
{
    return workBy(&StageInstance::takeWork);
}

std::vector<StageWork> StageSet::takeLastWork()
{
    return workBy(&StageInstance::takeLastWork);
}

std::vector<StageWork> StageSet::workBy(std::vector<StageWork> (StageInstance::*take)())
{
    std::vector<StageWork> all = std::exchange(m_lastWork, {});
    for (const auto &[filter, instance] : m_instances)
        if (instance)
            std::ranges::copy((instance.get()->*take)(), std::back_inserter(all));
    return all;
}

std::vector<StageNews> StageSet::takeNews()
{
    std::vector<StageNews> all = std::exchange(m_lastNews, {});
    for (const auto &[filter, instance] : m_instances)
        if (instance)
            for (StageNews &news : instance->takeNews())
                all.push_back(std::move(news));
    return all;
}

} // namespace jetscope
