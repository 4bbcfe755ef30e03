import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { membersAmong } from "../../people/people/service.ts";
import { labelOf, type PlacedIn, placeOf } from "./places.ts";
import type { CommentRow } from "./queries.ts";
import type { Comment } from "./shapes.ts";

/** Members of a library, by id. Whoever is not among them any more is called as they were when they wrote. */
type Members = ReturnType<typeof membersAmong>;

/** A comment, as a page shows it. */
export type ShownComment = Comment & {
  /** True when the track has a version that this comment is not about. */
  hasOthers: boolean;
};

/** Returns comments on an account's tracks; with `placedIn`, notes say where they are in that version. */
export function toComments(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  rows: readonly CommentRow[],
  placedIn?: PlacedIn,
): Comment[] {
  const members = membersOf(deps, accountId, rows);
  return rows.map((row) => {
    const place = placedIn && placeOf(row, placedIn);
    return { ...toComment(row, members), ...(place && { place }) };
  });
}

/** Returns comments as pages show them. */
export function toShown(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  rows: readonly CommentRow[],
): ShownComment[] {
  const members = membersOf(deps, accountId, rows);
  return rows.map((row) => ({ ...toComment(row, members), hasOthers: row.hasOthers === 1 }));
}

function membersOf(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  rows: readonly CommentRow[],
): Members {
  const ids = rows.flatMap(({ authorId, resolvedBy }) => [authorId, resolvedBy]);
  return membersAmong(deps, accountId, ids);
}

function toComment(row: CommentRow, members: Members): Comment {
  const author = members.get(row.authorId ?? "");
  return {
    id: row.id,
    trackId: row.trackId,
    text: row.text,
    positionSec: row.positionSec,
    author: { id: row.authorId, name: author?.name ?? row.authorName },
    createdAt: toIso(row.createdAt),
    versionId: row.versionId,
    versionLabel: heardLabel(row),
    endSec: row.endSec,
    parentId: row.parentId,
    answeredAt: toIsoOrNull(row.resolvedAt),
    answeredBy: answererOf(row, members),
    answeredIn: row.resolvedIn,
    replyCount: row.replyCount,
    shareId: row.shareId,
    deletedAt: toIsoOrNull(row.deletedAt),
  };
}

function answererOf(
  { resolvedAt, resolvedBy, resolvedName }: CommentRow,
  members: Members,
): Comment["answeredBy"] {
  if (resolvedAt === null) return null;
  return { id: resolvedBy, name: members.get(resolvedBy ?? "")?.name ?? resolvedName ?? "" };
}

/** Returns what the version that was heard is called now, or was called then when it is gone. */
function heardLabel({ version, heardLabel: then }: CommentRow): string | null {
  if (version === null) return then;
  return then === null ? `probably ${labelOf(version)}` : labelOf(version);
}

/** Returns the only one of the comments. */
export function single<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw new Error("A comment became none");
  return item;
}
