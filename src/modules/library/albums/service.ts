export { CONSOLE, noteArrival } from "./arrange.ts";
export { arrivedAlbums } from "./arrived.ts";
export { coverFolder } from "./cover.ts";
export { findAlbumOf, moveArrivals } from "./queries.ts";
export { keepSeparate, undoArrival } from "./undo.ts";
