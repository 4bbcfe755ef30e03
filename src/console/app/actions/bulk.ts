import { signal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import type { Body } from "../api/routes.ts";
import { counted } from "../ui/numbers.ts";
import { toast, toastError } from "../ui/toast.tsx";
import { patchTracks, type TrackRow, type Where } from "./tracks.ts";

/** Which tracks a change is about, and how many they are. */
export type Target = { where: Where; count: number };
/** A change of tracks. */
export type Doing = Body<"POST /app/tracks/bulk">["do"];

/** The target of some rows. */
export const these = (rows: readonly Pick<TrackRow, "id">[]): Target => ({
  where: { ids: rows.map(({ id }) => id) },
  count: rows.length,
});

/** `3 tracks`, `1 track`, `12,403 tracks`. */
export const tracksText = (count: number): string => counted(count, "track");

/** A change that takes longer shows how far it is, and can be stopped. */
const PATIENCE_MS = 400;
const LOOK_EVERY_MS = 250;

/** What a toast says of a change: while it goes on, of `n` tracks afterwards, and of what an "Undo" took back. */
export type Words = { during?: string; after: (tracks: string) => string };

/**
 * Changes tracks in one request, however many they are, and says so with an "Undo". Returns whether anything was changed.
 *
 * @param words What the toast says of `n` tracks: "3 tracks hidden".
 */
export async function bulk(target: Target, doing: Doing, words: Words["after"] | Words): Promise<boolean> {
  try {
    const begun = await begin(target, doing, typeof words === "function" ? { after: words } : words);
    return await begun.ended;
  } catch (thrown) {
    toastError(thrown);
    return false;
  }
}

/**
 * Begins a change as {@link bulk} does, for a form, which shows refusals itself. `ended` says whether anything
 * was changed.
 *
 * @throws ApiError.
 */
export async function begin(
  target: Target,
  doing: Doing,
  words: Words,
): Promise<{ ended: Promise<boolean> }> {
  const takeBack = showAtOnce(target, doing);
  try {
    const body = { where: target.where, do: doing, answerWithinMs: PATIENCE_MS };
    const begun = await dataOf(api.POST("/app/tracks/bulk", { body }));
    return { ended: end(begun, words) };
  } catch (thrown) {
    takeBack();
    throw thrown;
  } finally {
    changed("tracks", null);
  }
}

async function end(begun: Result, words: Words): Promise<boolean> {
  try {
    const result = begun.state === "running" ? await follow(begun, words) : begun;
    report(result, words);
    return result.changed > 0;
  } finally {
    changed("tracks", null);
  }
}

type Result = Awaited<ReturnType<typeof resultOf>>;
const resultOf = (changeId: string) =>
  dataOf(api.GET("/app/bulk/{changeId}", { params: { path: { changeId } } }));

/** Shows how far a change is until it ends. */
async function follow({ changeId = "", total = 0, ...begun }: Result, words: Words): Promise<Result> {
  const done = signal(begun.done ?? 0);
  const stop = () =>
    void dataOf(api.POST("/app/bulk/{changeId}/stop", { params: { path: { changeId } } })).catch(toastError);
  const dismiss = toast(words.during ?? "Changing tracks", { progress: { done, total, stop } });
  try {
    for (;;) {
      const result = await resultOf(changeId);
      done.value = result.done ?? 0;
      if (result.state !== "running") return result;
      changed("tracks", null);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  } finally {
    dismiss();
  }
}

function report({ changed: count, failed, undoId, state, total = 0 }: Result, words: Words): void {
  const said = words.after(tracksText(count));
  const text =
    state === "stopped" ? `${said}, then stopped: ${tracksText(total - count)} left unchanged` : said;
  if (count > 0 || failed.length === 0) toast(text, undoId === null ? {} : { undo: () => undo(undoId) });
  const [first] = failed;
  if (first) toast(`${tracksText(failed.length)} could not be changed: ${first.message}`, { kind: "alert" });
}

async function undo(undoId: string): Promise<void> {
  await dataOf(api.POST("/app/undo/{undoId}", { params: { path: { undoId } } }));
  changed("tracks", null);
}

/** What can be known before the answer. */
function showAtOnce({ where }: Target, { visible, retag, details }: Doing): () => void {
  const isMeant = (row: TrackRow) =>
    "ids" in where ? where.ids.includes(row.id) : !where.except?.includes(row.id);
  const patch: Partial<TrackRow> = {
    ...(visible !== undefined && { visible }),
    ...(details?.artist !== undefined && { artist: details.artist }),
    ...(retag && { status: "pending" as const, reason: null }),
  };
  return Object.keys(patch).length > 0 ? patchTracks(isMeant, patch) : () => undefined;
}

export const analyseAgain = (target: Target) =>
  bulk(target, { retag: true }, (tracks) => `Analysing ${tracks} again`);

export const setVisible = (target: Target, visible: boolean) =>
  bulk(target, { visible }, (tracks) => `${tracks} ${visible ? "shown" : "hidden"}`);

export const deleteTracks = (target: Target) =>
  bulk(target, { delete: true }, (tracks) => `${tracks} deleted`);
