import type { Random } from "../../src/demo/dsp/random.ts";
import { type Client, call, type Item, makeItem } from "./items.ts";

/** A load of writes, and what came of it. */
export type Load = {
  /** In the order in which the server said that it made them. */
  made: Item[];
  /** How often the title of one track was said to be changed, and asked to be: it is `Take <n>`. */
  takes: { acknowledged: number; sent: number };
  takesOf: string;
  stop: () => Promise<void>;
};

const PAUSE_MS = 5;
/** Most writes change something that is there, so that the library does not outgrow the test. */
const NEW_SHARE = 0.12;

/** Writes to a server until it is told to stop: one client makes things, and two change the title of a track. */
export async function startLoad(client: Client, random: Random): Promise<Load> {
  const first = await makeItem(client, [], random);
  const load = { made: [first], takes: { acknowledged: 0, sent: 0 }, takesOf: first.id };
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      if (random() < NEW_SHARE) {
        const tracks = load.made.flatMap(({ kind, id }) => (kind === "track" ? id : []));
        load.made.push(await makeItem(client, tracks, random));
      } else await changeTitle(client, load);
      await Bun.sleep(PAUSE_MS);
    }
  };
  const writers = Promise.all([write()]);
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
