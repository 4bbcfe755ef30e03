import type { LibraryId } from "../../../../db/schema.ts";
import type { Viewer } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { Page, PageRequest } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { peopleIn } from "../../people/people/service.ts";
import type { NamedPerson } from "../../people/people/shapes.ts";
import { versionAnalysisOf } from "../analysis/service.ts";
import { getOwnedTrack, reviewsOf, titleOf, type VersionRow } from "../catalog/service.ts";
import { listenUrl } from "../files/service.ts";
import { type Copy, listCopies, listMixes, listMixOffers } from "../recordings/service.ts";
import { findMeasured, listVersions } from "./queries.ts";
import { toVersion } from "./service.ts";
import type { MixOffer, SheetMix, SheetVersion } from "./sheet-shapes.ts";

type SheetDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/**
 * Returns the versions of an account's track, newest first, with the measurements of each.
 *
 * @throws DomainError `track_not_found`.
 */
export function listSheetVersions(
  deps: SheetDeps,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  trackId: string,
): SheetVersion[] {
  const { activeVersionId } = getOwnedTrack(deps.db, ownerId, trackId);
  const rows = listVersions(deps.db, trackId).toReversed();
  const by = peopleIn(
    deps,
    ownerId,
    rows.map(({ madeBy }) => madeBy),
  );
  const about = { activeVersionId, reviews: reviewsOf(deps.db, trackId) };
  return rows.map((row) => toSheetVersion(deps, viewer, row, { ...about, madeBy: by(row.madeBy) }));
}

/**
 * Returns the account's other tracks with the recording of a track's active version, the likest first.
 *
 * @throws DomainError `track_not_found`.
 */
export function listSheetCopies({ db }: Pick<Deps, "db">, ownerId: LibraryId, trackId: string): Copy[] {
  getOwnedTrack(db, ownerId, trackId);
  return listCopies(db, ownerId, trackId);
}

/**
 * Returns the account's other tracks that are mixes of the song of a track's active version by their sound, the likest first.
 *
 * @throws DomainError `track_not_found`.
 */
export function listSheetMixes({ db }: Pick<Deps, "db">, ownerId: LibraryId, trackId: string): SheetMix[] {
  getOwnedTrack(db, ownerId, trackId);
  return listMixes(db, ownerId, trackId).map((mix) => ({ ...mix, createdAt: toIso(mix.createdAt) }));
}

/**
 * Returns a page of the account's new tracks that sound like mixes of older ones, until it says what they are, the newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listOffers({ db }: Pick<Deps, "db">, ownerId: LibraryId, page: PageRequest): Page<MixOffer> {
  const { items, paging } = listMixOffers(db, ownerId, page);
  const toItem = ({ otherName, otherTitle, ...offer }: (typeof items)[number]) => ({
    ...offer,
    title: titleOf(offer),
    otherTitle: titleOf({ name: otherName, title: otherTitle }),
    offeredAt: toIso(offer.offeredAt),
  });
  return { items: items.map(toItem), paging };
}

function toSheetVersion(
  deps: SheetDeps,
  viewer: Viewer,
  row: VersionRow,
  { madeBy, ...about }: Parameters<typeof toVersion>[3] & { madeBy: NamedPerson | null },
): SheetVersion {
  const measured = findMeasured(deps.db, row.id);
  return {
    ...toVersion(deps, viewer, row, about),
    playbackUrl: listenUrl(deps, viewer, row),
    isAnalysed: measured !== undefined,
    analysis: versionAnalysisOf(deps.db, row.id),
    durationSec: measured?.durationSec ?? null,
    integratedLufs: measured?.integratedLufs ?? null,
    truePeakDbtp: measured?.truePeakDbtp ?? null,
    bpm: measured?.bpm ?? null,
    key: measured?.key ?? null,
    madeBy,
  };
}
