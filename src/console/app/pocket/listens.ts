import { effect } from "@preact/signals";
import type { OutboxItem } from "../../../modules/pocket/devices/shapes.ts";
import { audio } from "../player/player.ts";
import { sound } from "../player/state.ts";
import { latestMoment } from "./lease.ts";
import { putOutbox } from "./outbox.ts";
import type { DeviceRow } from "./store.ts";

/** Less than this is looking for something, unless it is all there is. */
const LEAST_SEC = 5;
/** What is being heard is written down so often, since a phone may end the app at any time. */
const WRITE_EVERY_SEC = 10;
/** The player says where it is several times a second: more than this was skipped. */
const STEP_SEC = 2;

type Listen = Extract<OutboxItem, { kind: "listen" }>;

/** Counts what is heard of each sound, and keeps it to be sent, for as long as the document is open. */
export function noteListens(device: () => DeviceRow | undefined): void {
  let heard: { item: Listen; title: string; writtenSec: number } | undefined;
  let atSec = 0;

  const write = (isWhole: boolean) => {
    const own = device();
    if (!heard || !own) return;
    const { item, title } = heard;
    const heardSec = item.heardSec ?? 0;
    if (heardSec < LEAST_SEC && !audio.ended) return;
    heard.writtenSec = heardSec;
    void putOutbox(own, { item: { ...item }, title, isWhole }).catch(() => undefined);
  };
  effect(() => {
    const next = sound.value;
    write(true);
    atSec = 0;
    heard = next && { item: begin(next, device()), title: next.title, writtenSec: 0 };
  });
  audio.addEventListener("timeupdate", () => {
    const by = audio.currentTime - atSec;
    atSec = audio.currentTime;
    if (!heard || by <= 0 || by > STEP_SEC * audio.playbackRate) return;
    heard.item.heardSec = (heard.item.heardSec ?? 0) + by;
    if (heard.item.heardSec - heard.writtenSec >= WRITE_EVERY_SEC) write(false);
  });
  audio.addEventListener("ended", () => write(true));
  addEventListener("pagehide", () => write(true));
}

function begin({ trackId, versionId }: { trackId: string; versionId: string }, device?: DeviceRow): Listen {
  const at = new Date(device ? latestMoment(device) : Date.now()).toISOString();
  return { kind: "listen", id: crypto.randomUUID(), trackId, versionId, at, heardSec: 0 };
}
