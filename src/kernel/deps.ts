import type { Db } from "../../db/client.ts";
import type { Log } from "./log.ts";
import type { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import type { Now } from "./time.ts";

/** What the whole program depends on. Functions name the parts they use: `Pick<Deps, "db" | "now">`. */
export type Deps = {
  readonly db: Db;
  readonly now: Now;
  readonly log: Log;
  readonly settings: Settings;
  readonly secrets: Secrets;
  /**
   * The command that starts this program again as a child process: the executable, then the script if there is one.
   */
  readonly selfCommand: readonly string[];
  /** The ffmpeg found at start; undefined: only the built-in decoders are used. */
  readonly ffmpegPath: string | undefined;
};

/**
 * Returns dependencies with a transaction as their database. What is only read when it is needed, such as the search for
 * ffmpeg, stays so: copying with `...` would read it.
 */
export function within<Given extends { readonly db: Db }>(deps: Given, tx: Db): Given {
  const db = { value: tx, enumerable: true, configurable: true };
  return Object.create(Object.prototype, { ...Object.getOwnPropertyDescriptors(deps), db }) as Given;
}
