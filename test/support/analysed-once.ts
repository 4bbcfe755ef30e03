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
 * Returns a pool that analyses each file once, and knows its outcome from then on: for tests of what becomes of an
 * analysis, most of which use the same few songs.
 */
export function createRememberingPool(): AnalysisPool {
  const pool = createAnalysisPool();
  return {
    run: async (task, signal) => {
      const sha256 = new Bun.CryptoHasher("sha256").update(await Bun.file(task.path).bytes()).digest("hex");
      const engine = task.ffmpegPath === undefined ? "built-in" : "ffmpeg";
      const path = await madeOnce(`${sha256}.${engine}`, SOURCES, async (to) =>
        Bun.write(to, serialize(await pool.run(task, signal))),
      );
      return deserialize(await Bun.file(path).arrayBuffer()) as AnalysisOutcome;
    },
    close: pool.close,
  };
}
