import { discardStaged, withLocalCopy } from "../../../blobs/store.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { createDesk } from "../../../kernel/desk.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { findVersion, getOwnedTrack } from "../../library/catalog/service.ts";
import { type ReadForm, receivePassing } from "../../library/uploads/service.ts";
import { createAsk } from "./ask.ts";
import { type Asked, type LookUpDeps, lookUp } from "./look-up.ts";
import { createLookups, type LeakAnswer, NOTHING_YET } from "./lookups.ts";
import type { Leak } from "./shapes.ts";
import type { Span } from "./task.ts";

export type { LeakPool } from "./task.ts";

/** A look-up takes seconds; this is for a library of many tracks on a busy machine. */
const MOST_MS = 10 * MINUTE_MS;

/** How much of a track a listening test repeats. */
const SAMPLE_SEC = 15;

type LeakDeps = LookUpDeps & Pick<Deps, "now" | "log">;

/** Receives leaks and says whose copies they are. */
export type Leaks = {
  /**
   * Receives a sound and begins to look for whose copy it is. The file is on disk until that is known, under a name that says nothing.
   *
   * @throws DomainError `validation_failed`, `track_not_found`, `file_too_large`, `invalid_file_type`, `url_not_allowed`,
   *   `download_failed`, `insufficient_storage`; `rate_limit_exceeded` while two leaks of the library are looked into.
   */
  begin(actor: SessionActor, readForm: ReadForm, signal: AbortSignal): Promise<Leak>;
  /** @throws DomainError `not_found` for what is not known, or not any more. */
  get(actor: SessionActor, id: string): Leak;
  /**
   * Returns the middle of a track beside itself with a mark, see `markedBeside`.
   *
   * @throws DomainError `track_not_found`; `file_missing`; `analysis_failed` when it cannot be decoded; `rate_limit_exceeded`.
   */
  sample(actor: SessionActor, trackId: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
};

/** Returns what looks into leaks, one at a time. */
export function createLeaks(deps: LeakDeps): Leaks {
  const desk = createDesk({ what: "leaks", done: "looked into" });
  const lookups = createLookups(deps.now);
  return {
    get: ({ accountId }, id) => lookups.get(accountId, id),
    sample: ({ accountId }, trackId, signal) => {
      const { activeVersionId, durationSec } = getOwnedTrack(deps.db, accountId, trackId);
      const fromSec = Math.max(0, (durationSec ?? 0) / 2 - SAMPLE_SEC / 2);
      const span = { fromSec, toSec: fromSec + SAMPLE_SEC };
      return desk.admit(accountId, () => desk.inTurn(() => sampleOf(deps, activeVersionId, span, signal)));
    },
    begin({ accountId }, readForm, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Leak>();
      const work = async () => {
        const read = (fields: ReadonlyMap<string, string>) => wishOf(deps, accountId, fields);
        const { staged, wish } = await receivePassing(deps, readForm, { read, signal });
        const id = lookups.begin(accountId);
        resolve(lookups.get(accountId, id));
        try {
          const asked = { accountId, path: staged.path, sha256: staged.sha256, trackId: wish };
          return { id, answer: await desk.inTurn(() => answerFor(deps, asked)).catch(failed) };
        } finally {
          await discardStaged(staged);
        }
      };
      // Only then: whoever has the answer can ask again, and nothing of the file is left.
      desk.admit(accountId, work).then(({ id, answer }) => lookups.settle(id, answer), reject);
      return promise;
    },
  };
}

async function sampleOf(
  deps: LeakDeps,
  versionId: string,
  span: Span,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { ffmpegPath, selfCommand } = deps;
  const ask = createAsk(deps.db, signal);
  const version = findVersion(deps.db, versionId);
  const sample = await withLocalCopy(deps.settings, version?.sha256 ?? "", (path) =>
    ask<Uint8Array<ArrayBuffer>>({ kind: "sample", file: { path, ffmpegPath, selfCommand }, span }),
  ).catch((error: Error) => {
    throw error.name === "MediaError" ? new DomainError("analysis_failed", error.message) : error;
  });
  if (sample) return sample;
  throw new DomainError("file_missing", "The file of this track is missing on the server");
}

/** Returns the track that a leak is of, by its owner's word. */
function wishOf(
  { db }: LeakDeps,
  accountId: Asked["accountId"],
  fields: ReadonlyMap<string, string>,
): string | undefined {
  const trackId = fields.get("trackId") || undefined;
  return trackId === undefined ? undefined : getOwnedTrack(db, accountId, trackId).id;
}

async function answerFor(deps: LeakDeps, asked: Asked): Promise<LeakAnswer> {
  const late = AbortSignal.timeout(MOST_MS);
  try {
    return await lookUp(deps, asked, createAsk(deps.db, late));
  } catch (error) {
    // Errors keep only their name and their words on their way from a thread.
    if (error instanceof DomainError) return failed(error);
    if (error instanceof Error && error.name === "MediaError")
      return failed(new DomainError("analysis_failed", error.message));
    if (late.aborted)
      return failed(new DomainError("request_timeout", "The look-up took too long and was stopped"));
    deps.log("error", "A leak could not be looked into", { error });
    return failed(new DomainError("internal_error", "Something went wrong. Ask again"));
  }
}

const failed = ({ code, message }: DomainError): LeakAnswer => ({
  ...NOTHING_YET,
  ...{ status: "failed", error: { code, message } },
});
