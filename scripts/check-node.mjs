/** @file Refuses a Node.js older than `engines` in package.json asks for. Runs before anything is installed. */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [, wantedMajor, wantedMinor] = /^>=(\d+)\.(\d+)$/.exec(engines.node).map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(`Node.js ${process.version} is too old: package.json asks for ${engines.node}.`);
  process.exit(1);
}
console.log(`Node.js ${process.version} satisfies ${engines.node}`);
