/** A track, as the player shows it. Paths are complete and include the page root. */
export type PlayerTrack = {
  id: string;
  /** The version that plays. */
  versionId: string;
  title: string;
  artist: string | null;
  /** Null until the track is analysed. */
  durationSec: number | null;
  /** True while it is being analysed: it plays, but has no waveform yet. */
  isPending: boolean;
  /** Paths of the small and the large picture; undefined when covers are drawn. */
  thumbnail: string | undefined;
  picture: string | undefined;
  /** The browser plays the first one that it can. Never empty. */
  sources: readonly { path: string; type: string }[];
  waveformPath: string;
  downloadPath: string | undefined;
  /** In dB. */
  gainDb: number;
  /** Tempo, key and credits in a line; undefined where they are not shown. */
  details: string | undefined;
  /** In a set: what it is there, such as `Instrumental, 30 s`. */
  kind?: string | undefined;
  /** The words; undefined where they are not shown. */
  lyrics: PlayerLyrics | undefined;
};

/** The words of a track, in stanzas. */
export type PlayerLyrics = {
  stanzas: { text: string; atSec: number | undefined }[][];
};

/**
 * Addresses of the rest of a list: a page for visitors who follow the link, and a fragment that the script puts in
 * place of the link.
 */
export type ListEnd = { pageHref: string; listHref: string };

/** A part of a list of tracks. */
export type PlayerRows = {
  tracks: readonly PlayerTrack[];
  /** Position of the first row in the whole list, counted from 1. */
  firstNumber: number;
  /** Undefined at the end of the list. */
  next: ListEnd | undefined;
};

/** A comment about a track: a note, or a reply to one. */
export type PlayerComment = {
  id: string;
  trackId: string;
  name: string;
  /** Blank when it was deleted. */
  text: string;
  isDeleted: boolean;
  /** Null when it is about the whole track, and for a reply. */
  positionSec: number | null;
  /** The end of a range; null for a moment. */
  endSec: number | null;
  /** Where a note is in the version that plays; null when it is about the whole track, and for a reply. */
  place: { positionSec: number | null; endSec: number | null; how: string } | null;
  /** Of a reply: the note. */
  parentId: string | null;
  /** Such as `Answered in v8`; null while it is open. */
  answered: string | null;
  /** Such as `Not in v8: this part was cut`; null where the version that plays has its passage. */
  gone: string | null;
  /** `15 January 2026` */
  date: string;
  /** The version that was heard; null when it was deleted. */
  versionId: string | null;
  /** What it is called, or was called. */
  versionLabel: string | null;
  /** True when the track has other versions. */
  hasOthers: boolean;
  /** The track's title, on a page with several tracks. */
  title?: string | undefined;
  /** What was said to a note, oldest first. */
  replies: readonly PlayerComment[];
  /** Where the rest of that is; undefined when there is none. */
  moreReplies?: { count: number; href: string } | undefined;
  /** Where visitors without a script reply to it; undefined where they cannot. */
  replyHref?: string | undefined;
};

/** The comments of a page, and the form to add one. */
export type PlayerComments = {
  items: readonly PlayerComment[];
  /** Undefined when there are no older comments. */
  next: ListEnd | undefined;
  /** Undefined when these are the newest. */
  newestHref: string | undefined;
  action: string;
  /** The most characters of a comment and of its writer's name. */
  longest: { text: number; name: number };
  /** Proof that the server issued this page; sent with the form. */
  proof: { e: string; s: string };
  /** What the field for the name begins with; blank for a public link. */
  name: string;
  /** The note that is replied to, where the form is for a reply. */
  replyTo?: { id: string; trackId: string; words: string } | undefined;
  /** The error of a rejected comment, and the values that it had. */
  error?: string | undefined;
  draft?:
    | { name: string; text: string; at: string; end: string; trackId: string; versionId: string | undefined }
    | undefined;
};

/** What a link asks its recipient about the version of a track that plays. */
export type PlayerReview = {
  trackId: string;
  versionId: string;
  /** What the version is called. */
  label: string;
  /** Proof that the server issued this page; sent with the forms. */
  proof: { e: string; s: string };
  /** What was said of it, such as `You approved v8 on 24 November.`; undefined: nothing yet. */
  verdict: { words: string; text: string | null } | undefined;
};

/** An earlier version, to be heard beside the one that plays. */
export type EarlierVersion = Pick<PlayerTrack, "versionId" | "sources" | "waveformPath" | "durationSec"> & {
  /** What it is called. */
  label: string;
};

/**
 * Where a note is heard in a version, with the gain in dB that makes both versions equally loud. `plainPath`: its address for a
 * player without a script.
 */
type Passage = { fromSec: number; gainDb: number; plainPath: string };

/** A note on an earlier version, which the one that plays may answer. */
export type ReviewedNote = PlayerComment & {
  /** In the version that it is about; undefined when that cannot be heard. */
  old?: (Passage & { versionId: string }) | undefined;
  /** Why not. */
  whyNot?: string | undefined;
  /** In the version that plays; undefined when that has no such passage. */
  now?: Passage | undefined;
  /** How long its passage is, with what comes before and after. */
  seconds?: number;
  /** Where it is said to be right, or not; sent with the version that plays, and the proof that the server issued this page. */
  action: string;
  nowVersionId: string;
  proof: { e: string; s: string };
};

/** What a page says of the notes on earlier versions. */
export type PlayerAnswers = {
  /** `v8 answers 5 of your 7 notes.`; undefined without such notes. */
  answers: string | undefined;
  notes: readonly ReviewedNote[];
  earlier: readonly EarlierVersion[];
};

/** What a link asks its recipient about each track: whether they want it. */
export type PlayerPitch = {
  /** `Mara asks for your answer.`, or what was answered. */
  words: string;
  action: string;
  /** The most characters of a note. */
  longest: number;
  /** What can be answered, and what the buttons say. */
  answers: readonly { answer: string; words: string }[];
  /** True for a member of the library, who does not answer for the recipient. */
  isReadOnly: boolean;
  /** By track. */
  tracks: ReadonlyMap<
    string,
    {
      versionId: string;
      /** Proof that the server issued this page; sent with the form. */
      proof: { e: string; s: string };
      /** What was answered; undefined: nothing yet. `words` are undefined where the page says them above. */
      said: { words: string | undefined; text: string | null } | undefined;
    }
  >;
  /** What is wrong with what was sent, and the note that was typed. */
  error?: string | undefined;
  draft?: { trackId: string; note: string } | undefined;
};

/** What a page asks of its recipient. */
export type PlayerApproval = PlayerAnswers & {
  /** `Mara asks for your approval of v8.`, or what was said. */
  words: string;
  action: string;
  /** The most characters of what is to change. */
  longest: number;
  /** By track. */
  reviews: ReadonlyMap<string, PlayerReview>;
  /** What is wrong with what was sent, and the text that was typed about a version or a note. */
  error?: string | undefined;
  draft?: { id: string; text: string } | undefined;
};
