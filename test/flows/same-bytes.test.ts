import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { eq } from "drizzle-orm";
import { renditions, versions } from "../../db/schema.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { downloadUrl, playbackUrl } from "../../src/modules/library/files/service.ts";
import { renditionPath } from "../../src/modules/library/renditions/files.ts";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";

type Version = typeof versions.$inferSelect;

const BYTES = wavBytes([noise(8_000, 1)], 8_000, 16);
const COPY = "what ffmpeg made of it";
const DOORS = ["the original", "the rendition", "a share page's player", "a share page's download"] as const;
type Door = (typeof DOORS)[number];

let app: TestApp;
/** Addresses by kind, for the first account and for one that uploaded the same file ten days later. */
let first: Record<Door, string>;
let second: Record<Door, string>;
let [firstVersion, secondVersion]: Version[] = [];
let firstAt: number;

beforeAll(async () => {
  app = await createTestApp();
  firstAt = app.clock.now();
  const uploads = [await upload()];
  addRendition(app.clock.now() + 1000);
  app.clock.advance(10 * DAY_MS);
  uploads.push(await upload());
  [firstVersion, secondVersion] = uploads.map(({ version }) => version);
  const [one, two] = await Promise.all(uploads.map(doorsOf));
  if (!one || !two) throw new Error("no doors");
  [first, second] = [one, two];
});
afterAll(() => app.close());

async function upload() {
  const { accountId, token } = app.createAccount();
  const form = new FormData();
  form.append("files", new File([BYTES], "song.wav"));
  const { body } = await app.as(app.createKey(accountId))("POST", "/tracks/upload", form);
  const trackId: string = body.data.uploaded[0].id;
  const version = app.deps.db.select().from(versions).where(eq(versions.trackId, trackId)).get();
  if (!version) throw new Error("no version");
  return { trackId, token, version };
}

/** Adds a rendition of the original, as the job does. */
function addRendition(createdAt: number, text = COPY): void {
  const sha256 = app.deps.db.select().from(versions).get()?.sha256 ?? "";
  const key = { sha256, encoding: "opus" } as const;
  const row = { ...key, sizeBytes: text.length, createdAt };
  app.deps.db
    .insert(renditions)
    .values(row)
    .onConflictDoUpdate({ target: [renditions.sha256, renditions.encoding], set: row })
    .run();
  const path = renditionPath(app.deps.settings, key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, createdAt / 1000, createdAt / 1000);
}

async function doorsOf({ trackId, token, version }: Awaited<ReturnType<typeof upload>>) {
  const { body } = await app.signedIn(token)("POST", "/app/shares", { trackId, allowDownload: true });
  const { text } = await createVisitor(app).open(new URL(body.data.url).pathname);
  const download = attributesOf(text, "href").find((address) => address.includes("/download/"));
  return {
    "the original": downloadUrl(app.deps, version),
    "the rendition": playbackUrl(app.deps, version),
    "a share page's player": attributesOf(text, "data-src")[0] ?? "",
    "a share page's download": download ?? "",
  } satisfies Record<Door, string>;
}

describe("an account with a file that another account has", () => {
  test.each(DOORS)("learns from %s only about its own upload", async (door) => {
    const theirs = await app.request(first[door]);
    const mine = await app.request(second[door]);

    expect([theirs.status, mine.status]).toEqual([200, 200]);
    expect(await mine.arrayBuffer()).toEqual(await theirs.arrayBuffer());
    expect(mine.headers.get("last-modified")).toBe(new Date(firstAt + 10 * DAY_MS).toUTCString());
    expect(theirs.headers.get("last-modified")).toBe(new Date(firstAt).toUTCString());
    expect(mine.headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
    expect(mine.headers.get("etag")).not.toBe(theirs.headers.get("etag"));
  });

  test("does not show the hash of an original that visitors may only hear", async () => {
    const heard = await app.request(second["a share page's player"]);

    const fields = JSON.stringify([...heard.headers]);
    expect(fields).not.toContain(secondVersion?.sha256 ?? "none");
    expect(fields).not.toContain(String(firstAt + 1000));
  });

  test.each(DOORS)("can resume and cache what %s served", async (door) => {
    const ask = (headers: Record<string, string>) => app.request(second[door], { headers });
    const whole = await ask({});
    const [etag, date] = [whole.headers.get("etag") ?? "", whole.headers.get("last-modified") ?? ""];
    const foreign = (await app.request(first[door])).headers.get("etag") ?? "";
    const range = "bytes=2-5";

    const part = await ask({ range, "if-range": etag });

    expect([part.status, part.headers.get("etag")]).toEqual([206, etag]);
    expect(await part.bytes()).toEqual((await whole.bytes()).slice(2, 6));
    expect((await ask({ range, "if-range": foreign })).status).toBe(200);
    expect((await ask({ "if-none-match": etag })).status).toBe(304);
    expect((await ask({ "if-none-match": foreign })).status).toBe(200);
    expect((await ask({ "if-modified-since": date })).status).toBe(304);
  });

  test.each([
    ["the original", 206],
    ["the rendition", 200],
    ["a share page's player", 200],
    ["a share page's download", 206],
  ] as const)("gets a part of %s by its date only where the bytes can never change", async (door, status) => {
    const date = (await app.request(second[door])).headers.get("last-modified") ?? "";

    const part = await app.request(second[door], { headers: { range: "bytes=2-5", "if-range": date } });

    expect(part.status).toBe(status);
  });

  test.each(["the rendition", "a share page's player"] as const)(
    "never resumes %s with the bytes of a newly made one",
    async (door) => {
      const etag = (await app.request(second[door])).headers.get("etag") ?? "";
      addRendition(app.clock.now(), COPY.toUpperCase());
      try {
        const again = await app.request(second[door], { headers: { range: "bytes=2-5", "if-range": etag } });

        expect(again.status).toBe(200);
        expect(await again.text()).toBe(COPY.toUpperCase());
        expect(again.headers.get("last-modified")).toBe(new Date(firstAt + 10 * DAY_MS).toUTCString());
      } finally {
        addRendition(firstAt + 1000);
      }
    },
  );

  test("the two accounts share one file, which the tests above rely on", () => {
    expect(secondVersion?.sha256).toBe(firstVersion?.sha256 ?? "none");
  });
});
