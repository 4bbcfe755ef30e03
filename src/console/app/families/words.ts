type Place = { kind: string; part: string | null; editSec: number | null };

const KINDS: Readonly<Record<string, string>> = {
  main: "main mix",
  instrumental: "instrumental",
  acapella: "a cappella",
  clean: "clean version",
  tv: "TV mix",
  stem: "stem",
  other: "other mix",
};

const PARTS: Readonly<Record<string, string>> = {
  brass: "brass",
  backing: "backing vocals",
  effects: "effects",
};

/** Returns what a track is of its song, for "Is this the … of …?" and "as its …". */
export function asWords({ kind, part, editSec }: Place): string {
  if (kind === "stem") return part === null || part === "other" ? "stem" : `${PARTS[part] ?? part} stem`;
  if (editSec === null) return KINDS[kind] ?? kind;
  return kind === "main" ? `${editSec} s edit` : `${editSec} s ${KINDS[kind] ?? kind}`;
}
