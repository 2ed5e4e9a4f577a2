// Walks the tree along the schema: converts to SI units, fills defaults, and collects every problem.
#include "talus/scene/describe.hpp"
#include "talus/scene/place.hpp"
#include "talus/scene/schema.hpp"
#include "talus/scene/suggestion.hpp"

#include <algorithm>
#include <cmath>

namespace talus::scene {

namespace {

constexpr double largest_number = 1e30;
constexpr std::size_t most_problems = 1000; // a file of nonsense must not fill the memory with complaints

bool is_section(const Key& key)
{
    return key.kind == Kind::table || key.kind == Kind::named_tables || key.kind == Kind::tables;
}

std::string meaning(const Key& key) { return is_section(key) ? "" : " (" + key.doc + ")"; }

class Validator {
  public:
    explicit Validator(int dimension) : dimension_(dimension) {}

    void check_keys(const std::vector<const Key*>& keys, Value& table, const Key* owner, const Variant* variant)
    {
        Value::Table ordered;
        for (const Key* key : keys) {
            if (Value* given = table.find(key->name)) {
                check(*key, *given);
                ordered.emplace_back(key->name, std::move(*given));
            } else if (key->is_required) {
                report(mistake_of_missing(table, key->name,
                                          "missing" + meaning(*key) + "; give " + expected(*key, dimension_)));
            } else if (const auto& otherwise = key->default_value(dimension_)) {
                Value value = *otherwise;
                place(value, child_path(table.path, key->name), table.where.file);
                if (value.is_table()) check(*key, value);
                ordered.emplace_back(key->name, std::move(value));
            }
        }
        for (auto& [name, value] : table.entries()) {
            const auto is_this = [&name = name](const Key* key) { return key->name == name; };
            if (std::ranges::any_of(keys, is_this)) continue;
            if (owner && owner->discriminator == name) {
                ordered.insert(ordered.begin(), {name, std::move(value)});
                continue;
            }
            report_unknown(keys, name, value, owner, variant);
            ordered.emplace_back(name, std::move(value));
        }
        table.entries() = std::move(ordered);
    }

    std::vector<Mistake> mistakes()
    {
        sort_by_place(mistakes_);
        if (uncounted_ > 0) {
            mistakes_.emplace_back().message = "and " + std::to_string(uncounted_) + " further mistakes";
        }
        return std::move(mistakes_);
    }

  private:
    void check(const Key& key, Value& value)
    {
        if (value.is_text() && std::ranges::find(key.words, value.text()) != key.words.end()) return;
        switch (key.kind) {
        case Kind::boolean:
            if (!value.is_boolean()) wrong_type(key, value);
            break;
        case Kind::integer:
            check_integer(key, value);
            break;
        case Kind::number:
            check_number(key, value);
            break;
        case Kind::text:
            if (!value.is_text()) wrong_type(key, value);
            break;
        case Kind::choice:
            check_choice(key, key.choices, value);
            break;
        case Kind::vector:
            check_vector(key, value);
            break;
        case Kind::rotation:
            if (dimension_ == 2 || (dimension_ == 0 && !value.is_list())) {
                check_number(key, value);
            } else {
                check_vector(key, value);
            }
            break;
        case Kind::number_or_pair:
            check_number_or_pair(key, value);
            break;
        case Kind::numbers:
        case Kind::texts:
        case Kind::vectors:
        case Kind::vector_lists:
            check_list(key, value);
            break;
        case Kind::cumulative:
            check_list(key, value);
            if (value.is_list()) check_rising(value);
            break;
        case Kind::table:
            if (!value.is_table()) {
                wrong_type(key, value);
            } else {
                check_table(key, value);
            }
            break;
        case Kind::named_tables:
            check_named_tables(key, value);
            break;
        case Kind::tables:
            check_tables(key, value);
            break;
        }
    }

    void check_integer(const Key& key, Value& value)
    {
        // 1e4 is an integer to a person, a float to TOML
        constexpr double exact = 9007199254740992.0; // 2^53
        if (value.is_number() && !value.is_integer()) {
            const double number = value.number();
            if (std::isfinite(number) && std::abs(number) <= exact && number == std::floor(number)) {
                value.become(std::int64_t(number));
            }
        }
        if (!value.is_integer()) return wrong_type(key, value);
        if (!key.range.contains(double(value.integer()))) out_of_range(key, value);
    }

    void check_number(const Key& key, Value& value)
    {
        if (value.is_text()) {
            double number = 0;
            if (!read_quantity(key, value, number)) return;
            value.become(number);
            check_range(key, number, value);
        } else if (value.is_number()) {
            value.become(value.number());
            check_range(key, value.number(), value);
        } else {
            wrong_type(key, value);
        }
    }

    bool read_quantity(const Key& key, const Value& value, double& number)
    {
        const Dimension wanted = unit_of(key.unit(dimension_)).dimension;
        Quantity quantity;
        const std::string wrong = parse_quantity(value.text(), quantity);
        if (!wrong.empty()) {
            const std::string near = nearest(value.text(), key.words);
            const std::string meant = near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)";
            report(mistake(value, wrong + meant + "; must be " + expected(key, dimension_)));
            return false;
        }
        if (quantity.dimension == wanted && (quantity.has_unit || wanted == Dimension{})) {
            number = quantity.value;
            return true;
        }
        if (!quantity.has_unit) {
            report(mistake(value, "has no unit; must be " + expected(key, dimension_) +
                                      ", or a number without quotes in " + key.unit(dimension_)));
            return false;
        }
        const std::string given = quantity.dimension == Dimension{} ? "a pure number" : si_unit(quantity.dimension);
        report(mistake(value, "the unit does not fit (it is " + given + "); must be " + expected(key, dimension_)));
        return false;
    }

    void check_range(const Key& key, double number, const Value& value)
    {
        if (!std::isfinite(number)) {
            report(mistake(value, "is not a finite number; must be " + expected(key, dimension_)));
        } else if (std::abs(number) > largest_number) {
            report(mistake(value, "is too large (limit 1e30); must be " + expected(key, dimension_)));
        } else if (!key.range.contains(number)) {
            out_of_range(key, value);
        }
    }

    void check_choice(const Key& key, const std::vector<Choice>& choices, Value& value)
    {
        if (!value.is_text()) return wrong_type(key, value);
        const Choice* choice = find_choice(choices, value.text());
        if (!choice) {
            report(mistake(value, "is not known; " + suggestion(value.text(), words_of(choices, dimension_))));
        } else {
            check_dimension(*choice, value);
        }
    }

    void check_dimension(const Choice& choice, const Value& value)
    {
        if (choice.dimension == 0 || dimension_ == 0 || choice.dimension == dimension_) return;
        std::string message = "exists only in " + std::to_string(choice.dimension) + "D, this scene is in " +
                              std::to_string(dimension_) + "D";
        if (!choice.instead.empty()) message += "; take " + in_quotes(choice.instead);
        report(mistake(value, message));
    }

    void check_vector(const Key& key, Value& value)
    {
        if (!value.is_list()) return wrong_type(key, value);
        const std::size_t size = value.list().size();
        const bool fits = dimension_ == 0 ? size == 2 || size == 3 : size == std::size_t(dimension_);
        if (!fits) {
            const std::string components = size == 1 ? " component" : " components";
            report(
                mistake(value, "has " + std::to_string(size) + components + "; must be " + expected(key, dimension_)));
            return;
        }
        const std::size_t problems_before = mistakes_.size();
        bool all_zero = true;
        for (Value& component : value.list()) {
            check_number(key, component);
            all_zero = all_zero && component.is_number() && component.number() == 0;
        }
        if (key.is_nonzero && all_zero && mistakes_.size() == problems_before) {
            report(mistake(value, "gives no direction: its components must not all be zero"));
        }
    }

    void check_number_or_pair(const Key& key, Value& value)
    {
        if (!value.is_list()) return check_number(key, value);
        if (value.list().size() != 2) return wrong_type(key, value);
        for (Value& number : value.list()) check_number(key, number);
        const Value& lower = value.list()[0];
        const Value& upper = value.list()[1];
        if (lower.is_number() && upper.is_number() && lower.number() > upper.number()) {
            report(mistake(value, "the first of the pair must not exceed the second"));
        }
    }

    void check_list(const Key& key, Value& value)
    {
        if (!value.is_list()) return wrong_type(key, value);
        const std::size_t size = value.list().size();
        if (size < key.least_entries || size > key.most_entries) {
            const std::string entries = size == 1 ? " entry" : " entries";
            report(mistake(value, "has " + std::to_string(size) + entries + "; must be " + expected(key, dimension_)));
        }
        for (Value& entry : value.list()) {
            if (key.kind == Kind::numbers) check_number(key, entry);
            if (key.kind == Kind::vectors) check_vector(key, entry);
            if (key.kind == Kind::vector_lists) check_vectors(key, entry);
            if (key.kind == Kind::cumulative) check_share(key, entry);
            if (key.kind != Kind::texts) continue;
            if (!key.choices.empty()) {
                check_choice(key, key.choices, entry);
            } else if (!entry.is_text()) {
                wrong_type(key, entry);
            }
        }
    }

    void check_vectors(const Key& key, Value& value)
    {
        if (!value.is_list()) return wrong_type(key, value);
        for (Value& entry : value.list()) check_vector(key, entry);
    }

    void check_share(const Key& key, Value& pair)
    {
        if (!pair.is_list() || pair.list().size() != 2) return wrong_type(key, pair);
        check_number(key, pair.list()[0]);
        check_number(number(key.name, "share").at_least(0).at_most(1), pair.list()[1]);
    }

    void check_rising(const Value& curve)
    {
        const auto is_pair = [](const Value& pair) {
            return pair.is_list() && pair.list().size() == 2 && pair.list()[0].is_number() &&
                   pair.list()[1].is_number();
        };
        const auto& pairs = curve.list();
        if (pairs.size() < 2 || !std::ranges::all_of(pairs, is_pair)) return;
        for (std::size_t k = 1; k < pairs.size(); ++k) {
            const auto &before = pairs[k - 1].list(), &here = pairs[k].list();
            if (!(here[0].number() > before[0].number())) report(mistake(here[0], "must exceed " + before[0].shown()));
            if (here[1].number() < before[1].number()) {
                report(mistake(here[1], "must be at least " + before[1].shown() + ", the share before it"));
            }
        }
        if (const Value& first = pairs.front().list()[1]; first.number() != 0) {
            report(mistake(first, "the first share must be 0"));
        }
        if (const Value& last = pairs.back().list()[1]; last.number() != 1) {
            report(mistake(last, "the last share must be 1"));
        }
    }

    void check_named_tables(const Key& key, Value& value)
    {
        if (!value.is_table()) return wrong_type(key, value);
        if (value.entries().size() < key.least_entries) {
            report(mistake(value, "is empty; must be " + expected(key, dimension_)));
        }
        for (auto& [name, entry] : value.entries()) {
            if (name.empty()) report(mistake_of_key(entry, "a name must not be empty"));
            if (entry.is_table()) {
                check_table(key, entry);
            } else {
                report(mistake(entry, "must be a table, written [" + entry.path + "]"));
            }
        }
    }

    void check_tables(const Key& key, Value& value)
    {
        if (!value.is_list()) return wrong_type(key, value);
        for (Value& entry : value.list()) {
            if (entry.is_table()) {
                check_table(key, entry);
            } else {
                wrong_type(key, entry);
            }
        }
    }

    void check_table(const Key& key, Value& table)
    {
        const Variant* variant = nullptr;
        if (!key.discriminator.empty()) variant = choose_variant(key, table);
        std::vector<const Key*> keys;
        for (const Key& common : key.keys) {
            const bool excluded = variant && std::ranges::find(variant->without, common.name) != variant->without.end();
            if (!excluded) keys.push_back(&common);
        }
        if (variant) {
            for (const Key& own : variant->keys) keys.push_back(&own);
        }
        check_keys(keys, table, &key, variant);
    }

    const Variant* choose_variant(const Key& key, Value& table)
    {
        const std::vector<Choice> names = variant_names(key);
        const Value* name = table.find(key.discriminator);
        if (!name) {
            report(mistake_of_missing(table, key.discriminator,
                                      "missing; give one of " + listed(words_of(names, dimension_))));
            return nullptr;
        }
        if (!name->is_text()) {
            report(mistake(*name, "must be a text, one of " + listed(words_of(names, dimension_))));
            return nullptr;
        }
        const Variant* variant = find_variant(key, name->text());
        if (!variant) {
            report(mistake(*name, "is not known; " + suggestion(name->text(), words_of(names, dimension_))));
        } else {
            check_dimension(variant->name, *name);
        }
        return variant;
    }

    void report_unknown(const std::vector<const Key*>& keys, const std::string& name, const Value& value,
                        const Key* owner, const Variant* variant)
    {
        std::vector<std::string> known, elsewhere;
        for (const Key* key : keys) known.push_back(key->name);
        if (owner && !owner->discriminator.empty()) {
            known.insert(known.begin(), owner->discriminator);
            for (const Variant& other : owner->variants) {
                if (find_key(other.keys, name)) elsewhere.push_back(other.name.word);
            }
        }
        if (!variant && !elsewhere.empty()) return; // the variant itself is the problem, and is reported
        if (variant && std::ranges::find(variant->without, name) != variant->without.end()) {
            report(mistake_of_key(value,
                                  in_quotes(variant->name.word) + " takes no such key: " + variant->without_reason));
            return;
        }
        std::string message = "unknown key";
        if (variant && !elsewhere.empty()) {
            message = "is no key of " + owner->discriminator + " = " + in_quotes(variant->name.word) + ", only of " +
                      listed(elsewhere);
        }
        const std::string help = suggestion(name, known);
        report(mistake_of_key(value, help.empty() ? message : message + "; " + help));
    }

    void wrong_type(const Key& key, const Value& value)
    {
        std::string allowed = expected(key, dimension_);
        if (key.kind == Kind::tables) { // the header in full: [[contact.pairs]]
            allowed = "a list of tables, each written [[" + value.path.substr(0, value.path.rfind('[')) + "]]";
        }
        std::string message = "must be " + allowed + ", not " + value.type_name();
        if (value.is_text()) {
            const std::string near = nearest(value.text(), key.words);
            if (!near.empty()) message = "did you mean " + in_quotes(near) + "? " + message;
        }
        report(mistake(value, std::move(message)));
    }

    void out_of_range(const Key& key, const Value& value)
    {
        report(mistake(value, "is out of range; must be " + expected(key, dimension_)));
    }

    void report(Mistake problem)
    {
        if (mistakes_.size() < most_problems) {
            mistakes_.push_back(std::move(problem));
        } else {
            ++uncounted_;
        }
    }

    int dimension_;
    std::vector<Mistake> mistakes_;
    std::size_t uncounted_ = 0;
};

} // namespace

std::vector<Mistake> Schema::validate(Value& root) const
{
    if (!root.is_table()) return {mistake(root, "a scene is a table of sections")};
    Validator validator(dimension_of(root));
    std::vector<const Key*> keys;
    for (const Key& section : sections_) keys.push_back(&section);
    validator.check_keys(keys, root, nullptr, nullptr);
    return validator.mistakes();
}

} // namespace talus::scene
