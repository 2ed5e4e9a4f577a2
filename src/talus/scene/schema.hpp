// The one description of a scene: it validates, fills defaults and documents. A Key says what may stand under one name;
// keys are made by the functions below and refined by chaining:
//     number("dt", "length of a step").in("s").above(0).required()
#pragma once

#include "talus/scene/units.hpp"
#include "talus/scene/value.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talus::scene {

enum class Kind {
    boolean,
    integer,
    number,
    text,
    choice,
    vector,         // as many numbers as the scene has dimensions
    rotation,       // about an axis: a number in 2D, a vector in 3D
    number_or_pair, // one number, or a lower and an upper one
    numbers,
    texts,
    vectors,
    vector_lists,
    cumulative, // pairs of a value and the share that lies below it: rising, from 0 to 1
    table,
    named_tables, // [materials.NAME]: the user chooses the names
    tables,       // [[bodies]]
};

struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false;
    bool high_open = false;
    bool contains(double number) const;
    std::string shown() const; // "> 0", "in [0, 1)"; "" where everything is allowed
};

// One word a choice allows; 0 where it exists in 2D and 3D alike.
struct Choice {
    std::string word;
    int dimension = 0;
    std::string instead; // what to take in the other dimension
};

struct Key;

// The keys that belong to one value of the discriminator, such as shape = "disk".
struct Variant {
    Choice name;
    std::string doc;
    std::vector<Key> keys;
    std::vector<std::string> without; // common keys that make no sense for it
    std::string without_reason;
};

struct Key {
    std::string name;
    Kind kind = Kind::table;
    std::string doc;

    std::string unit_2d, unit_3d; // SI, as shown; empty for a pure number
    bool is_required = false;
    std::optional<Value> default_2d, default_3d; // none: the key stays absent
    Range range;                                 // of a number and of each component
    bool is_nonzero = false;                     // a vector that gives a direction
    std::size_t least_entries = 0;
    std::size_t most_entries = std::numeric_limits<std::size_t>::max();
    std::vector<Choice> choices;    // of a choice, and of each entry of a list of texts
    std::vector<std::string> words; // accepted in place of the value, such as "auto"

    std::vector<Key> keys;         // of a table
    std::string discriminator;     // the key that names the variant; empty where there are no variants
    std::vector<Variant> variants; //

    Key&& in(std::string_view unit) &&;
    Key&& in(std::string_view unit_in_2d, std::string_view unit_in_3d) &&;
    Key&& required() &&;
    Key&& otherwise(Value value) &&; // the default
    Key&& otherwise(Value in_2d, Value in_3d) &&;
    Key&& otherwise_zero() &&;
    Key&& or_word(std::string word) &&; // accepted besides
    Key&& automatic() &&;               // "auto" is accepted and the default
    Key&& above(double low) &&;
    Key&& at_least(double low) &&;
    Key&& at_most(double high) &&;
    Key&& below(double high) &&;
    Key&& nonzero() &&;
    Key&& entries(std::size_t least, std::size_t most = std::numeric_limits<std::size_t>::max()) &&;
    Key&& among(std::vector<Choice> allowed) &&;
    Key&& among(std::vector<std::string> allowed) &&;
    Key&& varying_by(std::string discriminator_key, std::vector<Variant> by) &&;

    // 0: the scene's dimension is not known (yet); then 3D stands for both where something must be chosen
    const std::string& unit(int dimension) const { return dimension == 2 ? unit_2d : unit_3d; }
    const std::optional<Value>& default_value(int dimension) const { return dimension == 2 ? default_2d : default_3d; }
};

Key boolean(std::string name, std::string doc);
Key integer(std::string name, std::string doc);
Key number(std::string name, std::string doc);
Key text(std::string name, std::string doc);
Key choice(std::string name, std::string doc, std::vector<std::string> allowed);
Key vector(std::string name, std::string doc);
Key rotation(std::string name, std::string doc);
Key number_or_pair(std::string name, std::string doc);
Key numbers(std::string name, std::string doc);
Key texts(std::string name, std::string doc);
Key vectors(std::string name, std::string doc);
Key vector_lists(std::string name, std::string doc);
Key cumulative(std::string name, std::string doc);
Key table(std::string name, std::string doc, std::vector<Key> keys);
Key named_tables(std::string name, std::string doc, std::vector<Key> keys);
Key tables(std::string name, std::string doc, std::vector<Key> keys);

class Schema {
  public:
    explicit Schema(std::vector<Key> sections) : sections_(std::move(sections)) {}
    const std::vector<Key>& sections() const { return sections_; }

    // All mistakes of the scene. Where there are none, every number is in SI units, every default is written out, and
    // the keys of a table stand in the order of the schema. Takes any tree, never throws on bad input.
    std::vector<Mistake> validate(Value& root) const;

  private:
    std::vector<Key> sections_;
};

// 2 or 3; 0 where the scene does not say, or says something else.
int dimension_of(const Value& root);

// docs/scene-reference.md
std::string reference_markdown(const Schema& schema);

} // namespace talus::scene
