#include "talus/partition/partition_schema.hpp"

#include "talus/partition/metis.hpp"

#include <cmath>

namespace talus {

using namespace scene;

namespace {

constexpr double most_parts = 1e5;

bool is_whole(const Value& value) { return value.is_number() && value.number() == std::floor(value.number()); }

std::string axes_of(int dimension) { return dimension == 2 ? "[n_x, n_y]" : "[n_x, n_y, n_z]"; }

void check_boxes(std::vector<Mistake>& mistakes, const Value& root, const Value& boxes)
{
    const int dimension = dimension_of(root);
    if (dimension != 0 && boxes.list().size() != std::size_t(dimension)) {
        mistakes.push_back(mistake(boxes, "must be " + axes_of(dimension) + ": one number per axis"));
    }
    double product = 1;
    for (const Value& count : boxes.list()) {
        if (!is_whole(count)) {
            mistakes.push_back(mistake(count, "must be a whole number of boxes"));
            return;
        }
        product *= count.number();
    }
    if (product > most_parts) mistakes.push_back(mistake(boxes, "makes more than 1e5 boxes"));
}

} // namespace

Key partition_schema()
{
    return table(
               "partition", "Sub-domains of the solvers that use them (solver.name = \"ddm\" and others).",
               {choice("method",
                       "cuts that balance the contacts (rcb), equal boxes, or the graph of contacts (metis); \"auto\": "
                       "boxes where they are given, else rcb",
                       {"auto", "rcb", "boxes", "metis"})
                    .otherwise(Value("auto")),
                integer("parts", "sub-domains; \"auto\": one per 4000 contacts, 48 at most")
                    .at_least(1)
                    .at_most(most_parts)
                    .automatic(),
                numbers("boxes", "boxes along each axis, over the centres of the free grains")
                    .at_least(1)
                    .at_most(most_parts)
                    .entries(2, 3)})
        .otherwise(Value::table());
}

std::vector<Mistake> partition_problems(const Value& root)
{
    std::vector<Mistake> mistakes;
    const Value* partition = root.find("partition");
    const Value* method = partition ? partition->find("method") : nullptr;
    if (!method || !method->is_text()) return mistakes;
    const Value* boxes = partition->find("boxes");
    const Value* parts = partition->find("parts");
    if (boxes && boxes->is_list()) {
        check_boxes(mistakes, root, *boxes);
        if (method->is_text("rcb") || method->is_text("metis")) {
            mistakes.push_back(mistake(*boxes, "belongs to method = \"boxes\", and the method is " + method->shown()));
        } else if (parts && parts->is_number()) {
            mistakes.push_back(mistake(*parts, "boxes say how many there are; leave one of the two out"));
        }
    } else if (method->is_text("boxes") && !boxes) {
        mistakes.push_back(mistake_of_missing(*partition, "boxes",
                                              "method = \"boxes\" needs them, such as boxes = " +
                                                  std::string(dimension_of(root) == 2 ? "[2, 2]" : "[2, 2, 1]")));
    }
    if (method->is_text("metis") && !has_metis()) {
        mistakes.push_back(mistake(*method, "this talus was built without METIS; use \"rcb\" or \"boxes\""));
    }
    return mistakes;
}

PartitionOptions partition_options(const Value& partition)
{
    PartitionOptions options;
    const Value* boxes = partition.find("boxes");
    options.method = partition.at("method").text();
    if (options.method == "auto") options.method = boxes ? "boxes" : "rcb";
    if (!partition.at("parts").is_text()) options.parts = int(partition.at("parts").integer());
    if (boxes) {
        for (const double count : boxes->numbers()) options.boxes.push_back(int(count));
    }
    return options;
}

} // namespace talus
