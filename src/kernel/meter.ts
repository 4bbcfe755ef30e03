import type { Db } from "../../db/client.ts";

/** Something that happened, as the metrics count it. It names no account, no track and no address. */
export type Happening =
  | { kind: "job names"; names: readonly string[] }
  | { kind: "job"; name: string; outcome: "done" | "waiting" | "dead" | "lost"; seconds: number }
  | { kind: "upload"; bytes: number }
  | { kind: "analysis"; result: "completed" | "failed" }
  | { kind: "search"; seconds: number }
  | { kind: "delivery"; outcome: "delivered" | "failed" }
  | { kind: "slow statement" }
  | { kind: "busy" };

const meters = new WeakMap<Db, (happening: Happening) => void>();

/** Tells the meter of a library what happened; without a meter it does nothing. */
export function meter(db: Db, happening: Happening): void {
  meters.get(db)?.(happening);
}

/** Passes everything that happens in a library to `count` from now on. A library has one meter. */
export function setMeter(db: Db, count: (happening: Happening) => void): void {
  meters.set(db, count);
}
