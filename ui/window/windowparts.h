// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/pipelinehost.h"
#include "gpu/remote/sessionrequest.h"
#include "ui/files/fileplaces.h"
#include "ui/live/videoview.h"
#include "ui/remote/boardconnector.h"

#include <functional>
#include <memory>
#include <string>

namespace jetscope {

/// Dependencies of the window; tests replace them.
struct WindowParts {
    std::shared_ptr<PipelineHost> host;                   ///< This machine.
    BoardConnector connectBoard;                          ///< Null: boards cannot be reached.
    QString sshConfig;                                    ///< Its hosts are offered; empty: none.
    SourceOpener openSource;                              ///< For previews of cameras.
    std::function<std::shared_ptr<EglDisplay>()> display; ///< Null while there is no pipeline.
    VideoParts video;
    std::string hostFiles = "/"; ///< Below it are the kernel's files for the page of the board; empty: not read.
    FileDialogs dialogs;         ///< Null functions: the default dialogs.
    QString program;             ///< What measures sweeps and examines the machine; empty: this program.
    std::function<bool(const SessionRequest &)> relaunch; ///< Starts a new process and ends this one; false on failure.
};

} // namespace jetscope
