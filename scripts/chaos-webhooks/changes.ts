import type { Random } from "../../src/demo/dsp/random.ts";

/** The changes sent to the server. Each acknowledged change must be announced. */
export type Changes = {
  sent: number;
  acknowledged: number;
  /** Ids of composers that the server acknowledged. */
  composers: string[];
  /** How many changes of each track were acknowledged, and how many were sent. */
  tracks: Map<string, { acknowledged: number; sent: number }>;
};

/** Starts counting changes to these tracks. */
export function createChanges(trackIds: readonly string[]): Changes {
  const none = () => ({ acknowledged: 0, sent: 0 });
  return { sent: 0, acknowledged: 0, composers: [], tracks: new Map(trackIds.map((id) => [id, none()])) };
}

type Server = { address: string; key: string };

/** Makes one change after the other until the server is gone. */
export async function changeUntilGone(server: Server, changes: Changes, random: Random): Promise<void> {
  while (random() < 0.5 ? await createComposer(server, changes) : await renameTrack(server, changes, random));
}

async function createComposer(server: Server, changes: Changes): Promise<boolean> {
  const number = ++changes.sent;
  const body = { fullName: `Composer ${number}`, email: `composer${number}@example.com` };
  const data = await send(server, "POST", "/composers", body);
  if (!data) return false;
  changes.acknowledged++;
  changes.composers.push((data as { id: string }).id);
  return true;
}

async function renameTrack(server: Server, changes: Changes, random: Random): Promise<boolean> {
  const tracks = [...changes.tracks];
  const [id, counts] = tracks[Math.floor(random() * tracks.length)] ?? [];
  if (id === undefined || !counts) throw new RangeError("There is no track");
  counts.sent++;
  const data = await send(server, "PATCH", `/tracks/details?id=${id}`, { title: `Take ${++changes.sent}` });
  if (!data) return false;
  changes.acknowledged++;
  counts.acknowledged++;
  return true;
}

/** Returns the answer's payload, or undefined when no answer came. @throws Error when the server refuses. */
async function send({ address, key }: Server, method: string, path: string, body: object): Promise<unknown> {
  let text: string;
  try {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json", connection: "close" },
      body: JSON.stringify(body),
    });
    text = await response.text();
    if (response.status !== 200) throw new Refusal(`${method} ${path}: ${text}`);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return undefined;
  }
  return JSON.parse(text).data;
}

class Refusal extends Error {
  override readonly name = "Refusal";
}
