/** What a mail says, before it is HTML and text: both are made of the same parts, so that they say the same. */
export type Letter = {
  subject: string;
  /** Whom it is from, on its head. */
  library: string;
  /** The first line, which lists of mails show beside the subject. */
  lead: string;
  parts: readonly Part[];
  /** Why somebody gets it, on its foot. */
  why: string;
  /** Where it says that no more are wanted; null for mails about one's own sign-in. */
  stop: { words: string; href: string } | null;
};

/** A part of a mail. */
export type Part =
  | { kind: "text"; text: string }
  /** Words of the person who sends it, with their line breaks. */
  | { kind: "quote"; text: string; by: string }
  /** The one thing to do. */
  | { kind: "button"; words: string; href: string }
  | { kind: "list"; rows: readonly { text: string; note?: string; href?: string }[] }
  | { kind: "small"; text: string; link?: { words: string; href: string } };

/** Returns a mail as text, in lines that programs may break. */
export function letterText({ lead, parts, why, stop }: Letter): string {
  const foot = ["-- ", why, ...(stop ? [`${stop.words}: ${stop.href}`] : [])].join("\n");
  return `${[lead, ...parts.map(partText), foot].join("\n\n")}\n`;
}

function partText(part: Part): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "small":
      return part.link ? `${part.text} ${part.link.words}:\n${part.link.href}` : part.text;
    case "quote":
      return `${part.by}:\n${part.text.replace(/^/gm, "> ")}`;
    case "button":
      return `${part.words}:\n${part.href}`;
    case "list":
      return part.rows
        .map(({ text, note, href }) =>
          [`- ${text}`, note && `  ${note}`, href && `  ${href}`].filter(Boolean).join("\n"),
        )
        .join("\n");
  }
}
