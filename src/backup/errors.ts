import { LibraryError } from "../kernel/errors.ts";

/** What the system says of a place that cannot be written, and what a person is told. */
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

/** Turns the system's error about a place into a refusal that a person understands. Others pass unchanged. */
export function asRefusal(thrown: unknown, path: string): unknown {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const sentence = SENTENCES[code];
  return sentence ? new LibraryError(sentence(path), { cause: thrown }) : thrown;
}
