// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/nvscilibrary.h"

#include <algorithm>
#include <array>
#include <vector>

namespace jetscope {

namespace {

struct SciErrorRow {
    int code;
    const char *name;
    const char *remedy;
};
/// Of nvscierror.h, those that the functions used here may return.
constexpr std::array kSciErrors = {
    SciErrorRow{0x11, "NvSciError_NotSupported", "this board does not support it"},
    SciErrorRow{0x22, "NvSciError_InvalidState", "the library is in a wrong state"},
    SciErrorRow{0x30, "NvSciError_InsufficientMemory", "the system lacks memory"},
    SciErrorRow{0x31, "NvSciError_InsufficientResource", "the system lacks resources"},
    SciErrorRow{0x32, "NvSciError_ResourceError", "its drivers are not available; a container needs --runtime nvidia"},
    SciErrorRow{0x100, "NvSciError_BadParameter", "a parameter is not accepted"},
    SciErrorRow{0x103, "NvSciError_Overflow", "a size is too large"},
    SciErrorRow{nvsci::kErrorReconciliation, "NvSciError_ReconciliationFailed",
                "CUDA and cuDLA need what no object has; use mode=hybrid"},
    SciErrorRow{nvsci::kErrorUnsupportedConfig, "NvSciError_UnsupportedConfig",
                "CUDA and cuDLA have no way to synchronize in common; use mode=hybrid"},
};

/// Frees its lists when it goes.
class SciLists {
public:
    explicit SciLists(const nvsci::Functions &functions) : m_functions(functions) {}
    SciLists(const SciLists &) = delete;
    SciLists &operator=(const SciLists &) = delete;
    ~SciLists()
    {
        for (nvsci::List const list : m_lists)
            if (list)
                m_functions.freeList(list);
    }
    void add(nvsci::List list) { m_lists.push_back(list); }
    const std::vector<nvsci::List> &lists() const { return m_lists; }

private:
    const nvsci::Functions &m_functions;
    std::vector<nvsci::List> m_lists;
};

} // namespace

Result<NvSciLibrary> NvSciLibrary::load(Kind kind, const std::string &path)
{
    NvSciLibrary loaded;
    loaded.m_name = kind == Kind::Buffers ? "NvSciBuf" : "NvSciSync";
    const std::string file = kind == Kind::Buffers ? "libnvscibuf.so.1" : "libnvscisync.so.1";
    void *library = nullptr;
    for (const char *folder : {"", "/usr/lib/aarch64-linux-gnu/nvidia/", "/usr/lib/aarch64-linux-gnu/tegra/"})
        if (!library)
            library = dlopen((path.empty() ? folder + file : path).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sentence(file + " was not found; it comes with L4T, and a container needs --runtime nvidia");
    nvsci::Functions &f = loaded.m_functions = nvsci::Functions(library, loaded.m_name);
    if (kind == Kind::Syncs)
        f.clearFence = f.find("FenceClear");
    if (!f.missing().empty())
        return sentence(file + " has no function " + f.missing() + "; update JetPack");
    bool isCompatible = false;
    JETSCOPE_TRY(loaded.check("CheckVersionCompatibility", f.checkVersion(nvsci::kMajorVersion, 0, &isCompatible)));
    if (!isCompatible)
        return sentence(file + " is not compatible with version 2 of " + loaded.m_name
                        + ", which is all that Jetscope knows");
    return loaded;
}

Status NvSciLibrary::check(const char *call, int code) const
{
    if (code == 0)
        return {};
    const auto *const row = std::find_if(kSciErrors.begin(), kSciErrors.end(),
                                         [code](const SciErrorRow &each) { return each.code == code; });
    return Error{m_name + call, code,
                 row == kSciErrors.end() ? std::string("an error of NvSci that Jetscope does not know")
                                         : std::string(row->name) + ": " + row->remedy};
}

Result<std::unique_ptr<NvSciModule>> NvSciModule::open(const NvSciLibrary &library)
{
    std::unique_ptr<NvSciModule> module(new NvSciModule(library));
    JETSCOPE_TRY(library.check("ModuleOpen", library.functions().openModule(&module->m_module)));
    return module;
}

NvSciModule::~NvSciModule()
{
    if (m_module)
        m_library.functions().closeModule(m_module);
}

Result<nvsci::Object> NvSciModule::make(std::initializer_list<Fill> users) const
{
    const nvsci::Functions &f = m_library.functions();
    SciLists asked(f);
    for (const Fill &fill : users) {
        nvsci::List list = nullptr;
        JETSCOPE_TRY(m_library.check("AttrListCreate", f.createList(m_module, &list)));
        asked.add(list);
        JETSCOPE_TRY(fill(list));
    }
    SciLists answers(f);
    nvsci::List reconciled = nullptr;
    nvsci::List conflicts = nullptr;
    const int code = f.reconcile(asked.lists().data(), asked.lists().size(), &reconciled, &conflicts);
    answers.add(reconciled);
    answers.add(conflicts);
    JETSCOPE_TRY(m_library.check("AttrListReconcile", code));
    nvsci::Object object = nullptr;
    JETSCOPE_TRY(m_library.check("ObjAlloc", f.allocate(reconciled, &object)));
    return object;
}

void NvSciModule::free(nvsci::Object object) const
{
    m_library.functions().freeObject(object);
}

} // namespace jetscope
