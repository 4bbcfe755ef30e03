import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { transact } from "../../db/client.ts";
import { RISK } from "../../src/audio/watermark/verdict.ts";
import { copyOfLink } from "../../src/modules/sharing/marks/service.ts";
import { addFile } from "../flows/analysis-library.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { wavBytes } from "../support/signals.ts";
import { markableSong } from "../support/song.ts";
import { deliver, marked, type Planes } from "./marked.ts";

const RATE_HZ = 44_100;
const SECONDS = 24;
/** A word that must be nowhere afterwards. */
const CANARY = "zebrafinch";

const wav = (planes: Planes, from = 0, to = SECONDS) =>
  wavBytes(
    planes.map((plane) => plane.slice(from * RATE_HZ, to * RATE_HZ)),
    RATE_HZ,
    16,
  );

let app: TestApp;
let anna: ReturnType<TestApp["createAccount"]>;
let call: ReturnType<TestApp["signedIn"]>;
const MARKED = markableSong(RATE_HZ, SECONDS, 3);
const PLAIN = markableSong(RATE_HZ, SECONDS, 6);
const FOREIGN = markableSong(RATE_HZ, SECONDS, 9);
let trackId: string;
let plainId: string;
let versionId: string;
let bens: Planes;
beforeAll(async () => {
  app = await createTestApp();
  anna = app.createAccount();
  call = app.signedIn(anna.token);
  trackId = await addFile(app.deps, anna.accountId, wav(MARKED), { title: "Night Drive" });
  plainId = await addFile(app.deps, anna.accountId, wav(PLAIN), { title: "Rain" });
  await app.drainJobs();
  versionId = (await call("GET", `/app/library/tracks/single?id=${trackId}`)).body.data.activeVersionId;
  for (const name of ["Ada", "Cy", "Di"]) copyFor(name);
  const copy = copyFor("Ben");
  // Ready to be downloaded with the same code, but nobody has.
  transact(app.deps.db, (tx) => copyOfLink(tx, { ...copy, shareId: "lnk_Ben", kind: "download" }, 1));
  bens = marked(app.deps, copy, MARKED, RATE_HZ);
});
afterAll(() => app.close());

const copyFor = (recipient: string) =>
  deliver(app.deps, {
    ...{
      accountId: anna.accountId,
      versionId,
      trackId,
      kind: "listen",
      recipient,
      shareId: `lnk_${recipient}`,
    },
  });

function send(fields: Record<string, string | Uint8Array>, token = anna.token) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.set(
      name,
      typeof value === "string" ? value : new File([value as Uint8Array<ArrayBuffer>], `${CANARY}.wav`),
    );
  return app.request("/app/leaks", {
    method: "POST",
    body: form,
    headers: { authorization: `Bearer ${token}` },
  });
}

/** Asks about a leak until it is answered. */
async function ask(fields: Record<string, string | Uint8Array>): Promise<Json> {
  const { data } = (await (await send(fields)).json()) as Json;
  expect(data).toMatchObject({ status: "working", says: null, candidates: [] });
  for (;;) {
    const { body } = await call("GET", `/app/leaks/${data.id}`);
    if (body.data.status !== "working") return body.data;
    await Bun.sleep(0);
  }
}

const leftInTmp = () => {
  const tmp = join(app.deps.settings.dataDir, "tmp");
  return existsSync(tmp) ? readdirSync(tmp) : [];
};

test("a listening test has a track beside itself with a mark", async () => {
  const path = `/app/tracks/${trackId}/mark-sample`;
  const headers = { authorization: `Bearer ${anna.token}` };
  const bytes = await (await app.request(path, { headers })).arrayBuffer();
  const samples = new Float32Array(bytes, 44);
  const channels = [0, 1, 2, 3].map((channel) => samples.filter((_, at) => at % 4 === channel));
  const differences = [0, 1].map((i) => channels[i]?.map((x, at) => x - (channels[i + 2]?.[at] ?? 0)) ?? []);
  const power = (plane: ArrayLike<number>) => Array.from(plane).reduce((sum, x) => sum + x * x, 0);

  expect(channels[0]).toHaveLength(15 * RATE_HZ);
  for (const [i, difference] of differences.entries()) {
    const db = 10 * Math.log10(power(difference) / power(channels[i] ?? []));
    expect(db).toBeWithin(-50, -30);
  }
  const other = app.createAccount();
  expect((await app.signedIn(other.token)("GET", path)).status).toBe(404);
});

describe("a leak", () => {
  test.each([
    ["without its track", () => ({})],
    ["with its track", () => ({ trackId })],
  ])("of 12 seconds is traced to its recipient, %s", async (_, more) => {
    const found = await ask({ file: wav(bens, 7, 19), ...more() });

    expect(found).toMatchObject({
      ...{
        status: "done",
        error: null,
        says: "named",
        method: "informed",
        trackId,
        versionId,
        title: "Night Drive",
      },
      codesTried: 4,
      candidates: [
        { recipient: "Ben", shareId: "lnk_Ben", kind: "listen", deliveredAt: "2026-01-15T12:00:00.000Z" },
      ],
    });
    expect(found.candidates).toHaveLength(1);
    expect(found.candidates[0].chanceOfError).toBeLessThan(RISK);
    expect(found.excerpt.from).toBeWithin(6.9, 7.2);
    expect(found.excerpt.to).toBeWithin(18, 19.2);
  });

  test("in the middle of something else is found there", async () => {
    const around = FOREIGN.map((plane, i) =>
      Float32Array.from([...plane.subarray(0, 20 * RATE_HZ), ...(bens[i]?.subarray(0, 20 * RATE_HZ) ?? [])]),
    );

    const found = await ask({ file: wavBytes(around, RATE_HZ, 16) });

    expect(found).toMatchObject({ says: "named", candidates: [{ recipient: "Ben" }] });
    expect(found.at.from).toBeWithin(19, 26);
  });

  test("whose version is gone is still read", async () => {
    const { db } = app.deps;
    db.$client.query("UPDATE tracks SET deleted_at = 1 WHERE id = ?").run(trackId);

    const found = await ask({ file: wav(bens) });

    db.$client.query("UPDATE tracks SET deleted_at = NULL WHERE id = ?").run(trackId);
    expect(found).toMatchObject({
      says: "named",
      method: "blind",
      trackId,
      candidates: [{ recipient: "Ben" }],
    });
  });

  test("that is the very file of a copy is known by its bytes", async () => {
    const file = wav(bens, 0, 3);
    const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
    app.deps.db.$client
      .query(
        `INSERT INTO marked_files (copy_id, encoding, sha256, size_bytes, made_at, is_kept)
         SELECT id, 'original', ?, ?, 1, 1 FROM marked_copies WHERE recipient = 'Cy'`,
      )
      .run(sha256, file.length);

    const found = await ask({ file });

    expect(found).toMatchObject({
      ...{ says: "named", method: "exact", trackId, title: "Night Drive" },
      candidates: [{ recipient: "Cy", score: null, chanceOfError: null }],
    });
  });

  test.each([
    ["the original", () => wav(MARKED), "no_mark", () => trackId],
    ["a track that no marked copy was made of", () => wav(PLAIN), "no_copies", () => plainId],
    ["a sound that is not in the library", () => wav(FOREIGN), "not_found", () => null],
  ])("that is %s names nobody", async (_, file, says, id) => {
    const found = await ask({ file: file() });

    expect(found).toMatchObject({ status: "done", says, method: null, trackId: id(), candidates: [] });
  });

  test("that is not of the track that was named is not recognised", async () => {
    const found = await ask({ file: wav(FOREIGN, 0, 15), trackId });

    expect(found).toMatchObject({ says: "not_found", trackId, excerpt: null, candidates: [] });
  });

  test("with too little sound says so", async () => {
    const found = await ask({ file: wav(bens, 0, 2) });

    expect(found).toMatchObject({ status: "failed", error: { code: "analysis_failed" }, candidates: [] });
    expect((await ask({ file: wavBytes([new Float32Array(9)], RATE_HZ, 16) })).status).toBe("failed");
  });

  test("that cannot be taken says why", async () => {
    const file = wav(bens, 0, 8);
    const address = (body: unknown) => call("POST", "/app/leaks", body);
    const answers: string[] = [];
    for (const fields of [
      {},
      { file, url: "https://example.com/a" },
      { file, trackId: "trk_none" },
      { file: Buffer.from("no sound") },
    ] as Record<string, string>[])
      answers.push(((await (await send(fields)).json()) as Json).messageCode);
    const byAddress = [
      await address({ url: "http://127.0.0.1:1/a.mp3" }),
      await address({ url: "none" }),
      await address({ url: "https://example.com/a.mp3", track: trackId }),
    ];

    expect(answers).toEqual([
      "validation_failed",
      "validation_failed",
      "track_not_found",
      "invalid_file_type",
    ]);
    expect(byAddress.map(({ body }) => body.messageCode)).toEqual([
      "url_not_allowed",
      "validation_failed",
      "validation_failed",
    ]);
  });

  test("is for its library alone, two at a time, and nothing of it is kept", async () => {
    const other = app.createAccount();
    const file = wav(bens, 0, 8);
    const sent = await Promise.all([send({ file }), send({ file }), send({ file })]);
    const [one] = await Promise.all(sent.map(async (each) => ((await each.json()) as Json).data));
    const theirs = await app.signedIn(other.token)("GET", `/app/leaks/${one.id}`);
    const withTheirs = await send({ file, trackId }, other.token);

    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect([theirs.status, withTheirs.status]).toEqual([404, 404]);
    while (leftInTmp().length > 0) await Bun.sleep(0);
    expect(JSON.stringify(app.logged)).not.toContain(CANARY);
    expect(Buffer.from(app.deps.db.$client.serialize()).includes(CANARY)).toBe(false);
    app.clock.advance(61 * 60_000);
    expect((await call("GET", `/app/leaks/${one.id}`)).status).toBe(404);
  });
});
