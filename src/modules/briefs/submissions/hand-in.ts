import { transact } from "../../../../db/client.ts";
import { partialBytes, partialPath, removePartial, stagePartial } from "../../../blobs/partial.ts";
import { discardStaged, originalsOf } from "../../../blobs/store.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { isBlank } from "../../../kernel/text.ts";
import { sniffAudio } from "../../../media/formats/sniff.ts";
import {
  addTracks,
  describeTrackFiles,
  discardTrackFile,
  keepTrackFiles,
  type NewTrackFile,
} from "../../library/tracks/service.ts";
import { MAX_EMAIL } from "../../people/people/shapes.ts";
import { type Door, type NewItem, submitToBrief } from "../briefs/service.ts";
import { MAX_LINK, MAX_MESSAGE, MAX_SUBMITTER_NAME } from "../briefs/shapes.ts";
import type { UploadRow } from "./queries.ts";
import * as queries from "./queries.ts";
import { composeReceipt, type ReceiptMail, writeReceipt } from "./receipt-mail.ts";
import { type Draft, MAX_ITEMS, type Problem } from "./shapes.ts";
import { hashOf } from "./uploads.ts";

type HandInDeps = Pick<Deps, "db" | "now" | "secrets" | "settings" | "selfCommand" | "ffmpegPath" | "log">;

/** What a visitor hands in. */
export type HandIn = { draft: Draft; uploadIds: readonly string[] };

/** Thrown when the visitor must first correct something in the form. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;

  constructor(field: Problem["field"], words: string) {
    super(words);
    this.problem = { field, words };
  }
}

/**
 * Puts finished uploads into the library of the brief's owner, hidden, and submits them with the links in one
 * transaction. If the same uploads are handed in again because the first answer was lost, they stay the same batch.
 *
 * @returns The batch's id.
 * @throws ProblemError when the form needs a correction; DomainError `brief_not_open`, `insufficient_storage`.
 */
export async function handIn(deps: HandInDeps, door: Door, { draft, uploadIds }: HandIn): Promise<string> {
  const ids = [...new Set(uploadIds)];
  const rows = queries.findUploads(deps.db, door.briefId, ids, deps.now());
  const earlier = rows[0]?.batchId;
  if (earlier && rows.length === ids.length && rows.every(({ batchId }) => batchId === earlier))
    return earlier;
  const links = readLinks(draft.links);
  const card = readCard(draft);
  checkItems(ids, rows, links);
  const files: NewTrackFile[] = [];
  try {
    for (const row of rows) files.push(await toTrackFile(deps, row, card.name ?? "Visitor"));
    await describeTrackFiles(deps, door.ownerId, files);
    await keepTrackFiles(deps, files);
    const batchId = newId("bat");
    const titles = [...rows.map(({ name }) => name), ...links];
    const receipt = await composeReceipt(deps, door, { batchId, titles, card });
    const message = draft.message.trim() || null;
    write(deps, door, { batchId, rows, files, links, card, message, receipt });
    for (const { id } of rows) await removePartial(partialPath(deps.settings, id));
    return batchId;
  } finally {
    await Promise.all(files.map(discardTrackFile));
  }
}

type Card = { name: string | null; email: string | null };
type Contents = {
  batchId: string;
  rows: UploadRow[];
  files: NewTrackFile[];
  links: string[];
  card: Card;
  message: string | null;
  receipt: ReceiptMail | undefined;
};

/** Writes the tracks, the submissions and the batch of the uploads, all or none. */
function write(deps: HandInDeps, door: Door, contents: Contents): void {
  const { batchId, rows, files, links, card, message, receipt } = contents;
  try {
    transact(deps.db, (tx) => {
      const ids = rows.map(({ id }) => id);
      const now = queries.findUploads(tx, door.briefId, ids, deps.now());
      // One press of the button may send two requests: the second one finds the batch of the first.
      if (now.some((row) => row.batchId !== null))
        throw new ProblemError("files", "These files have already been sent");
      const tracks = files.length === 0 ? [] : addTracks(within(deps, tx), door.ownerId, files);
      const items: NewItem[] = [
        ...tracks.map(({ id }) => ({ trackId: id, message })),
        ...links.map((link) => ({ link, message })),
      ];
      const token = door.request?.token;
      const submitter = { accountId: null, identity: card.email, card, batchId };
      submitToBrief(
        within(deps, tx),
        door.briefId,
        { ...submitter, ...(token && { requestToken: token }) },
        items,
      );
      for (const id of ids) queries.updateUpload(tx, id, { batchId });
      if (receipt) writeReceipt(within(deps, tx), receipt);
    });
  } catch (error) {
    // The files are not lost: they still exist as uploads.
    transact(deps.db, (tx) => {
      for (const { staged } of files) originalsOf(deps.settings).takeBack(tx, staged);
    });
    throw error;
  }
}

function checkItems(ids: readonly string[], rows: readonly UploadRow[], links: readonly string[]): void {
  if (rows.length < ids.length)
    throw new ProblemError("files", "One of the files is no longer here: please choose it again");
  if (rows.some(({ batchId }) => batchId !== null))
    throw new ProblemError("files", "One of the files has already been sent: please remove it");
  if (rows.length + links.length === 0) throw new ProblemError("files", "Add at least one file or link");
  if (rows.length + links.length > MAX_ITEMS)
    throw new ProblemError("files", `At most ${MAX_ITEMS} files and links fit in one submission`);
}

async function toTrackFile(deps: HandInDeps, row: UploadRow, visitorName: string): Promise<NewTrackFile> {
  const path = partialPath(deps.settings, row.id);
  const size = await partialBytes(path);
  if (size !== row.sizeBytes) throw new ProblemError("files", `${row.name} has not arrived completely yet`);
  const staged = await stagePartial(deps.settings, path, await hashOf(deps, row));
  const format = sniffAudio(staged.head);
  if (format) return { staged, format, filename: row.name, visible: false, sentBy: { name: visitorName } };
  await discardStaged(staged);
  throw new DomainError("invalid_file_type", `${row.name} is not an audio file in a supported format`);
}

function readLinks(text: string): string[] {
  const links = text.split(/\s+/).filter((link) => link !== "");
  const wrong = links.find((link) => !isLink(link));
  if (wrong === undefined) return [...new Set(links)];
  throw new ProblemError(
    "links",
    `${wrong.slice(0, 80)} is not a link: it must start with http:// or https://, without a user name or password`,
  );
}

/** Returns true for a link that `submitToBrief` accepts. */
function isLink(text: string): boolean {
  const url = /^https?:\/\//i.test(text) && text.length <= MAX_LINK ? URL.parse(text) : null;
  return url?.username === "" && url.password === "";
}

function readCard(draft: Draft): Card {
  const [name, email] = [draft.name.trim(), draft.email.trim()];
  if (isBlank(name)) throw new ProblemError("name", "Please say who you are");
  if (name.length > MAX_SUBMITTER_NAME) throw tooLong("name", MAX_SUBMITTER_NAME);
  if (draft.message.length > MAX_MESSAGE) throw tooLong("message", MAX_MESSAGE);
  if (email !== "" && (email.length > MAX_EMAIL || !/^[^@\s]+@[^@\s]+$/.test(email)))
    throw new ProblemError("email", "This is not an e-mail address");
  return { name, email: email === "" ? null : email };
}

const tooLong = (field: Problem["field"], most: number) =>
  new ProblemError(field, `At most ${most.toLocaleString("en")} characters`);
