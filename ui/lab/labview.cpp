// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labview.h"

#include "ui/lab/cameraspage.h"
#include "ui/lab/experimentspage.h"
#include "ui/lab/latencypage.h"
#include "ui/lab/losspage.h"
#include "ui/lab/probepage.h"
#include "ui/lab/stampspage.h"
#include "ui/style/layouts.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QStackedWidget>

namespace jetscope {

namespace {

constexpr int kLabListWidth = 190;
constexpr int kHeadingPixels = 10;
constexpr int kHeadingHeight = 30;
constexpr int kTitle = Qt::UserRole;    ///< Of the page, without its result.
constexpr int kPage = Qt::UserRole + 1; ///< Its index; groups have none.

} // namespace

LabView::LabView(Session &live, CameraWatch::Lister cameras, QWidget *parent)
    : QWidget(parent),
      m_cameraWatch(std::move(cameras), QStringLiteral("/dev")),
      m_list(new QListWidget),
      m_pages(new QStackedWidget),
      m_latency(new LatencyPage(live, m_cameraWatch)),
      m_losses(new LossPage(live)),
      m_stamps(new StampsPage(live)),
      m_cameras(new CamerasPage(live, m_cameraWatch)),
      m_experiments(new ExperimentsPage),
      m_probe(new ProbePage(live))
{
    setObjectName(QStringLiteral("lab"));
    auto *row = makeInnerLayout<QHBoxLayout>(this, 0);
    m_list->setObjectName(QStringLiteral("labList"));
    m_list->setAccessibleName(tr("What can be measured"));
    m_list->setFixedWidth(scaledToFont(*this, kLabListWidth));
    m_list->setFrameShape(QFrame::NoFrame);
    row->addWidget(m_list);
    row->addWidget(m_pages, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int at) {
        if (const QListWidgetItem *item = m_list->item(at); item && item->data(kPage).isValid())
            m_pages->setCurrentIndex(item->data(kPage).toInt());
        emit detailChanged();
    });
    addPage(tr("Latency"), tr("Glass to glass"), m_latency);
    connect(m_latency, &LatencyPage::resultChanged, this, [this] { setResult(m_latency, m_latency->result()); });
    addPage(tr("Latency"), tr("Missing frames"), m_losses);
    connect(m_losses, &LossPage::resultChanged, this, [this] { setResult(m_losses, m_losses->result()); });
    addPage(tr("Latency"), tr("Camera stamps"), m_stamps);
    connect(m_stamps, &StampsPage::resultChanged, this, [this] { setResult(m_stamps, m_stamps->result()); });
    addPage(tr("Cameras"), tr("Several cameras"), m_cameras);
    connect(m_cameras, &CamerasPage::resultChanged, this, [this] { setResult(m_cameras, m_cameras->result()); });
    addPage(tr("Device"), tr("Probe"), m_probe);
    connect(m_probe, &ProbePage::resultChanged, this, [this] { setResult(m_probe, m_probe->result()); });
    addPage(tr("Device"), tr("Experiments"), m_experiments);
    showPage(m_latency);
}

void LabView::addPage(const QString &group, const QString &title, QWidget *page)
{
    int at = 0;
    while (at < m_list->count() && (m_list->item(at)->data(kPage).isValid() || m_list->item(at)->text() != group))
        ++at;
    if (at == m_list->count()) {
        auto *heading = new QListWidgetItem(group, m_list);
        heading->setFlags(Qt::NoItemFlags);
        QFont font = paintedFont(m_list->font(), kHeadingPixels);
        font.setWeight(QFont::DemiBold);
        font.setCapitalization(QFont::AllUppercase);
        font.setLetterSpacing(QFont::AbsoluteSpacing, 1);
        heading->setFont(font);
        heading->setTextAlignment(Qt::AlignLeft | Qt::AlignBottom);
        heading->setSizeHint({0, scaledToFont(*m_list, kHeadingHeight)});
    }
    do
        ++at;
    while (at < m_list->count() && m_list->item(at)->data(kPage).isValid());
    auto *item = new QListWidgetItem(title);
    item->setData(kTitle, title);
    item->setData(kPage, m_pages->addWidget(page));
    m_list->insertItem(at, item);
}

void LabView::setResult(QWidget *page, const QString &result)
{
    for (int i = 0; i < m_list->count(); ++i) {
        QListWidgetItem *item = m_list->item(i);
        if (item->data(kPage).isValid() && m_pages->widget(item->data(kPage).toInt()) == page)
            item->setText(result.isEmpty() ? item->data(kTitle).toString()
                                           : tr("%1 · %2").arg(item->data(kTitle).toString(), result));
    }
}

void LabView::showPage(QWidget *page)
{
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->data(kPage).isValid() && m_pages->widget(m_list->item(i)->data(kPage).toInt()) == page)
            m_list->setCurrentRow(i);
}

QWidget *LabView::page() const
{
    return m_pages->currentWidget();
}

QString LabView::detail() const
{
    const QListWidgetItem *item = m_list->currentItem();
    return item ? item->data(kTitle).toString() : QString();
}

} // namespace jetscope
