import { canKeep, type Wanted, wanted, wantKey } from "../pocket/kept.ts";
import { pocket } from "../pocket/pocket.ts";
import type { MenuItem } from "../ui/menu.tsx";

/** What a menu offers to do with copies on this device; nothing where the browser keeps none. */
export function keepItems(wants: readonly Wanted[]): MenuItem[] {
  if (!canKeep) return [];
  const areKept = wants.every((want) => wanted.value.has(wantKey(want)));
  return [
    areKept
      ? { name: "Remove from this device", run: async () => (await pocket()).letGoHere(wants) }
      : { name: "Keep on this device", run: () => keepHere(wants) },
  ];
}

/** Keeps copies on this device. */
export const keepHere = async (wants: readonly Wanted[]): Promise<void> => (await pocket()).askAndKeep(wants);

/** Tracks, as they are kept by themselves. */
export const asWanted = (tracks: readonly { id: string; title: string }[]): Wanted[] =>
  tracks.map(({ id, title }) => ({ entity: "track", id, name: title }));
