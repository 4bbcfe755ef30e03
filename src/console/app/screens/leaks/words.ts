import { clock } from "../../player/time.ts";
import { day } from "../../ui/dates.ts";
import type { Candidate, Leak } from "./leak.ts";

/** Whose copy it is, in words also where nobody is named. */
export const nameOf = ({ recipient, kind }: Candidate): string =>
  recipient ?? (kind === "package" ? "a package whose recipient was erased" : "whoever had the link");

const KINDS: Readonly<Record<Candidate["kind"], string>> = {
  listen: "Heard on the page of a link",
  download: "Downloaded from a link",
  package: "In a package",
};

/** How and when a copy was delivered: `Downloaded from a link, 15 Jan 2026`. */
export const deliveredWords = ({ kind, deliveredAt }: Candidate): string =>
  deliveredAt === null ? KINDS[kind] : `${KINDS[kind]}, ${day(deliveredAt)}`;

/** How likely it is that the wrong one is named, in words: `less than one in 10²³`. */
export function chanceWords({ chanceOfError }: Candidate): string {
  if (chanceOfError === null) return "None: the file is this copy, byte for byte";
  if (chanceOfError === 0) return "Less than one in 10³⁰⁰";
  const power = Math.floor(-Math.log10(chanceOfError));
  if (power <= 6) return "Less than one in a million";
  if (power < 9) return `Less than one in ${10 ** (power - 6)} million`;
  return `Less than one in 10${raised(power)}`;
}

const raised = (power: number) => [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");

/** A part of a sound: `0:42–1:12`. */
export const partWords = ({ from, to }: NonNullable<Leak["excerpt"]>): string =>
  `${clock(from)}–${clock(to)}`;

const METHODS: Readonly<Record<NonNullable<Leak["method"]>, string>> = {
  exact: "The bytes of the file are those of the copy",
  informed: "The mark was read with the original at hand",
  blind: "The mark was read without the original",
};

export const methodWords = (method: NonNullable<Leak["method"]>): string => METHODS[method];

type Nothing = Exclude<NonNullable<Leak["says"]>, "named">;

const NOTHING: Readonly<Record<Nothing, { heading: string; words: string }>> = {
  no_mark: {
    heading: "No mark found",
    words:
      "Nobody is named. It may come from an unmarked file, such as your own, from a copy that was sent before marks were on, or from a " +
      "copy to which too much was done: pitch and tempo changed, three or more copies mixed, recorded in a noisy room. That no mark was " +
      "found clears nobody.",
  },
  no_copies: {
    heading: "No marked copy was ever made",
    words:
      "Nobody could be named: no link or package has given a marked copy of this track. Marks are turned on in the settings of a link, and where packages are made.",
  },
  not_found: {
    heading: "Not recognised",
    words:
      "It was not recognised as a part of a track, and no mark was found. Where you know which track it is, choose it: a much changed " +
      "recording may still have a mark. Where you chose one, try without.",
  },
};

/** What it means that nobody is named. */
export const nothingWords = (says: Nothing) => NOTHING[says];
