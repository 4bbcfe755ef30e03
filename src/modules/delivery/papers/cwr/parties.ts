import { toIpi } from "../../../../kernel/identifiers.ts";
import { societyCode } from "../../../library/composers/service.ts";
import type { Writer } from "../facts.ts";
import { UnwritableField } from "./record.ts";

/** What a writer did, as registrations say it: music, words, both, or making another version of them. */
export type Designation = "C" | "A" | "CA" | "AR" | "AD";

const MUSIC = /\b(compos\w*|music\w*|melod\w*|komponist\w*|beat\s?maker)\b/i;
const WORDS = /\b(lyric\w*|author\w*|words|texter\w*|librett\w*)\b/i;
const BOTH = /\b(song\s?writ\w*|writer)\b/i;
const ARRANGER = /\barrang\w*/i;
const ADAPTOR = /\badapt\w*/i;
/** What registrations know of, in the order in which they are sought in a role. */
const MODIFIED: readonly (readonly [RegExp, Designation])[] = [
  [ARRANGER, "AR"],
  [ADAPTOR, "AD"],
];

/** Returns what a role means in a registration; undefined for one that it has no word for. */
export function designationOf(role: string): Designation | undefined {
  const isMusic = MUSIC.test(role);
  const isWords = WORDS.test(role);
  if (/^\s*(CA|AC|C|A|AR|AD)\s*$/i.test(role))
    return role.trim().toUpperCase().replace("AC", "CA") as Designation;
  if (isMusic && isWords) return "CA";
  if (isMusic) return "C";
  if (isWords) return "A";
  if (BOTH.test(role)) return "CA";
  return MODIFIED.find(([word]) => word.test(role))?.[1];
}

/** Returns one designation for all that a writer did. */
export function joined(designations: readonly Designation[]): Designation {
  const all = new Set(designations);
  if (all.has("CA") || (all.has("C") && all.has("A"))) return "CA";
  return (["C", "A", "AR", "AD"] as const).find((each) => all.has(each)) ?? "CA";
}

/** Returns the name as registrations have it; what is not the last name is the first name. */
export function namesOf({ fullName, lastName }: Pick<Writer, "fullName" | "lastName">): {
  last: string;
  first: string;
} {
  const words = fullName.trim().split(/\s+/);
  const last = lastName?.trim() || (words.at(-1) ?? "");
  const at = placeOf(fullName, last);
  const rest = at < 0 ? fullName : `${fullName.slice(0, at)} ${fullName.slice(at + last.length)}`;
  return { last, first: rest.replace(/[\s,]+/g, " ").trim() };
}

/** Returns where a name ends with a part of it, in any case. Some letters have another length in lower case. */
function placeOf(name: string, part: string): number {
  const sought = part.toLowerCase();
  for (let at = name.length - part.length; at >= 0; at--)
    if (name.slice(at, at + part.length).toLowerCase() === sought) return at;
  return -1;
}

/** Returns the digits of a society. @throws UnwritableField for one that has none. */
export function requireSociety(pro: string): string {
  const code = societyCode(pro);
  if (code === undefined) throw new UnwritableField("PRO", `“${pro}” is no society that registrations know`);
  return code;
}

/** Returns an IPI that is right, 0 where there is none. @throws UnwritableField for one whose check digits do not fit. */
export function ipiOrNone(ipi: string | null): string {
  if (ipi === null) return "0";
  const right = toIpi(ipi);
  if (right === undefined) throw new UnwritableField("IPI", `${ipi} has check digits that do not fit`);
  return right;
}

const ALPHABET = 36n;

/** Returns a short number for an id, always the same: letters and digits after a prefix, `length` in all. */
export function shortNumber(prefix: string, id: string, length: number): string {
  const hash = BigInt(`0x${new Bun.CryptoHasher("sha256").update(id).digest("hex")}`);
  const width = length - prefix.length;
  const digits = (hash % ALPHABET ** BigInt(width)).toString(Number(ALPHABET)).toUpperCase();
  return prefix + digits.padStart(width, "0");
}
