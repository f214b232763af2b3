import { McpNotReadyError, McpUnknownToolError } from '../mcp.errors.js';
import type { Tool } from './tool.js';

/** A tool was switched on or off. */
export interface ToolSwitch {
  readonly tool: string;
  readonly enabled: boolean;
  /** By this instance, and not by another. */
  readonly here: boolean;
}

/**
 * The tools of an endpoint. Inject it to see them, and to switch one off and on while the application runs.
 *
 * @example
 * constructor(private readonly catalog: McpToolCatalog) {}
 * stopRefunds(): void { this.catalog.disable('refund_order'); }
 */
export class McpToolCatalog {
  private readonly disabled = new Set<string>();
  private readonly listeners: ((change?: ToolSwitch) => void)[] = [];
  private byName: ReadonlyMap<string, Tool> | undefined;
  private listed: readonly Tool[] | undefined;

  /**
   * The tools that are served now, sorted by name.
   * @throws McpNotReadyError before the application is initialized
   */
  get tools(): readonly Tool[] {
    this.listed ??= [...this.all().values()].filter(({ name }) => !this.disabled.has(name));
    return this.listed;
  }

  /**
   * @returns a tool of the endpoint, served now or switched off
   * @throws McpUnknownToolError
   * @throws McpNotReadyError before the application is initialized
   */
  get(name: string): Tool {
    const tool = this.all().get(name);
    if (tool === undefined) throw McpUnknownToolError.create(name, [...this.all().keys()]);
    return tool;
  }

  /** @returns the tool of that name that is served now, `undefined` when there is none */
  find(name: string): Tool | undefined {
    return this.disabled.has(name) ? undefined : this.all().get(name);
  }

  /**
   * Serves a tool again, on every instance. Clients that listen are told.
   * @throws McpUnknownToolError
   */
  enable(name: string): void {
    this.change({ tool: this.get(name).name, enabled: true, here: true });
  }

  /**
   * Takes a tool out of the list, and refuses its calls as those of an unknown tool, on every instance. Calls in flight go on.
   * @throws McpUnknownToolError
   */
  disable(name: string): void {
    this.change({ tool: this.get(name).name, enabled: false, here: true });
  }

  /** @internal Set once, when the routes are known. */
  fill(tools: readonly Tool[]): void {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /**
   * @internal Serves other tools from now on, all at once. Calls in flight end on the tools that they began with.
   *
   * @param told whether clients that listen are told: a listing of these tools differs from one of those before
   */
  replace(tools: readonly Tool[], told: boolean): void {
    this.fill(tools);
    this.listed = undefined;
    if (told) this.tell();
  }

  /** @internal Calls back after each change of the list; without a switch when the tools are others. */
  onChange(listener: (change?: ToolSwitch) => void): void {
    this.listeners.push(listener);
  }

  /** @internal Switches a tool as another instance did, also one that this instance does not have (yet). */
  apply(tool: string, enabled: boolean): void {
    this.change({ tool, enabled, here: false });
  }

  private change(change: ToolSwitch): void {
    const { tool, enabled } = change;
    if (enabled !== this.disabled.has(tool)) return;
    if (enabled) this.disabled.delete(tool);
    else this.disabled.add(tool);
    this.listed = undefined;
    this.tell(change);
  }

  private tell(change?: ToolSwitch): void {
    for (const listener of this.listeners) listener(change);
  }

  private all(): ReadonlyMap<string, Tool> {
    if (this.byName === undefined) throw McpNotReadyError.create('The list of tools');
    return this.byName;
  }
}
