const CODE_A = "a".charCodeAt(0);
const ALPHABET = Array.from({ length: 26 }, (_, index) => String.fromCharCode(CODE_A + index));

/** Names of all ISO 639-1 languages by code, made when a language is first asked for. */
let names: ReadonlyMap<string, string> | undefined;

/** Returns the ISO 639-1 code of a code (`en`, `EN-us`, `eng`) or an English name (`Portuguese`), or undefined. */
export function languageCode(text: string): string | undefined {
  const plain = text.trim().toLowerCase().replaceAll("_", "-");
  const byCode = languageNames();
  const bare = plain.split("-")[0] ?? "";
  if (byCode.has(bare)) return bare;
  for (const [code, name] of byCode) if (name.toLowerCase() === plain) return code;
  const canonical = canonicalCode(bare);
  return canonical !== undefined && byCode.has(canonical) ? canonical : undefined;
}

/** Returns the English name of an ISO 639-1 code: `es` is `Spanish`. An unknown code is returned as it is. */
export function languageName(code: string): string {
  return languageNames().get(code) ?? code;
}

/** ISO 639-2 codes become those of ISO 639-1 (`eng` is `en`); undefined for any other text. */
function canonicalCode(text: string): string | undefined {
  if (!/^[a-z]{3}$/.test(text)) return undefined;
  return new Intl.Locale(text).language;
}

function languageNames(): ReadonlyMap<string, string> {
  names ??= readNames();
  return names;
}

function readNames(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  // Retired codes such as `iw` are left to their successors.
  const nameOf = (code: string) => (new Intl.Locale(code).language === code ? english.of(code) : undefined);
  return new Map(
    ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second)).flatMap((code) => {
      const name = nameOf(code);
      return name === undefined ? [] : [[code, name] as const];
    }),
  );
}
