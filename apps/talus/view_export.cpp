#include "view_export.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/report/pages/html_report.hpp"
#include "terminal/progress.hpp"
#include "web_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace talus;

namespace {

constexpr double megabyte = 1e6;
constexpr double tag_bytes = 70; // around each packet

double in_base64(double bytes) { return 4 * std::ceil(bytes / 3) + tag_bytes; }

std::string packet_script(const std::string& id, const std::string& bytes)
{
    return fmt::format("<script type=\"text/plain\" id=\"{}\">", id) + report::base64(bytes) + "</script>\n";
}

std::string ordinal(std::int64_t number)
{
    if (number % 100 / 10 == 1) return fmt::format("{}th", number);
    return fmt::format("{}{}", number,
                       number % 10 == 1   ? "st"
                       : number % 10 == 2 ? "nd"
                       : number % 10 == 3 ? "rd"
                                          : "th");
}

std::string what_is_left_out(const ViewOptions& options, const PageContent& content, report::ViewedRun& run)
{
    std::vector<std::string> words;
    const std::size_t frames = run.frames().size(), kept = content.selection.frames.size();
    if (options.every > 1) words.push_back(fmt::format("every {} frame is kept", ordinal(options.every)));
    if (kept < frames) words.push_back(fmt::format("{} of {} frames are here", kept, frames));
    if (!content.contacts) words.push_back("contacts are left out");
    if (content.selection.bodies.is_some()) {
        words.push_back(fmt::format("{} of {} bodies are kept: those that are led or have a name of their own, and an "
                                    "even sample of the others, with the contacts between them",
                                    content.selection.bodies.count(run.body_count()), run.body_count()));
    }
    std::string all;
    for (const std::string& some : words) all += (all.empty() ? "" : "; ") + some;
    return all;
}

// What a page would take, from the sizes of its frames and from a few of them as they really are.
class PageSize {
  public:
    PageSize(report::ViewedRun& run, const PageContent& content)
        : index_(run.frames()), shown_(content.selection.bodies), frames_(content.selection.frames),
          known_(run.body_count())
    {
        const report::WebPage page = view_page();
        text_ = double(page.script.size() + page.style.size()) + double(run.run_json(content.selection).size());
        shapes_ = in_base64(double(run.shapes(shown_).size())) + in_base64(double(run.crowd(shown_).size()));
        for (const std::int64_t frame : {frames_.front(), frames_[frames_.size() / 2], frames_.back()}) {
            const double bodies = double(bodies_of(frame)), contacts = double(index_.contacts[std::size_t(frame)]);
            if (bodies > 0) per_body_ = std::max(per_body_, double(run.frame(frame, shown_).size()) / bodies);
            if (!content.contacts || contacts == 0) continue;
            per_contact_ = std::max(per_contact_, double(run.contacts(frame, shown_).size()) / contacts);
        }
    }

    // [bytes] with every so many of the frames, a share of the bodies, and contacts or none
    double at(std::int64_t every, double share, bool contacts) const
    {
        double bytes = text_ + share * shapes_;
        for (std::size_t k = 0; k < frames_.size(); k += std::size_t(every)) {
            bytes += in_base64(share * per_body_ * double(bodies_of(frames_[k])));
            if (contacts) bytes += in_base64(share * per_contact_ * double(index_.contacts[std::size_t(frames_[k])]));
        }
        return bytes;
    }
    std::size_t frames() const { return frames_.size(); }

  private:
    // Where some have left, a packet has a row for each that there ever was.
    std::size_t bodies_of(std::int64_t frame) const
    {
        const bool some_left = std::size_t(index_.bodies.back()) < known_;
        return shown_.count(some_left ? known_ : std::size_t(index_.bodies[std::size_t(frame)]));
    }

    const report::FrameIndex& index_;
    const report::ShownBodies& shown_;
    const std::vector<std::int64_t>& frames_;
    std::size_t known_;                                             // bodies
    double text_ = 0, shapes_ = 0, per_body_ = 0, per_contact_ = 0; // [bytes]
};

int round_down(double number) // to two digits
{
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(number, 1.0))) - 1));
    return int(std::floor(number / unit) * unit);
}

// Which of the options, alone, would make the page fit.
std::string what_would_fit(const PageSize& size, const ViewOptions& options, double limit, std::size_t bodies)
{
    std::vector<std::string> ways;
    const bool contacts = !options.no_contacts;
    std::int64_t every = 2;
    while (every < std::int64_t(size.frames()) && size.at(every, 1, contacts) > limit) ++every;
    if (size.at(every, 1, contacts) <= limit) {
        ways.push_back(
            fmt::format("--every {} ({:.3g} MB)", every * options.every, size.at(every, 1, contacts) / megabyte));
    }
    if (contacts && size.at(1, 1, false) <= limit) {
        ways.push_back(fmt::format("--no-contacts ({:.3g} MB)", size.at(1, 1, false) / megabyte));
    }
    const double nothing = size.at(1, 0, contacts), all = size.at(1, 1, contacts);
    const int kept = round_down(0.95 * double(bodies) * (limit - nothing) / (all - nothing));
    if (nothing < limit && kept >= 1) ways.push_back(fmt::format("--bodies {}", kept));
    if (ways.empty()) return "no single option makes it fit: take --every, --no-contacts and --bodies together";
    std::string list;
    for (const std::string& way : ways) list += (list.empty() ? "" : ", or ") + way;
    return "what would fit: " + list;
}

void refuse_too_large(report::ViewedRun& run, const PageContent& content, const ViewOptions& options)
{
    const PageSize size(run, content);
    const double limit = options.size_limit * megabyte, bytes = size.at(1, 1, content.contacts);
    if (bytes <= limit) return;
    throw InputError(
        fmt::format("--export {}: would take {:.3g} MB, more than the {:g} MB of --limit; {}", options.page.string(),
                    bytes / megabyte, options.size_limit,
                    what_would_fit(size, options, limit, content.selection.bodies.count(run.body_count()))));
}

} // namespace

std::vector<std::int64_t> chosen_frames(const ViewOptions& options, const std::vector<double>& times)
{
    if (times.empty()) throw InputError(fmt::format("{}: has no frames", options.folder.string()));
    const double slack = 1e-9 * std::abs(times.back());
    std::vector<std::int64_t> inside, chosen;
    for (std::size_t f = 0; f < times.size(); ++f) {
        if (options.from && times[f] < *options.from - slack) continue;
        if (options.until && times[f] > *options.until + slack) continue;
        inside.push_back(std::int64_t(f));
    }
    if (inside.empty()) {
        throw InputError(fmt::format(
            "{}: no frame lies between --from {:g} and --until {:g}; there {} {} from t = {:g} s "
            "to {:g} s",
            options.folder.string(), options.from.value_or(times.front()), options.until.value_or(times.back()),
            times.size() == 1 ? "is" : "are", times.size(), times.front(), times.back()));
    }
    for (std::size_t k = 0; k < inside.size(); k += std::size_t(options.every)) chosen.push_back(inside[k]);
    return chosen;
}

void refuse_bad_place(const std::filesystem::path& file)
{
    if (std::filesystem::is_directory(file)) throw InputError(file.string() + ": is a folder");
    if (const auto parent = file.parent_path(); !parent.empty() && !std::filesystem::is_directory(parent)) {
        throw InputError(fmt::format("{}: there is no folder {}", file.string(), parent.string()));
    }
}

std::size_t write_view_page(report::ViewedRun& run, const PageContent& content, const std::filesystem::path& file)
{
    const report::ViewPage page = report::view_page(view_page(), report::run_title(run.folder()), false);
    const report::ShownBodies& shown = content.selection.bodies;
    io::DurableFile out(file);
    std::size_t bytes = 0;
    const auto write = [&](const std::string& text) {
        out.write(text);
        bytes += text.size();
    };
    write(page.head);
    write("<script type=\"application/json\" id=\"run\">" + report::without_tags(run.run_json(content.selection)) +
          "</script>\n");
    write("<script type=\"application/json\" id=\"ranges\">" + run.ranges() + "</script>\n");
    write(packet_script("shapes", run.shapes(shown)));
    if (const std::string crowd = run.crowd(shown); !crowd.empty()) write(packet_script("crowd", crowd));
    JobProgress progress("frame", std::int64_t(content.selection.frames.size()));
    for (const std::int64_t frame : content.selection.frames) {
        write(packet_script(fmt::format("frame-{}", frame), run.frame(frame, shown)));
        if (content.contacts) write(packet_script(fmt::format("contacts-{}", frame), run.contacts(frame, shown)));
        progress.one_more();
    }
    if (!content.extra.empty()) write("<script>" + content.extra + "</script>\n");
    write(page.tail);
    out.commit();
    return bytes;
}

int export_view(const ViewOptions& options)
{
    if (view_page().script.empty()) refuse_without_page("talus view --export");
    const auto run = report::ViewedRun::open(options.folder);
    refuse_bad_place(options.page);
    PageContent content{{chosen_frames(options, run->frames().time), {}, {}}, !options.no_contacts, {}};
    if (options.bodies) content.selection.bodies = run->some_bodies(*options.bodies);
    content.selection.left_out = what_is_left_out(options, content, *run);
    refuse_too_large(*run, content, options);
    const std::size_t bytes = write_view_page(*run, content, options.page);
    fmt::print("{}: {:.1f} MB, {} frame{}, opens in any browser, also offline\n", options.page.string(),
               double(bytes) / megabyte, content.selection.frames.size(),
               content.selection.frames.size() == 1 ? "" : "s");
    if (!content.selection.left_out.empty()) fmt::print("left out: {}\n", content.selection.left_out);
    return 0;
}
