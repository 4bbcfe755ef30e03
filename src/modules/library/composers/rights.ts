import { toIpi, toIsni } from "../../../kernel/identifiers.ts";
import { isSociety } from "./societies.ts";

/** What is missing or wrong in the rights data of a composer. */
export const RIGHTS_PROBLEMS = [
  "no_email",
  "no_ipi",
  "bad_ipi",
  "no_pro",
  "unknown_pro",
  "bad_isni",
  "bad_publisher_ipi",
] as const;
export type RightsProblem = (typeof RIGHTS_PROBLEMS)[number];

/** Returns what is missing or wrong. An ISNI may be missing. */
export function rightsProblems(composer: {
  email: string | null;
  ipi: string | null;
  pro: string | null;
  isni: string | null;
  publisherIpi: string | null;
}): RightsProblem[] {
  const { email, ipi, pro, isni, publisherIpi } = composer;
  const problems: [RightsProblem, boolean][] = [
    ["no_email", email === null],
    ["no_pro", pro === null],
    ["unknown_pro", pro !== null && !isSociety(pro)],
    ["no_ipi", ipi === null],
    ["bad_ipi", ipi !== null && toIpi(ipi) === undefined],
    ["bad_isni", isni !== null && toIsni(isni) === undefined],
    ["bad_publisher_ipi", publisherIpi !== null && toIpi(publisherIpi) === undefined],
  ];
  return problems.flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}
