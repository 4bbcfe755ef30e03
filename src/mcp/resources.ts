import { ProtocolError, type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Dispatch, OperationCall } from "./calls/dispatch.ts";
import { scopeMessage } from "./calls/results.ts";
import type { Call, ResourceEntry } from "./surface.ts";
import { compactTaxonomy } from "./tools/compact.ts";

const JSON_TYPE = "application/json";
/** A code from the range that JSON-RPC reserves for servers. */
const REFUSED = -32_000;
const TRACK = /^dubplate:\/\/track\/([^/?#]+)$/;
const PLAYLIST = /^dubplate:\/\/playlist\/([^/?#]+)$/;

/**
 * The resources that a client may attach to a conversation without a tool call: the taxonomy, a track, a playlist.
 */
export function resourceEntries(dispatch: Dispatch): ResourceEntry[] {
  return [
    {
      listed: {
        uri: "dubplate://taxonomy",
        name: "taxonomy",
        title: "Tag taxonomy",
        description: "Every tag name that tracks may carry, by category, in display order",
        mimeType: JSON_TYPE,
      },
      matches: (uri) => uri === "dubplate://taxonomy",
      scopes: ["read:tracks"],
      read: (uri, call) => read(dispatch, uri, { operation: "getTaxonomy" }, call, compactTaxonomy),
    },
    {
      listed: {
        uriTemplate: "dubplate://track/{id}",
        name: "track",
        title: "Track",
        description: "A track with every tag, its details, credits, measurements and versions",
        mimeType: JSON_TYPE,
      },
      matches: (uri) => TRACK.test(uri),
      scopes: ["read:tracks"],
      read: (uri, call) =>
        read(dispatch, uri, { operation: "getTrack", query: { id: idIn(uri, TRACK) } }, call),
    },
    {
      listed: {
        uriTemplate: "dubplate://playlist/{id}",
        name: "playlist",
        title: "Playlist",
        description:
          "A playlist with its tracks in order, their audio profiles and download links for one hour",
        mimeType: JSON_TYPE,
      },
      matches: (uri) => PLAYLIST.test(uri),
      scopes: ["read:playlists"],
      read: (uri, call) => {
        const params = { playlistId: idIn(uri, PLAYLIST) };
        return read(dispatch, uri, { operation: "getPlaylist", params }, call);
      },
    },
  ];
}

/** @throws ProtocolError when the resource does not exist, or the caller may not read it. */
async function read(
  dispatch: Dispatch,
  uri: string,
  request: OperationCall,
  { caller, context }: Call,
  shorten?: (payload: never) => object,
): Promise<ReadResourceResult> {
  const { status, body } = await dispatch(request, caller, context.mcpReq.signal);
  if (status !== 200) {
    const { messageCode, message, data } = body;
    const text = messageCode === "insufficient_scope" ? scopeMessage(data) : `${messageCode}: ${message}`;
    throw new ProtocolError(REFUSED, text);
  }
  const payload = body.data as { ok?: boolean; track?: unknown };
  if (payload.ok === false || payload.track === null) throw new ResourceNotFoundError(uri);
  // A route's answer matches its schema, which `shorten` expects.
  const shown = shorten?.(payload as never) ?? payload;
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(shown) }] };
}

function idIn(uri: string, pattern: RegExp): string {
  const encoded = pattern.exec(uri)?.[1] ?? "";
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new ResourceNotFoundError(uri);
  }
}
