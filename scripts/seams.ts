/**
 * Measures how tracks follow each other in the console, in a browser: a tone that rises without a break is cut in three, encoded, played as an album and
 * recorded. Says for each seam how many samples too late the next part is heard (negative: so many are left out), and the
 * longest silence there.
 *
 *     bun scripts/seams.ts [--without-worklet]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConsole } from "../test/console/console.ts";
import { wavBytes } from "../test/media/wave-bytes.ts";
import { placeOf, recordSound } from "../test/pages/heard.ts";

const PARTS = ["One", "Two", "Three"];
const PART_SEC = 1.5;
const VOICES_HZ = [223, 337.1, 509.7, 761.3, 1153.9];
const CODECS: Readonly<Record<string, readonly string[]>> = {
  wav: ["-c:a", "pcm_s16le"],
  flac: ["-c:a", "flac"],
  mp3: ["-c:a", "libmp3lame", "-b:a", "192k"],
  m4a: ["-c:a", "aac", "-b:a", "160k"],
  ogg: ["-c:a", "libopus", "-b:a", "128k"],
};
const RATES_HZ = [44_100, 48_000, 96_000];
const NO_WORKLET = `{
  const { addModule } = AudioWorklet.prototype;
  AudioWorklet.prototype.addModule = function (address) {
    return String(address).includes("joiner") ? Promise.reject(new Error("None")) : addModule.call(this, address);
  };
}`;

/** Returns a part of the tone, which is never like itself a little later. */
function tone(rateHz: number, fromSec: number, frames: number): Float32Array {
  return Float32Array.from({ length: frames }, (_, at) => {
    const sec = fromSec + at / rateHz;
    const voices = VOICES_HZ.map((hz) => Math.sin(2 * Math.PI * (hz * sec + 20 * sec * sec) + hz));
    return 0.06 * voices.reduce((sum, voice) => sum + voice);
  });
}

async function encode(rateHz: number, format: string, part: number): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), "seams-"));
  try {
    const samples = [...tone(rateHz, part * PART_SEC, Math.round(PART_SEC * rateHz))];
    await Bun.write(join(folder, "in.wav"), wavBytes({ depth: "s16", sampleRateHz: rateHz, samples }));
    const path = join(folder, `out.${format}`);
    await Bun.$`ffmpeg -v error -i ${join(folder, "in.wav")} ${CODECS[format] ?? []} ${path}`;
    return await Bun.file(path).bytes();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const desk = await createConsole();
desk.clock.advance(Date.now() - desk.clock.now());
Object.assign(desk.account, desk.createAccount("today@example.com"));

/** Makes an album of the tone's parts. */
async function addAlbum(
  name: string,
  files: readonly (readonly [rateHz: number, format: string])[],
): Promise<string> {
  const form = new FormData();
  for (const [part, [rateHz, format]] of files.entries()) {
    const bytes = await encode(rateHz, format, part);
    form.append("files", new File([bytes], `${PARTS[part]} ${name}.${format}`));
  }
  const { body } = await desk.as(desk.createKey(desk.account.accountId))("POST", "/tracks/upload", form);
  const trackIds: string[] = body.data.uploaded.map(({ id }: { id: string }) => id);
  await desk.drainJobs();
  const album = { name, kind: "album", trackIds };
  const made = await desk.signedIn(desk.account.token)("POST", "/app/playlists", album);
  return made.body.data.id;
}

/** Plays an album, and says what its seams are like. */
async function measure(name: string, albumId: string): Promise<void> {
  const context = await desk.browser.newContext({ bypassCSP: true, baseURL: desk.origin });
  const { hostname: domain } = new URL(desk.origin);
  await context.addCookies([{ name: "dubplate_session", value: desk.account.token, domain, path: "/" }]);
  const page = await context.newPage();
  const read = await recordSound(page);
  if (process.argv.includes("--without-worklet")) await page.addInitScript(NO_WORKLET);
  await page.goto(`/library/albums/${albumId}`);
  await page.getByRole("button", { name: "Play all" }).click();
  await page.waitForTimeout(1000 * (PARTS.length * PART_SEC + 2));
  const heard = await read();
  const rateHz = Number(await page.evaluate("soundContext.sampleRate"));
  await context.close();
  const lateOf = (part: number) => {
    const fromSec = (part + 0.5) * PART_SEC;
    return placeOf(tone(rateHz, fromSec, 2048), heard) - Math.round(fromSec * rateHz);
  };
  const late = PARTS.map((_, part) => lateOf(part));
  const seams = late.slice(1).map((frames, at) => {
    const tooLate = frames - (late[at] ?? 0);
    const seam = Math.round((at + 1) * PART_SEC * rateHz) + (late[at] ?? 0);
    const silent = longestSilence(heard.subarray(seam - 2000, seam + Math.max(0, tooLate) + 2000));
    return `${tooLate} samples (${((1000 * tooLate) / rateHz).toFixed(2)} ms), silent ${silent}`;
  });
  console.log(`${name}: ${seams.join("; ")}`);
}

function longestSilence(samples: Float32Array): number {
  let [run, longest] = [0, 0];
  for (const sample of samples) {
    run = Math.abs(sample) < 1e-5 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

try {
  for (const rateHz of RATES_HZ)
    for (const format of Object.keys(CODECS)) {
      if (rateHz === 96_000 && !["wav", "flac"].includes(format)) continue;
      const name = `${format} ${rateHz}`;
      await measure(
        name,
        await addAlbum(
          name,
          [0, 1, 2].map(() => [rateHz, format] as const),
        ),
      );
    }
  const mixed = RATES_HZ.map((rateHz) => [rateHz, "wav"] as const);
  await measure("wav 44100, 48000, 96000", await addAlbum("mixed", mixed));
} finally {
  await desk.close();
}
