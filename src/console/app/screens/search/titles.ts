import { signal } from "@preact/signals";
import { trackTitle } from "../../../shared/names.ts";
import { api, dataOf } from "../../api/client.ts";

/** Titles of tracks by id, for the chips of "More like" and "Less like". */
const titles = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();

/** Remembers the titles of results. */
export function noteTitles(tracks: readonly { id: string; title: string }[]): void {
  titles.value = new Map([...titles.peek(), ...tracks.map(({ id, title }) => [id, title] as const)]);
}

/** Returns the title of a track. One that is not known yet is read, and shows when it is there. */
export function titleOf(id: string): string {
  const known = titles.value.get(id);
  if (known === undefined && !asked.has(id)) {
    asked.add(id);
    void readTitle(id);
  }
  return known ?? "a track";
}

async function readTitle(id: string): Promise<void> {
  const { track } = await dataOf(api.GET("/app/library/tracks/single", { params: { query: { id } } })).catch(
    () => ({ track: null }),
  );
  const title = track
    ? trackTitle({ title: track.audio_profile.title, name: track.name })
    : "a deleted track";
  noteTitles([{ id, title }]);
}
