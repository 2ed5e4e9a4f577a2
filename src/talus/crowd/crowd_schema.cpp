#include "talus/crowd/crowd_schema.hpp"

#include <algorithm>

namespace talus {

using namespace scene;

scene::Key crowd_schema()
{
    return table(
               "crowd", "Contact of people, for scene.method = \"crowd-dem\", \"nsm1\" or \"nsm2\".",
               {number("stiffness", "k of crowd-dem: force per overlap (Helbing)")
                    .in("N/m")
                    .above(0)
                    .otherwise(Value(1.2e5)),
                number("sliding", "κ of crowd-dem: force across, per overlap and sliding velocity; Helbing has 2.4e5")
                    .at_least(0)
                    .otherwise_zero(),
                number("normal_dissipation", "K_N of nsm2, in kg for power = 2: 0 keeps contact, 1e5 is nearly elastic")
                    .at_least(0)
                    .otherwise(Value(1e5)),
                number("tangential_dissipation", "K_T of nsm2").in("kg").at_least(0).otherwise_zero(),
                number("power", "p of nsm2's potential: 2 gives a constant restitution; below 2 people rebound from "
                                "slow impacts only, above 2 from fast ones only")
                    .above(1)
                    .at_most(10)
                    .otherwise(Value(2.0)),
                choice("solver", "of nsm1 and nsm2: contact after contact (sweeps), or as in CROWD (uzawa)",
                       {"sweeps", "uzawa"})
                    .otherwise(Value("sweeps")),
                number("tolerance", "by which the worst contact may miss its law; \"auto\": 1e-6 m/s with nsm2, with "
                                    "nsm1 what gives overlaps of 1e-10 m")
                    .in("m/s")
                    .above(0)
                    .automatic(),
                number("crush_pressure", "above which somebody counts as crushed: contact forces on them, mean over "
                                         "0.1 s, over their circumference (Helbing)")
                    .in("N/m")
                    .above(0)
                    .otherwise(Value(1600.0)),
                integer("sweeps", "at most in a step").at_least(1).at_most(1e9).otherwise(Value(20000))})
        .otherwise(Value::table());
}

scene::Key exits_schema()
{
    return tables("exits", "Lines through which people leave the run; they are counted.",
                  {text("name", "by which walkers find it").required(),
                   vector("from", "one end of the line").in("m").required(),
                   vector("to", "its other end").in("m").required(),
                   number("reach", "people leave when their centre is so near to the line")
                       .in("m")
                       .above(0)
                       .otherwise(Value(0.1)),
                   number("opens", "when people may leave").in("s").at_least(0).otherwise_zero(),
                   number("closes", "until when; \"auto\": it stays open").in("s").above(0).automatic()})
        .otherwise(Value(Value::List{}));
}

scene::Key lines_schema()
{
    return tables("lines", "Lines whose crossings are counted, ahead and back; needs a method of crowds.",
                  {text("name", "heads its columns in series.csv").required(),
                   vector("from", "one end of the line").in("m").required(),
                   vector("to", "its other end; ahead is to the right of the way from one to the other")
                       .in("m")
                       .required()})
        .otherwise(Value(Value::List{}));
}

scene::Key doors_schema()
{
    return tables("doors", "Walls that stand in the way while they are closed.",
                  {text("name", "of the door").required(), vector("from", "one end").in("m").required(),
                   vector("to", "its other end").in("m").required(),
                   number("thickness", "of the wall").in("m").at_least(0).otherwise(Value(0.1)),
                   text("material", "one of [materials]").required(),
                   number("opens", "when it is taken away").in("s").at_least(0).otherwise_zero(),
                   number("closes", "when it comes back, as soon as nobody stands there; \"auto\": it stays open")
                       .in("s")
                       .above(0)
                       .automatic()})
        .otherwise(Value(Value::List{}));
}

scene::Key walkers_schema()
{
    return tables(
               "walkers",
               "People with a will: they walk by the shortest way round obstacles to an exit. The force is "
               "m (v₀ e − v)/τ.",
               {text("body", "name of a group of disks; all disks that can move without it"),
                number_or_pair("speed", "v₀: one, or drawn between two").in("m/s").at_least(0).otherwise(Value(1.34)),
                number("speed_deviation", "then v₀ is drawn from a normal distribution about speed, cut at three "
                                          "deviations and at 0.1 m/s")
                    .in("m/s")
                    .at_least(0)
                    .otherwise_zero(),
                number("relaxation", "τ").in("s").above(0).otherwise(Value(0.5)),
                number_or_pair("reaction", "they stay where they are so long: one, or drawn between two")
                    .in("s")
                    .at_least(0)
                    .otherwise_zero(),
                texts("exits", "names of exits; []: all").otherwise(Value(Value::List{})),
                vector("around", "instead of exits: they walk round this point, counter-clockwise, for ever").in("m"),
                choice(
                    "preset",
                    "how they mind those ahead: not at all, but for forces and contact (none), or so that their speed "
                    "against density is Weidmann's (weidmann)",
                    {"none", "weidmann"})
                    .otherwise(Value("none")),
                number("look_ahead", "R: people slow down, as Weidmann's curve says, for the density of those ahead "
                                     "within this distance; 0: they do not; \"auto\": that of the preset")
                    .in("m")
                    .at_least(0)
                    .automatic(),
                choice("choice",
                       "among open exits: the one to be reached first (nearest), or where one is out first, those who "
                       "go there counted (least_crowded)",
                       {"nearest", "least_crowded"})
                    .otherwise(Value("nearest")),
                number("cell", "of the grid on which ways are found; \"auto\": half the smallest radius")
                    .in("m")
                    .above(0)
                    .automatic(),
                integer("seed", "of speeds and reaction times").at_least(0).otherwise(Value(1))})
        .otherwise(Value(Value::List{}));
}

namespace {

std::vector<Mistake> line_problems(const Value& root)
{
    std::vector<Mistake> mistakes;
    const Value *lines = root.find("lines"), *scene = root.find("scene");
    const Value* method = scene ? scene->find("method") : nullptr;
    if (!lines || !lines->is_list() || !method || !method->is_text()) return mistakes;
    constexpr std::string_view of_crowds[] = {"crowd-dem", "nsm1", "nsm2"};
    for (const Value& line : lines->list()) {
        if (std::ranges::count(of_crowds, method->text()) == 0) {
            mistakes.push_back(mistake_of_key(line, "has no effect with scene.method = " + method->shown() +
                                                        ": crossings are counted with crowd-dem, nsm1, nsm2"));
        }
        const Value *from = line.find("from"), *to = line.find("to");
        if (from && to && from->is_list() && *from == *to) {
            mistakes.push_back(mistake(*to, "is the same point as from: a line has a length"));
        }
    }
    return mistakes;
}

} // namespace

std::vector<Mistake> crowd_problems(const scene::Value& root)
{
    std::vector<Mistake> mistakes = line_problems(root);
    const Value *exits = root.find("exits"), *walkers = root.find("walkers"), *scene = root.find("scene");
    if (!exits || !exits->is_list() || !walkers || !walkers->is_list() || !scene) return mistakes;
    const Value* dimension = scene->find("dimension");
    const bool in_space = dimension && dimension->is_integer() && dimension->integer() == 3;
    for (const Value* section : {exits, walkers, root.find("doors")}) {
        if (!section || !section->is_list()) continue;
        for (const Value& entry : section->list()) {
            if (in_space)
                mistakes.push_back(mistake(entry, "needs scene.dimension = 2: crowds are flat, on one storey"));
            if (const Value* from = entry.find("from"), *to = entry.find("to"); from && to && *from == *to)
                mistakes.push_back(mistake(*to, "must differ from the other end, from = " + from->shown()));
        }
    }
    std::vector<std::string> names;
    for (const Value& exit : exits->list()) {
        if (const Value* name = exit.find("name"); name && name->is_text()) names.push_back(name->text());
    }
    for (const Value& walker : walkers->list()) {
        const Value *wanted = walker.find("exits"), *around = walker.find("around");
        if (!wanted || !wanted->is_list()) continue;
        if (around && !wanted->list().empty())
            mistakes.push_back(mistake(*wanted, "has no effect with around = " + around->shown()));
        for (const Value& name : wanted->list()) {
            if (!name.is_text() || std::ranges::count(names, name.text()) > 0) continue;
            mistakes.push_back(mistake(name, "names none of [[exits]]"));
        }
        if (names.empty() && !around)
            mistakes.push_back(mistake(walker, "has nowhere to go: the scene has no [[exits]]"));
    }
    return mistakes;
}

} // namespace talus
