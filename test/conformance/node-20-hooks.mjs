/** @file The loader hook of `node-20.mjs`. */
const SHIM = new URL('./node-20-fs.mjs', import.meta.url).href;
const SUITE = '@modelcontextprotocol/conformance/';

export async function resolve(specifier, context, next) {
  const isFs = specifier === 'fs' || specifier === 'node:fs';
  if (isFs && context.parentURL?.includes(SUITE)) return { url: SHIM, shortCircuit: true };
  return next(specifier, context);
}
