// Loaded into the process of every file: what it tells of its tests is written at once. Node ends that process when the last
// test has ended, and drops what still waits to be written.
process.stdout._handle?.setBlocking?.(true);
