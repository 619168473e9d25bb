'use strict';

const fs = require('fs');

function read(name) {
  return fs.readFileSync(name);
}

module.exports = { read };
