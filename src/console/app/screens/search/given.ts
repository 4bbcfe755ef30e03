import { ApiError } from "../../api/errors.ts";

/** A sound from outside that music is searched by. */
export type Given = { name: string; file: File } | { name: string; url: string };

/** The most that the server takes. */
const MAX_BYTES = 200 * 1024 * 1024;

/** Sounds by the ids that addresses name them by. They go with the window: nothing keeps them. */
const all = new Map<string, Given>();

/** Takes a file, or the address of one. Returns its id. */
export function give(from: File | string): string {
  const id = `file-${Math.random().toString(36).slice(2, 10)}`;
  all.set(id, typeof from === "string" ? { name: nameIn(from), url: from } : { name: from.name, file: from });
  return id;
}

export const givenOf = (id: string): Given | undefined => all.get(id);

/** True for a sound from outside, false for a track of the library. */
export const isGiven = (id: string): boolean => id.startsWith("file-");

/** True for text that is the address of a file and nothing else. */
export const isAddress = (text: string): boolean => /^https:\/\/\S+$/i.test(text.trim());

/**
 * Returns what a search by a sound from outside sends.
 *
 * @throws ApiError when the sound went with its window, or is too large.
 */
export function partsOf(id: string): { file: File } | { url: string } {
  const given = givenOf(id);
  if (!given) throw new ApiError(0, "sound_gone", "This file was not kept. Choose it again to search by it");
  if ("url" in given) return { url: given.url };
  if (given.file.size > MAX_BYTES) throw new ApiError(413, "file_too_large", "The file is too large");
  return { file: given.file };
}

/** The last part of an address, without what follows it. */
function nameIn(address: string): string {
  const { hostname, pathname } = URL.canParse(address)
    ? new URL(address)
    : { hostname: address, pathname: "" };
  const last = pathname.split("/").findLast((part) => part !== "") ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
