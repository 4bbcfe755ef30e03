import type { Db } from "../../db/client.ts";
import { listOriginals } from "../blobs/kept.ts";
import { isPicturePath, listPictures } from "../modules/library/artwork/service.ts";
import type { Report } from "./finding.ts";
import { SUMS } from "./manifest.ts";
import type { MemberReader } from "./members.ts";
import { linesOf } from "./snapshots.ts";
import { formatSum, parseSum, type Sum } from "./sums.ts";
import type { Header } from "./tar.ts";

/** An expected line. Without a sum, any sum is accepted and the line may be missing. */
type Expected = { path: string; id: string; sha256?: string };

type Known = {
  header: Header;
  db: Db;
  /** The sums of the first members. */
  head: readonly Sum[];
  /** The pictures that were read; undefined for an archive without files. */
  pictures: readonly Sum[] | undefined;
};

/** Compares `SHA256SUMS` with the members and with the database. Returns the sums of the pictures. */
export async function checkSums(
  members: MemberReader,
  report: Report,
  { header, db, head, pictures }: Known,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const expected = expectedLines({ head, pictures, db });
  let next = expected.next();
  let bytes = 0;
  const damaged = () => members.giveUp(SUMS, "The sums are not those of this backup");
  /** Skips pictures that have no line. */
  const passMissing = (path: string | undefined) => {
    for (; !next.done && next.value.sha256 === undefined && next.value.path !== path; next = expected.next())
      report({
        kind: "missing",
        id: next.value.id,
        path: next.value.path,
        detail: "The file is not in the backup",
      });
  };
  for await (const line of linesOf(members.pieces(header))) {
    const sum = parseSum(line) ?? damaged();
    passMissing(sum.path);
    if (next.done || next.value.path !== sum.path) return damaged();
    const { id, path, sha256 } = next.value;
    if (sha256 !== undefined && sha256 !== sum.sha256)
      report({ kind: "damaged", id, path, detail: "The file does not match its sum in SHA256SUMS" });
    if (isPicturePath(path)) found.set(path, sum.sha256);
    bytes += formatSum(sum).length;
    next = expected.next();
  }
  passMissing(undefined);
  if (!next.done || bytes !== header.sizeBytes) damaged();
  return found;
}

function* expectedLines({ head, pictures, db }: Omit<Known, "header">): Generator<Expected> {
  for (const sum of [...head, ...(pictures ?? [])]) yield { ...sum, id: sum.path };
  if (!pictures) yield* listPictures(db);
  yield* listOriginals(db);
}
