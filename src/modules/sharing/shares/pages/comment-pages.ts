import type { PersonActor } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import type { PlayerComment } from "../../../../pages/player/model.ts";
import { readClock } from "../../../../pages/waveform.ts";
import { addLinkComment, findLinkNote } from "../../comments/service.ts";
import { checkGrant } from "../access/proofs.ts";
import { requireOpen, visitIdOf } from "../access/visit.ts";
import { visitName } from "../counting/notes.ts";
import { findVersionAmong, type LinkRow, opensTrack } from "../page-queries.ts";
import { toPlayerComment } from "../player/thread-views.ts";
import { noteHtml } from "./part-views.tsx";

/** `authorId`: a member of the link's library, or null for anyone else; `visit`: the name of the visit in the log. */
type Writer = { authorId: PersonActor["personId"] | null; visit: string | null };

/**
 * Adds a visitor's comment to a track that the link opens, or a reply to a note of the link.
 *
 * @throws DomainError `invalid_link` when the link has ended, does not accept comments, or did not issue the form;
 *   `validation_failed`, `track_not_found`; `comment_not_found`, `note_closed` for a reply.
 */
export function receiveComment(
  deps: Deps,
  share: LinkRow,
  form: URLSearchParams,
  { after, ...writer }: Writer & { after: string | null },
): PlayerComment & { html: string } {
  requireOpen(deps, share);
  if (!share.allowComments) throw new DomainError("invalid_link", "This link does not accept comments");
  checkGrant(deps, share, "comment", "", form);
  if (form.get("website")) throw invalidField("website", "filled", "must be left empty");
  const parentId = form.get("parent") || null;
  const note = parentId === null ? undefined : findLinkNote(deps, share, parentId);
  const trackId = note?.trackId ?? form.get("track") ?? "";
  if (!opensTrack(deps.db, share, trackId))
    throw new DomainError("track_not_found", "This link does not open that track");
  const added = addLinkComment(deps, {
    share,
    trackId,
    ...writer,
    authorName: form.get("name") ?? "",
    text: form.get("text") ?? "",
    // A reply is where its note is.
    positionSec: parentId === null ? readTime(form, "at") : null,
    endSec: parentId === null ? readTime(form, "end") : null,
    parentId,
    versionId: heardVersion(deps, form, trackId),
  });
  return { ...toPlayerComment(added), html: noteHtml(deps, share, added.parentId ?? added.id, { after }) };
}

/** Returns how the log names the visit that a request belongs to. */
export function visitOf(deps: Deps, share: LinkRow, request: Request): string | null {
  const visitId = visitIdOf(deps, share, request.headers.get("cookie"));
  return visitId === undefined ? null : visitName(visitId);
}

/**
 * Returns the version of a track that the form's page played; one that the track no longer has, where that is all that it
 * names. Undefined when the page is older than this field.
 */
export function heardVersion(
  { db }: Pick<Deps, "db">,
  form: URLSearchParams,
  trackId = form.get("track") ?? "",
): string | undefined {
  const named = form.getAll("version").filter((id) => id !== "");
  return findVersionAmong(db, trackId, named) ?? named[0];
}

function readTime(form: URLSearchParams, field: "at" | "end"): number | null {
  const text = form.get(field) ?? "";
  if (text.trim() === "") return null;
  const seconds = readClock(text);
  if (seconds !== undefined) return seconds;
  throw invalidField(field, "format", "must be a time such as 1:23");
}
