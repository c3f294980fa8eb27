// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCache>
#include <QPixmap>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace jetscope {

class Trace;
class TraceSelection;

/// The pictures that are kept in a trace, one beside the other, with the nearest to the selected frame in the middle. A
/// click selects the frame of a picture, arrows and the wheel go on. Trace and selection must outlive it. UI thread.
class FilmStrip : public QWidget {
    Q_OBJECT
public:
    static constexpr int kHeight = 104;

    FilmStrip(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);
    /// The trace was replaced.
    void refresh();
    bool isEmpty() const;
    /// What is said of the picture of the selection, or of the newest.
    QString caption() const;
    /// Index among the pictures; empty beside them.
    std::optional<std::size_t> pictureAt(int x) const;

    QSize sizeHint() const override { return {400, kHeight}; }
    QSize minimumSizeHint() const override { return {100, kHeight}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    std::size_t middle() const;
    int slotWidth() const;
    int leftOf(std::size_t picture) const;
    void choose(std::size_t picture);
    void step(int by);
    QPixmap picture(std::size_t index) const;

    const Trace &m_trace;
    TraceSelection &m_selection;
    mutable QCache<std::size_t, QPixmap> m_decoded;
    int m_width = 0; ///< Of a picture.
};

} // namespace jetscope
