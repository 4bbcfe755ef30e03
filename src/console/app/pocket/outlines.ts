import type { Outline } from "../player/outline.ts";
import { change, type Owner, prefixOf, readRows } from "./store.ts";

/** What is drawn of a kept sound. */
type OutlineRow = Outline & { key: string };

/** As fine as the player draws it. */
const LEAST_PAIRS = 800;

/** Returns the outline of a kept version, if it is here. */
export async function outlineIn(owner: Owner, versionId: string): Promise<Outline | undefined> {
  return (await readRows<OutlineRow>("outlines", prefixOf(owner) + versionId))[0];
}

/** Keeps the coarsest level of an outline that is fine enough for the player. */
export async function putOutline(owner: Owner, versionId: string, outline: Outline): Promise<void> {
  const level = outline.levels.findLast(({ pairs }) => pairs.length >= 2 * LEAST_PAIRS) ?? outline.levels[0];
  // A part of a buffer would be kept with all of it.
  const levels = level ? [{ ...level, pairs: level.pairs.slice() }] : [];
  const row: OutlineRow = { ...outline, levels, key: prefixOf(owner) + versionId };
  await change(["outlines"], (store) => store("outlines").put(row));
}
