/** Providers of models take 64 of these characters in the name of a tool. */
const MAX_NAME = 64;

/** Gives each operation a name of its own: of its id, else of its method and path, in snake_case. */
export class NameGiver {
  private readonly given = new Set<string>();

  give(operationId: string | undefined, method: string, path: string): string {
    const base = snakeCase(operationId ?? '') || snakeCase(`${method} ${path}`);
    const start = /^[a-z]/.test(base) ? base : `op_${base}`;
    let name = start.slice(0, MAX_NAME);
    for (let i = 2; this.given.has(name); i++) {
      name = `${start.slice(0, MAX_NAME - String(i).length - 1)}_${i}`;
    }
    this.given.add(name);
    return name;
  }
}

function snakeCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}
