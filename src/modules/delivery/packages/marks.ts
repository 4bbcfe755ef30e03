import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import {
  beingPrepared,
  copiesOfPackage,
  copyOfPackage,
  makeHere,
  noteDelivered,
  preparePackage,
} from "../../sharing/marks/service.ts";
import { planContents } from "./contents.ts";
import type { Song } from "./known.ts";
import { PLAN_KEPT_MS, type Plan, sizeOf } from "./plan.ts";
import { songTitle } from "./song.ts";

type MarkDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** Begins to make the copies of a plan, unless they are there. */
export function beginMarks(deps: MarkDeps, plan: Plan): void {
  if (plan.isReady || plan.progress.state === "marking") return;
  transact(deps.db, (tx) => preparePackage({ ...deps, db: tx }, plan, plan.songs));
  plan.progress = { ...plan.progress, state: "marking", message: null };
}

/**
 * Makes the copies of a plan here and now, for a command beside the server.
 *
 * @throws DomainError `file_missing` for a file that cannot be marked.
 */
export async function makeMarks(
  deps: MarkDeps & Parameters<typeof makeHere>[0],
  plan: Plan,
  signal: AbortSignal,
): Promise<void> {
  for (const song of plan.isReady ? [] : plan.songs) {
    const { ownerId: accountId, id: packageId, recipient } = plan;
    const copy = { accountId, packageId, recipient, versionId: song.versionId, trackId: song.trackId };
    const { id } = transact(deps.db, (tx) => copyOfPackage(tx, copy, deps.now()));
    await makeHere(deps, [id], signal).catch((cause: Error) => {
      throw cause.name === "MediaError"
        ? new DomainError("file_missing", unmarkable(song), { cause })
        : cause;
    });
  }
  plan.progress = { ...plan.progress, state: "marking" };
  await updateMarks(deps, plan);
}

const unmarkable = (song: Song) =>
  `${songTitle(song)} cannot be marked. Leave it out, or deliver without marks`;

/** Notes on a plan how far its copies are. When all are made, it is planned anew, of them. */
export async function updateMarks(deps: MarkDeps, plan: Plan): Promise<void> {
  if (plan.isReady || plan.progress.state !== "marking") return;
  const copies = copiesOfPackage(deps, plan);
  const byVersion = new Map(copies.map((copy) => [copy.versionId, copy]));
  // Being made takes its time, and is no reason to forget the plan.
  plan.until = deps.now() + PLAN_KEPT_MS;
  plan.progress = { ...plan.progress, markedTracks: copies.filter(({ file }) => file).length };
  const failed = plan.songs.find(({ versionId }) => {
    const copy = byVersion.get(versionId);
    return !copy || (copy.hasFailed && !copy.file);
  });
  if (failed) {
    plan.progress = { ...plan.progress, state: "failed", message: unmarkable(failed) };
    return;
  }
  const songs = plan.songs.flatMap((song) => {
    const { copyId, file } = byVersion.get(song.versionId) ?? {};
    return copyId && file
      ? {
          ...song,
          marked: { copyId, originalSha256: song.sha256, path: file.path },
          sizeBytes: file.sizeBytes,
          sha256: file.sha256,
        }
      : [];
  });
  if (songs.length < plan.songs.length) return;
  const contents = await planContents(deps, { ...plan.plannedOf, songs });
  // Somebody else looked meanwhile.
  if (plan.isReady) return;
  Object.assign(plan, contents, { isReady: true, sizeBytes: sizeOf(contents) });
  plan.progress = { ...plan.progress, state: "planned", sizeBytes: plan.sizeBytes };
}

/** @throws DomainError `being_prepared` until the copies of a plan are made, `file_missing` where they cannot be. */
export async function requireMarks(deps: MarkDeps, plan: Plan): Promise<void> {
  await updateMarks(deps, plan);
  if (plan.isReady) return;
  const { state, message } = plan.progress;
  if (state === "failed" && message !== null) throw new DomainError("file_missing", message);
  beginMarks(deps, plan);
  throw beingPrepared("This package");
}

/** Notes that the copies of a plan begin to leave. */
export function noteMarksLeaving(
  { db, now }: Pick<Deps, "db" | "now">,
  { songs }: Pick<Plan, "songs">,
): void {
  const copyIds = songs.flatMap(({ marked }) => marked?.copyId ?? []);
  if (copyIds.length === 0) return;
  transact(db, (tx) => {
    for (const id of copyIds) noteDelivered(tx, id, now());
  });
}
