const WHY: Readonly<Record<string, string>> = {
  owner: "your own visits and listening",
  repeat: "reloads by the same visitor within half an hour",
  machine: "machines, such as link previews and mail scanners",
  head: "machines that asked only for the header",
  prefetch: "pages that a browser fetched ahead",
  unseen: "pages that were loaded but never looked at",
  short: "listens too short for a play (less than 30 seconds, or than half of a short track)",
  incomplete: "downloads that were interrupted",
};

/** Returns why something was not counted. */
export const whyOf = (reason: string): string => WHY[reason] ?? reason;
