import type { Interpretation, Said as SaidInBrief } from "../../../../brief/interpretation.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import type { Move } from "../../../../brief/moves.ts";
import { languageName } from "../../../../kernel/languages.ts";
import { measureOf } from "../../../../kernel/measures.ts";
import { keyName } from "../../../../kernel/musical-key.ts";
import { isOfStranger, unaskedTexts } from "../facts/texts.ts";
import type { Said, WishKind } from "../shapes.ts";
import { moveText } from "./moves.ts";
import { lengthText, tempoText } from "./naming.ts";
import { filterTexts, orderText } from "./stated.ts";

/** A plain statement; a number or a name has no other weight. */
const PLAIN = 0.8;

/** The kinds of the taxonomy's categories. */
const KINDS = {
  genres: "genre",
  audioTypes: "genre",
  moods: "mood",
  characters: "mood",
  movements: "mood",
  instruments: "instrument",
  vocalTypes: "vocals",
  tempos: "tempo",
  eras: "era",
  lyricThemes: "theme",
} as const satisfies Record<TaxonomyTag["category"], WishKind>;

/** Where one word names tags of several categories ("warm"), the first of these says its kind. */
const ORDER = Object.keys(KINDS);

/** Returns the pieces of a brief that were understood, in the order of the sentence, in their wire form. */
export function saidIn(brief: Interpretation): Said[] {
  return brief.said.flatMap((piece) => {
    const meaning = meaningOf(brief, piece);
    if (!meaning) return [];
    const spans = piece.spans.map(({ start, end }) => ({ start, end }));
    return [{ weight: PLAIN, known: true, ...meaning, ruledOut: piece.isUnwanted, spans }];
  });
}

type Meaning = Pick<Said, "kind" | "value"> & Partial<Pick<Said, "weight" | "known">>;

function meaningOf(brief: Interpretation, { about, name = "" }: SaidInBrief): Meaning | undefined {
  if (typeof about === "string") return pieceOf(brief, about, name);
  if ("dimension" in about) return { kind: moveKind(about), value: moveText(about) };
  const [tag] = about.tags.toSorted((a, b) => ORDER.indexOf(a.category) - ORDER.indexOf(b.category));
  return tag && { kind: KINDS[tag.category], value: tag.entry.name, weight: about.weight };
}

const moveKind = ({ dimension }: Move): WishKind => (dimension === "key" ? "key" : measureOf(dimension).kind);

function pieceOf(
  brief: Interpretation,
  about: Exclude<SaidInBrief["about"], object>,
  name: string,
): Meaning | undefined {
  const { bpmRange, durationRange, key, ordering, filters, keyMode, language, vocalPreference } = brief;
  const values = {
    tempo: bpmRange && tempoText(bpmRange),
    length: durationRange && lengthText(durationRange),
    key: key ? keyName(key) : keyMode && `${keyMode} key`,
    language: language && languageName(language),
    vocals: vocalPreference && (vocalPreference === "vocal" ? "with vocals" : "instrumental"),
    reference: name,
    energy: name,
    order: ordering && orderText(ordering),
    filter: filterTexts(filters)[name],
    available: name,
    lyrics: name,
    unasked: unaskedTexts([name])[0],
  };
  const value = values[about];
  if (!value) return undefined;
  return { kind: about === "unasked" ? "filter" : about, value, known: isKnown(brief, about, name) };
}

/** False for a name that nobody has, and for what cannot be asked. */
function isKnown({ references, filters }: Interpretation, about: string, name: string): boolean {
  if (about === "reference") return references.find((each) => each.name === name)?.resolved ?? true;
  return about !== "unasked" && !(about === "filter" && isOfStranger(filters, name));
}
