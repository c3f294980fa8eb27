// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/sweepreader.h"

#include "ui/style/text.h"

#include <QFileInfo>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kLookEveryMs = 500;

} // namespace

SweepReader::SweepReader(QObject *parent) : QObject(parent)
{
    m_timer.setInterval(kLookEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &SweepReader::lookAgain);
}

SweepReader::Stamp SweepReader::stampOf(const QString &path)
{
    const QFileInfo file(path);
    if (!file.exists())
        return {};
    const QFileInfo log(path + QStringLiteral("-wal"));
    return {file.size() + log.size(), std::max(file.lastModified(), log.exists() ? log.lastModified() : QDateTime())};
}

void SweepReader::open(const QString &path, std::optional<Figure> metric)
{
    m_path = path;
    m_metric = metric;
    readAgain();
}

void SweepReader::take(const QString &path, std::optional<Figure> metric)
{
    m_path = path;
    m_metric = metric;
    m_stamp = stampOf(path);
}

void SweepReader::setMetric(Figure metric)
{
    m_metric = metric;
    if (!m_path.isEmpty())
        readAgain();
}

void SweepReader::setFollowing(bool follows)
{
    follows ? m_timer.start() : m_timer.stop();
}

void SweepReader::lookAgain()
{
    const Stamp now = stampOf(m_path);
    if (now.sizes > 0 && !(now == m_stamp))
        readAgain();
}

void SweepReader::readAgain()
{
    if (m_reading) {
        m_stale = true;
        return;
    }
    m_reading = true;
    m_stale = false;
    m_stamp = stampOf(m_path); // Before the file is read: what is written meanwhile is read next time.
    m_thread.start([this, path = m_path, metric = m_metric](const Worker::Reply &reply) {
        auto result = std::make_shared<Result<SweepReport>>(readSweepReport(path.toStdString(), metric));
        reply.post([this, path, result] { finished(path, result); });
    });
}

void SweepReader::finished(const QString &path, const std::shared_ptr<Result<SweepReport>> &result)
{
    m_reading = false;
    const bool isPresent = path == m_path;
    if (m_stale)
        readAgain();
    if (!isPresent)
        return;
    if (result->ok())
        emit read(std::make_shared<const SweepReport>(std::move(*result).value()));
    else
        emit failed(toQString(result->error().message()));
}

} // namespace jetscope
