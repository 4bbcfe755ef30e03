import { dayOf, momentOf } from "../../../kernel/dates.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { briefLetter, type Words } from "../../mail/letters/service.ts";

/** Returns a deadline as people read it: `the end of 3 November 2026 (UTC)`, or a moment. */
export function deadlineWords(deadline: number): string {
  const isEndOfDay = deadline % DAY_MS === DAY_MS - 1;
  return `${isEndOfDay ? `the end of ${dayOf(deadline)}` : momentOf(deadline)} (UTC)`;
}

/** Returns the mail that asks somebody for music. */
export function askingLetter({
  deadline,
  ...asked
}: Omit<Parameters<typeof briefLetter>[0], "deadline"> & { deadline: number | null }): Words {
  return briefLetter({ ...asked, deadline: deadline === null ? null : deadlineWords(deadline) });
}
