/** The most files and links in one submission. */
export const MAX_ITEMS = 25;
/** Characters of all links together. */
export const MAX_LINKS = 20_000;
/** How much visitors may send within {@link UPLOAD_KEPT_DAYS}, submitted or not. */
export const MAX_SENT_BY_VISITOR = { files: 250, bytes: 50 * 2 ** 30 } as const;
export const MAX_SENT_TO_BRIEF = { files: 2500, bytes: 200 * 2 ** 30 } as const;
/** From one address. */
export const MAX_SUBMISSIONS_PER_HOUR = 20;
/** Mails about what arrived by one personal link. */
export const MAX_RECEIPTS_PER_DAY = 10;
/** How long a file is kept that was not submitted. */
export const UPLOAD_KEPT_DAYS = 1;

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
