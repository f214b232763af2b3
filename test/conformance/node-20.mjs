/**
 * @file Lets the official suite load on Node.js 20: it imports `globSync` from `node:fs`, which is there since 22, and uses it
 * for none of its server scenarios. Given to Node.js by `--import`.
 */
import { register } from 'node:module';

register('./node-20-hooks.mjs', import.meta.url);
