import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { openDb } from "../../db/client.ts";
import { analyses, tracks, trackVectors, versions } from "../../db/schema.ts";
import { readSettings } from "../../src/config.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { originalsIn } from "../support/originals.ts";
import { createProgram } from "../support/process.ts";
import { chordProgression, drumLoop, silence, sine, wavBytes } from "../support/signals.ts";

const RATE_HZ = 22_050;

/** A beat and four chords, 8 seconds. */
function song(bpm: number, tonic: number): Uint8Array<ArrayBuffer> {
  const drums = drumLoop(RATE_HZ, 8, bpm);
  const chords = chordProgression(RATE_HZ, 8, { tonic, minor: true });
  return wavBytes([drums.map((sample, i) => 0.5 * sample + (chords[i] ?? 0))], RATE_HZ, 16);
}
const IN_A = song(120, 9);
const IN_D = song(100, 2);
const BROKEN = wavBytes([silence(RATE_HZ, 0.1)], RATE_HZ, 16).slice(0, 44);
const short = (hz: number) => wavBytes([sine(8000, 0.1, hz)], 8000, 16);

function formOf(
  field: string,
  bytes: Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(field, new File([bytes], "song.wav"));
  return form;
}

describe("a track whose audio is replaced", () => {
  let app: TestApp;
  let key: string;
  let trackId: string;
  beforeEach(async () => {
    app = await createTestApp();
    key = app.createKey(app.createAccount().accountId);
    const profile = { title: "Night Bus", genres: ["House"] };
    const audioProfiles = JSON.stringify([{ name: "song.wav", audioProfile: profile }]);
    const { body } = await app.as(key)("POST", "/tracks/upload", formOf("files", IN_A, { audioProfiles }));
    trackId = body.data.uploaded[0].id;
    await app.drainJobs();
  });
  afterEach(() => app.close());

  const replace = (bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) =>
    app.as(key)("POST", `/tracks/${trackId}/versions`, formOf("file", bytes, fields));
  const single = async (): Promise<Json> =>
    (await app.as(key)("GET", `/tracks/single?id=${trackId}`)).body.data;
  const found = async (): Promise<Json> =>
    (
      await app.as(key)("POST", "/tracks/search", { query: "house", constraints: { bpmRange: [118, 122] } })
    ).body.data.results.map(({ id }: Json) => id);
  const vectors = () =>
    app.deps.db.select().from(trackVectors).where(eq(trackVectors.trackId, trackId)).all();

  test("is found by its old values until the new ones are measured, and keeps what a person wrote", async () => {
    const [vectorBefore] = vectors();

    await replace(IN_D);

    const between = (await single()).track;
    expect(between).toMatchObject({ cid: "", analysis: { status: "pending" } });
    expect(between.audio_profile).toMatchObject({ title: "Night Bus", key: "A minor" });
    expect(await found()).toEqual([trackId]);

    await app.drainJobs();

    const { track, activeVersionId } = await single();
    expect(track.analysis).toMatchObject({ status: "completed", measured: { versionId: activeVersionId } });
    expect(track.audio_profile).toMatchObject({ title: "Night Bus", key: "D minor", durationSec: 8 });
    expect(track.audio_profile.bpm).toBeCloseTo(100, 0);
    expect(track.audio_profile.genres).toMatchObject([{ genre: { name: "House" } }]);
    expect(await found()).toEqual([]);
    expect(vectors()).toHaveLength(2);
    expect(vectors()[0]?.embedding).not.toEqual(vectorBefore?.embedding);
    const { body } = await app.as(key)("GET", `/tracks/${trackId}/versions`);
    expect(body.data.versions.map(({ cid }: Json) => cid)).toEqual([expect.any(String), track.cid]);
  });

  test("a track whose audio is replaced by an unreadable file shows no measurements of the old one", async () => {
    await replace(BROKEN);
    await app.drainJobs();

    const { track } = await single();
    expect(track.analysis.status).toBe("failed");
    expect(track.audio_profile).toMatchObject({
      title: "Night Bus",
      bpm: null,
      key: null,
      durationSec: null,
    });
    expect(vectors()).toEqual([]);
  });

  test("a track whose audio is replaced and then restored keeps the newer measurements until it is analysed again", async () => {
    const [first] = (await single()).versions;
    await replace(IN_D);
    await app.drainJobs();

    await app.as(key)("POST", `/tracks/${trackId}/versions/${first.id}/activate`);
    await app.drainJobs();

    const { track, activeVersionId } = await single();
    expect(activeVersionId).toBe(first.id);
    expect(track.audio_profile.key).toBe("D minor");
    expect(track.analysis.measured.versionId).not.toBe(first.id);
  });

  test("a track whose audio is restored before the analysis is measured by the audio that it plays", async () => {
    const [first] = (await single()).versions;
    const second = (await replace(IN_D)).body.data;

    await app.as(key)("POST", `/tracks/${trackId}/versions/${first.id}/activate`);
    await app.drainJobs();

    const { track } = await single();
    expect(track).toMatchObject({
      analysis: { status: "completed", measured: { versionId: first.id } },
      audio_profile: { key: "A minor" },
    });
    expect((await app.as(key)("GET", `/tracks/${trackId}/versions/${second.id}`)).body.data.cid).toBe(
      undefined,
    );
  });

  test("a track whose audio is replaced while its analysis runs is analysed with the new audio", async () => {
    await replace(IN_D);
    const running = app.drainJobs();
    const third = (await replace(IN_A)).body.data;
    await running;
    await app.drainJobs();

    expect((await single()).track).toMatchObject({
      analysis: { status: "completed", measured: { versionId: third.id } },
      audio_profile: { key: "A minor" },
    });
  });
});

/** Returns the faults in a track's versions. There must be none after concurrent changes. */
async function faults(library: Pick<Deps, "db" | "settings">, trackId: string): Promise<string[]> {
  const { db, settings } = library;
  const track = db.select().from(tracks).where(eq(tracks.id, trackId)).get();
  const rows = db.select().from(versions).where(eq(versions.trackId, trackId)).all();
  const measured = db.select().from(analyses).where(eq(analyses.trackId, trackId)).all();
  const wanted = new Set(
    db
      .select()
      .from(versions)
      .all()
      .map(({ sha256 }) => sha256),
  );
  const files = await originalsIn(library).list();
  return [
    ...(rows.filter(({ id }) => id === track?.activeVersionId).length === 1
      ? []
      : ["not one active version"]),
    ...(new Set(rows.map(({ versionOrder }) => versionOrder)).size === rows.length ? [] : ["an order twice"]),
    ...(rows.every(({ versionOrder }) => versionOrder < (track?.nextVersionOrder ?? 0))
      ? []
      : ["an order that will be given again"]),
    ...measured
      .filter(({ versionId }) => !rows.some(({ id }) => id === versionId))
      .map(({ versionId }) => `measurements of ${versionId}, which is gone`),
    ...[...wanted].filter((sha256) => !files.includes(sha256)).map((sha256) => `no file ${sha256}`),
    ...files.filter((name) => !wanted.has(name)).map((name) => `the file ${name} of no version`),
    ...readdirSync(join(settings.dataDir, "tmp")).map((name) => `the temporary file ${name}`),
  ];
}

const actives = (list: Json): number => list.versions.filter(({ active }: Json) => active).length;

describe("exactly one version is active", () => {
  test("a track keeps one active version while sixty requests upload, activate and delete at once", async () => {
    const app = await createTestApp();
    const key = app.createKey(app.createAccount().accountId);
    const call = app.as(key);
    const { body } = await call("POST", "/tracks/upload", formOf("files", short(200)));
    const trackId = body.data.uploaded[0].id;
    const path = `/tracks/${trackId}/versions`;
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, i) => call("POST", path, formOf("file", short(210 + i)))),
    );
    const ids: string[] = made.map((answer) => answer.body.data.id);

    const answers = await Promise.all(
      ids.flatMap((id, i) => [
        call("POST", `${path}/${id}/activate`),
        call("DELETE", `${path}/${ids[(i + 5) % 10]}`),
        call("POST", path, formOf("file", short(210 + (i % 3)), { activate: String(i % 2 === 0) })),
        call("GET", path),
        call("DELETE", `${path}/${id}`),
        call("POST", `${path}/${ids[(i + 3) % 10]}/activate`),
      ]),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404, 409]));
    for (const { status, body: answer } of answers) {
      if (status === 404) expect(answer.messageCode).toBe("version_not_found");
      if (status === 409) expect(answer.messageCode).toBe("active_version");
      if (answer.data?.versions) expect(actives(answer.data)).toBe(1);
    }
    expect(await faults(app.deps, trackId)).toEqual([]);
    await app.drainJobs();
    expect(await faults(app.deps, trackId)).toEqual([]);
    const { analysis } = (await call("GET", `/tracks/single?id=${trackId}`)).body.data.track;
    expect(analysis.status).toBe("completed");
    await app.close();
  });

  describe("exactly one version is active while another process changes the library of a running server", () => {
    const program = createProgram({ RATE_LIMIT: "0" });
    afterAll(() => program.close());

    test("a track keeps one active version, and every file belongs to a version", async () => {
      const ROUNDS = 15;
      const server = await program.serve();
      const email = "me@example.com";
      const [account] = (
        await program.run([
          "account",
          "create",
          "--email",
          email,
          "--name",
          "Me",
          "--password",
          "long enough 1",
        ])
      ).rows;
      const [made] = (await program.run(["key", "create", "--email", email, "--name", "k"])).rows;
      const call = async (method: string, path: string, form?: FormData): Promise<Json> => {
        const headers = { "x-api-key": String(made?.key) };
        const init = { method, headers, ...(form && { body: form }) };
        const response = await fetch(`${server.address}/api/v1${path}`, init);
        return await response.json();
      };
      const trackId = (await call("POST", "/tracks/upload", formOf("files", short(200)))).data.uploaded[0].id;
      const path = `/tracks/${trackId}/versions`;

      const contender = Bun.spawn(
        [
          process.execPath,
          Bun.fileURLToPath(new URL("./version-contender.ts", import.meta.url)),
          String(account?.id),
          trackId,
          String(ROUNDS),
        ],
        {
          env: program.env,
          stdout: "pipe",
          stderr: "inherit",
        },
      );
      for (let round = 0; round < ROUNDS; round++) {
        const { versions: list } = (await call("GET", path)).data;
        const some = list[round % list.length].id;
        const [, , , seen] = await Promise.all([
          call("POST", path, formOf("file", short(300 + (round % 4) * 10))),
          call("POST", `${path}/${some}/activate`),
          call("DELETE", `${path}/${list[(2 * round) % list.length].id}`),
          call("GET", path),
        ]);
        expect(actives(seen.data)).toBe(1);
      }
      const { done } = JSON.parse(await new Response(contender.stdout).text());

      expect(await contender.exited).toBe(0);
      expect(done).toBeGreaterThan(ROUNDS);
      server.child.kill("SIGTERM");
      await server.child.exited;
      const db = openDb(join(program.dataDir, "dubplate.db"));
      expect(await faults({ db, settings: readSettings(program.env) }, trackId)).toEqual([]);
      db.$client.close();
    });
  });
});
