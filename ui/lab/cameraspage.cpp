// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/cameraspage.h"

#include "gpu/sources/severaladdress.h"
#include "ui/lab/skewview.h"
#include "ui/session/session.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"
#include "ui/style/titleline.h"

#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kCamerasRefreshMs = 500;
/// Enough for a drift, and few enough for the UI thread.
constexpr std::size_t kComparedFrames = 900;

enum CameraColumn { CameraName, CameraDrives, CameraFrames, CameraMissing = 8 };

QString millisOff(double ms)
{
    return CamerasPage::tr("%1%2 ms").arg(ms > 0 ? QStringLiteral("+") : QString()).arg(ms, 0, 'f', 2);
}

} // namespace

CamerasPage::CamerasPage(Session &session, const CameraWatch &cameras, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_cameras(cameras),
      m_head(new TitleLine),
      m_menu(new QMenu(this)),
      m_add(new QPushButton(tr("Add"))),
      m_remove(new QPushButton(tr("Remove"))),
      m_openAll(new QPushButton),
      m_drive(new QPushButton(tr("Let it drive"))),
      m_list(new QTreeWidget),
      m_skew(new SkewView),
      m_notes(new QLabel)
{
    setObjectName(QStringLiteral("camerasPage"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 6);
    column->addWidget(m_head);
    column->addWidget(makeTools());
    m_list->setObjectName(QStringLiteral("cameraList"));
    m_list->setAccessibleName(tr("Cameras"));
    m_list->setHeaderLabels({tr("camera"), tr("pipeline"), tr("frames"), tr("period"), tr("stamps off"),
                             tr("arrive off"), tr("age"), tr("drift"), tr("missing")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setToolTip(tr("Enter or a double click lets a camera drive the pipeline"));
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(CameraName, QHeaderView::Stretch);
    column->addWidget(m_list, 2);
    column->addWidget(m_skew, 3);
    m_notes->setWordWrap(true);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setProperty("caption", true);
    m_notes->setContentsMargins(10, 0, 10, 6);
    column->addWidget(m_notes);
    connect(m_list, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem *item) { drive(m_list->indexOfTopLevelItem(item)); });
    connect(m_list, &QTreeWidget::currentItemChanged, this, &CamerasPage::allowTools);
    connect(&session, &Session::statusChanged, this, &CamerasPage::followSource);
    connect(&session, &Session::opened, this, &CamerasPage::followSource);
    m_timer.setInterval(kCamerasRefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &CamerasPage::refresh);
    followSource();
}

QWidget *CamerasPage::makeTools()
{
    auto *tools = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(tools, 8);
    row->setContentsMargins(10, 4, 10, 4);
    m_add->setObjectName(QStringLiteral("addCamera"));
    m_add->setMenu(m_menu);
    m_add->setToolTip(tr("Adds a source to the list below; it is opened with the others"));
    connect(m_menu, &QMenu::aboutToShow, this, &CamerasPage::fillMenu);
    m_remove->setObjectName(QStringLiteral("removeCamera"));
    m_remove->setToolTip(tr("Takes the chosen source out of the list (Delete)"));
    auto *removes = new QShortcut(QKeySequence::Delete, m_list, nullptr, nullptr, Qt::WidgetShortcut);
    connect(removes, &QShortcut::activated, m_remove, &QPushButton::click);
    connect(m_remove, &QPushButton::clicked, this,
            [this] { remove(m_list->indexOfTopLevelItem(m_list->currentItem())); });
    m_openAll->setObjectName(QStringLiteral("openCameras"));
    connect(m_openAll, &QPushButton::clicked, this, &CamerasPage::openWanted);
    m_drive->setObjectName(QStringLiteral("driveCamera"));
    m_drive->setToolTip(tr("Frames of the chosen camera go through the pipeline from now on; the others go on being "
                           "recorded"));
    connect(m_drive, &QPushButton::clicked, this,
            [this] { drive(m_list->indexOfTopLevelItem(m_list->currentItem())); });
    for (QWidget *each : {m_add, m_remove, m_openAll, m_drive})
        row->addWidget(each);
    row->addStretch(1);
    return tools;
}

void CamerasPage::fillMenu()
{
    m_menu->clear();
    for (const CameraInfo &camera : m_cameras.cameras()) {
        QAction *action = m_menu->addAction(tr("%1 · %2").arg(toQString(camera.name), toQString(camera.path)), this,
                                            [this, uri = toQString(camera.uri)] { add(uri); });
        action->setEnabled(camera.usable.available);
        action->setToolTip(toQString(camera.usable.reason));
    }
    if (m_cameras.cameras().empty())
        m_menu->addAction(tr("No camera is connected"))->setEnabled(false);
    m_menu->addSeparator();
    m_menu->addAction(tr("Test card"), this, [this] { add(QStringLiteral("synthetic:?size=640x360&fps=30")); });
    m_menu->addAction(tr("Clock as a camera would see it"), this,
                      [this] { add(QStringLiteral("pattern:?size=640x360&fps=30")); });
    m_menu->addAction(tr("Another address…"), this, &CamerasPage::askForAddress);
}

void CamerasPage::askForAddress()
{
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Add a camera"));
    dialog->setLabelText(tr("v4l2:/dev/video0, rtsp://HOST/PATH, http://HOST/PATH, csi:0 or a file"));
    connect(dialog, &QInputDialog::textValueSelected, this, &CamerasPage::add);
    dialog->open();
}

void CamerasPage::add(const QString &address)
{
    const QString text = address.trimmed();
    if (text.isEmpty() || m_wanted.size() >= static_cast<int>(SeveralAddress::kMost))
        return;
    if (const Status checked = checkSourceUri(text.toStdString()); !checked.ok())
        return say(toQString(checked.error().message()));
    m_wanted.append(text);
    m_trouble.clear();
    refresh();
    m_list->setCurrentItem(m_list->topLevelItem(m_list->topLevelItemCount() - 1));
}

/// Until the list changes.
void CamerasPage::say(const QString &trouble)
{
    m_trouble = trouble;
    refresh();
}

void CamerasPage::remove(int row)
{
    if (row < 0 || row >= m_wanted.size())
        return;
    m_wanted.removeAt(row);
    m_trouble.clear();
    refresh();
}

void CamerasPage::openWanted()
{
    SeveralAddress address;
    for (const QString &each : m_wanted)
        address.sources.push_back(each.toStdString());
    if (address.sources.size() >= SeveralAddress::kFewest)
        emit sourceWanted(toQString(address.text()));
}

void CamerasPage::drive(int row)
{
    if (row < 0 || row >= m_wanted.size() || !areOpen() || row == m_driving)
        return;
    SeveralAddress address;
    for (const QString &each : m_wanted)
        address.sources.push_back(each.toStdString());
    address.drives = static_cast<std::size_t>(row);
    emit sourceWanted(toQString(address.text()));
}

/// A list that was not changed is that of what is open.
void CamerasPage::followSource()
{
    const bool isOpen = m_session.phase() == Session::Phase::Open;
    const QString source = isOpen ? toQString(m_session.status().source.uri) : QString();
    if (source == m_source)
        return;
    const bool isOurs = m_wanted == m_open;
    m_source = source;
    m_open.clear();
    m_driving = 0;
    if (const std::optional<SeveralAddress> several = severalIn(source.toStdString())) {
        for (const std::string &each : several->sources)
            m_open.append(toQString(each));
        m_driving = static_cast<int>(several->drives);
    } else if (!source.isEmpty()) {
        m_open.append(source);
    }
    if (isOurs)
        m_wanted = m_open;
    refresh();
}

void CamerasPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
    m_timer.start();
}

void CamerasPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_timer.stop();
}

QString CamerasPage::verdictText() const
{
    return m_head->verdictText();
}

void CamerasPage::refresh()
{
    const FramePort *port = m_session.pipeline() ? m_session.pipeline()->framePort() : nullptr;
    const std::vector<OpenCamera> open = areOpen() && port ? port->cameras() : std::vector<OpenCamera>();
    std::optional<CamerasReport> report;
    if (isVisible() && open.size() == static_cast<std::size_t>(m_wanted.size())) {
        std::vector<std::shared_ptr<const CameraLog>> logs;
        for (const OpenCamera &camera : open)
            logs.push_back(camera.log);
        report = camerasReportOf(logs, kComparedFrames);
        for (std::size_t i = 0; i < open.size(); ++i)
            report->cameras[i].trouble = open[i].trouble;
    }
    showRows(report ? &*report : nullptr, areOpen() ? m_driving : -1, open);
    showVerdict(report ? &*report : nullptr);
    allowTools();
}

void CamerasPage::show(const CamerasReport &report, int driving)
{
    m_timer.stop(); // It would be replaced by what is measured now.
    m_wanted.clear();
    for (const StampReport &camera : report.cameras)
        m_wanted.append(toQString(camera.source));
    m_open = m_wanted;
    m_driving = driving;
    showRows(&report, driving, {});
    showVerdict(&report);
    allowTools();
}

void CamerasPage::showRows(const CamerasReport *report, int driving, const std::vector<OpenCamera> &open)
{
    while (m_list->topLevelItemCount() > m_wanted.size())
        delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    for (int row = 0; row < m_wanted.size(); ++row) {
        const auto place = static_cast<std::size_t>(row);
        QTreeWidgetItem *item = m_list->topLevelItem(row);
        if (!item) {
            item = new QTreeWidgetItem(m_list);
            for (int each = CameraFrames; each <= CameraMissing; ++each)
                item->setTextAlignment(each, Qt::AlignRight | Qt::AlignVCenter);
        }
        item->setText(CameraName, tr("%1 · %2").arg(row + 1).arg(m_wanted[row]));
        item->setToolTip(CameraName, place < open.size() ? toQString(open[place].description) : m_wanted[row]);
        item->setText(CameraDrives, row == driving ? tr("● drives it") : areOpen() ? tr("recorded") : tr("not open"));
        QStringList cells(CameraMissing - CameraFrames + 1, QString());
        if (report) {
            const CameraFinding &found = report->skew.cameras[place];
            cells = {QStringLiteral("%L1").arg(found.frames),
                     millisText(found.periodMs),
                     report->skew.groups > 0 ? millisOff(found.skewMs) : QString(),
                     report->skew.groups > 0 ? millisOff(found.arrivalSkewMs) : QString(),
                     millisText(found.ageMs),
                     found.driftPpm
                         ? tr("%1 ± %2 ppm").arg(*found.driftPpm, 0, 'f', 0).arg(found.driftBoundPpm, 0, 'f', 0)
                         : QString(),
                     QStringLiteral("%L1").arg(report->lost[place].sum())};
        }
        for (int each = 0; each < cells.size(); ++each)
            item->setText(CameraFrames + each, cells[each]);
    }
    if (!m_list->currentItem() && m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(0));
}

/// Why nothing is compared, with what to do; empty if something is.
QString CamerasPage::whyNothing() const
{
    if (!areOpen() && m_wanted.size() > 1)
        return tr("These are not open yet: open them together.");
    if (m_session.phase() != Session::Phase::Open && m_wanted.isEmpty())
        return tr("There is no pipeline: add two cameras or more, and open them together.");
    if (m_wanted.size() <= 1)
        return tr("One camera says nothing of others: add another one, then open them together.");
    if (m_session.pipeline() && !m_session.pipeline()->framePort())
        return tr("The frames of a board are not here: compare its cameras with jetscope run --host BOARD, or with the "
                  "window on the board.");
    return {};
}

void CamerasPage::showVerdict(const CamerasReport *report)
{
    QStringList names;
    QStringList notes;
    if (!m_trouble.isEmpty())
        notes.append(m_trouble);
    for (int row = 0; row < m_wanted.size(); ++row)
        names.append(tr("%1 · %2").arg(row + 1).arg(m_wanted[row]));
    QString result;
    if (report) {
        const SkewFinding &skew = report->skew;
        m_head->setTitle(tr("Several cameras"), tr("%L1 moments of which each camera has a frame").arg(skew.groups));
        m_head->setWarning(toQString(skew.verdict), skew.culprit.has_value());
        if (!report->trouble.empty())
            notes.append(toQString(report->trouble));
        for (std::size_t i = 0; i < report->cameras.size(); ++i) {
            const QString name = names[static_cast<int>(i)];
            for (const std::string &conflict : report->cameras[i].finding.conflicts)
                notes.append(tr("%1: %2").arg(name, toQString(conflict)));
            if (!report->cameras[i].trouble.empty())
                notes.append(tr("%1: %2").arg(name, toQString(report->cameras[i].trouble)));
            if (report->lost[i].sum() > 0)
                notes.append(tr("%1 misses: %2").arg(name, toQString(lossText(report->lost[i]))));
        }
        result = skew.groups > 0 ? millisText(skew.skewMs) : QString();
        m_skew->show(skew, names);
    } else {
        m_head->setTitle(tr("Several cameras"), tr("2 to 8 at once, one of which drives the pipeline"));
        m_head->setWarning(whyNothing(), false);
        m_skew->show({}, {});
    }
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
    if (result != m_result) {
        m_result = result;
        emit resultChanged();
    }
}

void CamerasPage::allowTools()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    m_add->setEnabled(m_wanted.size() < static_cast<int>(SeveralAddress::kMost));
    m_remove->setEnabled(row >= 0);
    m_drive->setEnabled(areOpen() && row >= 0 && row != m_driving);
    m_openAll->setText(tr("Open together"));
    m_openAll->setEnabled(m_wanted.size() > 1 && !areOpen());
    m_openAll->setToolTip(m_wanted.size() < 2 ? tr("Add another camera first")
                              : areOpen()     ? tr("They are open")
                                              : tr("Opens them at once, each with a thread and a lane of its own"));
}

} // namespace jetscope
