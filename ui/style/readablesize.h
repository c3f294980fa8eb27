// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QWidget;

namespace jetscope {

/// Keeps a window so large that no wrapped text in it is cut: Qt's own minimum size of a window with a layout leaves
/// out that such texts need more height the narrower they are. Belongs to the window.
class ReadableSize : public QObject {
public:
    /// The window has its layout; it becomes no narrower than a line that is still read well.
    explicit ReadableSize(QWidget &window);

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void update();

    QWidget &m_window;
};

} // namespace jetscope
