import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { mayDo, requireNeed, type SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { requireText } from "../../../kernel/text.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { updateAccount } from "../../people/accounts/service.ts";
import { peopleIn } from "../../people/people/service.ts";
import * as queries from "./queries.ts";
import { openSecret, sealSecret } from "./sealed.ts";
import { newSecret, newUsername } from "./secret.ts";
import {
  type ChangePlayer,
  type CreatedPlayer,
  type CreatePlayer,
  type ListedPlayer,
  MAX_PLAYERS,
  type PlayerPassword,
} from "./shapes.ts";

export { type Player, provePlayer, type Shown } from "./prove.ts";
export { isAnyLetIn, listEveryPlayer } from "./queries.ts";
export { resealPlayers } from "./sealed.ts";
export { createPlayerUses, type PlayerUses } from "./uses.ts";

type PlayerDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** Returns whether the library lets music apps in, and those that the member may remove: their own, or everybody's. Newest first. */
export function listOwnPlayers(
  deps: PlayerDeps,
  actor: SessionActor,
): { isOn: boolean; canReveal: boolean; server: string; items: ListedPlayer[] } {
  const { accountId, personId } = actor;
  const isShown = (row: queries.PlayerRow) => mayDo(actor, "manage:keys") || row.personId === personId;
  const rows = queries.listPlayers(deps.db, accountId).filter(isShown);
  const by = peopleIn(
    deps,
    accountId,
    rows.map((row) => row.personId),
  );
  const items = rows.map((row) => ({
    ...toListed(row),
    madeBy: by(row.personId),
    isOwn: row.personId === personId,
  }));
  const isOn = queries.isLetIn(deps.db, accountId);
  return { isOn, canReveal: deps.settings.revealKeys, server: publicUrlOf(deps.settings), items };
}

/** Lets music apps in, or shuts all of them out with their next request. Audited. */
export function letMusicApps(
  { db, now }: PlayerDeps,
  { accountId }: SessionActor,
  isOn: boolean,
): { isOn: boolean } {
  transact(db, (tx) => {
    if (queries.isLetIn(tx, accountId) === isOn) return;
    updateAccount(tx, accountId, { musicApps: isOn });
    const action = isOn ? "player.let_in" : "player.shut_out";
    audit(tx, { actor: accountId, action, subject: accountId }, now());
  });
  return { isOn };
}

/**
 * Makes a user name and a password for a music app of the member. Audited.
 *
 * @throws DomainError `player_limit_reached`; `insufficient_scope` for original files that the role does not have;
 *   `validation_failed` when the name is blank.
 */
export function createPlayer(
  deps: PlayerDeps,
  actor: SessionActor,
  { name: given, sound = "small" }: CreatePlayer,
): CreatedPlayer {
  const name = requireText("name", given);
  if (sound === "original") requireNeed(actor, "download:originals");
  const { accountId, personId } = actor;
  return transact(deps.db, (tx) => {
    if (queries.countPlayers(tx, accountId, personId) >= MAX_PLAYERS)
      throw new DomainError(
        "player_limit_reached",
        `You may have ${MAX_PLAYERS} music apps: remove one first`,
      );
    const id = newId("plr");
    const secret = newSecret();
    const username = freeUsername(tx, name);
    const at = deps.now();
    queries.insertPlayer(tx, {
      id,
      accountId,
      personId,
      name,
      username,
      ...kept(deps, id, secret),
      sound,
      createdAt: at,
    });
    audit(tx, { actor: accountId, action: "player.create", subject: id, detail: { name, sound } }, at);
    return { id, server: publicUrlOf(deps.settings), ...credentials(username, secret) };
  });
}

/**
 * Changes the name of a music app, or what it is sent. Audited.
 *
 * @throws DomainError `player_not_found`; else as {@link createPlayer}.
 */
export function changePlayer(
  { db, now }: PlayerDeps,
  actor: SessionActor,
  id: string,
  { name, sound }: ChangePlayer,
): { ok: true } {
  return transact(db, (tx) => {
    getOwn(tx, actor, id);
    if (sound === "original") requireNeed(actor, "download:originals");
    const change = {
      ...(name !== undefined && { name: requireText("name", name) }),
      ...(sound && { sound }),
    };
    if (Object.keys(change).length === 0) return { ok: true };
    queries.updatePlayer(tx, id, change);
    audit(tx, { actor: actor.accountId, action: "player.change", subject: id, detail: change }, now());
    return { ok: true };
  });
}

/**
 * Returns the password of one of the member's own music apps, where the operator allows it. Audited.
 *
 * @throws DomainError `player_not_found`; `not_found` with `KEY_REVEAL=off`, and for one that does not open.
 */
export function revealPlayer(deps: PlayerDeps, actor: SessionActor, id: string): PlayerPassword {
  if (!deps.settings.revealKeys)
    throw new DomainError("not_found", "This server does not show a password again: make a new one");
  // A rotation of the master secret seals the copy anew: it is read where it is opened.
  return transact(deps.db, (tx) => {
    const row = getOwn(tx, actor, id);
    const secret = openSecret(deps, row);
    if (secret === undefined)
      throw new DomainError("not_found", "This password cannot be shown: make a new one");
    const detail = { name: row.name };
    audit(tx, { actor: actor.accountId, action: "player.reveal", subject: id, detail }, deps.now());
    return credentials(row.username, secret);
  });
}

/**
 * Gives one of the member's own music apps a new password; the old one ends at once. Audited.
 *
 * @throws DomainError `player_not_found`.
 */
export function renewPlayer(deps: PlayerDeps, actor: SessionActor, id: string): PlayerPassword {
  return transact(deps.db, (tx) => {
    const { username, name } = getOwn(tx, actor, id);
    const secret = newSecret();
    queries.updatePlayer(tx, id, kept(deps, id, secret));
    const detail = { name };
    audit(tx, { actor: actor.accountId, action: "player.password", subject: id, detail }, deps.now());
    return credentials(username, secret);
  });
}

/**
 * Removes a music app: its own one, or anybody's for those who manage keys. Its next request is refused. Audited.
 *
 * @throws DomainError `player_not_found`.
 */
export function removePlayer({ db, now }: PlayerDeps, actor: SessionActor, id: string): void {
  transact(db, (tx) => {
    const row = queries.findPlayer(tx, actor.accountId, id);
    if (!row || (!mayDo(actor, "manage:keys") && row.personId !== actor.personId)) throw noSuchPlayer();
    revoke(tx, row, actor.accountId, now());
  });
}

/** Returns the music apps of a library that were not removed, newest first, for the operator. Never a secret. */
export function listPlayersOf({ db }: Pick<Deps, "db">, accountId: LibraryId) {
  return queries.listPlayers(db, accountId).map(toListed);
}

/**
 * Removes a music app of any library, for the operator. A repeated call changes nothing.
 *
 * @throws DomainError `player_not_found`.
 */
export function revokeAnyPlayer({ db, now }: Pick<Deps, "db" | "now">, id: string): { ok: true } {
  return transact(db, (tx) => {
    const row = queries.findAnyPlayer(tx, id);
    if (!row) throw noSuchPlayer();
    if (row.revokedAt === null) revoke(tx, row, "operator", now());
    return { ok: true };
  });
}

/** Somebody with music apps in a library. */
type Maker = { accountId: LibraryId; personId: PersonId };

/** Returns how many music apps somebody has in a library. */
export const countPlayersOf = (db: Db, { accountId, personId }: Maker): number =>
  queries.countPlayers(db, accountId, personId);

/** Removes somebody's music apps; returns how many. Audited. Call it in the transaction that ends the membership. */
export function endPlayersOf(tx: Db, { accountId, personId }: Maker, at: number): number {
  const own = queries.listPlayers(tx, accountId).filter((row) => row.personId === personId);
  for (const row of own) revoke(tx, row, accountId, at);
  return own.length;
}

function revoke(tx: Db, { id, name, accountId }: queries.PlayerRow, actor: string, at: number): void {
  queries.updatePlayer(tx, id, { revokedAt: at });
  audit(tx, { actor, action: "player.revoke", subject: id, detail: { name }, accountId }, at);
}

/** Nobody sees, changes or renews the password of somebody else. */
function getOwn(db: Db, { accountId, personId }: SessionActor, id: string): queries.PlayerRow {
  const row = queries.findPlayer(db, accountId, id);
  if (row?.personId === personId) return row;
  throw noSuchPlayer();
}

const noSuchPlayer = () => new DomainError("player_not_found", "There is no such music app");

function freeUsername(db: Db, name: string): string {
  for (;;) {
    const username = newUsername(name);
    if (!queries.hasUsername(db, username)) return username;
  }
}

const kept = ({ secrets }: Pick<Deps, "secrets">, id: string, secret: string) => ({
  secretHash: sha256(secret),
  secretCopy: sealSecret(secrets, id, secret),
});

const credentials = (username: string, password: string) => ({
  username,
  password,
  apiKey: `${username}.${password}`,
});

const toListed = (row: queries.PlayerRow) => ({
  id: row.id,
  name: row.name,
  username: row.username,
  sound: row.sound,
  client: row.client,
  createdAt: toIso(row.createdAt),
  lastUsedAt: toIsoOrNull(row.lastUsedAt),
});
