import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ZipEntry, zip, zipSize } from "../../src/kernel/zip.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { originalsIn } from "../support/originals.ts";
import { sine } from "../support/signals.ts";
import { unzipped } from "../support/unzipped.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const song = (hertz: number) =>
  wavBytes({
    depth: "s16",
    sampleRateHz: 8000,
    samples: [...sine(8000, 1, hertz)],
  }) as Uint8Array<ArrayBuffer>;

/** An owner with tracks of these file names; each sounds different. */
async function owner(...names: string[]) {
  const { accountId, token } = app.createAccount();
  const form = new FormData();
  for (const [at, name] of names.entries()) form.append("files", new File([song(200 + 10 * at)], name));
  const { body } = await app.as(app.createKey(accountId))("POST", "/tracks/upload", form);
  const ids: string[] = body.data.uploaded.map(({ id }: Json) => id);
  const web = app.signedIn(token);
  const prepare = (where: Json, name?: string) => web("POST", "/app/tracks/download", { where, name });
  const read = (path: string, method = "GET") =>
    app.request(path, { method, headers: { authorization: `Bearer ${token}` } });
  return { ids, prepare, read, web };
}

describe("downloading several tracks", () => {
  test("gives one archive with the files as they were uploaded", async () => {
    const { ids, prepare, read } = await owner("Night Bus.wav", "Grüße – Ω.wav");

    const { body } = await prepare({ ids }, "For Ana");
    const response = await read(body.data.path);
    const bytes = await response.bytes();

    expect(body.data).toMatchObject({
      filename: "For Ana.zip",
      files: 2,
      missing: 0,
      sizeBytes: bytes.length,
    });
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toStartWith('attachment; filename="For Ana.zip"');
    expect(unzipped(bytes)).toEqual([
      { name: "Night Bus.wav", content: Buffer.from(song(200)) },
      { name: "Grüße – Ω.wav", content: Buffer.from(song(210)) },
    ]);
  });

  test("takes what a filter chooses, in its order", async () => {
    const { ids, prepare, read } = await owner("B.wav", "C.wav", "A.wav", "Other.txt.wav");

    const { body } = await prepare({ filter: {}, sort: "name", except: [ids[3]] });
    const files = unzipped(await (await read(body.data.path)).bytes());

    expect(files.map(({ name }) => name)).toEqual(["A.wav", "B.wav", "C.wav"]);
  });

  test("gives each file a name of its own that is safe on every system", async () => {
    const { ids, prepare, read } = await owner("mix.wav", "MIX.wav", "mix.wav", "AC:DC?.wav", "con.wav");

    const { body } = await prepare({ ids });
    const files = unzipped(await (await read(body.data.path)).bytes());

    expect(files.map(({ name }) => name)).toEqual([
      "mix.wav",
      "MIX (2).wav",
      "mix (3).wav",
      "AC_DC_.wav",
      "_con.wav",
    ]);
  });

  test("leaves out files that are missing, and says how many", async () => {
    const { ids, prepare, read, web } = await owner("Here.wav", "Gone.wav");
    const { body: versions } = await web("GET", `/app/tracks/${ids[1]}/versions`);
    const { sha256 } = app.deps.db.$client
      .query<{ sha256: string }, [string]>("SELECT sha256 FROM versions WHERE id = ?")
      .get(versions.data[0].id) as { sha256: string };
    await originalsIn(app.deps).lose(sha256);

    const { body } = await prepare({ ids });
    const files = unzipped(await (await read(body.data.path)).bytes());

    expect(body.data).toMatchObject({ files: 1, missing: 1 });
    expect(files.map(({ name }) => name)).toEqual(["Here.wav"]);
  });

  test("an archive is for its account, for ten minutes", async () => {
    const [mara, other] = [await owner("Mine.wav"), await owner("Theirs.wav")];

    const foreign = await other.prepare({ ids: mara.ids });
    const { body } = await mara.prepare({ ids: mara.ids });
    const stolen = await other.read(body.data.path);
    const head = await mara.read(body.data.path, "HEAD");
    app.clock.advance(11 * 60_000);
    const late = await mara.read(body.data.path);

    expect([foreign.status, foreign.body.messageCode]).toEqual([404, "track_not_found"]);
    expect([stolen.status, head.status, late.status]).toEqual([404, 200, 404]);
    expect(head.headers.get("content-length")).toBe(String(body.data.sizeBytes));
  });

  test("refuses what is no choice, and a page of another site", async () => {
    const { ids, prepare, web } = await owner("Mine.wav");

    const empty = await prepare({ ids: [] });
    const unknown = await prepare({ filter: { key: "H sharp" } });
    const foreign = await app.request("/app/tracks/download", {
      method: "POST",
      headers: {
        cookie: `dubplate_session=${app.createAccount().token}`,
        origin: "https://elsewhere.example",
        "content-type": "application/json",
      },
      body: JSON.stringify({ where: { ids } }),
    });

    expect([empty.status, unknown.status, foreign.status]).toEqual([400, 400, 403]);
    expect((await web("GET", "/app/downloads/nothing")).status).toBe(404);
  });
});

test("an archive of more than 65,535 files has the directory of large archives", async () => {
  const path = join(app.deps.settings.dataDir, "small");
  await Bun.write(path, "x");
  const entries = Array.from(
    { length: 66_000 },
    (_, at): ZipEntry => ({ name: `${at}.wav`, source: path, sizeBytes: 1, modifiedAt: 0 }),
  );
  const huge: ZipEntry = { name: "huge.wav", source: path, sizeBytes: 5 * 2 ** 30, modifiedAt: 0 };

  const parts: Uint8Array[] = [];
  for await (const part of zip(entries)) parts.push(part);
  const bytes = Buffer.concat(parts);

  const locator = bytes.length - 22 - 20;
  const end = Number(bytes.readBigUInt64LE(locator + 8));
  expect(bytes.readUInt32LE(locator)).toBe(0x0706_4b50);
  expect(bytes.readUInt32LE(end)).toBe(0x0606_4b50);
  expect(Number(bytes.readBigUInt64LE(end + 32))).toBe(66_000);
  expect(bytes.readUInt16LE(bytes.length - 22 + 10)).toBe(0xffff);
  expect(zipSize(entries)).toBe(bytes.length);
  // Two sizes of 64 bits in each of its headers, and an offset behind it.
  expect(zipSize([huge]) - huge.sizeBytes).toBe(zipSize([{ ...huge, sizeBytes: 1 }]) - 1 + 20 + 20 + 76);
});
