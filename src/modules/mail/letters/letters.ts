import type { Letter, Part } from "./letter.ts";

/** What a letter of a library says, without whose it is. */
export type Words = Pick<Letter, "subject" | "lead" | "why"> & { parts: Part[] };

/** Words of the sender, with who they are; nothing when they wrote none. */
const wordsOf = (message: string | null, by: string): Part[] =>
  message === null ? [] : [{ kind: "quote", text: message, by }];

const small = (text: string): Part => ({ kind: "small", text });

/** What a mail says of how its link works. */
type Terms = {
  by: string;
  /** In words, such as `24 December`. */
  endsOn: string | null;
  hasPassword: boolean;
};

const termsOf = ({ by, endsOn, hasPassword }: Terms): Part =>
  small(
    [
      "The link is yours alone.",
      hasPassword ? `It asks for a password, which ${by} tells you.` : "",
      endsOn === null ? "" : `It works until ${endsOn}.`,
    ]
      .filter(Boolean)
      .join(" "),
  );

function buttonOf(title: string, asks: { asksForApproval: boolean; asksForAnswer: boolean }): string {
  if (asks.asksForApproval) return "Listen, and say whether it is right";
  return asks.asksForAnswer ? "Listen, and answer" : `Listen to ${title}`;
}

/** A link that opens later: until then it says nothing of what it leads to. */
export function earlyLetter(
  link: { library: string; href: string; message: string | null; opensOn: string } & Terms,
): Words {
  const { library, by, href, message, opensOn } = link;
  const said = `${library} sent you music that opens on ${opensOn}`;
  return {
    subject: said,
    lead: `${said}.`,
    parts: [...wordsOf(message, by), { kind: "button", words: "Open the page", href }, termsOf(link)],
    why: `${library} wrote to you.`,
  };
}

/** A link for one person, to a track or a playlist. */
export function linkLetter(
  link: {
    library: string;
    by: string;
    title: string;
    href: string;
    message: string | null;
    /** What a playlist holds. */
    tracks: readonly { title: string; length: string | null }[];
    /** How many more it holds. */
    more: number;
    asksForApproval: boolean;
    asksForAnswer: boolean;
  } & Terms,
): Words {
  const { library, by, title, href, message, tracks, more, asksForApproval, asksForAnswer } = link;
  const said = `${library} sent you “${title}”`;
  const list: Part[] =
    tracks.length === 0
      ? []
      : [
          {
            kind: "list",
            rows: [
              ...tracks.map(({ title: text, length }) => ({ text, ...(length && { note: length }) })),
              ...(more === 0 ? [] : [{ text: `and ${more} more` }]),
            ],
          },
        ];
  return {
    subject: said,
    lead: `${said}.`,
    parts: [
      ...wordsOf(message, by),
      {
        kind: "button",
        words: buttonOf(title, { asksForApproval, asksForAnswer }),
        href,
      },
      ...list,
      termsOf(link),
    ],
    why: `${library} wrote to you.`,
  };
}

/** The one reminder of a link that nobody has opened. */
export function reminderLetter(link: {
  library: string;
  by: string;
  title: string;
  href: string;
  message: string | null;
}): Words {
  const { library, by, title, href, message } = link;
  return {
    subject: `“${title}” is waiting for you`,
    lead: `“${title}” from ${library} is still waiting for you.`,
    parts: [...wordsOf(message, by), { kind: "button", words: `Listen to ${title}`, href }],
    why: `${library} sent you this link before. You get one reminder, and no more.`,
  };
}

/** Somebody is asked for music. */
export function briefLetter(brief: {
  library: string;
  by: string;
  name: string;
  description: string | null;
  deadline: string | null;
  href: string;
  message: string | null;
}): Words {
  const { library, by, name, description, deadline, href, message } = brief;
  return {
    subject: `${library} is looking for music: ${name}`,
    lead: `${library} is looking for music: ${name}.`,
    parts: [
      ...wordsOf(message, by),
      ...(description === null ? [] : [{ kind: "text" as const, text: description }]),
      { kind: "button", words: "Send your music", href },
      small(
        deadline === null
          ? "The link is yours alone."
          : `The link is yours alone. Music is taken until ${deadline}.`,
      ),
    ],
    why: `${library} asked you.`,
  };
}

/** What somebody sent to a brief has arrived. */
export function submittedLetter(sent: {
  library: string;
  brief: string;
  titles: readonly string[];
  href: string;
}): Words {
  const { library, brief, titles, href } = sent;
  const count = titles.length === 1 ? "song" : `${titles.length} songs`;
  return {
    subject: `${library} has your ${count}`,
    lead: `${library} has your ${count} for “${brief}”.`,
    parts: [
      { kind: "list", rows: titles.map((text) => ({ text })) },
      { kind: "button", words: "See what you sent", href },
    ],
    why: "You sent music by a link that was made for you.",
  };
}

/** What happened in a library since the last digest. */
export function digestLetter(news: {
  library: string;
  rows: readonly { text: string; note?: string; href: string }[];
  /** How many more things happened. */
  more: number;
  href: string;
  settingsHref: string;
}): Words {
  const { library, rows, more, href, settingsHref } = news;
  const count = rows.length + more;
  const said = `${count === 1 ? "One thing" : `${count} things`} happened in ${library}`;
  return {
    subject: said,
    lead: `${said}.`,
    parts: [
      { kind: "list", rows },
      ...(more > 0 ? [small(`And ${more} more.`)] : []),
      { kind: "button", words: "Open the library", href },
      {
        kind: "small",
        text: "You asked to hear of these.",
        link: { words: "Hear less or more often", href: settingsHref },
      },
    ],
    why: `You are in ${library}.`,
  };
}

/** Somebody is invited into a library. */
export function invitationLetter(invitation: {
  library: string;
  by: string;
  role: string;
  /** The playlist, where they see nothing else. */
  room: string | null;
  href: string;
  until: string;
}): Words {
  const { library, by, role, room, href, until } = invitation;
  const place = room === null ? library : `“${room}” in ${library}`;
  return {
    subject: `${by} invites you to ${place}`,
    lead: `${by} invites you to ${place}, as ${role}.`,
    parts: [
      { kind: "button", words: "Join", href },
      small(`The link works once, until ${until}. If you do not know ${by}, do nothing.`),
    ],
    why: "Somebody typed your address.",
  };
}

/** Asks a composer to check and complete what a library knows of them. */
export function supplyLetter(request: {
  library: string;
  by: string;
  href: string;
  message: string | null;
  until: string;
}): Words {
  const { library, by, href, message, until } = request;
  return {
    subject: `${library} asks for your details`,
    lead: `${by} asks you to check what ${library} knows of you as a writer: society, numbers and shares.`,
    parts: [
      ...wordsOf(message, by),
      { kind: "button", words: "Check my details", href },
      small(
        `The link is yours alone, and works until ${until}. Nothing changes before ${library} has looked at it.`,
      ),
    ],
    why: `${library} has you among its writers.`,
  };
}

/** A new address is confirmed by whoever reads its mail. */
export function addressLetter({ href }: { href: string }): Words {
  return {
    subject: "Confirm your new address",
    lead: "Confirm that this address is yours.",
    parts: [
      { kind: "text", text: "From then on you sign in with it. Until then, your old address stays." },
      { kind: "button", words: "Confirm this address", href },
      small("The link works once, for an hour. If you did not ask for this, do nothing."),
    ],
    why: "This mail is about a sign-in.",
  };
}

/** The same for an address that cannot be had: only whoever reads its mail learns that it has a sign-in. */
export function addressTakenLetter({ href }: { href: string }): Words {
  return {
    subject: "This address has a sign-in already",
    lead: "Somebody, probably you, wants to sign in with this address. It has a sign-in of its own already.",
    parts: [
      {
        kind: "text",
        text: "Nothing changes. To use it for another sign-in, give this one another address first.",
      },
      { kind: "button", words: "Sign in", href },
      small("If you did not ask for this, do nothing."),
    ],
    why: "This mail is about a sign-in.",
  };
}

/** The old address hears of the new one, which it does not name whole. */
export function addressToldLetter({ hint, href }: { hint: string; href: string }): Words {
  return {
    subject: "Your address is being changed",
    lead: `Somebody, probably you, is changing your address to ${hint}.`,
    parts: [
      {
        kind: "text",
        text: "If that was not you, sign in now, choose another password and end all other sessions.",
      },
      { kind: "button", words: "Open the settings", href },
    ],
    why: "This mail is about your sign-in.",
  };
}

/** The operator tries whether mails arrive. */
export function testLetter({ href }: { href: string }): Words {
  return {
    subject: "A test of Dubplate",
    lead: "Mails of this server arrive here.",
    parts: [
      {
        kind: "text",
        text: "Look at its source for whether your relay signs mails (DKIM) and whether the check passed.",
      },
      { kind: "button", words: "Open the settings", href },
    ],
    why: "You run this server, and asked for a test.",
  };
}
