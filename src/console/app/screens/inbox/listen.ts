import { type Signal, signal } from "@preact/signals";
import { memory } from "../../memory.ts";
import { loudestSec } from "../../player/loudest.ts";
import { play, toggle } from "../../player/player.ts";
import { offerSound, outlineOf } from "../../player/sound.ts";
import { isPlaying, queue } from "../../player/state.ts";
import type { Item } from "./items.ts";

/** A choice that this browser keeps. */
function kept(name: string, isOnAtFirst: boolean): Signal<boolean> {
  const choice = signal(memory.get<boolean>(name) ?? isOnAtFirst);
  choice.subscribe((isOn) => memory.set(name, isOn));
  return choice;
}

/** Whether a submission plays when it is opened. */
export const playsOnOpen = kept("inbox-plays", true);
/** Whether the next submission opens when something was decided about one. */
export const advances = kept("inbox-advances", true);

/** The submission that was asked for last: an outline that comes late plays nothing else. */
let wanted = "";

/** Plays a submission from its loudest passage on, or from its beginning while that is not known. */
export async function listen(item: Item): Promise<void> {
  const { track } = item;
  wanted = item.id;
  if (!track) return;
  const { id, title, artist, cover, activeVersionId } = track;
  offerSound(track);
  const outline = track.isOwn ? await outlineOf({ trackId: id, versionId: activeVersionId }) : undefined;
  if (wanted !== item.id) return;
  const source = { key: "/library/inbox" };
  play({
    tracks: [{ id, title, artist, cover }],
    index: 0,
    source,
    fromSec: outline ? loudestSec(outline) : 0,
  });
}

/** Pauses what plays, or plays the submission. */
export function listenOrPause(item: Item): void {
  if (item.track && queue.value.current?.id === item.track.id) toggle();
  else void listen(item);
}

/** True while the submission's track plays. */
export const isHeard = ({ track }: Item): boolean =>
  track !== null && isPlaying.value && queue.value.current?.id === track.id;
