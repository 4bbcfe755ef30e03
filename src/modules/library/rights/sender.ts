import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIpi } from "../../../kernel/identifiers.ts";
import { societyCode } from "../composers/service.ts";
import * as queries from "./queries.ts";
import type { RightsSender, RightsSenderInput, SenderProblem } from "./shapes.ts";

const NOBODY: Omit<queries.SenderRow, "ownerId"> = {
  name: null,
  ipi: null,
  senderCode: null,
  society: null,
  prShare: 5000,
  mrShare: 10_000,
  srShare: 10_000,
  fileYear: null,
  fileNumber: null,
  updatedAt: 0,
};
/** Shares are stored in hundredths of a per cent. */
const HUNDREDTHS = 100;

/** Returns who registers the works of an account; all null where nobody was named. */
export function readSender(db: Db, ownerId: LibraryId): RightsSender {
  const { name, ipi, senderCode, society, ...row } = queries.findSender(db, ownerId) ?? NOBODY;
  const shares = {
    prShare: row.prShare / HUNDREDTHS,
    mrShare: row.mrShare / HUNDREDTHS,
    srShare: row.srShare / HUNDREDTHS,
  };
  return {
    name,
    ipi,
    senderCode,
    society,
    ...shares,
    problems: problemsOf({ name, ipi, senderCode, society }),
  };
}

/** Changes the fields that were sent. An IPI with wrong check digits is kept, and the answer says that it is wrong. */
export function changeSender(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  input: RightsSenderInput,
): RightsSender {
  const { prShare, mrShare, srShare, name, ipi, senderCode, society } = input;
  const inHundredths = (share: number) => Math.round(share * HUNDREDTHS);
  return transact(db, (tx) => {
    const before = queries.findSender(tx, ownerId) ?? { ...NOBODY, ownerId };
    queries.putSender(tx, {
      ...before,
      ...(name !== undefined && { name: line(name) }),
      ...(ipi !== undefined && { ipi: line(ipi) && (toIpi(ipi ?? "") ?? line(ipi)) }),
      ...(senderCode !== undefined && { senderCode: line(senderCode)?.toUpperCase() ?? null }),
      ...(society !== undefined && { society: line(society) }),
      ...(prShare !== undefined && { prShare: inHundredths(prShare) }),
      ...(mrShare !== undefined && { mrShare: inHundredths(mrShare) }),
      ...(srShare !== undefined && { srShare: inHundredths(srShare) }),
      updatedAt: now(),
    });
    return readSender(tx, ownerId);
  });
}

const line = (text: string | null): string | null => text?.replace(/\s+/g, " ").trim() || null;

function problemsOf(sender: Pick<RightsSender, "name" | "ipi" | "senderCode" | "society">): SenderProblem[] {
  const { name, ipi, senderCode, society } = sender;
  const problems: [SenderProblem, boolean][] = [
    ["no_name", name === null],
    ["no_ipi", ipi === null],
    ["bad_ipi", ipi !== null && toIpi(ipi) === undefined],
    ["no_sender_code", senderCode === null],
    ["no_society", society === null],
    ["unknown_society", society !== null && societyCode(society) === undefined],
  ];
  return problems.flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}

/** Returns the number that the next file of registrations in a year has. */
export function nextFileNumber(db: Db, ownerId: LibraryId, year: number): number {
  const sender = queries.findSender(db, ownerId);
  return sender?.fileYear === year ? (sender.fileNumber ?? 0) + 1 : 1;
}

/** Notes that a file of registrations has a number, so that no other one gets it. Call it in the transaction that hands the file out. */
export function noteFileNumber(tx: Db, ownerId: LibraryId, year: number, number: number): void {
  const sender = queries.findSender(tx, ownerId);
  if (!sender || (sender.fileYear ?? 0) > year) return;
  const last = sender.fileYear === year ? (sender.fileNumber ?? 0) : 0;
  queries.putSender(tx, { ...sender, fileYear: year, fileNumber: Math.max(last, number) });
}
