// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"

#include <QList>
#include <QString>

namespace jetscope {

class Settings;

/// Choices that the user keeps by name. Code of the user in the filter chain is not kept: it is never loaded unasked.
/// UI thread; the settings outlive it.
class Presets {
public:
    struct Preset {
        QString name;
        PipelineConfig config;
    };

    explicit Presets(Settings &settings) : m_settings(settings) {}

    /// In the order of their names. Values that this version does not have keep their defaults.
    QList<Preset> all() const;
    /// Replaces one of the same name. Line ends in the name become blanks.
    void keep(const QString &name, const PipelineConfig &config);
    void remove(const QString &name);

private:
    void save(const QList<Preset> &presets);

    Settings &m_settings;
};

} // namespace jetscope
