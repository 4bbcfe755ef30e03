import { transact } from "../../../../db/client.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { noteListen } from "../listens/service.ts";
import { OLDEST_MS } from "../listens/shapes.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { versionOrderOf } from "./ids.ts";
import { Refusal } from "./refusal.ts";
import { findVersionOf, type SongRow } from "./song-queries.ts";
import { getSong } from "./songs.ts";

/**
 * Stores what was heard. With `submission=false` it only begins, which nobody is told. What is reported without a time is the same within
 * a minute.
 */
export const scrobble: Method = (call) => {
  const { deps, player, parameters } = call;
  parameters.get("id");
  const now = deps.now();
  const times = parameters.list("time").map((text) => (text === "" ? undefined : timeOf(text, now)));
  const heard = parameters
    .list("id")
    .map((id, place) => ({ id, at: times[place] }))
    .filter(({ id }) => id !== "")
    .map(({ id, at }) => ({
      song: getSong(call, id),
      versionOrder: versionOrderOf(id),
      at: at ?? now,
      sameAs: at ?? now - (now % MINUTE_MS),
    }));
  if (parameters.find("submission") === "false") return {};
  const { playerId, accountId, personId } = player;
  if (personId === undefined) throw new Refusal("notAllowed", "This app belongs to nobody");
  transact(deps.db, (tx) => {
    for (const { song, versionOrder, at, sameAs } of heard)
      noteListen(
        tx,
        {
          id: idOf(call, song.id, sameAs),
          accountId,
          personId,
          trackId: song.id,
          versionId: heardVersion(call, song, versionOrder),
          at,
          heardSec: null,
          through: "player",
          throughId: playerId,
        },
        now,
      );
  });
  return {};
};

/** A player without a connection plays what it fetched, which may be an earlier version. */
function heardVersion({ deps }: Call, song: SongRow, versionOrder: number | undefined): string {
  const isNow = versionOrder === undefined || versionOrder === song.versionOrder;
  return (isNow ? undefined : findVersionOf(deps.db, song.id, versionOrder)) ?? song.versionId;
}

/** @throws Refusal 0 for what is no time, or too old. */
function timeOf(text: string, now: number): number {
  const at = /^\d{1,20}$/.test(text) ? Number(text) : Number.NaN;
  if (at >= now - OLDEST_MS) return at;
  throw new Refusal("generic", "time must be in milliseconds since 1970, and not older than 90 days");
}

/** The same listen has the same id: a player repeats what it is not sure of. */
function idOf({ player }: Call, trackId: string, time: number): string {
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([player.playerId, trackId, time]))
    .digest("hex");
}
