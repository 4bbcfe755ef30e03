import { eq } from "drizzle-orm";
import { type Db, transact } from "../../db/client.ts";
import {
  analyses,
  commentPlaces,
  comments,
  recordings,
  versionRecordings,
  versions,
} from "../../db/schema.ts";
import { createApp } from "../../src/app.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { newId } from "../../src/kernel/ids.ts";
import { closeLibrary } from "../../src/library.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, type Owner, openLibraryIn } from "./library.ts";
import { temporaryFolder } from "./processes.ts";

const NOTES = 500;
const MOST_NOTES = 5000;
const VERSIONS = 10;
const LENGTH_SEC = 240;
const CODES_PER_SECOND = 8;
const CODES = LENGTH_SEC * CODES_PER_SECOND;
const LEVELS_PER_SECOND = 200;
const LEVELS = LENGTH_SEC * LEVELS_PER_SECOND;
const PEAKS_BYTES = 100_000;
const SAMPLES = 60;
const AIM_MS = 15;

type Versioned = { trackId: string; versionIds: string[] };

/**
 * Reads the round of a version with 500 notes, which is aligned with the version before it, and the list of ten versions of a track
 * with 5,000 notes.
 */
export async function benchRounds({ quick }: { quick: boolean }): Promise<Figure[]> {
  const deps = openLibraryIn(temporaryFolder("bench-rounds"));
  const owner = await createOwner(deps);
  const made = addAnalysedTracks(deps, owner.accountId, 3).map((id) => addVersions(deps.db, owner, id));
  const [noted, crowded, plain] = made as [Versioned, Versioned, Versioned];
  addNotes(deps, owner, noted, NOTES);
  addNotes(deps, owner, crowded, MOST_NOTES);
  const read = readerOf(deps, owner);
  const samples = quick ? SAMPLES / 6 : SAMPLES;
  const roundOf = ({ trackId, versionIds }: Versioned, order = 1) =>
    `/tracks/${trackId}/versions/${versionIds[order]}/round`;
  const listOf = ({ trackId }: Versioned) => `/tracks/${trackId}/versions`;
  const comments200 = `/tracks/${noted.trackId}/comments?limit=200`;
  const [round = 0, empty = 0, page = 0] = await byTurns(
    read,
    samples,
    roundOf(noted),
    roundOf(plain),
    comments200,
  );
  const first: number[] = [];
  for (let order = 2; order < VERSIONS; order += 1) first.push(await read(roundOf(noted, order)));
  const [list = 0, bare = 0] = await byTurns(read, samples, listOf(crowded), listOf(plain));
  closeLibrary(deps);
  return [
    {
      what: `a round of ${NOTES} notes`,
      figure: `${round.toFixed(1)} ms; the first time, when its two versions are aligned, ${median(first).toFixed(1)} ms`,
      yardstick: `one without notes ${empty.toFixed(1)} ms, a page of 200 comments ${page.toFixed(1)} ms`,
      aim: atMost(round, AIM_MS, "ms"),
    },
    {
      what: `${VERSIONS} versions of a track with ${MOST_NOTES} notes`,
      figure: `${list.toFixed(1)} ms`,
      yardstick: `of one without notes ${bare.toFixed(1)} ms`,
      aim: atMost(list, AIM_MS, "ms"),
    },
  ];
}

/** Returns a function that reads a path of the API and answers how long that took, in milliseconds. */
function readerOf(deps: Deps, { key }: Owner) {
  const { front } = createApp({ ...deps, settings: { ...deps.settings, rateLimit: 0 } });
  return async (path: string): Promise<number> => {
    const request = new Request(`http://127.0.0.1:4747/api/v1${path}`, { headers: { "x-api-key": key } });
    const startedAt = performance.now();
    const answer = await front(request, "127.0.0.1");
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    return performance.now() - startedAt;
  };
}

/** Returns the median time of each path. They are read by turns, so that all meet the same load. */
async function byTurns(read: (path: string) => Promise<number>, samples: number, ...paths: string[]) {
  const times = paths.map((): number[] => []);
  for (let sample = 0; sample < samples; sample++)
    for (const [index, path] of paths.entries()) times[index]?.push(await read(path));
  return times.map(median);
}

/** Gives a track of one version nine more: the same music, trimmed a second further in each. */
function addVersions(db: Db, { accountId: ownerId }: Owner, trackId: string): Versioned {
  const random = randomFrom(trackId);
  const codes = Uint32Array.from({ length: 2 * CODES }, () => Math.floor(random() * 2 ** 32));
  const levels = Uint8Array.from({ length: 2 * LEVELS }, () => Math.floor(random() * 256));
  return transact(db, (tx) => {
    const first = tx.select().from(versions).where(eq(versions.trackId, trackId)).get();
    const measured = tx.select().from(analyses).where(eq(analyses.trackId, trackId)).get();
    if (!first || !measured) throw new Error("The track has no analysed version");
    const versionIds = Array.from({ length: VERSIONS }, (_, order) => {
      const versionId = order === 0 ? first.id : newId("ver");
      if (order > 0) {
        tx.insert(versions)
          .values({ ...first, id: versionId, versionOrder: order, label: `v${order + 1}` })
          .run();
        tx.insert(analyses)
          .values({ ...measured, versionId })
          .run();
      }
      const own = codes.slice(order * CODES_PER_SECOND, order * CODES_PER_SECOND + CODES);
      const sound = {
        ownerId,
        pcmSha256: Buffer.from(versionId),
        codes: Buffer.from(own.buffer),
        columns: Buffer.alloc(10 * Math.floor(CODES / 4), 100),
        levels: Buffer.from(
          Bun.deflateSync(levels.slice(order * LEVELS_PER_SECOND, order * LEVELS_PER_SECOND + LEVELS)),
        ),
        balance: [],
        framesPerPair: 256,
        peaks: Buffer.alloc(PEAKS_BYTES),
      };
      const { id: recordingId } = tx.insert(recordings).values(sound).returning({ id: recordings.id }).get();
      tx.insert(versionRecordings).values({ versionId, recordingId }).run();
      return versionId;
    });
    return { trackId, versionIds };
  });
}

/** Adds notes on the first version with their places in the others. Every fifth is answered in the third. */
function addNotes(
  { db, now }: Deps,
  { accountId }: Owner,
  { trackId, versionIds }: Versioned,
  count: number,
): void {
  const [heard = "", ...others] = versionIds;
  transact(db, (tx) => {
    for (let index = 0; index < count; index += 1) {
      const id = newId("cmt");
      const positionSec = (index * 7919) % LENGTH_SEC;
      const answered = index % 5 === 0 && { resolvedAt: now(), resolvedIn: versionIds[2] ?? null };
      const by = { authorId: accountId, authorName: "Bench" };
      const text = `Note ${index}: the kick is a little too loud here`;
      tx.insert(comments)
        .values({
          id,
          trackId,
          ...by,
          text,
          positionSec,
          versionId: heard,
          heardLabel: "v1",
          createdAt: now(),
          ...answered,
        })
        .run();
      for (const versionId of others)
        tx.insert(commentPlaces)
          .values({ commentId: id, versionId, atSec: positionSec, how: "carried" })
          .run();
    }
  });
}
