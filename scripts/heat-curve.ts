/**
 * Prints how long the curve of one link takes among a million listens, and how much they take on the disk.
 *
 * usage: bun scripts/heat-curve.ts [--listens 1000000] [--links 5000]
 *
 * Half of the listens are of one link in a hundred: links are not opened alike. Exit 1 when the curve of the median link takes more
 * than 5 ms, or what was heard more than 40 MB.
 */
import "./support/help.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { transact } from "../db/client.ts";
import type { LibraryId } from "../db/schema.ts";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { MINUTE_MS } from "../src/kernel/time.ts";
import { closeLibrary } from "../src/library.ts";
import { recordActivity } from "../src/modules/library/analytics/service.ts";
import { getListening } from "../src/modules/sharing/shares/listening/listening.ts";
import { shareEntity } from "../src/modules/sharing/shares/service.ts";
import { grouped, median } from "./bench/figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./bench/library.ts";
import { temporaryFolder } from "./bench/processes.ts";

const { values } = parseArgs({
  options: { listens: { type: "string", default: "1000000" }, links: { type: "string", default: "5000" } },
});
const [LISTENS, LINKS] = [Number(values.listens), Number(values.links)];
const [MOST_MS, MOST_MB] = [5, 40];
const CHUNK = 20_000;
const LENGTH_SEC = 240;
const RUNS = 200;

const folder = temporaryFolder("heat-curve");
const random = randomFrom("heat curve");
let deps = openLibraryIn(folder);
deps.db.$client.run("PRAGMA synchronous = OFF");
const owner = (await createOwner(deps)).accountId as LibraryId;
const trackIds = addAnalysedTracks(deps, owner, LINKS);
const shareIds: string[] = [];
for (const trackId of trackIds)
  shareIds.push((await shareEntity(deps, { accountId: owner }, { trackId, isMarked: false })).id);
const startAt = deps.now() - LISTENS * MINUTE_MS;
for (let done = 0; done < LISTENS; done += CHUNK)
  transact(deps.db, (tx) => {
    for (let n = done; n < Math.min(done + CHUNK, LISTENS); n++) listen(tx, n);
  });
closeLibrary(deps);
// As a server opens it.
deps = openLibraryIn(folder);
const { bytes = 0, rows = 0 } =
  deps.db.$client
    .query<{ bytes: number; rows: number }, []>(
      "SELECT sum(length(heard)) AS bytes, count(heard) AS rows FROM activity WHERE heard IS NOT NULL",
    )
    .get() ?? {};
const some = Array.from(
  { length: RUNS },
  () => shareIds[LINKS / 100 + Math.floor(random() * 0.9 * LINKS)] ?? "",
);
const middle = timesOf(some);
const again = timesOf(some);
const busy = timesOf(shareIds.slice(0, LINKS / 100));
const fileMb = statSync(join(folder, "dubplate.db")).size / 1e6;
closeLibrary(deps);

console.log(`${grouped(rows)} listens of ${grouped(LINKS)} links; file ${grouped(fileMb)} MB`);
console.log(`what was heard: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / rows).toFixed(0)} bytes each`);
console.log(
  `curve of a link with ${middle.visits} visits: median ${middle.ms.toFixed(2)} ms, read again ${again.ms.toFixed(2)} ms`,
);
console.log(`of one of the busiest, with ${busy.visits} visits: median ${busy.ms.toFixed(2)} ms`);
const isMet = middle.ms <= MOST_MS && bytes / 1e6 <= MOST_MB;
console.log(isMet ? "met" : `MISSED: at most ${MOST_MS} ms and ${MOST_MB} MB`);
process.exitCode = isMet ? 0 : 1;

function listen(tx: typeof deps.db, n: number): void {
  // One link in a hundred has half of the listens.
  const link = Math.floor(random() * (random() < 0.5 ? LINKS / 100 : LINKS));
  const parts: [number, number][] = [];
  for (let at = LENGTH_SEC * random() * 0.5; at < LENGTH_SEC && parts.length < 3; at += 40 * random()) {
    const to = Math.min(LENGTH_SEC, at + 60 * random());
    parts.push([Math.round(10 * at) / 10, Math.round(10 * to) / 10]);
    at = to;
  }
  recordActivity(
    tx,
    {
      ...{ ownerId: owner, entity: "track", entityId: trackIds[link] ?? "", metric: "plays" },
      ...{
        actor: { type: "visitor", name: null },
        shareId: shareIds[link] ?? null,
        visit: `v${n % 200_000}`,
      },
      heardSec: Math.round(parts.reduce((sum, [from, to]) => sum + to - from, 0)),
      ...{ heard: JSON.stringify(parts), stoppedSec: parts.at(-1)?.[1] ?? null },
    },
    startAt + n * MINUTE_MS,
  );
}

function timesOf(ids: readonly string[]): { ms: number; visits: number } {
  const visits: number[] = [];
  const times = ids.map((id) => {
    const began = performance.now();
    visits.push(getListening(deps, owner, id).totals.visits);
    return performance.now() - began;
  });
  return { ms: median(times), visits: median(visits) };
}
