function write(name, text) {
  fs.writeFileSync(name, text);
}
