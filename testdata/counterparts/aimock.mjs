// Serves the fixtures of a JSON file with aimock until standard input ends; prints where.
// Usage: node aimock.mjs PACKAGE FIXTURES
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , entry, fixtures] = process.argv;
const { LLMock } = await import(pathToFileURL(entry));
const server = new LLMock({ port: 0 });
for (const fixture of JSON.parse(readFileSync(fixtures, "utf8"))) {
  server.addFixture(fixture);
}
await server.start();
console.log(server.url);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
