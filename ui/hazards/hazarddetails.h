// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "core/settings/pipelineconfig.h"
#include "ui/hazards/foundhazards.h"

#include <QWidget>

#include <QString>
#include <optional>

class QBoxLayout;
class QGridLayout;
class QPushButton;

namespace jetscope {

/// Choices that remove a hazard.
struct HazardRemedy {
    QString label; ///< "Use EGLSync"
    PipelineConfig config;
};

/// None if the present choices do not cause the hazard.
std::optional<HazardRemedy> remedyFor(RuleId rule, const PipelineConfig &config, const DeviceFacts &facts);

class HazardPicture;

/// An unfolded row: the picture of both accesses, the rule, the memory, the fix and the document.
class HazardDetails : public QWidget {
    Q_OBJECT
public:
    explicit HazardDetails(const FoundHazard &hazard, QWidget *parent = nullptr);

    /// Places the picture beside or above the texts and returns the size that all need.
    QSize fitWidth(int width);
    QSize sizeHint() const override { return m_fitted; }
    /// The button of the fix; none if no choice of the pipeline is one.
    void setRemedy(const std::optional<HazardRemedy> &remedy);
    /// The focus order of the buttons begins after `widget`.
    void focusAfter(QWidget *widget);

signals:
    void remedyWanted(const jetscope::PipelineConfig &config);
    void frameWanted();
    void changed(); ///< It needs another size, for example in another font.

protected:
    bool event(QEvent *event) override;

private:
    void addText(const QString &name, const QString &text);
    void addTexts(const FoundHazard &hazard);

    QBoxLayout *m_columns;
    QGridLayout *m_texts;
    HazardPicture *m_picture = nullptr; ///< Null if no access is known.
    QPushButton *m_apply;
    QPushButton *m_show;
    PipelineConfig m_config; ///< Of the remedy.
    QSize m_fitted;
};

} // namespace jetscope
