import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { changed, query, useQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announce.ts";
import { toastError } from "../../ui/toast.tsx";
import type { Pack } from "./types.ts";

export type Song = Pack["songs"][number];

/** What goes out, in order, as it is arranged here before the server says the same. */
type Arranged = { trackIds: readonly string[]; leftOut: readonly string[] };

/** The pack of a brief, and how it is arranged by hand. */
export function usePack(briefId: string) {
  const { data, error, refetch } = useQuery(
    query(
      "/app/briefs/{id}/pack",
      { path: { id: briefId } },
      { submissions: [briefId], analysis: "all", composers: "all", tags: "all" },
    ),
  );
  const here = useSignal<Arranged | undefined>(undefined);
  const songs = data?.data.songs ?? [];
  const { trackIds, leftOut } = here.value ?? { trackIds: [], leftOut: [] };
  const isIn = (song: Song) =>
    trackIds.includes(song.trackId) || (song.isIn && !leftOut.includes(song.trackId));
  const chosen = inOrder(songs.filter(isIn), trackIds);
  const others = songs.filter((song) => !chosen.includes(song));
  const arrange = async (chosen: readonly Song[], others: readonly Song[]) => {
    const body = { trackIds: idsOf(chosen), leftOut: idsOf(others) };
    here.value = body;
    try {
      await dataOf(api.PUT("/app/briefs/{id}/pack", { params: { path: { id: briefId } }, body }));
      changed("submissions", [briefId]);
    } catch (thrown) {
      here.value = undefined;
      toastError(thrown);
    }
  };
  return {
    data: data?.data,
    error,
    retry: () => void refetch(),
    chosen,
    others,
    turn: (song: Song) => {
      const next = chosen.includes(song) ? chosen.filter((each) => each !== song) : [...chosen, song];
      void arrange(
        next,
        songs.filter((each) => !next.includes(each)),
      );
    },
    move: (from: number, index: number) => {
      const to = Math.max(0, Math.min(chosen.length - 1, index));
      const song = chosen[from];
      if (!song || to === from) return;
      announce(`Moved to ${to + 1} of ${chosen.length}`);
      void arrange(chosen.toSpliced(from, 1).toSpliced(to, 0, song), others);
    },
  };
}

const idsOf = (songs: readonly Song[]): string[] => songs.map(({ trackId }) => trackId);

/** Tracks without a place come last, as ranked. */
function inOrder(songs: readonly Song[], trackIds: readonly string[]): Song[] {
  const places = new Map(trackIds.map((id, place) => [id, place]));
  const placeOf = ({ trackId }: Song) => places.get(trackId) ?? trackIds.length;
  return songs.toSorted((one, other) => placeOf(one) - placeOf(other));
}
