// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace jetscope {

class AdviceLine;
class ElidingButton;
class FiguresBar;
struct Verdict;
struct WindowActions;

/// Source, play controls, device and live figures, with the verdict under them.
class TopBar : public QWidget {
    Q_OBJECT
public:
    TopBar(const WindowActions &actions, QMenu *programMenu, QMenu *sourceMenu, QMenu *deviceMenu,
           QWidget *parent = nullptr);

    void setSource(const QString &description);
    /// More about the source, for its tooltip.
    void setSourceDetails(const QString &details);
    void setDevice(const QString &name);
    void setVerdict(const Verdict &verdict);
    FiguresBar *figures() const { return m_figures; }
    AdviceLine *advice() const { return m_advice; }
    QString verdictText() const;

private:
    ElidingButton *menuButton(const QString &objectName, const QString &caption, QMenu *menu);
    QToolButton *actionButton(QAction *action);
    void setButtonText(ElidingButton *button, const QString &caption, const QString &text);
    QWidget *makeVerdictLine();

    ElidingButton *m_source;
    QString m_sourceText;
    QString m_sourceDetails;
    ElidingButton *m_device;
    FiguresBar *m_figures;
    AdviceLine *m_advice = nullptr;
    QLabel *m_verdict = nullptr;
};

} // namespace jetscope
