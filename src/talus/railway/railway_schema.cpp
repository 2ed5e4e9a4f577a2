#include "talus/railway/railway_schema.hpp"

#include "talus/railway/operations.hpp"
#include "talus/railway/presets.hpp"

namespace talus {

using namespace scene;

namespace {

Key length_key(const char* name, const char* doc) { return number(name, doc).in("m").above(0); }

Key sleepers_section()
{
    return table("sleepers", "The sleepers, across the track; \"none\": a box of ballast.",
                 {choice("type", "one block of a two-block sleeper, a monobloc sleeper, or none",
                         {"block", "monobloc", "none"})
                      .otherwise(Value("block")),
                  integer("count", "along the track").at_least(1).at_most(1000).otherwise(Value(1)),
                  length_key("spacing", "between the middles of two").otherwise(Value(0.6)),
                  length_key("length", "along x, times scene.scale; \"auto\": 0.84 m, monobloc 2.6 m").automatic(),
                  length_key("width", "along y; \"auto\": 0.29 m, monobloc 0.30 m").automatic(),
                  length_key("height", "along z").otherwise(Value(0.22)),
                  number("mass", "of each; \"auto\": that of its concrete").in("kg").above(0).automatic(),
                  numbers("levels", "how much higher than `below` each underside lies; one per sleeper")
                      .in("m")
                      .otherwise(Value(Value::List{})),
                  text("material", "one of [materials]").otherwise(Value("concrete"))})
        .otherwise(Value::table());
}

Key tools_section()
{
    return table("tools", "Tamping tools: an inverted T, in two rows that face each other across the sleeper.",
                 {integer("count", "per rail, on both sides together, times scene.scale, at least one pair; 0: none")
                      .at_least(0)
                      .at_most(64)
                      .otherwise(Value(8)),
                  numbers("foot", "width, height and thickness of the foot")
                      .in("m")
                      .above(0)
                      .entries(3, 3)
                      .otherwise(Value::numbers({0.12, 0.07, 0.025})),
                  numbers("shaft", "width, thickness and length of the shaft above it")
                      .in("m")
                      .above(0)
                      .entries(3, 3)
                      .otherwise(Value::numbers({0.06, 0.03, 0.4})),
                  length_key("distance", "from the sleeper's side to the tool").otherwise(Value(0.15)),
                  length_key("clearance", "from the bed to the tip, at the start").otherwise(Value(0.005)),
                  length_key("pitch", "between two tools of a row").otherwise(Value(0.21)),
                  number("mass", "of a tool with its arm, as the squeeze feels it")
                      .in("kg")
                      .above(0)
                      .otherwise(Value(100.0)),
                  number("strength", "stress that the shaft bears in bending").in("Pa").above(0).otherwise(Value(9e8)),
                  text("material", "one of [materials]").otherwise(Value("steel"))})
        .otherwise(Value::table());
}

} // namespace

Key track_schema()
{
    return table(
        "track",
        "A piece of ballasted track (3D): sleepers lie along x, the rails would run along y. The sample is deposited, "
        "settled, carved and relaxed once (`talus prepare`), and kept." +
            track_preset_table(),
        {track_preset_key(),
         text("sample", "folder of the prepared sample, from the scene's folder; it is made where it is missing; "
                        "\"auto\": out/samples/ and a name that tells samples apart")
             .otherwise(Value("auto")),
         length_key("width", "of the box, along the sleepers (x), times scene.scale").otherwise(Value(2.0)),
         length_key("length", "of the box, along the track (y); times scene.scale where there is no sleeper")
             .otherwise(Value(0.9)),
         integer("grains", "of ballast that are left in the sample, times scene.scale (squared without sleepers); "
                           "\"auto\": as many as fill `height`")
             .at_least(1)
             .at_most(1e8)
             .automatic(),
         length_key("height", "of the bed, where `grains` does not say").otherwise(Value(0.55)),
         length_key("below", "ballast between the sub-layer and the undersides of the sleepers").otherwise(Value(0.3)),
         choice("sublayer", "below the ballast: a plane, or the lowest grains, fixed where they came to rest",
                {"plane", "grains"})
             .otherwise(Value("plane")),
         texts("shoulder", "sides of the box where the ballast is cut to a slope")
             .among(std::vector<std::string>{"left", "right"})
             .otherwise(Value(Value::List{})),
         length_key("crest", "from the end of the sleeper to where the slope begins").otherwise(Value(0.3)),
         number("slope", "of the shoulder, height over width").above(0).otherwise(Value(0.667)),
         text("library", "file of grains (`talus grains`), from the scene's folder; without it, ballast as of `talus "
                         "grains ballast`"),
         cumulative("sieve", "grading of that ballast: share of the mass that passes each mesh").in("m").above(0),
         integer("variety", "different grains of that ballast").at_least(1).at_most(1e6).otherwise(Value(996)),
         number("settle_friction", "of all contacts while the deposit settles, less for a denser bed; else the scene's")
             .at_least(0),
         number("settle_dt", "length of a step of the preparation").in("s").above(0).otherwise(Value(1e-3)),
         boolean("gauges", "measure at the places of BALLAST fig. 6.8: gauges 1 to 7 of a single sleeper, one below "
                           "each of several, the sleepers, the tools")
             .otherwise(Value(true)),
         text("material", "of the ballast, one of [materials]").otherwise(Value("ballast")),
         text("wall_material", "of the box and the sub-layer, one of [materials]").otherwise(Value("wall")),
         sleepers_section(),
         tools_section()});
}

Key operations_schema()
{
    return tables(
               "operations", "What is done to the track (3D), one after another, each made of phases.",
               {text("name", "of the operation"),
                number("from", "when it begins; \"auto\": when the one before ends").in("s").at_least(0).automatic(),
                number("pause", "in which nothing is imposed, before it begins").in("s").at_least(0).otherwise_zero()})
        .varying_by("type", operation_variants())
        .otherwise(Value(Value::List{}));
}

} // namespace talus
