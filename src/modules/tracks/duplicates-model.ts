import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { Timestamp } from "../../http/envelope.ts";

export const DuplicatesQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
  offset: t.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
});
export type DuplicatesQuery = Static<typeof DuplicatesQuery>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Tracks with the same bytes (decision 4.15). The counts are of the whole library, not of the page. */
export const Duplicates = Type.Object({
  groups: Type.Array(
    Type.Object({
      cid: Type.String({ description: "SHA-256 of the audio" }),
      count: Type.Integer({ minimum: 2 }),
      tracks: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), createdAt: Timestamp }), {
        description: "Oldest first",
      }),
    }),
    { description: "Largest first" },
  ),
  totalGroups: count("Groups of two tracks or more"),
  duplicateTrackCount: count("Tracks in all groups"),
  missingCid: count("Tracks that have not been analysed, and so have no hash"),
  scannedTracks: count("Tracks of the library"),
  paging: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Type.Integer({ minimum: 0 }),
  }),
});
export type Duplicates = Static<typeof Duplicates>;
