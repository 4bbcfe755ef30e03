import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { randomLetters } from "../../../kernel/ids.ts";
import { isUnclaimed } from "./queries.ts";

/** Returns the code that the first account needs; undefined while there is an account. */
export type SetupCode = () => string | undefined;

/**
 * Makes set-up codes. One is good until an account was made, also by another process: when that one is deleted again, a
 * new code is needed.
 *
 * @param announce Told every new code, which only the operator may see.
 */
export function createSetupCode({ db }: Pick<Deps, "db">, announce: (code: string) => void): SetupCode {
  let issued: { code: string; accountsMade: number } | undefined;
  return () => {
    if (!isUnclaimed(db)) return undefined;
    const accountsMade = countMade(db);
    if (issued?.accountsMade === accountsMade) return issued.code;
    issued = { code: newCode(), accountsMade };
    announce(issued.code);
    return issued.code;
  };
}

/** Returns how many accounts were ever made. */
function countMade(db: Db): number {
  const sql = "SELECT count(*) AS made FROM audit_log WHERE action = 'account.create'";
  return db.$client.query<{ made: number }, []>(sql).get()?.made ?? 0;
}

/** Returns a code of 50 bits in letters and digits that cannot be confused: `K7QF2-M9XTB`. */
function newCode(): string {
  const letters = randomLetters(10);
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
