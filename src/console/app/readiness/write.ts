import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import type { Body } from "../api/routes.ts";
import type { About } from "./about.ts";
import type { Finding } from "./queries.ts";

type Details = Body<"PATCH /app/library/tracks/details">;
type Rights = Body<"PATCH /app/library/tracks/{trackId}/rights">;

/** A text that mends a finding. */
export type FieldOf = {
  label: string;
  hint?: string;
  type?: "date";
  /** True: the same text can be right for other tracks. */
  isShared?: boolean;
  /** Writes the text for some tracks, or for what it is about. @throws ApiError. */
  write: (text: string, trackIds: readonly string[]) => Promise<unknown>;
};

type Kind = Omit<FieldOf, "write"> & ({ detail: keyof Details } | { right: keyof Rights });

const KINDS: Readonly<Record<string, Kind>> = {
  title: { label: "Title", detail: "title" },
  artist: { label: "Artist", detail: "artist", isShared: true },
  genre: { label: "Genre", detail: "trackGenre", isShared: true },
  isrc: { label: "ISRC", detail: "isrc", hint: "Two letters, three letters or digits, seven digits" },
  iswc: { label: "ISWC", right: "iswc", hint: "T and ten digits" },
  upc: { label: "UPC", right: "upc", hint: "12 or 13 digits", isShared: true },
  pLine: { label: "℗ line", right: "pLine", hint: "Year and owner of the recording", isShared: true },
  cLine: { label: "© line", right: "cLine", hint: "Year and owner of cover and text", isShared: true },
  releaseDate: { label: "Release date", right: "releaseDate", type: "date", isShared: true },
};

const OF_COMPOSER: Readonly<Record<string, { label: string; hint: string }>> = {
  ipi: { label: "IPI", hint: "The number of a member of a society, of up to 11 digits" },
  isni: { label: "ISNI", hint: "16 digits, of which the last may be an X" },
  pro: { label: "PRO", hint: "The society, such as GEMA or PRS" },
};

/** Returns the field whose text mends a finding; undefined when none does. */
export function fieldOf({ fix, composerId }: Finding, about: About): FieldOf | undefined {
  if (fix === null) return undefined;
  const ofComposer = composerId === null ? undefined : OF_COMPOSER[fix];
  if (ofComposer && composerId !== null)
    return { ...ofComposer, write: (text) => writeComposer(composerId, { [fix]: text }) };
  const kind = KINDS[fix];
  if (!kind) return undefined;
  const { playlistId } = about;
  if (about.trackId === undefined)
    return playlistId === undefined
      ? undefined
      : { ...kind, write: (text) => writePlaylist(playlistId, { [fix]: text }) };
  return {
    ...kind,
    write: async (text, trackIds) => {
      for (const trackId of trackIds)
        await ("detail" in kind
          ? writeDetails(trackId, { [kind.detail]: text })
          : writeRights(trackId, { [kind.right]: text }));
    },
  };
}

async function writeDetails(trackId: string, body: Details): Promise<void> {
  await dataOf(api.PATCH("/app/library/tracks/details", { params: { query: { id: trackId } }, body }));
  changed("tracks", [trackId]);
}

/** Writes what is stated of a track's rights. @throws ApiError. */
export async function writeRights(trackId: string, body: Rights): Promise<void> {
  await dataOf(api.PATCH("/app/library/tracks/{trackId}/rights", { params: { path: { trackId } }, body }));
  changed("tracks", [trackId]);
}

/** Changes a composer. @throws ApiError. */
async function writeComposer(id: string, body: Body<"PATCH /app/composers/{id}">): Promise<void> {
  await dataOf(api.PATCH("/app/composers/{id}", { params: { path: { id } }, body }));
  changed("composers", [id]);
}

/** Changes an album. @throws ApiError. */
export async function writePlaylist(
  playlistId: string,
  body: Body<"PATCH /app/library/playlists/{playlistId}">,
): Promise<void> {
  await dataOf(api.PATCH("/app/library/playlists/{playlistId}", { params: { path: { playlistId } }, body }));
  changed("playlists", [playlistId]);
}
