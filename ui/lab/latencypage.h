// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencyreport.h"
#include "ui/live/camerawatch.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace jetscope {

class ClockView;
class LatencyChart;
class LatencyFeed;
class SeenClock;
class Session;
class ShownLog;
class TitleLine;
class WaterfallView;
struct ClockSeen;
struct PipelineUpdate;

/// Glass to glass: the clock, what the camera of the live pipeline sees of it, and how long its frames are on their
/// way. It measures while it is visible. UI thread; the session outlives it.
class LatencyPage : public QWidget {
    Q_OBJECT
public:
    /// `cameras` lists those of the machine that the pipeline runs on, and outlives this.
    LatencyPage(Session &session, const CameraWatch &cameras, QWidget *parent = nullptr);
    ~LatencyPage() override;

    void setMeasuring(bool on);
    bool isMeasuring() const { return m_measures; }
    /// As if this was measured.
    void show(const LatencyMeter &meter, const ClockSeen &seen);
    /// What was measured until now is forgotten.
    void restart();
    /// What was measured; nothing was while its counts are 0.
    LatencyReport report() const;
    /// Shows the clock on a whole screen until a key is pressed; it measures, too.
    void showFullScreen(QScreen *screen);
    ClockView *fullScreenClock() const { return m_fullScreen; }

    ClockView *clock() const { return m_clock; }
    WaterfallView *waterfall() const { return m_waterfall; }
    LatencyChart *chart() const { return m_chart; }
    QTableWidget *parts() const { return m_parts; }
    QComboBox *screens() const { return m_screens; }
    QComboBox *cameras() const { return m_camera; }
    QString verdictText() const;
    QString hint() const;
    const LatencyMeter *meter() const;
    /// In a word or two: "61.4 ms".
    QString result() const;

signals:
    void resultChanged();
    void sourceWanted(const QString &address);
    void reportWanted();
    void frameWanted(const jetscope::FrameLatency &frame); ///< On the timeline.

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeTop();
    QWidget *makeBottom();
    QWidget *makeTools();
    QWidget *makeChoices();
    void fillScreens();
    void fillCameras();
    void showRange();
    void connectSession();
    void watch();
    void unwatch();
    void take(const PipelineUpdate &update);
    void refresh();
    void showFigures(const LatencyMeter &meter);
    QString whyNothing() const;
    QString sightWords() const;
    static QString seenWords(const ClockSeen &seen);

    Session &m_session;
    const CameraWatch &m_cameras;
    std::shared_ptr<ShownLog> m_log;
    std::unique_ptr<LatencyFeed> m_feed; ///< Null while nothing is watched.
    std::string m_source;                ///< That the feed is of.
    bool m_measures = false;
    QTimer m_timer;
    QString m_result;

    TitleLine *m_head;
    QWidget *m_top = nullptr; ///< With the pictures.
    ClockView *m_clock;
    ClockView *m_fullScreen = nullptr; ///< Null if there is none.
    SeenClock *m_seen;
    QLabel *m_clockText;
    QLabel *m_seenText;
    QLabel *m_number;
    QLabel *m_more;
    LatencyChart *m_chart;
    WaterfallView *m_waterfall;
    QComboBox *m_order;
    QTableWidget *m_parts;
    QPushButton *m_start;
    QPushButton *m_report;
    QPushButton *m_range; ///< Says which latencies are listed; lists all.
    QComboBox *m_screens;
    QComboBox *m_camera;
};

} // namespace jetscope
