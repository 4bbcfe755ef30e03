import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { MadeBy } from "../../people/people/shapes.ts";
import { CreatePlaylist, MAX_TRACK_IDS, type CreatePlaylist as NewList, Playlist } from "./shapes.ts";

const text = nullable(Type.String());
const number = nullable(Type.Number());

/** A playlist as the console shows it: with what its list of tracks adds up to. */
export const PlaylistCard = shape("PlaylistCard", {
  ...Playlist.properties,
  publicUrl: nullable(
    Type.String({ description: "Page that anyone with the link can open; null: not shared with everyone" }),
  ),
  durationSec: Type.Number({ minimum: 0, description: "Sum over the tracks whose length is known" }),
  covers: Type.Array(
    Type.Object({ trackId: Type.String(), cover: nullable(Type.String({ description: "Address" })) }),
    { maxItems: 4, description: "The first four different tracks" },
  ),
  madeBy: MadeBy,
});
export type PlaylistCard = Playlist & Pick<Static<typeof PlaylistCard>, "durationSec" | "covers" | "madeBy">;

/** As over REST, except that a playlist may begin without tracks. */
export const NewPlaylist = shape("PlaylistDraft", {
  ...Type.Omit(CreatePlaylist, ["trackIds", "dedupe"]).properties,
  trackIds: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_TRACK_IDS })),
});
export type NewPlaylist = Omit<NewList, "trackIds" | "dedupe"> & { trackIds?: string[] };

/** A track's place in a playlist. */
export const PlaylistRow = shape("PlaylistRow", {
  placeId: Type.Integer({ description: "Distinguishes the places of a track that occurs more than once" }),
  id: Type.String({ description: "The track" }),
  title: Type.String({ description: "The title, or the name where there is none" }),
  artist: text,
  cover: nullable(Type.String({ description: "Address of the cover" })),
  activeVersionId: Type.String(),
  activeLabel: nullable(Type.String({ description: "Label of the active version; null: the original" })),
  bpm: number,
  key: text,
  durationSec: number,
  integratedLufs: nullable(Type.Number({ description: "Of the active version" })),
  stepLu: nullable(
    Type.Number({ description: "By how much it is louder than the track before; null: not measured" }),
  ),
  disc: nullable(Type.Integer({ minimum: 1, description: "As the file or the owner has it" })),
  number: nullable(Type.Integer({ minimum: 1, description: "On its disc, as the file or the owner has it" })),
  status: Type.String({ description: "State of the analysis" }),
  visible: Type.Boolean(),
});
export type PlaylistRow = Static<typeof PlaylistRow>;

const extreme = (description: string) =>
  nullable(
    Type.Object(
      { trackId: Type.String(), lufs: Type.Number({ description: "Integrated loudness" }) },
      { description },
    ),
  );

/** What the songs of an album add up to. */
export const AlbumFacts = shape("AlbumFacts", {
  tracks: Type.Integer({ minimum: 0 }),
  durationSec: Type.Number({ minimum: 0, description: "Sum over the tracks whose length is known" }),
  unknownLengths: Type.Integer({ minimum: 0, description: "Tracks whose length is not known" }),
  unnumbered: Type.Integer({ minimum: 0, description: "Tracks without a track number" }),
  discs: Type.Array(
    Type.Object({
      disc: nullable(Type.Integer({ minimum: 1, description: "Its number" })),
      tracks: Type.Integer({ minimum: 1 }),
      durationSec: Type.Number({ minimum: 0 }),
      missing: Type.Array(Type.Integer(), {
        description: "Numbers that no track has, below the last number or the total that a file names",
      }),
      doubled: Type.Array(Type.Integer(), { description: "Numbers that several tracks have" }),
    }),
    { description: "By disc number; null: the tracks that have none" },
  ),
  loudness: Type.Object({
    measured: Type.Integer({ minimum: 0, description: "Tracks whose loudness is known" }),
    integratedLufs: nullable(Type.Number({ description: "Of all of them, one after the other" })),
    truePeakDbtp: nullable(Type.Number({ description: "The highest of them" })),
    quietest: extreme("The quietest track; null: none is measured"),
    loudest: extreme("The loudest track; null: none is measured"),
    spreadLu: nullable(Type.Number({ minimum: 0, description: "Between the quietest and the loudest" })),
  }),
});
export type AlbumFacts = Static<typeof AlbumFacts>;
