// Pictures of a run: one frame, a numbered sequence, a film. Painted by Talus itself, or by the viewer's page in a
// browser without a window.
#pragma once

#include "view_options.hpp"

int save_image(const ViewOptions& options);  // --image
int save_images(const ViewOptions& options); // --images
int save_film(const ViewOptions& options);   // --film
