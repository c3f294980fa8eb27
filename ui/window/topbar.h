// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
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

/// Source, play controls, device and live figures, with the verdict below. In a narrow window source and device are
/// elided first, then the play controls show icons only, then the figures move to a second line; figures are never cut
/// off.
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

    /// Width of the narrowest arrangement, whatever the present one is.
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;

private:
    /// Contents of the first line, from wide to narrow.
    enum class Arrangement {
        Whole,        ///< Everything, with text.
        Icons,        ///< Play controls without text.
        FiguresBelow, ///< Figures in a second line.
    };
    int leastWidth(Arrangement arrangement) const;
    void arrange();
    void use(Arrangement arrangement);
    ElidingButton *menuButton(const QString &objectName, const QString &caption, QMenu *menu);
    QToolButton *actionButton(QAction *action);
    void setButtonText(ElidingButton *button, const QString &caption, const QString &text);
    QWidget *makeVerdictLine();

    ElidingButton *m_program;
    ElidingButton *m_source;
    QString m_sourceText;
    QString m_sourceDetails;
    ElidingButton *m_device;
    FiguresBar *m_figures;
    AdviceLine *m_advice = nullptr;
    QLabel *m_verdict = nullptr;
    QList<QToolButton *> m_controls;
    QHBoxLayout *m_firstLine = nullptr;
    QHBoxLayout *m_figuresLine = nullptr;
    Arrangement m_arrangement = Arrangement::Whole;
};

} // namespace jetscope
