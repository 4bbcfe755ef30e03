import type { Db } from "../../../../../db/client.ts";
import { TAXONOMY } from "../../../../../db/taxonomy.ts";
import { PLACED_NAMES, type Place, type PlacedName, placesOf, VOICES } from "../../../../ears/places.ts";
import { selectSuggestedOf, tagsOfTracks } from "../../tags/service.ts";
import type { TagCategory } from "../../tags/shapes.ts";
import { selectHeardPassages } from "./store.ts";

/** What is heard in a track, and where. */
export type HeardIn = { category: "instruments" | "vocals"; name: PlacedName; places: Place[] };

const CATEGORIES = ["instruments", "vocals"] as const satisfies readonly TagCategory[];

type Tag = { category: string; name: string };

/** Returns where the instruments and voices of tracks are heard, of those that their tags and suggestions name. */
export function heardInTracks(db: Db, trackIds: readonly string[]): Map<string, HeardIn[]> {
  const passages = selectHeardPassages(db, trackIds);
  if (passages.size === 0) return new Map();
  const heard = [...passages.keys()];
  const written = tagsOfTracks(db, heard);
  const suggested = Map.groupBy(selectSuggestedOf(db, heard, CATEGORIES), ({ trackId }) => trackId);
  const lengths = selectLengths(db, heard);
  return new Map(
    Array.from(passages, ([id, of]) => {
      const tags: Tag[] = [...(written.get(id) ?? []), ...(suggested.get(id) ?? [])];
      const names = new Set(tags.flatMap((tag) => placedNameOf(tag) ?? []));
      const all = Array.from(names, (name) => {
        const category = name === VOICES ? "vocals" : "instruments";
        return { category, name, places: placesOf(of, name, lengths.get(id) ?? 0) } as const;
      });
      return [id, all.filter(({ places }) => places.length > 0).toSorted(byPlace)];
    }),
  );
}

const byPlace = ({ places: [one] }: HeardIn, { places: [other] }: HeardIn) =>
  (one?.fromSec ?? 0) - (other?.fromSec ?? 0);

const CHOIR = "Choir";
const NOBODY = "Instrumental";

/** Returns what the ears know a tag as, or the one that it is a kind of; undefined where they do not know it. */
export function placedNameOf({ category, name }: Tag): PlacedName | undefined {
  if (category === "vocals" || category === "vocalTypes")
    return name === CHOIR ? CHOIR : name === NOBODY ? undefined : VOICES;
  if (category !== "instruments") return undefined;
  const entry = TAXONOMY.instruments.find((each) => each.name === name);
  const parent = TAXONOMY.instruments.find(({ code }) => code === entry?.parent);
  return (
    PLACED_NAMES.find((placed) => placed === name) ?? PLACED_NAMES.find((placed) => placed === parent?.name)
  );
}

function selectLengths({ $client }: Db, trackIds: readonly string[]): Map<string, number> {
  const rows = $client
    .query<{ id: string; sec: number }, [string]>(
      `SELECT t.id, a.duration_sec AS sec FROM json_each(?) list CROSS JOIN tracks t ON t.id = list.value
       JOIN analyses a ON a.version_id = t.analysis_version_id`,
    )
    .all(JSON.stringify(trackIds));
  return new Map(rows.map(({ id, sec }) => [id, sec]));
}
