import { type HeardPassages, PLACED_NAMES, type Place, placesOf, VOICES } from "../../src/ears/places.ts";
import { placedNameOf } from "../../src/modules/library/analysis/places/heard.ts";
import type { SuggestionBasis } from "../../src/modules/library/analysis/suggest/priors.ts";
import { suggestTags } from "../../src/modules/library/analysis/suggest/suggest.ts";
import type { Clip, Part } from "./clips.ts";

export type Verdict = "true" | "false" | "open";
/** What is said of a clip: a name, or with `place` that it is heard there. */
export type Statement = { category: string; name: string; place?: Place; verdict: Verdict };

const JUDGED = ["genres", "instruments", "vocals"];
/** A place is right where so much of its time is. */
const LEAST_RIGHT = 0.67;
const NOBODY = "Instrumental";

/** Returns all that is said of a clip, judged by who plays in it. */
export function statementsOf(clip: Clip, basis: SuggestionBasis): Statement[] {
  const tags = suggestTags(basis).filter(({ category }) => JUDGED.includes(category));
  const named = tags.map(
    ({ category, name }): Statement => ({ category, name, verdict: verdictOf(clip, name) }),
  );
  if (!basis.passages) return named;
  const heard: HeardPassages = basis.passages;
  const placed = new Set(tags.flatMap((tag) => placedNameOf(tag) ?? []));
  const places = PLACED_NAMES.filter((name) => placed.has(name)).flatMap((name) =>
    placesOf(heard, name, clip.lengthSec).map(
      (place): Statement => ({
        category: name === VOICES ? "vocals" : "instruments",
        name,
        place,
        verdict: verdictOfPlace(clip, name, place),
      }),
    ),
  );
  return [...named, ...places];
}

/** Returns which of the names that are to be found are named. */
export function foundOf(clip: Clip, statements: readonly Statement[]): { found: string[]; truth: string[] } {
  const truth = PLACED_NAMES.filter((name) => clip.parts.some(({ is }) => is.includes(name)));
  return { truth, found: truth.filter((name) => statements.some((each) => each.name === name)) };
}

function verdictOf({ parts }: Clip, name: string): Verdict {
  // Nobody sings only where nobody sings in any part.
  if (name === NOBODY) return parts.every(({ is }) => is.includes(NOBODY)) ? "true" : "false";
  if (parts.some(({ is }) => is.includes(name))) return "true";
  return parts.some(({ perhaps }) => perhaps.includes(name)) ? "open" : "false";
}

function verdictOfPlace({ parts }: Clip, name: string, place: Place): Verdict {
  const share = (isMeant: (part: Part) => boolean) =>
    parts.filter(isMeant).reduce((sum, part) => sum + overlapOf(part, place), 0) /
    (place.toSec - place.fromSec);
  const right = share(({ is }) => is.some((each) => each === name || (name === VOICES && isVoice(each))));
  if (right >= LEAST_RIGHT) return "true";
  return right + share(({ perhaps }) => perhaps.includes(name)) >= LEAST_RIGHT ? "open" : "false";
}

const isVoice = (name: string) => ["Spoken Word", "Choir", "Lead Vocals"].includes(name);
const overlapOf = (part: Part, place: Place) =>
  Math.max(0, Math.min(part.toSec, place.toSec) - Math.max(part.fromSec, place.fromSec));
