import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { Words } from "../../../mail/letters/service.ts";
import { checkOwned, entityOf } from "../making.ts";
import { readSettings, withRules } from "../settings.ts";
import type { CreateShare } from "../shapes.ts";
import { shownAs, wordsOfLink } from "./words.ts";

/** Stands where the address of a link is that is not made yet. */
const TOKEN = "made-when-sent";

type From = Parameters<typeof wordsOfLink>[2];
type Previewed = Omit<CreateShare, "mail" | "recipient" | "recipientEmail"> & { when: "now" | "open" };

/**
 * Returns what the mail of a link says that is not made yet.
 *
 * @param pack Of a playlist that is not made either: its name, and the titles of its tracks.
 * @throws DomainError `track_not_found`, `playlist_not_found`; `validation_failed` as when it is made.
 */
export async function wordsOfNewLink(
  deps: Pick<Deps, "db" | "now" | "settings" | "ffmpegPath">,
  ownerId: LibraryId,
  { trackId, playlistId, when, password, ...terms }: Previewed,
  pack?: { name: string; titles: readonly string[] },
): Promise<(from: From) => Words> {
  const target = pack
    ? ({ entity: "playlist", entityId: "" } as const)
    : entityOf({
        ...(trackId !== undefined && { trackId }),
        ...(playlistId !== undefined && { playlistId }),
      });
  if (!pack) checkOwned(deps.db, { ownerId, ...target });
  const read = withRules({ ...(await readSettings(deps, terms)), recipient: "?" });
  const { expiresAt = null, notBefore = null, allowReview = false, askAnswer = false } = read;
  const link = {
    ...{ ...target, ownerId, token: TOKEN, expiresAt, notBefore, allowReview, askAnswer },
    passwordHash: password == null ? null : "?",
    ...(pack && { shown: shownAs(pack.name, pack.titles) }),
  };
  const at = deps.now();
  const dueAt = when === "open" ? Math.max(at, notBefore ?? at) : at;
  return (from) => wordsOfLink(deps, link, from, dueAt);
}
