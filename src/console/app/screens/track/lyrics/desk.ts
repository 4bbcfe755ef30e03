import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { noteSaved } from "../../../actions/others.ts";
import { api, dataOf } from "../../../api/client.ts";
import { ApiError, sentenceOf } from "../../../api/errors.ts";
import { changed } from "../../../api/queries.ts";
import type { Body } from "../../../api/routes.ts";
import type { Lyrics } from "../queries.ts";
import type { Line } from "./times.ts";

type Written = Body<"PUT /app/library/tracks/{trackId}/lyrics">;
/** What somebody else wrote meanwhile. */
type Theirs = { lyrics: Lyrics; name: string };

/** So long after the last change times are saved. */
const SAVE_AFTER_MS = 800;

/** The times of a version, as they are being made. */
export type Desk = {
  lines: ReadonlySignal<readonly Line[]>;
  said: ReadonlySignal<string>;
  /** Undefined: nobody wrote anything meanwhile. */
  theirs: Signal<Theirs | undefined>;
  /** Takes lines, and saves them soon. */
  change: (lines: readonly Line[]) => void;
  /** Takes what the server has, unless something is not saved. */
  take: (lyrics: Lyrics) => void;
  /** Takes what somebody else wrote, or writes over it. */
  settle: (whose: "theirs" | "mine") => void;
  /** Saves at once what is not saved. */
  flush: () => Promise<void>;
};

export function createDesk(first: Lyrics): Desk {
  const { trackId, versionId } = first;
  const lines = signal<readonly Line[]>(first.lines);
  const said = signal("");
  const theirs = signal<Theirs | undefined>(undefined);
  let base = first.revision;
  let [isUnsaved, isSending] = [false, false];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = async () => {
    clearTimeout(timer);
    if (!isUnsaved || isSending || theirs.peek()) return;
    [isUnsaved, isSending] = [false, true];
    said.value = "Saving…";
    try {
      base = (await writeLyrics(trackId, { lines: [...lines.peek()], versionId, base })).revision;
      said.value = "Saved";
    } catch (thrown) {
      isUnsaved = true;
      theirs.value = theirsIn(thrown);
      said.value = theirs.peek() ? "" : sentenceOf(thrown);
      return;
    } finally {
      isSending = false;
    }
    // More was made meanwhile.
    if (isUnsaved) void save();
  };
  const take = (lyrics: Lyrics) => {
    if (isUnsaved || isSending) return;
    base = lyrics.revision;
    lines.value = lyrics.lines;
  };
  return {
    lines,
    said,
    theirs,
    change: (next) => {
      lines.value = next;
      isUnsaved = true;
      clearTimeout(timer);
      timer = setTimeout(() => void save(), SAVE_AFTER_MS);
    },
    take,
    settle: (whose) => {
      const found = theirs.peek();
      if (!found) return;
      theirs.value = undefined;
      base = found.lyrics.revision;
      if (whose === "mine") return void save();
      isUnsaved = false;
      take(found.lyrics);
    },
    flush: save,
  };
}

/** Returns what somebody else wrote, where that is why times were refused. */
function theirsIn(thrown: unknown): Theirs | undefined {
  if (!(thrown instanceof ApiError) || thrown.code !== "changed_since") return undefined;
  const { lyrics, by } = thrown.data as { lyrics: Lyrics; by: { name: string } | null };
  return { lyrics, name: by?.name ?? "Somebody" };
}

/** Writes the words or times of a track. @throws ApiError */
export async function writeLyrics(trackId: string, { base, ...body }: Written) {
  const written = await dataOf(
    api.PUT("/app/library/tracks/{trackId}/lyrics", {
      params: { path: { trackId } },
      body: { ...body, ...(base !== undefined && { base }) },
    }),
  );
  noteSaved({
    trackId,
    field: "lyrics",
    text: written.lyrics ?? "",
    textIn: ({ audio_profile }) => audio_profile.lyrics ?? "",
    putBack: () => writeLyrics(trackId, body),
  });
  changed("tracks", [trackId]);
  return written;
}
