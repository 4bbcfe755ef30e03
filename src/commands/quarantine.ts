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
import { acceptLostAudio } from "../store/serving.ts";
import { SHELVES } from "../upkeep.ts";
import { type Command, type CommandContext, parseOrExplain, RefusedError, UsageError } from "./command.ts";

const LIST = "dubplate quarantine list";
const ACCEPT = "dubplate quarantine accept";
const RESTORE = "dubplate quarantine restore [NAME...]";
const EMPTY = "dubplate quarantine empty [--older-than 7d]";
const USAGE = [LIST, ACCEPT, RESTORE, EMPTY].join("\n");

const ALL_REASONS: readonly HoldReason[] = ["mass_removal", "older_database"];

type Verb = (deps: Deps, args: VerbArguments, context: CommandContext) => Promise<void> | void;
type VerbArguments = { names: readonly string[]; olderThanMs: number | undefined };

const VERBS: Readonly<Record<string, Verb>> = { list, accept, restore, empty };

/** `quarantine list`, `accept`, `restore`, `empty`: files that no row names, and why they are kept. Audited. */
export const quarantine: Command = async (context) => {
  const [name = "", ...rest] = context.args;
  const { values, positionals: names } = parseOrExplain(rest, USAGE, { "older-than": { type: "string" } });
  const olderThan = values["older-than"];
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  const isSurplus = (names.length > 0 && name !== "restore") || (olderThan !== undefined && name !== "empty");
  if (!verb || isSurplus) throw new UsageError(USAGE);
  const olderThanMs = olderThan === undefined ? undefined : readAge(String(olderThan));
  // These commands make room, so they must work on a full disk.
  await verb(context.open({ mayBeFull: true }), { names, olderThanMs }, context);
};

/** Prints why removal is held, one line per reason, and then the files. */
function list({ db, settings }: Deps, _: VerbArguments, { print }: CommandContext): void {
  for (const { reason, since, detail } of listHolds(db)) print({ held: reason, since: toIso(since), detail });
  for (const file of listSetAside(settings, SHELVES)) print(rowOf(file, settings));
  for (const { sha256, since } of originalsOf(settings).listLeaving(db)) {
    const after = since + settings.quarantineDays * DAY_MS;
    const deletedAfter = settings.quarantineDays === 0 && since > 0 ? null : toIso(after);
    print({ object: sha256, setAside: toIso(since).slice(0, 10), deletedAfter });
  }
}

/** Accepts the database as it is: ends all holds, and moves files that no row names to the quarantine. */
async function accept(deps: Deps, _: VerbArguments, { print }: CommandContext): Promise<void> {
  const released = transact(deps.db, (tx) => {
    const holds = endHolds(tx, ALL_REASONS).map(({ reason }) => reason);
    audit(tx, { actor: "operator", action: "quarantine.accepted", detail: { holds } }, deps.now());
    return holds;
  });
  const isAudioLost = acceptLostAudio(deps.db, deps.settings);
  const { moved } = await sweepUnnamed(deps, SHELVES, { isAccepted: true });
  print({ released, moved, acceptedLostAudio: isAudioLost });
}

/** Moves files back to their places: the named ones, or all. */
function restore(deps: Deps, { names }: VerbArguments, { print }: CommandContext): void {
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

/** Objects are in their place: they are no longer to be deleted. A later sweep notes again what no row names. */
function restoreObjects({ db, settings }: Deps, sha256s: readonly string[], print: CommandContext["print"]) {
  for (const sha256 of sha256s)
    if (transact(db, (tx) => originalsOf(settings).stay(tx, sha256))) print({ object: sha256 });
}

/** Deletes files of any age, or those older than the given age. */
async function empty(deps: Deps, { olderThanMs }: VerbArguments, { print }: CommandContext): Promise<void> {
  const { deleted, bytes, heldBy } = await emptyQuarantine(deps, SHELVES, olderThanMs);
  transact(deps.db, (tx) =>
    audit(tx, { actor: "operator", action: "quarantine.emptied", detail: { deleted, bytes } }, deps.now()),
  );
  if (heldBy === "backup") throw new RefusedError("A backup is running: try again when it has finished");
  if (heldBy) throw new RefusedError(`Removal is held (${heldBy}): look at ${LIST}, then ${ACCEPT}`);
  print({ deleted, bytes });
}

function rowOf({ path, home, date }: SetAside, { dataDir, quarantineDays }: Deps["settings"]) {
  const days = quarantineDays + 1; // the last whole day counts
  const deletedAfter = quarantineDays === 0 ? null : toIso(Date.parse(date) + days * DAY_MS);
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return { path: relative(dataDir, home), setAside: date, bytes, deletedAfter };
}

/** Reads `7d` or `12h`. */
function readAge(text: string): number {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError(EMPTY);
  return Number(count) * (unit === "d" ? DAY_MS : HOUR_MS);
}
