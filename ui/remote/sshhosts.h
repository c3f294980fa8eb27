// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace jetscope {

/// The hosts that a configuration of ssh names, also in files that it includes, in their order and each once (grammar:
/// ssh_config(5)). Patterns name no host. What cannot be read has none.
QStringList sshHosts(const QString &configPath);

} // namespace jetscope
