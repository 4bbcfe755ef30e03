import type { LibraryId } from "../../../../../db/schema.ts";
import type { Member } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { artworkUrl } from "../../artwork/service.ts";
import { ownedAmong } from "../../catalog/service.ts";
import { shareholdersOfTracks } from "../../composers/service.ts";
import type { Where } from "../bulk/shapes.ts";
import { chosenIds } from "../chosen.ts";
import { type Bounds, type Numbers, selectBounds } from "./queries.ts";
import { COMMON_FIELDS, type Common, type CommonField, type Shared } from "./shapes.ts";

type CommonDeps = Pick<Deps, "db" | "settings">;

/** Tracks that are read at a time: other requests are served in between. */
const BATCH = 500;

/**
 * Returns what tracks of an account have in common.
 *
 * @throws DomainError `validation_failed` for a filter that cannot be read.
 */
export async function commonOf(deps: CommonDeps, actor: Member, where: Where): Promise<Common> {
  const ownerId = actor.accountId;
  const ids = chosenIds(deps, actor, where);
  const parts: (Numbers & Bounds)[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const part = selectBounds(deps.db, ownerId, ids.slice(at, at + BATCH));
    if (part) parts.push(part);
    await Bun.sleep(0);
  }
  const sum = (name: keyof Numbers) => parts.reduce((total, part) => total + part[name], 0);
  const [count, others] = [sum("count"), sum("others")];
  const details = Object.fromEntries(COMMON_FIELDS.map((field) => [field, sharedBy(parts, field)]));
  const { cover } = details as Record<CommonField, Shared>;
  const address = cover?.value ? artworkUrl(deps.settings, cover.value) : null;
  return {
    count,
    // Every field is there.
    details: {
      ...(details as Record<CommonField, Shared>),
      cover: { several: !!cover?.several, value: address },
    },
    visible: areVisible(count, sum("hidden")),
    shareholders: await creditsOf(deps, ownerId, ids),
    versions: {
      label: sharedBy(parts, "label"),
      outdated: sum("outdated"),
      others,
      othersVisible: areVisible(others, sum("othersHidden")),
    },
  };
}

/** Null: some are hidden, and some are not. */
function areVisible(count: number, hidden: number): boolean | null {
  if (count === 0 || (hidden > 0 && hidden < count)) return null;
  return hidden === 0;
}

function sharedBy(parts: readonly Bounds[], name: string): Shared {
  const [value = ""] = parts.map((part) => part[`least_${name}`] ?? "");
  const several = parts.some((part) => part[`least_${name}`] !== value || part[`most_${name}`] !== value);
  return { several, value: several || value === "" ? null : value };
}

/** Returns the composers that every track has; null where they differ. */
async function creditsOf(deps: CommonDeps, ownerId: LibraryId, ids: readonly string[]) {
  let first: string | undefined;
  for (let at = 0; at < ids.length; at += BATCH) {
    const owned = [...ownedAmong(deps.db, ownerId, ids.slice(at, at + BATCH))];
    const credits = shareholdersOfTracks(deps, owned);
    for (const place of owned.keys()) {
      const text = JSON.stringify(credits[place] ?? []);
      first ??= text;
      if (text !== first) return null;
    }
    await Bun.sleep(0);
  }
  return JSON.parse(first ?? "[]") as NonNullable<Common["shareholders"]>;
}
