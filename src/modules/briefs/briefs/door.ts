import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { accounts, briefRequests, briefSubmissions, briefs, type LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";

/** Whether a submission page takes submissions, and if not, why not. */
export type DoorState = "open" | "draft" | "off" | "closed" | "past";

/** A submission page: a brief as submitters see it. */
export type Door = {
  briefId: string;
  ownerId: LibraryId;
  /** Name of the account that asks for submissions. */
  ownerName: string;
  name: string;
  description: string | null;
  /** Epoch ms. */
  deadline: number | null;
  contactEmail: string | null;
  /** True when its public page is or was on, which makes it a file request of the platform API. */
  isFileRequest: boolean;
  /** For a personal link: the person who was asked, and the message to them. */
  request: { id: string; token: string; name: string | null; email: string; message: string | null } | null;
  state: DoorState;
};

type BriefColumns = typeof briefs.$inferSelect;

/** Finds the page that the last part of a submission link opens: a brief's public page or a personal one. */
export function findDoor({ db, now }: Pick<Deps, "db" | "now">, token: string): Door | undefined {
  const request = db.select().from(briefRequests).where(eq(briefRequests.token, token)).get();
  const isThis = request ? eq(briefs.id, request.briefId) : eq(briefs.token, token);
  const brief = db.select().from(briefs).where(isThis).get();
  if (!brief) return undefined;
  const { name: ownerName, active } = accounts;
  const owner = db.select({ ownerName, active }).from(accounts).where(eq(accounts.id, brief.ownerId)).get();
  const { id, ownerId, name, description, deadline, contactEmail, publicSince } = brief;
  return {
    briefId: id,
    ownerId,
    ownerName: owner?.ownerName ?? "",
    name,
    description,
    deadline,
    contactEmail,
    isFileRequest: publicSince !== null,
    request: request ?? null,
    state: owner?.active ? stateOf(brief, request !== undefined, now()) : "off",
  };
}

/** A personal link works whether the public page is on or not. */
function stateOf(brief: BriefColumns, isPersonal: boolean, at: number): DoorState {
  if (brief.status === "draft") return "draft";
  if (!isPersonal && !brief.publicPage) return "off";
  if (brief.status !== "open") return "closed";
  return brief.deadline !== null && brief.deadline <= at ? "past" : "open";
}

/** A batch sent to a brief, with the parts that its sender may see again. */
export type Batch = {
  briefId: string;
  briefName: string;
  ownerId: LibraryId;
  ownerName: string;
  /** Number of files and links. */
  count: number;
  links: string[];
  senderName: string | null;
  message: string | null;
  /** Epoch ms. */
  sentAt: number;
};

/** Returns a batch, or undefined when it does not exist. */
export function findBatch(db: Db, batchId: string): Batch | undefined {
  const rows = db
    .select({
      sent: briefSubmissions,
      briefName: briefs.name,
      ownerId: accounts.id,
      ownerName: accounts.name,
    })
    .from(briefSubmissions)
    .innerJoin(briefs, eq(briefs.id, briefSubmissions.briefId))
    .innerJoin(accounts, eq(accounts.id, briefs.ownerId))
    .where(eq(briefSubmissions.batchId, batchId))
    .all();
  const [first] = rows;
  if (!first) return undefined;
  const { sent, briefName, ownerId, ownerName } = first;
  return {
    briefId: sent.briefId,
    briefName,
    ownerId,
    ownerName,
    count: rows.length,
    links: rows.flatMap(({ sent: { link } }) => link ?? []),
    senderName: sent.submitterName,
    message: sent.message,
    sentAt: sent.createdAt,
  };
}
