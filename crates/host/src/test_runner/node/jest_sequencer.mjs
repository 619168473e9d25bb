// The order of files, and the settings for each of them. Loaded by jest's own process.
import path from 'node:path';
import { createRequire } from 'node:module';
import { terms } from './pen.mjs';
import * as book from './book.mjs';
import { inTree } from './told.mjs';

/** Jest's own, which only the package that uses it need be able to find. */
function own() {
  let place = terms.program;
  for (const name of ['@jest/core', 'jest-config']) place = createRequire(place).resolve(name);
  const found = createRequire(place)('@jest/test-sequencer');
  return found.default ?? found;
}

/** A transformer's options, in which files are named whose types are not checked: they were not written by a person. */
function unchecked(options) {
  const diagnostics = options?.diagnostics;
  if (diagnostics === false) return options;
  const before = typeof diagnostics === 'object' && diagnostics !== null ? diagnostics : {};
  const files = terms.unchecked.map((file) => path.join(terms.tree, file));
  return { ...options, diagnostics: { ...before, exclude: [...(before.exclude ?? []), ...files] } };
}

function withoutTypes(config) {
  if (terms.unchecked.length === 0) return config;
  const isTypeScript = (transformer) => transformer.split(path.sep).includes('ts-jest');
  const transform = config.transform.map(([files, transformer, options]) =>
    isTypeScript(transformer) ? [files, transformer, unchecked(options)] : [files, transformer, options]);
  const older = config.globals['ts-jest'];
  const globals = older ? { ...config.globals, 'ts-jest': unchecked(older) } : config.globals;
  return { ...config, transform, globals };
}

function opposite(config) {
  // One that the project wrote may need to be translated first, which only jest can do.
  if (!terms.reversed || inTree(config.testEnvironment) !== null) return config;
  const testEnvironmentOptions = { ...config.testEnvironmentOptions, proctorEnvironment: config.testEnvironment };
  return { ...config, testEnvironment: path.join(terms.plugin, 'jest_order.cjs'), testEnvironmentOptions };
}

export default class Sequencer extends own() {
  async sort(tests) {
    for (const test of tests) {
      const { runner } = test.context.config;
      if (!runner.split(path.sep).includes('jest-runner')) {
        book.refuse(inTree(test.path) ?? test.path, `jest would run it by ${runner}, which is not supported`);
      }
    }
    const sorted = [...(await super.sort(tests))];
    if (terms.reversed) sorted.reverse();
    return sorted.map((test) => {
      const config = opposite(withoutTypes(test.context.config));
      return { ...test, context: { ...test.context, config } };
    });
  }

  // Nothing of earlier runs is known, and nothing is kept.
  cacheResults() {}
}
