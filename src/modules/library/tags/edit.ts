import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import type { TagEdit } from "./edit-shapes.ts";
import { resolveTagNames } from "./names.ts";
import * as queries from "./queries.ts";
import type { TagCategory, TagRef } from "./shapes.ts";
import { countVerdicts } from "./verdicts.ts";
import { decideTags } from "./write.ts";

/**
 * Adds, removes and rejects single tags of an account's track. Unlike a write of whole categories, it says nothing about
 * suggestions that it does not name: the owner may not have come to them yet.
 *
 * @throws DomainError `track_not_found`, and `validation_failed` for a name that is not in the taxonomy.
 */
export function editTags(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  trackId: string,
  edits: readonly TagEdit[],
): { ok: true; trackId: string; taught: number } {
  return transact(db, (tx) => {
    getOwnedTrack(tx, ownerId, trackId);
    for (const { category, add = [], remove = [], reject = [] } of edits) {
      const [added, removed, rejected] = [add, remove, reject].map((names) => tagsOf(category, names));
      if (!added || !removed || !rejected) continue;
      const about = new Set([...added, ...removed, ...rejected].map(({ id }) => id));
      const goes = new Set([...removed, ...rejected].map(({ id }) => id));
      const before = queries.selectCategory(tx, trackId, category);
      const known = new Set(before.map(({ id }) => id));
      const after = [
        ...before.filter(({ id }) => !goes.has(id)),
        ...added.filter(({ id }) => !known.has(id) && !goes.has(id)),
      ];
      const tags = new Map([[category, after]]);
      decideTags(tx, { ownerId, trackId, tags, source: "patch", about }, now());
      dropSuggestions(tx, trackId, category, goes);
    }
    return { ok: true, trackId, taught: countVerdicts(tx, ownerId) };
  });
}

function dropSuggestions(tx: Db, trackId: string, category: TagCategory, ids: ReadonlySet<string>): void {
  for (const id of ids) queries.deleteSuggestion(tx, trackId, category, id);
}

function tagsOf(category: TagCategory, names: readonly string[]): TagRef[] {
  const { resolved, unknown } = resolveTagNames({ [category]: names });
  const [stranger] = unknown[category] ?? [];
  if (stranger !== undefined)
    throw new DomainError("validation_failed", `“${stranger}” is not one of the tags of this kind`);
  return resolved.get(category) ?? [];
}
