#include "random.h"

#include <cmath>

namespace leash {

namespace {

struct Block {
  uint32_t v[4];
};

Block philox(uint64_t key, Block c) {
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = 0xD2511F53ull * c.v[0], p1 = 0xCD9E8D57ull * c.v[2];
    uint32_t high0 = static_cast<uint32_t>(p0 >> 32), high1 = static_cast<uint32_t>(p1 >> 32);
    c = Block{{high1 ^ c.v[1] ^ k0, static_cast<uint32_t>(p1), high0 ^ c.v[3] ^ k1, static_cast<uint32_t>(p0)}};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

constexpr double kTwoPi = 6.283185307179586;
/** In (0, 1): never 0, so that its logarithm is finite. */
inline double open_unit(uint32_t x) { return (x + 0.5) * (1.0 / 4294967296.0); }

}  // namespace

void philox_normals(uint64_t seed, uint32_t stream, uint32_t counter, float* out, size_t count) {
  for (size_t at = 0; at < count; at += 4) {
    Block b = philox(seed, Block{{static_cast<uint32_t>(at / 4), counter, stream, 0}});
    float normals[4];
    for (int pair = 0; pair < 4; pair += 2) {
      double radius = std::sqrt(-2.0 * std::log(open_unit(b.v[pair])));
      double angle = kTwoPi * open_unit(b.v[pair + 1]);
      normals[pair] = static_cast<float>(radius * std::cos(angle));
      normals[pair + 1] = static_cast<float>(radius * std::sin(angle));
    }
    for (size_t i = 0; i < 4 && at + i < count; ++i) out[at + i] = normals[i];
  }
}

Xoshiro::Xoshiro(uint64_t seed) {
  // splitmix64 spreads the seed over the state.
  for (uint64_t& word : state) {
    uint64_t z = (seed += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    word = z ^ (z >> 31);
  }
}

uint64_t Xoshiro::next() {
  auto rotate = [](uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
  uint64_t result = rotate(state[1] * 5, 7) * 9;
  uint64_t t = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = rotate(state[3], 45);
  return result;
}

double Xoshiro::uniform() { return static_cast<double>(next() >> 11) * (1.0 / 9007199254740992.0); }

double Xoshiro::normal() {
  double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(kTwoPi * uniform());
}

void Xoshiro::shuffle(std::vector<uint32_t>& items) {
  for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[next() % i]);
}

}  // namespace leash
