import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: { '#sizes': fileURLToPath(new URL('./src/other.js', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.js'],
    restoreMocks: true,
  },
});
