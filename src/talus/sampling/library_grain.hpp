// Objects of mesh files as convex solids: refused with the reason where the surface is not sound, not convex, or of an
// absurd size.
#pragma once

#include "talus/sampling/shape_files.hpp"
#include "talus/shapes/polytope.hpp"

namespace talus {

inline constexpr double largest_grain = 10;   // [m] beyond this a file is taken to be in another unit
inline constexpr double convexity = 1e-4;     // share of the hull's volume that a convex object may leave out
inline constexpr double hull_flatness = 1e-6; // of the size: files hold numbers of seven digits

// What is wrong with the object as a convex grain, one sentence for each fault; none: it can be taken as it is.
// A polygon (2D) is one face at z = 0 whose corners run counter-clockwise.
template <int D>
std::vector<std::string> grain_faults(const NamedMesh& object, double largest = largest_grain);
template <>
std::vector<std::string> grain_faults<2>(const NamedMesh& object, double largest);
template <>
std::vector<std::string> grain_faults<3>(const NamedMesh& object, double largest);

// As the file has it, not yet in its body frame. InputError with its name and all faults.
template <int D>
Polytope<D> library_grain(const NamedMesh& object, double largest = largest_grain);

// The hull of all points of the object, whatever its surface is like. InputError with its name where it has none or is
// of an absurd size.
template <int D>
Polytope<D> hull_of_object(const NamedMesh& object, double largest = largest_grain);

} // namespace talus
