import type { Need } from "../api/library.ts";

/** What can be done by a key. `need`: the role must allow it, or the key does nothing anywhere. */
export type Action = { name: string; keys: readonly string[]; group: string; need?: Need };

/**
 * Every key of the console, as the dialog "Keyboard shortcuts" shows it. `Mod` is Ctrl or Cmd, `g l` is one key after the
 * other. Parts of the console say what an action does while they show: see `useActions`.
 */
export const ACTIONS = {
  palette: { name: "Command palette", keys: ["Mod+k"], group: "Anywhere" },
  searchField: { name: "Search field", keys: ["/"], group: "Anywhere" },
  upload: { name: "Upload", keys: ["u"], group: "Anywhere", need: "create:tracks" },
  undo: { name: "Undo", keys: ["z", "Mod+z"], group: "Anywhere" },
  help: { name: "Keyboard shortcuts", keys: ["?"], group: "Anywhere" },
  close: { name: "Close, then clear the selection", keys: ["Escape"], group: "Anywhere" },

  playPause: { name: "Play or pause", keys: ["Space"], group: "Player" },
  back: { name: "5 seconds back", keys: ["ArrowLeft"], group: "Player" },
  forward: { name: "5 seconds forward", keys: ["ArrowRight"], group: "Player" },
  previousTrack: { name: "Previous track", keys: ["Shift+ArrowLeft", "p"], group: "Player" },
  nextTrack: { name: "Next track", keys: ["Shift+ArrowRight", "n"], group: "Player" },
  tenth: {
    name: "Tenths of the track",
    keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    group: "Player",
  },
  mute: { name: "Mute", keys: ["m"], group: "Player" },
  matchLoudness: { name: "Match loudness", keys: ["l"], group: "Player" },
  loopStart: { name: "Loop from here", keys: ["["], group: "Player" },
  loopEnd: { name: "Loop to here", keys: ["]"], group: "Player" },
  queue: { name: "Queue", keys: ["q"], group: "Player" },
  playNext: { name: "Play next", keys: ["Shift+q"], group: "Player" },

  previousRow: { name: "Previous row", keys: ["ArrowUp", "k"], group: "Lists" },
  nextRow: { name: "Next row", keys: ["ArrowDown", "j"], group: "Lists" },
  firstRow: { name: "First row", keys: ["Home"], group: "Lists" },
  lastRow: { name: "Last row", keys: ["End"], group: "Lists" },
  pageUp: { name: "Page up", keys: ["PageUp"], group: "Lists" },
  pageDown: { name: "Page down", keys: ["PageDown"], group: "Lists" },
  open: { name: "Open beside the list", keys: ["Enter"], group: "Lists" },
  openWhole: { name: "Open whole", keys: ["Shift+Enter"], group: "Lists" },
  select: { name: "Select row", keys: ["x"], group: "Lists" },
  extendUp: { name: "Extend selection up", keys: ["Shift+ArrowUp"], group: "Lists" },
  extendDown: { name: "Extend selection down", keys: ["Shift+ArrowDown"], group: "Lists" },
  selectAll: { name: "Select all", keys: ["Mod+a"], group: "Lists" },
  moveUp: { name: "Move row up", keys: ["Alt+ArrowUp"], group: "Lists", need: "update:playlists" },
  moveDown: { name: "Move row down", keys: ["Alt+ArrowDown"], group: "Lists", need: "update:playlists" },

  share: { name: "Share", keys: ["s"], group: "Tracks", need: "create:shares" },
  deliver: { name: "Deliver", keys: ["d"], group: "Tracks", need: "update:tracks" },
  addToPlaylist: { name: "Add to playlist", keys: ["a"], group: "Tracks", need: "create:playlists" },
  tag: { name: "Tag", keys: ["t"], group: "Tracks" },
  rename: { name: "Rename", keys: ["e"], group: "Tracks", need: "update:playlists" },
  versions: { name: "Versions, A/B", keys: ["v"], group: "Tracks" },
  comment: { name: "Comment at this time", keys: ["c"], group: "Tracks", need: "create:comments" },
  commentSpan: {
    name: "Comment on the marked or repeated part",
    keys: ["Shift+c"],
    group: "Tracks",
    need: "create:comments",
  },
  zoomIn: { name: "Zoom in", keys: ["+", "="], group: "Tracks" },
  zoomOut: { name: "Zoom out", keys: ["-"], group: "Tracks" },
  remove: { name: "Delete or remove", keys: ["Delete"], group: "Tracks", need: "update:playlists" },

  shortlist: { name: "Shortlist", keys: ["1"], group: "Inbox", need: "manage:briefs" },
  pass: { name: "Pass", keys: ["2"], group: "Inbox", need: "manage:briefs" },
  keep: { name: "Keep", keys: ["3"], group: "Inbox", need: "manage:briefs" },
  backToNew: { name: "Back to new", keys: ["0"], group: "Inbox", need: "manage:briefs" },
  note: { name: "Add note", keys: ["w"], group: "Inbox", need: "manage:briefs" },
  answerDone: { name: "Done with the answer", keys: ["1"], group: "Inbox", need: "update:shares" },
  thank: { name: "Thank the sender", keys: ["Shift+t"], group: "Inbox", need: "read:briefs" },

  stepThrough: { name: "Step through the notes", keys: ["r"], group: "Review" },
  nextNote: { name: "Next open note", keys: ["j"], group: "Review" },
  previousNote: { name: "Previous open note", keys: ["k"], group: "Review" },
  switchVersions: { name: "Switch old and new", keys: ["x"], group: "Review" },
  markAnswered: { name: "Mark answered", keys: ["1"], group: "Review", need: "create:comments" },
  stillOpen: { name: "Still open, with a reply", keys: ["2"], group: "Review", need: "create:comments" },
  reopen: { name: "Reopen", keys: ["0"], group: "Review", need: "create:comments" },
  reply: { name: "Reply", keys: ["w"], group: "Review", need: "create:comments" },

  sayYes: { name: "Yes, it belongs to the song", keys: ["y"], group: "Sets", need: "update:tracks" },
  sayNo: { name: "No, it does not", keys: ["n"], group: "Sets", need: "update:tracks" },

  goLibrary: { name: "Library", keys: ["g l"], group: "Go to" },
  goSearch: { name: "Search", keys: ["g s"], group: "Go to" },
  goAlbums: { name: "Albums", keys: ["g a"], group: "Go to" },
  goPlaylists: { name: "Playlists", keys: ["g p"], group: "Go to" },
  goLinks: { name: "Links", keys: ["g k"], group: "Go to", need: "read:shares" },
  goPocket: { name: "Pocket", keys: ["g o"], group: "Go to" },
  goBriefs: { name: "Briefs", keys: ["g b"], group: "Go to", need: "read:briefs" },
  goInbox: { name: "Inbox", keys: ["g i"], group: "Go to", need: "read:briefs" },
  goComposers: { name: "Composers", keys: ["g c"], group: "Go to", need: "read:composers" },
  goInsights: { name: "Insights", keys: ["g n"], group: "Go to", need: "read:analytics" },
  goUploads: { name: "Uploads", keys: ["g u"], group: "Go to", need: "create:tracks" },
  goSettings: { name: "Settings", keys: ["g ,"], group: "Go to" },
} as const satisfies Record<string, Action>;

export type ActionId = keyof typeof ACTIONS;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const SIGNS: Readonly<Record<string, string>> = {
  Mod: isMac ? "⌘" : "Ctrl",
  Alt: isMac ? "⌥" : "Alt",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  PageUp: "PgUp",
  PageDown: "PgDn",
  Escape: "Esc",
};

/** Returns a key as people read it, part by part: `["Ctrl", "K"]`. */
export function keyParts(key: string): string[] {
  if (key === "+") return [key];
  return key.split(/[+ ]/).map((part) => SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}

/** Returns the tooltip of a button: `Queue (Q)`. */
export function tooltip(id: ActionId, name: string = ACTIONS[id].name): string {
  return `${name} (${keyParts(ACTIONS[id].keys[0]).join(" ")})`;
}
