import { LibraryError } from "../kernel/errors.ts";

/** Sentences for the errors that the system reports about a path. */
const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => `There is no room for ${path}: free some space, or choose another disk`,
  EDQUOT: (path) => `There is no room for ${path}: your quota is used up`,
  EFBIG: (path) => `The disk takes no file as large as ${path}: choose another disk`,
  EACCES: (path) => `${path} cannot be written by this user`,
  EPERM: (path) => `${path} cannot be written by this user`,
  EROFS: (path) => `${path} is on a disk that cannot be written`,
  ENOTDIR: (path) => `${path} cannot be made: a part of its path is a file`,
  EPIPE: () => "The program that read the backup ended before it was whole",
};

/** Turns a system error about a path into a refusal that people understand. Returns other errors unchanged. */
export function asRefusal(thrown: unknown, path: string): unknown {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const sentence = SENTENCES[code];
  return sentence ? new LibraryError(sentence(path), { cause: thrown }) : thrown;
}
