import { op } from "../../../http/operation.ts";
import { Done } from "../../people/keys/shapes.ts";
import {
  changePlayer,
  createPlayer,
  letMusicApps,
  listOwnPlayers,
  type PlayerUses,
  removePlayer,
  renewPlayer,
  revealPlayer,
} from "./service.ts";
import {
  ChangePlayer,
  CreatedPlayer,
  CreatePlayer,
  LetMusicApps,
  MAX_PLAYERS,
  PlayerParams,
  PlayerPassword,
  Players,
} from "./shapes.ts";

export type PlayerParts = { playerUses: PlayerUses };

const tag = "Music apps";

const onePlayerOperations = [
  op({
    at: "PATCH /players/:id",
    id: "updatePlayer",
    session: "member",
    input: { params: PlayerParams, body: ChangePlayer },
    tag,
    summary: "Rename a music app of yours, or change what it is sent",
    answer: Done,
    refusals: ["player_not_found", "insufficient_scope"],
    run: (deps, { actor, params, body }) => changePlayer(deps, actor, params.id, body),
  }),
  op({
    at: "GET /players/:id/password",
    id: "revealPlayerPassword",
    session: "member",
    isSecret: true,
    input: { params: PlayerParams },
    tag,
    summary: "Show the password of a music app of yours",
    description:
      "`not_found` where the operator set `KEY_REVEAL=off`, and for one that came from another server.",
    answer: PlayerPassword,
    refusals: ["player_not_found", "not_found"],
    run: (deps, { actor, params }) => revealPlayer(deps, actor, params.id),
  }),
  op({
    at: "POST /players/:id/password",
    id: "renewPlayerPassword",
    session: "member",
    isSecret: true,
    input: { params: PlayerParams },
    tag,
    summary: "Give a music app of yours a new password",
    answer: PlayerPassword,
    refusals: ["player_not_found"],
    run: (deps, { actor, params }) => renewPlayer(deps, actor, params.id),
  }),
  op({
    at: "DELETE /players/:id",
    id: "deletePlayer",
    session: "member",
    input: { params: PlayerParams },
    tag,
    summary: "Remove a music app",
    description: "One of your own; with `manage:keys`, anybody's. Its next request is refused.",
    answer: Done,
    refusals: ["player_not_found"],
    run(deps, { actor, params }) {
      removePlayer(deps, actor, params.id);
      return { ok: true };
    },
  }),
];

/** A member's music apps, and whether the library lets any in. For sessions only, as keys are. */
export const playerOperations = ({ playerUses }: PlayerParts) => [
  op({
    at: "GET /players",
    id: "listPlayers",
    session: "member",
    isSecret: true,
    tag,
    summary: "List the music apps, newest first, without passwords",
    description: "Your own; with `manage:keys`, those of everyone in the library.",
    answer: Players,
    refusals: [],
    run(deps, { actor }) {
      playerUses.flush();
      return listOwnPlayers(deps, actor);
    },
  }),
  op({
    at: "PATCH /players",
    id: "letMusicApps",
    session: "manage:library",
    input: { body: LetMusicApps },
    tag,
    summary: "Let music apps into the library, or shut them out",
    answer: LetMusicApps,
    refusals: [],
    run: (deps, { actor, body }) => letMusicApps(deps, actor, body.isOn),
  }),
  op({
    at: "POST /players",
    id: "createPlayer",
    session: "read:tracks",
    isSecret: true,
    input: { body: CreatePlayer },
    tag,
    summary: "Make a user name and a password for a music app",
    description: `They open reading of this library through \`/rest\`, as far as you may, and nothing else. At most ${MAX_PLAYERS}. Without \`sound\` it is sent small renditions.`,
    answer: CreatedPlayer,
    refusals: ["player_limit_reached", "insufficient_scope"],
    run: (deps, { actor, body }) => createPlayer(deps, actor, body),
  }),
  ...onePlayerOperations,
];
