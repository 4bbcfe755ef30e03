import type { Words } from "./letters.ts";

/** What the version that a track plays answers of the notes that somebody made through a link. */
export type AnsweredTrack = { title: string; version: string; answered: number; notes: number };

/** Notes that the recipient of a link made are answered. */
export function answeredLetter(round: {
  library: string;
  /** At least one. */
  tracks: readonly AnsweredTrack[];
  /** Their page plays passages of the earlier versions beside the new ones. */
  compares: boolean;
  href: string;
}): Words {
  const { library, tracks, compares, href } = round;
  const [only, ...others] = tracks;
  const said =
    only && others.length === 0
      ? `${only.version} of “${only.title}” answers ${ofNotes(only)}`
      : `${library} answers ${ofNotes({ answered: sum(tracks, "answered"), notes: sum(tracks, "notes") })}`;
  const rows = tracks.map(({ title, version, ...counts }) => ({
    text: title,
    note: `${version} answers ${ofNotes(counts)}`,
  }));
  return {
    subject: said,
    lead: `${said}.`,
    parts: [
      ...(others.length > 0 ? [{ kind: "list" as const, rows }] : []),
      { kind: "button", words: compares ? "Hear old and new" : "See your notes", href },
    ],
    why: `You made notes for ${library}.`,
  };
}

const ofNotes = ({ answered, notes }: Pick<AnsweredTrack, "answered" | "notes">) =>
  notes === 1 ? "your note" : `${answered} of your ${notes} notes`;

const sum = (tracks: readonly AnsweredTrack[], count: "answered" | "notes") =>
  tracks.reduce((total, track) => total + track[count], 0);
