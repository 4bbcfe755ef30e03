import type { Role } from "../../../../db/schema.ts";
import { toIso } from "../../../kernel/time.ts";

/** What an entry of the audit log says beside the action. Entries of earlier versions say less. */
type Detail = {
  /** Who did it, as people call them. */
  doer: string;
  name?: string;
  email?: string;
  role?: Role;
  endsAt?: number | null;
  seesSplits?: boolean;
  seesListening?: boolean;
  tracks?: number;
  playlists?: number;
  /** The playlist of a guest. */
  room?: string;
};

/** A role with its article. */
const AS: Readonly<Record<Role, string>> = {
  owner: "the owner",
  manager: "a manager",
  producer: "a producer",
  artist: "an artist",
  listener: "a listener",
};

const asRole = ({ role }: Detail) => (role ? ` as ${role}` : "");
const intoRoom = ({ room }: Detail) => (room ? ` into “${room}”` : "");
const key = ({ name }: Detail) => (name ? `the API key “${name}”` : "an API key");
const app = ({ name }: Detail) => (name ? `the music app “${name}”` : "a music app");
const device = ({ name }: Detail) => (name ? `“${name}”` : "a device");
const program = ({ name }: Detail) => name ?? "a program";

/** What the log says of each action. Others are not the library's business. */
export const SENTENCES: Readonly<Record<string, (detail: Detail) => string>> = {
  "team.invite": (it) => `${it.doer} invited ${it.email}${intoRoom(it)}${asRole(it)}`,
  "team.invite_again": (it) => `${it.doer} made a new link for ${it.email}`,
  "team.withdraw": (it) => `${it.doer} withdrew the invitation for ${it.email}`,
  "team.join": (it) => `${it.name} joined${it.room ? ` “${it.room}”` : ""}${asRole(it)}`,
  "team.change": changeOf,
  "team.remove": (it) => `${it.doer} removed ${it.name}`,
  "team.leave": (it) => `${it.name} left`,
  "team.end": (it) => `The membership of ${it.name} ended`,
  "team.owner": (it) => `${it.doer} handed the library over to ${it.name}`,
  "room.add": (it) => `${it.doer} let ${it.name}${intoRoom(it)}${asRole(it)}`,
  "room.change": (it) => `${it.doer} changed what ${it.name} may do in “${it.room}”`,
  "room.remove": (it) => `${it.doer} took ${it.name} out of “${it.room}”`,
  "library.rename": (it) => `${it.doer} called the library “${it.name}”`,
  "key.create": (it) => `${it.doer} made ${key(it)}`,
  "key.rotate": (it) => `${it.doer} gave ${key(it)} a new secret`,
  "key.scopes": (it) => `${it.doer} changed what ${key(it)} may do`,
  "key.reveal": (it) => `${it.doer} looked at the secret of ${key(it)}`,
  "key.revoke": (it) => `${it.doer} revoked ${key(it)}`,
  "key.keep": (it) => `${it.doer} took over ${key(it)}`,
  "key.webhook": (it) => `${it.doer} changed a webhook`,
  "player.let_in": (it) => `${it.doer} let music apps in`,
  "player.shut_out": (it) => `${it.doer} shut music apps out`,
  "player.create": (it) => `${it.doer} added ${app(it)}`,
  "player.change": (it) => `${it.doer} changed ${app(it)}`,
  "player.reveal": (it) => `${it.doer} looked at the password of ${app(it)}`,
  "player.password": (it) => `${it.doer} gave ${app(it)} a new password`,
  "player.revoke": (it) => `${it.doer} removed ${app(it)}`,
  "device.create": (it) => `${it.doer} lets ${device(it)} keep music`,
  "device.withdraw": (it) => `${it.doer} withdrew the copies of ${device(it)}`,
  "grant.create": (it) => `${it.doer} let ${program(it)} in`,
  "grant.revoke": (it) => `${it.doer} disconnected ${program(it)}`,
  "bin.delete": (it) => `${it.doer} deleted ${binned(it)} for good`,
  "bin.empty": (it) => `${it.doer} emptied the bin (${binned(it)})`,
};

/** Returns what an entry of the log says. */
export function sentenceOf(action: string, detail: Detail): string {
  return SENTENCES[action]?.(detail) ?? action;
}

function changeOf({ doer, name = "", role, endsAt, seesSplits, seesListening }: Detail): string {
  const changes = [
    ...(role === undefined ? [] : [(who: string) => `made ${who} ${AS[role]}`]),
    ...(seesSplits === undefined ? [] : [sight("splits", seesSplits)]),
    ...(seesListening === undefined ? [] : [sight("who listened", seesListening)]),
    ...(endsAt === undefined ? [] : [(who: string) => endOf(endsAt, who)]),
  ];
  const words = changes.map((say, index) => say(index === 0 ? name : "them"));
  return `${doer} ${words.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
}

const sight = (what: string, isSeen: boolean) => (who: string) =>
  isSeen ? `let ${who} see ${what}` : `hid ${what} from ${who}`;

const endOf = (endsAt: number | null, who: string) =>
  endsAt === null ? `let ${who} stay without an end` : `let ${who} stay until ${dayOf(endsAt)}`;

const dayOf = (at: number) => toIso(at).slice(0, 10);

function binned({ tracks = 0, playlists = 0 }: Detail): string {
  const parts = [counted(tracks, "track"), counted(playlists, "playlist")].filter((part) => part !== "");
  return parts.join(" and ") || "nothing";
}

const counted = (count: number, noun: string) =>
  count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
