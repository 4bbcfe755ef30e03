import type { RowChange, RowImage } from "../../../../db/row-images.ts";
import type { Change, Entity } from "./shapes.ts";

type Row = Readonly<Record<string, unknown>>;

/** Columns that background work or the change itself updates; no person wrote them. */
const MOVES_ON = /^(analysis_|analysed_at$|suggestion_model$|next_version_order$|updated_at$)/;
/** Columns that follow from others. */
const FOLLOWS = /(_fold|^cid|^owner_fields|^deleted_at)$/;
type List = { pathOf: (row: Row) => string; show: (row: Row) => unknown };

/** Tables whose rows together make a list, and the columns that are shown. */
const LISTS: Readonly<Record<string, List>> = {
  track_tags: {
    pathOf: ({ category }) => (category === "tags" ? "additionalTags" : String(category)),
    show: ({ name }) => name,
  },
  playlist_tracks: { pathOf: () => "trackIds", show: ({ track_id: trackId }) => trackId },
  track_shareholders: {
    pathOf: () => "tracks",
    show: ({ track_id: trackId, share, role }) => ({ trackId, share, role }),
  },
};
/** The links of a track name its composers, where those of a composer name the tracks. */
const LISTS_OF_TRACK: typeof LISTS = {
  ...LISTS,
  track_shareholders: {
    pathOf: () => "composers",
    show: ({ composer_id: composerId, share, role }) => ({ composerId, share, role }),
  },
};
/** Tables whose rows are shown field by field. */
const FIELDS: Readonly<Record<string, { path: string; identity: readonly string[] }>> = {
  tracks: { path: "track", identity: ["id", "name"] },
  versions: { path: "version", identity: ["id", "name", "label"] },
  playlists: { path: "playlist", identity: ["id", "name"] },
  composers: { path: "composer", identity: ["id", "full_name", "email"] },
};

/** True for a column whose change belongs to the call. */
export const counts = (_: string, column: string): boolean => !MOVES_ON.test(column);

/** Returns the changes in the words of the API. */
export function describeChanges(
  rows: readonly RowChange[],
  { before, after }: { before: RowImage; after: RowImage },
  entity: Entity | undefined,
): Change[] {
  const changed = new Set(rows.map(({ table }) => table));
  const shown = entity === "track" ? LISTS_OF_TRACK : LISTS;
  const lists = Object.entries(shown).filter(([table]) => changed.has(table));
  return [
    ...rows.flatMap((row) => fieldChanges(row, before)),
    ...lists.flatMap((list) => listChanges(listsOf(before, list), listsOf(after, list))),
  ];
}

function fieldChanges({ table, key, before, after }: RowChange, image: RowImage): Change[] {
  const shown = FIELDS[table];
  if (!shown) return [];
  // A composer who is deleted leaves a row that says nothing about the person.
  const isGone = after === null || (before?.deleted_at === null && after.deleted_at !== null);
  if (isGone) {
    const whole = image.get(`${table} ${JSON.stringify(key)}`)?.row ?? before ?? {};
    const identity = shown.identity.map((name) => [camel(name), whole[name]]);
    return [{ path: shown.path, before: Object.fromEntries(identity), after: null }];
  }
  const names = Object.keys(after).filter((name) => !FOLLOWS.test(name));
  return names.map((name) => ({
    path: camel(name),
    before: plain(name, before?.[name]),
    after: plain(name, after[name]),
  }));
}

function listChanges(before: Map<string, unknown[]>, after: Map<string, unknown[]>): Change[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .map((path) => ({ path, before: before.get(path) ?? [], after: after.get(path) ?? [] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** Returns the lists of a table by their paths, in their order. */
function listsOf(image: RowImage, [table, list]: [table: string, List]): Map<string, unknown[]> {
  const rows = [...image.values()].filter((each) => each.table === table).map(({ row }) => row);
  const sorted = rows.sort((a, b) => Number(a.position) - Number(b.position));
  return new Map(
    [...Map.groupBy(sorted, (row) => list.pathOf(row))].map(([path, members]) => [
      path,
      members.map((row) => list.show(row)),
    ]),
  );
}

const camel = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const plain = (column: string, value: unknown) =>
  column === "visible" || column === "collaborative" ? value === 1 : (value ?? null);
