import { NUMBER } from "./quantity.ts";

// How lengths are written, as patterns for plain text. `duration.ts` says which of them speak of the whole piece.

const CLOCK = "\\d{1,2}:[0-5]\\d|:[0-5]\\d";
const SECOND = "seconds?|secs?|s|\"|''";
const MINUTE = "minutes?|mins?|m|'";
const UNIT = `(?:${SECOND}|${MINUTE}|hours?|hrs?)(?![\\p{L}\\d])`;
const JOIN = "\\s*(?:-|~|to|and|until|through|up to|or|(?:a|et|y|e|bis)(?=\\s))\\s*";

/** "2:45-3:15" */
export const CLOCK_RANGE = new RegExp(`(?<![\\d:])(${CLOCK})${JOIN}(${CLOCK})(?![\\d:])`, "g");
/** "3 to 3:30": minutes, then minutes and seconds. */
export const MIXED_RANGE = new RegExp(`(?<![\\w.,:/-])(\\d{1,2})${JOIN}(\\d{1,2}:[0-5]\\d)(?![\\d:])`, "g");
/** "2 to 3 minutes" */
export const UNIT_RANGE = new RegExp(
  `(?<![\\w.,])(${NUMBER})[\\s-]?(?:(${UNIT})\\s*)?${JOIN}(${NUMBER})[\\s-]?(${UNIT})`,
  "gu",
);
/** "2m30s", "2 min 30 sec", "2 minutes and 15 seconds", "two minutes thirty". */
export const COMPOUND = new RegExp(
  `(?<![\\w.,:])(${NUMBER})[\\s-]?(?:minutes?|mins?\\.?|m|')(?:\\s*(?:and|&))?\\s*(?:(\\d{1,2})\\s*(?:seconds?|secs?|s|"|'')|(\\d\\d|thirty|fifteen|twenty|ten|forty five|forty))(?![\\p{L}\\d:])`,
  "gu",
);
/** "3:30", ":30" */
export const SINGLE_CLOCK = new RegExp(
  `(?<![\\d:\\p{L}])(${CLOCK})(?!\\d|:\\d|\\s*(?:am|pm|a\\.m|p\\.m|in the (?:morning|evening)|o'clock))`,
  "gu",
);
/** "90 seconds", "10+ min" */
export const SINGLE = new RegExp(
  `(?<![\\w.,])(${NUMBER})(?:[\\s-]|\\s?\\+\\s?| - )?(${UNIT})(?:[\\s-]long)?( and (?:a )?(?:half|quarter)\\b)?`,
  "gu",
);
/** Lengths without a number. */
export const HOUR_LONG = /\b(?:(?:hour|minute)-long|minute and a half|(?:a )?quarter of an hour)\b/g;
/** Seconds of what those begin with. */
export const SECONDS_OF: Readonly<Record<string, number>> = { h: 3600, m: 60, q: 900 };

const MARKED = "(\\d{1,2})\\s?(?:minutes?|mins?|m|')\\s?(?:(\\d{1,2})\\s?(?:seconds?|secs?|s|\"|''))?";
/** `2'30" to 3'15"`, "1m45s - 2m15s", "1 min 30 sec to 2 min". */
export const MARKED_RANGE = new RegExp(`(?<![\\w.,:])${MARKED}${JOIN}${MARKED}(?![\\p{L}\\d:])`, "gu");

/** "About" a length is a tenth of it to either side. */
export const ABOUT = 0.1;
/** Spots, cues and stings come in these lengths; any other "80s" is a decade. */
export const SPOT_SECONDS = new Set([10, 15, 20, 30, 40, 60, 90]);
/** Longer times are said in minutes. */
export const LONGEST_PLAIN_SECONDS = 300;
/** What has a length of its own: "30 second spot". */
export const SPOT_NOUN =
  /^[\s-]*(?:tv |radio |social |web |online |pre-?roll |youtube |insta(?:gram)? |hero |brand |product )?(?:spot|cut|cutdown|edit|version|ad|advert|commercial|cue|sting|bumper|ident|intro|outro|opener|teaser|promo|trailer|film|video|clip|reel|bed|loop|track|piece|long|max|min|logo|jingle|theme|slot|tvc|duration|total)s?\b/;
/** A part of the piece, or of something else. */
export const PART_BEFORE =
  /\b(?:first|last|final|opening|within|every|after|by|before|until|each|next|past|previous|from|with an?|has an?|have an?|starts? (?:at|after|around)|in at|comes in (?:at|after)|hits? (?:at|by|around)|drops? (?:at|by|after)|at|in|in the|at the|for the|deliver(?:ed|y)? (?:in|within)|wait|waited|within the)(?: (?:about|around|roughly|first|last|opening|next|under))*\s*(?:the\s*)?$/;
/** The same, said after it. */
export const PART_AFTER =
  /^\s*(?:mark\b|in\b(?! length)|into\b|later|ago|before the|after the|intro (?:then|and|before|that)|build (?:to|then|up|before)|drop at|delivery|turnaround|drive|away|walk|from|old|per|a day|of (?:silence|applause|black|credits|dialogue))/;
/** A length that these stand before is the whole's, whatever else is said. */
export const WHOLE_BEFORE =
  /\b(?:(?:run|go|last|stretch|extend|drift) (?:past|beyond|over)|length|duration|runs?|running(?: time)?|lasts?|lasting|total|trt|time|long|clock(?:s|ing)? in|comes? in|coming in|cap|capped|loops?|looping|looped)(?: (?:of|is|at|for|in|should be|around|about|approx|roughly|under|over|below))*:?\s*$/;
