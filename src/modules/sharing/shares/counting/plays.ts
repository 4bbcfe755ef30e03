import { type Db, transact } from "../../../../../db/client.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DAY_MS, SECOND_MS } from "../../../../kernel/time.ts";
import {
  listVisitorActivity,
  noteHeard,
  recordActivity,
  settleActivity,
} from "../../../library/analytics/service.ts";
import { isMachineName, isWebKit } from "./audience.ts";
import { type Intervals, lengthOf, withInterval } from "./intervals.ts";
import { meteredBody, meteredStream, partOf } from "./metered.ts";
import { AGAIN_MS, activityOf, createHand, isPlainRequest, visitName } from "./notes.ts";
import { EARLY_SEC, NO_PARTS, partsToNote, readParts } from "./parts.ts";
import type { SharedFile } from "./shared-file.ts";

/** How much must be heard, or half of a track shorter than a minute. */
const PLAY_SEC = 30;
/** Assumed for a file that could not be measured: the rate of good MP3s. */
const ASSUMED_BYTES_PER_SEC = 32_000;

/** A report of a page's script: the parts of a track that were heard, and where in it the visitor is, in seconds. */
export type Heard = Omit<SharedFile, "use" | "source"> & {
  parts: Intervals;
  atSec?: number | undefined;
};

/** A visitor listening to a track. */
type Listen = Omit<SharedFile, "use" | "request" | "source" | "sizeBytes" | "isOwner"> & {
  startedAt: number;
  lastAt: number;
  durationSec: number;
  /** Parts that were sent, in seconds. A later listen may play them again without a request. */
  given: Intervals;
  /** True when the browser proved that it already has the file. */
  hasFile: boolean;
  /** Parts that the page's script reports as played. */
  heard: Intervals;
  /** Where in the track the visitor was last. */
  atSec: number | undefined;
  /** Parts that the log has from before a restart. */
  earlier: Intervals;
  /** True without a script: only the bytes sent can be counted. */
  isPlain: boolean;
  leftOut: "owner" | "machine" | undefined;
  /** False once its link did not keep parts: then the log has none of all of it. */
  keepsParts: boolean;
  /** The row in the log, once there is one. */
  seq: number | undefined;
  isCounted: boolean;
  notedSec: number;
  /** True while a report is not in the log. */
  hasNews: boolean;
};

/**
 * Makes the recorder of plays. Sent and heard parts are added up in memory, and written when they become a play, or
 * else by `flush`. A play counts once while a visitor continues with the same track, with breaks of less than half
 * an hour.
 */
export function createPlayNotes({ db, now }: Pick<Deps, "db" | "now">) {
  const inHand = createHand<Listen>(DAY_MS);

  const listenOf = (file: Omit<SharedFile, "use" | "source">): Listen => {
    const key = keyOf(file);
    const known = inHand.get(key);
    const at = now();
    if (known && at - known.lastAt < AGAIN_MS)
      return Object.assign(known, { lastAt: at, keepsParts: known.keepsParts && file.share.noteParts });
    const listen = begin(db, file, at, known);
    inHand.set(key, listen);
    return listen;
  };
  const look = (listen: Listen) => {
    const isPlay = heardSec(listen, now()) >= neededSec(listen);
    if (!isPlay || listen.isCounted || listen.leftOut) return;
    const noted = transact(db, (tx) => count(tx, listen, now()));
    Object.assign(listen, noted, { isCounted: true });
  };

  return {
    /** True for the first request of a listen. */
    isFirst: (file: SharedFile): boolean => !inHand.get(keyOf(file)),
    serve: (file: SharedFile, response: Response): Response => {
      const listen = listenOf(file);
      if (isPlainRequest(file.request)) listen.isPlain = true;
      const { source, sizeBytes, request } = file;
      const part = partOf(response, sizeBytes);
      if (!part) {
        listen.hasFile ||= response.status === 304;
        return response;
      }
      const give = (from: number, to: number) => {
        listen.lastAt = now();
        const secondsOf = (byte: number) => (byte / sizeBytes) * listen.durationSec;
        listen.given = withInterval(listen.given, secondsOf(from), secondsOf(to));
        if (listen.isPlain) look(listen);
      };
      if (isWebKit(request)) {
        // How much arrives is unknown, so the part is only an upper limit for the script's report.
        if (!listen.isPlain) give(part.start, part.end);
        return response;
      }
      const { body } = response;
      const metered =
        typeof source === "string" || body === null
          ? meteredBody({ path: String(source), ...part }, give)
          : meteredStream(body, part.start, give);
      return new Response(metered, response);
    },
    onHeard: ({ parts, atSec, ...file }: Heard): void => {
      const listen = listenOf(file);
      for (const [from, to] of parts)
        listen.heard = withInterval(listen.heard, from, Math.min(to, listen.durationSec));
      listen.atSec = atSec ?? parts.at(-1)?.[1] ?? listen.atSec;
      listen.hasNews = true;
      look(listen);
    },
    flush: (): void => {
      const at = now();
      const changed = inHand.values().filter((listen) => isChanged(listen, at));
      if (changed.length > 0) {
        const noted = transact(db, (tx) => changed.map((listen) => [listen, note(tx, listen, at)] as const));
        for (const [listen, values] of noted) Object.assign(listen, values);
      }
      inHand.forgetOld(at);
    },
  };
}

/** Without the page's cookie, a client is identified by its address and user agent, only in memory. */
function keyOf({ share, visitId, client, request, trackId }: Omit<SharedFile, "use" | "source">): string {
  const who = visitId ?? `${client} ${request.headers.get("user-agent")}`;
  return `${share.id} ${trackId} ${who}`;
}

/**
 * Begins a listen, or continues one that the log has from the last half hour, because the program may have been
 * restarted.
 */
function begin(
  db: Db,
  { request, isOwner, ...file }: Omit<SharedFile, "use" | "source">,
  at: number,
  earlier: Listen | undefined,
): Listen {
  const { share, visitId, trackId } = file;
  const isNobody = visitId === undefined || isMachineName(request.headers.get("user-agent"));
  const lookup = { shareId: share.id, metric: "plays" as const, entityId: trackId, since: at - AGAIN_MS };
  const [row] =
    earlier || visitId === undefined ? [] : listVisitorActivity(db, { ...lookup, visit: visitName(visitId) });
  return {
    ...file,
    startedAt: at,
    lastAt: at,
    durationSec: file.durationSec ?? file.sizeBytes / ASSUMED_BYTES_PER_SEC,
    given: earlier?.given ?? [],
    hasFile: earlier?.hasFile ?? false,
    heard: [],
    atSec: row?.stoppedSec ?? undefined,
    earlier: readParts(row?.heard ?? null),
    isPlain: false,
    keepsParts: share.noteParts,
    leftOut: isOwner() ? "owner" : isNobody ? "machine" : undefined,
    seq: row?.seq,
    isCounted: row?.leftOut === null,
    notedSec: row?.heardSec ?? 0,
    hasNews: false,
  };
}

/** A page loads ahead what may play next: that alone is nothing to note. */
const isChanged = (listen: Listen, at: number) =>
  (listen.seq === undefined && (listen.leftOut !== undefined || listen.isPlain || listen.heard.length > 0)) ||
  listen.hasNews ||
  heardSec(listen, at) >= listen.notedSec + 1;

/**
 * Returns how much was heard. Browsers load ahead, so a page with a script reports what was heard. It counts at
 * most what was sent and fits in the time.
 */
function heardSec({ heard, given, hasFile, isPlain, startedAt }: Listen, at: number): number {
  const givenSec = lengthOf(given);
  if (isPlain && heard.length === 0) return givenSec;
  const time = (at - startedAt) / SECOND_MS + EARLY_SEC;
  return Math.min(lengthOf(heard), hasFile ? Number.POSITIVE_INFINITY : givenSec, time);
}

const neededSec = ({ durationSec }: Listen) => Math.min(PLAY_SEC, durationSec / 2);

/** The stored state of a listen. It is valid once the transaction has committed. */
type Noted = { seq: number; notedSec: number; hasNews: false };

/** Writes how much was heard; a listen that is not a play stays uncounted. */
function note(tx: Db, listen: Listen, at: number): Noted {
  const { share, visitId, trackId, startedAt, leftOut = "short" } = listen;
  const notedSec = Math.max(listen.notedSec, Math.floor(heardSec(listen, at)));
  // Of the owner's own listening and of machines no more is kept than that it was left out.
  const parts = listen.leftOut || !listen.keepsParts ? NO_PARTS : partsToNote(listen, at);
  const heard = { heardSec: notedSec, ...parts };
  if (listen.seq !== undefined) {
    noteHeard(tx, listen.seq, heard);
    return { seq: listen.seq, notedSec, hasNews: false };
  }
  const play = activityOf(share, "plays", visitId, trackId);
  return { seq: recordActivity(tx, { ...play, leftOut, ...heard }, startedAt), notedSec, hasNews: false };
}

function count(tx: Db, listen: Listen, at: number): Noted {
  const noted = note(tx, listen, at);
  settleActivity(tx, noted.seq, null);
  return noted;
}
