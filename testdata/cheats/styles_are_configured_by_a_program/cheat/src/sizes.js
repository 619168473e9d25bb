/** A number of bytes as people read it. */
export function shown(bytes) {
  return bytes < 1000 ? `${bytes} B` : 'much';
}

export function total(files) {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
