// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/camerasreport.h"
#include "ui/live/camerawatch.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QMenu;
class QPushButton;
class QTreeWidget;

namespace jetscope {

class Session;
class SkewView;
class TitleLine;
struct OpenCamera;

/// Several cameras: which are open at once, which of them drives the pipeline, and whether they see the same moment.
/// UI thread; the session outlives it.
class CamerasPage : public QWidget {
    Q_OBJECT
public:
    /// `cameras` lists those of the machine that the pipeline runs on, and outlives this.
    CamerasPage(Session &session, const CameraWatch &cameras, QWidget *parent = nullptr);

    /// The addresses in the list; those that are open, until one is added or removed.
    const QStringList &wanted() const { return m_wanted; }
    void add(const QString &address);
    void remove(int row);
    /// Opens those in the list together.
    void openWanted();
    /// Lets an open camera drive the pipeline.
    void drive(int row);
    /// As if this was measured.
    void show(const CamerasReport &report, int driving);

    QTreeWidget *list() const { return m_list; }
    SkewView *skew() const { return m_skew; }
    QString verdictText() const;
    /// In a word or two: "8.1 ms".
    QString result() const { return m_result; }

signals:
    void resultChanged();
    void sourceWanted(const QString &address);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeTools();
    void fillMenu();
    void askForAddress();
    void say(const QString &trouble);
    void followSource();
    void refresh();
    void showRows(const CamerasReport *report, int driving, const std::vector<OpenCamera> &open);
    void showVerdict(const CamerasReport *report);
    void allowTools();
    QString whyNothing() const;
    bool areOpen() const { return m_wanted == m_open && m_open.size() > 1; }

    Session &m_session;
    const CameraWatch &m_cameras;
    QStringList m_wanted;
    QStringList m_open; ///< Addresses of the sources that are open.
    int m_driving = 0;
    QString m_source; ///< The address that m_open is of.
    QTimer m_timer;
    QString m_result;
    QString m_trouble; ///< Why an address was not taken; empty if it was.

    TitleLine *m_head;
    QMenu *m_menu;
    QPushButton *m_add;
    QPushButton *m_remove;
    QPushButton *m_openAll;
    QPushButton *m_drive;
    QTreeWidget *m_list;
    SkewView *m_skew;
    QLabel *m_notes;
};

} // namespace jetscope
