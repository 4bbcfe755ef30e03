import { openDb, transact } from "../../db/client.ts";
import { accounts, type LibraryId, tracks, versions } from "../../db/schema.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { register } from "../../src/modules/delivery/papers/papers.ts";
import {
  createAppComposer,
  inHundredths,
  societyCode,
  writeShareholders,
} from "../../src/modules/library/composers/service.ts";
import { changeRights, changeSender } from "../../src/modules/library/rights/service.ts";
import { randomWork, type Work } from "./works.ts";

export type Field = string | number | null;
/** A record as the reader gives it. */
type Read = { fields: Readonly<Record<string, Field>> };
/** A work as the reader gives it. */
type ReadWork = {
  header: Read;
  spus: (Read & { spts: Read[] })[];
  swrs?: (Read & { swts: Read[]; pwrs: Read[] })[];
  owrs?: Read[];
  recs?: Read[];
};

const OWNER: LibraryId = "usr_rights";
const AT = Date.UTC(2026, 10, 26, 12);
const SENDER = {
  name: "Field Musik Müller",
  ipi: "00000000199",
  senderCode: "FMM",
  society: "PRS for Music",
};

/**
 * Registers random works, reads the file back by the parser of npm, and compares every field with what was typed.
 *
 * @returns What was different, as sentences.
 */
export async function roundTrip(version: "2.1" | "2.2", count: number, seed: number): Promise<string[]> {
  const db = openDb(":memory:");
  const deps = { db, now: () => AT, secrets: secretsOf(Buffer.alloc(32, 7)) };
  db.insert(accounts).values({ id: OWNER, name: "Studio", createdAt: AT, credits: 0 }).run();
  changeSender(deps, OWNER, SENDER);
  const works = Array.from({ length: count }, (_, at) => randomWork(seed + at));
  const ids = works.map((work, at) => plant(deps, work, at));
  const { filename, text, leftOut } = register(deps, OWNER, { ids }, version);
  db.$client.close();
  if (filename === null || text === null)
    return ["No file was made", ...leftOut.map(({ message }) => message)];
  // Not resolved by the compiler, so that only whoever runs it needs it.
  const name = "cwr-parser";
  const { CWRParser } = await import(name);
  const parser = new CWRParser({ strictMode: true, validateFields: false });
  const read = parser.parseString(text, filename);
  const { errors } = parser.getStatistics();
  const lines = text.split("\r\n").length - 1;
  const { grt } = read.groups[0];
  return [
    ...leftOut.map(({ message }) => message),
    ...errors.map((error: unknown) => `The reader says ${JSON.stringify(error)}`),
    ...differences("GRT", { transactionCount: count, recordCount: lines - 2 }, grt),
    ...differences("TRL", { groupCount: 1, transactionCount: count, recordCount: lines }, read.trl),
    ...works.flatMap((work, at) => compare(work, read.groups[0].transactions[at]?.work, at)),
  ];
}

function plant(deps: Parameters<typeof changeRights>[0], work: Work, at: number): string {
  const id = `trk_${String(at).padStart(6, "0")}`;
  const versionId = `ver_${id}`;
  transact(deps.db, (tx) => {
    tx.insert(tracks)
      .values({
        ...{ id, ownerId: OWNER, name: "song.wav", nameFold: "song.wav", createdAt: AT },
        ...{ activeVersionId: versionId, analysisStatus: "completed" as const },
        ...{ title: work.title, durationSec: work.durationSec, isrc: work.isrc },
      })
      .run();
    tx.insert(versions)
      .values({
        ...{
          id: versionId,
          trackId: id,
          versionOrder: 1,
          name: "song.wav",
          visible: true,
          sha256: "0".repeat(64),
        },
        ...{ sizeBytes: 1, mediaType: "audio/wav", container: "wav", createdAt: AT },
      })
      .run();
  });
  const { iswc, workNumber, releaseDate } = work;
  changeRights(deps, { accountId: OWNER }, id, { iswc, workNumber, releaseDate });
  const shareholders = work.writers.map(({ share, role, isOurs, ...writer }) => {
    const { id: shareholderId } = createAppComposer(deps, OWNER, {
      ...{
        fullName: `${writer.first} ${writer.last}`.trim(),
        lastName: writer.last,
        ipi: writer.ipi,
        pro: writer.pro,
      },
      ...(isOurs && { publisher: SENDER.name.toUpperCase() }),
    });
    return { shareholderId, share, role };
  });
  transact(deps.db, (tx) => writeShareholders(tx, { ownerId: OWNER, trackId: id, shareholders }, AT));
  return id;
}

function compare(work: Work, read: ReadWork | undefined, at: number): string[] {
  if (!read) return [`Work ${at} is missing`];
  const name = `Work ${at} (${work.title})`;
  const hundredths = inHundredths(work.writers.map(({ share }) => share));
  const parts = work.writers.map((writer, index) => ({ writer, share: hundredths[index] ?? 0 }));
  const ours = parts.filter(({ writer }) => writer.isOurs);
  const others = parts.filter(({ writer }) => !writer.isOurs);
  const half = (share: number) => Math.floor(share / 2);
  const pr = ours.reduce((sum, { share }) => sum + half(share), 0);
  const mr = ours.reduce((sum, { share }) => sum + share, 0);
  const inPercent = (share: number) => (share === 0 ? null : share / 100);
  const sums = [...read.spus, ...(read.swrs ?? []), ...(read.owrs ?? [])];
  const total = (field: string) =>
    Math.round(sums.reduce((sum, { fields }) => sum + Number(fields[field] ?? 0) * 100, 0));
  return [
    ...differences(name, headOf(work), read.header),
    ...differences(
      `${name}, publisher`,
      {
        ...{ publisherName: "FIELD MUSIK MULLER", publisherType: "E", ipiNameNumber: SENDER.ipi },
        ...{
          prAffiliationSocietyNumber: "052",
          prOwnershipShare: inPercent(pr),
          mrOwnershipShare: inPercent(mr),
        },
      },
      read.spus[0],
    ),
    ...ours.flatMap(({ writer, share }, index) =>
      differences(
        `${name}, writer ${index}`,
        { ...writerOf(writer), prOwnershipShare: inPercent(share - half(share)), mrOwnershipShare: null },
        read.swrs?.[index],
      ),
    ),
    ...others.flatMap(({ writer, share }, index) =>
      differences(
        `${name}, other writer ${index}`,
        { ...writerOf(writer), prOwnershipShare: inPercent(share), mrOwnershipShare: inPercent(share) },
        read.owrs?.[index],
      ),
    ),
    ...(work.isrc === null ? [] : differences(`${name}, recording`, { isrc: work.isrc }, read.recs?.[0])),
    ...["prOwnershipShare", "mrOwnershipShare", "srOwnershipShare"].flatMap((field) =>
      total(field) === 10_000 ? [] : [`${name}: ${field} adds up to ${total(field) / 100}`],
    ),
  ];
}

const headOf = ({ plain, iswc, workNumber, isrc, durationSec }: Work) => ({
  workTitle: plain.title,
  iswc,
  submitterWorkNumber: workNumber,
  recordedIndicator: isrc === null ? "U" : "Y",
  duration: new Date(durationSec * 1000).toISOString().slice(11, 19),
});

const writerOf = ({ plain, ipi, pro, designation }: Work["writers"][number]) => ({
  writerLastName: plain.last,
  writerFirstName: plain.first || null,
  writerDesignationCode: designation,
  ipiNameNumber: ipi ?? "00000000000",
  prAffiliationSocietyNumber: pro === null ? null : (societyCode(pro) ?? null),
});

function differences(
  what: string,
  wanted: Readonly<Record<string, Field>>,
  read: Read | undefined,
): string[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    const got = read?.fields[field] ?? null;
    return got === value ? [] : [`${what}: ${field} is ${JSON.stringify(got)}, not ${JSON.stringify(value)}`];
  });
}
