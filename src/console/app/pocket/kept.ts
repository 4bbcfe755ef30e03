import { signal } from "@preact/signals";
import { account, root } from "../first-data.ts";
import { memory } from "../memory.ts";

/** A track or a playlist, which an album is too. */
export type Wanted = { entity: "track" | "playlist"; id: string; name: string };

/** Where browsers let a page keep music: at https, and at this machine itself. */
export const canKeep = isSecureContext && "serviceWorker" in navigator && "caches" in window;

/** How much of each track that is to be kept is here: 1 all of it. */
export const keptShares = signal<ReadonlyMap<string, number>>(new Map());
/** The keys of what is to be kept by itself; see {@link wantKey}. */
export const wanted = signal<ReadonlySet<string>>(new Set());

export const wantKey = ({ entity, id }: Pick<Wanted, "entity" | "id">): string => `${entity} ${id}`;

/** Remembered outside the database, so that a browser that keeps nothing opens none. */
const FLAG = `pocket ${root} ${account.id}`;

/** True where this person keeps something in this browser, in any library. */
export const keepsSomething = (): boolean => memory.get<boolean>(FLAG) === true;
export const noteKeeping = (isOn: boolean): void => memory.set(FLAG, isOn);
