import { RE2JS } from 're2js';
import type { PatternEngine } from '../dispatch/argument-check.js';

/** Longer patterns take long to compile and say nothing that a model can follow. */
const MAX_PATTERN_LENGTH = 2_000;

/**
 * Compiles a pattern of a catalog on RE2, whose time is linear in the text, whatever the pattern.
 *
 * @throws Error for what RE2 does not take: look-around, back references, a repetition of more than 1000
 */
export const linearPattern: PatternEngine = (pattern) => {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new Error(
      `a pattern of ${pattern.length} characters is longer than ${MAX_PATTERN_LENGTH}.`,
    );
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the pattern ${JSON.stringify(pattern)} cannot run in linear time, so it is refused (${reason}). Write it without look-around and back references.`,
      { cause: error },
    );
  }
};
