// Loaded into the process of every file: its events about tests are written at once. Node ends that process when the
// last test has ended, and drops output that is still buffered.
process.stdout._handle?.setBlocking?.(true);
