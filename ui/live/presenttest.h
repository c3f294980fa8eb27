// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

namespace jetscope {

class PictureView;

/// Self-test: shows a known colour on a surface and reads a screen pixel back, on platforms that allow reading the
/// screen.
class PresentTest : public QObject {
    Q_OBJECT
public:
    enum class Outcome { Passed, Failed, Impossible };

    /// The surface must outlive the test.
    explicit PresentTest(PictureView &surface, QObject *parent = nullptr);
    ~PresentTest() override;
    void start();

    /// Whether the platform allows programs to read the screen.
    static bool isPossible();

signals:
    void finished(jetscope::PresentTest::Outcome outcome);

private:
    void look();
    void finish(Outcome outcome);

    PictureView &m_surface;
    QTimer m_timer;
    int m_looks = 0;
};

} // namespace jetscope
