import { toIso, toIsoOrNull } from "../../../../kernel/time.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { labelOf } from "../../comments/service.ts";
import type { LastAnswer, ListedAnswer } from "./queries.ts";
import type { LinkAnswer, ShareAnswer } from "./shapes.ts";

/** Returns an answer as a link shows it. */
export function toLinkAnswer({ trackId, answer, text, at, doneAt }: LastAnswer): LinkAnswer {
  return { trackId, answer, text, at: toIso(at), done: doneAt !== null };
}

/** Returns an answer as the inbox shows it. */
export function toShareAnswer(row: ListedAnswer): ShareAnswer {
  const { id, shareId, recipient, recipientEmail, entity, entityId, playlistName } = row;
  const { artist, versionId, label, versionOrder, doneAt } = row;
  return {
    id,
    shareId,
    recipient,
    recipientEmail,
    entity,
    entityId,
    playlistName,
    ...toLinkAnswer(row),
    title: titleOf(row),
    artist,
    versionId,
    versionLabel: versionOrder === null ? null : labelOf({ label, versionOrder }),
    doneAt: toIsoOrNull(doneAt),
  };
}
