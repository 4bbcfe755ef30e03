import type { Db } from "../../db/client.ts";
import { meter } from "./meter.ts";
import { isBusy, isDamage, isFullDisk } from "./trouble.ts";

/** The condition of a database while it is served. */
export type Condition = {
  /** The error that revealed damage; undefined while the database is sound. A damaged database is only read. */
  readonly damage: unknown;
  /** Checks whether an error reveals damage, a full disk or a lock that was held too long. Call it with every unexpected error. */
  report(error: unknown): void;
  /** Calls `listener` once, when damage is found. */
  onDamage(listener: (error: unknown) => void): void;
  /** Calls `listener` whenever a write fails because the disk is full. */
  onFull(listener: () => void): void;
};

const conditions = new WeakMap<Db, Condition>();

/** Returns the condition of a database. */
export function conditionOf(db: Db): Condition {
  const known = conditions.get(db);
  if (known) return known;
  const made = watch(db);
  conditions.set(db, made);
  return made;
}

function watch(db: Db): Condition {
  const damageListeners: ((error: unknown) => void)[] = [];
  const fullListeners: (() => void)[] = [];
  let damage: unknown;
  return {
    get damage() {
      return damage;
    },
    report(error) {
      if (isBusy(error)) meter(db, { kind: "busy" });
      if (isFullDisk(error)) for (const listener of fullListeners) listener();
      if (!isDamage(error) || damage !== undefined) return;
      damage = error;
      db.$client.run("PRAGMA query_only = ON");
      for (const listener of damageListeners) listener(error);
    },
    onDamage: (listener) => void damageListeners.push(listener),
    onFull: (listener) => void fullListeners.push(listener),
  };
}
