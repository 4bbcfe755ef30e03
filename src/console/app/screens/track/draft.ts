import { type Signal, signal } from "@preact/signals";

/** A comment that is being written, and the one whose place was asked for. */
export type Draft = {
  text: Signal<string>;
  /** The time that it is about; undefined while nothing is being written. */
  atSec: Signal<number | undefined>;
  /** The version that was heard; undefined: the active one. */
  versionId: () => string | undefined;
  /** The comment that was opened by its mark. */
  opened: Signal<string | undefined>;
  begin: (atSec: number, versionId: string | undefined) => void;
  open: (commentId: string) => void;
  end: () => void;
};

/** Text that was not sent stays until the tab closes. */
export function createDraft(trackId: string): Draft {
  const key = `dubplate.comment.${trackId}`;
  const [seconds, kept, version] = readKept(key);
  let versionId = version;
  const text = signal(kept);
  const atSec = signal<number | undefined>(kept === "" ? undefined : seconds);
  const opened = signal<string | undefined>(undefined);
  text.subscribe((value) =>
    keep(key, value === "" ? "" : JSON.stringify([atSec.peek() ?? 0, value, versionId])),
  );
  return {
    text,
    atSec,
    versionId: () => versionId,
    opened,
    begin: (sec, heard) => {
      versionId = heard;
      atSec.value = Math.round(sec * 10) / 10;
    },
    open: (commentId) => {
      opened.value = commentId;
    },
    end: () => {
      text.value = "";
      atSec.value = undefined;
    },
  };
}

function readKept(key: string): [seconds: number, text: string, versionId?: string] {
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
