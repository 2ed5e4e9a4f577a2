#include "talus/io/runs/summary.hpp"

#include "talus/io/files/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace talus::io {

namespace {

void write_partition(JsonWriter& json, const PartitionStatistics& partition)
{
    if (partition.parts == 0) return;
    const auto extremes = [&](const char* name, const std::vector<std::int64_t>& counts) {
        const auto ends = std::minmax_element(counts.begin(), counts.end());
        json.object(name, [&] {
            json.entry("min", *ends.first);
            json.entry("max", *ends.second);
        });
    };
    json.object("partition", [&] {
        json.entry("parts", std::int64_t{partition.parts});
        extremes("grains", partition.grains);
        extremes("contacts", partition.contacts);
        json.entry("interface_contacts", partition.interface);
        json.entry("interface_share", partition.interface_share());
        json.entry("balance", partition.balance());
    });
}

void write_tally(JsonWriter& json, const Tally& tally)
{
    json.object("wall_time_s", [&] {
        json.entry("total", tally.wall_seconds);
        for (std::size_t p = 0; p < tally.phase_seconds.size(); ++p) {
            json.entry(phase_name(Phase(p)), tally.phase_seconds[p]);
        }
    });
    json.entry("steps", tally.steps);
    json.object("contacts", [&] {
        json.entry("last", tally.contacts_last);
        json.entry("max", tally.contacts_max);
    });
    json.object("solver", [&] {
        json.entry("name", std::string_view(tally.solver));
        json.entry("capped", tally.solves_capped);
        json.entry("stalled", tally.solves_stalled);
        json.entry("diverged", tally.solves_diverged);
        json.entry("contacts_left_out", tally.left_out_max);
    });
    json.object("sweeps", [&] {
        json.entry("total", tally.sweeps_total);
        json.entry("mean", tally.mean_sweeps());
        json.entry("max", tally.sweeps_max);
    });
    json.object("residual", [&] {
        json.entry("last", tally.residual_last);
        json.entry("worst", tally.residual_worst);
        json.entry("steps_over_tolerance", tally.steps_over_tolerance);
    });
    write_partition(json, tally.partition_last);
    json.entry("reproducible", tally.reproducible);
}

void write_estimate(JsonWriter& json, const EstimateTerms& terms)
{
    json.object("estimate_10_3", [&] {
        json.entry("process", std::string_view(terms.process));
        json.entry("n_c", terms.contacts);
        json.entry("n_t", terms.steps);
        json.entry("h_bar", terms.normalised_step);
        json.entry("n_ddm", terms.sweeps);
        json.entry("interpenetration_percent", estimated_interpenetration(terms));
    });
}

void write_quality(JsonWriter& json, const QualitySummary& quality, const Tally& tally)
{
    json.object("quality", [&] {
        json.entry("residual_asked", quality.residual ? std::optional(quality.residual->asked) : std::nullopt);
        json.entry("residual_tightest", quality.residual ? std::optional(quality.residual->tightest) : std::nullopt);
        json.entry("residual_worst", tally.residual_worst);
        json.entry("steps_reached", tally.steps - tally.steps_over_tolerance);
        json.entry("steps_not_reached", tally.steps_over_tolerance);
        json.entry("interpenetration_limit", quality.interpenetration_limit);
        json.entry("interpenetration_max", tally.interpenetration_max);
        json.entry("contact_gain", tally.contact_gain);
        if (quality.estimate) write_estimate(json, *quality.estimate);
        if (!quality.advice.empty()) json.entry("advice", std::string_view(quality.advice));
    });
}

void write_tree(JsonWriter& json, const scene::Value& value)
{
    if (value.is_table()) {
        json.open('{');
        for (const auto& [key, entry] : value.entries()) {
            json.key(key);
            write_tree(json, entry);
        }
        json.close('}');
    } else if (value.is_list()) {
        json.open('[');
        for (const scene::Value& item : value.list()) {
            json.item();
            write_tree(json, item);
        }
        json.close(']');
    } else if (value.is_text()) {
        json.value(std::string_view(value.text()));
    } else if (value.is_boolean()) {
        json.value(value.boolean());
    } else if (value.is_integer()) {
        json.value(value.integer());
    } else {
        json.value(value.is_number() ? std::optional(value.number()) : std::nullopt);
    }
}

} // namespace

std::string to_json(const Summary& summary)
{
    JsonWriter json;
    json.open('{');
    json.entry("outcome", std::string_view(summary.end.outcome));
    json.entry("exit_reason", std::string_view(summary.end.reason));
    json.entry("exit_status", std::int64_t{summary.end.status});
    json.entry("simulated_time_s", summary.simulated_time);
    json.entry("bodies", std::int64_t(summary.bodies));
    json.entry("grains", std::int64_t(summary.grains));
    json.entry("bodies_left", std::int64_t(summary.left));
    write_tally(json, summary.tally);
    json.entry("method_steps", summary.parts * summary.tally.steps);
    write_quality(json, summary.quality, summary.tally);
    json.object("gauges", [&] {
        for (const auto& line : summary.gauges) {
            json.object(line.gauge, [&] { write_reading(json, line.reading); });
        }
    });
    for (const auto& [name, results] : summary.meters) {
        json.key(name);
        write_tree(json, results);
    }
    json.key("warnings");
    json.open('[');
    for (const std::string& warning : summary.tally.warnings) {
        json.item();
        json.value(std::string_view(warning));
    }
    json.close(']');
    json.entry("state_hash", std::string_view(fmt::format("{:016x}", summary.state_hash)));
    json.entry("threads", std::int64_t{summary.threads});
    json.entry("version", std::string_view(summary.version));
    json.close('}');
    return json.take();
}

void write_summary(const std::filesystem::path& file, const Summary& summary) { write_durably(file, to_json(summary)); }

std::string read_outcome(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return summary_text(text, "outcome");
}

std::string summary_text(std::string_view summary, std::string_view key)
{
    const std::string before = fmt::format("\"{}\": \"", key);
    const auto at = summary.find(before);
    if (at == std::string_view::npos) return {};
    const auto begin = at + before.size();
    for (auto end = begin; end < summary.size(); ++end) {
        if (summary[end] == '\\') {
            ++end;
        } else if (summary[end] == '"') {
            return std::string(summary.substr(begin, end - begin));
        }
    }
    return {};
}

} // namespace talus::io
