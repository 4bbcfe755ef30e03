import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { HEAD_BYTES } from "../../src/kernel/files.ts";
import { newToken } from "../../src/kernel/ids.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { createTurns } from "../../src/kernel/turns.ts";
import { pruneUploads } from "../../src/modules/briefs/submissions/prune.ts";
import { insertUpload } from "../../src/modules/briefs/submissions/queries.ts";
import { checkRoom } from "../../src/modules/briefs/submissions/room.ts";
import { appendToUpload, beginUpload } from "../../src/modules/briefs/submissions/uploads.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine } from "../support/signals.ts";

const ORIGIN = "http://127.0.0.1:4747";
const tone = (hertz: number, seconds = 0.3): Uint8Array<ArrayBuffer> =>
  wavBytes({
    depth: "s16",
    sampleRateHz: 16_000,
    samples: [...sine(16_000, seconds, hertz)],
  }) as Uint8Array<ArrayBuffer>;

type Owner = ReturnType<TestApp["createAccount"]>;

let app: TestApp;
let owner: Owner;
let peers = 0;
let peer: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { registrationOpen: true } });
  owner = app.createAccount("owner@example.com");
});
afterAll(() => app.close());
beforeEach(() => {
  // Limits count per address, so every test uses its own.
  peer = `203.0.113.${++peers}`;
});

/** Makes an open brief with a public page, and returns its id and the path of the page. */
async function makeBrief(settings: object = {}): Promise<{ id: string; path: string }> {
  const { body } = await app.signedIn(owner.token)("POST", "/app/briefs", {
    name: "Late night electronica",
    description: "Slow, warm, no vocals.",
    status: "open",
    publicPage: true,
    ...settings,
  });
  const { id, publicUrl } = body.data;
  return { id, path: publicUrl === null ? "" : new URL(publicUrl).pathname };
}

async function makeRequest(briefId: string, email: string): Promise<string> {
  const { body } = await app.signedIn(owner.token)("POST", `/app/briefs/${briefId}/requests`, {
    email,
    message: "Your last one was lovely.",
  });
  return new URL(body.data.link).pathname;
}

async function send(path: string, init: RequestInit = {}) {
  const response = await app.request(path, { redirect: "manual", ...init, peer } as RequestInit);
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get("location") ?? "",
    text: await response.text(),
  };
}

/** Sends the form like a browser without JavaScript. */
function submit(
  path: string,
  fields: Record<string, string>,
  files: readonly [name: string, bytes: Uint8Array<ArrayBuffer>][] = [],
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Ada", ...fields })) form.append(name, value);
  for (const [name, bytes] of files) form.append("files", new File([bytes], name));
  if (files.length === 0) form.append("files", new File([], ""));
  return send(path, { method: "POST", body: form, headers: { origin: ORIGIN } });
}

const heard = async (briefId: string): Promise<Json[]> =>
  (await app.signedIn(owner.token)("GET", `/app/briefs/${briefId}/submissions`)).body.data;

const TUS = { "tus-resumable": "1.0.0" };
/** Announces a file, like the page's script. */
const announce = (path: string, name: string, sizeBytes: number, headers: Record<string, string> = {}) =>
  send(`${path}/uploads`, {
    method: "POST",
    headers: {
      ...TUS,
      "upload-length": String(sizeBytes),
      "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
      ...headers,
    },
  });
const piece = (
  location: string,
  offset: number,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
) =>
  send(location, {
    method: "PATCH",
    body,
    headers: {
      ...TUS,
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(offset),
      ...headers,
    },
  });
const standing = async (location: string) => {
  const { status, headers } = await send(location, { method: "HEAD", headers: TUS });
  return { status, offset: headers.get("upload-offset"), length: headers.get("upload-length") };
};
/** Sends a file in one piece and returns its id. */
async function upload(path: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { location } = await announce(path, name, bytes.length);
  await piece(location, 0, bytes);
  return location.split("/").at(-1) ?? "";
}
/** Returns the receipt's path on a thank-you page. */
const receiptIn = (html: string): string => /href="([^"]*\/submit\/receipt\/[^"]+)"/.exec(html)?.[1] ?? "";
const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(join(app.deps.settings.dataDir, folder));
  } catch {
    return [];
  }
};

describe("the page of a brief", () => {
  test("shows what is requested, by whom, and until when", async () => {
    const { path } = await makeBrief({ deadline: "2026-03-31" });

    const page = await send(path);

    expect(page.status).toBe(200);
    for (const words of [
      "Late night electronica",
      "Slow, warm, no vocals.",
      "Someone",
      "the end of 31 March 2026",
    ])
      expect(page.text).toContain(words);
    expect(page.text).toContain('name="email"');
    expect(page.headers.get("x-robots-tag")).toContain("noindex");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test.each([
    [3, 5, 40, "3 days 5 hours left"],
    [1, 0, 0, "1 day left"],
    [0, 2, 1, "2 hours 1 minute left"],
    [0, 0, 12, "12 minutes left"],
  ])("a brief with %i days, %i hours and %i minutes to go says %s", async (days, hours, minutes, words) => {
    const at = app.clock.now() + ((days * 24 + hours) * 60 + minutes) * 60_000;
    const { path } = await makeBrief({ deadline: new Date(at).toISOString() });

    expect((await send(path)).text).toContain(`>${words}</span>`);
  });

  test("greets the recipient of a personal link, shows their message, and does not ask for an address", async () => {
    const { id } = await makeBrief({ publicPage: false });
    const path = await makeRequest(id, "Kim@Example.com");

    const page = await send(path);

    expect(page.status).toBe(200);
    expect(page.text).toContain("Your last one was lovely.");
    expect(page.text).toContain("kim@example.com");
    expect(page.text).not.toContain('name="email"');
    expect(page.text).not.toContain("og:description");
  });

  test("is not found for an unknown link or a draft", async () => {
    const draft = await makeBrief({ status: "draft" });

    expect((await send("/submit/AAAAAAAAAAAAAAAAAAAAAA")).status).toBe(404);
    expect((await send(draft.path)).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ["closed", { status: "closed" }, "Submissions are closed"],
    ["switched off", { publicPage: false }, "This page is not open"],
    ["past its deadline", { deadline: "2020-01-01" }, "The deadline has passed"],
  ])("says that it is %s, and accepts nothing", async (_, change, words) => {
    const { id, path } = await makeBrief();
    await app.signedIn(owner.token)("PATCH", `/app/briefs/${id}`, change);

    const page = await send(path);
    const posted = await submit(path, { links: "https://example.com/a" });
    const begun = await announce(path, "a.wav", 100);

    expect([page.status, posted.status, begun.status]).toEqual([410, 410, 403]);
    expect(page.text).toContain(words);
    expect(page.text).toContain('class="cover tone-');
    expect(posted.text).toContain(words);
    expect(await heard(id)).toEqual([]);
  });

  test("a personal link works while the public page is off", async () => {
    const { id } = await makeBrief({ publicPage: false });
    const path = await makeRequest(id, "kim@example.com");

    expect((await submit(path, { links: "https://example.com/a" })).status).toBe(303);
  });
});

describe("sending the form", () => {
  test("adds files to the owner's library, hidden, and submits them with the links", async () => {
    const { id, path } = await makeBrief();
    const before = await visibleTracks();

    const sent = await submit(
      path,
      {
        email: " Ada@Example.com",
        message: " For you ",
        links: "https://example.com/a\r\nhttps://example.com/b",
      },
      [["first.wav", tone(220)]],
    );

    expect(sent.status).toBe(303);
    const all = await heard(id);
    const played = await app.request(all[2].listenUrl);
    expect(all.map(({ type, link, message }) => ({ type, link, message }))).toEqual([
      { type: "link", link: "https://example.com/b", message: "For you" },
      { type: "link", link: "https://example.com/a", message: "For you" },
      { type: "track", link: null, message: "For you" },
    ]);
    expect(all[2]).toMatchObject({
      track: { name: "first.wav" },
      kind: "free",
      submitterName: "Ada",
      submitterEmail: "Ada@Example.com",
      viaRequestEmail: null,
      listenUrl: expect.stringContaining("/media/"),
    });
    expect(new Uint8Array(await played.arrayBuffer())).toEqual(tone(220));
    expect(await visibleTracks()).toBe(before);
  });

  test("notifies the owner at once, and shows what was received", async () => {
    const { path } = await makeBrief({ name: "A very particular call" });

    const sent = await submit(path, { links: "https://example.com/<b>" }, [["one & two.wav", tone(230)]]);
    const thanks = await send(sent.location);

    expect(thanks.status).toBe(200);
    for (const words of [
      "Thank you",
      "one &amp; two.wav",
      "https://example.com/&lt;b",
      "A very particular call",
    ])
      expect(thanks.text).toContain(words);
    const told = (await app.signedIn(owner.token)("GET", "/app/notifications")).body.data;
    expect(JSON.stringify(told)).toContain("2 new submissions to A very particular call");
    expect((await send(sent.location.replace(/bat_\w+/, "bat_unknown"))).status).toBe(404);
  });

  test("gives a receipt that shows what was sent, even a week later and after the brief has closed", async () => {
    const { id, path } = await makeBrief({ name: "A call with a receipt" });
    const sent = await submit(
      path,
      { links: "https://example.com/<b>", message: "Two of\nthem.", email: "a@example.com" },
      [["one & two.wav", tone(230)]],
    );
    await submit(path, { name: "Somebody else", links: "https://example.com/other" });
    const receipt = receiptIn((await send(sent.location)).text);

    app.clock.advance(7 * DAY_MS);
    await pruneUploads(app.deps);
    await app.signedIn(owner.token)("PATCH", `/app/briefs/${id}`, { status: "closed", publicPage: false });
    const { status, headers, text } = await send(receipt);

    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(headers.get("x-robots-tag")).toContain("noindex");
    for (const words of [
      "A call with a receipt",
      "one &amp; two.wav",
      "10 KB, received",
      "https://example.com/&lt;b",
      "Two of\nthem.",
      "Ada",
      "15 January 2026 at 12:00 (UTC)",
    ])
      expect(text).toContain(words);
    for (const words of ["Somebody else", "/other", "a@example.com", path]) expect(text).not.toContain(words);
  });

  test("a receipt cannot be guessed, and shows only one submission", async () => {
    const { path } = await makeBrief();
    const [mine, other] = await Promise.all(
      ["https://example.com/mine", "https://example.com/other"].map(async (links) =>
        receiptIn((await send((await submit(path, { links })).location)).text),
      ),
    );
    const [batch = "", mac = ""] = (other ?? "").split(".");

    const guesses = [`${batch}.AAAAAAAAAAAAAAAAAAAAAA`, batch, `${mine?.split(".")[0]}.${mac}`, `${batch}.`];

    expect(mac).toMatch(/^[\w-]{22}$/);
    for (const guess of guesses) expect((await send(guess)).status).toBe(404);
    expect((await send(other ?? "")).text).not.toContain("/mine");
  });

  test("file names are kept for the receipt, and the sender's address is deleted after a day", async () => {
    const { path } = await makeBrief();
    await submit(path, {}, [["kept.wav", tone(240)]]);
    const clients = () =>
      app.deps.db.$client
        .query<{ client: string }, []>("SELECT client FROM submission_uploads WHERE name = 'kept.wav'")
        .all()
        .map(({ client }) => client);
    expect(clients()).toEqual([peer]);

    app.clock.advance(DAY_MS);
    await pruneUploads(app.deps);

    expect(clients()).toEqual([""]);
  });

  test("a personal link shows and identifies its recipient by the address it was made for", async () => {
    const { id } = await makeBrief();
    const path = await makeRequest(id, "kim@example.com");
    await submit(path, { links: "https://example.com/a" });
    const publicPath = (await makeBrief()).path;

    await submit(publicPath, { links: "https://example.com/b", email: "KIM@example.com" });

    expect((await heard(id))[0]).toMatchObject({ viaRequestEmail: "kim@example.com", submitterName: "Ada" });
    const hashes = app.deps.db.$client
      .query<{ hash: string }, []>(
        "SELECT submitter_hash AS hash FROM brief_submissions ORDER BY rowid DESC LIMIT 2",
      )
      .all();
    expect(hashes[0]?.hash).toHaveLength(43);
    expect(hashes[0]?.hash).toBe(hashes[1]?.hash as string);
  });

  test("submissions to a paid brief are paid; without an address they have no identity", async () => {
    const { id, path } = await makeBrief({ paid: true });

    await submit(path, { links: "https://example.com/a" });

    expect((await heard(id))[0]).toMatchObject({ kind: "paid", submitterEmail: null });
    const row = app.deps.db.$client
      .query<{ hash: string | null }, [string]>(
        "SELECT submitter_hash AS hash FROM brief_submissions WHERE brief_id = ?",
      )
      .get(id);
    expect(row?.hash).toBeNull();
  });

  test("a file that is not audio is named, and the other files need not be sent again", async () => {
    const { id, path } = await makeBrief();

    const first = await submit(path, { message: "Hello" }, [
      ["good.wav", tone(240)],
      ["notes.wav", new TextEncoder().encode("not a sound") as Uint8Array<ArrayBuffer>],
      ["also good.wav", tone(250)],
    ]);
    const kept = /name="uploads"[^>]* value="([^"]+)"/.exec(first.text)?.[1] ?? "";
    const second = await submit(path, { uploads: kept, message: "Hello" });

    expect(first.status).toBe(400);
    expect(first.text).toContain("notes.wav is not an audio file");
    expect(first.text).toContain(">Hello</textarea>");
    expect(second.status).toBe(303);
    expect((await heard(id)).map(({ track }) => track.name).toSorted()).toEqual([
      "also good.wav",
      "good.wav",
    ]);
    expect(filesIn("uploads")).toEqual([]);
    expect(filesIn("tmp")).toEqual([]);
  });

  test.each([
    ["nothing at all", {}, "Add at least one file or link"],
    ["a link that is a script", { links: "javascript:alert(1)" }, "is not a link"],
    ["a link with a password", { links: "https://me:pw@example.com/a" }, "without a user name or password"],
    [
      "an invalid address",
      { links: "https://example.com/a", email: "nobody" },
      "This is not an e-mail address",
    ],
    ["no name", { links: "https://example.com/a", name: " " }, "Please say who you are"],
    [
      "26 links",
      { links: Array.from({ length: 26 }, (_, n) => `https://example.com/${n}`).join("\n") },
      "At most 25",
    ],
    ["a form filled in by a bot", { links: "https://example.com/a", website: "x" }, "reload the page"],
    ["an unknown file", { uploads: "AAAAAAAAAAAAAAAAAAAAAA" }, "no longer here"],
  ])("refuses %s and keeps what was typed", async (_, fields, words) => {
    const { id, path } = await makeBrief();

    const answer = await submit(path, { message: "My words", ...fields });

    expect(answer.status).toBe(400);
    expect(answer.text).toContain(words);
    expect(answer.text).toContain("My words");
    expect(await heard(id)).toEqual([]);
  });

  test("25 files can be sent together, 26 cannot", async () => {
    const { id, path } = await makeBrief();
    const files = (count: number) =>
      Array.from(
        { length: count },
        (_, n) => [`${n}.wav`, tone(300 + n, 0.05)] as [string, Uint8Array<ArrayBuffer>],
      );

    const tooMany = await submit(path, {}, files(26));
    const enough = await submit(path, {}, files(25));

    expect(tooMany.status).toBe(400);
    expect(tooMany.text).toContain("at most 25 files");
    expect(enough.status).toBe(303);
    expect(await heard(id)).toHaveLength(25);
  });

  test("one address can submit twenty times per hour", async () => {
    const { path } = await makeBrief();
    for (let n = 0; n < 20; n++)
      expect((await submit(path, { links: `https://example.com/${n}` })).status).toBe(303);

    const refused = await submit(path, { links: "https://example.com/21", message: "My words" });

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    peer = `198.51.100.${peers}`;
    expect((await submit(path, { links: "https://example.com/21" })).status).toBe(303);
  });

  test("a form from another site is refused", async () => {
    const { path } = await makeBrief();

    const answer = await send(path, {
      method: "POST",
      body: new FormData(),
      headers: { origin: "https://elsewhere.example" },
    });

    expect(answer.status).toBe(403);
  });
});

const visibleTracks = async () =>
  app.deps.db.$client
    .query<{ total: number }, []>("SELECT count(*) AS total FROM versions WHERE visible = 1")
    .get()?.total;

describe("uploads that can resume", () => {
  test("lists its capabilities", async () => {
    const { path } = await makeBrief();

    const answer = await send(`${path}/uploads`, { method: "OPTIONS" });

    expect(answer.status).toBe(204);
    expect(answer.headers.get("tus-version")).toBe("1.0.0");
    expect(answer.headers.get("tus-extension")).toBe("creation,expiration,termination");
    expect(answer.headers.get("tus-max-size")).toBe(String(2 ** 30));
  });

  test("a file arrives in two pieces and is submitted by the form", async () => {
    const { id, path } = await makeBrief();
    const bytes = tone(400);

    const begun = await announce(path, "in two pieces é.wav", bytes.length);
    expect([begun.status, begun.headers.get("tus-resumable")]).toEqual([201, "1.0.0"]);
    expect(begun.headers.get("upload-expires")).toBe(new Date(app.clock.now() + DAY_MS).toUTCString());
    expect(await standing(begun.location)).toEqual({
      status: 200,
      offset: "0",
      length: String(bytes.length),
    });
    const first = await piece(begun.location, 0, bytes.slice(0, 1000));
    expect([first.status, first.headers.get("upload-offset")]).toEqual([204, "1000"]);
    const early = await submit(path, { uploads: begun.location.split("/").at(-1) ?? "" });
    expect(early.text).toContain("has not arrived completely yet");
    await piece(begun.location, 1000, bytes.slice(1000));
    const sent = await submit(path, { uploads: begun.location.split("/").at(-1) ?? "" });

    expect(sent.status).toBe(303);
    const [one] = await heard(id);
    expect(one.track.name).toBe("in two pieces é.wav");
    expect(new Uint8Array(await (await app.request(one.listenUrl)).arrayBuffer())).toEqual(bytes);
    expect(filesIn("uploads")).not.toContain(begun.location.split("/").at(-1));
    expect((await standing(begun.location)).status).toBe(404);
  });

  test("a broken connection keeps the bytes received, and the next one continues from there", async () => {
    const { path } = await makeBrief();
    const bytes = tone(410);
    const { location } = await announce(path, "broken.wav", bytes.length);
    let hangs: (() => void) | undefined;
    const isHanging = new Promise<void>((resolve) => {
      hangs = resolve;
    });
    let isFirst = true;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (!isFirst) {
        hangs?.();
        return new Promise<void>(() => undefined);
      }
      isFirst = false;
      controller.enqueue(bytes.slice(0, 3000));
      return undefined;
    };
    // The server asks for more only after it has written what it received.
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });

    const hanging = piece(location, 0, body, { duplex: "half" });
    await isHanging;

    expect(await standing(location)).toMatchObject({ status: 200, offset: "3000" });
    expect((await hanging).headers.get("upload-offset")).toBe("3000");
    const rest = await piece(location, 3000, bytes.slice(3000));
    expect(rest.headers.get("upload-offset")).toBe(String(bytes.length));
  });

  test("pieces at the wrong offset are refused, and change nothing", async () => {
    const { path } = await makeBrief();
    const bytes = tone(420);
    const { location } = await announce(path, "a.wav", bytes.length);
    await piece(location, 0, bytes.slice(0, 500));

    const wrongPlace = await piece(location, 400, bytes.slice(400));
    const wrongType = await piece(location, 500, bytes.slice(500), { "content-type": "audio/wav" });
    const noPlace = await piece(location, 500, bytes.slice(500), { "upload-offset": "x" });
    const wrongVersion = await piece(location, 500, bytes.slice(500), { "tus-resumable": "0.2.2" });

    expect([wrongPlace, wrongType, noPlace, wrongVersion].map(({ status }) => status)).toEqual([
      409, 415, 400, 412,
    ]);
    expect(wrongPlace.headers.get("upload-offset")).toBe("500");
    expect(wrongVersion.headers.get("tus-version")).toBe("1.0.0");
    expect(await standing(location)).toMatchObject({ offset: "500" });
  });

  test("bytes beyond the announced size are dropped", async () => {
    const { path } = await makeBrief();
    const bytes = tone(430);
    const { location } = await announce(path, "a.wav", 2000);

    const sent = await piece(location, 0, bytes);

    expect(sent.headers.get("upload-offset")).toBe("2000");
    expect(statSync(join(app.deps.settings.dataDir, "uploads", location.split("/").at(-1) ?? "")).size).toBe(
      2000,
    );
  });

  test("a file that is not audio is refused by its content as early as possible, and deleted", async () => {
    const { path } = await makeBrief();
    const text = new Uint8Array(HEAD_BYTES).fill(65);
    const { location } = await announce(path, "song.wav", 10_000_000);

    const refused = await piece(location, 0, text);

    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({ messageCode: "invalid_file_type" });
    expect(refused.headers.get("tus-resumable")).toBe("1.0.0");
    expect((await standing(location)).status).toBe(404);
    expect(filesIn("uploads")).not.toContain(location.split("/").at(-1));
  });

  test.each([
    ["empty", 0, 400],
    ["larger than 1 GB", 2 ** 30 + 1, 413],
  ])("an upload of a file that is %s is refused at the start", async (_, size, status) => {
    const { path } = await makeBrief();

    expect((await announce(path, "a.wav", size)).status).toBe(status);
  });

  test("an upload can be deleted, and belongs to its brief", async () => {
    const [{ path }, other] = [await makeBrief(), await makeBrief()];
    const { location } = await announce(path, "a.wav", 100);
    const elsewhere = location.replace(path, other.path);

    expect((await standing(elsewhere)).status).toBe(404);
    expect((await send(elsewhere, { method: "DELETE", headers: TUS })).status).toBe(404);
    expect((await send(location, { method: "DELETE", headers: TUS })).status).toBe(204);
    expect((await standing(location)).status).toBe(404);
  });

  test("the same files submitted twice, after a lost answer, are one submission", async () => {
    const { id, path } = await makeBrief();
    const uploads = await upload(path, "once.wav", tone(440));

    const first = await submit(path, { uploads });
    const again = await submit(path, { uploads });

    expect(again.location).toBe(first.location);
    expect(await heard(id)).toHaveLength(1);
  });

  test("the page's script gets a short answer when it submits", async () => {
    const { path } = await makeBrief();
    const post = (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return send(path, {
        method: "POST",
        body: form,
        headers: { accept: "application/json", origin: ORIGIN },
      });
    };

    const refused = await post({ name: "Ada" });
    const taken = await post({ name: "Ada", links: "https://example.com/a" });

    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      400,
      { message: "Add at least one file or link" },
    ]);
    expect([taken.status, JSON.parse(taken.text)]).toEqual([
      200,
      {
        location: expect.stringContaining("/received/bat_"),
        receipt: expect.stringMatching(/^\/submit\/receipt\/bat_/),
      },
    ]);
  });

  test("uploads that are not submitted are deleted after a day, those never begun after an hour", async () => {
    const { path } = await makeBrief();
    const begun = await announce(path, "begun.wav", 5000);
    await piece(begun.location, 0, tone(450).slice(0, 1000));
    const idle = await announce(path, "idle.wav", 5000);

    app.clock.advance(HOUR_MS);
    await pruneUploads(app.deps);
    expect([(await standing(begun.location)).status, (await standing(idle.location)).status]).toEqual([
      200, 404,
    ]);
    app.clock.advance(DAY_MS - HOUR_MS);
    expect((await standing(begun.location)).status).toBe(404);
    await pruneUploads(app.deps);

    expect(filesIn("uploads")).toEqual([]);
  });

  test("bytes received before a crash are kept for a day, even if the row was not yet written", async () => {
    const { path } = await makeBrief();
    const { location } = await announce(path, "begun.wav", 5000);
    await piece(location, 0, tone(450).slice(0, 1000));
    app.deps.db.$client.run("UPDATE submission_uploads SET received_bytes = 0");

    app.clock.advance(HOUR_MS);
    await pruneUploads(app.deps);

    expect(await standing(location)).toMatchObject({ status: 200, offset: "1000" });
  });

  test("submitted files keep their row for the receipt, whatever the row says about the bytes", async () => {
    const { path } = await makeBrief();
    const sent = await submit(path, {}, [["behind.wav", tone(470)]]);
    const receipt = receiptIn((await send(sent.location)).text);
    app.deps.db.$client.run("UPDATE submission_uploads SET received_bytes = 0");

    app.clock.advance(HOUR_MS);
    await pruneUploads(app.deps);

    expect((await send(receipt)).text).toContain("behind.wav");
  });

  test("a file without a row is kept", async () => {
    const { path } = await makeBrief();
    const id = await upload(path, "whole.wav", tone(460));
    app.deps.db.$client.run("DELETE FROM submission_uploads");

    await pruneUploads(app.deps);

    expect(filesIn("uploads")).toContain(id);
  });
});

describe("disk space for visitors", () => {
  const GIB = 2 ** 30;
  const check = (briefId: string, client: string, freeBytes = 1000 * GIB) =>
    checkRoom(app.deps, () => freeBytes, { client, briefId, sizeBytes: GIB });
  const announced = (briefId: string, client: string, count: number) => {
    const at = app.clock.now();
    for (let n = 0; n < count; n++)
      insertUpload(app.deps.db, {
        id: newToken(16),
        briefId,
        client,
        name: `${n}.wav`,
        sizeBytes: GIB,
        createdAt: at,
        expiresAt: at + DAY_MS,
      });
  };

  test("one address may send 50 GB per day, and others may still send", async () => {
    const { id, path } = await makeBrief();
    announced(id, peer, 49);
    expect(() => check(id, peer)).not.toThrow();
    announced(id, peer, 1);

    const refused = await announce(path, "51.wav", GIB);

    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect(() => check(id, "another")).not.toThrow();
    app.clock.advance(DAY_MS);
    expect(() => check(id, peer)).not.toThrow();
  });

  test("a brief accepts 200 GB per day in total", async () => {
    const { id } = await makeBrief();
    for (const client of ["a", "b", "c", "d"]) announced(id, client, 50);

    expect(() => check(id, "e")).toThrow("There is no room");
    expect(() => check("another", "e")).not.toThrow();
  });

  test("2 GB of the disk stay free", async () => {
    const { id } = await makeBrief();

    expect(() => check(id, "f", 3 * GIB)).not.toThrow();
    expect(() => check(id, "f", 3 * GIB - 1)).toThrow("There is no room");
  });

  test("a piece that does not fit on the disk changes nothing, and can be sent again", async () => {
    const { id } = await makeBrief();
    const bytes = tone(460);
    let freeBytes = 3 * GIB;
    const shared = { turns: createTurns(), freeBytes: () => freeBytes };
    const begun = await beginUpload(
      app.deps,
      shared.freeBytes,
      { briefId: id },
      {
        name: "a.wav",
        sizeBytes: bytes.length,
        client: peer,
      },
    );
    const put = () =>
      appendToUpload(
        app.deps,
        shared,
        { briefId: id },
        { id: begun.id, offset: 0, body: new Blob([bytes]).stream() },
      );

    freeBytes = 2 * GIB;
    expect(put()).rejects.toThrow("There is no room");
    freeBytes = 3 * GIB;
    expect((await put()).offset).toBe(bytes.length);
  });
});

describe("an account made after submitting", () => {
  test("remembers the brief that it came from", async () => {
    const { id, path } = await makeBrief();
    const sent = await submit(path, { links: "https://example.com/a" });
    const thanks = await send(sent.location);

    const made = await send(sent.location, {
      method: "POST",
      body: new URLSearchParams({
        name: "Ada",
        email: "ada@example.com",
        password: "long enough",
      }).toString(),
      headers: { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" },
    });

    expect(thanks.text).toContain("Keep your own music here");
    expect([made.status, made.location, made.text]).toEqual([303, "/", ""]);
    expect(made.headers.get("set-cookie")).toMatch(/^dubplate_session=/);
    const row = app.deps.db.$client
      .query(
        `SELECT acquisition_source AS source, acquisition_brief_id AS brief
         FROM accounts a JOIN people p ON p.id = a.id WHERE p.email = ?`,
      )
      .get("ada@example.com");
    expect(row).toEqual({ source: "file_request", brief: id });
  });

  test("is not offered when registration is closed", async () => {
    const closedApp = await createTestApp();
    try {
      const { token } = closedApp.createAccount();
      const { body } = await closedApp.signedIn(token)("POST", "/app/briefs", {
        name: "Trailer",
        status: "open",
        publicPage: true,
      });
      const { pathname } = new URL(body.data.publicUrl);
      const form = new FormData();
      form.append("name", "Ada");
      form.append("links", "https://example.com/a");
      const sent = await closedApp.request(pathname, { method: "POST", body: form, redirect: "manual" });
      const thanks = await closedApp.request(sent.headers.get("location") ?? "");

      expect(await thanks.text()).not.toContain("Keep your own music here");
    } finally {
      await closedApp.close();
    }
  });
});
