import { type Db, transact } from "../../../../db/client.ts";
import type { Gate } from "../../../kernel/gate.ts";
import { newId } from "../../../kernel/ids.ts";
import { zip } from "../../../kernel/zip.ts";
import { noteFile } from "../../sharing/marks/service.ts";
import { notePapers } from "../papers/service.ts";
import type { HashOf } from "./content.ts";
import { type Made, type Making, makingOf } from "./making.ts";
import { noteMarksLeaving } from "./marks.ts";
import type { PackageDeps, Plan } from "./plan.ts";
import * as queries from "./queries.ts";
import type { DeliverySettings } from "./shapes.ts";
import { createTagger } from "./tagged.ts";

/** Yields the archive of a plan. */
export async function* archived(
  deps: PackageDeps,
  plan: Plan,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { entries, made } = beginMaking(deps, plan, signal);
  let left = plan.sizeBytes;
  try {
    for await (const chunk of zip(entries)) {
      left -= chunk.length;
      plan.progress = { ...plan.progress, state: "making", sentBytes: plan.sizeBytes - left };
      yield chunk;
    }
  } finally {
    // Whoever has counted the bytes may not ask whether there are more.
    if (left === 0) {
      recordDelivery(deps, plan, made(), { way: "zip", bytes: plan.sizeBytes });
      plan.progress = { ...plan.progress, state: "made" };
    }
  }
}

/** Returns the files of a plan as {@link makingOf} does, and notes that its copies begin to leave. */
export function beginMaking(deps: PackageDeps, plan: Plan, signal: AbortSignal): Making {
  const making = makingOf(plan, createTagger(deps), signal);
  noteMarksLeaving(deps, plan);
  return making;
}

/** How something went out, and how large it was. */
type WentOut = { way: DeliverySettings["way"]; bytes: number; shareId?: string | null };

/** Writes what went out. Call it when all of it did. Returns the delivery's id. */
export function recordDelivery(
  { db, now }: Pick<PackageDeps, "db" | "now">,
  plan: Plan,
  { manifest, sha256, hashOf }: Omit<Made, "manifest"> & { manifest: object },
  { way, bytes, shareId = null }: WentOut,
): string {
  const { ownerId, profile, name, recipient, madeBy } = plan;
  const settings: DeliverySettings = { ...plan.settings, way };
  return transact(db, (tx) => {
    const isListed = queries.findPackage(tx, ownerId, plan.id) !== undefined;
    // With the same codes for the same person, it is the same delivery.
    if (isListed && plan.isMarked && way !== "link") return plan.id;
    // A marked plan's own id is that of its copies, and a link has others.
    const id = isListed || (plan.isMarked && way === "link") ? newId("pkg") : plan.id;
    queries.insertPackage(tx, {
      ...{ id, ownerId, profile, name, recipient, madeBy, bytes, sha256 },
      settings: JSON.stringify(settings),
      manifest: JSON.stringify(manifest),
      shareId,
      madeAt: now(),
    });
    if (way === "link") return id;
    noteCopies(tx, plan, now(), hashOf);
    // What of a registration went out decides the number of the next one.
    notePapers(
      tx,
      ownerId,
      plan.files.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)),
    );
    return id;
  });
}

/** Notes what the copies were when they left: with what was written into them, they are other files. */
function noteCopies(tx: Db, { files }: Plan, madeAt: number, hashOf: HashOf): void {
  for (const { path, sizeBytes, content } of files) {
    const marked = content.is === "sound" ? content.song.marked : undefined;
    if (marked)
      noteFile(tx, {
        ...{ copyId: marked.copyId, encoding: "original", sizeBytes, madeAt },
        sha256: hashOf(path),
      });
  }
}

/** Yields bytes when it is their turn, and notes on the plan how far they are. */
export async function* inTurn(
  gate: Gate,
  plan: Plan,
  signal: AbortSignal,
  bytes: () => AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const [admitted, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  noteWaiting(plan);
  const held = gate(() => {
    admitted.resolve();
    return over.promise;
  });
  await admitted.promise;
  noteBegin(plan);
  try {
    if (!signal.aborted) yield* bytes();
  } catch (error) {
    noteFailure(plan, error);
    throw error;
  } finally {
    over.resolve();
    await held;
  }
}

/** Makes a package when it is its turn, and notes on the plan how it went. */
export async function madeInTurn<Result>(
  gate: Gate,
  plan: Plan,
  signal: AbortSignal,
  make: () => Promise<Result>,
): Promise<Result> {
  noteWaiting(plan);
  return gate(async () => {
    try {
      signal.throwIfAborted();
      noteBegin(plan);
      const result = await make();
      plan.progress = { ...plan.progress, state: "made" };
      return result;
    } catch (error) {
      noteFailure(plan, error);
      throw error;
    }
  });
}

function noteWaiting(plan: Plan): void {
  plan.progress = { ...plan.progress, state: "waiting", sentBytes: 0, message: null };
}

function noteBegin(plan: Plan): void {
  plan.progress = { ...plan.progress, state: "making" };
}

function noteFailure(plan: Plan, error: unknown): void {
  const message = error instanceof Error ? error.message : "The package could not be made";
  plan.progress = { ...plan.progress, state: "failed", message };
}
