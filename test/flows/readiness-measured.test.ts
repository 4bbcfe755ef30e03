import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { blobPath } from "../../src/blobs/store.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { startWorkers } from "../../src/workers.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { chordProgression, wavBytes } from "../support/signals.ts";

const RATE_HZ = 8000;

let app: TestApp;
let api: ReturnType<TestApp["as"]>;
beforeAll(async () => {
  app = await createTestApp();
  api = app.as(app.createKey(app.createAccount().accountId));
});
afterAll(() => app.close());

/** Two seconds of chords, with the right channel upside down where it is said. */
function song(tonic: number, isUpsideDown = false): Blob {
  const left = chordProgression(RATE_HZ, 2, { tonic, minor: false });
  return new Blob([wavBytes([left, left.map((value) => (isUpsideDown ? -value : value))], RATE_HZ, 16)]);
}

async function upload(name: string, bytes: Blob): Promise<string> {
  const form = new FormData();
  form.append("files", bytes, name);
  const { body } = await api("POST", "/tracks/upload", form);
  return body.data.uploaded[0].id;
}

const findingsOf = async (id: string): Promise<Json[]> =>
  (await api("GET", `/tracks/${id}/readiness`)).body.data.findings;
const codesOf = async (id: string) => (await findingsOf(id)).map(({ code }) => code);

/** Does what a server does at its start, and all work that there is. */
async function start() {
  const workers = startWorkers(app.deps, { loops: false });
  await workers.drain();
  await workers.stop();
}

test("an upload is looked at while it is analysed, and an older library once the server starts with this program", async () => {
  const faulty = await upload("Upside Down.wav", song(0, true));
  const gone = await upload("Gone.wav", song(2));
  const sound = await upload("Song.wav", song(4));
  expect(await codesOf(faulty)).toContain("not_checked");
  await start();
  expect(await codesOf(faulty)).toContain("out_of_phase");
  expect(await codesOf(sound)).not.toContain("out_of_phase");

  const { $client } = app.deps.db;
  const stored = () =>
    $client.query("SELECT version_id, rules, measured FROM readiness_results ORDER BY 1").all();
  const before = stored();
  $client.run("DELETE FROM readiness_results");
  $client.run("INSERT INTO readiness_results SELECT version_id, '0', '{}', 1 FROM analyses");
  const { sha256 = "" } =
    $client
      .query<{ sha256: string }, [string]>("SELECT sha256 FROM versions WHERE track_id = ?1")
      .get(gone) ?? {};
  rmSync(blobPath(app.deps.settings, sha256));
  app.clock.advance(DAY_MS);
  expect(await codesOf(faulty)).toContain("not_checked");

  await start();

  expect(await codesOf(faulty)).toContain("out_of_phase");
  expect(await codesOf(gone)).toContain("not_checked");
  // The same as in the analysis; what an earlier program found is gone, except where the file is.
  const isOld = ({ rules }: Json) => rules === "0";
  expect(stored().filter((row) => !isOld(row))).toEqual(
    before.filter((row) =>
      stored().some((now: Json) => now.version_id === (row as Json).version_id && !isOld(now)),
    ),
  );
  expect(stored().filter(isOld)).toHaveLength(1);
  expect(
    $client.query("SELECT count(*) AS n FROM jobs WHERE state = 'waiting' AND name <> 'hear_whole'").get(),
  ).toEqual({ n: 0 });
});
