import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type PageRequest, type Place } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import * as queries from "./app-queries.ts";
import type { AppComposer, ComposerRow, CreateAppComposer, Split, UpdateAppComposer } from "./app-shapes.ts";
import { createComposer, updateComposer } from "./composers.ts";
import { rightsProblems } from "./rights.ts";
import { MAX_SPLITS } from "./shapes.ts";

type WriteDeps = Pick<Deps, "db" | "now">;

/** Returns a page of an account's composers, newest first, with what is missing in their rights data. */
export function listAppComposers(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  query: PageRequest,
): Page<ComposerRow> {
  const select = (after: Place, limit: number) => queries.listCounted(db, ownerId, after, limit);
  const { items, paging } = cutPage(query, `composers ${ownerId}`, select, (row) => row.createdAt);
  return { items: items.map(toRow), paging };
}

/** Returns a composer with their tracks. @throws DomainError `composer_not_found`. */
export function getAppComposer({ db }: Pick<Deps, "db">, ownerId: LibraryId, id: string): AppComposer {
  const row = queries.findCounted(db, ownerId, id);
  if (!row) throw new DomainError("composer_not_found", "There is no such composer");
  const tracks = queries.selectShared(db, id).map(({ name, title, ...shared }) => ({
    ...shared,
    title: title ?? name,
  }));
  return { ...toRow(row), tracks };
}

/** Adds a composer, whose address may be unknown. @throws DomainError as `createComposer`. */
export function createAppComposer(
  deps: WriteDeps,
  ownerId: LibraryId,
  input: CreateAppComposer,
): AppComposer {
  const { id } = createComposer(deps, ownerId, input);
  return getAppComposer(deps, ownerId, id);
}

/** Changes the fields of a composer that were sent; null clears one. @throws DomainError as `updateComposer`. */
export function updateAppComposer(
  deps: WriteDeps,
  ownerId: LibraryId,
  id: string,
  input: UpdateAppComposer,
): AppComposer {
  updateComposer(deps, ownerId, { id, ...input });
  return getAppComposer(deps, ownerId, id);
}

/** Returns the tracks whose shares do not add up, at most 500. */
export function listSplits({ db }: Pick<Deps, "db">, ownerId: LibraryId): Split[] {
  return queries.selectSplits(db, ownerId, MAX_SPLITS).map(({ name, title, names, ...split }) => ({
    ...split,
    title: title ?? name,
    composers: JSON.parse(names),
  }));
}

function toRow({ ownerId: _, deletedAt: __, createdAt, ...row }: queries.CountedRow): ComposerRow {
  return { ...row, createdAt: toIso(createdAt), problems: rightsProblems(row) };
}
