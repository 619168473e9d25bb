export * from '../test/support.js';
