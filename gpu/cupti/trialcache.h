// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/filecache.h"
#include "gpu/cupti/cuptitrial.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// Outcomes of trials of CUPTI in the user's cache folder, for commands that would otherwise try at each start. An
/// outcome holds for the driver, the libraries, the GPUs, the user and the permissions that it was found with; one that
/// refuses CUPTI for a day only, because its reason may have gone.
class TrialCache {
public:
    /// Looks at what decides a trial on this machine.
    explicit TrialCache(int ordinal);

    std::optional<CuptiOutcome> find() const;
    /// `seconds`: when it was found, since 1970.
    void store(const CuptiOutcome &outcome, std::int64_t seconds) const;

private:
    FileCache m_files;
    std::string m_identity;
};

} // namespace jetscope
