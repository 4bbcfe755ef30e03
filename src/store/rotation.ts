import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Db, transact } from "../../db/client.ts";
import { store } from "../../db/schema.ts";
import { flush, replaceFile } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { whileNothingHeld } from "../blobs/removal.ts";
import { audit } from "../kernel/audit.ts";
import { type Deps, within } from "../kernel/deps.ts";
import { LibraryError } from "../kernel/errors.ts";
import {
  findMasterSecret,
  isItsSecret,
  NEW_SECRET_FILE,
  readFileIfThere,
  SECRET_FILE,
  secretCheck,
} from "../kernel/master-secret.ts";
import { type Secrets, secretsOf } from "../kernel/secrets.ts";
import { findStore, type StoreRow } from "./identity.ts";
import { lostSecret, randomSecret, wrongSecret } from "./secret.ts";

/** The master secret that the last rotation replaced. The next backup deletes it. */
const FORMER_SECRET_FILE = `${SECRET_FILE}.old`;

/** Seals again what was sealed with `from`. Returns how many values of each kind it sealed. */
export type Reseal = (tx: Db, from: Secrets, to: Secrets) => Record<string, number>;

/** How far a rotation is. A process that is killed after any of these leaves a library that opens. */
export type RotationStep = "written" | "resealed" | "committed" | "kept" | "renamed";

type OnStep = (step: RotationStep) => void;

/**
 * Gives the library a new master secret and seals everything with it, in one transaction: the new secret is on the disk
 * before anything is sealed with it, and takes the place of the old one after the commit. Audited. A backup must not run
 * meanwhile, because the database and the secret in it belong together.
 *
 * @returns How many values of each kind were sealed again.
 * @throws LibraryError while a backup runs.
 */
export function rotateSecret(
  deps: Pick<Deps, "db" | "now" | "settings">,
  reseal: Reseal,
  onStep: OnStep = () => undefined,
): Record<string, number> {
  const sealed = whileNothingHeld(deps.settings, () => {
    try {
      const counts = transact(deps.db, (tx) => replace(within(deps, tx), reseal, onStep));
      onStep("committed");
      return counts;
    } finally {
      // Whichever way it ended, the row says which of the two files is right.
      settleRotation(deps.db, deps.settings, onStep);
    }
  });
  if (!sealed) throw new LibraryError("A backup is running: try again when it has finished");
  return sealed;
}

function replace(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  reseal: Reseal,
  onStep: OnStep,
): Record<string, number> {
  const row = findStore(db);
  const master = row && findMasterSecret(settings, row);
  if (!row || !master) throw wrongSecret(settings.dataDir);
  const next = randomSecret();
  replaceFile(join(settings.dataDir, NEW_SECRET_FILE), next);
  onStep("written");
  const counts = reseal(db, secretsOf(master), secretsOf(next));
  db.update(store)
    .set({ secretCheck: secretCheck(next, row.id) })
    .run();
  audit(db, { actor: "operator", action: "secret.rotate", detail: counts }, now());
  onStep("resealed");
  return counts;
}

/**
 * Finishes a rotation that was interrupted after its commit, and undoes one that was interrupted before. Call it when a
 * library is opened. The write lock keeps it away from a rotation that runs.
 *
 * @throws LibraryError when neither file has the library's secret.
 */
export function settleRotation(db: Db, settings: DataDir, onStep: OnStep = () => undefined): void {
  if (existsSync(join(settings.dataDir, NEW_SECRET_FILE)))
    transact(db, (tx) => {
      const row = findStore(tx);
      if (row) settle(settings, row, onStep);
    });
}

function settle(settings: DataDir, row: StoreRow, onStep: OnStep): void {
  const { dataDir } = settings;
  const [current, next] = [join(dataDir, SECRET_FILE), join(dataDir, NEW_SECRET_FILE)];
  if (!existsSync(next)) return;
  if (!findMasterSecret(settings, row))
    throw existsSync(current) ? wrongSecret(dataDir) : lostSecret(dataDir);
  const held = readFileIfThere(current);
  if (held && isItsSecret(held, row)) {
    rmSync(next);
  } else {
    // Two renames need no room, which a full disk does not have.
    if (held) renameSync(current, join(dataDir, FORMER_SECRET_FILE));
    onStep("kept");
    renameSync(next, current);
  }
  flush(dataDir);
  onStep("renamed");
}
