import { displayName } from "../kernel/display-name.ts";

const QUOTED = /(?:^|;)\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i;
const BARE = /(?:^|;)\s*filename\s*=\s*([^\s";]+)/i;
const EXTENDED = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i;
const HAS_EXTENSION = /\.[a-z0-9]{2,5}$/i;

/**
 * Returns the name of a downloaded file, safe to show: the name given by the server, otherwise the last segment of
 * an address, preferably one with an extension. Null when there is no name.
 *
 * @param urls The requested address, and the address that answered.
 * @see RFC 6266 and RFC 8187.
 */
export function downloadedName(disposition: string | null, urls: readonly string[]): string | null {
  const names = urls.map(lastSegment).filter((name) => name !== "");
  const name = nameOf(disposition ?? "") ?? names.find((each) => HAS_EXTENSION.test(each)) ?? names.at(-1);
  return name === undefined ? null : displayName(name);
}

function nameOf(disposition: string): string | undefined {
  const extended = EXTENDED.exec(disposition)?.[1];
  const decoded = extended === undefined ? undefined : decode(extended);
  if (decoded) return decoded;
  const quoted = QUOTED.exec(disposition)?.[1]?.replace(/\\(.)/g, "$1");
  return quoted || BARE.exec(disposition)?.[1];
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split("/").at(-1) ?? "";
  return decode(segment) ?? segment;
}

/** Undefined unless the text is percent-encoded UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
