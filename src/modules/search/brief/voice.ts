import { isWithin, type Scopes } from "./scopes.ts";
import { type Span, spanOf } from "./text.ts";

/** Whether a voice is wanted. */
export type VocalPreference = "vocal" | "instrumental";
/** What the brief says of voices, and where; a contradicted brief wants both, and so has no preference. */
export type VoiceFinding = {
  preference: VocalPreference | null;
  isContradicted: boolean;
  spans: readonly Span[];
};

const VOICE_WORD =
  /(?<![\p{L}-])(?:vocals?|vocalists?|vox|voices?|singing|singers?|sung|sings?|lyrics?|lyrical|rapping|rappers?|chants?|chanting)(?![\p{L}]|[- ]?overs?\b)/gu;
/** Words that speak of a voice only when they are taken back: "no words". */
const WORDS_TAKEN_BACK = /\b(?:words|hooks?|speech|vocal samples?)\b/g;
const NO_VOICE = /\b(?:instrumentals?|wordless|(?:vocal|voice|lyric)s?[- ]?(?:free|less)|voiceless)\b/g;

/** Reads whether the music should have vocals. Null: not said, or said both ways. */
export function findVoice(plain: string, scopes: Scopes): VoiceFinding {
  const relevant = (match: RegExpMatchArray) => !isWithin(scopes.indifferent, match.index ?? 0);
  const isTakenBack = (match: RegExpMatchArray) => isWithin(scopes.unwanted, match.index ?? 0);
  const without = [...plain.matchAll(NO_VOICE)].filter(relevant);
  const inNoVoice = (match: RegExpMatchArray) => isWithin(without.map(spanOf), match.index ?? 0);
  const voices = [...plain.matchAll(VOICE_WORD)].filter((match) => relevant(match) && !inNoVoice(match));
  const words = [...plain.matchAll(WORDS_TAKEN_BACK)].filter(
    (match) => relevant(match) && isTakenBack(match),
  );

  const asksForVoice = voices.some((match) => !isTakenBack(match) && !isQualified(match, plain, scopes));
  const asksForNone =
    without.some((match) => !isTakenBack(match)) ||
    [...voices, ...words].some((match) => isTakenBack(match) && !isQualified(match, plain, scopes));
  const preference = asksForVoice === asksForNone ? null : asksForVoice ? "vocal" : "instrumental";
  return { preference, isContradicted: asksForVoice && asksForNone, spans: without.map(spanOf) };
}

/** "no female vocals" takes back a kind of voice, not voices as such. */
function isQualified(match: RegExpMatchArray, plain: string, scopes: Scopes): boolean {
  const at = match.index ?? 0;
  if (!isWithin(scopes.unwanted, at)) return false;
  return /\b(?:female|male|lead|backing|child|children's|gang|shouted|screamed|auto-?tuned?)\s+$/.test(
    plain.slice(0, at),
  );
}
