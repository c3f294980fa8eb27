// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <vector>

namespace jetscope {

/// Of the tabs of a panel: what they cannot show then is cut.
inline constexpr int kLeastPanelWidth = 180;

/// A part of a whole.
struct SharePart {
    QString name;
    QColor fill;
    QColor text;
    std::int64_t ns = 0;
    bool hatched = false;
};

/// One bar divided into the parts of a time, labelled where they fit. Above it, what the whole is.
class ShareBar : public QWidget {
    Q_OBJECT
public:
    explicit ShareBar(const QString &title, QWidget *parent = nullptr);
    void setTitle(const QString &title);
    /// The parts are of `wholeNs`.
    void show(std::vector<SharePart> parts, std::int64_t wholeNs);
    const std::vector<SharePart> &parts() const { return m_parts; }
    /// What is at a place: "kernel blur: 3.1 ms, 62 %". Empty beside all parts.
    QString textAt(int x) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRect bar() const;
    QRect rectOf(std::int64_t fromNs, std::int64_t ns) const;

    QString m_title;
    std::vector<SharePart> m_parts;
    std::int64_t m_wholeNs = 0;
};

/// "26.3 %": with a tenth, so that the rows of a list add up to 100.
QString shareText(std::int64_t ns, std::int64_t wholeNs);

} // namespace jetscope
