/** As many files and links as go together. */
export const MAX_ITEMS = 25;

/** What a form held: what has to come back when something is wrong with it. */
export type Draft = {
  name: string;
  email: string;
  message: string;
  /** One address a line. */
  links: string;
};

/** A file that is on the server and not submitted yet. */
export type KeptFile = { id: string; name: string; sizeBytes: number };

/** A file as its sender named it. */
export type SentFile = { name: string; sizeBytes: number };

/** Something about a submission that has to be put right: which field, and a sentence without its full stop. */
export type Problem = { field: keyof Draft | "files"; words: string };
