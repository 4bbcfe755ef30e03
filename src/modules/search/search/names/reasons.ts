import { fold } from "../../../../kernel/text.ts";
import type { Evidence, Facts } from "../signals/evidence.ts";
import type { Named, NamedTrack } from "./find-named.ts";
import type { FieldMatch } from "./score.ts";

/** Heavier than any description: what a track is called comes first among its reasons. */
const WEIGHT = 100;
const WORTH_SAYING = 0.3;
/** Comments are longer than a reason. */
const MOST_LETTERS = 80;

/** Returns the names as evidence, for the reasons of results. */
export function nameEvidence({ tracks }: Named): Evidence[] {
  const bySlot = new Map(tracks.map((track) => [track.slot, track]));
  const said = new Set(tracks.flatMap((track) => matchesToSay(track).map(({ field }) => field.kind)));
  return [...said].map((kind) => {
    const matchOf = ({ slot }: Facts) => {
      const track = bySlot.get(slot);
      return track && matchesToSay(track).find(({ field }) => field.kind === kind);
    };
    return {
      weight: WEIGHT,
      scoreOf: (facts) => matchOf(facts)?.complete ?? 0,
      explain: (facts) => {
        const match = matchOf(facts);
        return match && nameReason(match);
      },
    };
  });
}

/** Returns the folded names that are among the reasons of a track. */
export function namesSaid({ tracks }: Named): (slot: number) => string {
  const bySlot = new Map(tracks.map((track) => [track.slot, track]));
  return (slot) => {
    const track = bySlot.get(slot);
    return track
      ? fold(
          matchesToSay(track)
            .map(({ field }) => field.text)
            .join("\n"),
        )
      : "";
  };
}

/** A file that is called like its track adds nothing to the title. */
function matchesToSay({ strength, matches }: NamedTrack): FieldMatch[] {
  // Notes weigh so little that a track may have no other reason.
  if (strength < WORTH_SAYING) return matches.filter(({ field }) => field.kind === "notes");
  const most = Math.max(...matches.map(({ complete }) => complete));
  const isTitled = matches.some(({ field, complete }) => field.kind === "title" && complete >= most);
  return matches.filter(({ field }) => !(field.kind === "file" && isTitled));
}

function nameReason({ field, qualities, isExact }: FieldMatch): string {
  const name = `“${field.text.length > MOST_LETTERS ? `${field.text.slice(0, MOST_LETTERS).trimEnd()}…` : field.text}”`;
  if (isExact) return `the ${field.noun} is ${name}`;
  return qualities.includes(1)
    ? `the ${field.noun} ${name} has words of the query`
    : `the ${field.noun} ${name} is close to the query`;
}
