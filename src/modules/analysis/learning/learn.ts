import { type Db, transact } from "../../../../db/client.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { outdateModelsOf, requestLearning } from "../../tags/service.ts";
import { type Examples, examplesOf } from "./examples.ts";
import { getLearner, putLearner, selectBehind, versionOf } from "./learner.ts";
import { BASIS, putModel, selectStale, type TrainedTag } from "./queries.ts";
import { refreshTracks, requestRefresh } from "./refresh.ts";
import { trainTag } from "./train.ts";

/** Work that others do not notice, before they get their turn. */
const SLICE_MS = 5;
/** Tracks whose tags were just corrected are looked at again at once; the others when the corrections rest. */
const MOST_CORRECTED = 200;

/**
 * Returns the handler of the job `learn-tags`: trains every model of an account that something was said about, names
 * the result, and promises a look at the library when it is another one than before.
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

function publish({ db, now }: Pick<Deps, "db" | "now">, ownerId: string): void {
  transact(db, (tx) => {
    const before = getLearner(tx, ownerId);
    const modelVersion = versionOf(tx, ownerId);
    const { corrected, learntSeq } = selectCorrected(tx, ownerId, before.learntSeq);
    putLearner(tx, ownerId, { ...before, modelVersion, learntSeq });
    refreshTracks(tx, ownerId, corrected);
    if (before.refreshedVersion !== modelVersion) requestRefresh(tx, ownerId, now());
  });
}

function selectCorrected(tx: Db, ownerId: string, learntSeq: number) {
  const rows = tx.$client
    .query<{ trackId: string; seq: number }, [string, number]>(
      `SELECT track_id AS trackId, max(seq) AS seq FROM tag_feedback
       WHERE owner_id = ? AND seq > ? GROUP BY track_id ORDER BY seq DESC`,
    )
    .all(ownerId, learntSeq);
  const corrected = rows.slice(0, MOST_CORRECTED).map(({ trackId }) => trackId);
  return { corrected, learntSeq: rows[0]?.seq ?? learntSeq };
}

/** Gives others their turn once a slice of time is used up. */
function breather(signal: AbortSignal): () => Promise<void> {
  let turnEndsAt = performance.now() + SLICE_MS;
  return async () => {
    signal.throwIfAborted();
    if (performance.now() < turnEndsAt) return;
    await Bun.sleep(0);
    turnEndsAt = performance.now() + SLICE_MS;
  };
}

/** Has the models that were trained on a track trained again: what was measured on it is new. */
export function relearnTrack(tx: Db, ownerId: string, trackId: string, at: number): void {
  if (outdateModelsOf(tx, ownerId, trackId) > 0) requestLearning(tx, ownerId, at);
}

/** Promises learning for every account that a newer program or a crash has left behind. */
export function recoverLearning({ db, now }: Pick<Deps, "db" | "now">): void {
  transact(db, (tx) => {
    for (const ownerId of selectBehind(tx, BASIS)) requestLearning(tx, ownerId, now());
  });
}
