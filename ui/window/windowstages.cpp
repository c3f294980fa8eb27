// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowstages.h"

#include "core/settings/filters.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/stages/stage.h"
#include "ui/live/controlspanel.h"
#include "ui/live/filtereditor.h"
#include "ui/live/stageloader.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"

#include <QFileInfo>
#include <QInputDialog>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

constexpr const char *kChainKey = "stages/chain";

std::vector<std::string> namesIn(const std::string &chain)
{
    std::vector<std::string> names;
    for (const QString &name : toQString(chain).split(QLatin1Char(',')))
        names.push_back(name.toStdString());
    return names;
}

bool isStageName(const std::string &name)
{
    return name.find(':') != std::string::npos;
}

/// Jetscope may be started in another folder the next time.
std::string withAbsolutePath(const std::string &name)
{
    const std::size_t path = name.find(':') + 1;
    const std::size_t end = std::min(name.find('?'), name.size());
    const QFileInfo file(toQString(name.substr(path, end - path)));
    return file.exists() ? name.substr(0, path) + file.absoluteFilePath().toStdString() + name.substr(end) : name;
}

std::string chainToRemember(const std::vector<Filter> &filters)
{
    if (std::none_of(filters.begin(), filters.end(), isStage))
        return {};
    std::string chain;
    for (const Filter filter : filters) {
        const std::string name(nameOf(filter));
        chain += (chain.empty() ? "" : ",") + (isStage(filter) ? withAbsolutePath(name) : name);
    }
    return chain;
}

} // namespace

WindowStages::WindowStages(Parts parts)
    : m_parts(std::move(parts)),
      m_loader(new StageLoader(this)),
      m_remembered(m_parts.settings.text(kChainKey).toStdString())
{
    FilterEditor *const filters = m_parts.controls.filters();
    connect(filters, &FilterEditor::stageRefused, this,
            [this](const QString &reason) { m_parts.messages.show(MessageBar::Kind::Warning, reason); });
    connect(filters, &FilterEditor::changed, this, [this] { m_remembered.clear(); });
    connect(&m_parts.session, &Session::opened, this, &WindowStages::ask);
    connect(&m_parts.session, &Session::failed, this, &WindowStages::offerWithout);
    connect(m_loader, &StageLoader::loaded, this, &WindowStages::stageCame);
    connect(m_loader, &StageLoader::refused, this, [this](quint64, const QString &reason) {
        m_parts.messages.show(MessageBar::Kind::Warning, reason);
        stageCame();
    });
    setBoard({});
}

void WindowStages::setBoard(const QString &name)
{
    m_board = name;
    m_without.reset();
    FilterEditor *const filters = m_parts.controls.filters();
    if (m_board.isEmpty()) {
        filters->setStageTaker(nullptr);
        filters->setFileChooser(
            [this](const QString &title, const QString &files) { return m_parts.dialogs.open(title, {}, files); });
        return;
    }
    filters->setStageTaker([this](const std::string &stage) { loadThere(stage); });
    filters->setFileChooser([this](const QString &title, const QString &) {
        return QInputDialog::getText(&m_parts.controls, title,
                                     tr("Path of the file on %1. It must lie there and be built for it: copy it first, "
                                        "for example with scp.")
                                         .arg(m_board))
            .trimmed();
    });
}

/// Only an order to open says that code is wanted now: the names in a change may be those of a capture.
void WindowStages::loadThere(const std::string &name)
{
    Session &session = m_parts.session;
    SessionRequest request = session.request();
    request.config = session.wanted();
    m_without = request;
    const std::string chain = filterNames(request.config.filters);
    std::erase_if(request.fixed, [](const auto &setting) { return setting.first == "filters"; });
    request.fixed.emplace_back("filters", request.config.filters.empty() ? name : chain + "," + name);
    session.openOther(request);
}

void WindowStages::offerWithout()
{
    if (!m_without)
        return;
    m_parts.messages.show(MessageBar::Kind::Warning, tr("%1 did not open the pipeline with the stage.").arg(m_board),
                          {tr("Open it without"), [this, request = *std::exchange(m_without, std::nullopt)] {
                               m_parts.session.openOther(request);
                           }});
}

void WindowStages::save()
{
    if (!m_board.isEmpty())
        return; // Files of the board.
    const std::string chain = chainToRemember(m_parts.session.ownChoices().filters);
    m_parts.settings.save(kChainKey, toQString(chain.empty() ? m_remembered : chain));
}

void WindowStages::ask()
{
    m_without.reset();
    if (!m_board.isEmpty())
        return;
    const SessionRequest &request = m_parts.session.request();
    const bool isGiven = std::any_of(request.fixed.begin(), request.fixed.end(),
                                     [](const auto &setting) { return setting.first == "filters"; });
    if (isGiven)
        m_remembered.clear();
    if (m_remembered.empty() || m_parts.session.phase() != Session::Phase::Open || !request.scene.empty())
        return;
    m_parts.messages.show(MessageBar::Kind::Info,
                          tr("The filters of the last session contain code of yours, which is not loaded unasked: %1")
                              .arg(toQString(m_remembered)),
                          {tr("Load it"), [this] { loadRemembered(); }});
}

void WindowStages::loadRemembered()
{
    m_coming = std::exchange(m_remembered, {});
    const std::vector<std::string> names = namesIn(m_coming);
    m_stagesToCome = static_cast<int>(std::count_if(names.begin(), names.end(), isStageName));
    m_loader->setFacts(m_parts.session.status().facts);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (isStageName(names[i]))
            m_loader->want(i, names[i]);
}

/// The chain without those that were refused, once all are there.
void WindowStages::stageCame()
{
    if (--m_stagesToCome > 0)
        return;
    PipelineConfig config = m_parts.session.wanted();
    config.filters.clear();
    for (const std::string &name : namesIn(m_coming)) {
        const std::optional<Filter> filter = choiceByName<Filter>(name);
        if (filter && (!isStage(*filter) || stageOf(*filter)))
            config.filters.push_back(*filter);
    }
    m_parts.session.change(config);
}

} // namespace jetscope
