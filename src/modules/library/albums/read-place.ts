/** Where a file's path puts a song: the folder of its record, its disc and its number there. */
export type Place = {
  /** Without the folder of a disc; empty: none. */
  folder: string;
  disc: number | null;
  number: number | null;
  /** True for a number that may as well be the beginning of a title, such as `7 Rings`. */
  isWeak: boolean;
  /** The name behind the number; the whole name where there is none. */
  rest: string;
};

const DISC = "(?:cd|dis[ck]|disque|disco|lp)[\\s._#-]*(\\d{1,2})";
const DISC_FOLDER = new RegExp(`^${DISC}(?:$|[\\s._:([-].*$)`, "i");
/** `Album CD1`, `Album (Disc 2)` */
const DISC_ENDING = new RegExp(`^(.*\\S)[\\s._-]+[([]?${DISC}[)\\]]?$`, "i");

/** Words behind a number that does not count songs. */
const NO_UNIT = "(?!(?:bit|k?hz|k|bpm|st|nd|rd|th|min|sec|db)(?![a-z]))";
/** `1-01 x`, `2.03 x`: a disc and a number. A date is neither. */
const WITH_DISC = /^(\d{1,2})[-.](\d{2,3})(?![-.]?\d)(?:[\s._)-]+)(?=\S)/;
/** `A1 x`: a side of a record, and a number. */
const WITH_SIDE = /^([A-H])(\d{1,2})(?!\d)[\s._)-]+(?=\S)/;
/** `01 - x`, `1. x`, `01_x`, `1) x`, and with a leading zero `01 x`. */
const PLAIN = new RegExp(
  `^(?:(\\d{1,2})\\s*[-–—._)]+\\s*|(0\\d{1,2})\\s*(?:[-–—._)]+\\s*|\\s))${NO_UNIT}(?=\\S)`,
  "i",
);
/** `7 Rings`, `112 - x`. */
const WEAK = new RegExp(`^(\\d{1,2}\\s+|\\d{3}(?:\\s*[-–—._)]+\\s*|\\s+))${NO_UNIT}(?=\\S)`, "i");
/** `Mara Lind - 03 - x`, `Mara Lind - Wanderer - 03 x`. */
const BEHIND_NAMES = /^.+?\s[-–—]\s(\d{2})(?:\s*[-–—.]\s+|\s)(?=\S)/;

const SIDE = 100;

/** Reads the path of a file. */
export function readPlace(path: string): Place {
  const parts = path.normalize("NFC").split(/[/\\]/).filter(Boolean);
  const name = parts.pop() ?? "";
  const { folder, disc } = readFolder(parts);
  const read = readNumber(name);
  return { folder, disc: disc ?? read.disc, number: read.number, isWeak: read.isWeak, rest: read.rest };
}

/** Returns the folder of a record, and the disc that the path names. */
function readFolder(folders: readonly string[]): { folder: string; disc: number | null } {
  const last = folders.at(-1) ?? "";
  const above = folders.slice(0, -1);
  const own = DISC_FOLDER.exec(last);
  if (own) return { folder: above.join("/"), disc: Number(own[1]) };
  const ending = DISC_ENDING.exec(last);
  if (ending) return { folder: [...above, ending[1]].join("/"), disc: Number(ending[2]) };
  return { folder: folders.join("/"), disc: null };
}

function readNumber(name: string): Omit<Place, "folder"> {
  const none = { disc: null, number: null, isWeak: false, rest: name };
  const rest = (found: RegExpExecArray) => name.slice(found[0].length);
  const disc = WITH_DISC.exec(name);
  if (disc) return { ...none, disc: Number(disc[1]), number: Number(disc[2]), rest: rest(disc) };
  const side = WITH_SIDE.exec(name);
  if (side) {
    const number = ((side[1] ?? "A").charCodeAt(0) - 65) * SIDE + Number(side[2]);
    return { ...none, number, rest: rest(side) };
  }
  const plain = PLAIN.exec(name) ?? BEHIND_NAMES.exec(name);
  if (plain) return { ...none, number: Number(plain[1] ?? plain[2]), rest: rest(plain) };
  const weak = WEAK.exec(name);
  return weak ? { ...none, number: Number.parseInt(weak[0], 10), isWeak: true, rest: rest(weak) } : none;
}

/** Returns an album's name without the disc that a file names with it: `Wanderer (Disc 1)` is `Wanderer`. */
export const withoutDisc = (album: string): string => DISC_ENDING.exec(album)?.[1] ?? album;

/** Returns a text by which names sort as people count: `2` before `10`. */
export const naturalKey = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(12, "0"));
