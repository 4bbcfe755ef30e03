import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { sentenceOf } from "../../../api/errors.ts";
import { queryClient, useQuery } from "../../../api/queries.ts";
import type { Side } from "../../../player/ab.ts";
import { type Comment, diffQuery, versionsQuery } from "../queries.ts";
import { isPlaying } from "../sound.ts";
import { type Ab, type Decode, decode, useAb } from "../use-ab.ts";
import type { Desk } from "./desk.ts";
import { type Duo, duoOf } from "./duo.ts";

/** What one goes through the notes with, from the first to the last. */
export type Step = {
  /** The version that was listened to last. */
  side: Signal<Side>;
  /** Set when the next note that shows is to play. */
  isToPlay: Signal<boolean>;
  /** Why versions could not be had, by id. */
  failed: Signal<ReadonlyMap<string, string>>;
  read: Decode;
};

export function useStep(newId: string): Step {
  const side = useSignal<Side>("b");
  const isToPlay = useSignal(false);
  const failed = useSignal<Step["failed"]["value"]>(new Map());
  const { read, stop } = useMemo(() => remembering(newId, failed), [newId, failed]);
  useEffect(() => stop, [stop]);
  return { side, isToPlay, failed, read };
}

/** Notes of one mix stand side by side: the decoded new version stays, and the old one until another is heard. */
function remembering(newId: string, failed: Step["failed"]): { read: Decode; stop: () => void } {
  const kept = new Map<string, Promise<AudioBuffer>>();
  const ended = new AbortController();
  const read: Decode = (context, version) => {
    const before = kept.get(version.id);
    if (before) return before;
    for (const id of kept.keys()) if (id !== newId) kept.delete(id);
    // Not that of the comparison, which may close while a version is on its way.
    const own = new OfflineAudioContext(1, 1, context.sampleRate);
    const asked = decode(own, version, ended.signal);
    kept.set(version.id, asked);
    asked.catch((thrown) => {
      kept.delete(version.id);
      if (version.id !== newId && !ended.signal.aborted)
        failed.value = new Map([...failed.peek(), [version.id, sentenceOf(thrown)]]);
    });
    return asked;
  };
  return { read, stop: () => ended.abort() };
}

/** What is heard of the note that shows; undefined when nothing is. */
export function useDuo(desk: Desk, note: Comment, { failed }: Step): Duo | undefined {
  const {
    track: { id: trackId },
    round,
    versions,
  } = desk;
  const then = versions.find(({ id }) => id === note.versionId);
  const now = versions.find(({ id }) => id === round.versionId);
  // Asking has both analysed.
  const isUnheard = then && now && then !== now && [then, now].some(({ analysis }) => analysis === "none");
  const { isError } = useQuery(isUnheard ? diffQuery(trackId, now, then) : null);
  useEffect(() => {
    if (isError) void queryClient.invalidateQueries({ queryKey: versionsQuery(trackId).queryKey });
  }, [isError, trackId]);
  return duoOf({ note, round, versions, failed: failed.value.get(note.versionId ?? "") });
}

/** Plays the passage of a note, old or new. */
export function useStepSound(duo: Duo, note: Comment, { side, isToPlay, read }: Step): Ab {
  const { a, b, offsetSec, startSec, span } = duo;
  const ab = useAb(a, b, offsetSec, read);
  useEffect(() => {
    ab.loop(span);
    ab.moveTo(startSec);
    ab.choose(side.peek());
    if (!isToPlay.peek()) return;
    isToPlay.value = false;
    void ab.play();
  }, [ab, note.id, span.fromSec, span.toSec]);
  useEffect(() => isPlaying.subscribe((isOn) => isOn && ab.pause()), [ab]);
  return ab;
}
