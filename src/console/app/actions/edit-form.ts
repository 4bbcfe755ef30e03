import { type Signal, signal } from "@preact/signals";
import type { Data } from "../api/routes.ts";
import { isIncomplete, shareholdersOf } from "../screens/track/credits.tsx";
import type { Line } from "../screens/track/queries.ts";
import type { Doing } from "./bulk.ts";

/** What the tracks have in common. */
export type Common = Data<"POST /app/tracks/common">;
type Name = "artist" | "album" | "recordLabel" | "year" | "trackGenre" | "notes";
/** The value of a field in the form; undefined: it was not touched. */
export type Written = Signal<string | null | undefined>;

/** The short texts of the form, in order. */
export const FIELDS: readonly { name: Name; label: string }[] = [
  { name: "artist", label: "Artist" },
  { name: "album", label: "Album" },
  { name: "recordLabel", label: "Label" },
  { name: "year", label: "Year" },
  { name: "trackGenre", label: "Genre" },
];

/** What the parts of a change are called in a sentence. */
const SAID: Readonly<Record<string, string>> = {
  artist: "artist",
  album: "album",
  recordLabel: "label",
  year: "year",
  trackGenre: "genre",
  cover: "cover",
  notes: "notes",
  shareholders: "composers",
  visible: "visibility",
  version: "versions",
};

/** The values of the form. */
export type Edit = ReturnType<typeof createEdit>;

const listOf = (parts: readonly string[]) => new Intl.ListFormat("en", { type: "conjunction" }).format(parts);

/** Returns the values of those that were touched. */
function written(signals: Readonly<Record<string, Signal<unknown>>>): Record<string, unknown> {
  const touched = Object.entries(signals).filter(([, { value }]) => value !== undefined);
  return Object.fromEntries(touched.map(([name, { value }]) => [name, value]));
}

/** Begins a form in which nothing was touched. */
export function createEdit() {
  const none = (): Written => signal<string | null | undefined>(undefined);
  const texts: Record<Name, Written> = {
    ...{
      artist: none(),
      album: none(),
      recordLabel: none(),
      year: none(),
      trackGenre: none(),
      notes: none(),
    },
  };
  const [cover, label] = [none(), none()];
  const lines = signal<readonly Line[] | undefined>(undefined);
  const [visible, othersVisible] = [
    signal<boolean | undefined>(undefined),
    signal<boolean | undefined>(undefined),
  ];
  const isNewest = signal(false);
  const isTouched = () => {
    const all = [...Object.values(texts), cover, label, lines, visible, othersVisible];
    const isAny = all.map(({ value }) => value !== undefined).includes(true) || isNewest.value;
    return isAny && !isIncomplete(lines.value ?? []);
  };
  /** Returns the change that the form asks for, and what it is called. */
  const read = (genreOf: (name: string) => { name: string } | undefined): { doing: Doing; said: string } => {
    const details = written({ ...texts, cover }) as NonNullable<Doing["details"]>;
    const version = {
      ...(isNewest.value && { active: "newest" as const }),
      ...written({ label, othersVisible }),
    };
    const genre = genreOf(texts.trackGenre.value?.trim() ?? "");
    const doing = {
      ...(Object.keys(details).length > 0 && { details }),
      ...(genre && { addTags: [{ category: "genres", name: genre.name }] }),
      ...(lines.value && { shareholders: shareholdersOf(lines.value) }),
      ...written({ visible }),
      ...(Object.keys(version).length > 0 && { version }),
    } as Doing;
    const names = Object.keys({ ...details, ...doing });
    return { doing, said: listOf(names.flatMap((name) => SAID[name] ?? [])) };
  };
  return { texts, cover, label, lines, visible, othersVisible, isNewest, isTouched, read };
}
