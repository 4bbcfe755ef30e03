import { meaningOf } from "./lexicon.ts";
import { type Span, spanOf } from "./text.ts";

/** "lyrics about", "themes of", "a song about": what follows is what the words are about. */
const OPENING =
  /\b(?:about|lyrics?(?: (?:on|around|of|touching on|dealing with|exploring|that (?:talk|speak|tell) of|with themes? of))?:?|lyrical(?:ly)?:?|lyrical (?:content|themes?|matter)(?: of|:)?|themes?(?: of| around| like| such as|:)?|topics?(?: of|:)?|messages? (?:of|about|on)|messages?:|subject matter:?|sings? (?:of|about)|singing (?:of|about)|storyline of|songs? (?:of|on))\b/g;
/** "breakup song", "summer themes": what stands before is. */
const CLOSING =
  /(?<![\p{L}'-])([\p{L}'-]{1,30}(?: (?:and|&|or) [\p{L}'-]{1,30}| [\p{L}'-]{1,30})?)[ -](?:themes?|themed|messages?|messaging|lyrics?|lyrically|songs?|anthems?|bangers?|bops?|ballads?|love letter)\b/gu;
/** A film or a show is about something too, and that is not what the words are about. */
const PICTURE =
  /\b(?:film|movie|documentary|doc|docu(?:series|drama)?|series|show|podcast|episode|drama|comedy|book|novel|game|campaign|spot|advert|ad|commercial|story|feature|short|scene|project|brand|company|video|piece to camera|thriller|trailer|programme|program|series|biopic)\b[^.;:!?\n]{0,40}$/;
const WORDS =
  /\b(?:lyrics?|lyrical|songs?|sings?|singing|sung|vocals?|voice|vocalist|singer|words|ballad|anthem|topline|verses?|chorus|themes?|single|track|(?:fe)?male lead)\b/;

/** A part of a list, between its signs. */
const ITEM = /(?<=^|[,;|/\n])[\p{L}' -]{4,40}(?=$|[,;.|/\n])/gu;

/** A number makes "about" a measure: "about 90 bpm". */
const MEASURE = /^\s*(?:\d|a minute|half|one|two|three|four|five|ten|twenty|thirty)/;

/** Finds where the brief speaks of the words. `theme music` and `main theme` are not about words. */
export function findThemeSpans(plain: string): Span[] {
  return [
    ...[...plain.matchAll(OPENING)].flatMap((match) => openingSpan(match, plain)),
    ...[...plain.matchAll(CLOSING)].map((match) => ({
      start: match.index,
      end: match.index + (match[1]?.length ?? 0),
    })),
    ...(WORDS.test(plain) ? loneThemes(plain) : []),
  ];
}

/** "male vocal, unrequited love, sweet": where words are sung, a part of the list that can only be their theme. */
function loneThemes(plain: string): Span[] {
  return [...plain.matchAll(ITEM)]
    .filter(([item]) => {
      const meaning = meaningOf(item);
      const isTheme = meaning?.tags.every(({ category }) => category === "lyricThemes");
      return meaning !== undefined && isTheme && meaning.suggests.length === 0;
    })
    .map(spanOf);
}

function openingSpan(match: RegExpExecArray, plain: string): Span[] {
  const { start, end } = spanOf(match);
  const sentenceStart = Math.max(...[..."|.;!?\n"].map((sign) => plain.lastIndexOf(sign, start))) + 1;
  const before = plain.slice(sentenceStart, start);
  const isOther = match[0] === "about" && PICTURE.test(before) && !WORDS.test(lastClause(before));
  if (isOther || MEASURE.test(plain.slice(end))) return [];
  // "with the lyrics, dark and slow": a list goes on only where the word itself opens one.
  const stop = plain
    .slice(end)
    .search(
      /[|.;!?()\n]|,(?! [\p{L}']+(?: [\p{L}']+){0,2} ?(?:,|\band\b|$|[.;!?\n]))|\b(?:but|with|at|in the style|without)\b/u,
    );
  return [{ start: end, end: stop === -1 ? plain.length : end + stop }];
}

function lastClause(text: string): string {
  return text.slice(text.lastIndexOf(",") + 1);
}
