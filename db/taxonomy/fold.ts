/**
 * Returns the spelling-independent form of a tag: no case, accents, spaces or punctuation, and "&", "+" and
 * "n" read as "and". "Drum'n'Bass", "drum & bass" and "Drum and Bass" all give "drumandbass".
 */
export function foldTag(text: string): string {
  if (text !== "n" && /^[a-z]+$/.test(text)) return text;
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[&+]|\bn\b/g, " and ")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
