/**
 * How long it takes from a leak to its recipient: a page of a real browser is given a marked song that was cut and coded again, in a
 * library of a thousand tracks, with the track and without: two pieces of the demo, and rows with the codes of four minutes of
 * random sound.
 *
 * usage: bun scripts/leak-lookup.ts
 *
 * Exit 1 when the recipient's name is not there within 60 s. Needs Chromium and ffmpeg.
 */
import "./support/help.ts";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { transact } from "../db/client.ts";
import { recordings, versionRecordings } from "../db/schema.ts";
import { createMarker } from "../src/audio/watermark/embed.ts";
import { codeOf, patternOf } from "../src/audio/watermark/pattern.ts";
import { blobPath } from "../src/blobs/paths.ts";
import { mixPiece } from "../src/demo/mix.ts";
import { DEMO_PIECES } from "../src/demo/pieces.ts";
import { encodeWav } from "../src/demo/wav.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, createAccount } from "../src/modules/people/accounts/service.ts";
import { createKey } from "../src/modules/people/keys/service.ts";
import { copyOfLink, markKeyOf, noteDelivered } from "../src/modules/sharing/marks/service.ts";
import { createStage } from "./afternoon/stage.ts";
import { addAnalysedTracks, openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const TRACKS = 1000;
const PIECES = DEMO_PIECES.slice(0, 2);
const RECIPIENT = "Ben at Lowland Music";
const MOST_SEC = 60;
const RATE_HZ = 44_100;
const CODES = 2000;
/** Of the song: where the leak is cut, seconds. */
const [FROM_SEC, TO_SEC] = [3, 18];

const folder = temporaryFolder("leak-lookup");
const dataDir = join(folder, "data");
const { token, key, accountId } = await prepare();
let server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
await server.healthy();
const song = PIECES[0];
if (!song) throw new Error("The demo has no pieces");
const trackId = await upload();
await server.stop();
const leak = await leaked();
server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
await server.healthy();
const { faults, person, play } = createStage(() => server.address);

await play(
  async () => {
    const page = await person("Ana", token);
    page.setDefaultTimeout(2 * MOST_SEC * 1000);
    await look(page, "/library/leaks", "without the track");
    await look(page, `/library/leaks?track=${trackId}`, "with the track");
  },
  () => server.stop(),
);

async function look(page: Page, path: string, what: string): Promise<void> {
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
  return { token: session.token, key: made, accountId: account.id };
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

/** Marks the song for its recipient among others, cuts it and codes it as MP3. */
async function leaked(): Promise<Buffer> {
  const deps = openLibraryIn(dataDir);
  const { id: versionId } = deps.db.$client
    .query<{ id: string }, [string]>("SELECT id FROM versions WHERE track_id = ?")
    .get(trackId) ?? { id: "" };
  const { code, versionKey } = transact(deps.db, (tx) => {
    const copyFor = (recipient: string, at: number) =>
      copyOfLink(
        tx,
        { accountId, versionId, trackId, kind: "listen", recipient, shareId: `lnk_${at}` },
        deps.now(),
      );
    for (let at = 1; at < 100; at++) copyFor(`Recipient ${at}`, at);
    const copy = copyFor(RECIPIENT, 0);
    noteDelivered(tx, copy.id, deps.now());
    return { code: copy.code, versionKey: markKeyOf({ ...deps, db: tx }, { accountId, versionId }) };
  });
  closeLibrary(deps);
  const { left, right } = mixPiece(song as NonNullable<typeof song>);
  const marked = [new Float32Array(left.length), new Float32Array(left.length)];
  let at = 0;
  const options = { sampleRateHz: RATE_HZ, channels: 2, pattern: patternOf(versionKey), code: codeOf(code) };
  const marker = createMarker(options, (planes, count) => {
    for (const [index, plane] of planes.entries()) marked[index]?.set(plane.subarray(0, count), at);
    at += count;
  });
  marker.push([left, right], left.length);
  marker.finish();
  const [one, two] = marked as [Float32Array, Float32Array];
  const cut = (plane: Float32Array) => plane.slice(FROM_SEC * RATE_HZ, TO_SEC * RATE_HZ);
  const wav = encodeWav({ left: cut(one), right: cut(two) }, []);
  const child = Bun.spawn(["ffmpeg", "-v", "error", "-i", "-", "-b:a", "128k", "-f", "mp3", "-"], {
    stdin: wav as Uint8Array<ArrayBuffer>,
    stdout: "pipe",
  });
  return Buffer.from(await new Response(child.stdout).arrayBuffer());
}
