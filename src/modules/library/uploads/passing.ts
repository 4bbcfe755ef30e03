import { discardStaged, type StagedFile, stageFile } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { sniffAudio } from "../../../media/formats/sniff.ts";
import { openUrl } from "../../../net/fetch.ts";

const MAX_BYTES = 200 * 1024 * 1024;
const DOWNLOAD_MS = 30 * SECOND_MS;

type PassingDeps = Pick<Deps, "settings">;

/** A form as it was read: its fields, and its file where `stage` was given one. */
type Form = { fields: ReadonlyMap<string, string> };
/** Reads a form, and gives the bytes of its file to `stage`. */
export type ReadForm = (stage: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<Form>;

/** A sound that is looked at and forgotten, under a name that says nothing, and what is asked for beside it. */
type Passing<Wish> = { staged: StagedFile; wish: Wish; source: "file" | "url" };

/**
 * Receives a sound that is not to be kept, as a file of a form or from the address in its field `url`. Whoever receives it discards it.
 *
 * @param options `read` says what else the fields ask for.
 * @throws DomainError `validation_failed`, `file_too_large`, `invalid_file_type`, `url_not_allowed`, `download_failed`,
 *   `insufficient_storage`, and what `read` throws; then nothing is left.
 */
export async function receivePassing<Wish>(
  deps: PassingDeps,
  readForm: ReadForm,
  { read, signal }: { read: (fields: ReadonlyMap<string, string>) => Wish; signal: AbortSignal },
): Promise<Passing<Wish>> {
  let staged: StagedFile | undefined;
  try {
    const { fields } = await readForm(async (bytes) => {
      staged = await stage(deps, bytes);
    });
    const url = fields.get("url");
    if (staged && url !== undefined) throw invalidField("url", "either_or", "send a file or an address");
    const wish = read(fields);
    if (staged) return { staged, wish, source: "file" };
    if (url === undefined) throw invalidField("file", "required", "send a file, or an address in url");
    return { staged: await download(deps, url, signal), wish, source: "url" };
  } catch (error) {
    if (staged) await discardStaged(staged);
    throw error;
  }
}

async function download(deps: PassingDeps, url: string, signal: AbortSignal): Promise<StagedFile> {
  if (!URL.canParse(url)) throw invalidField("url", "url", "must be an http or https address");
  const opened = await openUrl(deps, url, { maxBytes: MAX_BYTES, timeoutMs: DOWNLOAD_MS, signal });
  return stage(deps, opened.body);
}

async function stage(deps: PassingDeps, bytes: AsyncIterable<Uint8Array>): Promise<StagedFile> {
  const staged = await stageFile(deps, bytes, { maxBytes: MAX_BYTES });
  if (sniffAudio(staged.head)) return staged;
  await discardStaged(staged);
  throw new DomainError("invalid_file_type", "This is not an audio file that can be read");
}
