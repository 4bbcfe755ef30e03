import { statSync } from "node:fs";
import { join } from "node:path";
import { transact } from "../../db/client.ts";
import type { LibraryId } from "../../db/schema.ts";
import { createApp } from "../../src/app.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { closeLibrary } from "../../src/library.ts";
import {
  checkLedgers,
  currentHead,
  noteDeed,
  prove,
  proveConsistency,
} from "../../src/modules/proof/ledger/service.ts";
import { atMost, type Figure, grouped, median } from "./figures.ts";
import { createOwner, openLibraryIn } from "./library.ts";
import { temporaryFolder } from "./processes.ts";
import { writeUndecodableWav } from "./upload.ts";

const RECORDS = 100_000;
const MANY_RECORDS = 1_000_000;
const QUICK_RECORDS = 5000;
const AT_ONCE = 1000;
const UPLOADS = 200;
const QUICK_UPLOADS = 20;
const PROOFS = 100;
const MEGABYTE = 2 ** 20;
const AIM_APPEND_US = 60;
const AIM_HEAD_MS = 10;
const AIM_PROOF_MS = 5;
const AIM_UPLOAD = 1.02;

/** Measures what a record costs, proofs and heads of a large ledger, and what the ledger adds to an upload. */
export async function benchLedger({
  quick,
  million,
}: {
  quick: boolean;
  million: boolean;
}): Promise<Figure[]> {
  const folder = temporaryFolder("bench-ledger");
  const upload = await uploadsByTurns(folder, quick ? QUICK_UPLOADS : UPLOADS);
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  const figures = measureLedger(
    deps,
    owner.accountId as LibraryId,
    dataDir,
    quick ? QUICK_RECORDS : million ? MANY_RECORDS : RECORDS,
  );
  closeLibrary(deps);
  return [
    {
      what: "an upload that is noted for the ledger",
      figure: `${upload.noted.toFixed(2)} ms`,
      yardstick: `one that is not ${upload.plain.toFixed(2)} ms`,
      share: upload.noted / upload.plain,
      aim: atMost(upload.noted / upload.plain, AIM_UPLOAD, "of that"),
    },
    ...figures,
  ];
}

/** Median times of uploads of a megabyte into a library whose deeds are noted, and into one without the triggers. */
async function uploadsByTurns(folder: string, uploads: number): Promise<{ noted: number; plain: number }> {
  const file = join(folder, "small.wav");
  const [noted, plain] = [
    await uploaderInto(join(folder, "noted")),
    await uploaderInto(join(folder, "plain")),
  ];
  const triggers = plain.deps.db.$client
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_ledger_*'",
    )
    .all();
  for (const { name } of triggers) plain.deps.db.$client.run(`DROP TRIGGER ${name}`);
  const times = { noted: [] as number[], plain: [] as number[] };
  for (let each = 0; each < uploads; each++) {
    writeUndecodableWav(file, MEGABYTE);
    const bytes = await Bun.file(file).arrayBuffer();
    // The first of two finds the disk as it was left, so they take it in turns.
    const order = each % 2 === 0 ? (["noted", "plain"] as const) : (["plain", "noted"] as const);
    for (const name of order) times[name].push(await { noted, plain }[name].upload(bytes));
  }
  for (const { close } of [noted, plain]) close();
  return { noted: median(times.noted), plain: median(times.plain) };
}

async function uploaderInto(dataDir: string) {
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  const { front, usage } = createApp({ ...deps, settings: { ...deps.settings, rateLimit: 0 } });
  const upload = async (bytes: ArrayBuffer): Promise<number> => {
    const body = new FormData();
    body.append("files", new File([bytes], "small.wav"));
    const url = "http://127.0.0.1:4747/api/v1/tracks/upload";
    const request = new Request(url, { method: "POST", body, headers: { "x-api-key": key } });
    const began = performance.now();
    const answer = await front(request, "127.0.0.1");
    if (!answer.ok) throw new Error(await answer.text());
    return performance.now() - began;
  };
  const close = () => {
    usage.flush();
    closeLibrary(deps);
  };
  return { deps, upload, close };
}

function measureLedger(deps: Deps, ownerId: LibraryId, dataDir: string, records: number): Figure[] {
  const sizeOf = () => {
    deps.db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return statSync(join(dataDir, "dubplate.db")).size;
  };
  const timed = <Result>(work: () => Result): [Result, number] => {
    const began = performance.now();
    return [work(), performance.now() - began];
  };
  const bytesBefore = sizeOf();
  const { size: from } = currentHead(deps, ownerId).head;
  const [, noteMs] = timed(() => {
    for (let first = 0; first < records; first += AT_ONCE)
      transact(deps.db, (tx) => {
        for (let each = first; each < Math.min(records, first + AT_ONCE); each++)
          noteDeed(tx, ownerId, deedOf(each));
      });
  });
  const [, appendMs] = timed(() => currentHead(deps, ownerId));
  const bytes = sizeOf() - bytesBefore;
  noteDeed(deps.db, ownerId, deedOf(records));
  const [head, headMs] = timed(() => currentHead(deps, ownerId));
  const proofs = Array.from({ length: PROOFS }, (_, each) => {
    const subject = `lnk_${(each * 7919) % records}`;
    return timed(() => prove(deps, ownerId, subject));
  });
  const [consistency, consistencyMs] = timed(() =>
    proveConsistency(deps, ownerId, { from: from + records / 2 }),
  );
  const [checked, checkMs] = timed(() => checkLedgers(deps.db, () => undefined));
  const proofMs = median(proofs.map(([, ms]) => ms));
  const appendUs = (appendMs * 1000) / records;
  return [
    {
      what: `${grouped(records)} records get their places`,
      figure: `${appendUs.toFixed(0)} us each, ${(bytes / records).toFixed(0)} bytes each`,
      yardstick: `a bare row in the same file ${((noteMs * 1000) / records).toFixed(0)} us`,
      aim: atMost(appendUs, AIM_APPEND_US, "us"),
    },
    {
      what: `a head of ${grouped(head.head.size)} records`,
      figure: `${headMs.toFixed(2)} ms`,
      aim: atMost(headMs, AIM_HEAD_MS, "ms"),
    },
    {
      what: "a proof",
      figure: `${proofMs.toFixed(2)} ms, ${proofs[0]?.[0]?.path.length} hashes, ${JSON.stringify(proofs[0]?.[0]).length} bytes`,
      aim: atMost(proofMs, AIM_PROOF_MS, "ms"),
    },
    {
      what: "consistency with half of it",
      figure: `${consistencyMs.toFixed(2)} ms, ${consistency.path.length} hashes`,
    },
    { what: `checking ${grouped(checked)} records`, figure: `${(checkMs / 1000).toFixed(1)} s` },
  ];
}

const deedOf = (each: number) =>
  ({
    type: "download.finished",
    subject: `lnk_${each}`,
    detail: { versionId: `ver_${each}`, recipient: `Somebody ${each}`, sizeBytes: 48_000_000 },
  }) as const;
