// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/stageloader.h"

#include "gpu/stages/stagetable.h"
#include "ui/style/text.h"

#include <algorithm>

namespace jetscope {

namespace {

Result<Filter> loadAndRehearse(const std::string &name, const DeviceFacts &facts)
{
    JETSCOPE_TRY_ASSIGN(const Filter filter, loadStage(name));
    JETSCOPE_TRY(rehearseStage(filter, facts));
    return filter;
}

} // namespace

StageLoader::StageLoader(QObject *parent) : QObject(parent) {}

void StageLoader::want(std::uint64_t place, const std::string &name)
{
    std::erase_if(m_waiting, [place](const Wish &wish) { return wish.place == place; });
    m_waiting.push_back({place, name});
    if (!m_isBusy)
        begin();
}

bool StageLoader::isWanted(std::uint64_t place) const
{
    return std::any_of(m_waiting.begin(), m_waiting.end(), [place](const Wish &wish) { return wish.place == place; });
}

void StageLoader::begin()
{
    const Wish wish = m_waiting.front();
    m_waiting.erase(m_waiting.begin());
    m_isBusy = true;
    m_background.start([this, wish, facts = m_facts](const Worker::Reply &reply) {
        const Result<Filter> result = loadAndRehearse(wish.name, facts);
        reply.post([this, wish, result] {
            m_isBusy = false;
            if (result.ok())
                emit loaded(wish.place, result.value());
            else
                emit refused(wish.place, toQString(result.error().message()));
            if (!m_isBusy && !m_waiting.empty())
                begin();
        });
    });
}

} // namespace jetscope
