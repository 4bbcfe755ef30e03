import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { DAY_MS, toIso } from "../../../kernel/time.ts";
import { titleOf } from "../../library/catalog/service.ts";
import type { Words } from "../../mail/letters/service.ts";
import { previewByHand, readMessage } from "../../mail/outbox/service.ts";
import type { MailPreview } from "../../mail/outbox/shapes.ts";
import { reminderOf, wordsOfNewLink } from "../../sharing/shares/service.ts";
import { askingLetterOf } from "../briefs/service.ts";
import { selectLibrary } from "./pack-queries.ts";
import type { PreviewMail } from "./preview-shapes.ts";

type PreviewDeps = Pick<Deps, "db" | "now" | "settings" | "secrets" | "ffmpegPath">;
type Say = (from: { library: string; by: string; message: string | null }) => Words;

/**
 * Returns what a mail would be: of a link, a pack, a request for music or a reminder. Nothing is made or sent.
 *
 * @throws DomainError `track_not_found`, `playlist_not_found`, `brief_not_found`, `share_not_found`; `validation_failed`; `mail_off`,
 *   `insufficient_scope`.
 */
export async function previewMail(
  deps: PreviewDeps,
  actor: SessionActor,
  input: PreviewMail,
): Promise<MailPreview> {
  const { kind, message, replyTo = false } = input;
  const said = readMessage(message, "message");
  const { say, to } = await sayOf(deps, actor, input);
  return previewByHand(deps, actor, {
    ...{ kind, to, replyTo },
    words: ({ look, by }) => say({ library: look.library, by, message: said }),
  });
}

async function sayOf(
  deps: PreviewDeps,
  { accountId }: SessionActor,
  input: PreviewMail,
): Promise<{ say: Say; to: { name: string | null; email: string }[] }> {
  const {
    kind,
    message: _,
    replyTo: __,
    recipients = [],
    when = "now",
    briefId,
    shareIds = [],
    ...rest
  } = input;
  const { name, trackIds = [], expiresInDays, ...link } = rest;
  const to = recipients.map((each) => ({ name: each.recipient ?? null, email: each.recipientEmail }));
  if (kind === "reminder") {
    const [first, ...others] = shareIds.map((id) => reminderOf(deps, accountId, id));
    if (!first) throw invalidField("shareIds", "required", "must name a link");
    const all = [first, ...others].flatMap(({ to: { name: who, email } }) =>
      email === null ? [] : [{ name: who, email }],
    );
    return { say: first.words, to: all };
  }
  if (kind === "brief") {
    const brief = askingLetterOf(deps, accountId, briefId ?? "");
    return { say: brief, to };
  }
  if (kind === "link") return { say: await wordsOfNewLink(deps, accountId, { ...link, when }), to };
  const byId = new Map(selectLibrary(deps.db, accountId, trackIds).map((track) => [track.trackId, track]));
  const tracks = [...new Set(trackIds)].map((id) => byId.get(id));
  if (tracks.length === 0 || tracks.includes(undefined))
    throw new DomainError("track_not_found", "There is no such track");
  const titles = tracks.flatMap((track) => (track ? [titleOf(track)] : []));
  const ends = expiresInDays === undefined ? {} : { expiresAt: toIso(deps.now() + expiresInDays * DAY_MS) };
  return {
    say: await wordsOfNewLink(deps, accountId, { ...link, ...ends, when }, { name: name ?? "", titles }),
    to,
  };
}
