//! The names that flags go by.

/// Modules that tests are run and written with.
pub(super) const RUNNERS: [&str; 9] = [
    "ava", "chai", "expect", "jest", "mocha", "sinon", "tap", "test", "vitest",
];
/// Beginnings of such names.
pub(super) const RUNNER_PARTS: [&str; 5] = ["@jest/", "@vitest/", "jest-", "vitest/", "@sinonjs/"];

/// Modules with which code reaches into the process that it runs in, or beyond it.
pub(super) const INTO_PROCESS: [&str; 9] = [
    "async_hooks",
    "child_process",
    "cluster",
    "diagnostics_channel",
    "inspector",
    "module",
    "v8",
    "vm",
    "worker_threads",
];

/// The same for members of globals.
pub(super) const REACHES: [&str; 16] = [
    "Module._extensions",
    "Module._load",
    "Module._resolveFilename",
    "module.constructor",
    "module.parent",
    "process._linkedBinding",
    "process.abort",
    "process.binding",
    "process.dlopen",
    "process.exit",
    "process.getBuiltinModule",
    "process.kill",
    "process.mainModule",
    "process.ppid",
    "process.reallyExit",
    "require.cache",
];

/// Values that reveal how the process was started, or that tests run.
pub(super) const OF_RUNNER: [&str; 4] = [
    "import.meta.vitest",
    "process.argv",
    "process.execArgv",
    "process.env.npm_lifecycle_event",
];

/// Values that reveal the caller.
pub(super) const OF_CALLER: [&str; 4] = [
    "Error.prepareStackTrace",
    "arguments.callee",
    "arguments.caller",
    "util.getCallSites",
];

/// Events on the end of a process or an uncaught error.
pub(super) const EVENTS: [&str; 6] = [
    "SIGUSR1",
    "beforeExit",
    "exit",
    "message",
    "uncaughtException",
    "unhandledRejection",
];

/// Objects of the language and of node that everything in a process shares.
pub(super) const SHARED: [&str; 34] = [
    "Array",
    "ArrayBuffer",
    "BigInt",
    "Boolean",
    "Buffer",
    "Date",
    "Error",
    "Function",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "Reflect",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "Uint8Array",
    "WeakMap",
    "WeakSet",
    "assert",
    "console",
    "fs",
    "performance",
    "process",
    "setTimeout",
    "queueMicrotask",
];

/// Names that runners give to tests without an import.
pub(super) const GIVEN: [&str; 4] = ["chai", "expect", "jest", "vi"];

/// Functions that change the object that they are given first.
pub(super) const CHANGING: [&str; 9] = [
    "Object.assign",
    "Object.defineProperties",
    "Object.defineProperty",
    "Object.freeze",
    "Object.setPrototypeOf",
    "Reflect.defineProperty",
    "Reflect.deleteProperty",
    "Reflect.set",
    "Reflect.setPrototypeOf",
];

/// Comments that tell a checker to look away.
pub(super) const SILENCERS: [&str; 8] = [
    "@ts-expect-error",
    "@ts-ignore",
    "@ts-nocheck",
    "biome-ignore",
    "c8 ignore",
    "eslint-disable",
    "istanbul ignore",
    "v8 ignore",
];
