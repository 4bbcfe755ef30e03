/** @jsxRuntime automatic @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { announce } from "../ui/announce.ts";
import { IconButton } from "../ui/button.tsx";
import { CoverPicture } from "../ui/cover-picture.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { jumpTo, moveInQueue, removeFromQueue } from "./player.ts";
import { type Entry, withTitles } from "./queue.ts";
import { soundOf } from "./sound.ts";
import { queue } from "./state.ts";

const MAX_SHOWN = 100;

/** What comes next, in order; it can be moved and taken out. */
export function QueueDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Queue" onClose={onClose}>
      <UpNext />
    </Dialog>
  );
}

/** The list "Up next". */
export function UpNext() {
  const { added, rest } = queue.value;
  const upNext = [...added, ...rest];
  const shown = upNext.slice(0, MAX_SHOWN);
  useTitles(shown);
  if (upNext.length === 0) return <p class="soft">Nothing is up next.</p>;
  return (
    <>
      <ol class="up-next" aria-label="Up next">
        {shown.map((entry, index) => (
          <UpNextItem key={entry.key} entry={entry} place={index + 1} count={upNext.length} />
        ))}
      </ol>
      {upNext.length > shown.length && <p class="soft">{upNext.length - shown.length} more tracks follow.</p>}
    </>
  );
}

function UpNextItem({ entry, place, count }: { entry: Entry; place: number; count: number }) {
  const { key, title, artist } = entry;
  const move = (by: 1 | -1) => {
    if (place + by < 1 || place + by > count) return;
    moveInQueue(key, by);
    announce(`Moved to ${place + by} of ${count}`);
  };
  return (
    <li
      class="up-next-item"
      onKeyDown={(event) => {
        if (!event.altKey || !/^Arrow(Up|Down)$/.test(event.key)) return;
        event.preventDefault();
        move(event.key === "ArrowUp" ? -1 : 1);
      }}
    >
      <button type="button" class="up-next-play" onClick={() => jumpTo(key)}>
        <CoverPicture seed={entry.id} cover={entry.cover} />
        <span class="sr-only">Play</span>
        <span class="now-words">
          <span class="now-title">{title}</span>
          <span class="now-artist">{artist}</span>
        </span>
      </button>
      <IconButton label={`Move ${title} up`} icon="up" aria-disabled={place === 1} run={() => move(-1)} />
      <IconButton
        label={`Move ${title} down`}
        icon="down"
        aria-disabled={place === count}
        run={() => move(1)}
      />
      <IconButton label={`Remove ${title} from the queue`} icon="close" run={() => removeFromQueue(key)} />
    </li>
  );
}

/** After a reload only ids are known: the titles are read when they are to be seen. Deleted tracks are left out. */
function useTitles(shown: readonly Entry[]): void {
  const unnamed = shown.filter(({ title }) => title === "").map(({ id }) => id);
  const wanted = unnamed.slice(0, MAX_AT_ONCE).join(" ");
  useEffect(() => {
    if (wanted === "") return;
    const ids = wanted.split(" ");
    void Promise.allSettled(ids.map((id) => soundOf(id))).then((results) => {
      const titles = new Map(
        results.map((result, index) => [
          ids[index] ?? "",
          result.status === "fulfilled"
            ? { title: result.value.title, artist: result.value.artist }
            : undefined,
        ]),
      );
      queue.value = withTitles(queue.value, titles);
    });
  }, [wanted]);
}

const MAX_AT_ONCE = 10;
