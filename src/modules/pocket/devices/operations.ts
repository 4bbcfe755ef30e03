import { Type } from "@sinclair/typebox";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import { createAttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { Done } from "../../people/keys/shapes.ts";
import {
  createDevice,
  listOwnDevices,
  sendOutbox,
  stateOfDevice,
  syncDevice,
  withdrawDevice,
} from "./service.ts";
import {
  AskState,
  CreateDevice,
  CreatedDevice,
  Device,
  DeviceParams,
  DeviceState,
  MAX_DEVICES,
  OutboxResults,
  SendOutbox,
  SyncDevice,
  Synced,
  SyncQuery,
} from "./shapes.ts";

const tag = "Devices";

/** Devices that keep music to play it without a connection. For sessions, but for the question of a device about itself. */
export const deviceOperations = (deps: Deps) => [
  ...ownOperations,
  ...keepingOperations,
  stateOperation(deps),
];

const ownOperations = [
  op({
    at: "GET /pocket",
    id: "listDevices",
    session: "member",
    isSecret: true,
    tag,
    summary: "List the devices that keep music, newest first",
    description: "Your own; with `manage:keys`, those of everyone in the library.",
    answer: Type.Array(Device),
    refusals: [],
    run: (deps, { actor }) => listOwnDevices(deps, actor),
  }),
  op({
    at: "POST /pocket",
    id: "createDevice",
    session: "read:tracks",
    isSecret: true,
    input: { body: CreateDevice },
    tag,
    summary: "Make this device one that keeps music",
    description: `At most ${MAX_DEVICES}.`,
    answer: CreatedDevice,
    refusals: ["too_many_devices"],
    run: (deps, { actor, body, request }) =>
      createDevice(deps, actor, { name: body.name, userAgent: request.headers.get("user-agent") }),
  }),
  op({
    at: "DELETE /pocket/:id",
    id: "withdrawDevice",
    session: "member",
    input: { params: DeviceParams },
    tag,
    summary: "Withdraw the copies of a device",
    description:
      "One of your own; with `manage:keys`, anybody's. It deletes them when it next reaches the server, and plays them for 30 days at most.",
    answer: Done,
    refusals: ["pocket_not_found"],
    run(deps, { actor, params }) {
      withdrawDevice(deps, actor, params.id);
      return { ok: true };
    },
  }),
];

const keepingOperations = [
  op({
    at: "POST /pocket/:id/sync",
    id: "syncDevice",
    session: "read:tracks",
    isSecret: true,
    input: { params: DeviceParams, query: SyncQuery, body: SyncDevice },
    tag,
    summary: "Say what a device of yours has, and learn what it is to keep",
    description:
      "Playlists follow their tracks, and tracks their active version. What is hidden, or in the bin, goes.",
    answer: Synced,
    refusals: ["pocket_not_found", "too_many_tracks"],
    run: (deps, { actor, params, query, body }) =>
      syncDevice(deps, actor, params.id, {
        sent: body,
        accepts: (query.accept ?? "").split(",").map((type) => type.trim()),
      }),
  }),
  op({
    at: "POST /pocket/:id/outbox",
    id: "sendOutbox",
    session: "read:tracks",
    input: { params: DeviceParams, body: SendOutbox },
    tag,
    summary: "Send what waited for a connection: listens and comments",
    description:
      "Each is stored once, by its id, however often it is sent, and one that is refused stops no other.",
    answer: OutboxResults,
    refusals: ["pocket_not_found"],
    run: (deps, { actor, params, body }) => ({ results: sendOutbox(deps, actor, params.id, body.items) }),
  }),
];

/** Without a session, which may have ended long before. */
function stateOperation({ now }: Deps) {
  const wrong = createAttemptLimit(now);
  return op({
    at: "POST /pocket/state",
    isAtRoot: true,
    id: "getDeviceState",
    isSecret: true,
    input: { body: AskState },
    tag,
    summary: "Ask whether a device may go on with its copies",
    description: "Needs no session: the device shows its own token.",
    answer: DeviceState,
    refusals: ["pocket_not_found", "rate_limit_exceeded"],
    run: (deps, { body, request }) =>
      stateOfDevice(deps, body, wrong(body.id, rateLimitKey(stateOf(request).ip))),
  });
}
