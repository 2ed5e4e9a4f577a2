#include "talus/io/runs/provenance.hpp"

#include "talus/io/files/hdf5_file.hpp"

#include <ctime>
#include <fstream>
#include <thread>

namespace talus::io {

std::string utc_now()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

Provenance provenance_here()
{
    Provenance here;
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; here.cpu.empty() && std::getline(in, line);) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) here.cpu = line.substr(colon + 2);
    }
    here.cores = int(std::thread::hardware_concurrency());
    here.started = utc_now();
    return here;
}

void write_provenance(Hdf5Writer& file, const Provenance& provenance)
{
    file.attribute("version", provenance.version);
    file.attribute("build", provenance.build);
    file.attribute("seed", std::int64_t(provenance.seed));
    file.attribute("command", provenance.command);
    file.attribute("threads", std::int64_t{provenance.threads});
    file.attribute("cpu", provenance.cpu);
    file.attribute("cores", std::int64_t{provenance.cores});
    file.attribute("started", provenance.started);
    file.texts("resumed", provenance.resumed);
}

Provenance read_provenance(const Hdf5Reader& file)
{
    Provenance provenance;
    provenance.version = file.text("version");
    provenance.build = file.text("build");
    provenance.seed = std::uint64_t(file.integer("seed"));
    provenance.command = file.text("command");
    provenance.threads = int(file.integer("threads"));
    provenance.cpu = file.text("cpu");
    provenance.cores = int(file.integer("cores"));
    provenance.started = file.text("started");
    provenance.resumed = file.texts("resumed");
    return provenance;
}

} // namespace talus::io
