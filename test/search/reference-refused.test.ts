import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReferenceReader } from "../../src/modules/search/search/reference/service.ts";
import { addFile } from "../flows/analysis-library.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { drumLoop, noise, wavBytes } from "../support/signals.ts";

const RATE_HZ = 22_050;
const wav = (sound: Float32Array) => wavBytes([Float32Array.from(sound)], RATE_HZ, 16);
const rain = (seed = 1) => wav(noise(RATE_HZ, 3, 0.4, seed));
/** In the address of a sound; it must be nowhere afterwards. */
const CANARY = "zebrafinch";

let app: TestApp;
let web: ReturnType<typeof serveSounds>;
let ownerId: string;
beforeAll(async () => {
  web = serveSounds();
  await once(large.listen(0, "127.0.0.1"), "listening");
  app = await createTestApp({
    settings: { networkAllow: [`127.0.0.1:${web.port}`, `127.0.0.1:${portOf(large)}`] },
  });
  ownerId = app.createAccount().accountId;
  await addFile(app.deps, ownerId, wav(drumLoop(RATE_HZ, 6, 120)), { title: "Night Drive" });
  await app.drainJobs();
}, 60_000);
afterAll(async () => {
  large.close();
  await web.stop(true);
  await app.close();
});

function serveSounds() {
  const answers: Readonly<Record<string, () => Response>> = {
    [`/${CANARY}.wav`]: () => new Response(rain()),
  };
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => answers[new URL(url).pathname]?.() ?? new Response("nothing here", { status: 404 }),
  });
}

/** A server that announces a file of 201 MB. */
const large = createServer((socket) => {
  socket.on("error", () => {});
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: ${201 * 1024 ** 2}\r\n\r\n`);
});

const address = (path: string) => `http://127.0.0.1:${web.port}/${path}`;

function portOf(server: Server): number {
  const place = server.address();
  return typeof place === "object" ? (place?.port ?? 0) : 0;
}

async function ask(
  fields: Record<string, string | Uint8Array>,
  { key = app.createKey(ownerId), idempotencyKey }: { key?: string; idempotencyKey?: string } = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new File([value as Uint8Array<ArrayBuffer>], "sound.wav"));
  const headers = { "x-api-key": key, ...(idempotencyKey && { "idempotency-key": idempotencyKey }) };
  const path = "/api/v1/tracks/search/reference";
  const response = await app.request(path, { method: "POST", body: form, headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

test("an address is compared, and is nowhere afterwards", async () => {
  const { status, body } = await ask({ url: address(`${CANARY}.wav`) });

  expect(status).toBe(200);
  expect(body.data.interpretation.appliedTuning.reference).toMatchObject({ source: "url", durationSec: 3 });
  expect(body.data.results.map(({ title }: Json) => title)).toEqual(["Night Drive"]);
  expect(JSON.stringify([body, app.logged])).not.toContain(CANARY);
  expect(Buffer.from(app.deps.db.$client.serialize()).includes(CANARY)).toBe(false);
});

test("where nothing is alike, the nearest are there and do not say that they sound like it", async () => {
  const { body } = await ask({ file: rain() });

  expect(body.data.count).toBe(1);
  expect(body.data.results[0].reason.join()).not.toContain("sounds like the reference");
});

test.each([
  ["an address without a file", () => address("nothing.wav"), 400, "download_failed"],
  ["a file that is too large", () => `http://127.0.0.1:${portOf(large)}/a.wav`, 413, "file_too_large"],
])("%s says why, and costs nothing", async (_, url, status, messageCode) => {
  const { key, credits } = account(1);

  const answer = await ask({ url: url() }, { key });

  expect([answer.status, answer.body.messageCode]).toEqual([status, messageCode]);
  expect(JSON.stringify(answer.body)).not.toContain("127.0.0.1");
  expect(credits()).toBe(1);
});

test("a search by a sound costs a credit, and without any nothing is measured", async () => {
  const { key, credits } = account(1);

  const first = await ask({ file: rain() }, { key });
  const second = await ask({ file: rain() }, { key });

  expect([first.status, first.headers.get("x-service-credits-remaining"), credits()]).toEqual([200, "0", 0]);
  expect([second.status, second.body.messageCode]).toEqual([400, "not_enough_credits"]);
});

test("the same form with the same Idempotency-Key is answered again, for one credit", async () => {
  const { key, credits } = account(2);
  const file = rain(7);

  const [first, again] = [
    await ask({ file }, { key, idempotencyKey: "once" }),
    await ask({ file }, { key, idempotencyKey: "once" }),
  ];
  const other = await ask({ file: rain(8) }, { key, idempotencyKey: "once" });

  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.body.data).toEqual(first.body.data);
  expect([other.status, other.body.messageCode, credits()]).toEqual([422, "idempotency_key_reused", 1]);
});

test("four wait for the one that is measured, the next is asked to come again", async () => {
  const keys = [0, 1, 2].map(() => account(9).key);
  const answers = await Promise.all(
    keys.flatMap((key) => [ask({ file: rain() }, { key }), ask({ file: rain() }, { key })]),
  );

  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.messageCode])).toEqual([
    [429, "rate_limit_exceeded"],
  ]);
  expect(refused[0]?.headers.get("retry-after")).toBe("5");
});

test("the history says that there was a sound, and not which", async () => {
  const { token, accountId } = app.createAccount();
  await ask({ url: address(`${CANARY}.wav`), query: "slower" }, { key: app.createKey(accountId) });

  const { body } = await app.signedIn(token)("GET", "/app/searches");

  expect(body.data).toMatchObject([{ query: "slower", hasFile: true }]);
  expect(JSON.stringify(body)).not.toContain(CANARY);
});

describe("a measurement that takes too long", () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-slow-decoder-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("is stopped, and leaves nothing", async () => {
    const ffmpegPath = join(folder, "ffmpeg");
    writeFileSync(ffmpegPath, "#!/bin/sh\nexec sleep 600\n");
    chmodSync(ffmpegPath, 0o755);
    const read = createReferenceReader({ ...app.deps, ffmpegPath }, { measureMs: 300 });
    const actor = { accountId: ownerId } as Parameters<typeof read>[0];

    const asked = read(
      actor,
      async (stage) => {
        await stage([rain()] as unknown as AsyncIterable<Uint8Array>);
        return { fields: new Map() };
      },
      new AbortController().signal,
    );

    await expect(asked).rejects.toMatchObject({ code: "request_timeout" });
  });
});

/** A library of its own with so many credits. */
function account(left: number) {
  const { accountId } = app.createAccount();
  const { $client } = app.deps.db;
  $client.query("UPDATE accounts SET credits = ? WHERE id = ?").run(left, accountId);
  const credits = () =>
    $client.query<{ credits: number }, [string]>("SELECT credits FROM accounts WHERE id = ?").get(accountId)
      ?.credits;
  return { key: app.createKey(accountId), credits };
}
