export {
  type BinnedTrack,
  deleteTrack,
  findInBin,
  listOverdue,
  putInBin,
  selectBin,
  takeOutOfBin,
} from "./bin.ts";
export { deleteTracksOf } from "./deletion.ts";
export { fieldsOf, findEdit, listEdits, noteEdits, SPLITS_FIELD } from "./edits.ts";
export { foldArtists } from "./fold-artists.ts";
export { findOwnedTrack, getOwnedTrack, type OwnedTrack, ownedAmong } from "./owned.ts";
export { isInRound, ROUND_NOTES, reviewsOf, type VersionReview } from "./rounds.ts";
export { titleOf } from "./title.ts";
export {
  addOwnerField,
  findOwnerId,
  findTrackRow,
  hasOwnerField,
  insertTrack,
  onAnalysed,
  removeOwnerField,
  setCreatedAt,
  setInInbox,
  stopProcessing,
  type TrackColumns,
  updateTrack,
} from "./tracks.ts";
export { transferTracks } from "./transfer.ts";
export {
  deleteVersion,
  findVersion,
  giveBackVersionOrders,
  insertVersion,
  noteVersionEdits,
  takeVersionOrder,
  updateVersion,
  type VersionRow,
} from "./versions.ts";
export { addWordsOf, dropDeletedWords } from "./words.ts";
