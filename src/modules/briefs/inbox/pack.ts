import { transact } from "../../../../db/client.ts";
import { type Member, requireNeed } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { DAY_MS, parseBound, toIso } from "../../../kernel/time.ts";
import { titleOf } from "../../library/catalog/service.ts";
import { type CreditedComposer, rightsOfTracks } from "../../library/composers/service.ts";
import { createPlaylist } from "../../library/playlists/service.ts";
import { rankAmong } from "../../search/search/service.ts";
import { makeLinks, readLinks } from "../../sharing/shares/service.ts";
import { getBrief } from "../briefs/service.ts";
import { textOf } from "./fit.ts";
import { type Placed, placed } from "./order.ts";
import { type Candidate, findOrder, selectChosen, selectLibrary } from "./pack-queries.ts";
import type { BriefPack, PackSong, SendPack, SentPack } from "./pack-shapes.ts";
import { type Ranked, toSongs } from "./songs.ts";

type PackDeps = Pick<Deps, "db" | "now" | "settings" | "secrets" | "ffmpegPath">;
type Hit = { id: string; score: number; reason: string[]; visible: boolean };

/** So many results of the library are looked at, and so many of its songs are offered. */
const LIBRARY_HITS = 60;
const LIBRARY_SONGS = 12;

/**
 * Returns the tracks that could be offered for a brief: those shortlisted and kept, and others of the library. One version
 * of each song, in the order given by hand or best first, with what is missing before it can be licensed.
 *
 * @throws DomainError `brief_not_found`.
 */
export async function packOf(
  deps: PackDeps,
  actor: Member,
  briefId: string,
  signal: AbortSignal,
): Promise<BriefPack> {
  const ownerId = actor.accountId;
  const query = textOf(getBrief(deps, ownerId, briefId));
  const chosen = selectChosen(deps.db, ownerId, briefId);
  const order = findOrder(deps.db, briefId) ?? { trackIds: [], leftOut: [] };
  const sentIds = chosen.map(({ trackId }) => trackId);
  const among = [...new Set([...sentIds, ...order.trackIds])];
  const sent = await rankAmong(deps, actor, { query, among }, signal);
  const { hits, interpretation } = await rankAmong(deps, actor, { query, limit: LIBRARY_HITS }, signal);
  const visible = hits.filter((hit) => hit.visible && !among.includes(hit.id));
  const own = selectLibrary(deps.db, ownerId, [
    ...visible.map(({ id }) => id),
    ...among.filter((id) => !sentIds.includes(id)),
  ]);
  const tracks = [...ranked(chosen, sent.hits), ...ranked(own, [...visible, ...sent.hits])];
  const songs = placed(toSongs(deps.db, ownerId, tracks), order);
  const isOwn = ({ best, isIn }: Placed) => best.state === null && !isIn;
  const offered = [...songs.filter((song) => !isOwn(song)), ...songs.filter(isOwn).slice(0, LIBRARY_SONGS)];
  const credits = rightsOfTracks(
    deps,
    offered.map(({ best }) => best.trackId),
  );
  return {
    query,
    summary: interpretation.summary,
    songs: offered.map((song) => toPackSong(song, credits.get(song.best.trackId) ?? [])),
  };
}

/** Puts tracks in the order in which they fit; those that are not analysed come last. */
function ranked(tracks: readonly Candidate[], hits: readonly Hit[]): Ranked[] {
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  return tracks
    .map((track) => {
      const hit = byId.get(track.trackId);
      return { ...track, score: hit?.score ?? null, reason: hit?.reason ?? [] };
    })
    .toSorted((one, other) => (other.score ?? -1) - (one.score ?? -1));
}

function toPackSong({ best, others, isIn }: Placed, credits: readonly CreditedComposer[]): PackSong {
  const { name: _, createdAt: __, ...track } = best;
  const total = Math.round(100 * credits.reduce((sum, { share }) => sum + share, 0)) / 100;
  return {
    ...track,
    title: titleOf(best),
    source: best.state === null ? "library" : "submission",
    isIn,
    others: others.map((other) => ({ trackId: other.trackId, title: titleOf(other) })),
    total,
    composers: credits.map(({ name, role, share, pro, ipi }) => ({ name, role, share, pro, ipi })),
    problems: problemsOf(credits, total),
  };
}

const MISSING = {
  no_pro: "society",
  no_ipi: "IPI",
  bad_ipi: "valid IPI",
  no_email: "e-mail address",
} as const;

function problemsOf(credits: readonly CreditedComposer[], total: number): string[] {
  if (credits.length === 0) return ["No composers"];
  const people = new Map(credits.map((credit) => [credit.id, credit]));
  const missing = [...people.values()].flatMap(({ name, problems }) => {
    const words = problems.flatMap((problem) =>
      problem in MISSING ? MISSING[problem as keyof typeof MISSING] : [],
    );
    return words.length > 0 ? [`${name} has no ${words.join(", ")}`] : [];
  });
  return [...(total === 100 ? [] : [`Shares add up to ${total} %`]), ...missing];
}

/**
 * Makes a playlist of a brief's songs, and a link to it for each recipient, which ends; with `mail`, each link goes out. All of it
 * is made, or nothing.
 *
 * @throws DomainError `brief_not_found`, `track_not_found`; `validation_failed` for a blank name, or two links to one address;
 *   `mail_off`, `mail_limit`, `mail_stopped`.
 */
export async function sendPack(
  deps: PackDeps,
  actor: Member,
  briefId: string,
  { name, trackIds, mail, ...sent }: SendPack,
): Promise<SentPack> {
  for (const need of ["create:shares", "create:playlists"] as const) requireNeed(actor, need);
  const ownerId = actor.accountId;
  const description = `For ${getBrief(deps, ownerId, briefId).name}`;
  const links = await readLinks(deps, actor, linksOf(deps, sent), { mail, kind: "pack" });
  return transact(deps.db, (tx) => {
    const inTx = within(deps, tx);
    const songs = { name, description, trackIds, dedupe: true };
    const made = createPlaylist(inTx, actor, songs, { isShared: false });
    if (!made.ok) throw new DomainError("track_not_found", made.message);
    const { id: playlistId, name: playlistName } = made.playlist;
    const target = { ownerId, entity: "playlist", entityId: playlistId } as const;
    return { playlistId, name: playlistName, links: makeLinks(inTx, target, links) };
  });
}

/** Returns what the link of each recipient is to be; who is named twice gets one. */
function linksOf(
  { now }: Pick<Deps, "now">,
  {
    recipients,
    recipientEmails = [],
    expiresInDays,
    notBefore = null,
    ...terms
  }: Omit<SendPack, "name" | "trackIds" | "mail">,
) {
  if (recipientEmails.length > recipients.length)
    throw invalidField("recipientEmails", "too_many", "must be no more than there are recipients");
  const opensAt = notBefore === null ? undefined : parseBound(notBefore, "first");
  const expiresAt = toIso(Math.max(now(), opensAt ?? 0) + expiresInDays * DAY_MS);
  const people = recipients.map((each, at) => {
    const [recipient, recipientEmail] = [each.trim(), recipientEmails[at] ?? undefined];
    return { recipient, ...(recipientEmail !== undefined && { recipientEmail }) };
  });
  const named = people.filter(({ recipient }) => recipient !== "");
  const each = new Map(named.map((person) => [JSON.stringify(person), person]));
  return [...each.values()].map((person) => ({ ...person, ...terms, notBefore, expiresAt }));
}
