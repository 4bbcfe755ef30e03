import { LibraryError } from "../kernel/errors.ts";

/** Sentences for the errors that the system reports about a path. */
const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => `There is no room for ${path}: free some space, or choose another disk`,
  EDQUOT: (path) => `There is no room for ${path}: your quota is used up`,
  EFBIG: (path) => `The disk cannot hold a file as large as ${path}: choose another disk`,
  EACCES: (path) =>
    `${path} cannot be written by this user: change the owner of its folder, or choose another one`,
  EPERM: (path) =>
    `${path} cannot be written by this user: change the owner of its folder, or choose another one`,
  EROFS: (path) => `${path} is on a read-only disk: choose another one`,
  ENOTDIR: (path) => `${path} cannot be created: a part of its path is a file`,
  EPIPE: () => "The program that reads the backup ended before the backup was complete",
};

/** Turns a system error about a path into a refusal that people understand. Returns other errors unchanged. */
export function asRefusal(thrown: unknown, path: string): unknown {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const sentence = SENTENCES[code];
  return sentence ? new LibraryError(sentence(path), { cause: thrown }) : thrown;
}
