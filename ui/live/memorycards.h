// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/choicegroup.h"

#include <map>

class QLabel;

namespace jetscope {

/// One card per memory kind, with badges for the caches of the device in use (documentedCaching).
class MemoryCards : public ChoiceGroup {
    Q_OBJECT
public:
    explicit MemoryCards(QWidget *parent = nullptr);
    void setFacts(const DeviceFacts &facts);

protected:
    QString remark(int id) const override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitBadges();

    struct Badges {
        QLabel *cpu = nullptr;
        QLabel *gpu = nullptr;
    };
    std::map<int, Badges> m_badges;
    bool m_isKnown = false; ///< The device is.
};

} // namespace jetscope
