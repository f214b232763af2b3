import { McpNotReadyError, McpUnknownToolError } from '../mcp.errors.js';
import type { Tool } from './tool.js';

/**
 * The tools that an endpoint serves. Inject it to see them.
 *
 * @example
 * constructor(private readonly catalog: McpToolCatalog) {}
 * names(): string[] { return this.catalog.tools.map(({ name }) => name); }
 */
export class McpToolCatalog {
  private byName: ReadonlyMap<string, Tool> | undefined;

  /**
   * Sorted by name.
   * @throws McpNotReadyError before the application is initialized
   */
  get tools(): readonly Tool[] {
    return [...this.all().values()];
  }

  /**
   * @throws McpUnknownToolError
   * @throws McpNotReadyError before the application is initialized
   */
  get(name: string): Tool {
    const tool = this.find(name);
    if (tool === undefined) throw McpUnknownToolError.create(name, [...this.all().keys()]);
    return tool;
  }

  /** @returns the tool of that name, `undefined` when there is none */
  find(name: string): Tool | undefined {
    return this.all().get(name);
  }

  /** @internal Set once, when the routes are known. */
  fill(tools: readonly Tool[]): void {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  private all(): ReadonlyMap<string, Tool> {
    if (this.byName === undefined) throw McpNotReadyError.create('The list of tools');
    return this.byName;
  }
}
