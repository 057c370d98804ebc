#define LEASH_VECTOR_BYTES 64
#define LEASH_TILE_ROWS 12
#define LEASH_KERNELS kernels_avx512
#define LEASH_KERNELS_NAME "avx512"
#include "kernels_impl.h"
