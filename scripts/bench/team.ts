import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transact } from "../../db/client.ts";
import { members, type PersonId, people } from "../../db/schema.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { newId } from "../../src/kernel/ids.ts";
import { closeLibrary } from "../../src/library.ts";
import { beginSession } from "../../src/modules/people/people/service.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "./processes.ts";

const MEMBERS = 100;
const STREAMS = 30;
const LOG_ENTRIES = 100_000;
const QUICK_ENTRIES = 5000;
const SAMPLES = 60;
const AIM_MS = 10;
const AIM_TOLD_MS = 1000;
const AIM_CORE_PERCENT = 5;
const AIM_ENDED_MS = 500;
/** How long the server is watched while nothing changes. */
const CALM_MS = 5000;
/** The kernel counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Somebody of the library, signed in. */
type Person = { memberId: string; token: string };

/**
 * Reads the list of a hundred members and pages of a long log, tells thirty people with a stream each of one change, and removes
 * one of them.
 */
export async function benchTeam({ quick }: { quick: boolean }): Promise<Figure[]> {
  const dataDir = temporaryFolder("bench-team");
  const deps = openLibraryIn(dataDir);
  const { accountId, key } = await createOwner(deps);
  const [trackId = ""] = addAnalysedTracks(deps, accountId, 1);
  const [manager, ...others] = addMembers(deps, accountId);
  if (!manager) throw new Error("Nobody was added");
  addEntries(deps, accountId, quick ? QUICK_ENTRIES : LOG_ENTRIES);
  closeLibrary(deps);

  const server = spawnDubplate({ dataDir, port: freePort(), log: join(dataDir, "log") });
  await server.healthy();
  const by = { authorization: `Bearer ${manager.token}` };
  const plain = await timeOf(server, "/app/tracks?limit=1", by);
  const team = await timeOf(server, "/app/team", by);
  const log = await timeOf(server, "/app/team/log?limit=50", by);
  const streams = await told(server, others.slice(0, STREAMS), { trackId, key });
  const endedMs = await ended(server, others[0] as Person, by);
  await server.stop();
  const besides = `a page of one track ${plain.toFixed(1)} ms`;
  return [
    {
      what: `the list of ${MEMBERS + 1} members`,
      figure: `${team.toFixed(1)} ms`,
      yardstick: besides,
      aim: atMost(team, AIM_MS, "ms"),
    },
    {
      what: `a page of 50 of ${quick ? QUICK_ENTRIES : LOG_ENTRIES} entries of the log`,
      figure: `${log.toFixed(1)} ms`,
      yardstick: besides,
      aim: atMost(log, AIM_MS, "ms"),
    },
    {
      what: `one field changed: the last of ${STREAMS} people is told`,
      figure: `${streams.toldMs.toFixed(0)} ms`,
      aim: atMost(streams.toldMs, AIM_TOLD_MS, "ms"),
    },
    {
      what: `${STREAMS} streams while nothing changes`,
      figure: `${streams.corePercent.toFixed(1)} % of a core`,
      yardstick: `without streams ${streams.calmPercent.toFixed(1)} %`,
      aim: atMost(streams.corePercent, AIM_CORE_PERCENT, "% of a core"),
    },
    {
      what: "somebody is removed: their stream ends",
      figure: `${endedMs.toFixed(0)} ms`,
      aim: atMost(endedMs, AIM_ENDED_MS, "ms"),
    },
  ];
}

/** Adds a manager and producers, each with a session. */
function addMembers(deps: Deps, accountId: string): Person[] {
  return transact(deps.db, (tx) =>
    Array.from({ length: MEMBERS }, (_, index) => {
      const at = deps.now();
      const memberId = newId("mem");
      const person = {
        id: newId("usr") as PersonId,
        name: `Person ${index}`,
        email: `person${index}@example.com`,
        createdAt: at,
      };
      tx.insert(people).values(person).run();
      const role = index === 0 ? "manager" : "producer";
      tx.insert(members).values({ id: memberId, accountId, personId: person.id, role, joinedAt: at }).run();
      const client = { ip: "127.0.0.1", userAgent: null };
      return { memberId, token: beginSession({ ...deps, db: tx }, person, client, { accountId }).token };
    }),
  );
}

function addEntries({ db, now }: Deps, accountId: string, count: number): void {
  const insert = db.$client.prepare(
    "INSERT INTO audit_log (id, at, actor, action, account_id) VALUES (?, ?, ?, 'key.create', ?)",
  );
  transact(db, () => {
    for (let index = 0; index < count; index++) insert.run(newId("aud"), now() - index, accountId, accountId);
  });
}

/** Returns the median time of a GET, in milliseconds. */
async function timeOf({ address }: ServerProcess, path: string, headers: Record<string, string>) {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const beganAt = performance.now();
    const response = await fetch(`${address}${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    times.push(performance.now() - beganAt);
  }
  return median(times);
}

/** Opens a stream of live changes. `heard` resolves with the first text that has the words in it; `end` when the server ends it. */
async function openStream({ address }: ServerProcess, { token }: Person) {
  const closing = new AbortController();
  const response = await fetch(`${address}/app/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: closing.signal,
  });
  if (!response.ok || !response.body) throw new Error(`/app/events: ${response.status}`);
  let text = "";
  let wake = () => {};
  const end = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      wake();
    }
  })().catch(() => {});
  const heard = async (words: string) => {
    while (!text.includes(words))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return { heard, end, close: () => closing.abort() };
}

/** Tells everybody of one change. */
async function told(
  server: ServerProcess,
  listeners: readonly Person[],
  { trackId, key }: { trackId: string; key: string },
) {
  const calmPercent = await coreShare(server);
  const streams = await Promise.all(listeners.map((person) => openStream(server, person)));
  await Promise.all(streams.map(({ heard }) => heard("event: ready")));
  const corePercent = await coreShare(server);
  const beganAt = performance.now();
  const everyone = Promise.all(streams.map(({ heard }) => heard(trackId)));
  const changed = await fetch(`${server.address}/api/v1/tracks/details?id=${trackId}`, {
    method: "PATCH",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ title: "Night Drive (Final)" }),
  });
  if (!changed.ok) throw new Error(`The track was not changed: ${await changed.text()}`);
  await everyone;
  const toldMs = performance.now() - beganAt;
  for (const { close } of streams) close();
  return { toldMs, corePercent, calmPercent };
}

/** Removes somebody with a stream. Returns the time from the answer to the end of the stream. */
async function ended(server: ServerProcess, person: Person, by: Record<string, string>): Promise<number> {
  const stream = await openStream(server, person);
  await stream.heard("event: ready");
  const removed = await fetch(`${server.address}/app/team/members/${person.memberId}`, {
    method: "DELETE",
    headers: { ...by, "content-type": "application/json" },
    body: "{}",
  });
  if (!removed.ok) throw new Error(`Nobody was removed: ${removed.status} ${await removed.text()}`);
  const beganAt = performance.now();
  await stream.end;
  return performance.now() - beganAt;
}

/** Returns how much of a core the server uses while nothing is asked of it. */
async function coreShare({ pid }: ServerProcess): Promise<number> {
  const before = ticksOf(pid);
  await Bun.sleep(CALM_MS);
  return (100 * (ticksOf(pid) - before) * MS_PER_TICK) / CALM_MS;
}

/** Returns the processor time of a process, in ticks (Linux; elsewhere NaN). */
function ticksOf(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
