/** How the ids of pictures end: with a part of the picture's key, so that a new picture is asked for. */
const PICTURE = /-c[0-9a-f]{8}$/;
const SONG = /^(trk_[0-9a-f]{32})(?:-(\d{1,9}))?$/;

/** Returns the id of a song: a new version that plays is a new song, which offline players fetch. */
export const songId = (trackId: string, versionOrder: number): string => `${trackId}-${versionOrder}`;

/** Returns the track that an id of a song, or of its picture, names: whichever version plays now. */
export const trackIdOf = (id: string): string | undefined => SONG.exec(withoutPicture(id))?.[1];

/** Returns which version of its track an id of a song names; undefined: it does not say. */
export function versionOrderOf(id: string): number | undefined {
  const order = SONG.exec(id)?.[2];
  return order === undefined ? undefined : Number(order);
}

/** Returns the id of the picture of something; undefined without one. */
export function pictureId(id: string, key: string | null): string | undefined {
  return key === null ? undefined : `${id}-c${key.replace(/\..*/, "").slice(-8)}`;
}

/** Returns the id of what an id of a picture belongs to. */
export const withoutPicture = (id: string): string => id.replace(PICTURE, "");
