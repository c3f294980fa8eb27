// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/program.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <filesystem>

namespace jetscope::testing {

/// A folder with the program and no module.
class ProgramAlone {
public:
    ProgramAlone() : m_folder(QFileInfo(JETSCOPE_PROGRAM).path() + "/alone-XXXXXX")
    {
        std::filesystem::create_hard_link(JETSCOPE_PROGRAM, path("jetscope").toStdString());
    }

    QString path(const QString &name) const { return m_folder.filePath(name); }
    Outcome run(const QStringList &arguments, const QProcessEnvironment &environment = plainEnvironment()) const
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(path("jetscope"), arguments);
        return outcomeOf(process);
    }

private:
    QTemporaryDir m_folder;
};

} // namespace jetscope::testing
