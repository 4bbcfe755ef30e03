import type { Scopes } from "./scopes.ts";
import { isWithin, type Span, spanOf } from "./text.ts";

/** Whether a voice is wanted. */
export type VocalPreference = "vocal" | "instrumental";
/** What the brief says of voices, and where; a brief that wants both, or leaves it open, has no preference. */
export type VoiceFinding = { preference: VocalPreference | null; isOpen: boolean; spans: readonly Span[] };

const VOICE_WORD =
  /(?<![\p{L}-])(?:vocals?|vocalists?|vox|voices?(?! of (?!an? (?:woman|man|girl|boy|child|singer)\b|angels?\b|children\b))|singing|singers?(?![- ]?songwriter)|sung|sings?|lyrics?|lyrical|rapping|rappers?|raps?(?= (?:verses?|vocals?|hook|over|part))|mcs?(?= over)|chants?|chanting|toplines?(?![- ](?:ready|friendly))|crooners?|(?:fe)?male[- ](?:led|fronted)(?! (?:cast|company|team|brand|story|film|show|drama|comedy|start))|(?:man|woman|guy|girl|someone|somebody) (?:is |who is |who's )?(?:screaming|shouting|whispering|humming)|singalong|sing-along|choruses with words)(?![\p{L}]|[- ]?overs?\b)/gu;
/** Words that speak of a voice only when they are taken back: "no words". */
const WORDS_TAKEN_BACK =
  /\b(?:words|hooks?|speech|spoken word|vocal samples?|vocal chops?|toplines?|talking|rap|human voice|choirs? or vocals?|anyone singing|someone singing|people singing)\b/g;
const NO_VOICE =
  /\b(?:instrumentals?|instro|instr|wordless(?! (?:vocals?|voices?|singing|choir|female|male|vocali[sz]e|oohs|chant|melod))|(?:vocal|voice|lyric|vox)s?[- ]?(?:free|less)|voiceless|non-?vocals?|unsung|sans vocals?)\b/g;
/** Left to whoever offers the music. */
const OPEN =
  /\b(?:(?:vocals?|vox|lyrics|singing|voices?|instrumentals?)(?: (?:is|are|would be|could be))?(?: also| both| totally| absolutely)? (?:optional|ok(?:ay)?|fine|possible|allowed|welcome|acceptable|either way|not (?:required|necessary|essential|needed)|up to you|if (?:tasteful|any|it works|needed))|with or without (?:any |the )?(?:vocals?|lyrics|singing|voice|vox|words)|(?:vocals?|vox) or (?:instrumentals?|not|no vocals?|no vox|without)|instrumentals? or (?:with )?(?:vocals?|vox|sung)|either (?:vocals?|instrumentals?)|(?:vocals? and instrumental|instrumental and vocal)(?: versions?| mixes| options)?|optional (?:vocals?|lyrics|vox)|open to vocals?|could (?:have|be) (?:vocals?|instrumental)|can (?:have|be) (?:\w+ )?(?:vocals?|vox|instrumental)(?: but| or (?:an )?(?:instrumental|vocals?|sung))?|maybe (?:some )?(?:vocals?|lyrics|vox)|(?:vocals?|vox)(?: is| are)? (?:buried|low in the mix)(?: or none)?|vocal or non[- ]vocal|instrumental (?:version|mix|edit|option|alt)s? (?:(?:is|are|also|too|as well|would be|always) )*(?:needed|required|available|please|too|as well|handy|great|a plus|useful|on hand)|no preference (?:on|about|for|as to) vocals?|(?:don't|do not|wouldn't|dont) mind (?:some |a few |the odd |a bit of |having )?(?:vocals?|vox|lyrics|singing|an instrumental|instrumentals?))\b/g;
const TEXTURES = /\b(?:textures?|chops?|samples?|stabs?|snippets?|hits?|pads?|cuts|loops?)\b/;
const KIND_BEFORE =
  /\b(?:female|male|backing|background|child|children's|kids'?|gang|group|shouted|screamed|shouty|auto-?tuned?|autotune|processed|cheesy|rap|rapped|operatic|robotic|big|diva|breathy|whispered|falsetto|high|pitched|explicit|sexy|generic|american|english|too many|distracting|prominent|full|sad|breakup|love|religious|political|swearing|profane|dark|obvious|pop|modern|poppy|heavy|loud|harsh|growled|cliche|cliched|guy|refrain|chorus|hook|sung|girl|boy|man's|woman's|dude|shouting)\s+$/;

/** Reads whether the music should have vocals. Null: not said, said both ways, or left open. */
export function findVoice(plain: string, scopes: Scopes): VoiceFinding {
  const open = [...plain.matchAll(OPEN)].filter(({ index }) => !isWithin(scopes.unwanted, index)).map(spanOf);
  const relevant = ({ index = 0 }: RegExpMatchArray) =>
    !isWithin(scopes.indifferent, index) && !isWithin(open, index);
  const isTakenBack = ({ index = 0 }: RegExpMatchArray) => isWithin(scopes.unwanted, index);
  const without = [...plain.matchAll(NO_VOICE)].filter(relevant);
  const inNoVoice = ({ index = 0 }: RegExpMatchArray) => isWithin(without.map(spanOf), index);
  const voices = [...plain.matchAll(VOICE_WORD)].filter((match) => relevant(match) && !inNoVoice(match));
  const words = [...plain.matchAll(WORDS_TAKEN_BACK)].filter(
    (match) => relevant(match) && isTakenBack(match),
  );

  const asksForVoice = voices.some((match) => !isTakenBack(match) && !isTexture(match, plain));
  // "No rap, soul singing": where a voice is wanted, rap is but a kind.
  const isRap = ([word]: RegExpMatchArray) => asksForVoice && /^rap/.test(word);
  const asksForNone =
    without.some((match) => !isTakenBack(match)) ||
    [...voices, ...words].some((match) => isTakenBack(match) && !isKind(match, plain) && !isRap(match));
  const refusesNone = without.some(isTakenBack);
  const spans = without.map(spanOf);
  if (asksForVoice && asksForNone) return { preference: null, isOpen: true, spans };
  if (asksForNone) return { preference: "instrumental", isOpen: false, spans };
  if (asksForVoice || refusesNone) return { preference: "vocal", isOpen: false, spans };
  return { preference: null, isOpen: open.length > 0 || isLeftOpen(plain, scopes), spans };
}

/** "It doesn't have to be instrumental." */
function isLeftOpen(plain: string, scopes: Scopes): boolean {
  const words = [...plain.matchAll(NO_VOICE), ...plain.matchAll(VOICE_WORD)];
  return words.some(({ index }) => isWithin(scopes.indifferent, index));
}

/** Chops and samples of a voice do not make a vocal track. */
function isTexture(match: RegExpMatchArray, plain: string): boolean {
  const end = (match.index ?? 0) + match[0].length;
  return new RegExp(`^[\\s-]*${TEXTURES.source}`).test(plain.slice(end, end + 20));
}

/** "no female vocals" and "no lyrics about love" take back a kind of voice, not voices as such. */
function isKind(match: RegExpMatchArray, plain: string): boolean {
  const at = match.index ?? 0;
  const after = plain.slice(at + match[0].length, at + match[0].length + 20);
  if (
    /^\s+(?:about|in (?:english|french|spanish|german|another|any other)|that (?:mention|are)|mentioning|chorus(?:es)?|hooks?|refrains?|chops?|samples?|runs|effects?|harmon)/.test(
      after,
    )
  )
    return true;
  return KIND_BEFORE.test(plain.slice(Math.max(0, at - 30), at));
}
