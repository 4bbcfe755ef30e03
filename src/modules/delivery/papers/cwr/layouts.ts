/** A field of a record: left-aligned text filled with blanks, or a number filled with zeros. */
export type Field = readonly [name: string, width: number, kind: "text" | "number"];
type Layout = readonly Field[];

const PREFIX: Layout = [
  ["type", 3, "text"],
  ["transaction", 8, "number"],
  ["record", 8, "number"],
];
/** What is collected of a work in a territory, and in which order territories are named. */
const TERRITORY: Layout = [
  ["pr", 5, "number"],
  ["mr", 5, "number"],
  ["sr", 5, "number"],
  ["indicator", 1, "text"],
  ["territory", 4, "number"],
  ["change", 1, "text"],
  ["sequence", 3, "number"],
];

const WRITER: Layout = [
  ...PREFIX,
  ["party", 9, "text"],
  ["lastName", 45, "text"],
  ["firstName", 30, "text"],
  ["unknown", 1, "text"],
  ["role", 2, "text"],
  ["tax", 9, "number"],
  ["ipi", 11, "number"],
  ["prSociety", 3, "text"],
  ["pr", 5, "number"],
  ["mrSociety", 3, "text"],
  ["mr", 5, "number"],
  ["srSociety", 3, "text"],
  ["sr", 5, "number"],
  ["reversion", 1, "text"],
  ["refusal", 1, "text"],
  ["hire", 1, "text"],
  ["blank", 1, "text"],
  ["ipiBase", 13, "text"],
  ["personal", 12, "number"],
  ["usa", 1, "text"],
];
const TOTALS: Layout = [
  ["transactions", 8, "number"],
  ["records", 8, "number"],
];

/**
 * The records of a registration. Version 2.2 has the same ones with the fields of {@link LATER} after them.
 *
 * @see CISAC, Common Works Registration, CWR11-1991 (2.1) and CWR19-1070 (2.2)
 */
export const LAYOUTS = {
  HDR: [
    ["type", 3, "text"],
    ["senderType", 2, "text"],
    ["senderId", 9, "number"],
    ["senderName", 45, "text"],
    ["edi", 5, "text"],
    ["createdDate", 8, "number"],
    ["createdTime", 6, "number"],
    ["sentDate", 8, "number"],
    ["characterSet", 15, "text"],
  ],
  GRH: [
    ["type", 3, "text"],
    ["transactionType", 3, "text"],
    ["group", 5, "number"],
    ["version", 5, "text"],
    ["batch", 10, "number"],
    ["blank", 2, "text"],
  ],
  NWR: [
    ...PREFIX,
    ["title", 60, "text"],
    ["language", 2, "text"],
    ["workNumber", 14, "text"],
    ["iswc", 11, "text"],
    ["copyrightDate", 8, "number"],
    ["copyrightNumber", 12, "text"],
    ["category", 3, "text"],
    ["duration", 6, "number"],
    ["recorded", 1, "text"],
    ["textMusic", 3, "text"],
    ["composite", 3, "text"],
    ["versionType", 3, "text"],
    ["excerpt", 3, "text"],
    ["arrangement", 3, "text"],
    ["adaptation", 3, "text"],
    ["contact", 30, "text"],
    ["contactId", 10, "text"],
    ["workType", 2, "text"],
    ["grandRights", 1, "text"],
    ["components", 3, "number"],
    ["printedDate", 8, "number"],
    ["exceptional", 1, "text"],
    ["opus", 25, "text"],
    ["catalogue", 25, "text"],
    ["priority", 1, "text"],
  ],
  SPU: [
    ...PREFIX,
    ["sequence", 2, "number"],
    ["party", 9, "text"],
    ["name", 45, "text"],
    ["unknown", 1, "text"],
    ["role", 2, "text"],
    ["tax", 9, "number"],
    ["ipi", 11, "number"],
    ["agreement", 14, "text"],
    ["prSociety", 3, "text"],
    ["pr", 5, "number"],
    ["mrSociety", 3, "text"],
    ["mr", 5, "number"],
    ["srSociety", 3, "text"],
    ["sr", 5, "number"],
    ["special", 1, "text"],
    ["refusal", 1, "text"],
    ["blank", 1, "text"],
    ["ipiBase", 13, "text"],
    ["isac", 14, "text"],
    ["societyAgreement", 14, "text"],
    ["agreementType", 2, "text"],
    ["usa", 1, "text"],
  ],
  SPT: [...PREFIX, ["party", 9, "text"], ["blank", 6, "text"], ...TERRITORY],
  SWR: WRITER,
  OWR: WRITER,
  SWT: [...PREFIX, ["party", 9, "text"], ...TERRITORY],
  PWR: [
    ...PREFIX,
    ["publisher", 9, "text"],
    ["publisherName", 45, "text"],
    ["agreement", 14, "text"],
    ["societyAgreement", 14, "text"],
    ["writer", 9, "text"],
  ],
  REC: [
    ...PREFIX,
    ["releaseDate", 8, "number"],
    ["blank", 60, "text"],
    ["duration", 6, "number"],
    ["blank2", 5, "text"],
    ["album", 60, "text"],
    ["label", 60, "text"],
    ["catalogue", 18, "text"],
    ["ean", 13, "text"],
    ["isrc", 12, "text"],
    ["format", 1, "text"],
    ["technique", 1, "text"],
    ["media", 3, "text"],
  ],
  GRT: [["type", 3, "text"], ["group", 5, "number"], ...TOTALS],
  TRL: [["type", 3, "text"], ["groups", 5, "number"], ...TOTALS],
} as const satisfies Readonly<Record<string, Layout>>;
export type RecordType = keyof typeof LAYOUTS;

/** What version 2.2 adds at the end of records. */
export const LATER: Partial<Readonly<Record<RecordType, Layout>>> = {
  HDR: [
    ["cwrVersion", 3, "text"],
    ["revision", 3, "number"],
    ["software", 30, "text"],
    ["softwareVersion", 30, "text"],
  ],
  PWR: [["sequence", 2, "number"]],
  REC: [
    ["recordingTitle", 60, "text"],
    ["versionTitle", 60, "text"],
    ["displayArtist", 60, "text"],
    ["recordLabel", 60, "text"],
    ["isrcValidity", 20, "text"],
    ["recordingId", 14, "text"],
  ],
};
