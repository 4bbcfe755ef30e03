import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { JobHandler } from "../../../../jobs/job.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { outdateModelsOf, requestLearning } from "../../tags/service.ts";
import { type Examples, examplesOf } from "./examples.ts";
import { getLearner, putLearner } from "./learner.ts";
import { putModel, selectParameters, selectStale, type TrainedTag } from "./queries.ts";
import { refreshTracks } from "./refresh.ts";
import { requestRefresh } from "./request.ts";
import { trainTag } from "./train.ts";
import { RULES_VERSION } from "./versions.ts";

/** How long a slice of work may block the thread; too short to be noticed. */
const SLICE_MS = 5;
/** The most tracks with just-corrected tags that are refreshed at once; the others wait for a pause in corrections. */
const MOST_CORRECTED = 200;

/**
 * Returns the handler of the job `learn-tags`: trains every model of an account with new verdicts, computes the version
 * of the result, and queues a refresh of the library if that version changed.
 */
export function learnHandler(deps: Pick<Deps, "db" | "now">): JobHandler {
  const { db } = deps;
  return async ({ ownerId: id }, { signal }) => {
    const ownerId = String(id);
    const breathe = breather(signal);
    for (const [category, tags] of Map.groupBy(selectStale(db, ownerId), (tag) => tag.category)) {
      const examplesFor = examplesOf(db, ownerId, category);
      for (const tag of tags) putModel(db, ownerId, tag, await train(examplesFor(tag), breathe));
    }
    publish(deps, ownerId);
  };
}

async function train({ name, examples }: Examples, breathe: () => Promise<void>): Promise<TrainedTag> {
  const said = examples.filter(({ isSaid }) => isSaid);
  const positives = said.filter(({ isPositive }) => isPositive).length;
  const model = said.length === 0 ? undefined : await trainTag(examples, breathe);
  return { name, model, positives, negatives: said.length - positives };
}

function publish({ db, now }: Pick<Deps, "db" | "now">, ownerId: LibraryId): void {
  transact(db, (tx) => {
    const before = getLearner(tx, ownerId);
    const modelVersion = versionOf(tx, ownerId);
    const { corrected, learntSeq, isTakenBack } = selectCorrected(tx, ownerId, before.learntSeq);
    putLearner(tx, ownerId, { ...before, modelVersion, learntSeq });
    refreshTracks(tx, ownerId, corrected);
    if (before.refreshedVersion !== modelVersion) requestRefresh(tx, ownerId, now(), isTakenBack);
  });
}

/**
 * Returns the version of an account's suggestion model: the rules' version, and a hash of everything learnt. The same
 * verdicts give the same version, in whatever order they came about.
 */
function versionOf(db: Db, ownerId: LibraryId): string {
  const models = selectParameters(db, ownerId);
  if (models.length === 0) return RULES_VERSION;
  const hash = new Bun.CryptoHasher("sha256");
  for (const { category, id, parameters } of models) hash.update(`${category} ${id} `).update(parameters);
  return `${RULES_VERSION}+${hash.digest("hex").slice(0, 12)}`;
}

/** What was said since the last training; `isTakenBack`: or what was said before, and is no longer. */
function selectCorrected(tx: Db, ownerId: LibraryId, learntSeq: number) {
  const rows = tx.$client
    .query<{ trackId: string; seq: number; withdrawn: number }, [string, number]>(
      `SELECT track_id AS trackId, max(seq) AS seq, max(verdict = 'withdrawn') AS withdrawn FROM tag_feedback
       WHERE owner_id = ? AND seq > ? GROUP BY track_id ORDER BY seq DESC`,
    )
    .all(ownerId, learntSeq);
  const corrected = rows.slice(0, MOST_CORRECTED).map(({ trackId }) => trackId);
  const newest = rows[0]?.seq ?? newestSeq(tx, ownerId);
  const isTakenBack = newest < learntSeq || rows.some(({ withdrawn }) => withdrawn === 1);
  return { corrected, learntSeq: newest, isTakenBack };
}

function newestSeq(tx: Db, ownerId: LibraryId): number {
  const row = tx.$client
    .query<{ seq: number | null }, [string]>("SELECT max(seq) AS seq FROM tag_feedback WHERE owner_id = ?")
    .get(ownerId);
  return row?.seq ?? 0;
}

/** Returns a function that yields to other work whenever a time slice is used up. */
function breather(signal: AbortSignal): () => Promise<void> {
  let turnEndsAt = performance.now() + SLICE_MS;
  return async () => {
    signal.throwIfAborted();
    if (performance.now() < turnEndsAt) return;
    await Bun.sleep(0);
    turnEndsAt = performance.now() + SLICE_MS;
  };
}

/** Schedules retraining of the models that were trained on a track, because its measurements are new. */
export function relearnTrack(tx: Db, ownerId: LibraryId, trackId: string, at: number): void {
  if (outdateModelsOf(tx, ownerId, trackId) > 0) requestLearning(tx, ownerId, at);
}
