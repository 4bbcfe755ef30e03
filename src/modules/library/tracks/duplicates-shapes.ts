import { type Static, Type } from "@sinclair/typebox";
import { shape, Timestamp, withDefault } from "../../../http/envelope.ts";

/** The most groups of duplicates on one page. */
const MAX_GROUPS = 100;

export const DuplicatesQuery = Type.Object({
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_GROUPS }), 20),
  offset: withDefault(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), 0),
});
export type DuplicatesQuery = Static<typeof DuplicatesQuery>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const GroupTracks = Type.Array(
  Type.Object({ id: Type.String(), name: Type.String(), createdAt: Timestamp }),
  { description: "Oldest first" },
);

const sameFamily = Type.Optional(
  Type.Literal(true, {
    description: "All of them are kept together as one set: they are no copies to delete",
  }),
);

/**
 * Tracks with the same bytes (decision 4.15), with the same samples in different files, and with the same mix
 * (decision 0012). The counts cover the whole library, not just the page.
 */
export const Duplicates = shape("Duplicates", {
  groups: Type.Array(
    Type.Object({
      cid: Type.String({ description: "SHA-256 of the audio" }),
      count: Type.Integer({ minimum: 2 }),
      tracks: GroupTracks,
      sameFamily,
    }),
    { description: "Largest first" },
  ),
  totalGroups: count("Groups of two tracks or more"),
  duplicateTrackCount: count("Tracks in all groups"),
  missingCid: count("Tracks without a hash because they have not been analysed"),
  scannedTracks: count("Tracks in the library"),
  sameAudio: Type.Array(
    Type.Object({ count: Type.Integer({ minimum: 2 }), tracks: GroupTracks, sameFamily }),
    {
      description:
        "Different files with the same samples: a WAV and a FLAC of one master, or one MP3 with other tags. Largest first",
    },
  ),
  totalSameAudio: count("Groups with the same samples"),
  similar: Type.Array(
    Type.Object({
      count: Type.Integer({ minimum: 2 }),
      similarity: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Similarity of the weakest link; 1 is a copy",
      }),
      tracks: GroupTracks,
      sameFamily,
    }),
    { description: "The same mix, re-encoded, louder or softer, or with its ends trimmed. Largest first" },
  ),
  totalSimilar: count("Groups with the same mix"),
  paging: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: MAX_GROUPS }),
    offset: Type.Integer({ minimum: 0 }),
  }),
});
export type Duplicates = Static<typeof Duplicates>;
