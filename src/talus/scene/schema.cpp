#include "talus/scene/schema.hpp"

#include <cmath>

namespace talus::scene {

namespace {

Key key(Kind kind, std::string name, std::string doc)
{
    Key result;
    result.kind = kind;
    result.name = std::move(name);
    result.doc = std::move(doc);
    return result;
}

} // namespace

bool Range::contains(double number) const
{
    if (low_open ? !(number > low) : !(number >= low)) return false;
    return high_open ? number < high : number <= high;
}

std::string Range::shown() const
{
    const bool has_low = std::isfinite(low);
    const bool has_high = std::isfinite(high);
    if (has_low && has_high) {
        return "in " + std::string(low_open ? "(" : "[") + plain_number(low) + ", " + plain_number(high) +
               (high_open ? ")" : "]");
    }
    if (has_low) return (low_open ? "> " : "≥ ") + plain_number(low);
    if (has_high) return (high_open ? "< " : "≤ ") + plain_number(high);
    return {};
}

Key&& Key::in(std::string_view unit) && { return std::move(*this).in(unit, unit); }

Key&& Key::in(std::string_view unit_in_2d, std::string_view unit_in_3d) &&
{
    unit_2d = unit_in_2d;
    unit_3d = unit_in_3d;
    return std::move(*this);
}

Key&& Key::required() &&
{
    is_required = true;
    return std::move(*this);
}

Key&& Key::otherwise(Value value) &&
{
    default_2d = value;
    default_3d = std::move(value);
    return std::move(*this);
}

Key&& Key::otherwise(Value in_2d, Value in_3d) &&
{
    default_2d = std::move(in_2d);
    default_3d = std::move(in_3d);
    return std::move(*this);
}

Key&& Key::otherwise_zero() &&
{
    if (kind == Kind::vector) return std::move(*this).otherwise(Value::numbers({0, 0}), Value::numbers({0, 0, 0}));
    if (kind == Kind::rotation) return std::move(*this).otherwise(Value(0.0), Value::numbers({0, 0, 0}));
    return std::move(*this).otherwise(Value(0.0));
}

Key&& Key::or_word(std::string word) &&
{
    words.push_back(std::move(word));
    return std::move(*this);
}

Key&& Key::automatic() && { return std::move(*this).or_word("auto").otherwise(Value("auto")); }

Key&& Key::above(double low) &&
{
    range.low = low;
    range.low_open = true;
    return std::move(*this);
}

Key&& Key::at_least(double low) &&
{
    range.low = low;
    range.low_open = false;
    return std::move(*this);
}

Key&& Key::at_most(double high) &&
{
    range.high = high;
    range.high_open = false;
    return std::move(*this);
}

Key&& Key::below(double high) &&
{
    range.high = high;
    range.high_open = true;
    return std::move(*this);
}

Key&& Key::nonzero() &&
{
    is_nonzero = true;
    return std::move(*this);
}

Key&& Key::entries(std::size_t least, std::size_t most) &&
{
    least_entries = least;
    most_entries = most;
    return std::move(*this);
}

Key&& Key::among(std::vector<Choice> allowed) &&
{
    choices = std::move(allowed);
    return std::move(*this);
}

Key&& Key::among(std::vector<std::string> allowed) &&
{
    choices.clear();
    for (std::string& word : allowed) choices.push_back({std::move(word), 0, {}});
    return std::move(*this);
}

Key&& Key::varying_by(std::string discriminator_key, std::vector<Variant> by) &&
{
    discriminator = std::move(discriminator_key);
    variants = std::move(by);
    return std::move(*this);
}

Key boolean(std::string name, std::string doc) { return key(Kind::boolean, std::move(name), std::move(doc)); }
Key integer(std::string name, std::string doc) { return key(Kind::integer, std::move(name), std::move(doc)); }
Key number(std::string name, std::string doc) { return key(Kind::number, std::move(name), std::move(doc)); }
Key text(std::string name, std::string doc) { return key(Kind::text, std::move(name), std::move(doc)); }
Key choice(std::string name, std::string doc, std::vector<std::string> allowed)
{
    return key(Kind::choice, std::move(name), std::move(doc)).among(std::move(allowed));
}
Key vector(std::string name, std::string doc) { return key(Kind::vector, std::move(name), std::move(doc)); }
Key rotation(std::string name, std::string doc) { return key(Kind::rotation, std::move(name), std::move(doc)); }
Key number_or_pair(std::string name, std::string doc)
{
    return key(Kind::number_or_pair, std::move(name), std::move(doc));
}
Key numbers(std::string name, std::string doc) { return key(Kind::numbers, std::move(name), std::move(doc)); }
Key texts(std::string name, std::string doc) { return key(Kind::texts, std::move(name), std::move(doc)); }
Key vectors(std::string name, std::string doc) { return key(Kind::vectors, std::move(name), std::move(doc)); }
Key vector_lists(std::string name, std::string doc) { return key(Kind::vector_lists, std::move(name), std::move(doc)); }
Key cumulative(std::string name, std::string doc)
{
    return key(Kind::cumulative, std::move(name), std::move(doc)).entries(2);
}

Key table(std::string name, std::string doc, std::vector<Key> keys)
{
    Key result = key(Kind::table, std::move(name), std::move(doc));
    result.keys = std::move(keys);
    return result;
}

Key named_tables(std::string name, std::string doc, std::vector<Key> keys)
{
    Key result = key(Kind::named_tables, std::move(name), std::move(doc));
    result.keys = std::move(keys);
    return result;
}

Key tables(std::string name, std::string doc, std::vector<Key> keys)
{
    Key result = key(Kind::tables, std::move(name), std::move(doc));
    result.keys = std::move(keys);
    return result;
}

int dimension_of(const Value& root)
{
    const Value* section = root.find("scene");
    const Value* dimension = section ? section->find("dimension") : nullptr;
    if (!dimension || !dimension->is_number()) return 0;
    if (dimension->number() == 2) return 2;
    return dimension->number() == 3 ? 3 : 0;
}

} // namespace talus::scene
