import { meaningOf } from "./lexicon.ts";
import { isWithin, mergeSpans, type Span, spanOf } from "./text.ts";

/** Where a brief takes something back: spans of what is unwanted, and of what is said not to matter. */
export type Scopes = { unwanted: readonly Span[]; indifferent: readonly Span[] };

const any = (...parts: readonly string[]) => parts.join("|");

/** Says that something is not needed: it is then neither wanted nor unwanted. */
const INDIFFERENCE = new RegExp(
  `\\b(?:${any(
    "(?:do|does|need|would|did)(?:n't|nt| not) (?:have to|need to|need|necessarily|mind|require|matter|care)",
    "not necessarily|no need (?:for|to)|need not|no matter|with or without|(?:don't|do not|doesn't) care|whether or not",
    "no strong (?:feelings|opinion|preference)s? (?:on|about)|no preference (?:on|about|for|between)?|either",
  )})\\b`,
  "g",
);
/** The same, said after it: "tempo is not important". */
const INDIFFERENT_BEFORE =
  /(?:\b(?:is|are|being)?\s*(?:n't|not|un)\s*-?(?:that |really |so |too )?(?:important|necessary|essential|required|needed|mandatory|crucial|a must)|\boptional|\b(?:doesn't|does not|don't) (?:really )?matter|\bnot fussed|\beither way|\byour call|\bup to you|\bor not)\b/g;

/** Looks like a negation and is none. */
const INNOCENT = new RegExp(
  `\\b(?:${any(
    "not (?:only|just|sure|yet|merely|simply|to mention|bad|unlike|without|forgetting|that (?:it|they|i|we)|a problem|my|for nothing|really sure)",
    "no (?:wait|problem|worries|doubt|preference|idea|clue|rush|budget|one|stranger|frills|holds|nonsense|matter|big deal|pressure|thanks|limit|limits|money|time|joke|kidding|expense|surprises|particular|specific|longer|brainer)",
    "no (?:more|less|longer|shorter|slower|faster|later|earlier|fewer|lower|higher) than|more or less|less is more|less than|never (?:mind|ending|gets old|lets up|stops?|give up|giving up|before|mind|again|fails)",
    "(?:don't|do not|dont) (?:forget|worry|hesitate|hold back|be (?:afraid|shy|scared)|know|have (?:a|any|much)|think|get me wrong|stop|let up|mind)|(?:can't|cannot|can not) (?:wait|get enough|go wrong|afford|help|find|believe|decide|remember|share|stop|recall|be beaten)",
    "why not|if not|or not|non-?stop|none other|nothing but|nothing less|without (?:losing|sacrificing|stopping|fail|further|question|doubt|a doubt)|couldn't be (?:happier|more)|wouldn't (?:mind|be out|it)|won't (?:let up|stop)|isn't it|aren't they|hate to|too many (?:options|cooks)",
  )})\\b|\\b(?:won|don)'t stop\\b`,
  "g",
);

const CUES = new RegExp(
  `(?<![\\p{L}'-])(?:${any(
    "no|not|non|nope|without|w/o|sans|never|nothing|nor|neither|none(?: of)?|zero|minus|no more|hold the|hardly any",
    "avoid(?:ing|s)?|hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|can't stand|loathes?|detests?|instead of|in place of|in lieu of|rather than|as opposed to",
    "(?:the )?opposite of|free of|free from|devoid of|void of|lacking|clear of|away from|shy(?:ing)? away from|far from|stay(?:ing)? off|skip(?:ping)?|lose|ditch(?:ing)?",
    "leave out|leav(?:e|ing) off|cut out|exclud(?:e|es|ing)|ban(?:ned|ning)?|nix|tired of|sick of|bored of|bored with|fed up with|had enough of|enough (?:of|with)|over(?:used|done)|allergic to|refus(?:e|es|ing)",
    "(?:way|far|much|a bit|a little|just|kind of|all) too|(?:is|are|was|were|feels?|felt|sounds?|sounded|gets?|got|getting|went|goes|going|seems?|'s|comes? across as|a little) too|less|fewer|tried|(?:ca|is|are|wo|should|must|do|does|did|was|would|could)n'?t(?: want| like| be| use| go| include| sound| feel)?|can ?not|must not|should not",
    "previously (?:it |we |they |i )?(?:was|were|had|used|went)|originally (?:it |we |they )?(?:was|were|had|used|wanted)|initially (?:it |we |they )?(?:was|were|had|used|wanted)|formerly|used to (?:be|have|use)|the (?:old|last|previous|first) (?:one|version|track|temp|edit|ad|spot|campaign|cut|song|composer|agency)(?: was| had| used| went)",
    "no-?gos?:?|don'?ts:?|keep out|steer clear of|stay clear of|against|anti|any(?:thing|body|one)? ?(?:\\p{L}+ ){0,2}but|everything but|all but",
  )})(?![\\p{L}'])`,
  "gu",
);
/** Takes back inside of a negation, and is one elsewhere: "no drums except brushes", "anything except trap". */
const EXCEPTION =
  /\b(?:except(?:ing)?(?: for| maybe| perhaps)?|apart from|other than|besides|save for|aside from|with the exception of|bar)\b/g;
const SWEEPING = /\b(?:any|anything|everything|all|every|whatever|whichever|open to)\b[^.;:!?\n]{0,30}$/;

/** Said after what is not wanted: "trap is out", "vocals: none". */
const AFTERWARDS =
  /(?:\b(?:is|are|was|were|feels?|felt|sounds?|sounded|would be|been|seems?|seemed|gets?|got)|'s|'re)\s+(?:(?:all|also|both|totally|completely|just|way|definitely|a bit|a little|far|really|absolutely|so|kind of|strictly|now)\s+)*(?:out\b(?! (?:in|on|of|there|now|this|next|soon))|off the table|off[- ]limits|off the menu|(?:an? )?(?:absolute |hard |big |total |definite |strict )?(?:no[- ]?(?:go|no)?|non-starter|turn-?off|deal-?breaker|cliche)\b(?! (?:longer|idea|problem))|banned|forbidden|prohibited|verboten|vetoed|rejected|overused|overdone|done to death|played out|too (?:much|obvious|small|cheesy|on the nose|generic|safe|expected|busy|cliched?|corporate|slick|twee|predictable|dated)|wrong|not (?:right|for us|working|it|an option|allowed|ok|okay|wanted|welcome|what))|\b(?:didn't|doesn't|don't|won't|wouldn't|did not|does not|do not) (?:really )?(?:work|fit|feel right|land|do it|cut it|apply)\b|\bneed not apply\b|(?:[:=?]|\s-)\s*(?:no(?:ne|pe|t)?|zero|avoid)\b(?=\s*(?:$|[\n.;,!|/)]))/g;
/** "... and we are bored of both": what was said before is not wanted. */
const OF_THAT =
  /\b(?:(?:so |all )?(?:bored|sick|tired|fed up|done|over) (?:of|with|by) |(?:hates?|hated|dislikes?|can't stand|cannot stand|don't want|doesn't want|didn't like|doesn't like|don't like|not feeling|not into|rejected|vetoed|killed) )(?:it|that|them|both|those|these|all of (?:it|that|them|those))\b/g;
const PRONOUN = /\b(?:that|it|this|they|those|these|which|neither|both|all of (?:it|them|that))\s*$/;

/** Ends a negation: the end of the phrase, or a word that turns back to what is wanted. */
const END =
  /[.;:!?|()\n]|,|\s-\s|\b(?:but|just|only|yet|though|although|until|please|more|instead|with|so|then|because|since|while|whereas|keep|want|wants|need|needs|prefer|think|should|must|ideally|rather|on top|under|over|underneath|let's|make|and (?:a|an|the|lots|plenty|some|keep|make|it|we|i|more|should|must|please|is|are|with|then|very|really|maybe|preferably|around|about|at|in|under|\d))\b/;
/** Words that lead to what is taken back: "anything with a", "too", "being". */
const LEADING =
  /^(?:[:\s]*(?:any(?:thing)?|something|some|stuff|tracks?|songs?|things?|music|of|the|too|overly|that(?:'s| is| has| sounds?| feels?| are)?|with|like|sounding|feeling|being|having|using|to|be|go|get|getting|sound|feel|feels|as|so|very|much|many|a|an|another|other|your|typical|usual|those|these|at all|ever|in the least|please|over(?:ly)?|full[- ]on|straight|more)(?=[\s,:]))*\s*[^\s,.;:!?|()]*/;

/** Finds the negations of a brief, given as plain text. */
export function findScopes(plain: string): Scopes {
  const innocent = [...plain.matchAll(INNOCENT)].map(spanOf);
  const openings = [...plain.matchAll(INDIFFERENCE)]
    .map(spanOf)
    .filter(({ start }) => !isWithin(innocent, start));
  const indifferent = [...openings.map((cue) => scopeAfter(plain, cue)), ...indifferentBefore(plain)];
  const cues = [...plain.matchAll(CUES)]
    .map(spanOf)
    .filter(({ start }) => !isWithin([...openings, ...innocent], start) && !isWithin(indifferent, start));
  const exceptions = [...plain.matchAll(EXCEPTION)].map(spanOf);
  const [allowed, refused] = partition(exceptions, (span) => isException(plain, span, cues));
  const unwanted = [...cues, ...refused].map((cue) => stopAt(scopeAfter(plain, cue), allowed));
  return {
    unwanted: mergeSpans([...unwanted, ...scopesBefore(plain), ...suffixed(plain)]),
    indifferent: mergeSpans(indifferent),
  };
}

function indifferentBefore(plain: string): Span[] {
  return [...plain.matchAll(INDIFFERENT_BEFORE)].map((match) => ({
    start: clauseStart(plain, match.index),
    end: match.index + match[0].length,
  }));
}

/** An exception stands in the sentence of a negation that does not sweep everything in. */
function isException(plain: string, span: Span, cues: readonly Span[]): boolean {
  const sentence = plain.slice(0, span.start).search(/[^.;!?\n]*$/);
  const cue = cues.findLast(({ start }) => start >= sentence && start < span.start);
  return cue !== undefined && !SWEEPING.test(plain.slice(cue.start, span.start));
}

function stopAt(scope: Span, exceptions: readonly Span[]): Span {
  const stop = exceptions.find(({ start }) => start > scope.start && start < scope.end);
  return stop ? { start: scope.start, end: stop.start } : scope;
}

function scopeAfter(plain: string, { start, end }: Span): Span {
  const rest = plain.slice(end, end + 300);
  if (FORMERLY.test(plain.slice(start, end))) return { start, end: end + Math.max(0, endOfPast(rest)) };
  const voice = VOICE_ALONE.exec(rest);
  if (voice) return { start, end: end + voice[0].length };
  const lead = LEADING.exec(rest)?.[0].length ?? 0;
  const stop = rest.slice(lead).search(END);
  const close = stop === -1 ? rest.length : lead + stop;
  return { start, end: end + throughList(rest, cutAtTurn(rest, close), plain.slice(start, end)) };
}

/** What was tried before is not wanted: "previously it was very corporate, ukulele and glock". */
const FORMERLY = /^(?:previously|originally|initially|formerly|used to|the (?:old|last|previous|first))/;
/** "no vox lofi 72bpm": where nothing joins on, only the voice is taken back. */
const VOICE_ALONE =
  /^\s+(?:the |any |lead |main )?(?:vocals|vox|singing|voices|lyrics|words|vocal(?=\s+\p{L}+\s+\d))(?=\s+(?!or\b|nor\b|and\b|in\b|about\b|at\b|of\b|that\b|which\b|with\b|you\b|like\b|whatsoever\b|please\b|please|samples?\b|chops?\b)[\p{L}\d])/u;

function endOfPast(rest: string): number {
  const stop = rest.search(/[.;!?\n]|\b(?:but|now|this time|instead|then|so)\b/);
  return stop === -1 ? rest.length : stop;
}

/** "no drums and dark" takes back the drums only: after "and" a feeling does not go on with a list of things. */
function cutAtTurn(rest: string, close: number): number {
  for (const match of rest.slice(0, close).matchAll(/\s(?:and|&)\s+([\p{L}'-]+)/gu)) {
    if (kindOf(rest.slice(0, match.index)) !== "feeling" && kindOfWord(match[1] ?? "") === "feeling")
      return match.index;
  }
  return close;
}

/** A list of what is not wanted does not go on with these. */
const TURN =
  /^,\s*(?:and |but )?(?:just|only|but|more|instead|plus|with|some|lots|plenty|maybe|think|like|ideally|please|mostly|mainly|purely|simply|around|about|keep|make|give|we|i|it|they|something|very|really|a|an|the)\b/;
const LISTED = /^\s*[:\]=]*[^\n.;[|]*/;

/** "no drums, bass or vocals", "avoid: trap, dubstep": a list is taken back to its end. */
function throughList(rest: string, close: number, cue: string): number {
  if (/:$/.test(cue) || /^\s*[:\]=]/.test(rest)) return LISTED.exec(rest)?.[0].length ?? close;
  if (!rest.slice(close).startsWith(",")) return close;
  const isVerb =
    /^(?:avoid|exclud|without|free|clear|skip|hate|tired|sick|bored|away|stay|steer|ban|leave|lose|ditch)/.test(
      cue,
    );
  if (TURN.test(rest.slice(close))) return close;
  const list = listAt(rest.slice(close), isVerb ? /\b(?:and|or|nor)\b|&/ : /\b(?:or|nor)\b/);
  if (list === undefined) return close;
  const [first, last] = [kindOf(rest.slice(0, close)), kindOf(list)];
  const goesOn =
    first === last || first === undefined || last === undefined || (first === "thing" && last === "voice");
  return goesOn ? close + list.trimEnd().length : close;
}

const MOST_ITEM_WORDS = 3;

/** ", bass or vocals": the rest of a list, whose items are short and whose last one is joined on. */
function listAt(rest: string, joint: RegExp): string | undefined {
  const sentence = /^[^.;:!?|()\n]*/.exec(rest)?.[0] ?? "";
  let end = 0;
  for (const item of sentence.slice(1).split(",")) {
    const parts = item.split(joint).map((part) =>
      part
        .trim()
        .split(/\s+/)
        .filter((word) => word !== ""),
    );
    end += item.length + 1;
    if (parts.length > 1) return endOfJoined(rest.slice(0, end), item, joint);
    if (parts.some((words) => words.length > MOST_ITEM_WORDS)) return undefined;
  }
  return undefined;
}

/** A joined item ends the list; what follows its few words belongs to something else. */
function endOfJoined(list: string, item: string, joint: RegExp): string {
  const match = joint.exec(item);
  const after = item.slice((match?.index ?? 0) + (match?.[0].length ?? 0));
  const words = /^\s*(?:[\p{L}\p{N}'&/-]+(?: [\p{L}\p{N}'&/-]+){0,2})?/u.exec(after)?.[0] ?? "";
  return list.slice(0, list.length - after.length + words.length);
}

type Kind = "feeling" | "voice" | "thing";

/** The kind of the last word of a piece that means something. */
function kindOf(piece: string): Kind | undefined {
  const words = piece.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  for (let at = words.length - 1; at >= 0; at--) {
    const kind = kindOfWord(words[at] ?? "");
    if (kind) return kind;
  }
  return undefined;
}

function kindOfWord(word: string): Kind | undefined {
  if (/^(?:vocals?|vox|voices?|singing|lyrics?|words|sung|rap|rapping)$/.test(word)) return "voice";
  const category = meaningOf(word)?.tags[0]?.category;
  if (category === undefined) return undefined;
  if (category === "vocalTypes") return "voice";
  return ["moods", "characters", "movements", "tempos"].includes(category) ? "feeling" : "thing";
}

function scopesBefore(plain: string): Span[] {
  const direct = [...plain.matchAll(AFTERWARDS)].map((match) => ({
    start: clauseStart(plain, match.index),
    end: match.index + match[0].length,
  }));
  const referring = [...plain.matchAll(OF_THAT)].map((match) => ({
    start: referredStart(plain.slice(0, match.index)),
    end: match.index + match[0].length,
  }));
  return [...direct, ...referring];
}

/** "sweet but not sad because she'd hate that" refers to "sad" alone. */
function referredStart(before: string): number {
  const said = before.replace(
    /[\s,]*(?:\b(?:because|since|as|and|but|so|cos)\b)?(?:\s+(?:\p{L}+(?:'\p{L}+)?))?\s*$/u,
    "",
  );
  return said.search(/(?:(?!\bbut\b)[^.;!?|\n,():])*$/);
}

/** Where the clause before `at` begins; a mere "that" refers to the clause before it. */
function clauseStart(plain: string, at: number): number {
  const before = plain.slice(0, at);
  const start = before.search(/(?:(?!\bbut\b|\band\b|\bbecause\b|\bso\b)[^.;!?|\n,():])*$/);
  if (!PRONOUN.test(before.slice(start))) return start;
  return before
    .slice(0, start)
    .replace(/[\s,]*(?:but|and|so)?\s*$/, "")
    .search(/[^.;!?|\n,():]*$/);
}

/** "drum-free", "vocal free". */
function suffixed(plain: string): Span[] {
  return [
    ...plain.matchAll(
      /\b(?!vocals?\b|voice|lyrics?\b|vox|royalty|care|feel|stress|hands|gluten|pain|sugar|for|is|be|set|break|are|and)[\p{L}]+[- ]free\b(?! to| of| from)/gu,
    ),
  ].map(spanOf);
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
