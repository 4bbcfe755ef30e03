import { transact } from "../../../../db/client.ts";
import { isOwn, type Member, mayDo, roleRefusal } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type PageRequest } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { peopleIn } from "../../people/people/service.ts";
import { eraseAbout } from "../../proof/ledger/service.ts";
import { forgetRecipient } from "../../sharing/marks/service.ts";
import * as queries from "./queries.ts";
import type { Delivery, DeliverySettings, DeliveryWithManifest } from "./shapes.ts";

type ReadDeps = Pick<Deps, "db" | "now">;

/** Returns a page of what went out of a library, newest first. */
export function listDeliveries(deps: ReadDeps, actor: Member, query: PageRequest): Page<Delivery> {
  const { accountId } = actor;
  const { items, paging } = cutPage(
    query,
    `deliveries ${accountId}`,
    (after, limit) => queries.selectPage(deps.db, accountId, after, limit),
    ({ madeAt }) => madeAt,
  );
  const person = peopleIn(
    deps,
    accountId,
    items.map(({ madeBy }) => madeBy),
  );
  return { items: items.map((row) => toDelivery(row, person)), paging };
}

/**
 * Returns a delivery with its manifest, without writers for those who do not see splits.
 *
 * @throws DomainError `not_found`.
 */
export function getDelivery(deps: ReadDeps, actor: Member, id: string): DeliveryWithManifest {
  const row = requirePackage(deps, actor, id);
  const text = queries.findManifest(deps.db, actor.accountId, id);
  const manifest = text === null ? null : (JSON.parse(text) as Record<string, unknown>);
  if (manifest && !mayDo(actor, "read:composers") && Array.isArray(manifest.tracks))
    for (const track of manifest.tracks) delete track.writers;
  return { ...toDelivery(row, peopleIn(deps, actor.accountId, [row.madeBy])), manifest };
}

/**
 * Forgets who got a delivery and what was in it. Whoever has the package can still be shown its hash.
 *
 * @throws DomainError `not_found`, `insufficient_scope` for what somebody else delivered.
 */
export function eraseDelivery(
  { db }: Pick<Deps, "db">,
  actor: Member,
  id: string,
): { id: string; erased: true } {
  const row = queries.findPackage(db, actor.accountId, id);
  if (!row) {
    // One that broke off is not listed; what left of it says whose it was.
    const count = transact(db, (tx) => forgetRecipient(tx, actor.accountId, id));
    if (count === 0) throw noSuchDelivery();
    return { id, erased: true };
  }
  if (!isOwn(actor, row.madeBy)) throw roleRefusal("manage:library", actor.allowed?.role ?? "listener");
  transact(db, (tx) => {
    queries.erasePackage(tx, actor.accountId, id);
    forgetRecipient(tx, actor.accountId, id);
    eraseAbout(tx, actor.accountId, id);
  });
  return { id, erased: true };
}

function requirePackage({ db }: Pick<Deps, "db">, { accountId }: Member, id: string): queries.StoredPackage {
  const row = queries.findPackage(db, accountId, id);
  if (row) return row;
  throw noSuchDelivery();
}

const noSuchDelivery = () => new DomainError("not_found", "There is no such delivery");

function toDelivery(row: queries.StoredPackage, person: ReturnType<typeof peopleIn>): Delivery {
  const { id, profile, name, recipient, sha256, shareId } = row;
  const { way, versions, isMarked = false } = JSON.parse(row.settings) as DeliverySettings;
  return {
    ...{ id, profile, name, recipient, sha256, way, shareId, isMarked },
    tracks: versions.length,
    sizeBytes: row.bytes,
    madeAt: toIso(row.madeAt),
    madeBy: person(row.madeBy),
    isErased: row.isErased === 1,
  };
}
