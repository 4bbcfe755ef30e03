import type { Surface } from "../surface.ts";

/** Which tools a client or an operator wants to be offered. */
export type Selection = {
  /** Undefined: all. */
  names: readonly string[] | undefined;
  /** Only those that change nothing. */
  isReadOnly: boolean;
};

/** Reads the selection in the headers of a request: `X-MCP-Tools: list_tracks, get_track` and `X-MCP-Readonly: true`. */
export function readSelection(headers: Headers): Selection {
  const names = headers.get("x-mcp-tools");
  return {
    names: names === null ? undefined : namesIn(names),
    isReadOnly: /^(true|1|on|yes)$/i.test(headers.get("x-mcp-readonly")?.trim() ?? ""),
  };
}

/** Returns the names in a list with commas. */
export const namesIn = (list: string): string[] => list.split(",").flatMap((name) => name.trim() || []);

/** Returns a surface with fewer tools, in the same order. A tool that is not offered cannot be called either. */
export function narrowed(surface: Surface, { names, isReadOnly }: Selection): Surface {
  if (names === undefined && !isReadOnly) return surface;
  const isWanted = ({ listed }: Surface["tools"][number]) =>
    (names?.includes(listed.name) ?? true) && (!isReadOnly || listed.annotations.readOnlyHint);
  return { ...surface, tools: surface.tools.filter(isWanted), isNarrowed: true };
}

/** Returns the names that no tool has. */
export function strangersIn(
  tools: readonly { name: string }[],
  { names = [] }: Pick<Selection, "names">,
): string[] {
  return names.filter((name) => !tools.some((tool) => tool.name === name));
}
