import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { closeLibrary } from "../../src/library.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { temporaryFolder } from "./processes.ts";

const TRACKS = 1000;
const CHANGES = 2000;
const QUICK_CHANGES = 100;
const AIM = 1.15;
const [UNDO_DAYS, NO_UNDO] = [7, 0];

/** Measures what a change of an assistant costs that can be taken back, beside one of which nothing is kept (`UNDO_DAYS=0`). */
export async function benchRails({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench-rails");
  const kept = await assistantIn(join(folder, "kept"), UNDO_DAYS);
  const plain = await assistantIn(join(folder, "plain"), NO_UNDO);
  const times = { kept: [] as number[], plain: [] as number[] };
  for (let n = 0; n < (quick ? QUICK_CHANGES : CHANGES); n++) {
    // The first of two finds the disk as it was left, so they take it in turns.
    const order = n % 2 === 0 ? (["kept", "plain"] as const) : (["plain", "kept"] as const);
    for (const name of order) times[name].push(await { kept, plain }[name].change(n));
  }
  for (const { close } of [kept, plain]) close();
  const [keptMs, plainMs] = [median(times.kept), median(times.plain)];
  return [
    {
      what: "a change of an assistant that can be taken back",
      figure: `${keptMs.toFixed(2)} ms`,
      yardstick: `one of which nothing is kept ${plainMs.toFixed(2)} ms`,
      share: keptMs / plainMs,
      aim: atMost(keptMs / plainMs, AIM, "of that"),
    },
  ];
}

async function assistantIn(dataDir: string, undoDays: number) {
  const opened = openLibraryIn(dataDir);
  const deps = { ...opened, settings: { ...opened.settings, rateLimit: 0, undoDays } };
  const { accountId, key } = await createOwner(deps);
  const ids = addAnalysedTracks(deps, accountId, TRACKS);
  const { front, usage } = createApp(deps);
  const change = async (n: number): Promise<number> => {
    const params = {
      name: "update_track_details",
      arguments: { trackId: ids[n % TRACKS], title: `Take ${n}`, bpm: 60 + (n % 100) },
    };
    const request = new Request("http://127.0.0.1:4747/mcp", {
      method: "POST",
      headers: {
        ...{ "x-api-key": key, "content-type": "application/json" },
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const began = performance.now();
    const text = await (await front(request, "127.0.0.1")).text();
    const tookMs = performance.now() - began;
    if (!text.includes('"dryRun\\":false') && !text.includes('"dryRun":false')) throw new Error(text);
    return tookMs;
  };
  const close = () => {
    usage.flush();
    closeLibrary(opened);
  };
  return { change, close };
}
