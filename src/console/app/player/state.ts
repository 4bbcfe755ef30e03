import { computed, signal } from "@preact/signals";
import { memory } from "../memory.ts";
import { EMPTY, type QueueState } from "./queue.ts";
import type { Sound } from "./sound.ts";

/** The tracks that play, have played and will play. */
export const queue = signal<QueueState>(EMPTY);
/** The sound that is loaded; undefined: none. */
export const sound = signal<Sound | undefined>(undefined);
/** True while music plays, or will as soon as it arrives. */
export const isPlaying = signal(false);
export const elapsedSec = signal(0);
export const durationSec = signal(0);
/** Why there is no sound although there should be. */
export const trouble = signal<"slow" | "lost" | "over" | "unplayable" | undefined>(undefined);
/** The span that is repeated; without an end it only waits for one. */
export const loop = signal<{ fromSec: number; toSec: number | undefined } | undefined>(undefined);

export const isMatched = signal(memory.get<boolean>("match") ?? true);
export const isMuted = signal(false);
export const volume = signal(memory.get<number>("volume") ?? 1);
export const speed = signal(memory.get<number>("speed") ?? 1);

/** The track that plays or is paused, for lists that mark it. */
export const currentTrackId = computed(() => queue.value.current?.id);
