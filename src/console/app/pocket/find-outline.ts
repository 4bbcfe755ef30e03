import type { Outline } from "../player/outline.ts";
import { owner } from "./here.ts";
import { outlineIn } from "./outlines.ts";
import { hasDatabase } from "./store.ts";

/** Returns what is kept of the outline of a version. */
export const findOutline = async (versionId: string): Promise<Outline | undefined> =>
  (await hasDatabase()) ? outlineIn(owner, versionId) : undefined;
