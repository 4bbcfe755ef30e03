import { batch, type Signal, signal } from "@preact/signals";
import { MIN_RANGE_SEC } from "../../../../modules/sharing/comments/shapes.ts";
import type { Span } from "../../player/ab.ts";

/** What a comment is about. */
export type About = {
  atSec: number;
  /** The end of a range; undefined: a moment. */
  endSec?: number | undefined;
  /** The version that was heard; undefined: the active one. */
  versionId: string | undefined;
};

/** A comment that is being written, and the one whose place was asked for. */
export type Draft = {
  text: Signal<string>;
  /** What it is about; undefined while nothing is being written. */
  about: Signal<About | undefined>;
  /** The part of the wave that was dragged over. */
  marked: Signal<Span | undefined>;
  /** The comment that was opened by its mark. */
  opened: Signal<string | undefined>;
  begin: (about: About) => void;
  open: (commentId: string) => void;
  end: () => void;
};

/** Text that was not sent stays until the tab closes, with what it is about. */
export function createDraft(trackId: string): Draft {
  const key = `dubplate.comment.${trackId}`;
  const [atSec, kept, versionId, endSec] = readKept(key);
  const text = signal(kept);
  const about = signal<About | undefined>(
    kept === "" ? undefined : { atSec, endSec: endSec ?? undefined, versionId: versionId ?? undefined },
  );
  const marked = signal<Span | undefined>(undefined);
  const opened = signal<string | undefined>(undefined);
  const keepAll = () => {
    const { atSec = 0, endSec, versionId } = about.peek() ?? {};
    keep(key, text.peek() === "" ? "" : JSON.stringify([atSec, text.peek(), versionId, endSec]));
  };
  text.subscribe(keepAll);
  about.subscribe(keepAll);
  return {
    text,
    about,
    marked,
    opened,
    begin: ({ atSec, endSec, versionId }) => {
      const from = rounded(atSec);
      const to = endSec === undefined || endSec - from < MIN_RANGE_SEC ? undefined : rounded(endSec);
      about.value = { atSec: from, endSec: to, versionId };
    },
    open: (commentId) => {
      opened.value = commentId;
    },
    end: () =>
      batch(() => {
        text.value = "";
        about.value = undefined;
        marked.value = undefined;
      }),
  };
}

/** Down, because the end of a version is the last place in it. */
const rounded = (sec: number) => Math.floor(sec * 10 + 1e-6) / 10;

type Kept = [atSec: number, text: string, versionId?: string | null, endSec?: number | null];

function readKept(key: string): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(key) || '[0, ""]');
  } catch {
    return [0, ""];
  }
}

function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing loses a text that was not sent.
  }
}
