import { attempt, found } from "./run.ts";

/** A program that says whether a copy is built as its format wants. */
export type Program = {
  name: string;
  endings: RegExp;
  /** The copies whose tags it does not read. */
  cannotRead?: (path: string) => boolean;
  /** Returns what is wrong with a copy; undefined: nothing. */
  check: (path: string, isrc: string) => string | undefined;
};

/** Undefined when a program ends well and its output has what it must, and nothing that it must not. */
const outputOf =
  (
    command: (path: string) => string[],
    { has, hasNot }: { has?: (isrc: string) => string; hasNot?: RegExp } = {},
  ) =>
  (path: string, isrc: string): string | undefined => {
    const { isGood, output } = attempt(command(path));
    if (!isGood) return output.trim().slice(-200) || "failed";
    if (has && !output.includes(has(isrc))) return `without ${has(isrc)}`;
    const bad = hasNot?.exec(output);
    return bad ? bad[0] : undefined;
  };

const MAX_TAG_BYTES = 16 * 1024 * 1024;

const PROGRAMS: readonly Program[] = [
  {
    name: "flac",
    endings: /\.flac$/,
    check: outputOf((path) => ["flac", "-s", "-t", path], { hasNot: /WARNING.*|ERROR.*/ }),
  },
  {
    name: "metaflac",
    endings: /\.flac$/,
    check: outputOf((path) => ["metaflac", "--list", "--except-block-type=PICTURE", path], {
      has: (isrc) => `ISRC=${isrc}`,
      hasNot: /ERROR.*/,
    }),
  },
  {
    name: "ogginfo",
    endings: /\.ogg$/,
    check: outputOf((path) => ["ogginfo", path], {
      has: (isrc) => `ISRC=${isrc}`,
      hasNot: /WARNING: (?!.*serial).*|Error.*/i,
    }),
  },
  {
    name: "opusinfo",
    endings: /\.opus$/,
    check: outputOf((path) => ["opusinfo", path], { has: (isrc) => `ISRC=${isrc}`, hasNot: /WARNING.*/ }),
  },
  {
    name: "AtomicParsley",
    endings: /\.m4a$/,
    check: outputOf((path) => ["AtomicParsley", path, "-t"], {
      has: (isrc) => `contains: ${isrc}`,
      hasNot: /error.*/i,
    }),
  },
  {
    name: "mediainfo",
    endings: /\.(wav|flac|mp3|ogg|opus|m4a|mov)$/,
    // No ID3 tag in BW64, and none of 20 MB in front of an MP3.
    cannotRead: (path) =>
      path.includes("BW64") || (path.endsWith(".mp3") && Bun.file(path).size > MAX_TAG_BYTES),
    check: outputOf((path) => ["mediainfo", path], {
      has: (isrc) => isrc,
      hasNot: /Conformance errors.*|IsTruncated.*/,
    }),
  },
  { name: "bwfmetaedit", cannotRead: (path) => path.includes("BW64"), endings: /\.wav$/, check: bwf },
];

/** The chunks `bext` and `axml`. */
function bwf(path: string, isrc: string): string | undefined {
  const core = attempt(["bwfmetaedit", "--out-core", path]).output;
  const axml = attempt(["bwfmetaedit", "--out-axml", path]).output;
  const tech = attempt(["bwfmetaedit", "--out-tech", path]).output;
  if (/invalid|error while|truncated/i.test(core + tech.split("\n").slice(1).join("\n")))
    return core.slice(-200);
  if (!core.includes(`,${isrc},`)) return "no reference in bext";
  if (!core.includes("-14.23,6.50,-1.02,-10.10,")) return "no loudness in bext";
  return axml.includes(`<dc:identifier>ISRC:${isrc}</dc:identifier>`) ? undefined : "no ISRC in axml";
}

/** The programs of this machine, and the names of those that are absent. */
export function programs(): { there: Program[]; absent: string[] } {
  const there = PROGRAMS.filter(({ name }) => found(name));
  return { there, absent: PROGRAMS.filter((program) => !there.includes(program)).map(({ name }) => name) };
}
