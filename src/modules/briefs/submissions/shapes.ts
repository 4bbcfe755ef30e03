/** The most files and links in one submission. */
export const MAX_ITEMS = 25;

/** The fields of a form, to show them again when something needs correction. */
export type Draft = {
  name: string;
  email: string;
  message: string;
  /** One address per line. */
  links: string;
};

/** A file that is on the server and not submitted yet. */
export type KeptFile = { id: string; name: string; sizeBytes: number };

/** A file as its sender named it. */
export type SentFile = { name: string; sizeBytes: number };

/** Something to correct in a submission: the field, and a sentence without its full stop. */
export type Problem = { field: keyof Draft | "files"; words: string };
