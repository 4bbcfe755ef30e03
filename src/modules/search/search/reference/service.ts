import { discardStaged } from "../../../../blobs/store.ts";
import type { OwnerActor } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { createDesk } from "../../../../kernel/desk.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";
import { type MeasuredReference, measureReferenceFile } from "../../../library/analysis/service.ts";
import { sameRecording } from "../../../library/recordings/service.ts";
import { type ReadForm, receivePassing } from "../../../library/uploads/service.ts";
import { requireCredit } from "../service.ts";
import { MOST_SEC, type ReferenceWish, readWish } from "./form-shapes.ts";
import type { Asked, Reference } from "./reference.ts";

type ReferenceDeps = Pick<Deps, "db" | "settings" | "ffmpegPath" | "selfCommand">;

const MEASURE_MS = 60 * SECOND_MS;

/**
 * Returns a function that receives a reference, measures it in its turn and forgets it: the file is on disk for as long as
 * that takes, under a name that says nothing.
 *
 * The function throws DomainError `validation_failed`, `not_enough_credits`, `file_too_large`, `invalid_file_type`,
 * `url_not_allowed`, `download_failed`, `insufficient_storage`; `analysis_failed` with what is wrong with the file;
 * `rate_limit_exceeded` while too many wait; `request_timeout` after `measureMs`.
 */
export function createReferenceReader(deps: ReferenceDeps, { measureMs = MEASURE_MS } = {}) {
  const desk = createDesk({ what: "references", done: "compared" });
  return (actor: OwnerActor, readForm: ReadForm, signal: AbortSignal): Promise<Asked> =>
    desk.admit(actor.accountId, async () => {
      requireCredit(deps.db, actor.accountId);
      const { staged, wish, source } = await receivePassing(deps, readForm, { read: readWish, signal });
      try {
        const measured = await desk.inTurn(() => measure(deps, staged.path, wish, { signal, measureMs }));
        return { wish, reference: referenceOf(deps, actor, { measured, wish, source }) };
      } finally {
        await discardStaged(staged);
      }
    });
}

async function measure(
  deps: ReferenceDeps,
  path: string,
  { span }: ReferenceWish,
  { signal, measureMs }: { signal: AbortSignal; measureMs: number },
): Promise<MeasuredReference> {
  const late = AbortSignal.timeout(measureMs);
  const { fromSec, toSec } = span ?? { fromSec: 0, toSec: MOST_SEC };
  try {
    const either = AbortSignal.any([signal, late]);
    const outcome = await measureReferenceFile(deps, { path, fromSec, toSec }, either);
    if ("measured" in outcome) return outcome.measured;
    throw new DomainError("analysis_failed", outcome.failure.reason);
  } catch (error) {
    if (late.aborted && !signal.aborted && !(error instanceof DomainError))
      throw new DomainError("request_timeout", "Measuring the reference took too long and was stopped");
    throw error;
  }
}

function referenceOf(
  { db }: ReferenceDeps,
  { accountId }: OwnerActor,
  { measured, wish, source }: { measured: MeasuredReference; wish: ReferenceWish; source: "file" | "url" },
): Reference {
  const { descriptors, heard, features, loudness, tempo, key, fingerprint, tags } = measured;
  const { durationSec, fromSec, toSec } = measured;
  if (!descriptors)
    throw new DomainError("analysis_failed", "There is nothing to hear in this file, or in this part of it");
  return {
    ...{ descriptors, heard, features },
    loudness: loudness.integratedLufs,
    span: wish.span && { fromSec, toSec },
    said: {
      source,
      durationSec: rounded(durationSec),
      fromSec: rounded(fromSec),
      toSec: rounded(toSec),
      bpm: tempo.bpm === null ? null : Math.round(tempo.bpm * 100) / 100,
      key: key.name,
      heard: [...tags],
      sameRecordingAs: sameRecording(db, accountId, fingerprint) ?? null,
    },
  };
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;
