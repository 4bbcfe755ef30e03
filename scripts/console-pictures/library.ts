import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blobPath } from "../../src/blobs/paths.ts";
import { mixPiece } from "../../src/demo/mix.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { renderPiece } from "../../src/demo/render.ts";
import { encodeWav } from "../../src/demo/wav.ts";
import { closeLibrary } from "../../src/library.ts";
import { importFile } from "../../src/modules/library/tracks/service.ts";
import { beginSession, createAccount } from "../../src/modules/people/accounts/service.ts";
import { createKey } from "../../src/modules/people/keys/service.ts";
import { type Client, call } from "../backup/items.ts";
import { furnishDesk } from "../bench/console/desk-library.ts";
import { openLibraryIn, untilIdle } from "../bench/library.ts";
import { freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "../bench/processes.ts";
import { deliver, deskOf, failingOnce } from "./desk.ts";
import { annotate, visit } from "./people.ts";

/** What the visitors of a link hear of a track of half a minute. */
const HEARD = [
  { fromSec: 0, toSec: 17 },
  { fromSec: 0, toSec: 6 },
  { fromSec: 12, toSec: 24 },
];

/** A server with an account that has music, and one that has none. */
export type Scene = {
  server: ServerProcess;
  full: Client & {
    trackIds: string[];
    trackId: string;
    playlistId: string;
    albumId: string;
    shareId: string;
    briefId: string;
    fullBriefId: string;
    /** Paths of pages that visitors see. */
    pages: Readonly<Record<string, string>>;
  };
  empty: Client;
  /** A file that is not in the library. */
  wav: Uint8Array;
};

/**
 * Serves a library of a dozen pieces, with versions, a playlist, links, comments and listeners. A folder keeps it for the next
 * time: analysis runs at the lowest priority, which takes minutes while others use the processor.
 */
export async function setScene(kept?: string): Promise<Scene> {
  const folder = kept ?? temporaryFolder("pictures");
  const path = join(folder, "scene.json");
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(await furnishScene(folder)));
  const place = { dataDir: join(folder, "data"), port: freePort(), log: join(folder, "log") };
  const server = spawnDubplate(place);
  await server.healthy();
  return { ...JSON.parse(readFileSync(path, "utf8")), server, wav: toneOf(330) };
}

async function furnishScene(folder: string): Promise<Pick<Scene, "full" | "empty">> {
  mkdirSync(folder, { recursive: true });
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  const port = freePort();
  const address = `http://127.0.0.1:${port}`;
  const client = async (email: string, name: string) => {
    const account = await createAccount(deps, { email, name, password: "correct horse battery" });
    const { token } = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
    const { key } = createKey(deps, account.id, { name: "pictures" });
    return { address, key, token, accountId: account.id };
  };
  const mara = await client("mara@example.com", "Mara Lind");
  const nobody = await client("new@example.com", "New Here");
  const trackIds: string[] = [];
  for (const piece of DEMO_PIECES) {
    const file = join(folder, piece.filename);
    writeFileSync(file, renderPiece(piece));
    trackIds.push((await importFile(deps, mara.accountId, file)).trackId);
  }
  for (const [name, wav] of relatives()) {
    writeFileSync(join(folder, name), wav);
    await importFile(deps, mara.accountId, join(folder, name));
  }
  // What a disk that went wrong leaves: a track without its file.
  const reel = toneOf(220);
  writeFileSync(join(folder, "Lost Reel.wav"), reel);
  await importFile(deps, mara.accountId, join(folder, "Lost Reel.wav"));
  rmSync(blobPath(deps.settings, new Bun.CryptoHasher("sha256").update(reel).digest("hex")));
  await furnishDesk(deps, mara.accountId, {
    submissions: { "Late summer campaign": 200 },
    composers: 9,
    plays: 3000,
    longestSec: 26,
  });
  closeLibrary(deps);
  const hook = failingOnce();
  const settings = { NETWORK_ALLOW: `127.0.0.1:${hook.port}` };
  const server = spawnDubplate({ dataDir, port, log: join(folder, "log"), settings });
  await server.healthy();
  const full = { ...mara, trackIds, ...(await furnish(mara, trackIds, dataDir)) };
  await deliver(mara, hook.url);
  hook.stop();
  await untilIdle(dataDir);
  await server.stop();
  return { full, empty: nobody };
}

async function furnish(client: Client, trackIds: readonly string[], dataDir: string) {
  for (const [at, { title, artist }] of DEMO_PIECES.entries())
    await call(client, "PATCH", `/api/v1/tracks/details?id=${trackIds[at]}`, { title, artist });
  const trackId = trackIds[1] ?? "";
  // Only the active version is analysed: each waits until the one before has been.
  for (const [label, gain] of [
    ["v2 · louder", 1.6],
    ["v3 · master", 0.8],
  ] as const) {
    await untilIdle(dataDir);
    await addMix(client, trackId, label, gain);
  }
  await call(client, "POST", "/app/tracks/bulk", { where: { ids: [trackIds[4]] }, do: { visible: false } });
  const { playlist } = (await call(client, "POST", "/api/v1/playlists", {
    name: "Songs for the north",
    description: "What could open the record. Rough mixes, in the order of the night drive.",
    trackIds: [trackIds[9], trackIds[0], trackIds[5], trackIds[11], trackId],
  })) as { playlist: { id: string } };
  const { playlist: album } = (await call(client, "POST", "/api/v1/playlists", {
    name: "Northern Lights",
    trackIds: trackIds.slice(0, 4),
  })) as { playlist: { id: string } };
  await call(client, "PATCH", `/api/v1/playlists/${album.id}`, { kind: "album", artist: "Mara Lind" });
  await call(client, "POST", "/api/v1/playlists", { name: "To finish", trackIds: trackIds.slice(2, 5) });
  const link = async (body: object) =>
    (await call(client, "POST", "/app/shares", body)) as { id: string; url: string };
  const { id: shareId, url } = await link({ trackId, recipient: "Ida Berg", allowComments: true });
  // How much makes a play depends on the length, which the analysis finds out.
  await untilIdle(dataDir);
  await visit(url, HEARD);
  await link({ trackId, recipient: "Northern Label", allowDownload: true });
  await link({ playlistId: playlist.id });
  await annotate(client, trackId);
  await call(client, "DELETE", `/app/tracks/${trackIds[8]}`);
  const { briefId, fullBriefId, pages } = await deskOf(client, trackId);
  const list = await link({
    playlistId: playlist.id,
    recipient: "Ida Berg",
    allowComments: true,
    showDetails: true,
  });
  const visited = { ...pages, link: new URL(url).pathname, playlist: new URL(list.url).pathname };
  return {
    trackId,
    playlistId: playlist.id,
    albumId: album.id,
    shareId,
    briefId,
    fullBriefId,
    pages: visited,
  };
}

/** An edit, which joins the set of its song, and another song that is called as if it belonged to one, which is asked about. */
function relatives(): [name: string, wav: Uint8Array][] {
  const [other, piece] = DEMO_PIECES;
  if (!piece || !other) throw new RangeError("There are no two pieces");
  const { left, right } = mixPiece(piece);
  const shorter = (samples: Float32Array) => samples.subarray(0, Math.round(0.7 * samples.length));
  return [
    [`${piece.title} (Radio Edit).wav`, encodeWav({ left: shorter(left), right: shorter(right) }, [])],
    [`${other.title} (Instrumental).wav`, toneOf(392)],
  ];
}

/** Returns a WAV file with three seconds of a tone. */
function toneOf(pitchHz: number): Uint8Array {
  const tone = Float32Array.from(
    { length: 3 * 44_100 },
    (_, at) => 0.3 * Math.sin((2 * Math.PI * pitchHz * at) / 44_100),
  );
  return encodeWav({ left: tone, right: tone }, []);
}

async function addMix(client: Client, trackId: string, label: string, gain: number): Promise<void> {
  const piece = DEMO_PIECES[1];
  if (!piece) throw new RangeError("There is no second piece");
  const { left, right } = mixPiece(piece);
  const louder = (samples: Float32Array) => samples.map((sample) => Math.tanh(gain * sample));
  const form = new FormData();
  form.set("label", label);
  const bytes = encodeWav({ left: louder(left), right: louder(right) }, []) as Uint8Array<ArrayBuffer>;
  form.set("file", new File([bytes], `${label}.wav`));
  await call(client, "POST", `/api/v1/tracks/${trackId}/versions`, form);
}
