import { type Db, prepared, transact } from "../../../../db/client.ts";
import { PROFILES, type Profile, RULES, type Rule } from "../../../../db/readiness.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import type { ProfileId, ReadinessLimit, ReadinessLimitInput } from "./shapes.ts";

type Own = { profile: string; rule: string; value: number };

const ownOf = prepared((db: Db) =>
  db.$client.prepare<Own, [string]>("SELECT profile, rule, value FROM readiness_limits WHERE owner_id = ?1"),
);
const put = prepared((db: Db) =>
  db.$client.prepare<void, [string, string, string, number]>(
    `INSERT INTO readiness_limits (owner_id, profile, rule, value) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (owner_id, profile, rule) DO UPDATE SET value = excluded.value`,
  ),
);
const drop = prepared((db: Db) =>
  db.$client.prepare<void, [string, string, string]>(
    "DELETE FROM readiness_limits WHERE owner_id = ?1 AND profile = ?2 AND rule = ?3",
  ),
);

/** Returns a profile with the limits that a library has set. */
export function profileFor(db: Db, ownerId: LibraryId, id: ProfileId): Profile {
  const profile = PROFILES.find((each) => each.id === id);
  if (!profile) throw new RangeError(`No profile ${id}`);
  // Those of rules that are no longer, or came from elsewhere, say nothing.
  const own = ownOf(db)
    .all(ownerId)
    .filter((limit) => limit.profile === id && adjustable(profile, limit.rule));
  if (own.length === 0) return profile;
  const rules = own.map(({ rule, value }) => [rule, { ...profile.rules[rule], limit: value }] as const);
  return { ...profile, rules: { ...profile.rules, ...Object.fromEntries(rules) } };
}

/** Returns every limit that a library may set. */
export function listLimits(db: Db, ownerId: LibraryId): ReadinessLimit[] {
  const own = ownOf(db).all(ownerId);
  return PROFILES.flatMap((profile) =>
    RULES.flatMap(({ code }) => {
      const rule = adjustable(profile, code);
      if (!rule) return [];
      const { name, least, most } = rule.adjust;
      return [
        {
          // The profiles are those of the shape.
          profile: profile.id as ProfileId,
          rule: code,
          name,
          unit: rule.unit ?? null,
          least,
          most,
          standard: profile.rules[code]?.limit ?? standardOf(rule),
          own: own.find((each) => each.profile === profile.id && each.rule === code)?.value ?? null,
        },
      ];
    }),
  );
}

/**
 * Sets a limit of a library, or gives it back to the rule.
 *
 * @throws DomainError `validation_failed` for a rule that has none there, and for a value that makes no sense.
 */
export function setLimit(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  { profile: id, rule: code, value }: ReadinessLimitInput,
): ReadinessLimit[] {
  const profile = PROFILES.find((each) => each.id === id);
  const rule = profile && adjustable(profile, code);
  if (!rule) throw invalidField("rule", "unknown", "has no limit that can be set for this purpose");
  const { least, most } = rule.adjust;
  if (value !== null && (value < least || value > most))
    throw invalidField("value", "out_of_range", `must be from ${least} to ${most}`);
  return transact(db, (tx) => {
    if (value === null) drop(tx).run(ownerId, id, code);
    else put(tx).run(ownerId, id, code, value);
    return listLimits(tx, ownerId);
  });
}

type Adjustable = Rule & { adjust: NonNullable<Rule["adjust"]> };

function adjustable(profile: Profile, code: string): Adjustable | undefined {
  const rule = RULES.find((each) => each.code === code);
  return rule?.adjust && profile.rules[code] ? { ...rule, adjust: rule.adjust } : undefined;
}

/** The number that its first comparison without a level of its own has. */
function standardOf({ fails }: Rule): number {
  const [first] = fails.filter(({ level }) => level === undefined);
  return first?.above ?? first?.below ?? 0;
}

/** Gives the limits of an account to another one, which keeps its own where it has some. */
export function transferLimits(tx: Db, from: string, to: string): void {
  tx.$client
    .query<void, [string, string]>("UPDATE OR IGNORE readiness_limits SET owner_id = ?2 WHERE owner_id = ?1")
    .run(from, to);
  tx.$client.query<void, [string]>("DELETE FROM readiness_limits WHERE owner_id = ?1").run(from);
}
