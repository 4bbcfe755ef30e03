import type { Deps } from "../../../../kernel/deps.ts";
import { rightsOfTracks } from "../../../library/composers/service.ts";
import type { SharedTrackRow } from "../page-queries.ts";

/**
 * Returns a line about each track by its id, such as `120 BPM · A minor · Composer: Ines Lind, Jon Berg`. Tracks of which
 * nothing is known have none.
 */
export function detailLines(
  deps: Pick<Deps, "db">,
  rows: readonly SharedTrackRow[],
  hidesCredits = false,
): ReadonlyMap<string, string> {
  const credits = rightsOfTracks(deps, hidesCredits ? [] : rows.map(({ id }) => id));
  const lines = rows.map(({ id, bpm, key, composer }) => {
    const own = credits.get(id) ?? [];
    const named = own.length > 0 ? creditsOf(own) : composer ? [`Composer: ${composer}`] : [];
    const parts = [bpm === null ? null : `${Math.round(10 * bpm) / 10} BPM`, key, ...named];
    return [id, parts.filter((part) => part !== null && part !== "").join(" · ")] as const;
  });
  return new Map(lines.filter(([, line]) => line !== ""));
}

/** `Composer: Ines Lind, Jon Berg`, for each role. */
function creditsOf(credits: readonly { name: string; role: string }[]): string[] {
  return [...Map.groupBy(credits, ({ role }) => role)].map(
    ([role, people]) => `${capitalised(role)}: ${people.map(({ name }) => name).join(", ")}`,
  );
}

const capitalised = (text: string) => text.charAt(0).toLocaleUpperCase("en") + text.slice(1);
