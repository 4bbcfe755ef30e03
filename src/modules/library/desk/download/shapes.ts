import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../../http/envelope.ts";
import { spelt } from "../../../../kernel/text.ts";
import { Where } from "../bulk/shapes.ts";

const MAX_ARCHIVE_NAME = 200;
/** How long a prepared download can be read. */
export const DOWNLOAD_MINUTES = 10;

export const DownloadRequest = shape("DownloadRequest", {
  where: Where,
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_ARCHIVE_NAME, description: "Of the archive, without `.zip`" }),
  ),
});
export type DownloadRequest = Static<typeof DownloadRequest>;

export const PreparedDownload = shape("PreparedDownload", {
  path: Type.String({
    description: `Where the archive is read, with the session, for ${spelt(DOWNLOAD_MINUTES)} minutes`,
  }),
  filename: Type.String(),
  files: Type.Integer({ minimum: 1 }),
  sizeBytes: Type.Integer({ minimum: 0, description: "Of the archive" }),
  missing: Type.Integer({
    minimum: 0,
    description: "Tracks that are left out, because they no longer exist or their files are not on the disk",
  }),
});
export type PreparedDownload = Static<typeof PreparedDownload>;

export const DownloadParams = Type.Object({ downloadId: Type.String() });
