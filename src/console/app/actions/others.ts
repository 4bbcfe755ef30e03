import { useMemo } from "preact/hooks";
import { isGuest } from "../api/library.ts";
import { type AnswerOf, onChanged, query, readAt, useQuery } from "../api/queries.ts";
import { readTeam, useTeam } from "../api/team.ts";
import type { Theirs } from "../ui/theirs.tsx";
import { toast } from "../ui/toast.tsx";

type Track = NonNullable<AnswerOf<"/app/library/tracks/single">["data"]["track"]>;
type Edits = AnswerOf<"/app/tracks/{trackId}/edits">;

const NOBODY = "Somebody";

const editsQuery = (trackId: string) =>
  query(
    "/app/tracks/{trackId}/edits",
    { path: { trackId } },
    { tracks: [trackId], versions: [trackId], tags: [trackId] },
  );

/** Returns what other people changed of a track, by field. Empty for somebody who is alone in the library. */
export function useTheirEdits(trackId: string): Theirs {
  const me = useTeam()?.me.person.id;
  // What guests see of a track, they do not write.
  const isAsked = me !== undefined && !isGuest();
  const { data, isPlaceholderData } = useQuery(isAsked ? editsQuery(trackId) : null);
  const edits = isPlaceholderData ? undefined : data?.data;
  return useMemo(
    () =>
      new Map(
        (edits ?? [])
          .filter(({ by }) => by?.id !== me)
          .map(({ field, by, at }) => [field, { name: by?.name ?? NOBODY, at }]),
      ),
    [edits, me],
  );
}

/** A field of a track that was saved in this tab. */
type Saved = {
  trackId: string;
  /** What the server calls it. */
  field: string;
  text: string;
  textIn: (track: Track) => string;
  putBack: () => Promise<unknown>;
};

const TOLD_MS = 60_000;
const SHOWN_MS = 30_000;

/** What fields are called in a sentence, where it is another word. */
const NAMES: Readonly<Record<string, string>> = {
  bpm: "tempo",
  isrc: "ISRC",
  recordLabel: "label",
  lyricThemes: "lyric themes",
  additionalTags: "tags",
};

const saved = new Map<string, Saved & { at: number }>();
const keyOf = ({ trackId, field }: Pick<Saved, "trackId" | "field">) => `${trackId} ${field}`;
const isFresh = ({ at }: { at: number }) => Date.now() - at < TOLD_MS;

/** Remembers for a minute what was saved just now: whoever saves over it is told of, with a way back. */
export function noteSaved(field: Saved): void {
  saved.set(keyOf(field), { ...field, at: Date.now() });
}

onChanged((topic, ids) => {
  if (topic !== "tracks" && topic !== "tags") return;
  for (const [key, each] of saved) if (!isFresh(each)) saved.delete(key);
  const tracks = new Set([...saved.values()].map(({ trackId }) => trackId));
  for (const trackId of tracks)
    if (ids === null || ids.includes(trackId)) void lookAt(trackId).catch(() => undefined);
});

/** Looks whose the fields are that were saved here: the edits are read after the answer to the save. */
async function lookAt(trackId: string): Promise<void> {
  const team = await readTeam();
  const own = [...saved.values()].filter((each) => each.trackId === trackId);
  if (!team || own.length === 0) return;
  const edits = (await readAt<Edits>(`/app/tracks/${trackId}/edits`)).data;
  const lost = own.flatMap((each) => {
    const edit = edits.find(({ field }) => field === each.field);
    const isTheirs = edit !== undefined && edit.by?.id !== team.me.person.id;
    return isTheirs && saved.get(keyOf(each)) === each ? [{ each, name: edit.by?.name ?? NOBODY }] : [];
  });
  if (lost.length === 0) return;
  const url = `/app/library/tracks/single?id=${encodeURIComponent(trackId)}`;
  const { track } = (await readAt<AnswerOf<"/app/library/tracks/single">>(url)).data;
  for (const { each, name } of lost) {
    if (saved.get(keyOf(each)) !== each) continue;
    saved.delete(keyOf(each));
    const text = track ? each.textIn(track) : each.text;
    if (text !== each.text) tell(each, name, text);
  }
}

function tell({ field, putBack }: Saved, name: string, text: string): void {
  const what = NAMES[field] ?? field;
  const done = text === "" ? `emptied the ${what} after you.` : `changed the ${what} after you: “${text}”.`;
  toast(`${name} ${done}`, { action: { name: "Put mine back", run: putBack }, shownMs: SHOWN_MS });
}
