import type { Failing, Profile, Rule } from "../../../../db/readiness.ts";
import { inUnit } from "./words.ts";

/** What is known of a thing; a fact that is left out is unknown, and null says that there is nothing. */
export type Facts = Readonly<Record<string, number | string | boolean | null | undefined>>;
/** The facts of each of what a thing has several of. */
export type Parts = Partial<Record<NonNullable<Rule["each"]>, readonly Facts[]>>;

/** A rule that failed. */
export type Failure = {
  rule: Rule;
  level: Rule["level"];
  message: string;
  value: number | string | null;
  limit: number | string | null;
  unit: string | null;
  atSec: number | null;
  facts: Facts;
};

/** Returns the rules of a profile about one kind of thing that fail for it, in the order of the rules. */
export function judge(rules: readonly Rule[], profile: Profile, facts: Facts, parts: Parts = {}): Failure[] {
  const failures: Failure[] = [];
  eachFailing(rules, profile, facts, parts, (failing, level, { rule, subject }) =>
    failures.push(failureOf(failing, level, rule, subject)),
  );
  return failures;
}

/** How many rules of each level fail. */
export type LevelCounts = Record<Rule["level"], number>;

/** Returns how many rules {@link judge} finds to fail, without what it says of them. */
export function countFailures(
  rules: readonly Rule[],
  profile: Profile,
  facts: Facts,
  parts: Parts = {},
): LevelCounts {
  const counts: LevelCounts = { stop: 0, warn: 0, note: 0 };
  eachFailing(rules, profile, facts, parts, (_, level) => {
    counts[level]++;
  });
  return counts;
}

type Told = (failing: Failing, level: Rule["level"], about: { rule: Rule; subject: Facts }) => void;

function eachFailing(rules: readonly Rule[], profile: Profile, facts: Facts, parts: Parts, tell: Told): void {
  for (const rule of rules) {
    const own = profile.rules[rule.code];
    if (!own) continue;
    const subjects = rule.each ? (parts[rule.each] ?? []).map((part) => ({ ...facts, ...part })) : [facts];
    for (const subject of subjects) {
      const failing = failingOf(rule, own.limit, subject);
      // A rule that is graver for worse values keeps that in a profile with another level.
      if (failing) tell(failing, failing.level ?? own.level ?? rule.level, { rule, subject });
    }
  }
}

function failingOf(rule: Rule, limit: number | undefined, facts: Facts): Failing | undefined {
  if (limit === undefined) return rule.fails.find((each) => holds(each, rule, facts));
  return rule.fails.map((each) => withLimit(each, limit)).find((each) => holds(each, rule, facts));
}

function failureOf(failing: Failing, level: Rule["level"], rule: Rule, facts: Facts): Failure {
  const unit = failing.unit ?? rule.unit ?? null;
  const shown = facts[failing.shows ?? rule.shows ?? rule.fact] ?? null;
  const value = typeof shown === "boolean" ? null : shown;
  const limit = rule.limit ?? limitOf(failing);
  const named: Facts = { ...facts, value: inUnit(value, unit, limit), limit: inUnit(limit, unit) };
  return {
    rule,
    level,
    message: rule.message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(named[name] ?? "")),
    value: typeof value === "number" ? rounded(value) : value,
    limit,
    unit,
    atSec: placeOf(rule, facts),
    facts,
  };
}

/** A profile's limit is that of a rule's comparisons of numbers, but for those that make the finding graver. */
function withLimit(failing: Failing, limit: number): Failing {
  if (failing.level !== undefined || (failing.above === undefined && failing.below === undefined))
    return failing;
  return failing.above === undefined ? { ...failing, below: limit } : { ...failing, above: limit };
}

function holds(failing: Failing, rule: Rule, facts: Facts): boolean {
  if (failing.when && !compares(failing.when, facts[failing.when.fact])) return false;
  return compares(failing, facts[failing.fact ?? rule.fact]);
}

function compares({ above, below, is, isNot }: Failing, fact: Facts[string]): boolean {
  if (fact === undefined) return false;
  if (above !== undefined) return typeof fact === "number" && fact > above;
  if (below !== undefined) return typeof fact === "number" && fact < below;
  return is === undefined ? fact !== isNot : fact === is;
}

function limitOf({ above, below, isNot }: Failing): number | string | null {
  return above ?? below ?? (typeof isNot === "string" ? isNot : null);
}

function placeOf({ at }: Rule, facts: Facts): number | null {
  const sec = at === undefined ? undefined : facts[at];
  return typeof sec === "number" ? rounded(sec) : null;
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;
