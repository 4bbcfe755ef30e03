import { realpath } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import { isInside } from "../kernel/is-inside.ts";
import { isIgnoredFolder } from "./names.ts";

/** A link out of a folder. */
export type LinkOut = {
  /** The link, by the path that it was found under. */
  path: string;
  /** The file or folder that it leads to. */
  target: string;
};

/** What the links in a folder lead to, for one look through it: each file and folder is read once. */
export type Links = {
  /** Those that lead out of the folder and are followed. */
  readonly out: readonly LinkOut[];
  /** Returns why what a link leads to is not read under its path; undefined when it is. */
  refuse: (link: string) => Promise<string | undefined>;
  /** The same for a file or folder that is reached through a link, but is not a link itself. */
  refuseBehind: (path: string) => Promise<string | undefined>;
};

const READ_ANYWAY = "it is read under another path";

/**
 * Begins to follow the links in a folder. A link back into the folder is not followed, unless its target is passed over.
 *
 * @param options `keepOut`: a folder that no link may lead into; `isPassedOver`: which names are not read by themselves.
 */
export async function followLinks(
  root: string,
  { keepOut, isPassedOver = isIgnoredFolder }: { keepOut?: string; isPassedOver?: (name: string) => boolean },
): Promise<Links> {
  const realRoot = await realpath(root);
  // A folder that lies there itself was named on purpose.
  const closed = keepOut !== undefined && !isInside(realRoot, keepOut) ? keepOut : undefined;
  const seen = new Set<string>();
  const out: LinkOut[] = [];
  const isReadAnyway = (real: string) =>
    isInside(real, realRoot) && !relative(realRoot, real).split(sep).some(isPassedOver);
  const refuseReal = (real: string) => {
    if (closed !== undefined && isInside(real, closed)) return "it leads into the library's own folder";
    if (isReadAnyway(real) || seen.has(real)) return READ_ANYWAY;
    seen.add(real);
    return undefined;
  };
  return {
    out,
    refuseBehind: async (path) => refuseReal(await realpath(path)),
    refuse: async (link) => {
      const real = await realpath(link);
      const folder = await realpath(dirname(link));
      if (isInside(real, realRoot) && isInside(folder, real)) return "a link to a folder that contains it";
      const refusal = refuseReal(real);
      if (refusal === undefined && !isInside(real, realRoot)) out.push({ path: link, target: real });
      return refusal && `a link, and ${refusal}`;
    },
  };
}

const MOST_NAMED = 5;

/** Returns what people are told of links that were followed out of a folder. */
export function sentenceOfLinks(links: readonly LinkOut[]): string {
  const named = links.slice(0, MOST_NAMED).map(({ path, target }) => `${path} -> ${target}`);
  const more = links.length > MOST_NAMED ? `, and ${links.length - MOST_NAMED} more` : "";
  const subject = links.length === 1 ? "A link leads" : `${links.length} links lead`;
  return `${subject} out of the folder, and the files there are taken in too: ${named.join(", ")}${more}`;
}
