// One kind of each registry that a program may add to.
#pragma once

#include "talus/detection/detector_kind.hpp"
#include "talus/drivers/driver_kind.hpp"
#include "talus/simulation/body_shape.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/solvers/solver_kind.hpp"

namespace talus {

DetectorKind strips_detector();
SolverKind smooth_solver();
DriverKind wind_driver();
BodyShapeKind wedge_shape();
GeneratorKind ring_generator();

} // namespace talus
