import { join } from "node:path";
import { SAMPLE_RATE_HZ, silence } from "../../src/demo/dsp/audio.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { encodeWav } from "../../src/demo/wav.ts";
import { closeLibrary } from "../../src/library.ts";
import { createOwner, type Owner, openLibraryIn } from "../bench/library.ts";
import { freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "../bench/processes.ts";

const BEATS_PER_SEC = 2;

/** A server with an empty library. */
export type EmptyBox = { folder: string; dataDir: string; owner: Owner; server: ServerProcess };

export async function startEmptyBox(): Promise<EmptyBox> {
  const folder = temporaryFolder("one-box");
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  return { folder, dataDir, owner, server };
}

/** Writes a WAV of beats over noise and a tone, 44.1 kHz, 16 bit, stereo. `seed` makes it another song. */
export async function writeSong(path: string, seconds: number, seed: number): Promise<number> {
  const random = randomFrom(`song ${seed}`);
  const { left, right } = silence(seconds * SAMPLE_RATE_HZ);
  const toneHz = 110 + 20 * seed;
  for (let at = 0; at < left.length; at++) {
    const sec = at / SAMPLE_RATE_HZ;
    const sinceBeat = (sec * BEATS_PER_SEC) % 1;
    const beat = Math.exp(-12 * sinceBeat) * (random() - 0.5);
    left[at] = 0.6 * beat + 0.2 * Math.sin(2 * Math.PI * toneHz * sec);
    right[at] = (left[at] ?? 0) * 0.8 + 0.05 * (random() - 0.5);
  }
  return Bun.write(path, encodeWav({ left, right }, []));
}

/** Uploads a file. Returns the address that plays it. */
export async function uploadSong({ server, owner }: EmptyBox, path: string): Promise<string> {
  const headers = { "x-api-key": owner.key };
  const form = new FormData();
  form.append("files", Bun.file(path));
  const post = await fetch(`${server.address}/api/v1/tracks/upload`, { method: "POST", headers, body: form });
  if (!post.ok) throw new Error(`The upload was answered ${post.status}: ${await post.text()}`);
  const { data } = (await post.json()) as { data: { uploaded: { id: string }[] } };
  const versions = await fetch(`${server.address}/api/v1/tracks/${data.uploaded[0]?.id}/versions`, {
    headers,
  });
  const listed = (await versions.json()) as { data: { versions: { downloadUrl: string }[] } };
  return listed.data.versions[0]?.downloadUrl ?? "";
}
