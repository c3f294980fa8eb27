// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"
#include "ui/session/worker.h"

#include <QObject>

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// Loads stages (gpu/stages) on a thread of its own, one after another: a trial takes time, and the pipeline goes on
/// with its former chain meanwhile. Only for what the user asks for now. UI thread.
class StageLoader : public QObject {
    Q_OBJECT
public:
    explicit StageLoader(QObject *parent = nullptr);

    /// For which device the stages are made ready.
    void setFacts(const DeviceFacts &facts) { m_facts = facts; }
    /// Loads a stage by its name, "stage:PATH?key=value". `place` is the caller's; a later wish for the same place
    /// replaces one that was not begun.
    void want(std::uint64_t place, const std::string &name);
    /// Whether a wish for this place was not begun yet.
    bool isWanted(std::uint64_t place) const;

signals:
    void loaded(quint64 place, jetscope::Filter filter);
    void refused(quint64 place, const QString &reason);

private:
    struct Wish {
        std::uint64_t place = 0;
        std::string name;
    };
    void begin();

    DeviceFacts m_facts;
    std::vector<Wish> m_waiting;
    bool m_isBusy = false;
    Worker m_background{"the trial of a stage", std::chrono::seconds(12)}; ///< A trial ends itself after 10 seconds.
};

} // namespace jetscope
