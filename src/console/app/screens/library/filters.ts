/** A filter of the Library as a chip shows it, and the values of the address that it consists of. */
export type Filter = { name: string; values: Values };
type Values = Readonly<Record<string, undefined>>;

const STATUS: Readonly<Record<string, string>> = {
  pending: "Waiting",
  processing: "Analysing",
  completed: "Analysed",
  failed: "Failed",
};

/** `120–130`, `from 120`, `up to 130`. */
function rangeText(low: string | undefined, high: string | undefined, unit = ""): string {
  if (low && high) return `${low}–${high}${unit}`;
  return low ? `from ${low}${unit}` : `up to ${high ?? ""}${unit}`;
}

type Kind = { parameters: readonly string[]; nameOf: (values: readonly (string | undefined)[]) => string };

/** What the list can be narrowed down by beside its text, and what each is called. */
const KINDS: readonly Kind[] = [
  {
    parameters: ["tags", "tagMode"],
    nameOf: ([tags = "", mode]) => tags.split(",").join(mode === "all" ? " and " : " or "),
  },
  { parameters: ["album"], nameOf: ([album = ""]) => `Album ${album}` },
  { parameters: ["onAlbum"], nameOf: ([onAlbum]) => (onAlbum === "true" ? "On an album" : "On no album") },
  { parameters: ["untagged"], nameOf: ([untagged]) => (untagged === "true" ? "Untagged" : "Tagged") },
  { parameters: ["key"], nameOf: ([key = ""]) => `Key ${key.split(",").join(" or ")}` },
  {
    parameters: ["bpm"],
    nameOf: ([bpm = ""]) => {
      const [low, high] = bpm.split("-");
      return `BPM ${rangeText(low, high)}`;
    },
  },
  {
    parameters: ["durationMinSec", "durationMaxSec"],
    nameOf: ([low, high]) => `Length ${rangeText(low, high, " s")}`,
  },
  {
    parameters: ["status"],
    nameOf: ([status = ""]) =>
      status
        .split(",")
        .map((each) => STATUS[each] ?? each)
        .join(" or "),
  },
  { parameters: ["visible"], nameOf: ([visible]) => (visible === "true" ? "Not hidden" : "Hidden") },
  { parameters: ["inInbox"], nameOf: () => "In the Inbox" },
  {
    parameters: ["createdAfter", "createdBefore"],
    nameOf: ([after, before]) => `Added ${rangeText(after, before)}`,
  },
];

/** Returns the filters of an address, beside its text. */
export function filtersOf(search: URLSearchParams): Filter[] {
  return KINDS.flatMap(({ parameters, nameOf }) => {
    const values = parameters.map((name) => search.get(name) || undefined);
    const isSet = values.some((value, at) => value !== undefined && parameters[at] !== "tagMode");
    return isSet ? [{ name: nameOf(values), values: off(parameters) }] : [];
  });
}

/** Takes every filter away, the text too. */
export const NO_FILTERS: Values = off(["q", ...KINDS.flatMap(({ parameters }) => parameters)]);

function off(parameters: readonly string[]): Values {
  return Object.fromEntries(parameters.map((name) => [name, undefined]));
}
