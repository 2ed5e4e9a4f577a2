// The scene reference, from the same table that validates scenes.
#include "talus/scene/describe.hpp"
#include "talus/scene/schema.hpp"

namespace talus::scene {

namespace {

// A vertical bar would end the cell.
std::string cell(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '|') result += '\\';
        result += c;
    }
    return result;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string both(const std::string& in_2d, const std::string& in_3d)
{
    return in_2d == in_3d ? in_3d : in_2d + " (2D), " + in_3d + " (3D)";
}

std::string default_text(const Key& key)
{
    if (key.is_required) return "required";
    const auto shown = [](const std::optional<Value>& value) {
        return value && !value->is_table() ? code(value->shown()) : std::string();
    };
    return both(shown(key.default_2d), shown(key.default_3d));
}

std::string type_text(const Key& key)
{
    switch (key.kind) {
    case Kind::boolean:
        return "boolean";
    case Kind::integer:
        return "integer";
    case Kind::number:
        return "number";
    case Kind::text:
        return "text";
    case Kind::choice:
        return "choice";
    case Kind::vector:
        return "vector";
    case Kind::rotation:
        return "number (2D), vector (3D)";
    case Kind::number_or_pair:
        return "number or pair";
    case Kind::numbers:
        return "list of numbers";
    case Kind::texts:
        return "list of texts";
    case Kind::vectors:
        return "list of vectors";
    case Kind::vector_lists:
        return "list of lists of vectors";
    case Kind::cumulative:
        return "list of pairs";
    case Kind::table:
        return "table";
    case Kind::named_tables:
        return "tables by name";
    case Kind::tables:
        return "list of tables";
    }
    return {};
}

std::string allowed_text(const Key& key)
{
    std::string result;
    const auto add = [&](const std::string& part) {
        if (!part.empty()) result += (result.empty() ? "" : ", ") + part;
    };
    for (const Choice& choice : key.choices) {
        const std::string only = choice.dimension == 0 ? "" : " (" + std::to_string(choice.dimension) + "D)";
        add(code(in_quotes(choice.word)) + only);
    }
    add(key.range.shown());
    if (key.is_nonzero) add("not zero");
    const bool bounded = key.most_entries < std::numeric_limits<std::size_t>::max();
    if (bounded) {
        add(std::to_string(key.most_entries) + " entries");
    } else if (key.least_entries > 0) {
        add("at least " + std::to_string(key.least_entries));
    }
    for (const std::string& word : key.words) add(code(in_quotes(word)));
    return result;
}

std::string sentence(std::string text)
{
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
    return text + ".";
}

class Reference {
  public:
    void section(const Key& key, const std::string& path, int level)
    {
        const std::string name = path.empty() ? key.name : path + "." + key.name;
        heading(level, code(written(key, name)));
        text_ += key.doc + (key.is_required ? " Required.\n" : "\n");
        table(key.keys, key.discriminator, key.variants);
        for (const Variant& variant : key.variants) {
            const int dimension = variant.name.dimension;
            const std::string only = dimension == 0 ? "" : " (" + std::to_string(dimension) + "D only)";
            heading(level + 1, code(key.discriminator + " = " + in_quotes(variant.name.word)) + only);
            text_ += sentence(variant.doc);
            for (const std::string& excluded : variant.without) {
                text_ += " Takes no " + code(excluded) + ": " + variant.without_reason + ".";
            }
            text_ += "\n";
            table(variant.keys, {}, {});
            for (const Key& child : variant.keys) {
                if (is_section(child)) section(child, name, level + 2);
            }
        }
        for (const Key& child : key.keys) {
            if (is_section(child)) section(child, name, level + 1);
        }
    }

    std::string text_;

  private:
    static bool is_section(const Key& key)
    {
        return key.kind == Kind::table || key.kind == Kind::tables || key.kind == Kind::named_tables;
    }

    static std::string written(const Key& key, const std::string& name)
    {
        if (key.kind == Kind::tables) return "[[" + name + "]]";
        return key.kind == Kind::named_tables ? "[" + name + ".NAME]" : "[" + name + "]";
    }

    void heading(int level, const std::string& title)
    {
        text_ += "\n";
        text_.append(std::size_t(level), '#');
        text_ += " " + title + "\n\n";
    }

    void table(const std::vector<Key>& keys, const std::string& discriminator, const std::vector<Variant>& variants)
    {
        if (keys.empty() && discriminator.empty()) return;
        text_ += "\n| key | type | unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n";
        if (!discriminator.empty()) {
            std::string names;
            for (const Variant& variant : variants) {
                names += (names.empty() ? "" : ", ") + code(in_quotes(variant.name.word));
            }
            text_ += "| " + code(discriminator) + " | choice |  | required | " + names +
                     " | decides which of the keys below apply |\n";
        }
        for (const Key& key : keys) {
            if (is_section(key)) continue;
            const std::string unit = both(key.unit_2d, key.unit_3d);
            text_ += "| " + code(key.name) + " | " + type_text(key) + " | " + cell(unit) + " | " +
                     cell(default_text(key)) + " | " + cell(allowed_text(key)) + " | " + cell(key.doc) + " |\n";
        }
    }
};

} // namespace

std::string reference_markdown(const Schema& schema)
{
    Reference reference;
    reference.text_ =
        "# Scene reference\n\n"
        "Generated from the table that validates scenes; change that, not this page.\n\n"
        "A scene is a TOML file in UTF-8. A plain number is in the SI unit given here; a text carries its "
        "own unit: `\"25 mm\"`, `\"35 Hz\"`, `\"16 kN\"`, `\"2700 kg/m^3\"`, `\"45 deg\"`, `\"2 %\"`. "
        "Products, quotients and powers of m, g, t, s, min, h, Hz, N, Pa, bar, J, W, rad, deg, rev, rpm "
        "and % are understood, with the prefixes p, n, µ (u), m, c, d, h, k, M, G, T. A vector is a list "
        "of as many numbers as the scene has dimensions. A key without default that is not required may "
        "be left out. Sections that are not required may be left out too: their defaults are taken.\n";
    for (const Key& section : schema.sections()) reference.section(section, "", 2);
    return reference.text_;
}

} // namespace talus::scene
