// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/advice/trial.h"
#include "gpu/pipeline/pipeline.h"

#include <QDate>
#include <QString>

#include <deque>
#include <optional>

namespace jetscope {

/// On what something was tried. An outcome says nothing of any other device, driver, program or source.
struct TrialPlace {
    QString device; ///< Its id and name.
    QString driver;
    QString program;
    QString source; ///< Address, size, format and rate.

    bool operator==(const TrialPlace &) const = default;
};
TrialPlace trialPlaceOf(const PipelineStatus &status, const QString &driver);

/// What was tried, with its outcome: kept as text between sessions. Two configurations are compared whole, filters and
/// CPU stage included, and an outcome holds both ways. Trials that were not finished are not kept. One thread.
class TrialLog {
public:
    struct Entry {
        TrialPlace place;
        QString from; ///< The settings before, as text.
        QString to;
        TrialOutcome outcome;
        QDate date;
    };
    static constexpr std::size_t kMost = 200; ///< The oldest go first.

    /// As `toText` made it; what cannot be read, or is of another program, is left out.
    static TrialLog fromText(const QString &text, const QString &program);
    QString toText() const;

    void add(const TrialPlace &place, const PipelineConfig &from, const PipelineConfig &to, const TrialOutcome &outcome,
             const QDate &date);
    /// Of `to` against `from`; none when it was not tried there.
    std::optional<Entry> find(const TrialPlace &place, const PipelineConfig &from, const PipelineConfig &to) const;
    std::size_t size() const { return m_entries.size(); }

private:
    std::deque<Entry> m_entries; ///< Newest first.
};

} // namespace jetscope
