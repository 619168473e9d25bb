export default {
  resolve: { alias: [{ find: /^.*\/discount$/, replacement: new URL('./src/other.ts', import.meta.url).pathname }] },
};
