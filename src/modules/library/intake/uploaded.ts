import type { LibraryId } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { asRefusal } from "../../../kernel/refusals.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { finishUpload } from "../uploads/service.ts";
import type { Offer } from "./decide.ts";
import type { TakeFiles, TakenFile } from "./shapes.ts";
import { recallFile, type Taken, takeIn } from "./take.ts";

type TakeDeps = Pick<Deps, "db" | "now" | "secrets" | "settings" | "selfCommand" | "ffmpegPath" | "log">;
type Asked = TakeFiles["files"][number];

/**
 * Takes files in that a sender has. Those whose bytes the library has need no upload; the others are answered with `needed`, and
 * are asked for again with their upload. Each has an outcome of its own, and a repeated question has the same outcome.
 */
export async function takeUploaded(
  deps: TakeDeps,
  turns: Turns,
  accountId: LibraryId,
  { kind, source, files }: TakeFiles,
): Promise<TakenFile[]> {
  const taken: TakenFile[] = [];
  for (const { uploadId, ...file } of files) {
    const offer = { inode: "", ...file, accountId, kind, source };
    taken.push(await takeOne(deps, turns, offer, uploadId));
  }
  return taken;
}

async function takeOne(
  deps: TakeDeps,
  turns: Turns,
  offer: Offer,
  uploadId: Asked["uploadId"],
): Promise<TakenFile> {
  try {
    const known = recallFile(deps, offer);
    if (known) return known;
    const taken = uploadId === undefined ? undefined : await takeUpload(deps, turns, offer, uploadId);
    return taken ?? without(offer, "needed", null);
  } catch (error) {
    const refusal = asRefusal(error);
    if (!refusal) throw error;
    return without(offer, "failed", refusal.message);
  }
}

const without = ({ path }: Offer, outcome: "needed" | "failed", reason: string | null): TakenFile => ({
  path,
  outcome,
  trackId: null,
  versionId: null,
  label: null,
  title: null,
  url: null,
  albumId: null,
  reason,
});

/** Undefined: the upload was used before, for something that the library no longer has. */
async function takeUpload(
  deps: TakeDeps,
  turns: Turns,
  offer: Offer,
  id: string,
): Promise<Taken | undefined> {
  let taken: Taken | undefined;
  const upload = { accountId: offer.accountId, id, path: offer.path };
  await turns.take(id, () =>
    finishUpload(deps, turns, upload, (tx, file) => {
      if (file.staged.sha256 !== offer.sha256)
        throw new DomainError("validation_failed", "The upload has other bytes than the file");
      taken = takeIn(within(deps, tx), file, offer);
      const { outcome, trackId, versionId } = taken;
      return { outcome: outcome === "track" || outcome === "version" ? outcome : "twin", trackId, versionId };
    }),
  );
  return taken;
}
