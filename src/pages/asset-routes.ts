import { isUnchanged } from "../http/files/range.ts";
import { route } from "../http/route.ts";
import { DomainError } from "../kernel/errors.ts";
import { type Asset, loadAssets } from "./assets.ts";
import { CONSOLE_NAME, loadConsoleFiles } from "./console-files.ts";
import { encodingFor } from "./encoding.ts";

/**
 * `GET|HEAD /assets/{name}`: the style sheets, scripts and icons of the pages and the console. The content behind a name
 * never changes.
 */
export const assetRoutes = [
  route({
    at: "GET /assets/:name",
    run: async ({ params, request }) => {
      const asset = await findAsset(params.name);
      if (!asset) throw new DomainError("not_found", "There is nothing at this address");
      return assetResponse(request, asset);
    },
  }),
];

/** The console's files are made when one of their names is asked for, not with the first page. */
async function findAsset(wanted: string): Promise<Asset | undefined> {
  if (CONSOLE_NAME.test(wanted)) return (await loadConsoleFiles()).assets.get(wanted);
  return [...(await loadAssets()).values()].find(({ name }) => name === wanted);
}

function assetResponse(request: Request, asset: Asset): Response {
  const wanted = encodingFor(request.headers.get("accept-encoding"));
  const packed = { br: asset.brotli, gzip: asset.gzip, identity: undefined }[wanted];
  const encoding = packed ? wanted : "identity";
  const etag = `"${asset.name}-${encoding}"`;
  const headers = new Headers({
    "content-type": asset.mediaType,
    etag,
    vary: "Accept-Encoding",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'",
  });
  if (isUnchanged(request.headers, { etag, lastModifiedAt: Number.POSITIVE_INFINITY }))
    return new Response(null, { status: 304, headers });
  if (encoding !== "identity") headers.set("content-encoding", encoding);
  return new Response((packed ?? asset.bytes) as Uint8Array<ArrayBuffer>, { headers });
}
