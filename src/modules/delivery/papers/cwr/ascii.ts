/** Latin letters and signs that no decomposition makes ASCII of. */
const FOLDED: Readonly<Record<string, string>> = {
  ...{ Æ: "AE", Œ: "OE", Ø: "O", Đ: "D", Ð: "D", Þ: "TH", Ł: "L", Ħ: "H", Ŧ: "T", Ŋ: "NG", ı: "I", ẞ: "SS" },
  ...{ "‘": "'", "’": "'", "‚": "'", ʼ: "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"' },
  ...{ "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "…": "...", "×": "X", ª: "A", º: "O" },
};

/**
 * Returns a text as registrations write it: upper-case ASCII, without accents. Undefined for other scripts, which are never
 * guessed.
 */
export function toAscii(text: string): string | undefined {
  const upper = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toUpperCase();
  const ascii = [...upper]
    .map((sign) => FOLDED[sign] ?? sign)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  return /^[\x20-\x7e]*$/.test(ascii) ? ascii : undefined;
}
