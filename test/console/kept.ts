import type { Page } from "playwright-core";
import type { Deps } from "../../src/kernel/deps.ts";
import { beginSession, getAccountByEmail } from "../../src/modules/people/accounts/service.ts";

/** What a browser keeps: the hash of each sound by its path, and which version of each track plays from it. */
export type Kept = {
  audio: Record<string, string>;
  tracks: Record<string, string | null>;
  /** How many files did not arrive. */
  failures: number;
  device: { id: string; token: string } | undefined;
  /** The names of databases and caches. */
  stores: string[];
};

/** Returns what the page's browser keeps, as anybody who opens its tools would see it. */
export const keptIn = (page: Page): Promise<Kept> =>
  page.evaluate(async () => {
    const isOurs = (name: string | undefined) => /pocket|shell/.test(name ?? "");
    const audio: Record<string, string> = {};
    const names = await caches.keys();
    const cache = names.includes("dubplate-pocket-audio") && (await caches.open("dubplate-pocket-audio"));
    for (const request of cache ? await cache.keys() : []) {
      const bytes = await (await caches.match(request))?.arrayBuffer();
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes ?? new ArrayBuffer(0)));
      audio[new URL(request.url).pathname] = hash.toHex();
    }
    const databases = (await indexedDB.databases()).map(({ name }) => name ?? "").filter(isOurs);
    const read = (database: IDBDatabase, store: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: rows of the browser, as they are
      new Promise<any[]>((resolve) => {
        const reading = database.transaction(store).objectStore(store).getAll();
        reading.onsuccess = () => resolve(reading.result);
      });
    const [tracks, [device]] =
      databases.length === 0
        ? [[], []]
        : await new Promise<IDBDatabase | undefined>((resolve) => {
            const opening = indexedDB.open("dubplate-pocket");
            // It has just been deleted, and is not to be made by looking.
            opening.onupgradeneeded = () => opening.transaction?.abort();
            opening.onsuccess = () => resolve(opening.result);
            opening.onerror = () => resolve(undefined);
          }).then(async (database) => {
            if (!database) return [[], []] as const;
            const rows = [await read(database, "tracks"), await read(database, "devices")] as const;
            database.close();
            return rows;
          });
    return {
      audio,
      tracks: Object.fromEntries(tracks.map(({ trackId, sound }) => [trackId, sound?.versionId ?? null])),
      failures: tracks.reduce((sum, track) => sum + track.failures, 0),
      device: device && { id: device.id, token: device.token },
      stores: [...databases, ...names.filter(isOurs)],
    };
  });

/** Another session of the owner, which a test may end. */
export function anotherSession({ deps, account }: { deps: Deps; account: { email: string } }): string {
  const person = getAccountByEmail(deps, account.email);
  return beginSession(deps, person, { ip: "test", userAgent: null }).token;
}

/** Keeps the playlist that the page shows, and waits until so many tracks are here. */
export async function keepList(page: Page, tracks: number): Promise<void> {
  await chooseInMenu(page, "Keep on this device");
  await page.getByRole("dialog").getByRole("button", { name: "Keep", exact: true }).click();
  await keptMarks(page, tracks);
}

export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** Waits until so many rows say that they are kept. */
export async function keptMarks(page: Page, tracks: number): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll(".mark")].filter((mark) => mark.textContent === "Kept").length === wanted,
    tracks,
  );
}
