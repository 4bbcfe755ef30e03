import type { Random } from "../../src/demo/dsp/random.ts";
import { type Client, call, type Item, makeItem } from "./items.ts";

/** A load of writes, and what the server acknowledged. */
export type Load = {
  /** In the order in which the server acknowledged them. */
  made: Item[];
  /** How many changes of one track's title were acknowledged, and how many sent. The title is `Take <n>`. */
  takes: { acknowledged: number; sent: number };
  takesOf: string;
  stop: () => Promise<void>;
};

const CHANGE_PAUSE_MS = 5;
/**
 * Writes to a server until it is told to stop: one client makes items, and another changes the title of a track.
 *
 * @param options `maxItems`: once there are so many, only the title changes. `makePauseMs`: between two new items.
 */
export async function startLoad(
  client: Client,
  random: Random,
  { maxItems, makePauseMs = 0 }: { maxItems: number; makePauseMs?: number },
): Promise<Load> {
  const first = await makeItem(client, [], random);
  const load = { made: [first], takes: { acknowledged: 0, sent: 0 }, takesOf: first.id };
  let isOver = false;
  const repeat = async (write: () => Promise<void>, pauseMs: number) => {
    while (!isOver) {
      await write();
      await Bun.sleep(pauseMs);
    }
  };
  const make = async () => {
    if (load.made.length >= maxItems) return;
    const tracks = load.made.flatMap(({ kind, id }) => (kind === "track" ? id : []));
    load.made.push(await makeItem(client, tracks, random));
  };
  const change = () => changeTitle(client, load);
  const writers = Promise.all([repeat(make, makePauseMs), repeat(change, CHANGE_PAUSE_MS)]);
  writers.catch(() => undefined); // reported by `stop`
  return {
    ...load,
    async stop() {
      isOver = true;
      await writers;
    },
  };
}

async function changeTitle(
  client: Client,
  { takes, takesOf }: Pick<Load, "takes" | "takesOf">,
): Promise<void> {
  const number = ++takes.sent;
  await call(client, "PATCH", `/api/v1/tracks/details?id=${takesOf}`, { title: `Take ${number}` });
  takes.acknowledged = number;
}
