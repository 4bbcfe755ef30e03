import { basename, dirname, resolve } from "node:path";

/** A list of files that a program or a folder names. */
export type FoundList = { name: string; files: string[] };

/** Returns the playlists that a file of another program holds; undefined when it is no such file. */
export function readLists(path: string, text: string): FoundList[] | undefined {
  if (/\.m3u8?$/i.test(path)) return [readM3u(path, text)];
  if (!/\.xml$/i.test(path)) return undefined;
  if (text.includes("<DJ_PLAYLISTS")) return readRekordbox(text);
  return text.includes("<plist") && text.includes("<key>Playlists</key>") ? readItunes(text) : undefined;
}

function readM3u(path: string, text: string): FoundList {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const name = lines.map((line) => /^#PLAYLIST:(.+)/.exec(line)?.[1]?.trim()).find(Boolean);
  const files = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return {
    name: name ?? basename(path).replace(/\.m3u8?$/i, ""),
    files: files.map((file) => resolve(dirname(path), placeOf(file.trim()))),
  };
}

/** Returns the path that an address of a file, or a path of Windows, names. */
function placeOf(location: string): string {
  if (!/^file:/i.test(location)) return location.replaceAll("\\", "/");
  const path = location.replace(/^file:\/\/(localhost)?/i, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decoded = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, digits, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = digits === undefined ? Number.parseInt(hex, 16) : Number(digits);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

const REKORDBOX_TAG = /<(\/?)(TRACK|NODE)\b([^>]*?)(\/?)>/g;

type KeyedList = { name: string; keys: string[]; isByLocation: boolean };

function readRekordbox(text: string): FoundList[] {
  const files = new Map<string, string>();
  const lists: KeyedList[] = [];
  for (const [, closing, tag, attributes = ""] of text.matchAll(REKORDBOX_TAG)) {
    const of = (name: string) => decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
    if (tag === "NODE" && closing === "" && of("Type") === "1")
      lists.push({ name: of("Name"), keys: [], isByLocation: of("KeyType") === "1" });
    if (tag === "TRACK" && of("Location") !== "") files.set(of("TrackID"), placeOf(of("Location")));
    if (tag === "TRACK" && of("Key") !== "") lists.at(-1)?.keys.push(of("Key"));
  }
  return lists.map(({ name, keys, isByLocation }) => ({
    name,
    files: keys.flatMap((key) => (isByLocation ? placeOf(key) : (files.get(key) ?? []))),
  }));
}

type Plist = string | boolean | Plist[] | { [key: string]: Plist };
const PLIST_TAG = /<(\/?)(dict|array|key|string|integer|real|date|data|true|false)\s*(\/?)>([^<]*)/g;
/** Lists that iTunes makes by itself say so with one of these. */
const OWN_LISTS = ["Master", "Distinguished Kind", "Folder", "Visible"];

function readItunes(text: string): FoundList[] {
  const root = asDict(readPlist(text));
  const tracks = asDict(root.Tracks);
  const playlists = Array.isArray(root.Playlists) ? root.Playlists.map(asDict) : [];
  return playlists
    .filter((list) => !OWN_LISTS.some((key) => key in list))
    .map((list) => ({
      name: String(list.Name ?? ""),
      files: (Array.isArray(list["Playlist Items"]) ? list["Playlist Items"] : []).flatMap((item) => {
        const location = asDict(tracks[String(asDict(item)["Track ID"])]).Location;
        return typeof location === "string" ? placeOf(location) : [];
      }),
    }));
}

const asDict = (value: Plist | undefined): { [key: string]: Plist } =>
  typeof value === "object" && !Array.isArray(value) ? value : {};

type Open = { value: Plist[] | { [key: string]: Plist }; key: string };

/** Reads a property list. Values that are no texts, lists or dictionaries count as their text. */
function readPlist(text: string): Plist | undefined {
  const root: Open = { value: [], key: "" };
  const stack = [root];
  for (const [, closing, tag = "", alone, content = ""] of text.matchAll(PLIST_TAG)) {
    if (closing === "") beginTag(stack, stack.at(-1) ?? root, { tag, content, isAlone: alone !== "" });
    else if (HOLDERS.has(tag)) stack.pop();
  }
  return Array.isArray(root.value) ? root.value[0] : undefined;
}

type Tag = { tag: string; content: string; isAlone: boolean };

function beginTag(stack: Open[], top: Open, { tag, content, isAlone }: Tag): void {
  if (tag === "key") {
    top.key = decoded(content);
    return;
  }
  const value = plistValue(tag, content);
  put(top, value);
  if (typeof value === "object" && !isAlone) stack.push({ value, key: "" });
}

const HOLDERS: ReadonlySet<string> = new Set(["dict", "array"]);

function plistValue(tag: string, content: string): Plist {
  if (HOLDERS.has(tag)) return tag === "dict" ? {} : [];
  return tag === "true" || tag === "false" ? tag === "true" : decoded(content);
}

function put({ value: holder, key }: Open, value: Plist): void {
  if (Array.isArray(holder)) holder.push(value);
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true });
}
