import type { Member } from "../../../kernel/actor.ts";
import { requireNeed } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { createPlaylist } from "../../library/playlists/service.ts";
import { shareEntity } from "../../sharing/shares/service.ts";
import type { PlannedFile } from "./content.ts";
import { manifestOf } from "./manifest.ts";
import type { Plan } from "./plan.ts";
import { recordDelivery } from "./sending.ts";
import type { LinkedDelivery } from "./shapes.ts";
import { sumsOf } from "./sums.ts";

type LinkDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings" | "ffmpegPath">;

/**
 * Makes a link for the recipient of a plan, who may download the originals, and lists it among the deliveries. Several chosen tracks
 * become a playlist of the plan's name first.
 *
 * @throws DomainError `insufficient_scope`; `track_not_found` or `playlist_not_found` when what was planned is gone.
 */
export async function linkPlan(deps: LinkDeps, actor: Member, plan: Plan): Promise<LinkedDelivery> {
  requireNeed(actor, "create:shares");
  const share = await shareEntity(deps, actor, {
    ...targetOf(deps, actor, plan),
    ...(plan.recipient !== null && { recipient: plan.recipient }),
    allowDownload: true,
    // The delivery lists the originals by their hashes.
    isMarked: false,
  });
  const files = originalsOf(plan);
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const hashOf = (path: string) => hashes.get(path) ?? "";
  const manifest = manifestOf({ ...plan, files }, hashOf);
  const sha256 = new Bun.CryptoHasher("sha256").update(sumsOf(files, plan.root, hashOf)).digest("hex");
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const id = recordDelivery(
    deps,
    plan,
    { manifest, sha256 },
    { way: "link", bytes: sizeBytes, shareId: share.id },
  );
  return { id, shareId: share.id, url: share.url };
}

function targetOf(deps: LinkDeps, actor: Member, { settings: { where }, songs, name }: Plan) {
  if ("playlistId" in where) return { playlistId: where.playlistId };
  if ("familyOf" in where) return { trackId: where.familyOf, wholeFamily: true };
  const trackIds = songs.map(({ trackId }) => trackId);
  const [only, second] = trackIds;
  if (only !== undefined && second === undefined) return { trackId: only };
  requireNeed(actor, "create:playlists");
  const made = createPlaylist(deps, actor, { name, trackIds }, { isShared: false });
  if ("playlist" in made) return { playlistId: made.playlist.id };
  throw new DomainError("track_not_found", "There is no such track");
}

/** What somebody gets through a link: the originals. */
function originalsOf({ files }: Plan): (PlannedFile & { sha256: string })[] {
  const seen = new Set<number>();
  return files.flatMap((file) => {
    const { content } = file;
    if (content.is !== "sound" || seen.has(content.place)) return [];
    seen.add(content.place);
    const { sizeBytes, sha256 } = content.song;
    return [{ ...file, sizeBytes, sha256, content: { ...content, copy: null } }];
  });
}
