import { deserialize, serialize } from "bun:jsc";
import type { AnalysisPool } from "../../src/modules/library/analysis/analyze.ts";
import type { AnalysisOutcome } from "../../src/modules/library/analysis/task.ts";
import { createAnalysisPool } from "../../src/threads.ts";
import { madeOnce } from "./made-once.ts";

/** Everything that an outcome depends on, besides the file. */
const SOURCES = [
  ...["src/audio", "src/ears", "src/media", "src/wasm", "src/kernel", "src/modules/library/analysis"],
  "bun.lock",
];

/**
 * Returns a pool that analyses each sound once, and knows its outcome from then on: what becomes of an analysis is mostly
 * tested with the same few songs. A failure is not kept, for it may have been the machine's.
 */
export function createRememberingPool(): AnalysisPool {
  const pool = createAnalysisPool();
  return {
    run: async (task, signal) => {
      const sha256 = new Bun.CryptoHasher("sha256").update(await Bun.file(task.path).bytes()).digest("hex");
      const engine = task.ffmpegPath === undefined ? "built-in" : "ffmpeg";
      let outcome: AnalysisOutcome | undefined;
      const path = await madeOnce(`${sha256}.${engine}`, SOURCES, async (to) => {
        outcome = await pool.run(task, signal);
        if (!("failure" in outcome)) await Bun.write(to, serialize(outcome));
      }).catch((error: unknown) => {
        if (outcome === undefined) throw error;
        return "";
      });
      return outcome ?? (deserialize(await Bun.file(path).arrayBuffer()) as AnalysisOutcome);
    },
    close: pool.close,
  };
}
