import type { Reading } from "./match.ts";
import { begins, endsAt, spansOf } from "./reading.ts";
import type { Scopes } from "./scopes.ts";
import { isWithin, mergeSpans, type Span } from "./text.ts";

/** Whether a voice is wanted. */
export type VocalPreference = "vocal" | "instrumental";
/**
 * What the brief says about voices, and where. A brief that wants both or leaves it open has no preference. `spans` say that
 * there are none ("instrumental"); `said` are all words about voices.
 */
export type VoiceFinding = {
  preference: VocalPreference | null;
  isOpen: boolean;
  spans: readonly Span[];
  said: readonly Span[];
};

/** "rap" and the character behind it. */
const RAP = 4;

/** Reads whether the music should have vocals. Null when the brief does not say, says both, or leaves it open. */
export function findVoice(reading: Reading, scopes: Scopes): VoiceFinding {
  const open = spansOf(reading, "voice.open").filter(({ start }) => !isWithin(scopes.unwanted, start));
  const isRelevant = ({ start }: Span) => !isWithin(scopes.indifferent, start) && !isWithin(open, start);
  const isTakenBack = ({ start }: Span) => isWithin(scopes.unwanted, start);
  const without = spansOf(reading, "voice.none").filter(isRelevant);
  const voices = spansOf(reading, "voice.said").filter(
    (span) => isRelevant(span) && !isWithin(without, span.start),
  );
  const words = spansOf(reading, "voice.taken back").filter((span) => isRelevant(span) && isTakenBack(span));

  const asksForVoice = voices.some(
    (span) => !isTakenBack(span) && !begins(reading, "voice.texture after", span.end),
  );
  // "Hip hop, no rap" may be sung, and "nobody raps, soul singing" is.
  const isRap = ({ start }: Span) =>
    /^rap(?!\p{L})/u.test(reading.text.slice(start, start + RAP)) ||
    ((asksForVoice || open.length > 0) && reading.text.startsWith("rap", start));
  const asksForNone =
    without.some((span) => !isTakenBack(span)) ||
    [...voices, ...words].some((span) => isTakenBack(span) && !isKind(span, reading) && !isRap(span));
  const refusesNone = without.some(isTakenBack);
  const places = { spans: without, said: mergeSpans([...without, ...voices, ...words]) };
  if (asksForVoice && asksForNone) return { preference: null, isOpen: true, ...places };
  if (asksForNone) return { preference: "instrumental", isOpen: false, ...places };
  if (asksForVoice || refusesNone) return { preference: "vocal", isOpen: false, ...places };
  return { preference: null, isOpen: open.length > 0 || isLeftOpen(reading, scopes), ...places };
}

/** Returns true for "It doesn't have to be instrumental." */
function isLeftOpen(reading: Reading, scopes: Scopes): boolean {
  const words = [...spansOf(reading, "voice.none"), ...spansOf(reading, "voice.said")];
  return words.some(({ start }) => isWithin(scopes.indifferent, start));
}

/** "no female vocals" and "no lyrics about love" reject a kind of voice, not all voices. */
function isKind({ start, end }: Span, reading: Reading): boolean {
  return begins(reading, "voice.kind behind", end) || endsAt(reading, "voice.kind before", start);
}
