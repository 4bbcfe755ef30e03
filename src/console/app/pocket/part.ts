/** Everything that is loaded, in one part, where music is kept: what needs it may have no connection to load more. */
export { findKept } from "./find-kept.ts";
export { findOutline } from "./find-outline.ts";
export { askAndKeep, letGoHere } from "./keep-dialog.tsx";
export { letAllGo, start } from "./keeping.ts";
export { leaveNothing } from "./leave.ts";
