// Where the numbers of a run come from: program, machine, command, time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace talus::io {

class Hdf5Writer;
class Hdf5Reader;

struct Provenance {
    std::string version; // of Talus
    std::string build;   // compiler and options, as `talus info` prints them
    std::uint64_t seed = 0;
    std::string command; // as typed
    int threads = 1;
    std::string cpu; // model
    int cores = 1;
    std::string started;              // UTC, ISO 8601
    std::vector<std::string> resumed; // "time: command", one per --resume
};

// cpu, cores and started from this machine, now; the rest is the caller's.
Provenance provenance_here();
std::string utc_now();

void write_provenance(Hdf5Writer& file, const Provenance& provenance);
Provenance read_provenance(const Hdf5Reader& file);

} // namespace talus::io
