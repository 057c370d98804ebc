#define LEASH_VECTOR_BYTES 32
#define LEASH_TILE_ROWS 6
#define LEASH_KERNELS kernels_avx2
#define LEASH_KERNELS_NAME "avx2"
#include "kernels_impl.h"
