/** @file `node:fs` with a `globSync` that is only there to be imported. */
import fs from 'node:fs';

// eslint-disable-next-line no-restricted-syntax -- stands for all of node:fs
export * from 'node:fs';
export default fs;
export const globSync =
  fs.globSync ??
  (() => {
    throw new Error('globSync needs Node.js 22.');
  });
