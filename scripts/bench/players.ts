import SubsonicAPI from "subsonic-api";
import { transact } from "../../db/client.ts";
import { createApp } from "../../src/app.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { allowedTo } from "../../src/kernel/roles.ts";
import { closeLibrary } from "../../src/library.ts";
import { authenticateKey } from "../../src/modules/people/keys/authenticate.ts";
import { ownerOf } from "../../src/modules/people/team/service.ts";
import { createPlayer, letMusicApps, provePlayer } from "../../src/modules/pocket/players/service.ts";
import { atMost, type Figure, grouped, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, type Owner, openLibraryIn } from "./library.ts";
import { temporaryFolder } from "./processes.ts";

const TRACKS = 100_000;
const SYNCED_TRACKS = 10_000;
const QUICK = 20;
/** So many tracks of an artist are an album. */
const ALBUM = 12;
const PAGE = 500;
const SAMPLES = 40;
const PROOFS = 3000;

type Player = { username: string; password: string };

/** Measures the door for music apps: a large library page by page, who calls, and the first fetch of everything. */
export async function benchPlayers({ quick }: { quick: boolean }): Promise<Figure[]> {
  const by = quick ? QUICK : 1;
  return [...(await pagesOf(TRACKS / by)), ...(await wholeOf(SYNCED_TRACKS / by))];
}

async function library(count: number) {
  const deps = openLibraryIn(temporaryFolder("bench-players"));
  const owner = await createOwner(deps);
  addAnalysedTracks(deps, owner.accountId, count);
  transact(deps.db, (tx) => {
    tx.$client.run(
      `UPDATE tracks SET album = 'Album ' || (seq / ${ALBUM}), artist = 'Artist ' || (seq / ${ALBUM} / 5)`,
    );
  });
  const { front, usage } = createApp({ ...deps, settings: { ...deps.settings, rateLimit: 0 } });
  const close = () => {
    usage.flush();
    closeLibrary(deps);
  };
  return { deps, owner, front, close, player: addPlayer(deps, owner) };
}

function addPlayer(deps: Deps, { accountId }: Owner): Player {
  const personId = ownerOf(deps.db, accountId);
  if (personId === undefined) throw new Error("The library has no owner");
  const allowed = allowedTo("owner", true, true);
  const actor = { accountId, personId, memberId: "", sessionId: "", role: allowed.role, allowed };
  letMusicApps(deps, actor, true);
  return createPlayer(deps, actor, { name: "Bench" });
}

async function pagesOf(count: number): Promise<Figure[]> {
  const { deps, owner, front, close, player } = await library(count);
  const read = async (offset: number) => {
    const query = `u=${player.username}&p=${player.password}&f=json&query=&artistCount=0&albumCount=0&songCount=${PAGE}`;
    const url = `http://127.0.0.1:4747/rest/search3?${query}&songOffset=${offset}`;
    const startedAt = performance.now();
    const text = await (await front(new Request(url), "127.0.0.1")).text();
    if (!text.includes('"status":"ok"')) throw new Error(text.slice(0, 200));
    return performance.now() - startedAt;
  };
  const made = await read(0);
  const times: [number[], number[]] = [[], []];
  for (let sample = 0; sample < SAMPLES; sample++) {
    times[0].push(await read(0));
    times[1].push(await read(count - PAGE));
  }
  const [first, last] = [median(times[0]), median(times[1])];
  const proofs = compareProofs(deps, owner, player);
  close();
  return [
    {
      what: `everything by search3 in ${grouped(count)} tracks, its first page after a change`,
      figure: `${made.toFixed(0)} ms`,
    },
    { what: `a page of ${PAGE} of it`, figure: `${first.toFixed(1)} ms`, aim: atMost(first, 25, "ms") },
    {
      what: "the last page",
      figure: `${last.toFixed(1)} ms`,
      yardstick: `the first ${first.toFixed(1)} ms`,
      share: last / first,
      aim: atMost(last / first, 2, "times the first"),
    },
    ...proofs,
  ];
}

/** Compares who calls by a music app's token and by an API key, in turn. */
function compareProofs(deps: Deps, { key }: Owner, { username, password }: Player): Figure[] {
  const salt = "pepper";
  const token = new Bun.CryptoHasher("md5").update(password + salt).digest("hex");
  const times: [number[], number[]] = [[], []];
  for (let sample = 0; sample < PROOFS; sample++) {
    const startedAt = performance.now();
    if (!provePlayer(deps, username, { token, salt })) throw new Error("The music app is not let in");
    const between = performance.now();
    authenticateKey(deps, key, "read:tracks", null);
    times[0].push((between - startedAt) * 1000);
    times[1].push((performance.now() - between) * 1000);
  }
  const [byToken, byKey] = [median(times[0]), median(times[1])];
  return [
    {
      what: "who calls, by a music app's token",
      figure: `${byToken.toFixed(0)} µs`,
      yardstick: `by an API key ${byKey.toFixed(0)} µs`,
      aim: atMost(byToken - byKey, 30, "µs more"),
    },
  ];
}

/** Fetches a whole library as a music app of another author does: songs in pages, albums one by one, playlists. */
async function wholeOf(count: number): Promise<Figure[]> {
  const { front, close, player } = await library(count);
  const api = new SubsonicAPI({
    url: "http://127.0.0.1:4747",
    auth: { username: player.username, password: player.password },
    fetch: ((input: string | URL | Request, init?: RequestInit) =>
      Promise.resolve(front(new Request(String(input), init), "127.0.0.1"))) as typeof fetch,
  });
  const startedAt = performance.now();
  const songs = await every(async (songOffset) => {
    const asked = { query: "", songCount: PAGE, songOffset, albumCount: 0, artistCount: 0 };
    return (await api.search3(asked)).searchResult3.song ?? [];
  });
  const albums = await every(async (offset) => {
    const asked = { type: "alphabeticalByName", size: PAGE, offset } as const;
    return (await api.getAlbumList2(asked)).albumList2.album ?? [];
  });
  for (const { id } of albums) await api.getAlbum({ id });
  await api.getPlaylists();
  const seconds = (performance.now() - startedAt) / 1000;
  close();
  if (songs.length !== count) throw new Error(`${songs.length} of ${count} songs came`);
  return [
    {
      what: `a whole library by subsonic-api: ${grouped(songs.length)} songs, ${grouped(albums.length)} albums`,
      figure: `${seconds.toFixed(1)} s`,
      aim: atMost(seconds, 30, "s"),
    },
  ];
}

/** Reads pages until one is not full. */
async function every<Each>(read: (offset: number) => Promise<readonly Each[]>): Promise<Each[]> {
  const all: Each[] = [];
  for (;;) {
    const page = await read(all.length);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
