import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { PROGRAM } from "../kernel/program.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { openUrl } from "../net/fetch.ts";
import { type Command, RefusedError } from "./command.ts";

const MAX_BYTES = 1_000_000;
const TIMEOUT_MS = 30 * SECOND_MS;
const VERSION = "^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?$";

/** What `scripts/release.ts` writes as `release.json`. */
const Release = Type.Object({
  program: Type.Literal(PROGRAM.name),
  version: Type.String({ pattern: VERSION }),
  files: Type.Array(
    Type.Object({
      name: Type.String({ pattern: "^[\\w.-]+$" }),
      platform: Type.String(),
      bytes: Type.Integer(),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
  ),
});

/**
 * `update --check`: asks the `release.json` at UPDATE_URL whether a newer version exists. It runs only on request,
 * sends nothing about the library, and changes nothing.
 */
export const update: Command<"update"> = async ({ settings, options, print, say }) => {
  const from = options.from ?? settings.updateUrl;
  if (from === undefined)
    throw new RefusedError(
      "Nothing says where releases are: set UPDATE_URL to the address of their release.json, or give --from URL",
    );
  const { release, url } = await readRelease(settings, from);
  const isNewer = Bun.semver.order(release.version, PROGRAM.version) > 0;
  const file = release.files.find(({ platform }) => platform === `${process.platform}-${process.arch}`);
  print({
    version: PROGRAM.version,
    latest: release.version,
    newer: isNewer,
    file: file ? { url: new URL(file.name, url).href, bytes: file.bytes, sha256: file.sha256 } : null,
  });
  say(
    isNewer ? `Version ${release.version} exists: docs/deploy.md, "Updates"` : "This is the newest version",
  );
};

/** @throws RefusedError when what is there is not a release; DomainError when it cannot be reached. */
async function readRelease(
  settings: Parameters<typeof openUrl>[0]["settings"],
  from: string,
): Promise<{ release: Static<typeof Release>; url: string }> {
  const signal = new AbortController().signal;
  const opened = await openUrl({ settings }, from, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.body) chunks.push(chunk);
  const release = parsed(Buffer.concat(chunks).toString("utf8"));
  if (Value.Check(Release, release)) return { release, url: opened.finalUrl };
  throw new RefusedError(`${from} is not the release.json of a release: correct UPDATE_URL`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
