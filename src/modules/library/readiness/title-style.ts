/** A featured artist, who belongs in the field of artists. */
const FEATURED = /(^|[\s([])(feat\.?|ft\.?|featuring)\s+\S/i;
/** What stands behind a dash and is no part of the song's own name. */
const VERSION_AFTER_DASH =
  /\s[-–—]\s.*\b(mix|remix|edit|version|instrumental|a ?cappella|live|demo|remaster(ed)?|clean|explicit)\b/i;
const LETTERS_IN_CAPITALS = 4;

/** Returns what is unusual in the form of a title, as a sentence; null when nothing is. */
export function titleFaultOf(title: string): string | null {
  if (FEATURED.test(title)) return "The title names a featured artist, who belongs in the field for artists.";
  if (VERSION_AFTER_DASH.test(title))
    return "The version in the title belongs in brackets, as “Song (Radio Edit)”.";
  return isShouted(title) ? "The title is written in capitals." : null;
}

/** A short name, an abbreviation or one word of a longer title may be in capitals. */
function isShouted(title: string): boolean {
  const letters = title.match(/\p{L}/gu) ?? [];
  const isCased = letters.some((letter) => letter !== letter.toLowerCase());
  const hasSmall = letters.some((letter) => letter !== letter.toUpperCase());
  return letters.length > LETTERS_IN_CAPITALS && isCased && !hasSmall;
}
