const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes as people read it. */
export function shown(bytes) {
  if (!(bytes >= 0)) {
    throw new RangeError(`no size: ${bytes}`);
  }
  let unit = 0;
  while (bytes >= 1024 && unit < UNITS.length - 1) {
    bytes /= 1024;
    unit += 1;
  }
  return `${Number(bytes.toFixed(1))} ${UNITS[unit]}`;
}

export function total(files) {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
