// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/shortenedlabel.h"

class QTabWidget;

namespace jetscope {

/// A line of text right of the tabs. It uses the room beside them, and is hidden if that is too narrow.
class TabSummary : public ShortenedLabel {
    Q_OBJECT
public:
    explicit TabSummary(QTabWidget *tabs);
    /// Shown whole in the tooltip, too.
    void setText(const QString &text)
    {
        ShortenedLabel::setText(text);
        setToolTip(text);
    }
    void setWanted(bool wanted);
    QSize sizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fit();

    QTabWidget *m_tabs;
    int m_room = 0;
    bool m_wanted = true;
};

} // namespace jetscope
