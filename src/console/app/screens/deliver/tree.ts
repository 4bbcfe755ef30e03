import type { Planned } from "./plan.ts";

/** A folder or a file of a package. */
export type Node = {
  name: string;
  path: string;
  sizeBytes: number;
  /** How deep it is, from 1. */
  level: number;
  /** Undefined for files. */
  children?: Node[];
};

/** Returns the files of a package as a tree. Folders are as large as what is in them. */
export function treeOf(files: Planned["tree"]): Node[] {
  const roots: Node[] = [];
  const folders = new Map<string, Node>();
  for (const { path, sizeBytes } of files) {
    const parts = path.split("/");
    let siblings = roots;
    for (const [at, name] of parts.entries()) {
      const here = parts.slice(0, at + 1).join("/");
      if (at === parts.length - 1) {
        siblings.push({ name, path: here, sizeBytes, level: at + 1 });
        continue;
      }
      const folder = folders.get(here) ?? { name, path: here, sizeBytes: 0, level: at + 1, children: [] };
      if (!folders.has(here)) siblings.push(folder);
      folders.set(here, folder);
      folder.sizeBytes += sizeBytes;
      siblings = folder.children ?? [];
    }
  }
  return roots;
}

/** Returns the nodes that show, from top to bottom. */
export const shownOf = (nodes: readonly Node[], closed: ReadonlySet<string>): Node[] =>
  nodes.flatMap((node) => [
    node,
    ...(node.children && !closed.has(node.path) ? shownOf(node.children, closed) : []),
  ]);

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** Returns a size as people read it: `1.2 GB`. */
export function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
