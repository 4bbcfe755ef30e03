import type { Data } from "../../api/routes.ts";

export type Composer = Data<"GET /app/composers">[number];
export type WholeComposer = Data<"GET /app/composers/{id}">;
export type Problem = Composer["problems"][number];

/** A problem's name in the table, and the sentence beside its field. */
export const PROBLEM_WORDS: Readonly<Record<Problem, { short: string; long: string }>> = {
  no_email: { short: "No e-mail", long: "Without an address you cannot write to them." },
  no_ipi: { short: "No IPI", long: "Without an IPI a society cannot tell whom to pay." },
  bad_ipi: { short: "IPI wrong", long: "The check digits are wrong. Compare the number with the society's." },
  no_pro: { short: "No PRO", long: "Which society collects for them?" },
  unknown_pro: { short: "PRO unknown", long: "Dubplate does not know this society." },
  bad_publisher_ipi: {
    short: "Publisher IPI wrong",
    long: "The last two digits of the publisher’s number are wrong. Check it.",
  },
  bad_isni: { short: "ISNI wrong", long: "The last character is wrong. Check the number." },
};

const ROUND = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A share as it is written. */
export const percent = (share: number): string => `${ROUND.format(share)} %`;
