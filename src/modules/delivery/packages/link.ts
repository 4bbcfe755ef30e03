import type { Member } from "../../../kernel/actor.ts";
import { requireNeed } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { createPlaylist } from "../../library/playlists/service.ts";
import { hasMarkedDownload } from "../../sharing/marks/service.ts";
import { shareEntity } from "../../sharing/shares/service.ts";
import type { PlannedFile } from "./content.ts";
import { type Manifest, manifestOf } from "./manifest.ts";
import type { Plan } from "./plan.ts";
import { recordDelivery } from "./sending.ts";
import type { LinkedDelivery } from "./shapes.ts";
import { sumsOf } from "./sums.ts";

type LinkDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings" | "ffmpegPath">;

/**
 * Makes a link for the recipient of a plan, who may download the originals or marked copies of them, and lists it among the deliveries. Several chosen tracks
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
    isMarked: plan.isMarked,
  });
  const files = originalsOf(plan);
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const hashOf = (path: string) => hashes.get(path) ?? "";
  const originals = manifestOf({ ...plan, files }, hashOf);
  const manifest = plan.isMarked ? ofCopies(originals) : originals;
  const sha256 = new Bun.CryptoHasher("sha256").update(sumsOf(files, plan.root, hashOf)).digest("hex");
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const id = recordDelivery(
    deps,
    plan,
    { manifest, sha256, hashOf },
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

/** What somebody gets through a link: the originals, or copies of those that are not lossy. */
function originalsOf({ files, plannedOf, isMarked }: Plan): (PlannedFile & { sha256: string })[] {
  const seen = new Set<number>();
  return files.flatMap((file) => {
    const { content } = file;
    if (content.is !== "sound" || seen.has(content.place)) return [];
    seen.add(content.place);
    const song =
      plannedOf.songs.find(({ versionId }) => versionId === content.song.versionId) ?? content.song;
    if (isMarked && !hasMarkedDownload(song)) return [];
    const { sizeBytes, sha256 } = song;
    return [{ ...file, sizeBytes, sha256, content: { ...content, song, copy: null } }];
  });
}

/** Copies for a link are made when it is: what they are is not known yet. */
const ofCopies = (manifest: Manifest) => ({
  ...manifest,
  tracks: manifest.tracks.map((track) => ({
    ...track,
    files: track.files.map((file) => ({
      ...file,
      ...{ bytes: null, sha256: null, pcmSha256: null, isMarked: true },
    })),
  })),
});
