import { PROGRAM } from "../../../../kernel/program.ts";
import type { RecordType } from "./layouts.ts";
import { type CwrVersion, fitting, recordLine, UnwritableField, type Values } from "./record.ts";
import type { CwrWork, CwrWriter } from "./works.ts";

/** Who sends a registration. Shares are in hundredths of a per cent of what the writers have. */
export type CwrSender = {
  party: string;
  name: string;
  ipi: string;
  society: string;
  prShare: number;
  mrShare: number;
  srShare: number;
};

const WHOLE = 10_000;
/** Everywhere, in the list of territories of CISAC. */
const WORLD = 2136;

/**
 * Returns a transmission with one group of new works.
 *
 * @throws UnwritableField when a field cannot hold what is to be in it.
 */
export function cwrFile(
  version: CwrVersion,
  sender: CwrSender,
  works: readonly CwrWork[],
  at: number,
): string {
  const stamp = new Date(at).toISOString();
  const date = stamp.slice(0, 10).replaceAll("-", "");
  const lines = [
    recordLine(version, "HDR", {
      ...senderIdOf(sender),
      senderName: sender.name,
      edi: "01.10",
      createdDate: date,
      createdTime: stamp.slice(11, 19).replaceAll(":", ""),
      sentDate: date,
      cwrVersion: "2.2",
      revision: 1,
      software: "DUBPLATE",
      softwareVersion: fitting(PROGRAM.version, 30),
    }),
    recordLine(version, "GRH", { transactionType: "NWR", group: 1, version: `0${version}0` }),
    ...works.flatMap((work, transaction) => workLines(version, sender, work, transaction)),
  ];
  lines.push(recordLine(version, "GRT", { group: 1, transactions: works.length, records: lines.length }));
  lines.push(
    recordLine(version, "TRL", { groups: 1, transactions: works.length, records: lines.length + 1 }),
  );
  return `${lines.join("\r\n")}\r\n`;
}

/** A number of more than nine digits has its first two in the place of the type. */
const senderIdOf = ({ ipi }: CwrSender) => ({
  senderType: ipi.startsWith("00") ? "PB" : ipi.slice(0, 2),
  senderId: ipi.slice(2),
});

/** Returns the lines of one work, in the order that the format prescribes. */
export function workLines(
  version: CwrVersion,
  sender: CwrSender,
  work: CwrWork,
  transaction: number,
): string[] {
  const lines: string[] = [];
  const put = (type: RecordType, values: Values) =>
    lines.push(recordLine(version, type, { ...values, transaction, record: lines.length }));
  put("NWR", headOf(work));
  const parts = work.writers.map((writer) => ({ writer, ...partsOf(writer, sender) }));
  const controlled = parts.filter(({ writer }) => writer.isControlled);
  const publisher = sumOf(controlled.map((part) => part.publisher));
  if (publisher.pr > WHOLE / 2) throw new UnwritableField("share", "of the publisher is more than half");
  const { party, society } = sender;
  const inSocieties = { prSociety: society, mrSociety: society, srSociety: society };
  put("SPU", {
    sequence: 1,
    party,
    name: sender.name,
    role: "E",
    ipi: sender.ipi,
    ...inSocieties,
    ...publisher,
  });
  put("SPT", { party, ...publisher, indicator: "I", territory: WORLD, sequence: 1 });
  for (const { writer, own } of controlled) {
    put("SWR", writerOf(writer, own));
    if (own.pr + own.mr + own.sr > 0)
      put("SWT", { party: writer.party, ...own, indicator: "I", territory: WORLD, sequence: 1 });
    put("PWR", { publisher: party, publisherName: sender.name, writer: writer.party, sequence: 1 });
  }
  for (const { writer, own } of parts) if (!writer.isControlled) put("OWR", writerOf(writer, own));
  for (const recording of work.recordings) if (recording.isrc !== null) put("REC", recordingOf(recording));
  return lines;
}

function headOf(work: CwrWork): Values {
  const { title, workNumber, iswc, language, category, textMusic, durationSec, writers, recordings } = work;
  if (title.trim() === "") throw new UnwritableField("title", "is missing");
  const isModified = writers.some(({ role }) => role === "AR" || role === "AD");
  return {
    ...{ title, workNumber, iswc, language, category, textMusic },
    duration: clock(durationSec),
    recorded: recordings.some(({ isrc }) => isrc !== null) ? "Y" : "U",
    versionType: isModified ? "MOD" : "ORI",
  };
}

type Shares = { pr: number; mr: number; sr: number };

/** Divides a writer's share between them and the publisher. An odd hundredth stays with the writer. */
function partsOf(
  { share, isControlled }: CwrWriter,
  { prShare, mrShare, srShare }: CwrSender,
): { own: Shares; publisher: Shares } {
  const given = (part: number) => (isControlled ? Math.floor((share * part) / WHOLE) : 0);
  const publisher = { pr: given(prShare), mr: given(mrShare), sr: given(srShare) };
  const own = { pr: share - publisher.pr, mr: share - publisher.mr, sr: share - publisher.sr };
  return { own, publisher };
}

const sumOf = (all: readonly Shares[]): Shares =>
  all.reduce((sum, each) => ({ pr: sum.pr + each.pr, mr: sum.mr + each.mr, sr: sum.sr + each.sr }), {
    pr: 0,
    mr: 0,
    sr: 0,
  });

/** A society stands beside a share only where there is one. */
function writerOf({ party, last, first, role, ipi, society }: CwrWriter, own: Shares): Values {
  const where = (share: number) => (share > 0 ? society : "");
  return {
    ...{ party, lastName: last, firstName: first, role, ipi, ...own },
    ...{ prSociety: society, mrSociety: where(own.mr), srSociety: where(own.sr) },
  };
}

function recordingOf(recording: CwrWork["recordings"][number]): Values {
  const { isrc, ean, releaseDate, durationSec, title, artist, album, label } = recording;
  return {
    ...{ isrc, ean, releaseDate, duration: clock(durationSec), album: fitting(album, 60) },
    ...{ label: fitting(label, 60), recordingTitle: fitting(title, 60), displayArtist: fitting(artist, 60) },
    recordLabel: fitting(label, 60),
  };
}

/** Hours, minutes and seconds, two digits each. */
function clock(sec: number | null): string {
  const whole = Math.round(sec ?? 0);
  const two = (value: number) => String(value).padStart(2, "0");
  return two(Math.floor(whole / 3600) % 100) + two(Math.floor(whole / 60) % 60) + two(whole % 60);
}
