import type { Database } from "bun:sqlite";
import { ACCOUNT_COLUMNS, type ColumnRule } from "../../../../db/account-columns.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { PASSAGE_DIMENSIONS } from "../../../audio/descriptors/passages.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { MAX_FAMILY_MEMBERS } from "../../library/families/shapes.ts";
import { ownerBitsOf, SKETCH_CODES } from "../../library/recordings/service.ts";
import { MAX_MEMBERS } from "../../people/team/shapes.ts";
import { isReadable, isSpecial } from "./special-values.ts";

/** Who moves, and when. */
type Checked = { accountId: LibraryId; now: number };

/** Times that can be written as ISO 8601 with four digits of a year. */
export const LAST_TIME = 253_402_300_799_999;

/** What holds between the rows of a sound export, each as a query for a row for which it does not. */
const BETWEEN_ROWS: readonly (readonly [sql: string, sentence: string])[] = [
  ["SELECT id FROM moved.people WHERE id NOT IN (SELECT person_id FROM moved.members)", "is in no library"],
  [
    `SELECT id FROM moved.tracks t WHERE NOT EXISTS
       (SELECT 1 FROM moved.versions v WHERE v.id = t.active_version_id AND v.track_id = t.id)`,
    "has no version that plays",
  ],
  [
    `SELECT id FROM moved.tracks t WHERE next_version_order <=
       (SELECT max(version_order) FROM moved.versions v WHERE v.track_id = t.id)`,
    "counts its versions wrongly",
  ],
  [
    `SELECT a.version_id AS id FROM moved.analyses a JOIN moved.versions v ON v.id = a.version_id
     WHERE v.track_id <> a.track_id`,
    "was analysed for another track",
  ],
  [
    `SELECT f.id FROM moved.families f WHERE NOT EXISTS
       (SELECT 1 FROM moved.family_members m WHERE m.track_id = f.main_track_id AND m.family_id = f.id)`,
    "is a set without its main mix",
  ],
  [
    `SELECT family_id AS id FROM moved.family_members GROUP BY family_id
       HAVING count(*) NOT BETWEEN 2 AND ${MAX_FAMILY_MEMBERS}`,
    "is a set of too few or too many tracks",
  ],
  [
    "SELECT track_id AS id FROM moved.family_members WHERE part IS NOT NULL AND kind <> 'stem'",
    "is a part and no stem",
  ],
  [
    "SELECT track_id AS id FROM moved.family_signs WHERE track_id >= other_id",
    "is compared with itself, or twice",
  ],
  [
    "SELECT track_id AS id FROM moved.family_signs WHERE asked_id NOT IN (track_id, other_id)",
    "asks about another track",
  ],
  [
    "SELECT track_id AS id FROM moved.track_vectors WHERE length(embedding) <> 4 * dimensions",
    "has a vector of another length",
  ],
  [
    `SELECT track_id AS id FROM moved.track_vectors v WHERE dimensions <> coalesce(
       (SELECT nullif(o.dimensions, 0) FROM main.track_vectors o
        WHERE o.provider = v.provider AND o.version = v.version AND o.dimensions > 0 LIMIT 1), dimensions)
       AND dimensions > 0`,
    "has a vector of another length than those here",
  ],
  [
    `SELECT track_id AS id FROM moved.track_passages WHERE length(vectors) % ${PASSAGE_DIMENSIONS} <> 0`,
    "has passages of another length",
  ],
];

/**
 * Looks at every value of an attached export as at a request from outside. Returns what is wrong with the first one that is
 * not what its column is for, as the end of a sentence; undefined when all are right.
 */
export function findFault(client: Database, checked: Checked): string | undefined {
  const accounts = client.query<{ n: number }, []>("SELECT count(*) AS n FROM moved.accounts").get()?.n;
  if (accounts !== 1) return `it has ${accounts} accounts`;
  const owners = client
    .query<{ n: number }, []>("SELECT count(*) AS n FROM moved.members WHERE role = 'owner'")
    .get()?.n;
  if (owners !== 1) return `its library has ${owners} owners`;
  const inForce = "SELECT count(*) AS n FROM moved.members WHERE coalesce(ends_at, ?1 + 1) > ?1";
  const members = client.query<{ n: number }, [number]>(inForce).get(checked.now)?.n ?? 0;
  if (members > MAX_MEMBERS) return `its library has ${members} members, and may have ${MAX_MEMBERS}`;
  for (const [table, rules] of Object.entries(ACCOUNT_COLUMNS)) {
    const fault = faultOfTable(client, table, rules, checked);
    if (fault !== undefined) return fault;
  }
  const loose = client.query<{ table: string }, []>("PRAGMA moved.foreign_key_check").get();
  if (loose) return `a row of ${loose.table} belongs to none that is there`;
  for (const [sql, sentence] of BETWEEN_ROWS) {
    const found = client.query<{ id: string }, []>(`${sql} LIMIT 1`).get();
    if (found) return `${found.id} ${sentence}`;
  }
  return undefined;
}

/**
 * Looks at what recordings are found by. The keys of one account begin alike, so that no account finds another's.
 *
 * @returns What is wrong, as the end of a sentence; undefined when nothing is.
 */
export function findKeyFault(client: Database, accountId: LibraryId): string | undefined {
  const sql = `SELECT 1 FROM moved.recording_codes WHERE key >> 32 <> ?1
    UNION ALL SELECT 1 FROM moved.recording_codes GROUP BY recording_id HAVING count(*) > ?2 LIMIT 1`;
  const found = client.query(sql).get(ownerBitsOf(accountId), SKETCH_CODES);
  return found === null ? undefined : "recordings are to be found by what they do not hold";
}

type Rules = Readonly<Record<string, ColumnRule>>;

function faultOfTable(client: Database, table: string, rules: Rules, checked: Checked): string | undefined {
  const names = Object.keys(rules);
  const each = Object.entries(rules);
  const statement = client.prepare<Record<string, unknown>, []>(
    `SELECT ${names.map((name) => `"${name}"`).join(", ")} FROM moved."${table}"`,
  );
  try {
    for (const row of statement.iterate())
      for (const [name, rule] of each) {
        const value = row[name];
        if (value !== null && !isRight(rule, value, checked)) return `${table}.${name} ${wordsOf(rule)}`;
      }
  } finally {
    statement.finalize();
  }
  return undefined;
}

type Checks = {
  [Is in ColumnRule["is"]]: (
    rule: Extract<ColumnRule, { is: Is }>,
    value: unknown,
    checked: Checked,
  ) => boolean;
};

const isWhole = (rule: { from: number; to: number }, value: unknown) =>
  Number.isInteger(value) && isWithin(value as number, rule.from, rule.to);

const CHECKS: Checks = {
  account: (_, value, { accountId }) => value === accountId && /^usr_[\w-]{1,100}$/.test(accountId),
  text: ({ most, pattern }, value) =>
    typeof value === "string" && value.length <= most && (pattern?.test(value) ?? true),
  special: ({ as }, value) => typeof value === "string" && isSpecial(as, value),
  whole: isWhole,
  real: ({ from, to }, value) => typeof value === "number" && isWithin(value, from, to),
  time: ({ days }, value, { now }) =>
    isWhole({ from: 0, to: days === undefined ? LAST_TIME : now + days * DAY_MS }, value),
  bytes: ({ most, exactly, as }, value) =>
    value instanceof Uint8Array &&
    value.length <= most &&
    value.length === (exactly ?? value.length) &&
    (as === undefined || isReadable(as, value)),
};

function isRight(rule: ColumnRule, value: unknown, checked: Checked): boolean {
  // The rule and its check are of one kind, which the type of a table of functions cannot say.
  return (CHECKS[rule.is] as (...args: [ColumnRule, unknown, Checked]) => boolean)(rule, value, checked);
}

const isWithin = (value: number, from: number, to: number) => value >= from && value <= to;

function wordsOf(rule: ColumnRule): string {
  switch (rule.is) {
    case "account":
      return "names another account";
    case "text":
      return rule.pattern ? "is not of its form" : `is longer than ${rule.most} characters`;
    case "special":
      return "is not of its form";
    case "whole":
    case "real":
      return `is not from ${rule.from} to ${rule.to}`;
    case "time":
      return rule.days === 1 ? "is no time of the past" : "is no time within its bounds";
    case "bytes":
      return "has other bytes than it should";
  }
}
