/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { type ItemAttributes, LongList } from "../../ui/long-list.tsx";
import type { Clock } from "./clock.ts";
import { Composer } from "./composer.tsx";
import type { Draft } from "./draft.ts";
import { NoteItem } from "./note-item.tsx";
import type { Comment, Version } from "./queries.ts";

type CommentsProps = {
  trackId: string;
  versions: readonly Version[];
  /** The version that is heard. */
  heard: Version | undefined;
  /** In the order of their places in it. */
  notes: readonly Comment[];
  clock: Clock;
  draft: Draft;
};

const idOf = ({ id }: Comment) => id;

/** The comments on the track, in the order of their places in the version that is heard. */
export function Comments({ trackId, versions, heard, notes, clock, draft }: CommentsProps) {
  /** The note that is being replied to. */
  const replying = useSignal<string | undefined>(undefined);
  const draw = useCallback(
    (note: Comment, attributes: ItemAttributes) => (
      <NoteItem
        attributes={attributes}
        note={note}
        versions={versions}
        heard={heard}
        clock={clock}
        draft={draft}
        replying={replying}
      />
    ),
    [versions, heard, clock, draft, replying],
  );
  const isWriting = draft.about.value !== undefined;
  if (notes.length === 0 && !isWriting) return null;
  return (
    <section class="comments" aria-label="Comments on the track">
      {isWriting && <Composer trackId={trackId} versions={versions} clock={clock} draft={draft} />}
      {notes.length > 0 && (
        <LongList
          label="Comments"
          class="comment-list"
          items={notes}
          keyOf={idOf}
          draw={draw}
          wanted={draft.opened}
        />
      )}
    </section>
  );
}
