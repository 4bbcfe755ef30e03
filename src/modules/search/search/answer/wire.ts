import { type Interpretation, namesIn } from "../../../../brief/interpretation.ts";
import type { LibraryFilters } from "../../../../brief/library-filters.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import type { Move } from "../../../../brief/moves.ts";
import type { Ordering } from "../../../../brief/ordering.ts";
import { languageName } from "../../../../kernel/languages.ts";
import { keyName } from "../../../../kernel/musical-key.ts";
import { toIso } from "../../../../kernel/time.ts";
import type { CategorizedTag } from "../../../library/tags/shapes.ts";
import { splitArtists } from "../artists.ts";
import { unaskedTexts, wireFact } from "../facts/texts.ts";
import type { HitRow } from "../queries.ts";
import type { Ranked } from "../ranking/rank.ts";
import type { Seeds } from "../seeds/seeds.ts";
import type { SearchHit, WireInterpretation } from "../shapes.ts";
import { saidIn } from "./said.ts";
import { type Outcome, summaryOf } from "./summary.ts";

/** Names of the taxonomy's categories in the interpretation. */
const WIRE_NAMES = {
  genres: "genres",
  moods: "moods",
  instruments: "instruments",
  vocalTypes: "vocals",
  audioTypes: "types",
  tempos: "tempos",
  eras: "eras",
  characters: "characters",
  movements: "movements",
  lyricThemes: "lyricThemes",
} as const satisfies Record<TaxonomyTag["category"], keyof WireInterpretation>;

/** Returns a reading in its wire form (decision 2.18), with what filtered and steered besides the prose. */
export function toWireInterpretation(
  brief: Interpretation,
  {
    notUnderstood = brief.unread.map(({ written }) => written),
    outcome,
    ...applied
  }: Pick<WireInterpretation, "appliedConstraints" | "appliedTuning" | "notUnderstood"> & {
    outcome?: Outcome;
  },
  seeds?: Seeds,
): WireInterpretation {
  const names = (category: TaxonomyTag["category"]) => namesIn(brief.wanted, category);
  return {
    briefParsed: brief.briefParsed,
    summary: summaryOf(brief, outcome),
    referenceArtist: brief.referenceArtist,
    genres: names("genres"),
    moods: names("moods"),
    instruments: names("instruments"),
    vocals: names("vocalTypes"),
    types: names("audioTypes"),
    tempos: names("tempos"),
    eras: names("eras"),
    characters: names("characters"),
    movements: names("movements"),
    lyricThemes: names("lyricThemes"),
    excluded: excludedNames(brief),
    ...(seeds && { seeds: seeds.named.map(({ kind, name, ids }) => ({ kind, name, trackIds: [...ids] })) }),
    ...(brief.moves.length > 0 && {
      moves: brief.moves.map(({ dimension, way, amount, by, isRuledOut }) => ({
        dimension,
        way,
        amount,
        ...(by && { by }),
        ...(isRuledOut && { ruledOut: true }),
        from: fromOf(seeds, dimension),
      })),
    }),
    references: brief.references.map(({ name, resolved }) => ({ name, resolved })),
    bpmRange: brief.bpmRange && [...brief.bpmRange],
    durationRange: brief.durationRange && [...brief.durationRange],
    key: brief.key && keyName(brief.key),
    keyMode: brief.keyMode,
    vocalPreference: brief.vocalPreference,
    language: brief.language === null ? null : languageName(brief.language),
    energy: brief.energy,
    valence: brief.valence,
    said: saidIn(brief),
    words: [...brief.terms],
    notUnderstood: [...notUnderstood],
    ordering: brief.ordering && wireOrdering(brief.ordering),
    filters: wireFilters(brief.filters),
    ...(brief.unasked && { unasked: unaskedTexts(brief.unasked) }),
    ...applied,
  };
}

const wireOrdering = ({ by, direction, time, person }: Ordering) => ({
  by,
  direction,
  ...(typeof time?.from === "number" && { after: toIso(time.from) }),
  ...(typeof time?.to === "number" && { before: toIso(time.to) }),
  ...(person && { who: person.name }),
});

function wireFilters({ created, tagged, played, versions, availableAs, edits, facts }: LibraryFilters) {
  const { from = null, to = null } = created ?? {};
  return {
    ...(from !== null && { createdAfter: toIso(from) }),
    ...(to !== null && { createdBefore: toIso(to) }),
    ...(tagged !== undefined && { tagged }),
    ...(played !== undefined && { played }),
    ...(versions !== undefined && { minVersions: versions }),
    ...(availableAs && { availableAs: [...availableAs] }),
    ...(edits && { editSec: edits.flat() }),
    ...(facts && { facts: facts.map(wireFact) }),
  };
}

/** Returns the seeds' mean value that a move starts from; null where it is unknown, and for keys. */
function fromOf(seeds: Seeds | undefined, dimension: Move["dimension"]): number | null {
  const value = dimension === "key" ? null : (seeds?.origin.values[dimension] ?? null);
  return value === null ? null : Math.round(value * 1000) / 1000;
}

/** Returns the unwanted names by category, without empty categories. */
function excludedNames({ unwanted }: Interpretation): Record<string, string[]> {
  const entries = Object.entries(WIRE_NAMES).map(
    // `Object.entries` loses the type of its keys.
    ([category, name]) => [name, namesIn(unwanted, category as TaxonomyTag["category"])] as const,
  );
  return Object.fromEntries(entries.filter(([, names]) => names.length > 0));
}

/** Returns a result in its wire form, with the storage key of its cover in place of the address. */
export function toSearchHit(
  row: HitRow,
  tags: readonly CategorizedTag[],
  { score, reasons }: Pick<Ranked, "score" | "reasons">,
): SearchHit {
  const names = (category: string) => tags.filter((tag) => tag.category === category).map(({ name }) => name);
  return {
    id: row.id,
    title: row.title ?? row.name,
    artists: splitArtists(row.artist),
    cover: row.cover,
    visible: row.visible === 1,
    durationSec: row.durationSec,
    bpm: row.bpm,
    key: row.key,
    genres: names("genres"),
    moods: names("moods"),
    score,
    reason: [...reasons],
  };
}
