import { existsSync, statSync } from "node:fs";
import { basename, relative } from "node:path";
import { transact } from "../../db/client.ts";
import { emptyQuarantine } from "../blobs/empty.ts";
import { listSetAside, type SetAside, takeOut } from "../blobs/quarantine.ts";
import { endHolds, type HoldReason, listHolds } from "../blobs/removal.ts";
import { originalsOf } from "../blobs/store.ts";
import { sweepUnnamed } from "../blobs/sweep.ts";
import { audit } from "../kernel/audit.ts";
import type { Deps } from "../kernel/deps.ts";
import { DAY_MS, HOUR_MS, toIso } from "../kernel/time.ts";
import { SHELVES } from "../shelves.ts";
import { acceptLostAudio } from "../store/serving.ts";
import { type Command, type CommandContext, RefusedError, UsageError } from "./command.ts";

const ALL_REASONS: readonly HoldReason[] = ["mass_removal", "older_database"];

type Library = Pick<CommandContext, "open" | "print">;

// These commands make room, so they must work on a full disk.
const openFull = ({ open }: Pick<CommandContext, "open">) => open({ mayBeFull: true });

/** `quarantine list`: prints why removal is held, one line per reason, and then the files. */
export function listQuarantine(context: Library): void {
  const { print } = context;
  const { db, settings } = openFull(context);
  for (const { reason, since, detail } of listHolds(db)) print({ held: reason, since: toIso(since), detail });
  for (const file of listSetAside(settings, SHELVES)) print(rowOf(file, settings));
  for (const { sha256, since } of originalsOf(settings).listLeaving(db)) {
    const after = since + settings.quarantineDays * DAY_MS;
    const deletedAfter = settings.quarantineDays === 0 && since > 0 ? null : toIso(after);
    print({ object: sha256, setAside: toIso(since).slice(0, 10), deletedAfter });
  }
}

/**
 * `quarantine accept`: accepts the database as it is. Ends all holds, and moves files that no row names to the
 * quarantine. Audited.
 */
export async function acceptLoss(context: Library): Promise<void> {
  const deps = openFull(context);
  const released = transact(deps.db, (tx) => {
    const holds = endHolds(tx, ALL_REASONS).map(({ reason }) => reason);
    audit(tx, { actor: "operator", action: "quarantine.accepted", detail: { holds } }, deps.now());
    return holds;
  });
  const isAudioLost = acceptLostAudio(deps.db, deps.settings);
  const { moved } = await sweepUnnamed(deps, SHELVES, { isAccepted: true });
  context.print({ released, moved, acceptedLostAudio: isAudioLost });
}

/** `quarantine restore`: moves files back to their places: the named ones, or all. Audited. */
export function restoreSetAside(context: Library & { words: readonly string[] }): void {
  const { print, words: names } = context;
  const deps = openFull(context);
  const all = listSetAside(deps.settings, SHELVES);
  const leaving = originalsOf(deps.settings).listLeaving(deps.db);
  const unknown = names.find(
    (name) =>
      !all.some(({ home }) => basename(home) === name) && !leaving.some(({ sha256 }) => sha256 === name),
  );
  if (unknown !== undefined) throw new RefusedError(`${unknown} is not in the quarantine`);
  const wanted = names.length === 0 ? all : all.filter(({ home }) => names.includes(basename(home)));
  const detail = { files: wanted.length };
  transact(deps.db, (tx) =>
    audit(tx, { actor: "operator", action: "quarantine.restored", detail }, deps.now()),
  );
  // The write lock keeps other processes from emptying the quarantine meanwhile.
  for (const { home } of wanted)
    if (!existsSync(home) && transact(deps.db, () => takeOut(deps.settings, home)))
      print({ path: relative(deps.settings.dataDir, home) });
  restoreObjects(deps, leaving.map(({ sha256 }) => sha256).filter(wantedIn(names)), print);
}

const wantedIn = (names: readonly string[]) => (name: string) => names.length === 0 || names.includes(name);

/** Objects are in their place: they are no longer to be deleted. A later sweep notes unnamed objects again. */
function restoreObjects({ db, settings }: Deps, sha256s: readonly string[], print: CommandContext["print"]) {
  for (const sha256 of sha256s)
    if (transact(db, (tx) => originalsOf(settings).stay(tx, sha256))) print({ object: sha256 });
}

/** `quarantine empty`: deletes files of any age, or those older than the given age. Audited. */
export const emptySetAside: Command<"quarantine empty"> = async (context) => {
  const olderThan = context.options["older-than"];
  const olderThanMs = olderThan === undefined ? undefined : readAge(olderThan);
  const deps = openFull(context);
  const { deleted, bytes, heldBy } = await emptyQuarantine(deps, SHELVES, olderThanMs);
  transact(deps.db, (tx) =>
    audit(tx, { actor: "operator", action: "quarantine.emptied", detail: { deleted, bytes } }, deps.now()),
  );
  if (heldBy === "backup") throw new RefusedError("A backup is running: try again when it has finished");
  if (heldBy)
    throw new RefusedError(
      `Removal is held (${heldBy}): look at dubplate quarantine list, then dubplate quarantine accept`,
    );
  context.print({ deleted, bytes });
};

function rowOf({ path, home, date }: SetAside, { dataDir, quarantineDays }: Deps["settings"]) {
  const days = quarantineDays + 1; // the last whole day counts
  const deletedAfter = quarantineDays === 0 ? null : toIso(Date.parse(date) + days * DAY_MS);
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return { path: relative(dataDir, home), setAside: date, bytes, deletedAfter };
}

/** Reads `7d` or `12h`. */
function readAge(text: string): number {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  if (count === undefined)
    throw new UsageError("--older-than must be a number of days or hours, such as 7d or 12h");
  return Number(count) * (unit === "d" ? DAY_MS : HOUR_MS);
}
