// The structs of scene_parts.hpp as tables: which member is which key.
#pragma once

#include "talus/api/scene_parts.hpp"
#include "talus/scene/value.hpp"

#include <vector>

namespace talus {

struct Field {
    const char* key;
    scene::Value value; // null where nothing was given
};

// One table; `kind` is the word that chooses among several, such as type = "gravity".
struct Fields {
    const char* kind;
    std::vector<Field> fields;
};

Fields fields_of(const shape::Any& shape);
Fields fields_of(const generator::Any& generator);
Fields fields_of(const driver::Any& driver);
Fields fields_of(const gauge::Any& gauge);
Fields fields_of(const SceneBody& body);                         // with its shape
std::vector<Field> fields_of(const section::Material& material); // but for its name
std::vector<Field> fields_of(const section::Law& law);
std::vector<Field> fields_of(const section::Rest& rest);
std::vector<Field> fields_of(const section::Start& start);
std::vector<Field> fields_of(const section::Solver& solver);
std::vector<Field> fields_of(const section::Crowd& crowd);
std::vector<Field> fields_of(const section::Exit& exit);
std::vector<Field> fields_of(const section::Line& line);
std::vector<Field> fields_of(const section::Door& door);
std::vector<Field> fields_of(const section::Walkers& walkers);
std::vector<Field> fields_of(const section::Dem& dem);
std::vector<Field> fields_of(const section::Event& event);
std::vector<Field> fields_of(const section::Partition& partition);
std::vector<Field> fields_of(const section::Quality& quality);
std::vector<Field> fields_of(const section::Detection& detection);
std::vector<Field> fields_of(const section::Output& output);

// The fields that were given.
scene::Value table_of(const std::vector<Field>& fields);
scene::Value table_of(const char* discriminator, const Fields& fields);

} // namespace talus
