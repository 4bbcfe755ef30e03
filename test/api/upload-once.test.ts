import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { tracks, versions } from "../../db/schema.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { sine, wavBytes } from "../support/signals.ts";

let app: TestApp;
let key: string;
beforeEach(async () => {
  app = await createTestApp();
  key = app.createKey(app.createAccount().accountId);
});
afterEach(() => app.close());

const wav = (hz: number, seconds = 0.1) => wavBytes([sine(44_100, seconds, hz)], 44_100, 16);

/** Returns a form of files and fields in their order; each form has its own boundary. */
function formOf(...parts: [name: string, value: string | Uint8Array, filename?: string][]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of parts)
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new File([new Uint8Array(value)], filename ?? "a.wav"));
  return form;
}

const send = (form: FormData, path = "/tracks/upload", idempotencyKey = "once", as = key) =>
  app.as(as)("POST", path, form, { "idempotency-key": idempotencyKey });
const countTracks = () => app.deps.db.select().from(tracks).all().length;
const countVersions = () => app.deps.db.select().from(versions).all().length;
const night = () => formOf(["files", wav(440), "night.wav"], ["visible", "true"]);

describe("an upload with an Idempotency-Key", () => {
  test("a repeated upload makes no second track and gets the same answer", async () => {
    const first = await send(night());
    const again = await send(night());

    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(again.body).toEqual(first.body);
    expect(countTracks()).toBe(1);
  });

  test("makes only one version when repeated", async () => {
    const { body } = await send(night(), "/tracks/upload", "the track");
    const path = `/tracks/${body.data.uploaded[0].id}/versions`;
    const mix = () => formOf(["label", "v2"], ["file", wav(550), "mix.wav"]);

    const [first, again] = [await send(mix(), path), await send(mix(), path)];

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(countVersions()).toBe(2);
  });

  test.each([
    ["other audio", formOf(["files", wav(441), "night.wav"], ["visible", "true"])],
    ["another file name", formOf(["files", wav(440), "day.wav"], ["visible", "true"])],
    ["another value", formOf(["files", wav(440), "night.wav"], ["visible", "false"])],
    ["one field less", formOf(["files", wav(440), "night.wav"])],
    ["one file more", formOf(["files", wav(440), "night.wav"], ["visible", "true"], ["files", wav(550)])],
    ["a file that the route does not read", formOf(["x", wav(550)], ["visible", "true"])],
  ])("is refused when the same key is sent with %s", async (_, other) => {
    await send(night());

    const { status, body } = await send(other);

    expect([status, body.messageCode]).toEqual([422, "idempotency_key_reused"]);
    expect(countTracks()).toBe(1);
  });

  test("is refused when the same key is sent to another address, as a form or JSON", async () => {
    const { body } = await send(night());
    const path = `/tracks/${body.data.uploaded[0].id}/versions`;

    const elsewhere = await send(night(), path);
    const playlist = { name: "x", trackIds: [body.data.uploaded[0].id] };
    const asJson = await app.as(key)("POST", "/playlists", playlist, { "idempotency-key": "once" });

    expect([elsewhere.status, asJson.status]).toEqual([422, 422]);
  });

  test("is independent of the same key in another account", async () => {
    await send(night());

    const other = app.createKey(app.createAccount().accountId);

    expect(
      (await send(night(), "/tracks/upload", "once", other)).headers.get("idempotency-replayed"),
    ).toBeNull();
    expect(countTracks()).toBe(2);
  });

  test("an upload that was refused after it was read is refused again; one refused earlier may be sent again", async () => {
    const [wrong, right] = [() => formOf(["files", wav(440)], ["visible", "maybe"]), night];
    const [first, again] = [await send(wrong()), await send(wrong())];
    const noAudio = await send(formOf(["files", new Uint8Array(2000)]), "/tracks/upload", "other");
    const corrected = await send(right(), "/tracks/upload", "other");

    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([
      400,
      400,
      "true",
    ]);
    expect([noAudio.status, corrected.status]).toEqual([400, 200]);
    expect(countTracks()).toBe(1);
  });
});

/** Sends a form piece by piece over a keep-alive connection. */
function connect(port: number, apiKey: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const begin = (path: string, body: Buffer, headers: Record<string, string> = {}) => {
    const request = httpRequest({
      agent,
      port,
      host: "127.0.0.1",
      path,
      method: body.length > 0 ? "POST" : "GET",
      headers: {
        "x-api-key": apiKey,
        "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
        "content-length": body.length,
        ...headers,
      },
    });
    const answer = new Promise<{ status: number; replayed: unknown; body: Json }>((resolve, reject) => {
      request.on("error", reject).on("response", (response) => {
        const chunks: Buffer[] = [];
        response
          .on("data", (chunk) => chunks.push(chunk))
          .on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              replayed: response.headers["idempotency-replayed"],
              body: JSON.parse(Buffer.concat(chunks).toString()),
            }),
          );
      });
    });
    return { request, answer };
  };
  return {
    begin,
    whole: (path: string, body: Buffer, headers?: Record<string, string>) => {
      const { request, answer } = begin(path, body, headers);
      request.end(body);
      return answer;
    },
    close: () => agent.destroy(),
  };
}

const BOUNDARY = "test-boundary";
const rawForm = (bytes: Uint8Array): Buffer => {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.wav"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
};
const PATH = "/api/v1/tracks/upload";
const ONCE = { "idempotency-key": "once" };

/** Resolves when the service has begun to read an upload. */
async function untilClaimed(db: TestApp["deps"]["db"]): Promise<void> {
  const count = () =>
    db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM idempotency_keys").get()?.n;
  while (count() === 0) await new Promise(setImmediate);
}

describe("over a keep-alive connection", () => {
  const stops: (() => unknown)[] = [];
  const open = () => {
    const server = Bun.serve({ port: 0, fetch: (request) => app.app.front(request, "127.0.0.1") });
    const [one, two] = [connect(server.port ?? 0, key), connect(server.port ?? 0, key)];
    stops.push(one.close, two.close, () => server.stop(true));
    return { one, two };
  };
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  const large = rawForm(wav(440, 120)); // 10 MB

  test("a repeated upload is read to the end, and the next request is answered", async () => {
    const { one } = open();

    const first = await one.whole(PATH, large, ONCE);
    const again = await one.whole(PATH, large, ONCE);
    const next = await one.whole("/health", Buffer.alloc(0));

    expect([first.status, again.status, again.replayed, next.status]).toEqual([200, 200, "true", 200]);
    expect(again.body).toEqual(first.body);
  });

  test("a repeated upload during the first one is refused, and both connections stay usable", async () => {
    const { one, two } = open();
    const first = one.begin(PATH, large, ONCE);
    first.request.write(large.subarray(0, 1000));
    await untilClaimed(app.deps.db);

    const second = await two.whole(PATH, large, ONCE);
    const next = await two.whole("/health", Buffer.alloc(0));
    first.request.end(large.subarray(1000));

    expect([second.status, second.body.messageCode]).toEqual([409, "idempotency_in_progress"]);
    expect(next.status).toBe(200);
    expect((await first.answer).status).toBe(200);
    expect((await two.whole(PATH, large, ONCE)).replayed).toBe("true");
    expect(countTracks()).toBe(1);
  });

  test("an interrupted upload may be sent again", async () => {
    const { one, two } = open();
    const first = one.begin(PATH, large, ONCE);
    first.answer.catch(() => undefined);
    first.request.write(large.subarray(0, 100_000));
    await untilClaimed(app.deps.db);
    first.request.destroy();

    let again = await two.whole(PATH, large, ONCE);
    // The service may not have noticed yet that the first one has ended.
    while (again.status === 409) again = await two.whole(PATH, large, ONCE);

    expect([again.status, again.replayed]).toEqual([200, undefined]);
    expect(countTracks()).toBe(1);
  });
});

test("an upload interrupted by a kill may be sent again with its Idempotency-Key", async () => {
  const program = createProgram();
  try {
    await program.run([
      "account",
      "create",
      "--email",
      "a@example.com",
      "--name",
      "A",
      "--password",
      "long enough",
    ]);
    const { rows } = await program.run(["key", "create", "--email", "a@example.com", "--name", "k"]);
    const apiKey = String(rows[0]?.key);
    const portOf = (address: string) => Number(new URL(address).port);
    const body = rawForm(wav(440, 10));
    const before = await program.serve();
    const killed = connect(portOf(before.address), apiKey);
    const first = killed.begin(PATH, body, ONCE);
    first.answer.catch(() => undefined);
    first.request.write(body.subarray(0, 100_000));
    const temporary = join(program.dataDir, "tmp");
    const hasBegun = () => existsSync(temporary) && readdirSync(temporary).length > 0;
    while (!hasBegun()) await new Promise(setImmediate);
    before.child.kill("SIGKILL");
    await before.child.exited;

    const after = await program.serve();
    const again = await connect(portOf(after.address), apiKey).whole(PATH, body, ONCE);

    expect([again.status, again.body.data.uploaded.length, again.replayed]).toEqual([200, 1, undefined]);
  } finally {
    await program.close();
  }
});
