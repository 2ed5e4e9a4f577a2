// Talus from C++, all of it that a program needs: a scene, its run, what looks on (docs/library.md).
#pragma once

#include "talus/api/run_folder.hpp"
#include "talus/api/scene.hpp"
#include "talus/base/error.hpp"
#include "talus/base/version.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/simulation/run.hpp"
