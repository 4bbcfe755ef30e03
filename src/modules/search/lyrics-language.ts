import { plainWords } from "./words.ts";

/** Words that fill a quarter or more of any text in a language, by ISO 639-1 code; without accents. */
const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: "the and you i me my your a to of in it is that for with on we be this are all but when so what no don't i'm",
    es: "que de la el y en no mi tu me te un una lo los las con por se es para yo como si pero mas esta soy ya del al",
    fr: "je tu le la les de des et un une que qui pas ne en dans mon ma est ce c'est j'ai il elle nous vous pour sur au",
    de: "ich du und die der das ist nicht ein eine wir mich dich mir dir es auf mit den dem zu im sie was wenn so nur",
    it: "che di e il la un una non mi ti per con sono io tu ma del della se come lo le gli nel anche piu questo si",
    pt: "que o a de e eu voce nao um uma meu minha em me do da no na com pra por se os as mas mais tem ser vou te ao",
    nl: "de het een en ik je van in is dat niet mijn jou met op te voor we maar als die zo wat er aan ben naar heb",
    sv: "och jag du att det en i som inte ar pa for med mig dig vi den av har min om till sa men kan var ett ska",
    da: "og jeg du at det en i som ikke er pa for med mig dig vi den af har min om til sa men kan var et skal hvor",
    pl: "i nie w na sie to ja ty jest z mi do jak co mnie ze tak ale ciebie tylko gdy moj juz dla tu po za bez jestem",
    tr: "ve bir bu ben sen ne icin gibi de da beni seni var yok ama her cok benim senin daha o kadar mi gel olsun",
    ro: "si nu in sa eu tu e ca de la mi te cu pe un o ce am mai dar cand fara imi sunt din este mea doar asta vreau",
    fi: "ja on ei en se mina sina oon niin kun mun sun jos mutta vaan kuin me sa ma ne ole olen joka nyt enaa minun",
  }).map(([code, words]) => [code, new Set(words.split(" "))]),
);

/** Scripts that tell the language, or nearly so, the most telling first. */
const SCRIPTS: readonly [code: string, script: RegExp][] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["th", /\p{Script=Thai}/gu],
  ["hi", /\p{Script=Devanagari}/gu],
  ["ta", /\p{Script=Tamil}/gu],
];
/** Kana are a third or more of Japanese; a borrowed word is far less of anything else. */
const SCRIPT_SHARE = 0.2;

const MIN_WORDS = 8;
const MIN_SHARE = 0.15;
/** The best language must beat the second by this factor: Danish and Swedish share most of their small words. */
const MARGIN = 1.25;

/**
 * Returns the ISO 639-1 code of the language that lyrics are in, told by their script or by their function words.
 * Undefined for texts that are short, mixed or in a language it does not know: it never guesses.
 *
 * @see Grefenstette 1995, "Comparing two language identification schemes" (small words).
 */
export function detectLanguage(lyrics: string): string | undefined {
  const letters = lyrics.match(/\p{L}/gu)?.length ?? 0;
  for (const [code, script] of SCRIPTS)
    if ((lyrics.match(script)?.length ?? 0) > letters * SCRIPT_SHARE) return code;

  const words = plainWords(lyrics);
  if (words.length < MIN_WORDS) return undefined;
  const ranked = Object.entries(FUNCTION_WORDS)
    .map(([code, known]) => ({ code, share: words.filter((word) => known.has(word)).length / words.length }))
    .toSorted((a, b) => b.share - a.share);
  const [best, second] = ranked;
  if (!best || best.share < MIN_SHARE || best.share < (second?.share ?? 0) * MARGIN) return undefined;
  return best.code;
}
