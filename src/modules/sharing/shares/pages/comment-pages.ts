import type { PersonActor } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import type { PlayerComment } from "../../../../pages/player/model.ts";
import { readClock } from "../../../../pages/waveform.ts";
import { addLinkComment } from "../../comments/service.ts";
import { checkGrant } from "../access/proofs.ts";
import { requireOpen } from "../access/visit.ts";
import { findVersionAmong, type LinkRow, opensTrack } from "../page-queries.ts";
import { toPlayerComment } from "../player/player-views.ts";

/** The values of a form that are shown again. */
export type Draft = {
  name: string;
  text: string;
  at: string;
  trackId: string;
  versionId: string | undefined;
};

/**
 * Adds a visitor's comment to a track that the link opens. `authorId` is a member of the link's library, or null for anyone else.
 *
 * @throws DomainError `invalid_link` when the link has ended, does not accept comments, or did not issue the form;
 *   `validation_failed`, `track_not_found`.
 */
export function receiveComment(
  deps: Pick<Deps, "db" | "now" | "secrets">,
  share: LinkRow,
  form: URLSearchParams,
  authorId: PersonActor["personId"] | null,
): PlayerComment {
  requireOpen(deps, share);
  if (!share.allowComments) throw new DomainError("invalid_link", "This link does not accept comments");
  checkGrant(deps, share, "comment", "", form);
  if (form.get("website")) throw invalidField("website", "filled", "must be left empty");
  const trackId = form.get("track") ?? "";
  if (!opensTrack(deps.db, share, trackId))
    throw new DomainError("track_not_found", "This link does not open that track");
  const comment = {
    share,
    trackId,
    authorId,
    authorName: form.get("name") ?? "",
    text: form.get("text") ?? "",
    positionSec: readPosition(form.get("at") ?? ""),
    versionId: heardVersion(deps, form),
  };
  return toPlayerComment(addLinkComment(deps, comment));
}

/**
 * Returns the version that the form's page played of the form's track. Undefined when the track no longer has it, or the page
 * is older than this field: what a visitor wrote is then about the active version rather than lost.
 */
export function heardVersion({ db }: Pick<Deps, "db">, form: URLSearchParams): string | undefined {
  return findVersionAmong(db, form.get("track") ?? "", form.getAll("version"));
}

function readPosition(text: string): number | null {
  if (text.trim() === "") return null;
  const seconds = readClock(text);
  if (seconds !== undefined) return seconds;
  throw invalidField("at", "format", "must be a time such as 1:23");
}
