import { MAX_WANTS } from "../../../modules/pocket/devices/shapes.ts";
import { api } from "../api/client.ts";
import { isConnected } from "../api/connection.ts";
import { ApiError } from "../api/errors.ts";
import { leftFor, library } from "../api/library.ts";
import { onChanged } from "../api/queries.ts";
import { createDevice, registerWorker } from "./device.ts";
import {
  channel,
  device,
  lists,
  owner,
  putDevice,
  readAll,
  stale,
  stopWork,
  type Told,
  tellAll,
  tracks,
} from "./here.ts";
import { noteKeeping, type Wanted, wantKey } from "./kept.ts";
import { change, type DeviceRow } from "./store.ts";
import { askWhetherLive, forget, isGone, syncIn, syncInTurn } from "./sync.ts";

const SYNC_EVERY_MS = 15 * 60_000;
/** Live changes come in flocks. */
const GATHER_MS = 3000;
const TOPICS = ["tracks", "versions", "playlists", "analysis"];

let started: Promise<void> | undefined;

/** Reads what is here and brings it up to date, then and whenever something changes. */
export function start(): Promise<void> {
  started ??= begin();
  return started;
}

async function begin(): Promise<void> {
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data === "stop") stopWork();
    else void (data === "withdrawn" ? isGone() : readAll());
  };
  await Promise.all([registerWorker(), readAll()]);
  onChanged((topic, ids) => {
    if (!TOPICS.includes(topic)) return;
    for (const id of ids ?? tracks.peek().map(({ trackId }) => trackId)) stale.add(id);
    syncIn(GATHER_MS);
  });
  isConnected.subscribe((isThere) => isThere && syncIn(0));
  leftFor.subscribe((left) => left && void askWhetherLive());
  document.addEventListener("visibilitychange", () => {
    const { deviceAt = 0 } = device.peek() ?? {};
    if (document.visibilityState === "visible" && Date.now() - deviceAt > SYNC_EVERY_MS) syncIn(0);
  });
  setInterval(() => document.visibilityState === "visible" && syncIn(0), SYNC_EVERY_MS);
}

/** Keeps something from now on, and what is in it. @throws ApiError `too_many_devices`, `too_many_tracks`. */
export async function keep(wants: readonly Wanted[]): Promise<void> {
  await start();
  await change(["devices"], () => undefined); // refused here, before the server knows of a device
  const row = device.peek() ?? (await newDevice());
  const keys = new Set(row.wants.map(wantKey));
  const more = wants.filter((want) => !keys.has(wantKey(want)));
  if (row.wants.length + more.length > MAX_WANTS)
    throw new ApiError(
      0,
      "too_many_wants",
      `A device keeps at most ${MAX_WANTS} lists and tracks. Put tracks into a playlist and keep that`,
    );
  noteKeeping(true);
  await putDevice({ ...row, wants: [...row.wants, ...more] });
  await tryAgain(wants.map(({ id }) => id));
  await syncInTurn().catch(async (thrown: unknown) => {
    // Otherwise nothing that is kept would be brought up to date any more.
    if (thrown instanceof ApiError && thrown.code === "too_many_tracks") await letGo(more);
    throw thrown;
  });
}

let creating: Promise<DeviceRow> | undefined;

/** One device, however often it is asked for at once. */
function newDevice(): Promise<DeviceRow> {
  creating ??= createHere().finally(() => {
    creating = undefined;
  });
  return creating;
}

async function createHere(): Promise<DeviceRow> {
  const row = await createDevice(owner, library.peek().name);
  try {
    await putDevice(row);
  } catch (thrown) {
    // No room here: the server would list a device that never was.
    await withdraw(row.id);
    throw thrown;
  }
  return row;
}

/** Tells the server that the copies of a device are gone, if it can be reached. */
async function withdraw(id: string): Promise<void> {
  await api.DELETE("/app/pocket/{id}", { params: { path: { id } } }).catch(() => undefined);
}

/** Lets go of something that was kept by itself. What nothing else wants is deleted. */
export async function letGo(unwanted: readonly Pick<Wanted, "entity" | "id">[]): Promise<void> {
  const row = device.peek();
  if (!row) return;
  const keys = new Set(unwanted.map(wantKey));
  const wants = row.wants.filter((want) => !keys.has(wantKey(want)));
  if (wants.length === 0) return letAllGo();
  await putDevice({ ...row, wants });
  await dropUnwanted();
  await syncInTurn();
}

/** Deletes everything that this device keeps of the library, and tells the server, if it can be reached. */
export async function letAllGo(): Promise<void> {
  const row = device.peek();
  await forget(owner);
  if (row) await withdraw(row.id);
}

/** Asks for files again that had not arrived after several times. */
export async function tryAgain(trackIds: readonly string[]): Promise<void> {
  const meant = new Set(trackIds);
  const rows = tracks.peek().filter(({ trackId, failures }) => failures > 0 && meant.has(trackId));
  if (rows.length === 0) return;
  await change(["tracks"], (store) => {
    for (const row of rows) store("tracks").put({ ...row, failures: 0 });
  });
  await readAll();
}

/** What only an unwanted thing had goes at once, also without a connection. */
async function dropUnwanted(): Promise<void> {
  const wants = device.peek()?.wants ?? [];
  const keys = new Set(wants.map(wantKey));
  const own = lists.peek().filter(({ id }) => keys.has(wantKey({ entity: "playlist", id })));
  const ids = new Set(own.flatMap(({ trackIds }) => trackIds));
  for (const { entity, id } of wants) if (entity === "track") ids.add(id);
  await change(["lists", "tracks"], (store) => {
    for (const each of lists.peek()) if (!own.includes(each)) store("lists").delete(each.key);
    for (const each of tracks.peek()) if (!ids.has(each.trackId)) store("tracks").delete(each.key);
  });
  await tellAll();
}
