// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace jetscope::test {

struct TegrastatsSample {
    const char *name;
    std::string_view line;
};

/// Lines of tegrastats as published for each release, and one composed after the grammar of JetPack 7.
inline constexpr std::array kTegrastatsSamples = {
    TegrastatsSample{
        "Nano, L4T 32.7",
        "RAM 1923/3964MB (lfb 2x2MB) SWAP 191/1982MB (cached 6MB) IRAM 0/252kB(lfb 252kB) CPU "
        "[5%@1224,4%@1224,3%@1224,6%@1224] EMC_FREQ 0%@1600 GR3D_FREQ 0%@76 APE 25 PLL@37C CPU@40C PMIC@50C GPU@40C "
        "AO@45C thermal@40C POM_5V_IN 1750/1628 POM_5V_GPU 0/0 POM_5V_CPU 366/406"},
    TegrastatsSample{
        "TX2, L4T 32",
        "RAM 1873/3830MB (lfb 144x4MB) CPU [8%@2016,26%@2034,24%@2035,7%@2026,7%@2034,6%@2034] EMC_FREQ 0%@1600 "
        "GR3D_FREQ 0%@114 APE 150 MTS fg 0% bg 1% PLL@39C MCPU@39C PMIC@50C Tboard@35C GPU@37C BCPU@39C "
        "thermal@38.5C Tdiode@37C VDD_SYS_GPU 77/77 VDD_SYS_SOC 539/539 VDD_IN 2930/3405 VDD_SYS_CPU 539/937 "
        "VDD_SYS_DDR 727/758"},
    TegrastatsSample{"Xavier NX, L4T 35",
                     "RAM 2690/6854MB (lfb 6x1MB) SWAP 479/3427MB (cached 3MB) CPU "
                     "[3%@1904,7%@1906,1%@1905,0%@1907,off,off] EMC_FREQ 0%@1600 GR3D_FREQ 0%@[510] VIC_FREQ 601 APE "
                     "150 AUX@39C CPU@39.5C AO@37.5C GPU@37.5C PMIC@50C VDD_IN 5079mW/5079mW VDD_CPU_GPU_CV "
                     "696mW/696mW VDD_SOC 1104mW/1104mW"},
    TegrastatsSample{
        "AGX Orin, L4T 35",
        "04-24-2023 00:01:24 RAM 1282/62795MB (lfb 15152x4MB) SWAP 0/31398MB (cached 0MB) CPU "
        "[0%@729,0%@729,0%@729,0%@729,0%@729,0%@729,0%@729,0%@729,0%@729,0%@729,0%@729,0%@729] EMC_FREQ 0%@2133 "
        "GR3D_FREQ 0%@0 GR3D2_FREQ 0%@0 VIC_FREQ 729 APE 174 CV0@-256C CPU@42.593C Tboard@32C SOC2@39.343C "
        "Tdiode@33.25C SOC0@39.375C CV1@-256C GPU@-256C tj@42.593C SOC1@40.468C CV2@-256C VDD_GPU_SOC 2399mW/2399mW "
        "VDD_CPU_CV 400mW/400mW VIN_SYS_5V0 4032mW/4032mW NC 0mW/0mW VDDQ_VDD2_1V8AO 301mW/301mW NC 0mW/0mW"},
    TegrastatsSample{
        "Orin Nano, L4T 36",
        "11-30-2025 13:26:01 RAM 2461/7620MB (lfb 3x2MB) SWAP 1243/3810MB (cached 5MB) CPU "
        "[19%@729,14%@729,22%@729,8%@729,15%@729,17%@729] EMC_FREQ 4%@2133 GR3D_FREQ 0%@[305] NVDEC off NVJPG off "
        "NVJPG1 off VIC off OFA off APE 200 cpu@46.531C soc2@47.312C soc0@46.593C gpu@48.218C tj@48.843C "
        "soc1@48.843C VDD_IN 5704mW/5704mW VDD_CPU_GPU_CV 831mW/831mW VDD_SOC 1624mW/1624mW"},
    TegrastatsSample{"Thor, JetPack 7, after the grammar",
                     "09-12-2026 10:00:00 RAM 5021/125772MB (lfb 9x4MB) SWAP 0/62886MB (cached 0MB) CPU "
                     "[1%@972,0%@972,off,2%@1200]@1200 EMC_FREQ 1%@4266 GR3D_FREQ @[1575,1574,1573] NVENC0_FREQ @1125 "
                     "NVDEC0_FREQ off VIC_FREQ off APE 300 cpu@41.5C/43C gpu@40.25C/44.5C tj@43C/45C soc012@40C/41C "
                     "VDD_GPU 3200mW/3100mW/9000mW VDD_CPU_SOC_MSS 7000mW/6900mW/8000mW VIN 21000mW/20500mW/30000mW"},
};

} // namespace jetscope::test
