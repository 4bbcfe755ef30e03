import profiles from "./readiness/profiles.json" with { type: "json" };
import rules from "./readiness/rules.json" with { type: "json" };

/** How grave a finding is: it must be mended, it should be, or it is only said. */
export type FindingLevel = "stop" | "warn" | "note";
/** What a rule looks at. */
export type FindingScope = "sound" | "file" | "metadata" | "cover" | "rights" | "album";
/** Who can supply what is missing. */
export type Supplier = "owner" | "composer" | "engineer" | "artwork";
/** What changes a finding in place; null: nothing here does. */
export type Fix = string | null;

/** A comparison of a fact. It does not hold for a fact that is unknown. */
type Comparison = { fact?: string } & { above?: number; below?: number; is?: Said; isNot?: Said };
type Said = string | boolean | null;
/** When a rule fails, and how gravely. */
export type Failing = Comparison & {
  level?: FindingLevel;
  when?: Comparison & { fact: string };
  shows?: string;
  unit?: string;
};

/** A rule about a track, about the release that it is part of, or about a list of tracks. */
export type Rule = {
  code: string;
  scope: FindingScope;
  level: FindingLevel;
  of: "track" | "release" | "list";
  /** The rule is asked once for each of these. */
  each?: "writers" | "tags" | "gaps";
  fact: string;
  /** The fact that a finding shows as its value, unless it is `fact`. */
  shows?: string;
  unit?: string;
  /** What a finding shows as its limit, unless that is the number compared with. */
  limit?: number;
  /** What a library may set in place of the limit, in the rule's unit: of comparisons that have no level of their own. */
  adjust?: { name: string; least: number; most: number };
  /** The fact that says where in the sound it is, in seconds. */
  at?: string;
  /** The first that holds makes the finding. */
  fails: readonly Failing[];
  /** The finding as a sentence; names of facts in braces. */
  message: string;
  /** When it fails, as the documents say it. */
  says: string;
  suppliedBy: Supplier;
  fix: Fix;
  source: string;
};

/** A purpose, with the rules that count for it, and its own levels and limits. */
export type Profile = {
  id: string;
  name: string;
  says: string;
  rules: Readonly<Record<string, { level?: FindingLevel; limit?: number } | undefined>>;
};

/** Changes with every change to the rules and profiles. */
export const RULES_VERSION: string = rules.version;
export const RULES = rules.rules as readonly Rule[];
export const PROFILES = profiles.profiles as readonly Profile[];
/** How loud services play music, in LUFS. Those that do not turn up leave quiet music as it is. */
export const SERVICES: readonly { name: string; lufs: number; turnsUp: boolean }[] = rules.services;
