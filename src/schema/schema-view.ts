/**
 * A tool has two schemas of the same arguments.
 * - `shown` is what a model reads: one spelling of each value, the one that the application means.
 * - `check` is what arguments are held against: every spelling that the route takes, never stricter than the route.
 *
 * Whatever fits `shown` fits `check`.
 */
export type SchemaView = 'shown' | 'check';
