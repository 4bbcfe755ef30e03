export {
  createAppComposer,
  getAppComposer,
  listAppComposers,
  listSplits,
  updateAppComposer,
} from "./app-list.ts";
export {
  countComposers,
  createComposer,
  deleteComposer,
  findComposer,
  listComposers,
  updateComposer,
} from "./composers.ts";
export { type CreditedComposer, rightsOfTracks } from "./credited.ts";
export { inHundredths, wholeShares } from "./hundredths.ts";
export { changeShareholders, type ReplacedLinks, requireComposers, undoShareholders } from "./many.ts";
export { mergeComposers, tracksOfComposer } from "./merge.ts";
export {
  announceRelinked,
  areSharesWhole,
  checkShareholders,
  replaceShareholders,
  shareholdersOfTrack,
  shareholdersOfTracks,
  writeShareholders,
} from "./shareholders.ts";
export { societyCode } from "./societies.ts";
export {
  answerSupply,
  askComposer,
  decideSuggestion,
  findSupply,
  listSuggestions,
  type OpenSupply,
  type Supplied,
} from "./supply/supply.ts";
export { type MergedComposer, transferComposers } from "./transfer.ts";
