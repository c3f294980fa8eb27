// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/lab/x11screen.h"

#include "core/lab/clockpattern.h"
#include "core/time/clock.h"
#include "gpu/base/symbols.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>
#include <xcb/xcb.h>

namespace jetscope {

namespace {

constexpr std::size_t kWhiteBrush = 0;
constexpr std::size_t kBlackBrush = 1;
constexpr std::size_t kGreyBrush = 2;
constexpr std::uint32_t kGrey = 0x808080;
constexpr std::int64_t kKeepAwakeNs = 10'000'000'000; ///< The shortest time after which screens are blanked is longer.

struct XcbApi : SymbolTable {
    using SymbolTable::SymbolTable;

#define JETSCOPE_XCB(name) decltype(&::xcb_##name) name = find("xcb_" #name)
    JETSCOPE_XCB(connect);
    JETSCOPE_XCB(connection_has_error);
    JETSCOPE_XCB(disconnect);
    JETSCOPE_XCB(get_setup);
    JETSCOPE_XCB(setup_roots_iterator);
    JETSCOPE_XCB(screen_next);
    JETSCOPE_XCB(generate_id);
    JETSCOPE_XCB(create_window);
    JETSCOPE_XCB(map_window);
    JETSCOPE_XCB(set_input_focus);
    JETSCOPE_XCB(create_pixmap);
    JETSCOPE_XCB(create_gc);
    JETSCOPE_XCB(poly_fill_rectangle);
    JETSCOPE_XCB(copy_area);
    JETSCOPE_XCB(force_screen_saver);
    JETSCOPE_XCB(query_extension);
    JETSCOPE_XCB(query_extension_reply);
    JETSCOPE_XCB(get_input_focus);
    JETSCOPE_XCB(get_input_focus_reply);
    JETSCOPE_XCB(poll_for_event);
#undef JETSCOPE_XCB
};

// Of libxcb-randr, whose headers are not needed for one request of RandR 1.1.
struct RandrCookie {
    unsigned sequence;
};
struct RandrScreenInfo {
    std::uint8_t responseType;
    std::uint8_t rotations;
    std::uint16_t sequence;
    std::uint32_t length;
    std::uint32_t root;
    std::uint32_t timestamp;
    std::uint32_t configTimestamp;
    std::uint16_t sizes;
    std::uint16_t sizeId;
    std::uint16_t rotation;
    std::uint16_t rate; ///< Hz, 0 if unknown.
};

struct RandrApi : SymbolTable {
    using SymbolTable::SymbolTable;

    RandrCookie (*ask)(xcb_connection_t *, xcb_window_t) = find("xcb_randr_get_screen_info");
    RandrScreenInfo *(*answer)(xcb_connection_t *, RandrCookie,
                               xcb_generic_error_t **) = find("xcb_randr_get_screen_info_reply");
};

struct Freed {
    void operator()(void *memory) const { std::free(memory); }
};
template <class T>
using Reply = std::unique_ptr<T, Freed>;

std::string environmentText(const char *name)
{
    const char *const text = std::getenv(name);
    return text ? text : "";
}

/// Files of keys that the display managers of the desktops write for a user.
std::vector<std::string> authorityFiles(const std::string &runtime)
{
    std::vector<std::string> files;
    std::error_code ignored;
    const std::string own = runtime + "/" + std::to_string(getuid());
    if (const std::string gdm = own + "/gdm/Xauthority"; std::filesystem::exists(gdm, ignored))
        files.push_back(gdm);
    for (const auto &entry : std::filesystem::directory_iterator(own, ignored))
        if (entry.path().filename().string().starts_with(".mutter-Xwaylandauth."))
            files.push_back(entry.path().string());
    return files;
}

} // namespace

std::vector<X11Display> x11Displays(const std::string &sockets, const std::string &runtime)
{
    if (const std::string own = environmentText("DISPLAY"); !own.empty())
        return {{own, environmentText("XAUTHORITY")}};
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(sockets, ignored)) {
        const std::string file = entry.path().filename().string();
        if (file.size() > 1 && file[0] == 'X'
            && std::all_of(file.begin() + 1, file.end(), [](char c) { return c >= '0' && c <= '9'; }))
            names.push_back(":" + file.substr(1));
    }
    // :9 is before :10.
    std::sort(names.begin(), names.end(), [](const std::string &a, const std::string &b) {
        return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    std::vector<X11Display> displays;
    const std::vector<std::string> files = authorityFiles(runtime);
    for (const std::string &name : names) {
        displays.push_back({name, environmentText("XAUTHORITY")});
        for (const std::string &file : files)
            displays.push_back({name, file});
    }
    return displays;
}

struct X11Screen::Parts {
    XcbApi xcb;
    xcb_connection_t *connection = nullptr;
    xcb_screen_t screen{};
    xcb_window_t window = 0;
    xcb_pixmap_t picture = 0;
    std::array<xcb_gcontext_t, 3> brushes{};
    double rate = 0;
    std::int64_t awakeNs = 0;

    ~Parts()
    {
        if (connection)
            xcb.disconnect(connection);
    }
    bool connect(const X11Display &display);
    void makeWindow();
    void readRate();
    void draw(int ms);
    void fill(std::size_t brush, const std::vector<xcb_rectangle_t> &boxes)
    {
        xcb.poly_fill_rectangle(connection, picture, brushes[brush], static_cast<std::uint32_t>(boxes.size()),
                                boxes.data());
    }
};

bool X11Screen::Parts::connect(const X11Display &display)
{
    if (display.authority.empty())
        unsetenv("XAUTHORITY"); // As an attempt before may have left it.
    else
        setenv("XAUTHORITY", display.authority.c_str(), 1);
    int number = 0;
    connection = xcb.connect(display.name.c_str(), &number);
    if (xcb.connection_has_error(connection) != 0) {
        xcb.disconnect(std::exchange(connection, nullptr));
        return false;
    }
    xcb_screen_iterator_t screens = xcb.setup_roots_iterator(xcb.get_setup(connection));
    for (; number > 0 && screens.rem > 1; --number)
        xcb.screen_next(&screens);
    screen = *screens.data;
    return true;
}

void X11Screen::Parts::makeWindow()
{
    const std::uint32_t grey = screen.root_depth >= 24 ? kGrey : screen.black_pixel;
    window = xcb.generate_id(connection);
    // No window manager may move it or lay a frame around it.
    const std::array<std::uint32_t, 3> values{grey, 1, XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_BUTTON_PRESS};
    xcb.create_window(connection, XCB_COPY_FROM_PARENT, window, screen.root, 0, 0, screen.width_in_pixels,
                      screen.height_in_pixels, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen.root_visual,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values.data());
    xcb.map_window(connection, window);
    xcb.set_input_focus(connection, XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
    picture = xcb.generate_id(connection);
    xcb.create_pixmap(connection, screen.root_depth, picture, window, screen.width_in_pixels, screen.height_in_pixels);
    const std::array<std::uint32_t, 3> colours{screen.white_pixel, screen.black_pixel, grey};
    for (std::size_t i = 0; i < brushes.size(); ++i) {
        brushes[i] = xcb.generate_id(connection);
        const std::array<std::uint32_t, 2> settings{colours[i], 0}; // No event for each copy.
        xcb.create_gc(connection, brushes[i], window, XCB_GC_FOREGROUND | XCB_GC_GRAPHICS_EXPOSURES, settings.data());
    }
}

void X11Screen::Parts::readRate()
{
    // A request of an extension that the server lacks ends the connection.
    constexpr std::string_view kName = "RANDR";
    const Reply<xcb_query_extension_reply_t> extension(
        xcb.query_extension_reply(connection, xcb.query_extension(connection, kName.size(), kName.data()), nullptr));
    if (!extension || !extension->present)
        return;
    RandrApi randr(dlopen("libxcb-randr.so.0", RTLD_NOW | RTLD_LOCAL));
    if (!randr.ask || !randr.answer)
        return;
    const Reply<RandrScreenInfo> info(randr.answer(connection, randr.ask(connection, screen.root), nullptr));
    if (info && info->rate > 0)
        rate = info->rate;
}

/// Into a picture of which one request makes all of it visible: nobody sees half a time.
void X11Screen::Parts::draw(int ms)
{
    fill(kGreyBrush, {{0, 0, screen.width_in_pixels, screen.height_in_pixels}});
    for (const ClockShape &shape : clockShapes(ms, screen.width_in_pixels, screen.height_in_pixels))
        fill(shape.isBlack ? kBlackBrush : kWhiteBrush,
             {{static_cast<std::int16_t>(shape.box.x), static_cast<std::int16_t>(shape.box.y),
               static_cast<std::uint16_t>(shape.box.width), static_cast<std::uint16_t>(shape.box.height)}});
    xcb.copy_area(connection, picture, window, brushes[0], 0, 0, 0, 0, screen.width_in_pixels, screen.height_in_pixels);
}

X11Screen::X11Screen(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

X11Screen::~X11Screen() = default;

Result<std::unique_ptr<X11Screen>> X11Screen::open()
{
    auto parts = std::make_unique<Parts>();
    parts->xcb = XcbApi(dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL));
    if (!parts->xcb.connect || !parts->xcb.missing().empty())
        return sentence("there is no libxcb.so.1, which shows the clock on an X server: install libxcb1");
    const std::vector<X11Display> displays = x11Displays();
    if (displays.empty())
        return sentence("no X server runs on this machine, so it has no screen for the clock: log in at its desktop");
    const bool isConnected =
        std::any_of(displays.begin(), displays.end(), [&](const X11Display &each) { return parts->connect(each); });
    if (!isConnected)
        return sentence("the X server " + displays.front().name
                        + " lets nobody in: log in at the machine's desktop as the same user, or set DISPLAY and "
                          "XAUTHORITY");
    parts->makeWindow();
    parts->readRate();
    return std::unique_ptr<X11Screen>(new X11Screen(std::move(parts)));
}

double X11Screen::rate() const
{
    return m_parts->rate;
}

Result<bool> X11Screen::show(int ms)
{
    const XcbApi &xcb = m_parts->xcb;
    xcb_connection_t *const connection = m_parts->connection;
    if (const std::int64_t ns = nowNs(); m_parts->awakeNs == 0 || ns - m_parts->awakeNs > kKeepAwakeNs) {
        m_parts->awakeNs = ns;
        xcb.force_screen_saver(connection, XCB_SCREEN_SAVER_RESET);
    }
    m_parts->draw(ms);
    // A request with an answer: the server takes them in order.
    const Reply<xcb_get_input_focus_reply_t> answer(
        xcb.get_input_focus_reply(connection, xcb.get_input_focus(connection), nullptr));
    if (!answer || xcb.connection_has_error(connection) != 0)
        return sentence("the X server that showed the clock has ended");
    bool isLeft = false;
    while (const Reply<xcb_generic_event_t> event{xcb.poll_for_event(connection)}) {
        const int type = event->response_type & 0x7f;
        isLeft = isLeft || type == XCB_KEY_PRESS || type == XCB_BUTTON_PRESS;
    }
    return !isLeft;
}

} // namespace jetscope
