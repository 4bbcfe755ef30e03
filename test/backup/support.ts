import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Viewer } from "../../scripts/backup/view.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import type { createProgram } from "../support/process.ts";
import { noise, wavBytes } from "../support/signals.ts";

export type Program = ReturnType<typeof createProgram>;

export const EMAIL = "me@example.com";
const RATE_HZ = 8000;

/** A WAV of a second that no other seed makes. */
export const songBytes = (seed: number): Uint8Array => wavBytes([noise(RATE_HZ, 1, 0.5, seed)], RATE_HZ, 16);

export const hashOf = (bytes: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Makes an account with songs, from the command line. Returns its key and session. */
export async function createLibrary(
  { run, dataDir }: Program,
  { songs = 4 }: { songs?: number } = {},
): Promise<Omit<Viewer, "address">> {
  await run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", "long enough 1"]);
  await importSongs(
    { run, dataDir },
    Array.from({ length: songs }, (_, n) => n + 1),
  );
  const key = await run(["key", "create", "--email", EMAIL, "--name", "test"]);
  const session = await run(["session", "create", "--email", EMAIL]);
  return { key: String(key.rows[0]?.key), token: String(session.rows[0]?.token) };
}

/** Imports the songs of some seeds. */
export async function importSongs(
  { run, dataDir }: Pick<Program, "run" | "dataDir">,
  seeds: readonly number[],
) {
  const folder = join(`${dataDir}.music`, String(seeds[0]));
  mkdirSync(folder, { recursive: true });
  for (const seed of seeds) writeFileSync(join(folder, `song ${seed}.wav`), songBytes(seed));
  const { code, stderr } = await run(["import", folder, "--email", EMAIL]);
  if (code !== 0) throw new Error(stderr);
}

/** Gives a library one of everything that a backup must bring back. */
export async function furnish({ address, key, token }: Viewer): Promise<{ page: string }> {
  const send = async (method: string, path: string, body: object) => {
    const headers: Record<string, string> = path.startsWith("/api/v1/")
      ? { "x-api-key": key }
      : { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const answer = await jsonOf(response);
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const tracks = await jsonOf(await fetch(`${address}/api/v1/tracks`, { headers: { "x-api-key": key } }));
  const [first, second] = tracks.data.map(({ id }: Json) => id);
  const cover = `data:image/jpeg;base64,${(await picture("jpeg")).toString("base64")}`;
  await send("PATCH", `/api/v1/tracks/details?id=${first}`, { title: "Night Bus", cover });
  const { playlist } = await send("POST", "/api/v1/playlists", { name: "Set", trackIds: [second, first] });
  await send("POST", "/api/v1/composers", { fullName: "Ana", email: "ana@example.com" });
  const share = await send("POST", "/app/shares", { trackId: first, allowDownload: true });
  await send("POST", "/app/shares", { playlistId: playlist.id, password: "let me in 1" });
  await send("POST", `/app/tracks/${second}/comments`, { text: "Louder" });
  await send("POST", `/integration/api-keys/${key.split(".")[0]}/webhook`, {
    url: "https://hooks.example.com/in",
    active: false,
  });
  return { page: new URL(share.url).pathname };
}

/** Returns the hash of every file below a folder, by its path from there. */
export function filesBelow(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [relative(root, path), hashOf(readFileSync(path))]));
}

/** Runs one of the system's programs. */
export async function system(
  command: string[],
  cwd: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = Bun.spawn(command, { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}
