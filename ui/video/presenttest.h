// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

namespace jetscope {

class PictureView;

/// Finds out whether a surface's GL colours reach the screen: shows a known colour and reads a screen pixel back, where
/// the platform lets a program read the screen.
class PresentTest : public QObject {
    Q_OBJECT
public:
    enum class Outcome { Passed, Failed, Impossible };

    /// The surface must outlive the test.
    explicit PresentTest(PictureView &surface, QObject *parent = nullptr);
    ~PresentTest() override;
    void start();

    /// Whether programs may read the screen here.
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
