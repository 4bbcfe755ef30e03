import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { shares } from "../../db/schema.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { grant } from "../../src/modules/sharing/shares/access/proofs.ts";
import { addFile } from "../flows/analysis-library.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { wavBytes } from "../support/signals.ts";
import { markableSong } from "../support/song.ts";

const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path ?? "";

let app: TestApp;
let call: ReturnType<TestApp["signedIn"]>;
let token: string;
let versionId: string;
const links: Record<string, Json> = {};
beforeAll(async () => {
  app = await createTestApp({ ffmpegPath: FFMPEG });
  const account = app.createAccount();
  token = account.token;
  call = app.signedIn(token);
  const song = wavBytes(markableSong(44_100, 14, 3), 44_100, 16);
  const trackId = await addFile(app.deps, account.accountId, song, { title: "Night Drive" });
  await app.drainJobs();
  versionId = (await call("GET", `/app/library/tracks/single?id=${trackId}`)).body.data.activeVersionId;
  for (const recipient of ["Ada", "Ben"])
    links[recipient] = (
      await call("POST", "/app/shares", { trackId, recipient, allowDownload: true })
    ).body.data;
  await app.drainJobs();
});
afterAll(() => app.close());

/** Returns what a visitor of a link gets. */
async function given(recipient: string, use: "listen" | "download"): Promise<Uint8Array<ArrayBuffer>> {
  const { id, link } = links[recipient];
  const share = app.deps.db.select().from(shares).where(eq(shares.id, id)).get();
  if (!share) throw new Error("There is such a link");
  const path = `/track/${link}/${use}/${versionId}?${grant(app.deps, share, use, versionId)}`;
  // The first request has it prepared, and waits for it.
  const first = app.request(path);
  await Bun.sleep(0);
  await app.drainJobs();
  if ((await first).status === 503) await app.drainJobs();
  const response = await app.request(path);
  expect([use, response.status]).toEqual([use, 200]);
  return new Uint8Array(await response.arrayBuffer());
}

async function ask(file: Uint8Array<ArrayBuffer>): Promise<Json> {
  const body = new FormData();
  body.set("file", new File([file], "posted"));
  const headers = { authorization: `Bearer ${token}` };
  const { data } = (await (
    await app.request("/app/leaks", { method: "POST", body, headers })
  ).json()) as Json;
  for (;;) {
    const leak = (await call("GET", `/app/leaks/${data.id}`)).body.data;
    if (leak.status !== "working") return leak;
    await Bun.sleep(20);
  }
}

/** Returns a part of a file, coded again. */
async function cut(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const command = [
    FFMPEG,
    "-v",
    "error",
    "-i",
    "-",
    "-ss",
    "3",
    "-t",
    "10",
    "-b:a",
    "128k",
    "-f",
    "mp3",
    "-",
  ];
  const child = Bun.spawn(command, { stdin: file, stdout: "pipe" });
  return new Uint8Array(await new Response(child.stdout).arrayBuffer());
}

test.each(["listen", "download"] as const)("what a link gives to %s leads to its recipient", async (kind) => {
  const file = await given("Ben", kind);

  const [whole, part] = [await ask(file), await ask(await cut(file))];

  expect(whole).toMatchObject({ says: "named", method: "exact", versionId, title: "Night Drive" });
  expect(part).toMatchObject({ says: "named", method: "informed", versionId });
  for (const { candidates } of [whole, part])
    expect(new Set(candidates.map(({ recipient }: Json) => recipient))).toEqual(new Set(["Ben"]));
  expect(part.candidates.map((each: Json) => each.kind)).toContain(kind);
});
