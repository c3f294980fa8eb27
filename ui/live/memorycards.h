// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/choicegroup.h"

#include <map>
#include <set>

class QLabel;
class QPushButton;

namespace jetscope {

/// One card per memory kind, with badges for the caches of the device in use (documentedCaching). Kinds that the device
/// lacks wait behind one line; the present one is always shown.
class MemoryCards : public ChoiceGroup {
    Q_OBJECT
public:
    explicit MemoryCards(QWidget *parent = nullptr);
    void setFacts(const DeviceFacts &facts);

protected:
    QString remark(int id) const override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QPushButton *makeCard(const ChoiceItem &item);
    void fitBadges();
    void showCards();

    struct Badges {
        QLabel *cpu = nullptr;
        QLabel *gpu = nullptr;
    };
    std::map<int, Badges> m_badges;
    QPushButton *m_others;   ///< Shows and hides the kinds that the device lacks.
    std::set<int> m_lacking; ///< These kinds. Of the device before, while the next one is not known.
    bool m_isKnown = false;  ///< The device is.
};

} // namespace jetscope
