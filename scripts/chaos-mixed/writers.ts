import type { Random } from "../../src/demo/dsp/random.ts";
import { type Client, call, GoneError, type Item, makeItem } from "../backup/items.ts";
import { makeSound } from "../chaos/sounds.ts";

/** A version that was added to a track. */
export type AddedVersion = { trackId: string; id: string; sha256: string };

/** Everything that was acknowledged and not deleted. */
export type Ledger = {
  items: Item[];
  versions: AddedVersion[];
  /** Versions that were deleted for good. */
  deleted: AddedVersion[];
  /** How many changes were acknowledged. */
  changes: number;
};

/** Makes an empty ledger. */
export function createLedger(): Ledger {
  return { items: [], versions: [], deleted: [], changes: 0 };
}

/** Changes a library in one way after the other until the server is gone. */
export async function writeUntilGone(client: Client, ledger: Ledger, random: Random): Promise<void> {
  try {
    while (true) {
      await writeOnce(client, ledger, random);
      ledger.changes++;
    }
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
  }
}

async function writeOnce(client: Client, ledger: Ledger, random: Random): Promise<void> {
  const tracks = ledger.items.flatMap(({ kind, id }) => (kind === "track" ? id : []));
  const track = pick(tracks, random);
  const chance = random();
  if (track === undefined || chance < 0.35) {
    ledger.items.push(await makeItem(client, tracks, random));
  } else if (chance < 0.55) await addVersion(client, ledger, track, random);
  else if (chance < 0.65) await deleteVersion(client, ledger, random);
  else if (chance < 0.75) await activateVersion(client, ledger, random);
  else {
    const title = `Title ${Math.floor(random() * 1e9)}`;
    await call(client, "PATCH", `/api/v1/tracks/details?id=${track}`, { title });
  }
}

function pick<Choice>(choices: readonly Choice[], random: Random): Choice | undefined {
  return choices[Math.floor(random() * choices.length)];
}

async function addVersion(
  client: Client,
  { versions }: Ledger,
  trackId: string,
  random: Random,
): Promise<void> {
  const { bytes, sha256, filename } = makeSound(`${Math.floor(random() * 2 ** 40)}.wav`, random);
  const form = new FormData();
  form.append("file", new File([bytes], filename));
  const made = (await call(client, "POST", `/api/v1/tracks/${trackId}/versions`, form)) as { id: string };
  versions.push({ trackId, id: made.id, sha256 });
}

async function activateVersion(client: Client, { versions }: Ledger, random: Random): Promise<void> {
  const version = pick(versions, random);
  if (!version) return;
  const path = `/api/v1/tracks/${version.trackId}/versions/${version.id}/activate`;
  await call(client, "POST", path).catch(unlessRefused);
}

/** The last version of the list leaves the ledger first: without an answer it may be there or not. */
async function deleteVersion(client: Client, ledger: Ledger, random: Random): Promise<void> {
  const version = pick(ledger.versions, random);
  if (!version) return;
  ledger.versions.splice(ledger.versions.indexOf(version), 1);
  const path = `/api/v1/tracks/${version.trackId}/versions/${version.id}`;
  try {
    await call(client, "DELETE", path);
    ledger.deleted.push(version);
  } catch (error) {
    unlessRefused(error as Error);
    // The active version cannot be deleted.
    ledger.versions.push(version);
  }
}

function unlessRefused(error: Error): void {
  if (error instanceof GoneError) throw error;
  if (!/answered (404|409|422)/.test(error.message)) throw error;
}
