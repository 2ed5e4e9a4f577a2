#include "talus/drivers/long_range/summation.hpp"

#include "talus/base/error.hpp"

namespace talus {

using namespace scene;

std::vector<Key> summation_keys()
{
    return {
        number("softening", "length ε: as if bodies were never nearer than that, 1/(r² + ε²)")
            .in("m")
            .at_least(0)
            .otherwise_zero(),
        choice("algorithm",
               "sum of all pairs (direct); one effective particle for each cell that is no neighbour (cells); a tree "
               "of cells (tree)",
               {"direct", "cells", "tree"})
            .otherwise(Value("tree")),
        number("cell", "edge of the cells, with algorithm = \"cells\"; \"auto\": near and far cost the same")
            .in("m")
            .above(0)
            .automatic(),
        number("angle", "opening angle, with algorithm = \"tree\": a cell is taken as a whole where its radius is less "
                        "than this times its distance; \"auto\": 0.6")
            .above(0)
            .at_most(1)
            .automatic(),
    };
}

namespace {

void refuse_key_of_other(const Value& driver, const char* key, const std::string& algorithm)
{
    const Value& given = driver.at(key);
    if (given.is_text() || driver.at("algorithm").text() == algorithm) return;
    throw InputError({mistake(given, "has no effect with algorithm = \"" + driver.at("algorithm").text() +
                                         "\", only with \"" + algorithm + "\"")});
}

double number_or(const Value& given, double otherwise) { return given.is_text() ? otherwise : given.number(); }

} // namespace

template <int D>
std::unique_ptr<Summation<D>> read_summation(const Value& driver)
{
    refuse_key_of_other(driver, "cell", "cells");
    refuse_key_of_other(driver, "angle", "tree");
    const std::string& algorithm = driver.at("algorithm").text();
    if (algorithm == "direct") return direct_sum<D>();
    if (algorithm == "cells") return effective_cells<D>(number_or(driver.at("cell"), 0));
    return tree_of_cells<D>(number_or(driver.at("angle"), usual_opening_angle));
}

template std::unique_ptr<Summation<2>> read_summation(const Value&);
template std::unique_ptr<Summation<3>> read_summation(const Value&);

} // namespace talus
