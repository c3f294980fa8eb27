// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/headline.h"

#include <QStringList>

#include <cstddef>

class QMenu;

namespace jetscope {

class AdviceLine;
class ElidingButton;

/// Board, source and device of the pipeline with their menus, the verdict, and the choices to try.
class LiveHead : public HeadLine {
    Q_OBJECT
public:
    LiveHead(QMenu *sourceMenu, QMenu *deviceMenu, QWidget *parent = nullptr);

    void setSource(const QString &description);
    /// More about the source, for its tooltip.
    void setSourceDetails(const QString &details);
    /// Of several sources that are open: their names, and the one that drives the pipeline; none: there is one source.
    void setCameras(const QStringList &names, std::size_t drives);
    void setDevice(const QString &name);
    /// The board that the pipeline runs on, with more about it; empty: this machine.
    void setBoard(const QString &name, const QString &about);
    /// How the connection to the board is, in a few words and in sentences.
    void setLink(const QString &text, const QString &details, bool isTrouble);
    /// What can be done with the board.
    void setBoardMenu(QMenu *menu);
    QString source() const { return m_sourceText; }
    AdviceLine *advice() const { return m_advice; }

signals:
    void cameraChosen(std::size_t camera);

private:
    ElidingButton *menuButton(const QString &objectName, const QString &caption, QMenu *menu);
    void setButtonText(ElidingButton *button, const QString &caption, const QString &text);

    ElidingButton *m_board;
    QString m_boardName;
    QString m_boardAbout;
    ElidingButton *m_source;
    QString m_sourceText;
    QString m_sourceDetails;
    QMenu *m_cameras;
    ElidingButton *m_camera;
    QStringList m_cameraNames;
    ElidingButton *m_device;
    AdviceLine *m_advice;
};

} // namespace jetscope
