import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/build_worker.ts'],
    // Tests start real processes and threads; a slow machine must not make a claim look false.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
