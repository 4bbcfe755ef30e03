import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { trackTitle } from "../../../shared/names.ts";
import { api, dataOf } from "../../api/client.ts";
import { onChanged } from "../../api/queries.ts";
import type { Answer, Hit, Search } from "./search.ts";

/**
 * Keeps what shows of the results true while tracks are renamed, hidden or deleted, without another search, which may cost
 * a credit. What comes back from the bin comes back to its place.
 */
export function useFreshHits(search: Signal<Search>): void {
  useEffect(
    () =>
      onChanged((topic, ids) => {
        if (!ids || !["tracks", "versions"].includes(topic)) return;
        for (const hit of search.peek().answer?.results ?? [])
          if (ids.includes(hit.id)) void renew(search, hit);
      }),
    [search],
  );
}

/** The results that are still there. */
export function present(answer: Answer, gone: readonly string[]): Answer {
  const results = answer.results.filter(({ id }) => !gone.includes(id));
  return { ...answer, results, count: results.length };
}

async function renew(search: Signal<Search>, hit: Hit): Promise<void> {
  const params = { query: { id: hit.id } };
  const { track } = await dataOf(api.GET("/app/library/tracks/single", { params })).catch(() => ({
    track: undefined,
  }));
  const { answer, gone } = search.peek();
  if (track === undefined || !answer?.results.includes(hit)) return;
  const others = gone.filter((id) => id !== hit.id);
  if (track === null) {
    search.value = { ...search.peek(), gone: [...others, hit.id] };
    return;
  }
  const { title, artist, cover, bpm, key } = track.audio_profile;
  const isSameArtist = hit.artists.every((name) => artist?.includes(name));
  const next: Hit = {
    ...hit,
    title: trackTitle({ title, name: track.name }),
    artists: artist === null ? [] : isSameArtist ? hit.artists : [artist],
    visible: track.visible,
    cover,
    bpm,
    key,
  };
  const results = answer.results.map((each) => (each === hit ? next : each));
  search.value = { ...search.peek(), gone: others, answer: { ...answer, results } };
}
