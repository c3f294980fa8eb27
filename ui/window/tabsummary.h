// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/shortenedlabel.h"

class QTabWidget;

namespace jetscope {

/// A line right of the tabs. It gets the room that they leave, and is not there where that is too little to read.
class TabSummary : public ShortenedLabel {
    Q_OBJECT
public:
    explicit TabSummary(QTabWidget *tabs);
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
