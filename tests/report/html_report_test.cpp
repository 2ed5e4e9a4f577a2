// The page that `talus report` writes, as text: what it carries, what it keeps out, what it refuses. How it looks and
// behaves in a browser is tested in tests/browser.
#include "io/made_up_run.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/hdf5_file.hpp"
#include "talus/io/runs/run_columns.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/report/pages/html_report.hpp"
#include "talus/report/picture.hpp"
#include "texts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace talus::report {
namespace {

namespace fs = std::filesystem;

const WebPage bare_page{"/*the script*/", "/*the style*/"};

std::string report_of(const std::vector<fs::path>& folders)
{
    std::vector<ReportedRun> runs;
    for (const fs::path& folder : folders) runs.push_back({folder});
    return html_report(runs, bare_page);
}

// What stands between the tags of the data; the rest of the page is not ours to parse.
std::string data_of(const std::string& html)
{
    const std::string open = R"(id="data">)";
    const auto begin = html.find(open) + open.size();
    return html.substr(begin, html.find("</script>", begin) - begin);
}

std::string refusal(const fs::path& folder)
{
    return refusal_of([&] { report_of({folder}); });
}

TEST(HtmlReport, CarriesTheRunAndIsSoundJson)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "run", 20);
    io::overwrite(scratch / "run/summary.json", R"({"outcome": "done", "warnings": ["so so"]})");
    io::overwrite(scratch / "run/log.txt", "first line\nwarning: so so\n");
    const std::string html = report_of({scratch / "run"}), data = data_of(html);
    EXPECT_EQ(io::first_json_error(data), std::nullopt);
    EXPECT_TRUE(has(html, "/*the script*/") && has(html, "/*the style*/"));
    EXPECT_TRUE(has(data, R"("outcome": "done")"));
    EXPECT_TRUE(has(data, "kinetic_J"));
    EXPECT_TRUE(has(data, R"(talus run scene.toml --out \"a b\")"));
    EXPECT_TRUE(has(data, R"("seed":"7")"));
    EXPECT_TRUE(has(data, "[materials.stone]"));
    EXPECT_TRUE(has(data, R"(first line\nwarning: so so)"));
    EXPECT_EQ(times_in(data, "data:image/png;base64,"), can_paint() ? 5u : 0u);
}

TEST(HtmlReport, RunWithoutAnEndHasAReport)
{
    const io::Scratch scratch;
    io::run_to<3>(scratch / "run", 4);
    std::ofstream(scratch / "run/series.csv", std::ios::app) << "0.005,5,"; // it was writing
    EXPECT_TRUE(has(data_of(report_of({scratch / "run"})), R"("summary":null)"));
}

TEST(HtmlReport, NothingInARunEndsTheScript)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "run", 4);
    const std::string hostile = "</script><script>alert(1)</script><!--";
    io::overwrite(scratch / "run/scene.toml", "[scene]\nname = \"" + hostile + "\"\n");
    io::overwrite(scratch / "run/log.txt", hostile + "\xff\n");
    io::overwrite(scratch / "run/summary.json", R"({"outcome": "failed", "exit_reason": ")" + hostile + R"("})");
    const std::string html = report_of({scratch / "run"});
    EXPECT_EQ(times_in(html, "<script"), 2u);
    EXPECT_EQ(times_in(html, "</script"), 2u);
    EXPECT_EQ(times_in(html, "<!--"), 0u);
    EXPECT_TRUE(has(html, "<title>&lt;/script&gt;"));
    EXPECT_EQ(io::first_json_error(data_of(html)), std::nullopt);
}

TEST(HtmlReport, AbsentValuesAreNull)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "run", 4);
    io::overwrite(scratch / "run/series.csv", "time_s,a,b,c,d\n0,,1,5,nan\n1,2,1,,inf\n");
    const std::string data = data_of(report_of({scratch / "run"}));
    // b never changes and is one number, d has no value at all
    EXPECT_TRUE(has(data, R"("values":[[0,1],[null,2],1,[5,null],null])")) << data.substr(data.find("\"series\""), 200);
}

TEST(HtmlReport, LongSeriesKeepEndsAndExtremes)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "run", 4);
    std::string series = "time_s,wave\n";
    constexpr int lines = 50'000;
    for (int i = 0; i < lines; ++i) {
        series += fmt::format("{},{}\n", i, i == 31'415 ? -12.5 : i == 27'182 ? 99.5 : 0.5 + i % 2);
    }
    io::overwrite(scratch / "run/series.csv", series);
    const std::string data = data_of(report_of({scratch / "run"}));
    EXPECT_TRUE(has(data, R"("lines":50000)"));
    EXPECT_TRUE(has(data, "-12.5") && has(data, "99.5"));
    const std::string values = data.substr(data.find("\"values\""));
    EXPECT_TRUE(has(values, "[[0,1,")) << "the first line, then the beginning of the first bunch";
    EXPECT_TRUE(has(values, ",49999],"));
    EXPECT_LE(times_in(values.substr(0, values.find("],")), ","), 2000u);
}

TEST(HtmlReport, TwoRunsShareOnePage)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "one", 20);
    io::run_to<3>(scratch / "other", 30);
    const std::string data = data_of(report_of({scratch / "one", scratch / "other"}));
    EXPECT_EQ(io::first_json_error(data), std::nullopt);
    EXPECT_TRUE(has(data, R"("folder":"one")") && has(data, R"("folder":"other")"));
    EXPECT_TRUE(has(data, R"("dimension":2)") && has(data, R"("dimension":3)"));
}

TEST(HtmlReport, DamageIsNamed)
{
    const io::Scratch scratch;
    EXPECT_TRUE(has(refusal(scratch / "nowhere"), "is not a folder"));
    EXPECT_TRUE(has(refusal(scratch.path()), "has no run.h5"));

    io::run_to<2>(scratch / "run", 20);
    const std::string series = io::contents(scratch / "run/series.csv");
    io::overwrite(scratch / "run/series.csv", series + "1,2,3\n");
    EXPECT_TRUE(has(refusal(scratch / "run"), "series.csv:12: 3 fields, but"));
    io::overwrite(scratch / "run/series.csv", "time_s\nsoon\n");
    EXPECT_TRUE(has(refusal(scratch / "run"), "series.csv:2: \"soon\" is not a number"));
    io::overwrite(scratch / "run/series.csv", "step,time_s\n");
    EXPECT_TRUE(has(refusal(scratch / "run"), "series.csv: its first column is not time_s"));
    fs::remove(scratch / "run/series.csv");
    EXPECT_TRUE(has(refusal(scratch / "run"), "series.csv: is missing"));
    io::overwrite(scratch / "run/series.csv", series);

    io::overwrite(scratch / "run/summary.json", "{\"outcome\": \"done\",\n\"steps\": NaN}");
    EXPECT_TRUE(has(refusal(scratch / "run"), "summary.json:2: is damaged"));
    fs::remove(scratch / "run/summary.json");

    const fs::path block = io::list_blocks(scratch / "run").front().file;
    io::overwrite(block, io::contents(block).substr(0, 700));
    EXPECT_TRUE(has(refusal(scratch / "run"), block.filename().string()));
}

TEST(HtmlReport, NewerVersionIsNamed)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "run", 4);
    io::Hdf5Writer file(scratch / "run/run.h5");
    file.attribute("format", std::string("talus-run"));
    file.attribute("format_version", io::format_version + 1);
    file.attribute("dimension", std::int64_t{2});
    file.commit();
    EXPECT_TRUE(has(refusal(scratch / "run"), "a newer one is needed"));
}

TEST(RunText, JsonIsSoundOrItsFirstErrorIsFound)
{
    for (const char* sound : {"{}", "[]", " null ", R"({"a": [1, -2.5e-3, true, "x\"\u00e4"], "b": {}})"}) {
        EXPECT_EQ(io::first_json_error(sound), std::nullopt) << sound;
    }
    EXPECT_EQ(io::first_json_error(R"({"a": 1)"), 7u);
    EXPECT_EQ(io::first_json_error(R"({"a": nan})"), 6u);
    EXPECT_EQ(io::first_json_error("[1,]"), 3u);
    EXPECT_EQ(io::first_json_error("1 2"), 2u);
    EXPECT_EQ(io::first_json_error(""), 0u);
    EXPECT_TRUE(io::first_json_error("01").has_value());
    EXPECT_TRUE(io::first_json_error("\"line\nbreak\"").has_value());
    EXPECT_TRUE(io::first_json_error(std::string(1000, '[')).has_value());
}

} // namespace
} // namespace talus::report
