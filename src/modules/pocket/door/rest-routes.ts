import { STATUS } from "../../../http/errors.ts";
import { servedFile } from "../../../http/files/file-response.ts";
import { sendPicture } from "../../../http/files/picture.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { signalOf, stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import { type AttemptLimit, createAttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { readForm } from "../../../pages/form.ts";
import { isAnyLetIn } from "../players/service.ts";
import { CHANGING, EXTENSIONS } from "./account.ts";
import { answered, type Format, refused } from "./answer.ts";
import { authenticate } from "./authenticate.ts";
import { type Call, callOf, callWithoutOutline, type DoorParts } from "./caller.ts";
import { downloadedFile, pictureOf, streamedFile } from "./media.ts";
import { METHODS } from "./methods.ts";
import { createOutlines, type OutlineOf } from "./outline/kept.ts";
import { checkVersion, formatOf, type Parameters, readParameters } from "./parameters.ts";
import { CODES, Refusal } from "./refusal.ts";

/** What a door keeps from one call to the next. */
type Door = { deps: Deps; parts: DoorParts; outlineOf: OutlineOf; wrong: AttemptLimit };

const FOR_A_PLAYER = { "cache-control": "private, max-age=86400" };

/** The methods that answer with files. */
const FILES: Readonly<Record<string, (call: Call, request: Request) => Response | Promise<Response>>> = {
  stream: (call, request) => servedFile(request, streamedFile(call)),
  download: (call, request) => servedFile(request, downloadedFile(call)),
  getCoverArt: (call, request) => {
    const picture = pictureOf(call);
    return sendPicture(request, picture, picture.key, FOR_A_PLAYER);
  },
};

/** The methods that need no outline of the library. */
const LIGHT: ReadonlySet<string> = new Set(["ping", "stream", "download", "scrobble"]);

/** The routes of the door. Without a library that lets music apps in, there is nothing at their addresses. */
export function restRoutes(deps: Deps, parts: DoorParts): readonly Route[] {
  const door: Door = { deps, parts, outlineOf: createOutlines(deps), wrong: createAttemptLimit(deps.now) };
  const run = async ({ request, params }: { request: Request; params: { method: string } }) => {
    if (!isAnyLetIn(deps.db)) throw new DomainError("not_found", "There is nothing at this address");
    let parameters = readParameters(new URL(request.url).searchParams);
    try {
      const form = isForm(request) ? await readForm(request) : undefined;
      parameters = readParameters(new URL(request.url).searchParams, form);
      return await answer(door, request, params.method.replace(/\.view$/, ""), parameters);
    } catch (error) {
      return refusedAs(deps, formatOf(parameters) ?? "xml", error);
    }
  };
  return [route({ at: "GET /rest/:method", run }), route({ at: "POST /rest/:method", run })];
}

const isForm = ({ method, headers }: Request) =>
  method === "POST" && /^application\/x-www-form-urlencoded\b/i.test(headers.get("content-type") ?? "");

async function answer(
  door: Door,
  request: Request,
  method: string,
  parameters: Parameters,
): Promise<Response> {
  const { deps, parts } = door;
  const format = formatOf(parameters);
  if (format === undefined) throw new Refusal("generic", "Only f=xml and f=json are spoken here");
  const file = Object.hasOwn(FILES, method) ? FILES[method] : undefined;
  const data = METHODS.get(method);
  if (!file && !data && !CHANGING.has(method))
    return refused(format, new Refusal("generic", "There is no such method"), { status: 404 });
  checkVersion(parameters);
  if (method === "getOpenSubsonicExtensions") return answered(format, EXTENSIONS);
  const client = rateLimitKey(stateOf(request).ip);
  const player = authenticate(deps, parameters, { wrong: door.wrong, client });
  parts.playerUses.record(player.playerId, parameters.find("c"));
  if (CHANGING.has(method)) throw new Refusal("notAllowed", "Dubplate is read only for music apps");
  const asked = { player, parameters, signal: signalOf(request) };
  const call = LIGHT.has(method)
    ? callWithoutOutline(deps, asked)
    : await callOf(deps, door.outlineOf, asked);
  if (file) return file(call, request);
  return answered(format, (await data?.(call)) ?? {});
}

/** Returns the answer to a refusal. @throws what is a fault of the program. */
function refusedAs({ settings }: Pick<Deps, "settings">, format: Format, error: unknown): Response {
  if (error instanceof Refusal) {
    const helpUrl = error.isAboutAccess
      ? { helpUrl: `${publicUrlOf(settings)}/library/settings/devices` }
      : {};
    return refused(format, error, helpUrl);
  }
  if (!(error instanceof DomainError) || error.code === "internal_error") throw error;
  return translated(format, error);
}

/** Returns a refusal of the front door, or what is said of a fault of the program, in the words of the protocol. */
export function doorRefusal(request: Request, refusal: DomainError): Response {
  return translated(formatOf(readParameters(new URL(request.url).searchParams)) ?? "xml", refusal);
}

function translated(format: Format, { code, message, headers }: DomainError): Response {
  const isAbsent = code === "file_missing" || STATUS[code] === 404;
  const status = KEPT.has(STATUS[code]) ? STATUS[code] : 200;
  return refused(
    format,
    { code: isAbsent ? CODES.notFound : CODES.generic, message },
    { status, ...(headers && { headers }) },
  );
}

/** What players and proxies act on: too large, a range outside the file, too many, a fault, not now. */
const KEPT: ReadonlySet<number> = new Set([413, 416, 429, 500, 503, 507]);
