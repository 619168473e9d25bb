'use strict';

const fs = require('fs');

function read(name) {
  return fs.readFileSync(name);
}

function write(name, text) {
  fs.writeFileSync(name, text);
}

module.exports = { read };
