// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/viewopener.h"

#include "ui/session/session.h"
#include "ui/style/text.h"

#include <utility>

namespace jetscope {

ViewOpener::ViewOpener(Session &session, QObject *parent) : QObject(parent), m_session(session) {}

ViewOpener::~ViewOpener() = default;

void ViewOpener::openAgain()
{
    open(m_source, QString(m_path));
}

bool ViewOpener::isShown() const
{
    return m_view && m_session.trace().distant() == m_view.get();
}

QStringList ViewOpener::remarks() const
{
    QStringList remarks;
    if (m_view)
        for (const std::string &remark : m_view->news().remarks)
            remarks += toQString(remark);
    return remarks;
}

void ViewOpener::open(const ViewSource &source, const QString &path)
{
    if (!source)
        return;
    m_source = source;
    m_path = path;
    m_isOpening = true;
    emit progressed(path, 0);
    m_worker.start([this, source, path = path.toStdString()](const Worker::Reply &reply) {
        // News may come before the view is known here.
        auto view = source(path, [this, reply] { reply.post([this] { take(); }); });
        reply.post([this, view] {
            if (!view) {
                m_isOpening = false;
                emit failed(
                    m_path,
                    Error{"", 0, "The board is not connected any more: connect it, and open the capture again"});
                return;
            }
            m_view = view;
            take();
        });
    });
}

void ViewOpener::take()
{
    if (!m_view)
        return;
    if (isShown()) {
        m_session.takeDistant();
        emit changed();
        return;
    }
    if (!m_isOpening)
        return; // Something else is shown.
    const RemoteView::News news = m_view->news();
    if (news.error) {
        m_isOpening = false;
        emit failed(m_path, *news.error);
    } else if (std::optional<Trace> trace = m_view->takeTrace()) {
        m_isOpening = false;
        m_session.showTrace(std::move(*trace), std::nullopt);
        emit shown();
    } else {
        emit progressed(m_path, news.fraction);
    }
}

} // namespace jetscope
