import { signal } from "@preact/signals";
import { memory } from "../../memory.ts";
import { loudestSec } from "../../player/loudest.ts";
import { play, toggle } from "../../player/player.ts";
import { offerSound, outlineOf } from "../../player/sound.ts";
import { isPlaying, queue } from "../../player/state.ts";
import type { Item } from "./items.ts";

/** Whether a submission plays when it is opened. */
export const playsOnOpen = signal(memory.get<boolean>("inbox-plays") ?? true);

export function setPlaysOnOpen(isOn: boolean): void {
  playsOnOpen.value = isOn;
  memory.set("inbox-plays", isOn);
}

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
