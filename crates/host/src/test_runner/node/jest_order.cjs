// Loaded by the processes that run the tests, where they are to be run in the opposite order: the project's
// environment, which learns of the tests before the first of them is run.
'use strict';

function reverse(block) {
  block.children.reverse();
  for (const child of block.children) if (child.type === 'describeBlock') reverse(child);
}

module.exports = function environment(config, context) {
  const { proctorEnvironment, ...testEnvironmentOptions } = config.projectConfig.testEnvironmentOptions;
  const found = require(proctorEnvironment);
  const Base = found.default ?? found.TestEnvironment ?? found;
  class Opposite extends Base {
    async handleTestEvent(event, state) {
      if (event.name === 'run_start') reverse(state.rootDescribeBlock);
      return super.handleTestEvent?.(event, state);
    }
  }
  const projectConfig = { ...config.projectConfig, testEnvironmentOptions };
  return new Opposite({ ...config, projectConfig }, context);
};
