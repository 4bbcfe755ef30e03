import type { FileSource } from "../../../../kernel/file-source.ts";
import type { ShareRow } from "../queries.ts";

/** A file served through a link's page. */
export type SharedFile = {
  share: ShareRow;
  request: Request;
  visitId: string | undefined;
  use: "listen" | "download";
  trackId: string;
  versionId: string;
  source: FileSource;
  sizeBytes: number;
  /** Null when not measured. */
  durationSec: number | null;
  /** Address of the client, which is never stored. */
  client: string;
  isOwner: () => boolean;
};
