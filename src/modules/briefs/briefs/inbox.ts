import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { cutPage, type Page, type PageRequest, type Place } from "../../../kernel/paging.ts";
import { playbackUrl } from "../../library/files/service.ts";
import type { CreateSubmission, Receipt, ReceivedSubmission } from "./app-shapes.ts";
import { getRow } from "./manage.ts";
import { findAccountEmail, listSubmissions, type SubmissionRow } from "./submission-queries.ts";
import { type NewItem, submitToBrief } from "./submit.ts";
import { toBriefSubmission } from "./wire.ts";

type ListenDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/**
 * Returns a page of the submissions to an account's brief, newest first. A submitter lets the brief's owner hear the
 * track, in the version that is active at the time of this call.
 *
 * @throws DomainError `brief_not_found`.
 */
export function listReceivedSubmissions(
  deps: ListenDeps,
  ownerId: LibraryId,
  briefId: string,
  query: PageRequest,
): Page<ReceivedSubmission> {
  getRow(deps.db, ownerId, briefId);
  const select = (after: Place, limit: number) => listSubmissions(deps.db, briefId, after, limit);
  const { items, paging } = cutPage(query, `submissions ${briefId}`, select, (row) => row.createdAt);
  return { items: items.map((row) => toReceived(deps, row)), paging };
}

/**
 * Sends a signed-in account's track, or a link, to any open brief.
 *
 * @throws DomainError `validation_failed` unless `input` has exactly one of the two; also as `submitToBrief`.
 */
export function submitAsAccount(
  deps: Pick<Deps, "db" | "now" | "secrets">,
  accountId: LibraryId,
  briefId: string,
  input: CreateSubmission,
): Receipt {
  const identity = findAccountEmail(deps.db, accountId);
  const [receipt] = submitToBrief(deps, briefId, { accountId, identity }, [toItem(input)]);
  if (!receipt) throw new Error("A submission of one item returned no receipt");
  return receipt;
}

function toItem({ trackId, link, message = null }: CreateSubmission): NewItem {
  if (trackId !== undefined && link === undefined) return { trackId, message };
  if (link !== undefined && trackId === undefined) return { link, message };
  throw invalidField("body", "one_of", "must have exactly one of trackId and link");
}

function toReceived(deps: ListenDeps, row: SubmissionRow): ReceivedSubmission {
  const { kind, submitterName, submitterEmail } = row;
  return { ...toBriefSubmission(row), kind, submitterName, submitterEmail, listenUrl: listenUrl(deps, row) };
}

function listenUrl(deps: ListenDeps, row: SubmissionRow): string | null {
  const { versionId, versionName, mediaType, sha256 } = row;
  // All are set or all are null: they come from one version.
  if (versionId === null || versionName === null || mediaType === null || sha256 === null) return null;
  return playbackUrl(deps, { id: versionId, name: versionName, mediaType, sha256 });
}
