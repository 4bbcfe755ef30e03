import { ok } from "../../src/http/envelope.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { isSameBytes, sha256 } from "../../src/kernel/secrets.ts";
import { toIso } from "../../src/kernel/time.ts";
import { readFilter } from "../../src/modules/library/tracks/list-filter.ts";
import { selectPage, selectTrack } from "../../src/modules/library/tracks/queries.ts";
import { findTrack, listTracks } from "../../src/modules/library/tracks/service.ts";
import type { ListTracksQuery } from "../../src/modules/library/tracks/shapes.ts";
import { findKeyProof } from "../../src/modules/people/keys/queries.ts";
import { openLibraryIn } from "./library.ts";

/** Options of the yardstick for the HTTP figures. */
export type RawServerOptions = { dataDir: string; port: number; trackId: string };

type Answer = (accountId: string, id: string) => object;

const LIST: ListTracksQuery = { limit: 50, sort: "-created_at", tagMode: "any" };
const JSON_HEADERS = { headers: { "content-type": "application/json" } };

/**
 * Listens with only `Bun.serve` on the same database. It reads the key's row, reads the track or the page with the
 * product's statement, and answers JSON in the product's shape. Data that the product reads with further statements
 * (versions, tags, measurements) is built once. Below `/same`, it makes all the reads of the product.
 */
export function rawServer({ dataDir, port, trackId }: RawServerOptions): void {
  const deps = openLibraryIn(dataDir);
  const answers = answersOf(deps, trackId);
  Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch(request) {
      const path = request.url.slice(request.url.indexOf("/", 8));
      if (path === "/health") return new Response("ok");
      if (path === "/static") return new Response('{"status":200}', JSON_HEADERS);
      const accountId = accountOf(deps, request.headers.get("x-api-key") ?? "");
      const [name = "", id = ""] = path.split("?id=");
      const answer = accountId === undefined ? undefined : answers[name]?.(accountId, id);
      return answer ? Response.json(answer) : new Response(null, { status: 404 });
    },
  });
}

function accountOf({ db }: Pick<Deps, "db">, key: string): string | undefined {
  const [id = "", secret = ""] = key.split(".");
  const proof = findKeyProof(db, id);
  return proof && isSameBytes(sha256(secret), proof.secretHash) ? (proof.accountId ?? undefined) : undefined;
}

/** Returns the answers by path. Below `/two`, data that is not read is taken from one track. */
function answersOf(deps: Deps, trackId: string): Record<string, Answer> {
  const owner = deps.db.$client
    .query<{ id: string }, [string]>("SELECT owner_id AS id FROM tracks WHERE id = ?")
    .get(trackId);
  if (!owner) throw new Error("The yardstick needs a track");
  const pattern = findTrack(deps, { accountId: owner.id }, trackId);
  const patternItem = listTracks(deps, { accountId: owner.id }, LIST).items[0];
  return {
    "/two/single": (accountId, id) => {
      const row = selectTrack(deps.db, accountId, id, deps.now());
      if (!row) throw new Error("The track is not there");
      const { title, artist, bpm, key, durationSec } = row;
      const profile = { ...pattern.track?.audio_profile, title, artist, bpm, key, durationSec };
      const track = {
        ...pattern.track,
        id,
        name: row.name,
        createdAt: toIso(row.createdAt),
        cid: row.cid,
        audio_profile: profile,
      };
      return ok({ ...pattern, track, id, userId: accountId });
    },
    "/two/list": (accountId) => {
      const { shape, values } = readFilter(deps.db, accountId, LIST);
      const items = selectPage(deps.db, shape, values)
        .slice(0, LIST.limit)
        .map((row) => {
          const { id, name, createdAt, cid, title, artist, bpm, key, durationSec, visible } = row;
          const profile = { ...patternItem?.audio_profile, title, artist, bpm, key, durationSec };
          return {
            id,
            name,
            createdAt: toIso(createdAt),
            cid,
            audio_profile: profile,
            link: null,
            visible: visible === 1,
          };
        });
      return ok(items, { paging: { limit: LIST.limit, next_cursor: items.at(-1)?.id ?? null } });
    },
    "/same/single": (accountId, id) => ok(findTrack(deps, { accountId }, id)),
    "/same/list": (accountId) => {
      const { items, paging } = listTracks(deps, { accountId }, LIST);
      return ok(items, { paging });
    },
  };
}
