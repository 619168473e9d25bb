// Runs the tests by the project's own jest, with settings that give the project no influence on the result. The tests
// and the code that they load run in other processes, which jest does for a single file only where workers have a limit
// of memory: theirs is never reached.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { terms } from './pen.mjs';
import { files, fullNamePattern } from './selection.mjs';

const NEVER_REACHED = 2 ** 50;

const CONFIGURATION = ['package.json', ...['js', 'ts', 'mjs', 'cjs', 'cts', 'json'].map((ending) => `jest.config.${ending}`)];

function settings() {
  const testNamePattern = fullNamePattern();
  const here = (name) => path.join(terms.plugin, name);
  // Without a file of its own jest would keep looking in the directories above the tree.
  const isConfigured = CONFIGURATION.some((name) => fs.existsSync(path.join(terms.tree, name)));
  return {
    _: files,
    $0: 'jest',
    ...(isConfigured ? {} : { config: '{}' }),
    rootDir: isConfigured ? undefined : terms.tree,
    runTestsByPath: files.length > 0,
    ...(testNamePattern === undefined ? {} : { testNamePattern }),
    ci: true,
    watch: false,
    watchAll: false,
    watchman: false,
    cache: false,
    cacheDirectory: terms.cache,
    coverage: false,
    collectCoverage: false,
    runInBand: false,
    detectOpenHandles: false,
    workerThreads: false,
    workerIdleMemoryLimit: NEVER_REACHED,
    reporters: ['default', here('jest_reporter.mjs')],
    testSequencer: here('jest_sequencer.mjs'),
    testLocationInResults: true,
    bail: terms.bail ? 1 : 0,
    // A base may have no tests yet. Required tests are known by name.
    passWithNoTests: true,
    testFailureExitCode: 1,
    forceExit: true,
    notify: false,
    onlyChanged: false,
    json: true,
    outputFile: terms.account,
  };
}

export async function run() {
  const { runCLI } = createRequire(terms.program)(fileURLToPath(terms.program));
  const { results } = await runCLI(settings(), [terms.tree]);
  return results.success ? 0 : 1;
}
