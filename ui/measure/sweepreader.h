// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/sweepreport.h"
#include "ui/session/worker.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace jetscope {

/// Reads the file of a sweep on a thread of its own: when asked, and again whenever the file has grown. UI thread.
class SweepReader : public QObject {
    Q_OBJECT
public:
    explicit SweepReader(QObject *parent = nullptr);

    const QString &path() const { return m_path; }
    /// Reads this file now. It need not exist yet while it is followed.
    /// Without a metric it is ranked by the figure of its conditions.
    void open(const QString &path, std::optional<Figure> metric);
    /// The owner has this file read already; it is only followed from now on.
    void take(const QString &path, std::optional<Figure> metric);
    /// Reads it again, ranked by this metric.
    void setMetric(Figure metric);
    /// While followed, the file is looked at twice a second.
    void setFollowing(bool follows);
    void readAgain();

signals:
    void read(const std::shared_ptr<const jetscope::SweepReport> &report);
    void failed(const QString &error);

private:
    /// What tells that a file has changed, with the part that SQLite keeps in a file beside it.
    struct Stamp {
        qint64 sizes = -1;
        QDateTime newest;
        bool operator==(const Stamp &) const = default;
    };
    static Stamp stampOf(const QString &path);
    void lookAgain();
    void finished(const QString &path, const std::shared_ptr<Result<SweepReport>> &result);

    QString m_path;
    std::optional<Figure> m_metric;
    Stamp m_stamp; ///< Of the last read.
    bool m_reading = false;
    bool m_stale = false; ///< Another read is wanted after the present one.
    QTimer m_timer;
    Worker m_thread{"reading a sweep"};
};

} // namespace jetscope
