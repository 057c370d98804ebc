#define LEASH_VECTOR_BYTES 16
#define LEASH_TILE_ROWS 6
#define LEASH_KERNELS kernels_baseline
#define LEASH_KERNELS_NAME "baseline"
#include "kernels_impl.h"
