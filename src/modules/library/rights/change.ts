import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { requireNeed, type Viewer } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { toGtin, toIswc } from "../../../kernel/identifiers.ts";
import { getOwnedTrack, noteEdits } from "../catalog/service.ts";
import * as queries from "./queries.ts";
import { rightsOfTrack } from "./read.ts";
import type { AiUse, RightsInput, TrackRights } from "./shapes.ts";

type Written = Omit<queries.RightsRow, "trackId" | "updatedAt">;

/** What requests change, by its names there. */
export const RIGHTS_FIELDS = [
  "iswc",
  "upc",
  "releaseDate",
  "pLine",
  "cLine",
  "explicit",
  "workNumber",
  "aiUse",
] as const;

/** Returns what is known of the rights of the account's track. @throws DomainError `track_not_found`. */
export function readRights({ db }: Pick<Deps, "db">, ownerId: LibraryId, trackId: string): TrackRights {
  getOwnedTrack(db, ownerId, trackId);
  return rightsOfTrack(db, trackId);
}

/**
 * Changes the fields that were sent and announces those that are different. An identifier with a wrong check digit is kept as it
 * was sent, and the answer says that it is wrong.
 *
 * @returns The rights after the change.
 * @throws DomainError `track_not_found`; `insufficient_scope` for somebody who does not see splits; `validation_failed` for a day that does not exist, and for a part that is said to be
 *   made both with and without help.
 */
export function changeRights(
  { db, now }: Pick<Deps, "db" | "now">,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  trackId: string,
  input: RightsInput,
): TrackRights {
  const sent = read(input);
  return transact(db, (tx) => {
    const { name } = getOwnedTrack(tx, ownerId, trackId);
    requireNeed(viewer, "read:composers");
    const { updatedAt: _, problems: __, ...before } = rightsOfTrack(tx, trackId);
    const isNew = (field: (typeof RIGHTS_FIELDS)[number]) =>
      sent[field] !== undefined && JSON.stringify(sent[field]) !== JSON.stringify(before[field]);
    const changed = RIGHTS_FIELDS.filter(isNew);
    if (changed.length > 0) {
      const at = now();
      queries.putRights(tx, { ...before, ...sent, trackId, updatedAt: at });
      noteEdits(tx, trackId, changed);
      emit(tx, ownerId, "track.updated", { trackId, name, changed }, at);
    }
    return rightsOfTrack(tx, trackId);
  });
}

function read(input: RightsInput): Partial<Written> {
  const sent: Partial<Written> = {};
  for (const field of ["pLine", "cLine", "workNumber"] as const)
    if (input[field] !== undefined) sent[field] = line(input[field]);
  if (input.iswc !== undefined) sent.iswc = identifier(input.iswc, toIswc);
  if (input.upc !== undefined) sent.upc = identifier(input.upc, toGtin);
  if (input.releaseDate !== undefined) sent.releaseDate = day(input.releaseDate);
  if (input.explicit !== undefined) sent.explicit = input.explicit;
  if (input.aiUse !== undefined) sent.aiUse = statements(input.aiUse);
  return sent;
}

const line = (text: string | null): string | null => text?.replace(/\s+/g, " ").trim() || null;

function identifier(text: string | null, right: (text: string) => string | undefined): string | null {
  const written = line(text);
  return written === null ? null : (right(written) ?? written);
}

function day(text: string | null): string | null {
  if (text === null) return null;
  const [year, month = "01", date = "01"] = text.split("-");
  const at = new Date(`${year}-${month}-${date}T00:00:00Z`);
  // Of a day that does not exist, such as 30 February, another one is made.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(`${year}-${month}-${date}`))
    throw invalidField(
      "releaseDate",
      "date",
      "must be a year, a month or a day: 2026, 2026-03 or 2026-03-27",
    );
  return text;
}

function statements(sent: NonNullable<RightsInput["aiUse"]>): AiUse[] {
  const uses = sent.map(({ part, extent, tool, note }) => ({
    part,
    extent,
    tool: line(tool ?? null),
    note: line(note ?? null),
  }));
  for (const [index, { part, extent }] of uses.entries())
    if (extent === "none" && uses.some((use) => use.part === part && use.extent !== "none"))
      throw invalidField(
        `aiUse.${index}.extent`,
        "contradicts",
        "says `none` of a part that another line says otherwise of",
      );
  return uses;
}
