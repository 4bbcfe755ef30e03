import { join } from "node:path";
import { transact } from "../../db/client.ts";
import { store } from "../../db/schema.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/kernel/time.ts";
import { closeLibrary } from "../../src/library.ts";
import { writeMail } from "../../src/modules/mail/outbox/service.ts";
import { type Written, writeLetters } from "../../test/support/letters.ts";
import { openMailbox } from "../mailbox/mailbox.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { residentMb } from "./memory.ts";
import { startPacedReads } from "./paced-reads.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./processes.ts";

/** As many as go out in an hour. */
const MAILS = 1000;
const QUICK_MAILS = 100;
const DEEDS = 300;
const TRACKS = 1000;
const READERS = 4;
const WARM_UP_MS = 2 * SECOND_MS;
const IDLE_MS = 10 * SECOND_MS;

/** Measures what a mail adds to a deed, how fast mails go out, how long readers wait meanwhile, and the memory of a server with a relay. */
export async function benchMails({ quick }: { quick: boolean }): Promise<Figure[]> {
  const mails = quick ? QUICK_MAILS : MAILS;
  const folder = temporaryFolder("bench-mails");
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  // The tracks are rows without a file, which a start would take for a disk that is not mounted.
  deps.db.update(store).set({ hasAudio: false }).run();
  const owner = await createOwner(deps);
  addAnalysedTracks(deps, owner.accountId, TRACKS);
  const [letter] = await writeLetters();
  if (!letter) throw new Error("There is no letter");
  const added = addedByMail(deps, letter);
  deps.db.$client.run("DELETE FROM mails");

  const mailbox = await openMailbox({ smtpPort: 0, httpPort: 0 });
  const relay = {
    SMTP_URL: `smtp://127.0.0.1:${mailbox.smtpPort}`,
    NETWORK_ALLOW: `127.0.0.1:${mailbox.smtpPort}`,
    MAIL_FROM: "music@label.example",
    PUBLIC_URL: "https://music.label.example",
  };
  const memory = {
    without: await idleMemoryMb(dataDir, folder),
    with: await idleMemoryMb(dataDir, folder, relay),
  };
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log"), settings: relay });
  await server.healthy();
  const reads = await startPacedReads({
    port: server.port,
    key: owner.key,
    paths: ["/api/v1/tracks?limit=50"],
    clients: READERS,
  });
  await Bun.sleep(WARM_UP_MS);
  reads.reset();
  await Bun.sleep(IDLE_MS);
  const idle = median(reads.times());
  reads.reset();
  const began = performance.now();
  transact(deps.db, (tx) => {
    for (let n = 0; n < mails; n++) write({ ...deps, db: tx }, letter, `bench ${n}`);
  });
  const isLeft = () =>
    deps.db.$client.query("SELECT 1 FROM mails WHERE state <> 'sent' LIMIT 1").get() !== null;
  while (isLeft()) await Bun.sleep(100);
  const seconds = (performance.now() - began) / SECOND_MS;
  const busy = median(reads.times());
  reads.stop();
  await server.stop();
  await mailbox.close();
  closeLibrary(deps);
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return [
    { what: "a mail written with a deed", figure: `${ms(added)} more`, aim: atMost(added, 1, "ms") },
    {
      what: `${mails} mails to a receiver on this machine`,
      figure: `${seconds.toFixed(1)} s`,
      aim: atMost(seconds, MINUTE_MS / SECOND_MS, "s"),
    },
    {
      what: "a read meanwhile, median",
      figure: ms(busy),
      yardstick: `${ms(idle)} before`,
      share: busy / idle,
      aim: atMost(busy / idle, 1.2, "of that"),
    },
    {
      what: "memory of an idle server with a relay",
      figure: `${memory.with.toFixed(0)} MB`,
      yardstick: `${memory.without.toFixed(0)} MB without`,
    },
  ];
}

/** Median of deeds that write a row with a mail less that of deeds without, by turns. */
function addedByMail(deps: Deps, letter: Written): number {
  const deed = (n: number, hasMail: boolean) => {
    const began = performance.now();
    transact(deps.db, (tx) => {
      tx.$client.run("UPDATE accounts SET credits = credits + 1");
      if (hasMail) write({ ...deps, db: tx }, letter, `deed ${n}`);
    });
    return performance.now() - began;
  };
  const pairs = Array.from({ length: DEEDS }, (_, n) => ({ plain: deed(n, false), mailed: deed(n, true) }));
  return median(pairs.map(({ mailed }) => mailed)) - median(pairs.map(({ plain }) => plain));
}

function write(deps: Pick<Deps, "db" | "now" | "secrets">, letter: Written, dedupe: string): void {
  const { kind, subject, content } = letter;
  const to = { email: "anna@example.com", name: "Anna Berg" };
  writeMail(deps, { accountId: null, kind: "test", dedupe: `${kind} ${dedupe}`, to, subject, content });
}

async function idleMemoryMb(dataDir: string, folder: string, settings: Record<string, string> = {}) {
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log"), settings });
  await server.healthy();
  await Bun.sleep(WARM_UP_MS);
  const { now } = residentMb(server.pid);
  await server.stop();
  return now;
}
