/** Characters that no common file system takes in a name, or that would make it a path. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029/\\:*?"<>|]/gu;
/** They change the order in which a name is shown: `exe.wav` could read as something else. Scripts from right to left need none. */
const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** Names that Windows keeps to itself, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i;
/** File systems take 255 bytes. This leaves room for an extension and a number. */
const MAX_BYTES = 180;

/**
 * Returns a text as a name for a file or a folder that every common system accepts, without an extension. It is never
 * empty, hidden, or a path.
 */
export function fileStem(text: string, maxBytes = MAX_BYTES): string {
  const shownAsIs = text.toWellFormed().normalize("NFC").replace(TURNS_TEXT, "");
  const clean = shownAsIs.replace(FORBIDDEN, "_").replace(/\s+/gu, " ").trim();
  const name = cut(clean, maxBytes);
  const shown = name.replace(/^\.+|[. ]+$/g, "").trim();
  if (shown === "") return "untitled";
  return RESERVED.test(shown) ? `_${shown}` : shown;
}

/** Keeps as many whole characters as fit. */
function cut(text: string, maxBytes: number): string {
  let [kept, bytes] = ["", 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

/** Gives out each path once. */
export type Paths = (folder: string, stem: string, extension?: string) => string;

/** Returns {@link Paths}: a taken name gets a number. Names that differ only in case are the same on many systems. */
export function createPaths(maxBytes = MAX_BYTES): Paths {
  const taken = new Set<string>();
  return (folder, stem, extension = "") => {
    for (let count = 1; ; count++) {
      const path = `${folder}${fileStem(stem, maxBytes)}${count === 1 ? "" : ` (${count})`}${extension}`;
      const key = path.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return path;
    }
  };
}

/** Returns the extension of a file name with its dot, or an empty text. */
export function extensionOf(name: string): string {
  return /\.[a-z0-9]{1,5}$/i.exec(name)?.[0].toLowerCase() ?? "";
}

/** Returns a file name without its extension. */
export function withoutExtension(name: string): string {
  const extension = extensionOf(name);
  return extension === "" ? name : name.slice(0, -extension.length);
}
