// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/boardtree.h"

namespace jetscope::testing {

namespace {

using Files = std::vector<std::pair<QString, QByteArray>>;

// Paths and texts follow documents, not a device (boardtree.h).

QByteArray zeroTerminated(std::initializer_list<const char *> texts)
{
    QByteArray all;
    for (const char *text : texts)
        all += QByteArray(text) + '\0';
    return all;
}

QByteArray modesFile(std::initializer_list<const char *> names, int byDefault)
{
    QByteArray text = "# FAN_CONTROL: see nvfancontrol.conf\n< PARAM TYPE=FILE NAME=CPU_ONLINE >\n"
                      "CORE_0 /sys/devices/system/cpu/cpu0/online\n< PARAM TYPE=CLOCK NAME=EMC >\n";
    int id = 0;
    for (const char *name : names)
        text += "\n< POWER_MODEL ID=" + QByteArray::number(id++) + " NAME=" + name
            + " >\nCPU_ONLINE CORE_0 1\nGPU MAX_FREQ -1\nEMC MAX_FREQ 0\n";
    return text + "\n# mandatory section to configure the default power mode\n< PM_CONFIG DEFAULT="
        + QByteArray::number(byDefault) + " >\n";
}

void addPolicy(Files &files, int first, int minKhz, int nowKhz, int maxKhz)
{
    const QString policy = QString("sys/devices/system/cpu/cpufreq/policy%1/").arg(first);
    files.emplace_back(policy + "scaling_cur_freq", QByteArray::number(nowKhz) + "\n");
    files.emplace_back(policy + "scaling_min_freq", QByteArray::number(minKhz) + "\n");
    files.emplace_back(policy + "scaling_max_freq", QByteArray::number(maxKhz) + "\n");
    files.emplace_back(policy + "cpuinfo_max_freq", QByteArray::number(maxKhz) + "\n");
}

void addGpu(Files &files, const QString &device, const char *node, qint64 minHz, qint64 nowHz, qint64 maxHz)
{
    const QString folder = "sys/class/devfreq/" + device + "/";
    if (node)
        files.emplace_back(folder + "device/of_node/name", zeroTerminated({node}));
    files.emplace_back(folder + "cur_freq", QByteArray::number(nowHz) + "\n");
    files.emplace_back(folder + "min_freq", QByteArray::number(minHz) + "\n");
    files.emplace_back(folder + "max_freq", QByteArray::number(maxHz) + "\n");
}

void addZones(Files &files, std::initializer_list<std::pair<const char *, int>> zones)
{
    int number = 0;
    for (const auto &[type, milli] : zones) {
        const QString zone = QString("sys/class/thermal/thermal_zone%1/").arg(number++);
        files.emplace_back(zone + "type", QByteArray(type) + "\n");
        files.emplace_back(zone + "temp", QByteArray::number(milli) + "\n");
    }
}

void addCooling(Files &files, std::initializer_list<std::pair<const char *, int>> devices)
{
    int number = 0;
    for (const auto &[type, state] : devices) {
        const QString device = QString("sys/class/thermal/cooling_device%1/").arg(number++);
        files.emplace_back(device + "type", QByteArray(type) + "\n");
        files.emplace_back(device + "cur_state", QByteArray::number(state) + "\n");
    }
}

struct OldRail {
    const char *name;
    int milliwatts;
};
void addOldRails(Files &files, const QString &chip, std::initializer_list<OldRail> rails)
{
    const QString folder = "sys/bus/i2c/devices/" + chip + "/";
    files.emplace_back(folder + "name", "ina3221x\n");
    int number = 0;
    for (const OldRail &rail : rails) {
        const QString index = QString::number(number++);
        files.emplace_back(folder + "iio:device0/rail_name_" + index, QByteArray(rail.name) + "\n");
        files.emplace_back(folder + "iio:device0/in_power" + index + "_input",
                           QByteArray::number(rail.milliwatts) + "\n");
    }
}

struct Rail {
    const char *label;
    int millivolts;
    int milliamperes;
    int mostMilliamperes;
};
void addRails(Files &files, const QString &hwmon, std::initializer_list<Rail> rails)
{
    const QString folder = "sys/class/hwmon/" + hwmon + "/";
    files.emplace_back(folder + "name", "ina3221\n");
    int number = 1;
    for (const Rail &rail : rails) {
        const QString index = QString::number(number++);
        files.emplace_back(folder + "in" + index + "_label", QByteArray(rail.label) + "\n");
        files.emplace_back(folder + "in" + index + "_input", QByteArray::number(rail.millivolts) + "\n");
        files.emplace_back(folder + "curr" + index + "_input", QByteArray::number(rail.milliamperes) + "\n");
        files.emplace_back(folder + "curr" + index + "_max", QByteArray::number(rail.mostMilliamperes) + "\n");
    }
    files.emplace_back(folder + "in7_label", "sum of shunt voltages\n");
    files.emplace_back(folder + "in7_input", "1234\n");
}

void addSystem(Files &files, const char *kernel, int cores, qint64 totalKb, qint64 availableKb, qint64 swapKb,
               qint64 freeSwapKb)
{
    files.emplace_back("proc/sys/kernel/osrelease", QByteArray(kernel) + "\n");
    QByteArray stat = "cpu  1000 0 500 8000 100 0 0 0 0 0\n";
    for (int core = 0; core < cores; ++core) {
        stat += "cpu" + QByteArray::number(core) + " 100 0 50 800 10 0 0 0 0 0\n";
        files.emplace_back(QString("sys/devices/system/cpu/cpu%1/uevent").arg(core), "OF_NAME=cpu\n");
    }
    files.emplace_back("proc/stat", stat + "intr 123456 0 1 2\nctxt 99\n");
    const auto kilobytes = [](const char *key, qint64 value) {
        return QByteArray(key) + ":" + QByteArray::number(value).rightJustified(15) + " kB\n";
    };
    files.emplace_back("proc/meminfo",
                       kilobytes("MemTotal", totalKb) + kilobytes("MemFree", availableKb / 2)
                           + kilobytes("MemAvailable", availableKb) + kilobytes("SwapTotal", swapKb)
                           + kilobytes("SwapFree", freeSwapKb));
}

double bytes(qint64 kilobytes)
{
    return static_cast<double>(kilobytes) * 1024;
}

BoardExample nano()
{
    BoardExample board{"Nano, JetPack 4.6.3", {}, {}};
    Files &files = board.files;
    files = {
        {"proc/device-tree/model", zeroTerminated({"NVIDIA Jetson Nano Developer Kit"})},
        {"proc/device-tree/compatible",
         zeroTerminated({"nvidia,p3449-0000-b00+p3448-0000-b00", "nvidia,jetson-nano", "nvidia,tegra210"})},
        {"etc/nv_tegra_release",
         "# R32 (release), REVISION: 7.3, GCID: 31982016, BOARD: t210ref, EABI: aarch64, DATE: Tue Nov 22 17:30:08 "
         "UTC 2022\n"},
        {"etc/nv_boot_control.conf", "TNSPEC 3448-0002-300-A.0-1-0-jetson-nano-\nTEGRA_CHIPID 0x21\n"},
        {"etc/nvpmodel.conf", modesFile({"MAXN", "5W"}, 0)},
        {"var/lib/nvpmodel/status", "pmode:0001\n"},
        {"sys/class/devfreq/57000000.gpu/device/load", "120\n"},
        {"sys/devices/pwm-fan/cur_pwm", "51\n"},
        {"sys/devices/pwm-fan/rpm_measured", "0\n"},
    };
    addGpu(files, "57000000.gpu", "gpu", 76'800'000, 76'800'000, 640'000'000);
    addPolicy(files, 0, 102'000, 918'000, 918'000);
    addZones(files,
             {{"AO-therm", 45'000},
              {"CPU-therm", 40'000},
              {"GPU-therm", 40'000},
              {"PLL-therm", 37'000},
              {"PMIC-Die", 50'000},
              {"thermal-fan-est", 40'000}});
    addCooling(files, {{"pwm-fan", 2}, {"tegra-emc", 0}, {"gpu-balanced", 0}, {"cpu-balanced", 0}});
    addOldRails(files, "6-0040", {{"POM_5V_IN", 1750}, {"POM_5V_GPU", 0}, {"POM_5V_CPU", 366}});
    addSystem(files, "4.9.299-tegra", 4, 4'059'712, 2'027'008, 2'029'568, 1'833'984);
    board.expected = {"NVIDIA Jetson Nano Developer Kit",
                      "p3448-0000 (Jetson Nano)",
                      "tegra210",
                      "32.7.3",
                      "4.6.3",
                      "4.9.299-tegra",
                      "5W (1)",
                      {{"power mode", 1},
                       {"clocks locked", 0},
                       {"throttling", 0},
                       {"GPU load", 12},
                       {"GPU clock", 76'800'000},
                       {"CPU clock", 918'000'000},
                       {"temperature AO-therm", 45},
                       {"temperature PMIC-Die", 50},
                       {"power POM_5V_IN", 1.75},
                       {"power POM_5V_GPU", 0},
                       {"power POM_5V_CPU", 0.366},
                       {"memory used", bytes(4'059'712 - 2'027'008)},
                       {"swap used", bytes(2'029'568 - 1'833'984)},
                       {"fan", 20},
                       {"fan speed", 0}},
                      {"memory clock", "memory load", "CPU load", "CPU 3 load"},
                      {"power POM_5V_IN"}};
    return board;
}

BoardExample tx2()
{
    BoardExample board{"TX2, JetPack 4.6.1", {}, {}};
    Files &files = board.files;
    files = {
        {"proc/device-tree/model", zeroTerminated({"quill"})},
        {"proc/device-tree/compatible",
         zeroTerminated({"nvidia,p2597-0000+p3310-1000", "nvidia,quill", "nvidia,tegra186"})},
        {"etc/nv_tegra_release",
         "# R32 (release), REVISION: 7.1, GCID: 29818004, BOARD: t186ref, EABI: aarch64, DATE: Sat Feb 19 17:07:00 "
         "UTC 2022\n"},
        {"etc/nvpmodel.conf", modesFile({"MAXN", "MAXQ", "MAXP_CORE_ALL", "MAXP_CORE_ARM", "MAXP_CORE_DENVER"}, 3)},
        {"var/lib/nvpmodel/status", "pmode:0003 fmode:quiet\n"},
        {"sys/class/devfreq/17000000.gp10b/device/load", "0\n"},
        {"sys/kernel/actmon_avg_activity/mc_all", "163200\n"},
        {"sys/kernel/debug/bpmp/debug/clk/emc/rate", "1632000000\n"},
    };
    addGpu(files, "17000000.gp10b", "gp10b", 1'122'000'000, 1'122'000'000, 1'122'000'000);
    addPolicy(files, 0, 1'984'000, 1'984'000, 1'984'000);
    addPolicy(files, 1, 2'035'200, 2'035'200, 2'035'200);
    addZones(files,
             {{"BCPU-therm", 39'000},
              {"MCPU-therm", 39'000},
              {"GPU-therm", 37'000},
              {"PLL-therm", 39'000},
              {"Tboard_tegra", 35'000},
              {"Tdiode_tegra", 37'000},
              {"PMIC-Die", 100'000},
              {"thermal-fan-est", 38'500}});
    addCooling(files, {{"tegra-balanced-cpu", 0}, {"tegra-heavy", 1}, {"pwm-fan", 1}});
    addOldRails(files, "0-0040", {{"VDD_SYS_GPU", 77}, {"VDD_SYS_SOC", 539}, {"VDD_4V0_WIFI", 19}});
    addOldRails(files, "0-0041", {{"VDD_IN", 2930}, {"VDD_SYS_CPU", 539}, {"VDD_SYS_DDR", 727}});
    addSystem(files, "4.9.253-tegra", 6, 8'048'640, 6'130'688, 4'024'320, 4'024'320);
    board.expected = {"quill",
                      "p3310-1000 (Jetson TX2)",
                      "tegra186",
                      "32.7.1",
                      "4.6.1",
                      "4.9.253-tegra",
                      "MAXP_CORE_ARM (3)",
                      {{"power mode", 3},
                       {"clocks locked", 1},
                       {"throttling", 1},
                       {"GPU load", 0},
                       {"GPU clock", 1'122'000'000},
                       {"CPU clock", 2'035'200'000},
                       {"CPU 0 clock", 1'984'000'000},
                       {"memory clock", 1'632'000'000},
                       {"memory load", 10},
                       {"temperature GPU-therm", 37},
                       {"temperature thermal-fan-est", 38.5},
                       {"power VDD_IN", 2.93},
                       {"power VDD_SYS_GPU", 0.077},
                       {"power VDD_SYS_DDR", 0.727},
                       {"memory used", bytes(8'048'640 - 6'130'688)},
                       {"swap used", 0}},
                      {"CPU load"},
                      {"power VDD_IN"}};
    return board;
}

BoardExample xavierNx()
{
    BoardExample board{"Xavier NX, JetPack 5.1.2", {}, {}};
    Files &files = board.files;
    files = {
        {"proc/device-tree/model", zeroTerminated({"NVIDIA Jetson Xavier NX Developer Kit"})},
        {"proc/device-tree/compatible",
         zeroTerminated({"nvidia,p3449-0000+p3668-0000", "nvidia,jetson-xavier-nx", "nvidia,tegra194"})},
        {"etc/nv_tegra_release",
         "# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref, EABI: aarch64, DATE: Tue Aug  1 19:57:35 UTC "
         "2023\n"},
        {"etc/nvpmodel.conf", modesFile({"MODE_15W_2CORE", "MODE_15W_4CORE", "MODE_15W_6CORE"}, 2)},
        {"var/lib/nvpmodel/status", "pmode:0002\n"},
        {"sys/class/devfreq/17000000.gv11b/device/load", "1000\n"},
        {"sys/class/devfreq/15340000.vic/cur_freq", "601600000\n"},
        {"sys/class/devfreq/15340000.vic/max_freq", "1036800000\n"},
        {"sys/class/hwmon/hwmon1/name", "pwmfan\n"},
        {"sys/class/hwmon/hwmon1/pwm1", "255\n"},
        {"sys/class/hwmon/hwmon1/rpm", "4821\n"},
    };
    addGpu(files, "17000000.gv11b", "gv11b", 114'750'000, 510'000'000, 1'109'250'000);
    addPolicy(files, 0, 1'190'400, 1'907'200, 1'907'200);
    addPolicy(files, 2, 1'190'400, 1'190'400, 1'907'200);
    addZones(files,
             {{"CPU-therm", 39'500},
              {"GPU-therm", 37'500},
              {"AUX-therm", 39'000},
              {"AO-therm", 37'500},
              {"PMIC-Die", 50'000}});
    addCooling(files, {{"cpu-throttle-alert", 0}, {"gpu-throttle-alert", 1}, {"hot-surface-alert", 1}, {"pwm-fan", 3}});
    addRails(files, "hwmon4",
             {{"VDD_IN", 5000, 1015, 3600}, {"VDD_CPU_GPU_CV", 5000, 139, 32'760}, {"VDD_SOC", 5000, 220, 32'760}});
    addSystem(files, "5.10.120-tegra", 6, 7'018'496, 4'263'936, 3'509'248, 3'018'752);
    board.expected = {"NVIDIA Jetson Xavier NX Developer Kit",
                      "p3668-0000 (Jetson Xavier NX)",
                      "tegra194",
                      "35.4.1",
                      "5.1.2",
                      "5.10.120-tegra",
                      "MODE_15W_6CORE (2)",
                      {{"power mode", 2},
                       {"clocks locked", 0},
                       {"throttling", 1},
                       {"rails at their limit", 0},
                       {"GPU load", 100},
                       {"GPU clock", 510'000'000},
                       {"CPU clock", 1'907'200'000},
                       {"VIC clock", 601'600'000},
                       {"temperature GPU-therm", 37.5},
                       {"temperature PMIC-Die", 50},
                       {"power VDD_IN", 5.075},
                       {"power VDD_CPU_GPU_CV", 0.695},
                       {"power VDD_SOC", 1.1},
                       {"memory used", bytes(7'018'496 - 4'263'936)},
                       {"swap used", bytes(3'509'248 - 3'018'752)},
                       {"fan", 100},
                       {"fan speed", 4821}},
                      {"memory clock", "memory load", "CPU load"},
                      {"power VDD_IN"}};
    return board;
}

BoardExample agxOrin()
{
    BoardExample board{"AGX Orin, JetPack 6.2.1", {}, {}};
    Files &files = board.files;
    files = {
        {"proc/device-tree/model", zeroTerminated({"NVIDIA Jetson AGX Orin Developer Kit"})},
        {"proc/device-tree/compatible",
         zeroTerminated({"nvidia,p3737-0000+p3701-0005", "nvidia,p3701-0005", "nvidia,tegra234"})},
        {"etc/nv_tegra_release",
         "# R36 (release), REVISION: 4.7, GCID: 42132812, BOARD: generic, EABI: aarch64, DATE: Thu Sep 18 22:54:44 UTC "
         "2025\n# KERNEL_VARIANT: oot\nTARGET_USERSPACE_LIB_DIR=nvidia\n"},
        {"etc/nv_boot_control.conf", "TNSPEC 3701-500-0005-M.0-1-1-jetson-agx-orin-devkit-\nTEGRA_CHIPID 0x23\n"},
        {"etc/nvpmodel.conf", modesFile({"MAXN", "MODE_15W", "MODE_30W", "MODE_50W"}, 2)},
        {"var/lib/nvpmodel/status", "pmode:0002\n"},
        {"sys/class/devfreq/17000000.gpu/device/load", "735\n"},
        {"sys/class/hwmon/hwmon2/name", "soctherm_oc\n"},
        {"sys/class/hwmon/hwmon2/oc1_event_cnt", "0\n"},
        {"sys/class/hwmon/hwmon2/oc2_event_cnt", "15\n"},
        {"sys/class/hwmon/hwmon2/oc3_event_cnt", "37\n"},
        {"sys/class/hwmon/hwmon5/name", "pwmfan\n"},
        {"sys/class/hwmon/hwmon5/pwm1", "102\n"},
        {"sys/class/hwmon/hwmon6/name", "pwm_tach\n"},
        {"sys/class/hwmon/hwmon6/rpm", "2140\n"},
    };
    addGpu(files, "17000000.gpu", "gpu", 306'000'000, 612'000'000, 612'000'000);
    addPolicy(files, 0, 729'600, 729'600, 1'728'000);
    addPolicy(files, 4, 729'600, 1'510'400, 1'728'000);
    addZones(files,
             {{"cpu-thermal", 46'531},
              {"gpu-thermal", -256'000},
              {"cv0-thermal", -256'000},
              {"soc0-thermal", 39'375},
              {"tj-thermal", 46'531}});
    addCooling(files, {{"cpu-throttle-alert", 0}, {"gpu-throttle-alert", 0}, {"pwm-fan", 0}, {"thermal-cpufreq-0", 0}});
    addRails(
        files, "hwmon3",
        {{"VDD_GPU_SOC", 19'480, 123, 32'760}, {"VDD_CPU_CV", 19'480, 41, 32'760}, {"VIN_SYS_5V0", 5040, 800, 800}});
    addRails(files, "hwmon4", {{"NC", 0, 0, 32'760}, {"VDDQ_VDD2_1V8AO", 5040, 60, 32'760}, {"NC", 0, 0, 32'760}});
    addSystem(files, "5.15.148-tegra", 12, 64'302'080, 62'000'000, 32'150'528, 32'150'528);
    const double sum = 19.480 * (0.123 + 0.041) + 5.04 * (0.8 + 0.06);
    board.expected = {"NVIDIA Jetson AGX Orin Developer Kit",
                      "p3701-0005 (Jetson AGX Orin)",
                      "tegra234",
                      "36.4.7",
                      "6.2.1",
                      "5.15.148-tegra",
                      "MODE_30W (2)",
                      {{"power mode", 2},
                       {"clocks locked", 0},
                       {"throttling", 0},
                       {"rails at their limit", 1},
                       {"over-current events", 52},
                       {"GPU load", 73.5},
                       {"GPU clock", 612'000'000},
                       {"CPU clock", 1'510'400'000},
                       {"CPU 4 clock", 1'510'400'000},
                       {"temperature cpu-thermal", 46.531},
                       {"power VDD_GPU_SOC", 19.480 * 0.123},
                       {"power VDD_CPU_CV", 19.480 * 0.041},
                       {"power VIN_SYS_5V0", 4.032},
                       {"power VDDQ_VDD2_1V8AO", 0.3024},
                       {"power sum of rails", sum},
                       {"memory used", bytes(64'302'080 - 62'000'000)},
                       {"swap used", 0},
                       {"fan", 40},
                       {"fan speed", 2140}},
                      {"memory clock", "memory load", "temperature cv0-thermal", "temperature gpu-thermal", "CPU load"},
                      {"power sum of rails"}};
    return board;
}

BoardExample thor()
{
    BoardExample board{"AGX Thor, JetPack 7.0", {}, {}};
    Files &files = board.files;
    files = {
        {"proc/device-tree/model", zeroTerminated({"NVIDIA Jetson AGX Thor Developer Kit"})},
        {"proc/device-tree/compatible",
         zeroTerminated({"nvidia,p3971-0089+p3834-0008", "nvidia,p3834-0008", "nvidia,tegra264"})},
        {"etc/nv_tegra_release",
         "# R38 (release), REVISION: 2.0, GCID: 41844464, BOARD: generic, EABI: aarch64, DATE: Fri Aug 22 00:55:42 UTC "
         "2025\n"},
        {"etc/nvpmodel.conf", modesFile({"MAXN", "120W"}, 1)},
        {"var/lib/nvpmodel/status", "pmode:0001\n"},
        {"sys/class/devfreq/bwmgr/cur_freq", "4266000000\n"},
        {"sys/class/hwmon/hwmon1/name", "soctherm_oc\n"},
        {"sys/class/hwmon/hwmon1/oc3_event_cnt", "179\n"},
    };
    addGpu(files, "gpu-gpc-0", nullptr, 1'575'000'000, 1'575'000'000, 1'575'000'000);
    addPolicy(files, 0, 2'601'000, 2'601'000, 2'601'000);
    addPolicy(files, 2, 2'601'000, 2'601'000, 2'601'000);
    addZones(files, {{"cpu-thermal", 41'000}, {"gpu-thermal", 40'500}, {"tj-thermal", 42'000}});
    addCooling(files, {{"pwm-fan", 1}, {"cpu-throttle-alert", 0}});
    addRails(
        files, "hwmon3",
        {{"VDD_GPU", 12'000, 250, 32'760}, {"VDD_CPU_SOC_MSS", 12'000, 900, 32'760}, {"VIN_SYS_5V0", 5000, 1500, 0}});
    addSystem(files, "6.8.12-tegra", 14, 128'000'000, 120'000'000, 0, 0);
    board.expected = {"NVIDIA Jetson AGX Thor Developer Kit",
                      "p3834-0008 (Jetson AGX Thor)",
                      "tegra264",
                      "38.2.0",
                      "7.0",
                      "6.8.12-tegra",
                      "120W (1)",
                      {{"power mode", 1},
                       {"clocks locked", 1},
                       {"throttling", 0},
                       {"over-current events", 179},
                       {"GPU clock", 1'575'000'000},
                       {"CPU clock", 2'601'000'000},
                       {"memory clock", 4'266'000'000},
                       {"temperature tj-thermal", 42},
                       {"power VDD_GPU", 3},
                       {"power VDD_CPU_SOC_MSS", 10.8},
                       {"power VIN_SYS_5V0", 7.5},
                       {"power sum of rails", 21.3},
                       {"memory used", bytes(8'000'000)},
                       {"swap used", 0}},
                      {"GPU load", "memory load", "CPU load"},
                      {"power sum of rails"}};
    return board;
}

BoardExample orinNx()
{
    BoardExample board{"Orin NX, JetPack 6.1", {}, {}};
    Files &files = board.files;
    files = {
        {"proc/device-tree/model", zeroTerminated({"NVIDIA Jetson Orin NX Engineering Reference Developer Kit"})},
        {"proc/device-tree/compatible",
         zeroTerminated({"nvidia,p3768-0000+p3767-0000", "nvidia,p3767-0000", "nvidia,tegra234"})},
        {"etc/nv_tegra_release",
         "# R36 (release), REVISION: 4.0, GCID: 37537400, BOARD: generic, EABI: aarch64, DATE: Fri Sep 13 04:36:44 UTC "
         "2024\n"},
        {"etc/nvpmodel.conf", modesFile({"MAXN", "10W", "15W", "25W"}, 2)},
        {"var/lib/nvpmodel/status", "pmode:0003\n"},
        {"sys/class/devfreq/17000000.gpu/device/load", "998\n"},
        {"sys/class/hwmon/hwmon0/name", "pwmfan\n"},
        {"sys/class/hwmon/hwmon0/pwm1", "153\n"},
        {"sys/class/hwmon/hwmon3/name", "soctherm_oc\n"},
        {"sys/class/hwmon/hwmon3/oc1_event_cnt", "2\n"},
        {"sys/class/hwmon/hwmon3/oc2_event_cnt", "0\n"},
        {"sys/class/hwmon/hwmon3/oc3_event_cnt", "5\n"},
    };
    addGpu(files, "17000000.gpu", "gpu", 306'000'000, 408'000'000, 408'000'000);
    addPolicy(files, 0, 729'600, 1'497'600, 1'497'600);
    addPolicy(files, 4, 729'600, 1'497'600, 1'497'600);
    addZones(files, {{"cpu-thermal", 61'250}, {"gpu-thermal", 60'406}, {"tj-thermal", 61'250}});
    addCooling(files, {{"pwm-fan", 2}, {"cpu-throttle-alert", 0}, {"gpu-throttle-alert", 0}});
    addRails(files, "hwmon1",
             {{"VDD_IN", 4976, 5000, 5000}, {"VDD_CPU_GPU_CV", 4976, 2408, 2400}, {"VDD_SOC", 4976, 500, 32'760}});
    addSystem(files, "5.15.148-tegra", 8, 15'655'936, 9'000'000, 7'827'968, 7'827'968);
    board.expected = {"NVIDIA Jetson Orin NX Engineering Reference Developer Kit",
                      "p3767-0000 (Jetson Orin NX or Orin Nano)",
                      "tegra234",
                      "36.4.0",
                      "6.1",
                      "5.15.148-tegra",
                      "25W (3)",
                      {{"power mode", 3},
                       {"clocks locked", 0},
                       {"throttling", 0},
                       {"rails at their limit", 2},
                       {"over-current events", 7},
                       {"GPU load", 99.8},
                       {"GPU clock", 408'000'000},
                       {"CPU clock", 1'497'600'000},
                       {"temperature tj-thermal", 61.25},
                       {"power VDD_IN", 24.88},
                       {"power VDD_CPU_GPU_CV", 4.976 * 2.408},
                       {"power VDD_SOC", 2.488},
                       {"memory used", bytes(15'655'936 - 9'000'000)},
                       {"swap used", 0},
                       {"fan", 60}},
                      {"memory clock", "memory load", "CPU load"},
                      {"power VDD_IN"}};
    return board;
}

} // namespace

const std::vector<BoardExample> &boardExamples()
{
    static const std::vector<BoardExample> examples = {nano(), tx2(), xavierNx(), agxOrin(), thor(), orinNx()};
    return examples;
}

} // namespace jetscope::testing
