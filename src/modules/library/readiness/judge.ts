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
  return rules.flatMap((rule) => {
    const own = profile.rules[rule.code];
    if (!own) return [];
    const subjects = rule.each ? (parts[rule.each] ?? []).map((part) => ({ ...facts, ...part })) : [facts];
    return subjects.flatMap((subject) => failureOf(rule, own, subject) ?? []);
  });
}

type Own = NonNullable<Profile["rules"][string]>;

function failureOf(rule: Rule, own: Own, facts: Facts): Failure | undefined {
  const failing = rule.fails
    .map((each) => withLimit(each, own.limit))
    .find((each) => holds(each, rule, facts));
  if (!failing) return undefined;
  const unit = failing.unit ?? rule.unit ?? null;
  const shown = facts[failing.shows ?? rule.shows ?? rule.fact] ?? null;
  const value = typeof shown === "boolean" ? null : shown;
  const limit = rule.limit ?? limitOf(failing);
  const named: Facts = { ...facts, value: inUnit(value, unit), limit: inUnit(limit, unit) };
  return {
    rule,
    // A rule that is graver for worse values keeps that in a profile with another level.
    level: failing.level ?? own.level ?? rule.level,
    message: rule.message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(named[name] ?? "")),
    value: typeof value === "number" ? rounded(value) : value,
    limit,
    unit,
    atSec: placeOf(rule, facts),
    facts,
  };
}

/** A profile's limit is that of a rule with one comparison of numbers. */
function withLimit(failing: Failing, limit: number | undefined): Failing {
  if (limit === undefined) return failing;
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
