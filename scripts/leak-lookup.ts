/**
 * How long it takes from a leak to its recipient, all of it done by the program: a link for somebody is made, they download the song in a
 * browser, it is cut and coded as MP3 128, and a page of a real browser is asked whose it is, with the track and without, in a library of
 * a thousand tracks: two pieces of the demo, and rows with the codes of four minutes of random sound.
 *
 * usage: bun scripts/leak-lookup.ts [--executable FILE] [--tracks 1000]
 *   --executable  the compiled program, instead of the source
 *
 * Exit 1 when the recipient's name is not there within 60 s. Needs Chromium and ffmpeg.
 */
import "./support/help.ts";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { transact } from "../db/client.ts";
import { recordings, versionRecordings } from "../db/schema.ts";
import { blobPath } from "../src/blobs/paths.ts";
import { mixPiece } from "../src/demo/mix.ts";
import { DEMO_PIECES } from "../src/demo/pieces.ts";
import { encodeWav } from "../src/demo/wav.ts";
import { closeLibrary } from "../src/library.ts";
import { findFfmpeg } from "../src/media/ffmpeg/find-ffmpeg.ts";
import { beginSession, createAccount } from "../src/modules/people/accounts/service.ts";
import { createKey } from "../src/modules/people/keys/service.ts";
import { createStage } from "./afternoon/stage.ts";
import { addAnalysedTracks, openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const { values } = parseArgs({
  options: { executable: { type: "string" }, tracks: { type: "string", default: "1000" } },
});
const TRACKS = Number(values.tracks);
const PIECES = DEMO_PIECES.slice(0, 2);
const RECIPIENT = "Ben at Lowland Music";
const MOST_SEC = 60;
const CODES = 2000;
/** Of the song: where the leak is cut, seconds. */
const [FROM_SEC, TO_SEC] = [3, 18];

const folder = temporaryFolder("leak-lookup");
const dataDir = join(folder, "data");
const { token, key } = await prepare();
const command = values.executable === undefined ? undefined : [resolve(values.executable), "serve"];
const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log"), command });
await server.healthy();
const trackId = await upload();
const { faults, person, play } = createStage(() => server.address);

await play(
  async () => {
    const links = await Promise.all([RECIPIENT, "Cy at Harbour Records"].map(linkFor));
    await untilIdle(dataDir);
    const leak = await leaked(await downloaded(await person("Ben"), links[0] ?? ""));
    const page = await person("Ana", token);
    page.setDefaultTimeout(2 * MOST_SEC * 1000);
    await look(page, leak, "/library/leaks", "without the track");
    await look(page, leak, `/library/leaks?track=${trackId}`, "with the track");
  },
  () => server.stop(),
);

async function look(page: Page, leak: Buffer, path: string, what: string): Promise<void> {
  await page.goto(path);
  const input = page.getByLabel("Choose a file");
  await input.waitFor({ state: "attached" });
  const beganAt = performance.now();
  await input.setInputFiles({ name: "posted.mp3", mimeType: "audio/mpeg", buffer: leak });
  await page.getByRole("heading", { name: `The copy of ${RECIPIENT}` }).waitFor();
  const seconds = (performance.now() - beganAt) / 1000;
  console.log(`${TRACKS} tracks, ${what}: ${RECIPIENT} is named after ${seconds.toFixed(1)} s`);
  if (seconds > MOST_SEC) faults.push(`${what}, it took ${seconds.toFixed(1)} s`);
}

/** An account with tracks that only have rows, and the codes of sounds that no other has. */
async function prepare() {
  const deps = openLibraryIn(dataDir);
  const password = "correct horse battery";
  const account = await createAccount(deps, { email: "ana@example.com", name: "Ana", password });
  addAnalysedTracks(deps, account.id, TRACKS - PIECES.length);
  const versions = deps.db.$client
    .query<{ id: string; sha256: string }, []>("SELECT id, sha256 FROM versions")
    .all();
  // A server does not start where the files of its library are missing.
  for (const { sha256 } of versions) await Bun.write(blobPath(deps.settings, sha256), "");
  transact(deps.db, (tx) => {
    const [columns, nothing] = [Buffer.alloc((CODES / 4) * 10), Buffer.alloc(1)];
    const same = { columns, levels: nothing, balance: [], framesPerPair: 256, peaks: nothing };
    for (const { id } of versions) {
      const pcmSha256 = crypto.getRandomValues(Buffer.alloc(32));
      const row = { ...same, ownerId: account.id, pcmSha256, codes: randomCodes() };
      const recordingId = tx.insert(recordings).values(row).returning({ id: recordings.id }).get().id;
      tx.insert(versionRecordings).values({ versionId: id, recordingId }).run();
    }
  });
  const session = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  const made = createKey(deps, account.id, { name: "leak-lookup" }).key;
  closeLibrary(deps);
  return { token: session.token, key: made };
}

/** Codes of which half of the bits stay from one to the next, as those of music do. */
function randomCodes(): Buffer {
  const random = crypto.getRandomValues(new Uint32Array(2 * CODES));
  const codes = new Uint32Array(CODES);
  let code = 1;
  for (let at = 0; at < CODES; at++) {
    const kept = random[2 * at] as number;
    code = ((code & kept) | ((random[2 * at + 1] as number) & ~kept)) >>> 0;
    codes[at] = code;
  }
  return Buffer.from(codes.buffer);
}

/** Uploads the pieces of the demo, and waits until they are analysed. Returns the first one's track. */
async function upload(): Promise<string> {
  const form = new FormData();
  for (const piece of PIECES)
    form.append(
      "files",
      new File([encodeWav(mixPiece(piece), []) as Uint8Array<ArrayBuffer>], `${piece.title}.wav`),
    );
  const address = `${server.address}/api/v1/tracks/upload`;
  const response = await fetch(address, { method: "POST", body: form, headers: { "x-api-key": key } });
  const { data } = (await response.json()) as { data: { uploaded: { id: string }[] } };
  await untilIdle(dataDir);
  return data.uploaded[0]?.id ?? "";
}

/** Makes a link to the song for somebody, as the console does. Returns its path. */
async function linkFor(recipient: string): Promise<string> {
  const response = await fetch(`${server.address}/app/shares`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ trackId, recipient, allowDownload: true }),
  });
  const { data } = (await response.json()) as { data: { url: string; isMarked: boolean } };
  if (!data.isMarked) throw new Error("The link is not marked");
  return new URL(data.url).pathname;
}

/** Downloads the song from the page of a link. Returns the path of the file. */
async function downloaded(page: Page, path: string): Promise<string> {
  await page.goto(path);
  const link = page.getByRole("link", { name: "Download", exact: true });
  const address = (await link.getAttribute("href")) ?? "";
  // The first request has it prepared.
  while ((await page.request.head(address)).status() === 503) await untilIdle(dataDir);
  const saving = page.waitForEvent("download");
  await link.click();
  const to = join(folder, "downloaded.wav");
  await (await saving).saveAs(to);
  return to;
}

/** Cuts a file and codes it as MP3. */
async function leaked(path: string): Promise<Buffer> {
  const part = ["-ss", String(FROM_SEC), "-t", String(TO_SEC - FROM_SEC)];
  const command = [
    findFfmpeg(Bun.env.FFMPEG_PATH)?.path ?? "ffmpeg",
    "-v",
    "error",
    "-i",
    path,
    ...part,
    "-b:a",
    "128k",
    "-f",
    "mp3",
    "-",
  ];
  return Buffer.from(await new Response(Bun.spawn(command, { stdout: "pipe" }).stdout).arrayBuffer());
}
