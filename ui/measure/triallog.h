// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/advice/trial.h"
#include "gpu/pipeline/pipeline.h"

#include <QDate>
#include <QString>

#include <deque>
#include <optional>

namespace jetscope {

/// Where a trial ran. An outcome is valid for this device, driver, program and source only.
struct TrialPlace {
    QString device; ///< Id and name.
    QString driver;
    QString program;
    QString source; ///< Address, size, format and rate.

    bool operator==(const TrialPlace &) const = default;
};
TrialPlace trialPlaceOf(const PipelineStatus &status, const QString &driver);

/// Outcomes of trials, stored as text between sessions. Configurations are compared as a whole, including filters and
/// CPU stage; an outcome applies in both directions. Unfinished trials are not stored. One thread.
class TrialLog {
public:
    struct Entry {
        TrialPlace place;
        QString from; ///< Settings before the trial, as text.
        QString to;
        TrialOutcome outcome;
        QDate date;
    };
    static constexpr std::size_t kMax = 200; ///< Most entries; the oldest are removed first.

    /// Reads what `toText` wrote; skips entries that are malformed or were made by another program version.
    static TrialLog fromText(const QString &text, const QString &program);
    QString toText() const;

    void add(const TrialPlace &place, const PipelineConfig &from, const PipelineConfig &to, const TrialOutcome &outcome,
             const QDate &date);
    /// Outcome of `to` compared with `from`; nullopt if it was not tried at this place.
    std::optional<Entry> find(const TrialPlace &place, const PipelineConfig &from, const PipelineConfig &to) const;
    std::size_t size() const { return m_entries.size(); }

private:
    std::deque<Entry> m_entries; ///< Newest first.
};

} // namespace jetscope
